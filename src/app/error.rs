//! Why the window or the offscreen renderer cannot do what was asked: each a sentence that ends in what to do.

use std::path::PathBuf;

/// A sentence for the user: what went wrong, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is neither an X11 nor a Wayland display.
    #[error(
        "no display found: neither DISPLAY nor WAYLAND_DISPLAY is set; start Prusik from a desktop session, \
         or use `prusik render` or `prusik showcase`, which need no display"
    )]
    NoDisplay,
    /// A display is named, but nothing answers there.
    #[error(
        "the display {display} does not answer: {why}; check the variable DISPLAY, or use `prusik render`, \
         which needs no display"
    )]
    DeadDisplay {
        /// Its name.
        display: String,
        /// What the attempt to reach it said.
        why: String,
    },
    /// No graphics adapter, not even a software one.
    #[error(
        "no graphics adapter found ({why}); install a Vulkan driver, or the software one \
         (Debian and Ubuntu: apt install mesa-vulkan-drivers)"
    )]
    NoAdapter {
        /// What the graphics library said.
        why: String,
    },
    /// A file could not be written.
    #[error("cannot write {}: {why}; check that its folder exists and may be written to", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The scene could not be built or stepped.
    #[error("scene `{scene}`: {why}")]
    Scene {
        /// Its name.
        scene: String,
        /// The sentence of the world.
        why: String,
    },
    /// The picture did not come back from the graphics adapter.
    #[error(
        "the picture was not drawn within {seconds} s; the graphics driver may be stuck: try again, \
         or with a smaller --size"
    )]
    NoPicture {
        /// How long we waited.
        seconds: u64,
    },
    /// MP4 was asked for where ffmpeg is not.
    #[error(
        "MP4 files are written by ffmpeg, which could not be started ({why}); install it, or name a .gif file"
    )]
    NoFfmpeg {
        /// What the system said.
        why: String,
    },
    /// The window library gave up.
    #[error(
        "the window could not be kept open: {why}; if the display has just been restarted, try again"
    )]
    Stopped {
        /// What it said.
        why: String,
    },
    /// The graphics adapter went away, or ran out of memory.
    #[error("the graphics adapter stopped drawing ({why}); {}", advice(saved.as_ref()))]
    AdapterLost {
        /// What the graphics library said.
        why: String,
        /// The session with what was done.
        saved: Option<PathBuf>,
    },
    /// The window closed with an error.
    #[error("the window closed with an error; the log above says why")]
    Window,
}

/// What to do after the adapter went away.
fn advice(saved: Option<&PathBuf>) -> String {
    match saved {
        Some(path) => {
            let path = path.display();
            format!("what you did is saved: `prusik app --watch {path}` does it again")
        }
        None => "start Prusik again".into(),
    }
}
