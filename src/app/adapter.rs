//! What happens when the graphics adapter goes away: a sentence and a clean end, with what was done saved as a session.
//!
//! Bevy tells of a lost device, of memory that ran out and of wrong use alike, and leaves to us what to do. Drawing on
//! could flicker, and starting the renderer again leaves the panels' library with textures of the lost device. So the
//! window closes; nobody has lost more than a view.
//!
//! A device that goes away in the middle of a frame makes Bevy panic before it can tell; [`Panics`] knows such a panic by
//! where it came from.
//!
//! For tests of this, `PRUSIK_LOSE_ADAPTER_AFTER_S=5` asks the adapter for more than it has after so many seconds, which
//! it tells; `PRUSIK_LOSE_ADAPTER_AFTER_S=5,silently` destroys the device in the middle of a frame.

use std::panic::PanicHookInfo;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::render_resource::{BufferDescriptor, BufferUsages};
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp};

use super::AppError;
use super::bridge::Bridge;

/// The variable that makes the adapter go away.
const LOSE_AFTER: &str = "PRUSIK_LOSE_ADAPTER_AFTER_S";

/// Ends the window when the adapter goes away.
pub struct AdapterPlugin {
    /// Where to leave the reason.
    pub failure: Arc<Mutex<Option<AppError>>>,
}

#[derive(Resource)]
struct FailureTo(Arc<Mutex<Option<AppError>>>);

#[derive(Resource)]
struct LoseAt {
    at: Instant,
    silently: bool,
}

impl Plugin for AdapterPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(FailureTo(self.failure.clone()))
            .insert_resource(RenderErrorHandler(end));
        let wanted = std::env::var(LOSE_AFTER).unwrap_or_default();
        let (seconds, silently) = match wanted.split_once(',') {
            Some((seconds, how)) => (seconds, how == "silently"),
            None => (wanted.as_str(), false),
        };
        let seconds: Option<f64> = seconds.parse().ok();
        let after = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        if let (Some(after), Some(renderer)) = (after, app.get_sub_app_mut(RenderApp)) {
            let at = Instant::now() + after;
            renderer
                .insert_resource(LoseAt { at, silently })
                .add_systems(Render, lose);
        }
    }
}

fn lose(device: Res<RenderDevice>, wanted: Res<LoseAt>, mut lost: Local<bool>) {
    if *lost || Instant::now() < wanted.at {
        return;
    }
    *lost = true;
    if wanted.silently {
        device.wgpu_device().destroy();
        return;
    }
    device.create_buffer(&BufferDescriptor {
        label: Some("more than there is"),
        size: 1 << 60,
        usage: BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
}

/// Remembers the first panic that came from the graphics library, which is what its users do on a device that is gone.
#[derive(Clone, Default)]
pub struct Panics(Arc<Mutex<Option<String>>>);

impl Panics {
    /// Looks at every panic from now on; others are told as before.
    pub fn watch() -> Self {
        let panics = Self::default();
        let (noted, before) = (panics.clone(), std::panic::take_hook());
        std::panic::set_hook(Box::new(move |info| {
            // After the first all others follow from it, and say nothing that helps.
            if !noted.note(info) {
                before(info);
            }
        }));
        panics
    }

    /// Whether it is the graphics library's, or comes after one that was.
    fn note(&self, info: &PanicHookInfo) -> bool {
        let Ok(mut first) = self.0.lock() else {
            return false;
        };
        let ours = info.location().map(|place| place.file());
        if first.is_none() && ours.is_some_and(is_graphics) {
            let text = info.payload_as_str().unwrap_or("it did not say why");
            *first = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        first.is_some()
    }

    /// What the graphics library said, if it was that.
    pub fn by_adapter(&self) -> Option<String> {
        self.0.lock().ok()?.clone()
    }
}

/// Whether a source file belongs to the graphics library.
fn is_graphics(file: &str) -> bool {
    let folders = file.split(['/', '\\']);
    let mut folders = folders.filter(|folder| folder.starts_with("wgpu"));
    folders.next().is_some()
}

/// Notes why, saves what was done, asks the window to close. Called every frame until it has closed.
fn end(error: &RenderError, main: &mut World, _: &mut World) -> RenderErrorPolicy {
    let Some(failure) = main.get_resource::<FailureTo>().map(|to| to.0.clone()) else {
        return RenderErrorPolicy::StopRendering;
    };
    // A panic while this is locked is not possible: nothing is done under the lock.
    let first = failure.lock().is_ok_and(|why| why.is_none());
    if first {
        let bridge = main.get_resource::<Bridge>();
        let saved = bridge.and_then(|bridge| bridge.lifeline().save_session());
        let why = AppError::AdapterLost {
            why: format!("{:?}: {}", error.ty, error.description),
            saved,
        };
        if let Ok(mut failure) = failure.lock() {
            *failure = Some(why);
        }
        main.write_message(AppExit::error());
    }
    RenderErrorPolicy::StopRendering
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_of_the_graphics_library_are_known_by_their_file() {
        assert!(is_graphics("/x/.cargo/x/wgpu-29.0.4/src/api.rs"));
        assert!(is_graphics("C:\\x\\wgpu-core-29.0.4\\src\\lib.rs"));
        assert!(!is_graphics("src/world/step.rs"));
        assert!(!is_graphics("/x/my-wgpu-things/prusik/src/lib.rs"));
    }
}
