//! The contacts that are at work, as a problem of their own.
//!
//! Of all that might touch within a step, in a pile two thirds do not: r = 0 there, so that they act on nothing and need
//! not be visited. Sweeps over the others alone cost a ninth, since rows and columns of W fall away:
//!
//! ```text
//!   at work    r ≠ 0, or approaching        solved by themselves
//!   the rest   r = 0, u_N ≥ 0               looked at when those are solved; what approaches then joins them
//! ```
//!
//! A solution of the part with nothing approaching outside is a solution of the whole.

use nalgebra::Vector3;

use crate::friction::Problem;

/// Not in the set.
const OUTSIDE: u32 = u32::MAX;

/// A set of contacts with their problem.
#[derive(Clone, Debug, Default)]
pub struct WorkingSet {
    /// Rising.
    members: Vec<u32>,
    /// Where each contact of the whole is among them.
    place: Vec<u32>,
    /// Their problem.
    pub problem: Problem,
    /// Their impulses.
    pub r: Vec<Vector3<f64>>,
}

impl WorkingSet {
    /// Takes the contacts that have an impulse or approach.
    pub fn choose(&mut self, r: &[Vector3<f64>], u: &[Vector3<f64>]) {
        let at_work = r.iter().zip(u).map(|(r, u)| r.x != 0.0 || u.x < 0.0);
        self.place.clear();
        self.place
            .extend(at_work.map(|at_work| if at_work { 0 } else { OUTSIDE }));
        self.number();
    }

    /// Takes in what approaches faster than the tolerance; whether there is any.
    pub fn widen(&mut self, u: &[Vector3<f64>], tolerance_m_s: f64) -> bool {
        let before = self.members.len();
        let outside = self.place.iter_mut().zip(u);
        outside
            .filter(|(place, u)| **place == OUTSIDE && u.x < -tolerance_m_s)
            .for_each(|(place, _)| *place = 0);
        self.number();
        self.members.len() > before
    }

    fn number(&mut self) {
        self.members.clear();
        for (i, place) in self.place.iter_mut().enumerate() {
            if *place != OUTSIDE {
                *place = self.members.len() as u32;
                self.members.push(i as u32);
            }
        }
    }

    /// Copies their problem out of the whole, and their impulses.
    pub fn extract(&mut self, whole: &Problem, r: &[Vector3<f64>]) {
        let Self {
            members,
            place,
            problem,
            r: own,
        } = self;
        problem.w.clear();
        problem.b.clear();
        problem.mu.clear();
        own.clear();
        for i in members.iter().map(|&i| i as usize) {
            let inside = |j: u32| (place[j as usize] != OUTSIDE).then(|| place[j as usize]);
            problem.w.push_part_of_row(&whole.w, i, inside);
            problem.b.push(whole.b[i]);
            problem.mu.push(whole.mu[i]);
            own.push(r[i]);
        }
    }

    /// Writes impulses of the set into those of the whole; all others have none.
    pub fn scatter(&self, found: &[Vector3<f64>], r: &mut [Vector3<f64>]) {
        r.fill(Vector3::zeros());
        for (&i, found) in self.members.iter().zip(found) {
            r[i as usize] = *found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::BlockMatrix;
    use nalgebra::Matrix3;

    #[test]
    fn the_part_is_what_the_whole_is_among_its_members() {
        let n = 5;
        let block = |i: usize, j: usize| Matrix3::from_element((10 * i + j) as f64);
        let rows: Vec<Vec<_>> = (0..n)
            .map(|i| (0..n).map(|j| block(i, j)).collect())
            .collect();
        let whole = Problem {
            w: BlockMatrix::from_dense(&rows),
            b: (0..n).map(|i| Vector3::repeat(i as f64)).collect(),
            mu: vec![0.3; n],
        };
        let pushed = |i: usize| Vector3::x() * f64::from(u8::from(i == 1));
        let r: Vec<_> = (0..n).map(pushed).collect();
        let mut u = vec![Vector3::x(); n];
        u[4].x = -1.0;
        let mut set = WorkingSet::default();
        set.choose(&r, &u);
        set.extract(&whole, &r);
        assert_eq!(set.problem.b, [whole.b[1], whole.b[4]]);
        assert_eq!(set.problem.w.get(1, 0), Some(block(4, 1)));
        u[2].x = -0.5;
        assert!(set.widen(&u, 0.1), "2 approaches");
        assert!(!set.widen(&u, 0.1), "and is in now");
        set.extract(&whole, &r);
        assert_eq!(set.problem.w.get(0, 1), Some(block(1, 2)));
        let mut all = vec![Vector3::z(); n];
        set.scatter(&[Vector3::x(), Vector3::y(), Vector3::x()], &mut all);
        let [none, x, y] = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        assert_eq!(all, [none, x, y, none, x]);
    }
}
