//! `prusik app`, `render` and `showcase`: what needs the window layer.

use super::Failure;
use super::args::{AppArgs, RenderArgs, ShowcaseArgs};

#[cfg(feature = "app")]
mod with_window {
    use indicatif::ProgressBar;
    use prusik::app::{self, AppOptions, ColorMode, RenderOptions, Span, Theme};
    use prusik::scene::{Scene, load, shipped};
    use prusik::session::{load_session, shipped_sessions};

    use super::super::progress::progress_bar;
    use super::{AppArgs, Failure, RenderArgs, ShowcaseArgs};

    fn opening() -> &'static str {
        shipped()[0].name
    }

    /// The scene that was open last, if there was one and it is not gone.
    fn last_scene(sets: &[String]) -> Option<(String, Scene)> {
        let name = app::last_scene()?;
        let scene = load(&name, sets).ok()?;
        Some((name, scene))
    }

    /// The scene of someone who named none.
    fn opening_scene(sets: &[String]) -> Result<(String, Scene), Failure> {
        let scene = load(opening(), sets).map_err(Failure::new)?;
        Ok((opening().into(), scene))
    }

    /// The scene that a session was done to.
    fn watched_scene(session: &str) -> Result<(String, Scene), Failure> {
        let session = load_session(session).map_err(Failure::new)?;
        let scene = session.scene().map_err(Failure::new)?;
        Ok((session.head.scene, scene))
    }

    /// Opens the window.
    pub fn app(args: AppArgs) -> Result<(), Failure> {
        let sets = args.changes.sets;
        let welcome = args.scene.is_none() && args.watch.is_none();
        let mut otherwise = None;
        let (opened, scene) = match (&args.watch, args.scene) {
            (Some(session), _) => watched_scene(session)?,
            (None, Some(name)) => (name.clone(), load(&name, &sets).map_err(Failure::new)?),
            (None, None) => match last_scene(&sets) {
                Some(last) => {
                    otherwise = opening_scene(&sets).ok();
                    last
                }
                None => opening_scene(&sets)?,
            },
        };
        app::run(AppOptions {
            scene,
            opened,
            otherwise,
            welcome,
            watch: args.watch,
            sets,
            report: args.report,
            exit_after_s: args.exit_after,
        })
        .map_err(Failure::new)
    }

    /// Draws a scene into a file.
    pub fn render(args: RenderArgs) -> Result<(), Failure> {
        let (span, color) = (span(&args)?, color(&args.color)?);
        let progress = match span {
            Span::Moment { .. } => ProgressBar::hidden(),
            Span::Stretch { .. } => progress_bar(0, "pictures"),
        };
        app::render(
            RenderOptions {
                scene: load(&args.scene, &args.changes.sets).map_err(Failure::new)?,
                span,
                out: args.out,
                size: args.size,
                camera: args.camera,
                color,
                strands: args.look,
                stripe: !args.no_stripe,
                contacts: !args.no_contacts,
                forces: args.forces || args.cones,
                cones: args.cones,
                theme: match args.theme.as_str() {
                    "dark" => Theme::Dark,
                    _ => Theme::Light,
                },
            },
            |frame, of| {
                progress.set_length(of as u64);
                progress.set_position(frame as u64);
            },
        )
        .map_err(Failure::new)?;
        progress.finish_and_clear();
        Ok(())
    }

    /// One moment or a stretch of time, as far as the file to write allows.
    fn span(args: &RenderArgs) -> Result<Span, Failure> {
        let ending = args.out.extension().map(|e| e.to_ascii_lowercase());
        let ending = ending.as_deref().and_then(|e| e.to_str()).unwrap_or("");
        let Some(to_s) = args.to else {
            let time_s = args.time.unwrap_or(0.0);
            return match ending {
                "gif" | "mp4" => Err(Failure::usage(format!(
                    "--out {} is a film, but --time asks for one picture: give --from and --to, or a .png file",
                    args.out.display()
                ))),
                _ => Ok(Span::Moment { time_s }),
            };
        };
        if ending == "png" {
            return Err(Failure::usage(format!(
                "--out {} is one picture, but --to asks for many: name a .gif, an .mp4, or a folder",
                args.out.display()
            )));
        }
        if to_s < args.from {
            return Err(Failure::usage(format!(
                "--to {to_s} lies before --from {}",
                args.from
            )));
        }
        Ok(Span::Stretch {
            from_s: args.from,
            to_s,
            fps: args.fps,
        })
    }

    fn color(name: &str) -> Result<ColorMode, Failure> {
        let key = |mode: &ColorMode| mode.name().replace(' ', "-");
        let mode = ColorMode::ALL.into_iter().find(|mode| key(mode) == name);
        mode.ok_or_else(|| {
            let known: Vec<String> = ColorMode::ALL.iter().map(key).collect();
            Failure::usage(format!(
                "--color {name} is not known; it must be one of {}",
                known.join(", ")
            ))
        })
    }

    /// Writes pictures and an animation of a knot being tied.
    pub fn showcase(args: ShowcaseArgs) -> Result<(), Failure> {
        let session = load_session(shipped_sessions()[0].name).map_err(Failure::new)?;
        let gif = app::showcase(session, &args.out).map_err(Failure::new)?;
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
