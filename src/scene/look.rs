//! What strands look like. It changes no force: it is kept with the scene because a rope should open as a rope.

/// What a strand is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StrandLook {
    /// Three twisted plies of yarn.
    Rope,
    /// A glossy fibre with two highlights, a white and a coloured one.
    Hair,
    /// A smooth tube.
    Plain,
}

impl StrandLook {
    /// Every look, in the order of the panel.
    pub const ALL: [StrandLook; 3] = [StrandLook::Rope, StrandLook::Hair, StrandLook::Plain];

    /// Its name in scene files, on the command line and in the panel.
    pub fn name(self) -> &'static str {
        match self {
            StrandLook::Rope => "rope",
            StrandLook::Hair => "hair",
            StrandLook::Plain => "plain",
        }
    }

    /// The look with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|look| look.name() == name)
    }
}

/// A strand that stands for a wisp is drawn as many hairs around it, which come together towards the tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wisp {
    /// Hairs.
    pub hairs: usize,
    /// They stand within this distance of the strand at its root, m.
    pub spread_m: f64,
    /// Radius of each, m.
    pub radius_m: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_looks() {
        for look in StrandLook::ALL {
            assert_eq!(StrandLook::from_name(look.name()), Some(look));
        }
        assert_eq!(StrandLook::from_name("chrome"), None);
    }
}
