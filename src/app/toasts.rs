//! Short messages that come and go.

use std::time::{Duration, Instant};

use bevy::prelude::*;

/// How long a message stays.
const LIFETIME: Duration = Duration::from_secs(6);
/// More than this at once would cover the picture.
const MOST: usize = 4;

/// One message.
#[derive(Clone, Debug)]
pub struct Toast {
    /// A sentence.
    pub text: String,
    /// Whether it tells of something that did not work.
    pub warning: bool,
    /// Since when it is seen: what is said before the window is there can be read too.
    seen: Option<Instant>,
}

/// The messages on screen, oldest first.
#[derive(Resource, Default, Debug)]
pub struct Toasts {
    shown: Vec<Toast>,
}

impl Toasts {
    /// Tells something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.push(text.into(), false);
    }

    /// Tells of something that did not work.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.push(text.into(), true);
    }

    /// The messages that are still young.
    pub fn current(&mut self) -> &[Toast] {
        let young = |toast: &mut Toast| {
            let seen = *toast.seen.get_or_insert_with(Instant::now);
            seen.elapsed() < LIFETIME
        };
        self.shown.retain_mut(young);
        &self.shown
    }

    fn push(&mut self, text: String, warning: bool) {
        // The same sentence again only lives longer.
        self.shown.retain(|toast| toast.text != text);
        self.shown.push(Toast {
            text,
            warning,
            seen: None,
        });
        let surplus = self.shown.len().saturating_sub(MOST);
        self.shown.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_sentence_is_shown_once_and_old_ones_make_room() {
        let mut toasts = Toasts::default();
        for i in 0..10 {
            toasts.say(format!("saved {i}"));
            toasts.warn("refused");
        }
        let texts: Vec<&str> = toasts.current().iter().map(|t| t.text.as_str()).collect();
        assert_eq!(texts.len(), MOST);
        assert_eq!(texts.iter().filter(|t| **t == "refused").count(), 1);
    }
}
