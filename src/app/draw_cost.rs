//! What drawing costs the processor, for `prusik bench drawing`: from a new state to what the adapter copies from.

use std::time::Duration;

use bevy::prelude::*;

/// Time that our own systems took when they last had something to do.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct DrawCost {
    /// Strands: colour range, table, nodes.
    pub strands: Duration,
    /// Contacts, forces, holds.
    pub glyphs: Duration,
}
