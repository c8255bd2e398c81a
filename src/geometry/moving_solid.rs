//! A solid on its way through a step, and how near a moving piece comes to it.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::piece_distance::{axis, half_extents, piece_to_surface};
use super::segment::MovingSegment;
use super::{Aabb, Shape, SolidProxy};

/// Solids that turn by more than this in a step are boxed as balls, rad.
const LARGE_TURN: f64 = 1.0;

/// A solid that moves straight and turns steadily from one pose to another, for times 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct MovingSolid<'a> {
    /// Its shape in its own frame.
    pub shape: &'a Shape,
    from: Isometry3<f64>,
    shift: Vector3<f64>,
    turn: Vector3<f64>,
}

impl<'a> MovingSolid<'a> {
    /// The solid of a step of `dt_s`, from the share `begin` of the step to the share `end`.
    pub fn new(solid: &'a SolidProxy, dt_s: f64, [begin, end]: [f64; 2]) -> Self {
        let (shift, turn) = (solid.linear_m_s * dt_s, solid.angular_rad_s * dt_s);
        let whole = Self {
            shape: &solid.shape,
            from: solid.world_from_body,
            shift,
            turn,
        };
        Self {
            from: whole.at(begin),
            shift: shift * (end - begin),
            turn: turn * (end - begin),
            ..whole
        }
    }

    /// Its pose at a time.
    pub fn at(&self, t: f64) -> Isometry3<f64> {
        Isometry3::from_parts(
            Translation3::from(self.from.translation.vector + self.shift * t),
            UnitQuaternion::from_scaled_axis(self.turn * t) * self.from.rotation,
        )
    }

    /// The box it stays in; none if it has no end.
    pub fn bounds(&self) -> Option<Aabb> {
        let half = half_extents(self.shape)?;
        let (radius, angle) = (half.norm(), self.turn.norm());
        let around = |t: f64| {
            let pose = self.at(t);
            let extent = if angle > LARGE_TURN {
                Vector3::repeat(radius)
            } else {
                // Between the two poses a corner leaves the straight way by no more than this.
                let bow = radius * (1.0 - (0.5 * angle).cos());
                let axes = pose.rotation.to_rotation_matrix().into_inner().abs();
                axes * half + Vector3::repeat(bow)
            };
            let centre = Point3::from(pose.translation.vector);
            Aabb {
                low: centre - extent,
                high: centre + extent,
            }
        };
        let (a, b) = (around(0.0), around(1.0));
        Some(Aabb {
            low: a.low.inf(&b.low),
            high: a.high.sup(&b.high),
        })
    }

    /// No point of the piece moves farther against the solid than this, m.
    ///
    /// In the solid's frame a point moves at ẋ − ċ − ω × (x − c), which is linear along the piece and in time: the
    /// largest is at an end.
    pub fn farthest(&self, piece: &MovingSegment) -> f64 {
        let mut largest = 0.0_f64;
        for k in 0..2 {
            let way = piece.to[k] - piece.from[k] - self.shift;
            let c = self.from.translation.vector;
            let arms = [
                piece.from[k].coords - c,
                piece.to[k].coords - c - self.shift,
            ];
            for arm in arms {
                largest = largest.max((way - self.turn.cross(&arm)).norm_squared());
            }
        }
        largest.sqrt()
    }

    /// Signed distance of the piece to its surface at a time, m.
    pub fn distance(&self, piece: &MovingSegment, t: f64) -> f64 {
        let pose = self.at(t);
        let local = piece.at(t).map(|x| pose.inverse_transform_point(&x));
        piece_to_surface(self.shape, &local)
    }

    /// Whether a piece is known, without looking closely, to be outside and no nearer than `limit_m` at time 0.
    pub fn is_clear_of(&self, piece: &MovingSegment, limit_m: f64) -> bool {
        let Shape::Mesh(mesh) = self.shape else {
            return false;
        };
        let pose = self.at(0.0);
        mesh.is_clear_of(
            &piece.at(0.0).map(|x| pose.inverse_transform_point(&x)),
            limit_m,
            false,
        )
    }

    /// Whether a piece goes through the surface of a mesh that it was not through before.
    pub fn lets_through(&self, piece: &MovingSegment) -> bool {
        let Shape::Mesh(mesh) = self.shape else {
            return false;
        };
        let seen = |ends: &[Point3<f64>; 2], t: f64| {
            let pose = self.at(t);
            ends.map(|x| pose.inverse_transform_point(&x))
        };
        let (from, to) = (seen(&piece.from, 0.0), seen(&piece.to, 1.0));
        mesh.sweep_hits(&from, &to) && !mesh.is_pierced_by(&from)
    }

    /// The axis of a capsule as it moves.
    pub fn axis(&self) -> Option<MovingSegment> {
        let Shape::Capsule { half_length_m, .. } = *self.shape else {
            return None;
        };
        let ends = |t: f64| axis(half_length_m).map(|x| self.at(t) * x);
        Some(MovingSegment {
            from: ends(0.0),
            to: ends(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(most: f64) -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-most..most).prop_map(Vector3::from)
    }

    fn proxy(place: Vector3<f64>, linear: Vector3<f64>, angular: Vector3<f64>) -> SolidProxy {
        SolidProxy {
            solid: 0,
            shape: Shape::Box {
                half_extents_m: [0.4, 0.1, 0.2],
            },
            world_from_body: Isometry3::new(place, place),
            linear_m_s: linear,
            angular_rad_s: angular,
        }
    }

    proptest! {
        #[test]
        fn distance_changes_no_faster_than_promised(
            place in vector(0.5), linear in vector(2.0), angular in vector(2.0),
            a in vector(1.0), b in vector(1.0), c in vector(1.0), d in vector(1.0),
        ) {
            let solid = proxy(place, linear, angular);
            let moving = MovingSolid::new(&solid, 1.0, [0.0, 1.0]);
            let piece = MovingSegment { from: [Point3::from(a), Point3::from(b)], to: [Point3::from(c), Point3::from(d)] };
            let most = moving.farthest(&piece);
            for k in 0..20 {
                let (t, u) = (f64::from(k) / 20.0, f64::from(k + 1) / 20.0);
                let change = moving.distance(&piece, u) - moving.distance(&piece, t);
                prop_assert!(change.abs() <= most * (u - t) + 1e-5);
            }
        }

        #[test]
        fn no_corner_leaves_the_box(place in vector(0.5), linear in vector(2.0), angular in vector(1.5)) {
            let solid = proxy(place, linear, angular);
            let moving = MovingSolid::new(&solid, 1.0, [0.25, 1.0]);
            let bounds = moving.bounds().expect("a box has an end");
            for k in 0..=20 {
                let pose = moving.at(f64::from(k) / 20.0);
                for corner in 0..8 {
                    let sign = |bit: usize| if corner & bit == 0 { -1.0 } else { 1.0 };
                    let x = pose * Point3::new(0.4 * sign(1), 0.1 * sign(2), 0.2 * sign(4));
                    let corner = Aabb { low: x, high: x };
                    prop_assert!(bounds.grown(1e-12).overlaps(&corner));
                }
            }
        }
    }

    #[test]
    fn a_piece_carried_along_does_not_move_against_the_solid() {
        let omega = Vector3::new(0.0, 0.0, 1e-3);
        let solid = proxy(Vector3::zeros(), Vector3::zeros(), omega);
        let moving = MovingSolid::new(&solid, 1.0, [0.0, 1.0]);
        let from = [Point3::new(1.0, 0.0, 0.0), Point3::new(1.0, 0.5, 0.0)];
        let to = from.map(|x| moving.at(1.0) * x);
        assert!(moving.farthest(&MovingSegment { from, to }) < 1e-5);
    }
}
