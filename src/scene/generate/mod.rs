//! Centrelines: each generator traces a curve finely, [`resample`] cuts it into equal elements; [`copies`] makes a bundle
//! of one, [`hair`] a whole head of hair.

mod arc;
mod copies;
mod hair;
mod helix;
mod knot;
mod noise;
mod polyline;
mod resample;
mod track;
mod wound_knot;

pub(super) use arc::{Arc, arc};
pub(super) use copies::{Copies, offsets};
pub(super) use hair::{Hair, hair};
pub(super) use helix::{Helix, circle, helix};
pub(super) use knot::{OverhandKnot, overhand_knot};
pub(super) use polyline::parse_points;
pub(super) use resample::{length, resample, resample_ring};
pub(super) use track::{Track, track};
pub(super) use wound_knot::wound_knot;
