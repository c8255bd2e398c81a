//! Directors for a model that has material frames, from one that has none.
//!
//! A chain of springs only knows where its bends point. Frames that are carried along it with the natural twist are right
//! but for one angle: that at which the natural curvatures in them point as the present bends do.

use nalgebra::Vector3;

use super::{Kinematics, Rest};
use crate::math::frame::{orthonormalise, parallel_transport, rotate_about};

impl<const BAND: usize> Rest<BAND> {
    /// First directors of all edges, the first near `first`.
    pub(super) fn frames(&self, at: &Kinematics, first: &Vector3<f64>) -> Vec<Vector3<f64>> {
        let tangent = |k: usize| &at.edge[k].tangent;
        let mut directors = vec![orthonormalise(first, tangent(0))];
        for k in 1..self.chain.edges() {
            let carried = parallel_transport(&directors[k - 1], tangent(k - 1), tangent(k));
            let across = orthonormalise(&carried, tangent(k));
            directors.push(rotate_about(&across, tangent(k), self.framed.twist[k]));
        }
        let angle = self.phase(at, &directors);
        for (k, director) in directors.iter_mut().enumerate() {
            *director = rotate_about(director, tangent(k), angle);
        }
        directors
    }

    /// The turn after which natural curvatures point as the bends do, in the mean.
    fn phase(&self, at: &Kinematics, directors: &[Vector3<f64>]) -> f64 {
        let (mut along, mut across) = (0.0, 0.0);
        for i in self.chain.joints() {
            let [e, f] = self.chain.edges_at(i);
            let binormal = self.bend(at, i).binormal;
            let second = |k: usize| at.edge[k].tangent.cross(&directors[k]);
            let k1 = 0.5 * binormal.dot(&(second(e) + second(f)));
            let k2 = -0.5 * binormal.dot(&(directors[e] + directors[f]));
            let [a, b] = self.framed.kappa[i];
            along += a * k1 + b * k2;
            across += a * k2 - b * k1;
        }
        across.atan2(along)
    }
}
