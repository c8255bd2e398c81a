//! Layer 2b, where bodies touch.

/// How contacts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetectorKind {
    /// Straight segments between the nodes.
    Segments,
}

impl DetectorKind {
    /// Every detector, for lists and panels.
    pub const ALL: [DetectorKind; 1] = [DetectorKind::Segments];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            DetectorKind::Segments => "segments",
        }
    }

    /// The detector with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
