//! `prusik app`, `render` and `showcase`: what needs the window layer.

use super::Failure;
use super::args::{AppArgs, RenderArgs, ShowcaseArgs};

#[cfg(feature = "app")]
mod with_window {
    use prusik::app::{self, AppOptions, RenderOptions};
    use prusik::scene::{load, shipped};

    use super::{AppArgs, Failure, RenderArgs, ShowcaseArgs};

    fn opening() -> &'static str {
        shipped()[0].name
    }

    /// Opens the window.
    pub fn app(args: AppArgs) -> Result<(), Failure> {
        let name = args.scene.as_deref().unwrap_or(opening());
        let sets = args.changes.sets;
        app::run(AppOptions {
            scene: load(name, &sets).map_err(Failure::new)?,
            sets,
            report: args.report,
            exit_after_s: args.exit_after,
        })
        .map_err(Failure::new)
    }

    /// Draws a scene into a file.
    pub fn render(args: RenderArgs) -> Result<(), Failure> {
        app::render(RenderOptions {
            scene: load(&args.scene, &args.changes.sets).map_err(Failure::new)?,
            time_s: args.time,
            out: args.out,
            size: args.size,
        })
        .map_err(Failure::new)
    }

    /// Writes pictures and an animation of the opening scene.
    pub fn showcase(args: ShowcaseArgs) -> Result<(), Failure> {
        let scene = load(opening(), &[]).map_err(Failure::new)?;
        let gif = app::showcase(scene, &args.out).map_err(Failure::new)?;
        super::super::print_line(gif.display())
    }
}

#[cfg(not(feature = "app"))]
mod without_window {
    use prusik::scene::load;

    use super::{AppArgs, Failure, RenderArgs, ShowcaseArgs};

    fn no_window() -> Failure {
        Failure::usage(
            "this build has no window; build it with `cargo build --release`, without --no-default-features",
        )
    }

    /// Says that there is no window.
    pub fn app(_: AppArgs) -> Result<(), Failure> {
        Err(no_window())
    }

    /// Says that there is no window.
    pub fn render(args: RenderArgs) -> Result<(), Failure> {
        load(&args.scene, &args.changes.sets).map_err(Failure::new)?;
        Err(no_window())
    }

    /// Says that there is no window.
    pub fn showcase(_: ShowcaseArgs) -> Result<(), Failure> {
        Err(no_window())
    }
}

#[cfg(feature = "app")]
pub(super) use with_window::{app, render, showcase};
#[cfg(not(feature = "app"))]
pub(super) use without_window::{app, render, showcase};
