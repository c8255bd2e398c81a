//! What contact detection sees of the world: thick segments and solids, with their velocities. It cannot tell what
//! model a strand follows, nor what a solid is for.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

use super::{Curve, Hull, Shape};

/// A place along a strand: which piece, and how far along it (0 to 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Index of the piece.
    pub element: usize,
    /// 0 at its start, 1 at its end.
    pub fraction: f64,
}

impl Site {
    /// The nearer of the piece's two nodes.
    pub fn node(self) -> usize {
        self.element + usize::from(self.fraction >= 0.5)
    }
}

/// A place on one of the two lines that stand for a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// On a straight piece between two nodes.
    Piece(Site),
    /// On a smooth piece of its curve.
    Curve(Site),
}

impl Place {
    /// Where on that line.
    pub fn site(self) -> Site {
        let (Place::Piece(site) | Place::Curve(site)) = self;
        site
    }
}

impl From<Site> for Place {
    fn from(site: Site) -> Self {
        Place::Piece(site)
    }
}

/// Where a piece lies along its strand when nothing stretches or squeezes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Along {
    /// Length of the strand up to its start, m.
    pub from_m: f64,
    /// And up to its end.
    pub to_m: f64,
    /// Length of the whole closed strand; 0 of an open one, m.
    pub round_m: f64,
}

impl Along {
    /// Length of strand between two pieces of the same one, the shorter way around if it is closed, m.
    pub fn between_m(&self, other: &Self) -> f64 {
        let (a, b) = match self.from_m <= other.from_m {
            true => (self, other),
            false => (other, self),
        };
        let between = b.from_m - a.to_m;
        match a.round_m > 0.0 {
            true => between.min(a.from_m + a.round_m - b.to_m),
            false => between,
        }
    }
}

/// One straight piece of a strand: a capsule whose two ends move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentProxy {
    /// Index of the strand.
    pub body: u32,
    /// Index of the piece along it.
    pub element: u32,
    /// Whether it is the last piece of an open strand.
    pub last: bool,
    /// Where its ends are along the strand, in pieces: another number of proxies than pieces may be asked for.
    pub span: [f64; 2],
    /// Where they are by length.
    pub along: Along,
    /// Its ends, m.
    pub ends: [Point3<f64>; 2],
    /// Velocities of its ends as far as they are foreseen, m/s.
    pub velocities: [Vector3<f64>; 2],
    /// Radius, m.
    pub radius_m: f64,
    /// How its sections turn.
    pub sections: Sections,
}

impl SegmentProxy {
    /// The place of the strand at a fraction of this piece.
    pub fn place(&self, fraction: f64) -> Place {
        let along = self.span[0] + (self.span[1] - self.span[0]) * fraction;
        // The last piece that reaches so far: the end belongs to the proxy's own side.
        let element = (along.ceil() - 1.0).max(self.span[0].floor()).max(0.0);
        Place::Piece(Site {
            element: element as usize,
            fraction: along - element,
        })
    }
}

/// One smooth piece of a strand's curve.
#[derive(Clone, Copy, Debug)]
pub struct CurveProxy {
    /// Index of the strand.
    pub body: u32,
    /// Index of the proxy along it.
    pub element: u32,
    /// Whether it is the last of an open strand.
    pub last: bool,
    /// Proxies of a closed strand; 0 for an open one.
    pub ring: u32,
    /// The smooth piece of the strand that it lies on, and what of it.
    pub piece: u32,
    /// Where on that piece it starts and ends, 0 to 1.
    pub span: [f64; 2],
    /// Its shape, m.
    pub curve: Curve,
    /// Length, m.
    pub length_m: f64,
    /// Length of the strand up to its start, m.
    pub start_m: f64,
    /// Length of the whole closed strand; 0 of an open one, m.
    pub round_m: f64,
    /// The same of the strand at rest.
    pub along: Along,
    /// Middle of the velocities foreseen along it, m/s.
    pub velocity: Vector3<f64>,
    /// How far they are from it at most, m/s.
    pub spread_m_s: f64,
    /// Radius, m.
    pub radius_m: f64,
    /// How its sections turn.
    pub sections: Sections,
}

impl CurveProxy {
    /// Length of the strand up to a parameter of this proxy, m.
    pub fn along_m(&self, t: f64) -> f64 {
        self.start_m + self.length_m * t
    }

    /// The place of the strand at a parameter of this proxy.
    pub fn place(&self, t: f64) -> Place {
        Place::Curve(Site {
            element: self.piece as usize,
            fraction: self.span[0] + (self.span[1] - self.span[0]) * t,
        })
    }
}

/// How the sections of a strand turn with its unknowns, within one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sections {
    /// Across the centreline, as its ends move; not about it.
    Untwisted,
    /// Across the centreline, as its ends move, and about it.
    Edges,
    /// By a vector that is a rotation.
    Frames,
}

/// A place on the surface of a strand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePlace {
    /// The centreline there, m.
    pub centre: Point3<f64>,
    /// The way it runs.
    pub along: Vector3<f64>,
    /// From the centreline to the surface, m.
    pub offset: Vector3<f64>,
    /// How its sections turn.
    pub sections: Sections,
}

/// One solid.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidProxy {
    /// Index of the solid.
    pub solid: u32,
    /// Its shape in its own frame.
    pub shape: Shape,
    /// Its pose at the start of the step.
    pub world_from_body: Isometry3<f64>,
    /// Velocity of its origin, m/s.
    pub linear_m_s: Vector3<f64>,
    /// Angular velocity, rad/s, world frame.
    pub angular_rad_s: Vector3<f64>,
}

impl SolidProxy {
    /// Lets it move to a pose within `dt_s`.
    pub fn go_to(&mut self, then: &Isometry3<f64>, dt_s: f64) {
        let now = &self.world_from_body;
        self.linear_m_s = (then.translation.vector - now.translation.vector) / dt_s;
        self.angular_rad_s = (then.rotation * now.rotation.inverse()).scaled_axis() / dt_s;
    }

    /// Velocity of the solid at a point of the world, m/s.
    pub fn velocity_at(&self, point: &Point3<f64>) -> Vector3<f64> {
        self.linear_m_s
            + self
                .angular_rad_s
                .cross(&(point.coords - self.world_from_body.translation.vector))
    }

    /// Velocity at which it takes along a place on a strand that sticks to it, m/s, over a step of `dt_s`.
    ///
    /// In a step points move straight, but a turning solid takes its points around: with ω × x each step would end
    /// outside the circle, by (ω dt)² |x|/2, and a strand that sticks would spiral outwards. So the centreline goes
    /// along chords, and the section turns as the strand's does: see [`Sections`]. What sticks then moves exactly with the solid.
    pub fn takes_along(&self, place: &SurfacePlace, dt_s: f64) -> Vector3<f64> {
        let tangent = match place.along.try_normalize(0.0) {
            Some(tangent) if self.angular_rad_s != Vector3::zeros() => tangent,
            _ => return self.velocity_at(&(place.centre + place.offset)),
        };
        let turn = UnitQuaternion::from_scaled_axis(self.angular_rad_s * dt_s);
        let chord = |arm: &Vector3<f64>| (turn * arm - arm) / dt_s;
        let arm = place.centre.coords - self.world_from_body.translation.vector;
        let across = || tangent.cross(&chord(&tangent));
        let section = match place.sections {
            Sections::Untwisted => across(),
            Sections::Edges => {
                let about = 2.0 * turn.imag().dot(&tangent).atan2(turn.w) / dt_s;
                across() + tangent * about
            }
            Sections::Frames => self.angular_rad_s,
        };
        self.linear_m_s + chord(&arm) + section.cross(&place.offset)
    }
}

/// Everything that can touch.
#[derive(Clone, Debug, Default)]
pub struct ProxySet {
    /// Straight pieces of strands, by strand and then along it.
    pub segments: Vec<SegmentProxy>,
    /// Smooth pieces of strands, likewise; a detector looks at the one list or at the other.
    pub curves: Vec<CurveProxy>,
    /// Solids.
    pub solids: Vec<SolidProxy>,
    /// Strands that never move, by index; what is not listed moves.
    pub fixed: Vec<bool>,
    /// How solids see each other, by index; empty where none is free to move.
    pub hulls: Vec<Hull>,
    /// Solids that are free to move, by index.
    pub free: Vec<bool>,
}

impl ProxySet {
    /// How many pieces of a strand, straight or smooth ones, there are from the `first` of all on.
    pub fn count_of(&self, strand: u32, first: usize, smooth: bool) -> usize {
        let count = |bodies: &mut dyn Iterator<Item = u32>| {
            bodies.take_while(|body| *body == strand).count()
        };
        match smooth {
            true => count(&mut self.curves[first..].iter().map(|curve| curve.body)),
            false => count(&mut self.segments[first..].iter().map(|piece| piece.body)),
        }
    }

    /// Where one of all straight or smooth pieces lies along its strand.
    pub fn along(&self, index: usize, smooth: bool) -> Along {
        match smooth {
            true => self.curves[index].along,
            false => self.segments[index].along,
        }
    }

    /// Whether a strand never moves.
    pub fn is_fixed(&self, strand: u32) -> bool {
        self.fixed.get(strand as usize).copied().unwrap_or(false)
    }

    /// Whether a solid is free to move.
    pub fn is_free(&self, solid: u32) -> bool {
        self.free.get(solid as usize).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turning() -> SolidProxy {
        SolidProxy {
            solid: 0,
            shape: Shape::Plane,
            world_from_body: Isometry3::translation(0.1, 0.2, 0.3),
            linear_m_s: Vector3::new(0.3, -0.2, 0.1),
            angular_rad_s: Vector3::new(1.0, 2.0, -0.5),
        }
    }

    fn piece() -> SegmentProxy {
        SegmentProxy {
            body: 0,
            element: 0,
            last: true,
            span: [0.0, 1.0],
            along: Along {
                from_m: 0.0,
                to_m: 0.3,
                round_m: 0.0,
            },
            ends: [Point3::new(0.5, 0.1, 0.0), Point3::new(0.4, 0.3, 0.2)],
            velocities: [Vector3::zeros(); 2],
            radius_m: 0.01,
            sections: Sections::Edges,
        }
    }

    #[test]
    fn a_centreline_that_is_taken_along_stays_where_it_is_on_the_solid() {
        let (solid, dt_s) = (turning(), 0.05);
        let origin = solid.world_from_body.translation.vector;
        let turn = UnitQuaternion::from_scaled_axis(solid.angular_rad_s * dt_s);
        let piece = piece();
        let ends = piece.ends;
        for fraction in [0.0, 0.3, 1.0] {
            let p = ends[0] + (ends[1] - ends[0]) * fraction;
            let place = SurfacePlace {
                centre: p,
                along: ends[1] - ends[0],
                offset: Vector3::zeros(),
                sections: Sections::Edges,
            };
            let moved = p + solid.takes_along(&place, dt_s) * dt_s;
            let held = turn * (p.coords - origin) + origin + solid.linear_m_s * dt_s;
            assert!((moved.coords - held).norm() < 1e-15);
        }
    }

    #[test]
    fn for_small_steps_it_is_the_velocity_of_the_surface() {
        let solid = turning();
        let piece = piece();
        let ends = piece.ends;
        let offset = Vector3::new(0.02, -0.01, 0.03);
        let surface = solid.velocity_at(&(ends[0] + offset));
        for dt_s in [1e-2, 1e-3, 1e-4] {
            let place = SurfacePlace {
                centre: ends[0],
                along: ends[1] - ends[0],
                offset,
                sections: Sections::Edges,
            };
            let taken = solid.takes_along(&place, dt_s);
            assert!((taken - surface).norm() < 3.0 * dt_s);
        }
    }
}
