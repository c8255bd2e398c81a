//! What holds the rod: a prescribed root, and springs elsewhere.
//!
//! A rod that never stretches cannot have many points prescribed. So a pin away from the root gives way as a piece of
//! strand one radius long would, k = EA/r, and a held frame turns against k r²; both are implicit springs in A. A bears
//! it: a pinned hair with k dt² 3e7 times its mass still ends where k says. No strand bears a pull of more than a share of
//! EA, and no pin more than that: one that is torn from its place by a needle follows with that force.

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::chain::{Chain, Layout, Pose};
use super::element::rotation_vector;
use super::step::turn_about_tangent;
use crate::body::{Constraint, Section, Site, TwistSpring};

/// A pin pulls with at most this share of EA. Strands that stretch show no more when they are torn about; with no bound
/// a needle that took a strand 0.1 m off its pin was pulled at by 50 EA, and what it let go of flew off at 1200 m/s.
const STRENGTH: f64 = 0.5;

/// A spring at a point between two nodes, and maybe one that turns the first of them.
#[derive(Clone, Debug, Default)]
pub struct Anchor {
    /// The nodes and their weights.
    pub nodes: [(usize, f64); 2],
    /// Where the point is pulled to, m.
    pub target: Vector3<f64>,
    /// N/m.
    pub stiffness: f64,
    /// N s/m.
    pub damping: f64,
    /// The node that it turns, if it turns one.
    pub turned: usize,
    /// The frame that node is turned to, with N m per radian.
    pub frame: Option<(Matrix3<f64>, f64)>,
    /// What turns it about its tangent.
    pub twist: Option<TwistSpring>,
    /// Force on the rod in the trial state, N.
    pub force: Vector3<f64>,
    /// The same as the linearisation foresaw it. A trial that is a little off its target is far off in force, and a
    /// tension made of that would stiffen the rod against turning, so that the next pass hardly moved it.
    pub foreseen: Vector3<f64>,
    /// Displacement of the point by the unknowns, one row each for x, y, z.
    pub rows: [Vec<f64>; 3],
    /// Turn of the turned node by the unknowns, likewise.
    pub turn_rows: [Vec<f64>; 3],
}

/// How a hold acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Its unknowns are prescribed.
    Root,
    /// As a spring.
    Anchor(usize),
    /// Another hold has its place already.
    Idle,
}

/// All that holds the rod in a step.
#[derive(Clone, Debug, Default)]
pub struct Holds {
    roles: Vec<Role>,
    /// Where the root is prescribed to be.
    pub root: Option<Vector3<f64>>,
    /// How it is prescribed to stand.
    pub frame: Option<Matrix3<f64>>,
    /// Springs; those past `used` are kept for their memory.
    anchors: Vec<Anchor>,
    used: usize,
}

impl Holds {
    /// Takes the holds of a step that starts from `chain`.
    pub fn set(&mut self, holds: &[Constraint], section: &Section, layout: &Layout, chain: &Chain) {
        self.roles.clear();
        self.used = 0;
        (self.root, self.frame) = (None, None);
        for hold in holds {
            let role = self.take(hold, section);
            self.roles.push(role);
            if let (Role::Anchor(_), Constraint::Node { .. } | Constraint::Frame { .. }) =
                (role, hold)
            {
                let pin = &mut self.anchors[self.used - 1];
                let off_m = (pin.target - pin.point(layout, chain)).norm();
                // The bound on the force, as one on the stiffness at this distance.
                pin.stiffness = pin.stiffness.min(STRENGTH * section.ea_n / off_m);
            }
        }
    }

    fn take(&mut self, hold: &Constraint, section: &Section) -> Role {
        let stiffness = section.ea_n / section.radius_m;
        let (node, target, frame) = match *hold {
            Constraint::Spring {
                site,
                target,
                stiffness_n_m,
                damping_n_s_m,
                twist,
            } => {
                let role = self.spring(site, target.coords, stiffness_n_m, damping_n_s_m);
                self.anchors[self.used - 1].twist = twist;
                return role;
            }
            Constraint::Node { node, target } => (node, target.coords, None),
            Constraint::Frame { site, pose } => {
                (site.node(), pose.translation.vector, Some(frame_of(&pose)))
            }
        };
        if node == 0 {
            if self.root.is_some() && (frame.is_none() || self.frame.is_some()) {
                return Role::Idle;
            }
            self.root = self.root.or(Some(target));
            self.frame = self.frame.or(frame);
            return Role::Root;
        }
        let turning = stiffness * section.radius_m * section.radius_m;
        let anchor = self.next_anchor();
        anchor.nodes = [(node, 1.0), (node, 0.0)];
        anchor.target = target;
        (anchor.stiffness, anchor.damping) = (stiffness, 0.0);
        anchor.turned = node;
        anchor.frame = frame.map(|frame| (frame, turning));
        anchor.twist = None;
        Role::Anchor(self.used - 1)
    }

    fn spring(&mut self, site: Site, target: Vector3<f64>, stiffness: f64, damping: f64) -> Role {
        let anchor = self.next_anchor();
        anchor.nodes = [
            (site.element, 1.0 - site.fraction),
            (site.element + 1, site.fraction),
        ];
        anchor.target = target;
        (anchor.stiffness, anchor.damping) = (stiffness, damping);
        anchor.turned = site.node();
        anchor.frame = None;
        Role::Anchor(self.used - 1)
    }

    fn next_anchor(&mut self) -> &mut Anchor {
        if self.used == self.anchors.len() {
            self.anchors.push(Anchor::default());
        }
        self.used += 1;
        &mut self.anchors[self.used - 1]
    }

    /// The springs of this step.
    pub fn anchors(&self) -> &[Anchor] {
        &self.anchors[..self.used]
    }

    /// The springs of this step.
    pub fn anchors_mut(&mut self) -> &mut [Anchor] {
        &mut self.anchors[..self.used]
    }

    /// Whether an unknown is prescribed.
    #[inline]
    pub fn fixes(&self, dof: usize) -> bool {
        (dof < 3 && self.root.is_some()) || ((3..6).contains(&dof) && self.frame.is_some())
    }

    /// Prescribed unknowns.
    pub fn fixed(&self) -> impl Iterator<Item = usize> + '_ {
        (0..6).filter(|&dof| self.fixes(dof))
    }

    /// Writes the prescribed velocities that take the root from `pose` to its place within `dt`.
    pub fn prescribe(&self, pose: &Pose, dt: f64, v: &mut [f64]) {
        if let Some(root) = self.root {
            v[..3].copy_from_slice(((root - pose.root) / dt).as_slice());
        }
        if let Some(frame) = self.frame {
            let turn = rotation_vector(&(frame * pose.frame.transpose())) / dt;
            v[3..6].copy_from_slice(turn.as_slice());
        }
    }

    /// Force of hold k on the rod, N, when the impulse at the root is `at_root` in a step of `dt`.
    pub fn force(&self, k: usize, at_root: &Vector3<f64>, dt: f64) -> Vector3<f64> {
        match self.roles[k] {
            Role::Root => at_root / dt,
            Role::Anchor(a) => self.anchors[a].force,
            Role::Idle => Vector3::zeros(),
        }
    }
}

fn frame_of(pose: &Isometry3<f64>) -> Matrix3<f64> {
    pose.rotation.to_rotation_matrix().into_inner()
}

impl Anchor {
    /// Its point, m.
    pub fn point(&self, layout: &Layout, chain: &Chain) -> Vector3<f64> {
        let from_root: Vector3<f64> = self
            .nodes
            .iter()
            .map(|&(node, w)| chain.spots[layout.nodes[node]].x * w)
            .sum();
        chain.pose.root + from_root
    }

    /// Force on the rod at a point that has come from `before` within `dt`.
    pub fn pull(&self, point: &Vector3<f64>, before: &Vector3<f64>, dt: f64) -> Vector3<f64> {
        (self.target - point) * self.stiffness - (point - before) * (self.damping / dt)
    }

    /// Moment on the node that it turns, which has come from the chain `before` within `dt`, N m.
    pub fn moment(&self, layout: &Layout, chain: &Chain, before: &Chain, dt: f64) -> Vector3<f64> {
        let station = layout.nodes[self.turned];
        let here = &chain.spots[station].frame;
        let mut moment = Vector3::zeros();
        if let Some((frame, stiffness)) = &self.frame {
            moment += rotation_vector(&(frame * here.transpose())) * *stiffness;
        }
        if let Some(twist) = &self.twist {
            let (turned, axis) = turn_about_tangent(&before.spots[station].frame, here);
            moment += axis * twist.moment(turned, dt);
        }
        moment
    }
}
