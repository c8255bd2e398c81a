//! Springs in a step: their stiffness in A, their impulses, the forces that the linearisation foresees.

use super::State;
use super::chain::Chain;
use super::rest::Rest;
use super::step::{Workspace, half_way, node_column};

impl Workspace {
    /// Adds the springs to A.
    pub(super) fn stiffen(&mut self, rest: &Rest, state: &State) {
        let (dt, layout) = (self.dt, &rest.layout);
        for anchor in self.holds.anchors_mut() {
            let [(first, w), (second, u)] = anchor.nodes;
            let reach = Chain::reach(layout.element_of_node[second.max(anchor.turned)]);
            let rows = anchor.rows.iter_mut().chain(&mut anchor.turn_rows);
            rows.for_each(|row| row.clear());
            for dof in 0..reach {
                let [x, y] =
                    [first, second].map(|node| node_column(rest, &self.guess, node, dof).0);
                let x = x * w + y * u;
                let turn = node_column(rest, &self.guess, anchor.turned, dof).1;
                (0..3).for_each(|c| anchor.rows[c].push(x[c]));
                (0..3).for_each(|c| anchor.turn_rows[c].push(turn[c]));
            }
            let strength = dt * (dt * anchor.stiffness + anchor.damping);
            anchor
                .rows
                .iter()
                .for_each(|row| self.factor.add_outer(strength, row));
            if let Some((_, stiffness)) = anchor.frame {
                anchor
                    .turn_rows
                    .iter()
                    .for_each(|row| self.factor.add_outer(dt * dt * stiffness, row));
            }
            if let Some(twist) = &anchor.twist {
                let tangent = |chain: &Chain| {
                    let frame = &chain.spots[layout.nodes[anchor.turned]].frame;
                    frame.column(0).into_owned()
                };
                let axis = half_way(&tangent(&state.chain), &tangent(&self.guess));
                // The turn about the tangent by the unknowns, in the memory of the first row.
                let [row, y, z] = &mut anchor.turn_rows;
                for ((x, y), z) in row.iter_mut().zip(y.iter()).zip(z.iter()) {
                    *x = axis.x * *x + axis.y * y + axis.z * z;
                }
                self.factor.add_outer(twist.strength(dt), row);
            }
        }
    }

    /// Impulses of the springs in the trial state.
    pub(super) fn add_anchors(&mut self, rest: &Rest, state: &State) {
        let (dt, layout) = (self.dt, &rest.layout);
        for anchor in self.holds.anchors_mut() {
            let before = anchor.point(layout, &state.chain);
            let point = anchor.point(layout, &self.trial);
            anchor.force = anchor.pull(&point, &before, dt);
            for (node, w) in anchor.nodes {
                self.loads[layout.nodes[node]].force -= anchor.force * (w * dt);
            }
            let moment = anchor.moment(layout, &self.trial, &state.chain, dt);
            self.loads[layout.nodes[anchor.turned]].moment -= moment * dt;
        }
    }

    /// Spring forces at the end of the step, linearised about the guess: of the whole change of velocity, even where the
    /// trial goes only part of the way, for there the springs are not yet in balance with the rest.
    pub(super) fn foresee_anchors(&mut self, rest: &Rest, state: &State) {
        let (dt, layout) = (self.dt, &rest.layout);
        for anchor in self.holds.anchors_mut() {
            let before = anchor.point(layout, &state.chain);
            let mut point = anchor.point(layout, &self.guess);
            for (c, row) in anchor.rows.iter().enumerate() {
                let change = row
                    .iter()
                    .zip(self.velocity.iter().zip(&self.guess_velocity));
                point[c] +=
                    dt / self.share * change.map(|(j, (v, guess))| j * (v - guess)).sum::<f64>();
            }
            anchor.foreseen = anchor.pull(&point, &before, dt);
        }
    }
}
