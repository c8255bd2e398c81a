//! Files that are dropped on the window.

use std::path::Path;

use bevy::prelude::*;
use bevy::window::FileDragAndDrop;

use super::action::Action;
use super::toasts::Toasts;
use crate::scene;

/// Opens what is dropped.
pub struct DroppingPlugin;

impl Plugin for DroppingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hovering>()
            .add_systems(Update, read_drops);
    }
}

/// Whether a file hangs over the window.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hovering(pub bool);

fn read_drops(
    mut drops: MessageReader<FileDragAndDrop>,
    mut hovering: ResMut<Hovering>,
    mut actions: MessageWriter<Action>,
    mut toasts: ResMut<Toasts>,
) {
    for drop in drops.read() {
        hovering.0 = matches!(drop, FileDragAndDrop::HoveredFile { .. });
        if let FileDragAndDrop::DroppedFile { path_buf, .. } = drop {
            match asked_by(path_buf) {
                Ok(action) => {
                    actions.write(action);
                }
                Err(why) => toasts.warn(why),
            }
        }
    }
}

/// What a dropped file asks for, or why nothing can be done with it.
fn asked_by(path: &Path) -> Result<Action, String> {
    let name = path.to_string_lossy().into_owned();
    if scene::opens(path) {
        return Ok(Action::OpenScene(name));
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_lowercase).as_deref() {
        Some("session") => Ok(Action::WatchSession(name)),
        _ => Err(format!(
            "{name} cannot be opened: drop a file that ends in .{} or .session",
            scene::ENDINGS.join(", .")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_opened_and_anything_else_gets_a_sentence() {
        for file in ["/tmp/My Scene.TOML", "a.hair", "b.usda", "c.OBJ", "d.stl"] {
            let opened = asked_by(Path::new(file));
            assert_eq!(opened, Ok(Action::OpenScene(file.into())));
        }
        let watched = asked_by(Path::new("my.session"));
        assert_eq!(watched, Ok(Action::WatchSession("my.session".into())));
        for other in ["/tmp/cat.jpeg", "/tmp/noending"] {
            let why = asked_by(Path::new(other)).expect_err("not a scene");
            assert!(why.contains(other) && why.contains(".toml, .hair"), "{why}");
        }
    }
}
