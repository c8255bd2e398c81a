//! Our own solver: groups of contacts apart, each by a chain of methods ([`super::chain`]); of large groups only the contacts
//! that are at work ([`super::working_set`]).

use nalgebra::Vector3;
use rayon::prelude::*;

use super::chain::{Chain, MANY, PATIENT};
use super::groups::Groups;
use super::working_set::WorkingSet;
use super::{Best, SolverReport, StopRule, Task, TracePoint};
use crate::friction::Problem;

/// Sweeps over the contacts at work of a large group, even if it is solved: at rest every step makes it better solved, so
/// that a pile becomes perfectly still, far below the tolerance, at the price of a tenth of what it takes to settle.
const LEAST_SWEEPS: usize = 16;
/// So often is what approaches taken into the set of contacts at work.
const ROUNDS: usize = 20;
/// Fewer contacts than this are not worth a second thread.
const PARALLEL_FROM: usize = 400;

/// Which stages to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// Sweeps, then Newton.
    All,
    /// Sweeps alone, to the last iteration.
    Sweeps,
}

/// The solver with its workspaces.
#[derive(Clone, Debug, Default)]
pub struct Auto {
    groups: Groups,
    hands: Vec<Hand>,
    order: Vec<(usize, usize)>,
}

/// One worker: solves its share of the groups, one after the other.
#[derive(Clone, Debug, Default)]
struct Hand {
    groups: Vec<usize>,
    load: f64,
    problem: Problem,
    r: Vec<Vector3<f64>>,
    chain: Chain,
    best: Best,
    set: WorkingSet,
    best_of_set: Best,
    /// Impulses of all its groups.
    found: Vec<Vector3<f64>>,
    total: SolverReport,
    longest: (usize, usize),
    trace: Vec<TracePoint>,
}

impl Auto {
    /// Solves group by group.
    pub fn solve(&mut self, stages: Stages, task: &Task, r: &mut [Vector3<f64>], best: &mut Best) {
        // What is solved already is still swept if it is a pile: its rest becomes ever more complete.
        if task.ended(&best.report) && task.problem.len() <= MANY {
            return;
        }
        self.groups.find(task.problem);
        self.share_out(task.problem);
        let Self { groups, hands, .. } = self;
        let start = &*r;
        if hands.len() > 1 {
            hands
                .par_iter_mut()
                .for_each(|hand| hand.work(groups, stages, task, start));
        } else {
            hands
                .iter_mut()
                .for_each(|hand| hand.work(groups, stages, task, start));
        }
        let first = best.trace.pop();
        best.trace.clear();
        for hand in &*hands {
            let mut found = hand.found.iter();
            for &group in &hand.groups {
                for (&i, value) in groups.members(group).iter().zip(&mut found) {
                    r[i as usize] = *value;
                }
            }
            best.report.add(&hand.total);
        }
        // The groups run side by side; the one that took longest tells the story.
        let longest = hands.iter().max_by_key(|hand| hand.longest);
        best.trace.extend(first);
        if let Some(hand) = longest {
            best.trace.extend(hand.trace.iter().skip(1));
            best.stage = best.trace.last().map_or(best.stage, |point| point.stage);
        }
        best.offer(task, r);
    }

    /// Deals the groups out to as many hands as there are threads, the heaviest first, each to the idlest.
    fn share_out(&mut self, problem: &Problem) {
        let threads = if problem.len() < PARALLEL_FROM {
            1
        } else {
            rayon::current_num_threads()
        };
        let count = threads.min(self.groups.len()).max(1);
        self.hands.resize_with(count, Hand::default);
        for hand in &mut self.hands {
            hand.groups.clear();
            hand.load = 0.0;
        }
        self.order.clear();
        self.order
            .extend((0..self.groups.len()).map(|g| (self.groups.members(g).len(), g)));
        self.order
            .sort_unstable_by_key(|&(size, group)| (std::cmp::Reverse(size), group));
        for &(size, group) in &self.order {
            let idlest = (0..count)
                .min_by(|&a, &b| self.hands[a].load.total_cmp(&self.hands[b].load))
                .unwrap_or(0);
            self.hands[idlest].groups.push(group);
            self.hands[idlest].load += weight(size);
        }
    }
}

/// How hard a group of so many contacts may be, against others.
fn weight(size: usize) -> f64 {
    (size as f64).powf(1.5)
}

impl Hand {
    fn work(&mut self, groups: &Groups, stages: Stages, task: &Task, start: &[Vector3<f64>]) {
        self.found.clear();
        self.total = SolverReport::default();
        self.trace.clear();
        self.longest = (0, 0);
        let all: f64 = (0..groups.len())
            .map(|g| weight(groups.members(g).len()))
            .sum();
        for at in 0..self.groups.len() {
            let group = self.groups[at];
            let members = groups.members(group);
            self.r.clear();
            self.r.extend(members.iter().map(|&i| start[i as usize]));
            let stop = StopRule {
                max_work: task.stop.max_work * weight(members.len()) / all,
                ..*task.stop
            };
            let mut part = Task {
                stop: &stop,
                ..*task
            };
            // A large problem that is one group is not copied.
            let mut own = std::mem::take(&mut self.problem);
            if groups.len() > 1 || members.len() <= MANY {
                groups.extract(group, task.problem, &mut own);
                part.problem = &own;
            }
            self.solve_group(stages, &part);
            self.problem = own;
            self.found.extend_from_slice(&self.best.r);
            self.total.add(&self.best.report);
            let longest = (self.best.report.iterations, usize::MAX - group);
            if longest >= self.longest {
                self.longest = longest;
                self.trace.clone_from(&self.best.trace);
            }
        }
    }

    fn solve_group(&mut self, stages: Stages, task: &Task) {
        let Self { r, chain, best, .. } = self;
        best.start(task, r);
        // Parts of a problem that is hard beyond measure may be harder than the whole.
        if task.problem.len() <= MANY || task.stop.max_iterations >= PATIENT {
            chain.solve(stages, task, r, 0, best);
        } else {
            self.solve_large(stages, task);
        }
    }

    /// Solves the contacts that are at work by themselves, and again with those that then approach.
    fn solve_large(&mut self, stages: Stages, task: &Task) {
        let Self {
            r,
            chain,
            best,
            set,
            best_of_set,
            ..
        } = self;
        chain.sweep_once(task, r, best);
        set.choose(r, &best.u);
        for round in 0..ROUNDS {
            let least = if round == 0 { LEAST_SWEEPS } else { 0 };
            if task.ended_after(&best.report, best.report.iterations + least) {
                return;
            }
            set.extract(task.problem, r);
            let stop = StopRule {
                max_iterations: task.stop.max_iterations - best.report.iterations,
                max_work: task.stop.max_work - best.report.work,
                ..*task.stop
            };
            let part = Task {
                problem: &set.problem,
                stop: &stop,
                ..*task
            };
            best_of_set.start(&part, &set.r);
            chain.solve(stages, &part, &mut set.r, least, best_of_set);
            set.scatter(&best_of_set.r, r);
            best.follow(best_of_set);
            best.offer(task, r);
            if !set.widen(&best.u, task.tolerance_m_s()) {
                return;
            }
        }
    }
}
