//! Contact detection: smooth curves against straight pieces, on the pairs of curves of a lock of hair.
//!
//! | file | job |
//! |---|---|
//! | `trace` | curves and pairs of them, stored in a file |
//! | `record` | makes such a file from a scene |
//! | `segments` | the yardstick: pieces in trees of boxes |
//! | `clock` | times of nanoseconds |
//! | `measure` | time against error, time against gap |
//! | `summary` | the few numbers that these come down to |

mod clock;
mod measure;
mod record;
mod segments;
mod summary;
mod trace;

pub use measure::{DetectionTable, ErrorRow, GapRow, detection};
pub use record::record;
pub use trace::Trace;
