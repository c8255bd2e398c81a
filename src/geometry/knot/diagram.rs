//! A closed polygon seen from a side: which crossings it goes through, over or under, one after the other (its Gauss
//! code), and the sign of each.
//!
//! ```text
//!        over ╲   ╱ under            over ╱
//!              ╲ ╱                       ╱
//!               ╲       sign +     under ──╱──►   the sign is that of (over × under) · towards the eye,
//!              ╱ ╲                      ╱         both along the strand
//!             ╱   ╲
//! ```

use nalgebra::{Point3, Rotation3, Vector2, Vector3};

use super::index_tree::IndexTree;
use crate::geometry::Aabb;

/// Views that are tried; that with the fewest crossings is taken.
const VIEWS: usize = 6;

/// How near to its ends, as a share of itself, a piece may be crossed; nearer, another view is asked for.
const MARGIN: f64 = 1e-9;

/// One of the two times that the strand goes through a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    /// Which crossing.
    pub crossing: u32,
    /// Above or below.
    pub over: bool,
}

/// A Gauss code with signs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Diagram {
    /// Around the strand.
    pub visits: Vec<Visit>,
    /// Of each crossing: +1 or −1.
    pub signs: Vec<i8>,
}

impl Diagram {
    /// Number of crossings.
    pub fn crossings(&self) -> usize {
        self.signs.len()
    }
}

/// One crossing as one of its two pieces meets it.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    piece: usize,
    along: f64,
    visit: Visit,
}

/// Why a view gave no diagram.
pub(super) enum NoView {
    /// A corner on a piece, or two pieces in one place.
    Degenerate,
    /// More crossings than asked for.
    TooMany,
}

/// How much may be looked at.
pub(super) struct ViewLimits<'a> {
    /// Boxes looked at so far.
    pub work: &'a mut u64,
    /// How far that may go.
    pub most: u64,
    /// Crossings of a view.
    pub crossings: usize,
}

impl<'a> ViewLimits<'a> {
    /// Whatever it takes.
    pub fn none(work: &'a mut u64) -> Self {
        Self {
            work,
            most: u64::MAX,
            crossings: usize::MAX,
        }
    }
}

/// Looks at polygons.
#[derive(Clone, Debug, Default)]
pub(super) struct Viewer {
    seen: Vec<Point3<f64>>,
    meetings: Vec<Meeting>,
    trial: Diagram,
    tree: IndexTree,
}

impl Viewer {
    /// Writes the diagram with the fewest crossings among several views into `out`; false if none is within the limits.
    pub fn look(
        &mut self,
        corners: &[Point3<f64>],
        out: &mut Diagram,
        limits: &mut ViewLimits,
    ) -> bool {
        let (mut found, mut degenerate) = (false, 0);
        let mut view = 0;
        while view < VIEWS + degenerate && degenerate < 4 * VIEWS && *limits.work < limits.most {
            match self.view(corners, view, limits) {
                Ok(()) => {
                    limits.crossings = self.trial.crossings().saturating_sub(1);
                    std::mem::swap(out, &mut self.trial);
                    found = true;
                    if out.crossings() < 3 {
                        break;
                    }
                }
                Err(NoView::Degenerate) => degenerate += 1,
                Err(NoView::TooMany) => {}
            }
            view += 1;
        }
        found
    }

    fn view(
        &mut self,
        corners: &[Point3<f64>],
        number: usize,
        limits: &mut ViewLimits,
    ) -> Result<(), NoView> {
        let turn = direction(number);
        self.seen.clear();
        self.seen.extend(corners.iter().map(|x| turn * x));
        self.trial.signs.clear();
        self.trial.visits.clear();
        self.meetings.clear();
        self.find_meetings(limits)?;
        let order =
            |a: &Meeting, b: &Meeting| a.piece.cmp(&b.piece).then(a.along.total_cmp(&b.along));
        self.meetings.sort_unstable_by(order);
        self.trial
            .visits
            .extend(self.meetings.iter().map(|m| m.visit));
        Ok(())
    }

    fn find_meetings(&mut self, limits: &mut ViewLimits) -> Result<(), NoView> {
        let (seen, count) = (&self.seen, self.seen.len());
        let piece = |k: usize| [seen[k], seen[(k + 1) % count]];
        // Flat boxes: how high a piece is does not matter for whether it crosses another.
        let flat = |k: usize| piece(k).map(|x| Point3::new(x.x, x.y, 0.0));
        self.tree.rebuild(count, flat);
        *limits.work += count as u64;
        let (meetings, signs) = (&mut self.meetings, &mut self.trial.signs);
        for i in 0..count {
            let near = Aabb::around(&flat(i));
            let mut trouble = None;
            self.tree.any(&near, limits.work, |j| {
                if j <= i + 1 || (i == 0 && j + 1 == count) {
                    return false;
                }
                match crossing(piece(i), piece(j)) {
                    Ok(None) => {}
                    Ok(Some(found)) => {
                        note(found, [i, j], meetings, signs);
                        if signs.len() > limits.crossings {
                            trouble = Some(NoView::TooMany);
                        }
                    }
                    Err(why) => trouble = Some(why),
                }
                trouble.is_some()
            });
            if *limits.work > limits.most {
                trouble = Some(NoView::TooMany);
            }
            if let Some(why) = trouble {
                return Err(why);
            }
        }
        Ok(())
    }
}

fn note(found: Crossing, pieces: [usize; 2], meetings: &mut Vec<Meeting>, signs: &mut Vec<i8>) {
    let crossing = signs.len() as u32;
    let overs = [found.first_over, !found.first_over];
    for k in 0..2 {
        meetings.push(Meeting {
            piece: pieces[k],
            along: found.along[k],
            visit: Visit {
                crossing,
                over: overs[k],
            },
        });
    }
    signs.push(found.sign);
}

/// Turns the polygon so that it is seen from another side each time; no direction is special.
pub(super) fn direction(number: usize) -> Rotation3<f64> {
    let k = number as f64;
    Rotation3::from_scaled_axis(Vector3::new(
        0.7316 + 1.1123 * k,
        -0.4127 + 0.6571 * k * k.sqrt(),
        1.2093 - 0.8317 * k,
    ))
}

/// Where and how two pieces cross.
pub(super) struct Crossing {
    along: [f64; 2],
    first_over: bool,
    pub sign: i8,
}

/// How two pieces cross as seen from above, if they do.
pub(super) fn crossing(
    a: [Point3<f64>; 2],
    b: [Point3<f64>; 2],
) -> Result<Option<Crossing>, NoView> {
    let flat = |v: Vector3<f64>| Vector2::new(v.x, v.y);
    let (u, v, w) = (flat(a[1] - a[0]), flat(b[1] - b[0]), flat(b[0] - a[0]));
    let det = u.perp(&v);
    if det.abs() <= MARGIN * u.norm() * v.norm() {
        // Parallel: apart, or one behind the other.
        let (base, off) = (
            u.norm().max(v.norm()),
            w.perp(&u).abs().max(w.perp(&v).abs()),
        );
        let apart = off > MARGIN * base * base;
        return if apart {
            Ok(None)
        } else {
            Err(NoView::Degenerate)
        };
    }
    let along = [w.perp(&v) / det, w.perp(&u) / det];
    let clearly_out = |x: f64| !(-MARGIN..=1.0 + MARGIN).contains(&x);
    if along.iter().any(|x| clearly_out(*x)) {
        return Ok(None);
    }
    if along.iter().any(|x| !(MARGIN..=1.0 - MARGIN).contains(x)) {
        return Err(NoView::Degenerate);
    }
    let height = |p: [Point3<f64>; 2], s: f64| p[0].z + (p[1].z - p[0].z) * s;
    let (above, below) = (height(a, along[0]), height(b, along[1]));
    if above == below {
        return Err(NoView::Degenerate);
    }
    let first_over = above > below;
    let right_handed = (det > 0.0) == first_over;
    Ok(Some(Crossing {
        along,
        first_over,
        sign: if right_handed { 1 } else { -1 },
    }))
}
