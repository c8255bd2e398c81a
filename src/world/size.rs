//! How much memory strands take: counted before any is built, so that too many are a sentence and not a crash.

use super::SpecError;
use super::check_rod::helices;
use crate::body::{RodDesign, RodModel};

/// Memory of one straight piece with its share of everything: state, trial, factors, proxies, the picture. Measured: 1700
/// without contacts; contacts bring more.
const PIECE_BYTES: f64 = 2500.0;
/// Most pieces of all strands together.
const MOST_PIECES: usize = 2_000_000;
/// A super-helix of n elements keeps a dense matrix of (3 n)² numbers, and needs another while it is built: 144 n² bytes.
const HELIX_BYTES: f64 = 144.0;
/// Most memory for such matrices.
const MOST_HELIX_BYTES: f64 = 4e9;

/// Pieces and memory of strands, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    pieces: usize,
    helices: usize,
    helix_bytes: f64,
}

impl Size {
    /// Adds `count` strands of one description, or says why so many do not fit.
    pub fn add(
        &mut self,
        model: RodModel,
        design: &RodDesign,
        count: usize,
    ) -> Result<(), SpecError> {
        let n = helices(model, design);
        self.pieces = self
            .pieces
            .saturating_add(design.pieces().saturating_mul(count));
        self.helices = self.helices.saturating_add(n.saturating_mul(count));
        self.helix_bytes += HELIX_BYTES * (n as f64).powi(2) * count as f64;
        if self.pieces > MOST_PIECES {
            return Err(SpecError(format!(
                "the strands would have {} elements in all, which takes about {} of memory; at most {MOST_PIECES} fit",
                self.pieces,
                shown(PIECE_BYTES * self.pieces as f64)
            )));
        }
        if self.helix_bytes > MOST_HELIX_BYTES {
            return Err(SpecError(format!(
                "the strands would have {} helices in all, which takes about {} of memory; at most {} is allowed: use fewer \
                 helices per strand",
                self.helices,
                shown(self.helix_bytes),
                shown(MOST_HELIX_BYTES)
            )));
        }
        Ok(())
    }
}

/// Bytes for people.
fn shown(bytes: f64) -> String {
    format!("{:.1} GB", bytes / 1e9)
}
