//! The contact of a place on a strand with a solid.

use nalgebra::{Point3, Vector3};

use super::{Contact, ContactKey, Side, SolidSide, StrandSide, basis};
use crate::geometry::distance::SurfaceDistance;
use crate::geometry::{Place, Sections, SolidProxy, SurfacePlace};

/// A place on a strand, whatever its pieces are.
pub(super) struct OnStrand {
    /// Index of the strand.
    pub body: u32,
    /// Its proxy.
    pub element: u32,
    pub place: Place,
    /// Of the centreline, m.
    pub centre: Point3<f64>,
    /// Along the centreline.
    pub along: Vector3<f64>,
    pub radius_m: f64,
    pub sections: Sections,
}

impl OnStrand {
    /// The contact with a solid; `near` is the distance of the centreline, its normal in the world.
    pub fn contact(
        &self,
        solid: &SolidProxy,
        near: &SurfaceDistance,
        slot: u32,
        dt_s: f64,
    ) -> Contact {
        let normal = near.normal;
        let point = self.centre - normal * near.distance;
        let offset = -normal * self.radius_m;
        let surface = SurfacePlace {
            centre: self.centre,
            along: self.along,
            offset,
            sections: self.sections,
        };
        Contact {
            key: ContactKey {
                body: self.body,
                partner: ContactKey::SOLIDS + solid.solid,
                feature: self.element,
                partner_feature: 0,
                slot,
            },
            a: Side::Strand(StrandSide {
                body: self.body,
                place: self.place,
                offset,
            }),
            b: Side::Solid(SolidSide {
                solid: solid.solid,
                point,
                velocity: solid.takes_along(&surface, dt_s),
            }),
            point,
            basis: basis(&normal, &self.along),
            gap: near.distance - self.radius_m,
            radius_m: self.radius_m,
            bend_m_s2: 0.0,
        }
    }
}
