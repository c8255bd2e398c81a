//! Contacts that share a group act on each other, directly or through others; groups are problems of their own.
//!
//! Solved apart, each stops when it is done, factorisations are small, and threads can share the work. Which thread
//! solves which group changes nothing in the result.

use nalgebra::Matrix3;

use crate::friction::Problem;

/// A partition of the contacts.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Union-find, then the group of each contact.
    of: Vec<u32>,
    /// Contacts, group after group, rising within each.
    members: Vec<u32>,
    starts: Vec<usize>,
    /// Place of each contact within its group.
    place: Vec<u32>,
}

impl Groups {
    /// Finds the groups of a problem, in the order of their first contacts.
    pub fn find(&mut self, problem: &Problem) {
        let n = problem.len();
        self.of.clear();
        self.of.extend(0..n as u32);
        for i in 0..n {
            for &j in problem.w.columns(i) {
                let (a, b) = (root(&mut self.of, i as u32), root(&mut self.of, j));
                // Most are in one group already, and then their block need not be looked at.
                if a != b && problem.w.get(i, j as usize).is_some_and(|w| couples(&w)) {
                    self.of[a.max(b) as usize] = a.min(b);
                }
            }
        }
        self.number();
    }

    /// Turns the union-find into numbered groups. Roots are the first of their group, so one pass does.
    fn number(&mut self) {
        let n = self.of.len();
        self.starts.clear();
        self.place.clear();
        for i in 0..n {
            let above = self.of[i];
            // Whatever lies above comes first, and already holds its group's number.
            let group = if above as usize == i {
                self.starts.push(0);
                self.starts.len() as u32 - 1
            } else {
                self.of[above as usize]
            };
            self.of[i] = group;
            self.place.push(self.starts[group as usize] as u32);
            self.starts[group as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.starts.push(sum);
        self.members.clear();
        self.members.resize(n, 0);
        for i in 0..n {
            let at = self.starts[self.of[i] as usize] + self.place[i] as usize;
            self.members[at] = i as u32;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The contacts of a group.
    pub fn members(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group]..self.starts[group + 1]]
    }

    /// Copies the problem of one group.
    pub fn extract(&self, group: usize, from: &Problem, to: &mut Problem) {
        to.w.clear();
        to.b.clear();
        to.mu.clear();
        for &i in self.members(group) {
            let inside = from.w.row(i as usize).filter_map(|(j, block)| {
                (self.of[j as usize] as usize == group && (i == j || couples(&block)))
                    .then_some((self.place[j as usize], block))
            });
            to.w.push_filled_row(inside);
            to.b.push(from.b[i as usize]);
            to.mu.push(from.mu[i as usize]);
        }
    }
}

/// Full matrices in files hold many blocks of nothing.
fn couples(block: &Matrix3<f64>) -> bool {
    block.iter().any(|&x| x != 0.0)
}

fn root(of: &mut [u32], mut i: u32) -> u32 {
    while of[i as usize] != i {
        let above = of[of[i as usize] as usize];
        of[i as usize] = above;
        i = above;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::BlockMatrix;
    use nalgebra::Vector3;

    #[test]
    fn groups_are_what_acts_on_each_other() {
        // 0 - 3 - 5, 1 - 4, 2 alone; 1 and 2 share a block of zeros; 3 acts on 5, not 5 on 3.
        let pairs: [&[u32]; 6] = [&[0, 3], &[1, 2, 4], &[2], &[0, 3], &[1, 4], &[3, 5]];
        let mut w = BlockMatrix::default();
        for (i, columns) in pairs.iter().enumerate() {
            let block = |j: u32| {
                if (i, j) == (1, 2) {
                    Matrix3::zeros()
                } else {
                    Matrix3::identity() * (10.0 * i as f64 + f64::from(j))
                }
            };
            w.push_filled_row(columns.iter().map(|&j| (j, block(j))));
        }
        let problem = Problem {
            w,
            b: (0..6).map(|i| Vector3::x() * f64::from(i)).collect(),
            mu: (0..6).map(f64::from).collect(),
        };
        let mut groups = Groups::default();
        groups.find(&problem);
        let all: Vec<&[u32]> = (0..groups.len()).map(|g| groups.members(g)).collect();
        assert_eq!(all, [&[0, 3, 5][..], &[1, 4], &[2]]);
        let mut part = Problem::default();
        groups.extract(0, &problem, &mut part);
        assert_eq!(part.mu, [0.0, 3.0, 5.0]);
        assert_eq!(part.w.columns(2), [1, 2]);
        assert_eq!(part.w.get(2, 1).unwrap()[(0, 0)], 53.0);
        groups.extract(1, &problem, &mut part);
        assert_eq!(part.w.columns(0), [0, 1]);
        assert_eq!(part.b, [Vector3::x(), Vector3::x() * 4.0]);
    }
}
