//! The keys: one table, from which both the behaviour and the help come.

use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;

use super::action::Action;
use super::panels::{Tab, UiArea};

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chord {
    key: Press,
    shift: Option<bool>,
    ctrl: bool,
}

/// A key by what it means, not by where it is: `[` is elsewhere on a French keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Press {
    Character(&'static str),
    Space,
    Backspace,
    Delete,
    ArrowLeft,
    ArrowRight,
    Home,
    Tab,
    F1,
    F2,
    F3,
    F4,
    F11,
}

/// A line of the table.
pub struct Binding {
    /// The keys as the help shows them.
    pub keys: &'static str,
    /// What they do, as the help shows it.
    pub does: &'static str,
    /// Any of these.
    chords: &'static [Chord],
    /// Whether holding the key repeats it.
    repeats: bool,
    action: Action,
}

/// What a binding is about: a heading of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Running, stepping, going back.
    Time,
    /// What is simulated and held.
    Scene,
    /// How it is drawn and from where.
    Look,
    /// Panels and the window.
    Panels,
    /// What goes out.
    Files,
}

impl Group {
    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::Scene => "Scene",
            Self::Look => "View",
            Self::Panels => "Window",
            Self::Files => "Recording",
        }
    }
}

/// A key without Ctrl; Shift as the character needs it.
const fn plain(key: Press) -> Chord {
    Chord {
        key,
        shift: None,
        ctrl: false,
    }
}

const fn letter(character: &'static str, shift: bool) -> Chord {
    Chord {
        key: Press::Character(character),
        shift: Some(shift),
        ctrl: false,
    }
}

const fn ctrl(character: &'static str) -> Chord {
    Chord {
        key: Press::Character(character),
        shift: None,
        ctrl: true,
    }
}

const fn ctrl_shift(character: &'static str, shift: bool) -> Chord {
    Chord {
        key: Press::Character(character),
        shift: Some(shift),
        ctrl: true,
    }
}

const fn binding(
    keys: &'static str,
    does: &'static str,
    chords: &'static [Chord],
    action: Action,
) -> Binding {
    Binding {
        keys,
        does,
        chords,
        repeats: false,
        action,
    }
}

const fn repeating(mut binding: Binding) -> Binding {
    binding.repeats = true;
    binding
}

/// Every key.
pub static BINDINGS: &[Binding] = &[
    binding(
        "Space",
        "run or pause",
        &[plain(Press::Space)],
        Action::TogglePlay,
    ),
    repeating(binding(
        "Right  .",
        "one step",
        &[plain(Press::ArrowRight), plain(Press::Character("."))],
        Action::Step,
    )),
    repeating(binding(
        "Left",
        "one step back",
        &[plain(Press::ArrowLeft)],
        Action::StepBack,
    )),
    binding(
        "R  Backspace",
        "start again",
        &[letter("r", false), plain(Press::Backspace)],
        Action::Reset,
    ),
    binding(
        "+",
        "twice as fast",
        &[plain(Press::Character("+")), plain(Press::Character("="))],
        Action::Faster,
    ),
    binding(
        "−",
        "half as fast",
        &[plain(Press::Character("-")), plain(Press::Character("_"))],
        Action::Slower,
    ),
    binding(
        "[",
        "previous scene",
        &[plain(Press::Character("["))],
        Action::PreviousScene,
    ),
    binding(
        "]",
        "next scene",
        &[plain(Press::Character("]"))],
        Action::NextScene,
    ),
    binding("Ctrl+O", "find a scene", &[ctrl("o")], Action::TogglePicker),
    binding(
        "P",
        "pin what is held or pointed at; free a pin",
        &[letter("p", false)],
        Action::Pin,
    ),
    binding(
        "Shift+P",
        "clamp it: hold its direction too",
        &[letter("p", true)],
        Action::Clamp,
    ),
    binding(
        "Delete",
        "free the pin or clamp under the pointer",
        &[plain(Press::Delete)],
        Action::Free,
    ),
    binding(
        "C",
        "contact points",
        &[letter("c", false)],
        Action::ToggleContacts,
    ),
    binding(
        "Shift+C",
        "contact forces, in their friction cones, off",
        &[letter("c", true)],
        Action::CycleForces,
    ),
    binding(
        "F",
        "frame the strands",
        &[letter("f", false)],
        Action::FrameView,
    ),
    binding(
        "Home",
        "view of the scene",
        &[plain(Press::Home)],
        Action::ResetView,
    ),
    binding("F1", "this list", &[plain(Press::F1)], Action::ToggleHelp),
    binding(
        "F2",
        "statistics",
        &[plain(Press::F2)],
        Action::ToggleTab(Tab::Statistics),
    ),
    binding(
        "F3",
        "convergence and other plots",
        &[plain(Press::F3)],
        Action::ToggleTab(Tab::Plots),
    ),
    binding(
        "F4",
        "probes",
        &[plain(Press::F4)],
        Action::ToggleTab(Tab::Probes),
    ),
    binding("Tab", "panels", &[plain(Press::Tab)], Action::TogglePanels),
    binding(
        "F11",
        "full screen",
        &[plain(Press::F11)],
        Action::ToggleFullScreen,
    ),
    repeating(binding(
        "Ctrl+Z",
        "undo the last change: a setting, a pin, a move",
        &[ctrl_shift("z", false)],
        Action::Undo,
    )),
    repeating(binding(
        "Ctrl+Shift+Z  Ctrl+Y",
        "redo it",
        &[ctrl_shift("z", true), ctrl("y")],
        Action::Redo,
    )),
    binding("Ctrl+P", "save a picture", &[ctrl("p")], Action::Screenshot),
    binding(
        "Ctrl+R",
        "begin or end a film",
        &[ctrl("r")],
        Action::Record,
    ),
    binding(
        "Ctrl+S",
        "record a session, end it",
        &[ctrl("s")],
        Action::ToggleSession,
    ),
    binding("Ctrl+Q", "close the window", &[ctrl("q")], Action::Quit),
];

/// What the pointer does, for the help.
pub static POINTER_HELP: [(&str, &str); 8] = [
    ("left-drag a strand", "pull it; the arrow shows the force"),
    ("  with wheel", "push it away, draw it near"),
    ("  with Shift", "pull in the level plane"),
    ("  with Ctrl", "twist it"),
    (
        "left-drag a pin, a solid",
        "move it; a click frees a pin, or shows arrows and rings for the rest",
    ),
    ("left-drag elsewhere", "orbit"),
    ("right-drag, wheel", "pan, zoom"),
    ("right-click", "pin while holding; free a pin"),
];

/// Turns keys into actions.
pub struct BindingsPlugin;

impl Plugin for BindingsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, read_keys);
    }
}

/// Shift and Ctrl as they were when a key went down: on a slow machine they may be up again by the end of the frame.
#[derive(Default)]
struct Modifiers {
    shift: bool,
    ctrl: bool,
}

impl Modifiers {
    fn follow(&mut self, input: &KeyboardInput) {
        let down = input.state.is_pressed();
        match input.logical_key {
            Key::Shift => self.shift = down,
            Key::Control => self.ctrl = down,
            _ => {}
        }
    }
}

fn read_keys(
    mut inputs: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Modifiers>,
    area: Res<UiArea>,
    mut actions: MessageWriter<Action>,
) {
    if lost.read().count() > 0 {
        *held = Modifiers::default();
    }
    for input in inputs.read() {
        held.follow(input);
        if area.typing || !input.state.is_pressed() {
            continue;
        }
        let bound = BINDINGS
            .iter()
            .find(|b| b.matches(&input.logical_key, held.shift, held.ctrl));
        // Under a card keys only send it away, but for the one that closes the window.
        let heard = |b: &&Binding| !area.covered || b.action == Action::Quit;
        let bound = bound.filter(heard);
        if let Some(bound) = bound.filter(|b| b.repeats || !input.repeat) {
            actions.write(bound.action.clone());
        }
    }
}

impl Binding {
    /// What it is about.
    pub fn group(&self) -> Group {
        match self.action {
            Action::TogglePlay
            | Action::Step
            | Action::StepBack
            | Action::Reset
            | Action::Faster
            | Action::Slower => Group::Time,
            Action::ToggleContacts
            | Action::CycleForces
            | Action::FrameView
            | Action::ResetView => Group::Look,
            Action::ToggleTab(_)
            | Action::TogglePanels
            | Action::ToggleHelp
            | Action::ToggleFullScreen
            | Action::Quit => Group::Panels,
            Action::Screenshot | Action::Record | Action::ToggleSession => Group::Files,
            _ => Group::Scene,
        }
    }

    fn matches(&self, key: &Key, shift: bool, ctrl: bool) -> bool {
        let fits = |chord: &Chord| {
            chord.ctrl == ctrl && chord.shift.is_none_or(|s| s == shift) && chord.key.is(key)
        };
        self.chords.iter().any(fits)
    }
}

impl Press {
    fn is(self, key: &Key) -> bool {
        match (self, key) {
            (Press::Character(wanted), Key::Character(typed)) => {
                typed.to_lowercase().as_str() == wanted
            }
            (Press::Space, Key::Space) => true,
            (Press::Space, Key::Character(typed)) => typed.as_str() == " ",
            (Press::Backspace, Key::Backspace)
            | (Press::Delete, Key::Delete)
            | (Press::ArrowLeft, Key::ArrowLeft)
            | (Press::ArrowRight, Key::ArrowRight)
            | (Press::Home, Key::Home)
            | (Press::Tab, Key::Tab)
            | (Press::F1, Key::F1)
            | (Press::F2, Key::F2)
            | (Press::F3, Key::F3)
            | (Press::F4, Key::F4)
            | (Press::F11, Key::F11) => true,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(key: &str, shift: bool, ctrl: bool) -> Vec<Action> {
        let key = Key::Character(key.into());
        let fits = BINDINGS.iter().filter(|b| b.matches(&key, shift, ctrl));
        fits.map(|b| b.action.clone()).collect()
    }

    #[test]
    fn shift_and_ctrl_tell_bindings_apart() {
        assert_eq!(bound("c", false, false), [Action::ToggleContacts]);
        assert_eq!(bound("C", true, false), [Action::CycleForces]);
        assert_eq!(bound("p", false, false), [Action::Pin]);
        assert_eq!(bound("p", false, true), [Action::Screenshot]);
        assert_eq!(bound("r", false, true), [Action::Record]);
        assert_eq!(bound("z", false, true), [Action::Undo]);
        assert_eq!(bound("z", true, true), [Action::Redo]);
        assert_eq!(bound("z", false, false), []);
    }

    #[test]
    fn characters_count_not_the_modifiers_they_need() {
        assert_eq!(bound("+", true, false), [Action::Faster]);
        assert_eq!(bound("+", false, false), [Action::Faster]);
    }

    #[test]
    fn no_chord_is_bound_twice() {
        let chords: Vec<&Chord> = BINDINGS.iter().flat_map(|b| b.chords).collect();
        for (i, chord) in chords.iter().enumerate() {
            assert!(!chords[i + 1..].contains(chord), "{chord:?} is bound twice");
        }
    }

    #[test]
    fn every_binding_explains_itself() {
        assert!(
            BINDINGS
                .iter()
                .all(|b| !b.keys.is_empty() && !b.does.is_empty() && !b.chords.is_empty())
        );
    }
}
