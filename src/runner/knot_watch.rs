//! Names the knots of the newest state on a thread of its own, a few times a second. It waits for nobody and nobody waits
//! for it: a state is handed over only when the last one is done with.

use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::geometry::knot::KnotNamer;
use crate::world::{Knots, Snapshot, StrandRange};

/// From one state to the next.
const PERIOD: Duration = Duration::from_millis(200);
/// States with more nodes are left alone: copying them would show in the frame time.
const MOST_NODES: usize = 60_000;

/// A state to be named; goes back and forth, so its buffers are kept.
#[derive(Debug, Default)]
struct Job {
    generation: u64,
    step: u64,
    strands: Vec<StrandRange>,
    nodes: Vec<[f32; 3]>,
    knots: Knots,
}

/// Handle to the thread, which ends when this is dropped.
#[derive(Debug)]
pub struct KnotWatch {
    jobs: Sender<Box<Job>>,
    done: Receiver<Box<Job>>,
    /// Here while the thread has none.
    spare: Option<Box<Job>>,
    handed_over: Option<Instant>,
}

impl KnotWatch {
    /// Starts the thread. Without one (should the system refuse it) nothing is ever named.
    pub fn start() -> Self {
        let (jobs, jobs_in) = bounded::<Box<Job>>(1);
        let (done_out, done) = bounded(1);
        let work = move || {
            let mut namer = KnotNamer::new();
            while let Ok(mut job) = jobs_in.recv() {
                let nodes = &job.nodes;
                job.knots = Knots::of_strands(&job.strands, |k| nodes[k], &mut namer);
                if done_out.send(job).is_err() {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("prusik-knots".into());
        let spare = thread.spawn(work).ok().map(|_| Box::default());
        Self {
            jobs,
            done,
            spare,
            handed_over: None,
        }
    }

    /// Hands over a state, unless the last is still being looked at, is the same, or was a moment ago.
    pub fn offer(&mut self, snapshot: &Snapshot) {
        let early = self.handed_over.is_some_and(|at| at.elapsed() < PERIOD);
        let Some(mut job) = self.spare.take_if(|job| {
            let known = (job.generation, job.step) == (snapshot.generation, snapshot.step);
            !early && (!known || job.strands.is_empty()) && snapshot.points.len() <= MOST_NODES
        }) else {
            return;
        };
        job.generation = snapshot.generation;
        job.step = snapshot.step;
        job.strands.clone_from(&snapshot.strands);
        job.nodes.clear();
        let nodes = snapshot.points.iter().map(|point| point.position);
        job.nodes.extend(nodes);
        self.handed_over = Some(Instant::now());
        // Its channel has room: this is the only job.
        let _ = self.jobs.try_send(job);
    }

    /// The knots of the state handed over last, with its generation, once they are known.
    pub fn newest(&mut self) -> Option<(u64, Knots)> {
        let mut job = self.done.try_recv().ok()?;
        let news = (job.generation, std::mem::take(&mut job.knots));
        self.spare = Some(job);
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::RodModel;
    use crate::world::{Outline, StrandPoint};

    fn straight(step: u64) -> Snapshot {
        Snapshot {
            generation: 3,
            step,
            strands: vec![StrandRange {
                first: 0,
                count: 20,
                color: [1.0; 3],
                model: RodModel::DiscreteElastic,
                closed: false,
                outline: Outline::Round,
                fixed: false,
            }],
            points: (0..20_u8)
                .map(|k| StrandPoint {
                    position: [f32::from(k), 0.0, 0.0],
                    ..StrandPoint::default()
                })
                .collect(),
            ..Snapshot::default()
        }
    }

    fn wait_for(watch: &mut KnotWatch, snapshot: &Snapshot) -> (u64, Knots) {
        loop {
            watch.offer(snapshot);
            if let Some(news) = watch.newest() {
                return news;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_state_comes_back_with_its_names_and_the_next_is_taken() {
        let mut watch = KnotWatch::start();
        for step in 0..3 {
            let (generation, knots) = wait_for(&mut watch, &straight(step));
            assert_eq!(generation, 3);
            assert_eq!(knots.summary(), "unknot");
        }
    }

    #[test]
    fn while_one_is_looked_at_none_is_taken() {
        let mut watch = KnotWatch::start();
        watch.offer(&straight(1));
        watch.offer(&straight(2));
        assert!(watch.spare.is_none());
        let mut step = None;
        while step.is_none() {
            step = watch.done.try_recv().ok().map(|job| job.step);
        }
        assert_eq!(step, Some(1));
    }
}
