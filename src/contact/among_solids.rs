//! Solids against solids, of which at least one is free to move.

use nalgebra::Vector3;

use super::{Contact, ContactKey, Side, SolidSide, basis};
use crate::geometry::broad::BroadPhase;
use crate::geometry::hull::{Touch, Touching, touches};
use crate::geometry::moving_solid::MovingSolid;
use crate::geometry::piece_distance::half_extents;
use crate::geometry::{Aabb, ProxySet, Shape, SolidProxy};

/// Contacts are kept from this share of the smaller solid on, besides what the relative speed asks for.
const MARGIN_OVER_SIZE: f64 = 0.05;
/// What counts as a radius of a solid, as a share of its smallest half width: depths of overlap are judged by it.
const RADIUS_OVER_SIZE: f64 = 0.2;

/// The detector with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct SolidDetector {
    pub(super) broad: BroadPhase,
    boxes: Vec<Aabb>,
    /// Solid of each box.
    boxed: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    memory: Touching,
    found: Vec<Touch>,
}

impl SolidDetector {
    /// Appends the contacts that exist or may come about within `dt_s`, sorted by key.
    pub(super) fn detect(&mut self, proxies: &ProxySet, dt_s: f64, out: &mut Vec<Contact>) {
        if !proxies.free.contains(&true) {
            return;
        }
        let before = out.len();
        self.find_pairs(proxies, dt_s);
        for &(i, j) in &self.pairs {
            let (a, b) = (&proxies.solids[i as usize], &proxies.solids[j as usize]);
            let size = size_of(&a.shape).min(size_of(&b.shape));
            let reach = MARGIN_OVER_SIZE * size + dt_s * approach(a, b);
            self.found.clear();
            touches(
                (&proxies.hulls[i as usize], &a.shape, &a.world_from_body),
                (&proxies.hulls[j as usize], &b.shape, &b.world_from_body),
                reach,
                &mut self.memory,
                &mut self.found,
            );
            let contacts = self.found.iter().enumerate();
            out.extend(contacts.map(|(k, touch)| contact(a, b, touch, k, size)));
        }
        out[before..].sort_unstable_by_key(|contact| contact.key);
    }

    /// Pairs that may touch, the lower index first.
    fn find_pairs(&mut self, proxies: &ProxySet, dt_s: f64) {
        self.boxes.clear();
        self.boxed.clear();
        self.pairs.clear();
        for solid in &proxies.solids {
            let bounds = MovingSolid::new(solid, dt_s, [0.0, 1.0]).bounds();
            match bounds {
                Some(bounds) => {
                    let margin = MARGIN_OVER_SIZE * size_of(&solid.shape);
                    self.boxes.push(bounds.grown(margin));
                    self.boxed.push(solid.solid);
                }
                // What has no end is near to everything.
                None => self.pairs.extend(
                    (0..proxies.solids.len() as u32)
                        .filter(|&other| proxies.is_free(other))
                        .map(|other| (other.min(solid.solid), other.max(solid.solid))),
                ),
            }
        }
        let boxed = self.boxed.as_slice();
        let wanted = |i: u32, j: u32| {
            proxies.is_free(boxed[i as usize]) || proxies.is_free(boxed[j as usize])
        };
        let endless = self.pairs.len();
        self.broad
            .pairs(&self.boxes, |k| k as u32, wanted, &mut self.pairs);
        for pair in &mut self.pairs[endless..] {
            *pair = (boxed[pair.0 as usize], boxed[pair.1 as usize]);
        }
    }
}

/// Half of the smallest width, m; of what has no end, infinite.
pub(super) fn size_of(shape: &Shape) -> f64 {
    half_extents(shape).map_or(f64::INFINITY, |half| half.min())
}

/// No two points of them approach faster than this, m/s.
fn approach(a: &SolidProxy, b: &SolidProxy) -> f64 {
    let turning = |solid: &SolidProxy| match solid.shape {
        // However a ball turns, it comes no nearer by that.
        Shape::Sphere { .. } => 0.0,
        _ => {
            let reach = half_extents(&solid.shape).map_or(0.0, |half| half.norm());
            solid.angular_rad_s.norm() * reach
        }
    };
    (a.linear_m_s - b.linear_m_s).norm() + turning(a) + turning(b)
}

fn contact(a: &SolidProxy, b: &SolidProxy, touch: &Touch, k: usize, size: f64) -> Contact {
    let side = |solid: &SolidProxy, point| {
        Side::Solid(SolidSide {
            solid: solid.solid,
            point,
            velocity: solid.velocity_at(&point),
        })
    };
    let normal = touch.normal;
    Contact {
        key: ContactKey {
            body: ContactKey::SOLIDS + a.solid,
            partner: ContactKey::SOLIDS + b.solid,
            feature: touch.features[0],
            partner_feature: touch.features[1],
            slot: k as u32,
        },
        a: side(a, touch.on_first),
        b: side(b, touch.on_second),
        point: nalgebra::center(&touch.on_first, &touch.on_second),
        // Any tangent will do, but the same one for the same normal.
        basis: basis(&normal, &Vector3::ith(normal.iamin(), 1.0)),
        gap: touch.gap_m,
        radius_m: RADIUS_OVER_SIZE * size,
        bend_m_s2: bend(a, b, touch),
    }
}

/// How the gap of two balls that pass each other changes by itself, m/s²: |v_T|² over the distance of their middles.
fn bend(a: &SolidProxy, b: &SolidProxy, touch: &Touch) -> f64 {
    let (Shape::Sphere { radius_m: r }, Shape::Sphere { radius_m: s }) = (&a.shape, &b.shape)
    else {
        return 0.0;
    };
    let passing = a.linear_m_s - b.linear_m_s;
    let across = passing - touch.normal * passing.dot(&touch.normal);
    across.norm_squared() / (r + s + touch.gap_m).max(r.min(*s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Hull;
    use nalgebra::{Isometry3, Vector3};

    fn set(solids: &[(Shape, Vector3<f64>, Vector3<f64>, bool)]) -> ProxySet {
        ProxySet {
            solids: solids
                .iter()
                .enumerate()
                .map(|(k, (shape, place, linear_m_s, _))| SolidProxy {
                    solid: k as u32,
                    shape: shape.clone(),
                    world_from_body: Isometry3::translation(place.x, place.y, place.z),
                    linear_m_s: *linear_m_s,
                    angular_rad_s: Vector3::zeros(),
                })
                .collect(),
            hulls: solids
                .iter()
                .map(|(shape, ..)| Hull::of(shape).expect("a hull"))
                .collect(),
            free: solids.iter().map(|(.., free)| *free).collect(),
            ..ProxySet::default()
        }
    }

    fn found(proxies: &ProxySet, dt_s: f64) -> Vec<Contact> {
        let mut out = Vec::new();
        SolidDetector::default().detect(proxies, dt_s, &mut out);
        out
    }

    const BALL: Shape = Shape::Sphere { radius_m: 0.1 };

    #[test]
    fn a_ball_rests_on_a_plane_and_what_stands_still_touches_nothing() {
        let still = Vector3::zeros();
        let on = Vector3::new(0.0, 0.1, 0.0);
        let contacts = found(
            &set(&[(Shape::Plane, still, still, false), (BALL, on, still, true)]),
            1e-3,
        );
        assert_eq!(contacts.len(), 1);
        // The plane comes first, so the normal points from the ball to it.
        assert!((contacts[0].basis.column(0) + Vector3::y()).norm() < 1e-15);
        assert!(contacts[0].gap.abs() < 1e-15);
        let none = found(
            &set(&[
                (Shape::Plane, still, still, false),
                (BALL, on, still, false),
            ]),
            1e-3,
        );
        assert!(none.is_empty());
    }

    #[test]
    fn fast_balls_are_seen_before_they_meet() {
        let (still, far) = (Vector3::zeros(), Vector3::new(5.0, 0.0, 0.0));
        let fast = Vector3::new(-1000.0, 0.0, 0.0);
        let proxies = set(&[(BALL, still, still, true), (BALL, far, fast, true)]);
        assert_eq!(found(&proxies, 1e-2).len(), 1);
        assert_eq!(found(&proxies, 1e-3).len(), 0);
    }

    #[test]
    fn the_gap_of_passing_balls_grows_as_their_distance_does() {
        // Two balls side by side, one passing at 2 m/s: d(t) = √(d² + v² t²).
        let (still, beside) = (Vector3::zeros(), Vector3::new(0.0, 0.2, 0.0));
        let passing = Vector3::new(2.0, 0.0, 0.0);
        let contacts = found(
            &set(&[(BALL, still, still, true), (BALL, beside, passing, true)]),
            1e-3,
        );
        assert!((contacts[0].bend_m_s2 - 4.0 / 0.2).abs() < 1e-9);
    }
}
