//! Ctrl+P: a picture of the window as a PNG file in the folder where Prusik was started.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};

use super::capture::save_png;
use super::shown::Shown;
use super::toasts::Toasts;

/// Asks for a picture.
#[derive(Message, Clone, Copy, Debug)]
pub struct ShotRequest;

/// Saves pictures of the window.
pub struct ScreenshotPlugin;

impl Plugin for ScreenshotPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<ShotRequest>()
            .add_systems(Update, take_pictures);
    }
}

fn take_pictures(
    mut commands: Commands,
    mut requests: MessageReader<ShotRequest>,
    shown: Res<Shown>,
) {
    for _ in requests.read() {
        let path = file_name(&shown);
        let save =
            move |captured: On<ScreenshotCaptured>, mut toasts: ResMut<Toasts>| match save_png(
                &captured.image,
                &path,
            ) {
                Ok(()) => toasts.say(format!("Saved {}", absolute(&path).display())),
                Err(why) => toasts.warn(why.to_string()),
            };
        commands.spawn(Screenshot::primary_window()).observe(save);
    }
}

fn file_name(shown: &Shown) -> PathBuf {
    PathBuf::from(file_stem(shown) + ".png")
}

/// What files of this moment are called, without their ending.
pub fn file_stem(shown: &Shown) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = since.map_or(0, |d| d.as_secs());
    format!("prusik-{}-{seconds}", shown.scene.name)
}

fn absolute(path: &PathBuf) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.clone())
}
