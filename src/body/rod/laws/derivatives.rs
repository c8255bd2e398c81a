//! Forces and stiffness against differences of the energy; balance.

use nalgebra::{DMatrix, Vector3};

use crate::body::rod::nodal::{Nodal, part};
use crate::body::{RodDesign, StrandState};
use crate::math::{RingLdl, largest};

/// A model and a state that laws are tried on.
pub struct Subject<M: Nodal<B>, const B: usize> {
    /// What is fixed.
    pub model: M,
    /// A state.
    pub state: M::State,
}

impl<M: Nodal<B>, const B: usize> Subject<M, B> {
    /// A strand bent, twisted and stretched away from where its design starts: by `off` metres, and by a radian to the
    /// centimetre.
    pub fn new(design: &RodDesign, off: f64) -> Self {
        let (model, mut state) = M::build(design, &StrandState::along(design, &Vector3::zeros()));
        let motion: Vec<f64> = (0..model.chain().dofs(M::STRIDE))
            .map(|i| {
                ((3 * i * i + 1) as f64).sin() * if Self::is_turn(i) { 100.0 * off } else { off }
            })
            .collect();
        let mut moved = M::Trial::default();
        model.moved(&state, &motion, 1.0, &mut moved);
        model.accept(&mut state, &moved);
        Self { model, state }
    }

    fn is_turn(dof: usize) -> bool {
        dof % M::STRIDE >= 3
    }

    fn dofs(&self) -> usize {
        self.model.chain().dofs(M::STRIDE)
    }

    /// Kinematics at a motion from the state.
    pub fn at(&self, motion: &[f64]) -> M::Trial {
        let mut out = M::Trial::default();
        self.model.moved(&self.state, motion, 1.0, &mut out);
        out
    }

    /// Kinematics of the state.
    pub fn here(&self) -> M::Trial {
        self.at(&vec![0.0; self.dofs()])
    }

    fn nudged(&self, dof: usize, size: f64) -> M::Trial {
        let mut motion = vec![0.0; self.dofs()];
        motion[dof] = size;
        self.at(&motion)
    }

    /// Elastic forces at a trial state.
    pub fn forces(&self, at: &M::Trial) -> Vec<f64> {
        let mut force = vec![0.0; self.dofs()];
        self.model.add_forces(at, &mut force);
        force
    }

    /// The never-negative stiffness of the state, its edges under their own tensions.
    pub fn stiffness(&self) -> DMatrix<f64> {
        let (n, here, chain) = (self.dofs(), self.here(), self.model.chain());
        let mut banded = RingLdl::<B>::default();
        banded.reset(
            n,
            if chain.closed {
                M::REACH * M::STRIDE
            } else {
                0
            },
        );
        let tension = |k| chain.tension(k, self.model.edge(&here, k).1);
        let tensions: Vec<f64> = (0..chain.edges()).map(tension).collect();
        self.model.add_stiffness(&here, &tensions, &mut banded);
        DMatrix::from_fn(n, n, |i, j| banded.get(i, j))
    }

    /// Steps of differences that suit each unknown: positions are centimetres, angles radians.
    fn nudge(dof: usize) -> f64 {
        if Self::is_turn(dof) { 1e-5 } else { 1e-7 }
    }

    /// Law: forces are the slope of the energy; the worst difference, over the largest force of its kind.
    pub fn error_of_forces(&self) -> f64 {
        let force = self.forces(&self.here());
        let error = |dof: usize| {
            let h = Self::nudge(dof);
            let energy = |size| self.model.energy(&self.nudged(dof, size));
            // Fourth-order difference, so that rounding and not truncation limits the comparison.
            let slope = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h)))
                / (12.0 * h);
            let alike = (0..self.dofs()).filter(|&i| Self::is_turn(i) == Self::is_turn(dof));
            let size = alike.map(|i| force[i].abs()).fold(0.0, f64::max);
            (force[dof] + slope).abs() / size
        };
        (0..self.dofs()).map(error).fold(0.0, largest)
    }

    /// Minus the slope of the forces, by differences.
    pub fn slope_of_forces(&self) -> DMatrix<f64> {
        let n = self.dofs();
        let mut slope = DMatrix::zeros(n, n);
        for j in 0..n {
            let h = Self::nudge(j);
            let f = [1.0, -1.0, 2.0, -2.0].map(|k| self.forces(&self.nudged(j, k * h)));
            for i in 0..n {
                slope[(i, j)] = -(8.0 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12.0 * h);
            }
        }
        slope
    }

    /// Law: the stiffness is never negative; its least eigenvalue over its largest.
    pub fn least_stiffness(&self) -> f64 {
        let eigenvalues = self.stiffness().symmetric_eigen().eigenvalues;
        eigenvalues.min() / eigenvalues.max()
    }

    /// Law: elastic forces and torques balance; what is left of both, over the sum of forces. `torque` gives that of an
    /// edge's unknowns besides positions, in the world.
    pub fn imbalance(&self, torque: impl Fn(&M::Trial, usize, &[f64]) -> Vector3<f64>) -> [f64; 2] {
        let here = self.here();
        let force = self.forces(&here);
        let chain = self.model.chain();
        let (mut total, mut turn, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0);
        for node in 0..chain.distinct_nodes() {
            let f = part(&force, M::STRIDE * node);
            total += f;
            turn += M::nodes(&here)[node].coords.cross(&f);
            size += f.norm();
        }
        for k in 0..chain.edges() {
            turn += torque(&here, k, &force[M::STRIDE * k + 3..M::STRIDE * (k + 1)]);
        }
        [total.norm() / size, turn.norm() / size]
    }
}

/// The worst difference of a stiffness from the slope of the forces, in units in which the diagonal is one: unknowns
/// have different ones.
pub fn apart(stiffness: &DMatrix<f64>, slope: &DMatrix<f64>) -> f64 {
    let n = stiffness.nrows();
    let size = |i: usize| stiffness[(i, i)].abs().sqrt();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let error = |(i, j)| (stiffness[(i, j)] - slope[(i, j)]).abs() / (size(i) * size(j));
    pairs.map(error).fold(0.0, largest)
}
