//! Layer 4, sessions: what hands did to a scene, as a small text file, and doing it again.
//!
//! ```text
//!   prusik session 1                                         what this is, and which version of it
//!   scene = "knot"                                           what it was done to: TOML, one field to a line
//!   sets = ["friction.default=0.3"]
//!   demo = false
//!   spec = "4f0c3d9a12b07e55"                                a hint whether the scene is still the same
//!   0 hash = "93b1c0de5a7f2210"                              the state after so many steps
//!   25 grab = { hand = 0, point = { … }, target = [ … ] }    an edit, applied after so many steps
//!   26 move_hand = { hand = 0, target = [ … ] }
//!   900 end = "07c1d2ae9b3344f1"                             the last step, and the state after it
//! ```
//!
//! Numbers are written with as many digits as tell them apart, so they read back to the same bits; and since a world is
//! the same bits on any machine's threads, the same edits at the same steps are the same session.
//!
//! | file | job |
//! |---|---|
//! | `text` | lines, written and read |
//! | `writer` | a file that grows while the session goes on |
//! | `replay` | what is due at which step, and whether the states agree |

mod replay;
#[cfg(test)]
mod tests;
mod text;
mod writer;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::scene::{self, Scene};
use crate::world::{Edit, SpecError};

pub use replay::Replay;
pub use writer::SessionFile;

/// Steps between two states that a recording notes: often enough to say where a replay leaves it.
pub const HASH_EVERY: u64 = 100;

/// What a session was done to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Name of a shipped scene, or path of a scene file.
    pub scene: String,
    /// `path=value` changes to it.
    #[serde(default)]
    pub sets: Vec<String>,
    /// Whether its demonstration plays from the start.
    #[serde(default)]
    pub demo: bool,
    /// Fingerprint of the description, in hexadecimal digits.
    #[serde(default)]
    pub spec: String,
}

impl Head {
    /// A session of this scene.
    pub fn of(scene: &Scene, demo: bool) -> Self {
        let mut spec = scene.spec.clone();
        spec.demo = demo;
        Self {
            scene: scene.origin.name_or_path.clone(),
            sets: scene.origin.sets.clone(),
            demo,
            spec: format!("{:016x}", spec.fingerprint()),
        }
    }
}

/// What a line of a session says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The world was changed.
    Edit(Edit),
    /// The world had this [`state_hash`](crate::world::World::state_hash).
    Hash(u64),
    /// The session ended, in this state.
    End(u64),
}

/// A recorded session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    /// What it was done to.
    pub head: Head,
    /// Steps taken before, and what happened then; by rising steps.
    pub events: Vec<(u64, Event)>,
}

impl Session {
    /// Reads the text of a session file; what is wrong with it is a sentence that starts with `shown`, its name.
    pub fn parse(shown: &str, text: &str) -> Result<Self, SpecError> {
        text::parse(text).map_err(|why| SpecError(format!("{shown}{why}")))
    }

    /// The text of a session file.
    pub fn text(&self) -> String {
        let lines = self.events.iter();
        let lines = lines.map(|(step, event)| text::line(*step, event));
        text::head(&self.head) + &lines.collect::<String>()
    }

    /// What was done, without the states in between.
    pub fn edits(&self) -> impl Iterator<Item = (u64, &Edit)> {
        self.events.iter().filter_map(|(step, event)| match event {
            Event::Edit(edit) => Some((*step, edit)),
            Event::Hash(_) | Event::End(_) => None,
        })
    }

    /// Its last step.
    pub fn last_step(&self) -> u64 {
        self.events.last().map_or(0, |(step, _)| *step)
    }

    /// Whether the recording broke off: then its last line was lost, and maybe some before it.
    pub fn is_cut_short(&self) -> bool {
        !matches!(self.events.last(), Some((_, Event::End(_))))
    }

    /// The scene that it was done to, its demonstration on or off as it was then.
    pub fn scene(&self) -> Result<Scene, SpecError> {
        let mut scene = scene::load(&self.head.scene, &self.head.sets).map_err(|why| {
            SpecError(format!(
                "the session needs a scene that does not load: {why}"
            ))
        })?;
        scene.spec.demo = self.head.demo;
        Ok(scene)
    }

    /// Whether a scene is, as far as can be told, the one that it was done to.
    pub fn is_of(&self, scene: &Scene) -> bool {
        Head::of(scene, self.head.demo).spec == self.head.spec
    }
}

/// A session that ships with Prusik.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSession {
    /// Its name.
    pub name: &'static str,
    /// What can be watched in it, for the card that offers it.
    pub title: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The sessions that ship with Prusik.
pub fn shipped_sessions() -> &'static [ShippedSession] {
    macro_rules! ship {
        ($($name:literal: $title:literal),*) => {
            &[$(ShippedSession {
                name: $name,
                title: $title,
                text: include_str!(concat!("../../scenes/sessions/", $name, ".session")),
            }),*]
        };
    }
    ship!["overhand": "a knot tied with a mouse"]
}

/// Loads a session: the name of a shipped one, or the path of a file.
pub fn load_session(name_or_path: &str) -> Result<Session, SpecError> {
    let shipped = shipped_sessions().iter();
    if let Some(session) = shipped.clone().find(|s| s.name == name_or_path) {
        let shown = format!("scenes/sessions/{}.session", session.name);
        return Session::parse(&shown, session.text);
    }
    let path = Path::new(name_or_path);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !is_path {
        let names: Vec<&str> = shipped.map(|session| session.name).collect();
        return Err(SpecError(format!(
            "there is no session \"{name_or_path}\"; give one of {} or the path of a .session file",
            names.join(", ")
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| {
        SpecError(format!(
            "the session file {name_or_path} cannot be read: {error}"
        ))
    })?;
    // A file of another kind need not be text at all.
    let mut session = Session::parse(name_or_path, &String::from_utf8_lossy(&bytes))?;
    find_scene_beside(path, &mut session.head);
    Ok(session)
}

/// A scene file that is not where it was is looked for beside the session, with which it may have been sent.
fn find_scene_beside(session: &Path, head: &mut Head) {
    let is_shipped = scene::shipped().iter().any(|s| s.name == head.scene);
    let scene = Path::new(&head.scene);
    if is_shipped || scene.exists() {
        return;
    }
    let beside = scene.file_name().map(|name| session.with_file_name(name));
    if let Some(beside) = beside.filter(|path| path.exists()) {
        head.scene = beside.to_string_lossy().into_owned();
    }
}
