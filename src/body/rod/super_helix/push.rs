//! What contacts add to a step: their impulses on stations and between them, and all loads as forces.

use super::balance::{Load, PointLoad};
use super::rest::Rest;
use super::step::Workspace;
use crate::body::{Place, Push};

impl Workspace {
    /// Adds the contact impulses to `loads`.
    pub(super) fn push(&mut self, rest: &Rest, pushes: &[Push]) {
        for push in pushes {
            let moment = push.offset.cross(&push.impulse);
            let (k, f) = match push.place {
                Place::Piece(site) => (site.element, site.fraction),
                Place::Curve(site) => {
                    let arc = (site.element as f64 + site.fraction) * rest.layout.length;
                    let (element, s) = rest.layout.locate(arc);
                    let load = Load {
                        force: -push.impulse,
                        moment: -moment,
                    };
                    self.between.push(PointLoad {
                        element,
                        s,
                        spot: self.trial.at(&rest.layout, arc).0,
                        load,
                    });
                    continue;
                }
            };
            for (node, w) in [(k, 1.0 - f), (k + 1, f)] {
                let load = &mut self.loads[rest.layout.nodes[node]];
                load.force -= push.impulse * w;
                load.moment -= moment * w;
            }
        }
    }

    /// Loads of the trial state as forces, with the spring forces foreseen; those between stations go to the two around.
    pub(super) fn find_forces(&mut self, rest: &Rest) {
        let layout = &rest.layout;
        for point in &self.between {
            let here = layout.first[point.element]..layout.first[point.element + 1];
            let stations = &layout.stations[here.clone()];
            let after = stations.partition_point(|station| station.s <= point.s);
            let (low, high) = (after.max(1) - 1, after.min(stations.len() - 1));
            let width = stations[high].s - stations[low].s;
            let share = match width > 0.0 {
                true => (point.s - stations[low].s) / width,
                false => 0.0,
            };
            self.loads[here.start + low].force += point.load.force * (1.0 - share);
            self.loads[here.start + high].force += point.load.force * share;
        }
        for anchor in self.holds.anchors() {
            for (node, w) in anchor.nodes {
                self.loads[rest.layout.nodes[node]].force -=
                    (anchor.foreseen - anchor.force) * (w * self.dt);
            }
        }
        self.forces.clear();
        self.forces
            .extend(self.loads.iter().map(|load| load.force / self.dt));
    }
}
