//! What happens when the graphics adapter goes away: a sentence and a clean end, with what was done saved as a session.
//!
//! Bevy tells of a lost device, of memory that ran out and of wrong use alike, and leaves to us what to do. Drawing on
//! could flicker, and starting the renderer again leaves the panels' library with textures of the lost device. So the
//! window closes; nobody has lost more than a view.
//!
//! `PRUSIK_LOSE_ADAPTER_AFTER_S=5` destroys the device after so many seconds, for tests of this.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::render::error_handler::{RenderError, RenderErrorHandler, RenderErrorPolicy};
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp};

use super::AppError;
use super::bridge::Bridge;
use super::shown::Shown;

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
struct LoseAt(Instant);

impl Plugin for AdapterPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(FailureTo(self.failure.clone()))
            .insert_resource(RenderErrorHandler(end));
        let wanted = std::env::var(LOSE_AFTER).ok();
        let seconds: Option<f64> = wanted.and_then(|text| text.parse().ok());
        let after = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        if let (Some(after), Some(renderer)) = (after, app.get_sub_app_mut(RenderApp)) {
            renderer
                .insert_resource(LoseAt(Instant::now() + after))
                .add_systems(Render, lose);
        }
    }
}

fn lose(device: Res<RenderDevice>, at: Res<LoseAt>, mut lost: Local<bool>) {
    if !*lost && Instant::now() >= at.0 {
        *lost = true;
        device.wgpu_device().destroy();
    }
}

/// Notes why, saves what was done, asks the window to close. Called every frame until it has closed.
fn end(error: &RenderError, main: &mut World, _: &mut World) -> RenderErrorPolicy {
    let Some(failure) = main.get_resource::<FailureTo>().map(|to| to.0.clone()) else {
        return RenderErrorPolicy::StopRendering;
    };
    // A panic while this is locked is not possible: nothing is done under the lock.
    let first = failure.lock().is_ok_and(|why| why.is_none());
    if first {
        let saved = main.resource_scope(|main, mut bridge: Mut<Bridge>| {
            let shown = main.get_resource::<Shown>()?;
            bridge.save_session(&shown.scene)
        });
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
