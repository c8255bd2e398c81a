//! Figures of the last while, for plots and tables: one sample per state shown, in a ring that never grows. What swings
//! fast is followed from step to step, see [`tip`].

mod export;
mod gauge;
mod probes;
mod tip;

use std::collections::VecDeque;

use bevy::prelude::*;

use super::chosen::{Chosen, Thing};
use super::shown::{Seen, Shown};
use crate::world::{MaterialPoint, Snapshot};
pub use export::{ExportRequest, Table, along};
pub use gauge::GAUGES;
use gauge::Gauge;
pub use probes::PROBES;
use probes::Probes;
pub use tip::TipWay;

/// Samples kept: with [`PROBES`] probes about one megabyte, a minute and a half at full frame rate.
pub const CAPACITY: usize = 6000;

/// Keeps the series, writes tables of it.
pub struct SeriesPlugin;

impl Plugin for SeriesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Series>()
            .add_systems(Update, sample)
            .add_plugins(export::ExportPlugin);
    }
}

/// One figure of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Error of the friction solver.
    Residual,
    /// Iterations of the friction solver.
    Iterations,
    /// Contacts.
    Contacts,
    /// Contact unknowns over degrees of freedom.
    Nu,
    /// Deepest overlap over the radius.
    Overlap,
    /// Fastest node, m/s.
    Speed,
    /// Kinetic energy, J.
    Kinetic,
    /// Elastic energy, J.
    Elastic,
    /// Potential energy in gravity, J.
    Gravity,
    /// All energy, J.
    Total,
    /// Time of the dynamics, ms.
    Dynamics,
    /// Time of the detection, ms.
    Detection,
    /// Time of the assembly, ms.
    Assembly,
    /// Time of the solver, ms.
    Solve,
    /// Time of the advance, ms.
    Advance,
    /// Time of the check that nothing passes through anything, ms.
    Check,
    /// Time of everything else, ms.
    Other,
}

impl Channel {
    /// Every figure, in the order of a table.
    pub const ALL: [Channel; 17] = [
        Channel::Residual,
        Channel::Iterations,
        Channel::Contacts,
        Channel::Nu,
        Channel::Overlap,
        Channel::Speed,
        Channel::Kinetic,
        Channel::Elastic,
        Channel::Gravity,
        Channel::Total,
        Channel::Dynamics,
        Channel::Detection,
        Channel::Assembly,
        Channel::Solve,
        Channel::Advance,
        Channel::Check,
        Channel::Other,
    ];

    /// Its column in a table.
    fn column(self) -> &'static str {
        match self {
            Channel::Residual => "residual",
            Channel::Iterations => "iterations",
            Channel::Contacts => "contacts",
            Channel::Nu => "nu",
            Channel::Overlap => "overlap_over_radius",
            Channel::Speed => "max_speed_m_s",
            Channel::Kinetic => "kinetic_j",
            Channel::Elastic => "elastic_j",
            Channel::Gravity => "gravity_j",
            Channel::Total => "total_j",
            Channel::Dynamics => "dynamics_ms",
            Channel::Detection => "detection_ms",
            Channel::Assembly => "assembly_ms",
            Channel::Solve => "solve_ms",
            Channel::Advance => "advance_ms",
            Channel::Check => "check_ms",
            Channel::Other => "other_ms",
        }
    }
}

/// Figures of one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time, s.
    pub time_s: f64,
    step: u64,
    figures: [f32; Channel::ALL.len()],
    forces_n: [f32; PROBES],
    gauged: [f32; GAUGES.len()],
}

impl Sample {
    /// One figure.
    pub fn get(&self, channel: Channel) -> f32 {
        self.figures[channel as usize]
    }

    /// Force on one of [`Series::probes`], N; not a number while it is not there.
    pub fn force_n(&self, probe: usize) -> f32 {
        self.forces_n.get(probe).copied().unwrap_or(f32::NAN)
    }

    /// What was measured at the chosen point of a strand; not a number while there was none.
    pub fn gauged(&self, index: usize) -> f32 {
        self.gauged.get(index).copied().unwrap_or(f32::NAN)
    }

    fn of(snapshot: &Snapshot, probes: &Probes, gauge: &Gauge) -> Self {
        let report = &snapshot.report;
        let (energies, phases) = (&report.energies, &report.phases);
        let total_j = energies.kinetic_j + energies.elastic_j + energies.gravity_j;
        let figure = |channel| match channel {
            Channel::Residual => report.solver_error,
            Channel::Iterations => report.iterations as f64,
            Channel::Contacts => report.contacts as f64,
            Channel::Nu => report.nu,
            Channel::Overlap => report.penetration_over_radius,
            Channel::Speed => report.max_speed_m_s,
            Channel::Kinetic => energies.kinetic_j,
            Channel::Elastic => energies.elastic_j,
            Channel::Gravity => energies.gravity_j,
            Channel::Total => total_j,
            Channel::Dynamics => phases.dynamics_ms,
            Channel::Detection => phases.detection_ms,
            Channel::Assembly => phases.assembly_ms,
            Channel::Solve => phases.solve_ms,
            Channel::Advance => phases.advance_ms,
            Channel::Check => phases.check_ms,
            Channel::Other => phases.other_ms,
        };
        Self {
            time_s: snapshot.time_s,
            step: snapshot.step,
            figures: Channel::ALL.map(|channel| figure(channel) as f32),
            forces_n: probes.forces_n(snapshot),
            gauged: gauge.measure(snapshot),
        }
    }
}

/// The samples, oldest first.
#[derive(Resource)]
pub struct Series {
    samples: VecDeque<Sample>,
    probes: Probes,
    gauge: Gauge,
    tip: TipWay,
    seen: Seen,
    scene_count: u64,
    snapshot_count: u64,
    generation: u64,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            samples: VecDeque::with_capacity(CAPACITY),
            probes: Probes::default(),
            gauge: Gauge::default(),
            tip: TipWay::default(),
            seen: Seen::default(),
            scene_count: 0,
            snapshot_count: 0,
            generation: 0,
        }
    }
}

impl Series {
    /// The samples, oldest first.
    pub fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// Names of what the forces of a sample belong to.
    pub fn probes(&self) -> impl Iterator<Item = &str> {
        self.probes.names()
    }

    /// Where on which strand something is measured, for people; none while no point is chosen.
    pub fn gauged_at(&self) -> Option<&str> {
        self.gauge.name()
    }

    /// The way of the end of the first strand, step by step.
    pub fn tip(&self) -> &TipWay {
        &self.tip
    }

    /// Takes in the state that is shown, if it is a new one. Another world begins anew; a step back in time takes away
    /// what came after it, since that has not happened now.
    fn take(&mut self, shown: &Shown, point: Option<MaterialPoint>) {
        if self.gauge.choose(point, shown) {
            // What was measured elsewhere is not of this point.
            let all = self.samples.iter_mut();
            all.for_each(|sample| sample.gauged = [f32::NAN; GAUGES.len()]);
        }
        if shown.snapshot_count == self.snapshot_count {
            return;
        }
        self.snapshot_count = shown.snapshot_count;
        let snapshot = &shown.snapshot;
        self.tip.take(self.seen.follow(shown), &snapshot.passed);
        if (self.scene_count, self.generation) != (shown.scene_count, snapshot.generation) {
            (self.scene_count, self.generation) = (shown.scene_count, snapshot.generation);
            self.samples.clear();
            self.probes.clear();
        }
        let later = |sample: &Sample| sample.step >= snapshot.step;
        while self.samples.back().is_some_and(later) {
            self.samples.pop_back();
        }
        // Before its first step a world has no figures.
        if snapshot.step == 0 {
            return;
        }
        for slot in self.probes.follow(snapshot, &shown.scene.spec) {
            // What another had there is forgotten.
            let all = self.samples.iter_mut();
            all.for_each(|sample| sample.forces_n[slot] = f32::NAN);
        }
        if self.samples.len() == CAPACITY {
            self.samples.pop_front();
        }
        let sample = Sample::of(snapshot, &self.probes, &self.gauge);
        self.samples.push_back(sample);
    }
}

fn sample(shown: Res<Shown>, chosen: Res<Chosen>, mut series: ResMut<Series>) {
    let point = match chosen.thing {
        Some(Thing::Strand(point)) => Some(point),
        _ => None,
    };
    // There is nothing to measure in a rail.
    let moves = |point: &MaterialPoint| {
        let strand = shown.snapshot.strands.get(point.rod);
        strand.is_some_and(|strand| !strand.fixed)
    };
    let point = point.filter(moves);
    series.bypass_change_detection().take(&shown, point);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Shown {
        Shown::new(crate::scene::load("drape", &[]).expect("ships"))
    }

    fn at(series: &mut Series, shown: &mut Shown, generation: u64, step: u64) {
        shown.snapshot.generation = generation;
        shown.snapshot.step = step;
        shown.snapshot.time_s = 0.01 * step as f64;
        shown.snapshot_count += 1;
        series.take(shown, None);
    }

    fn steps(series: &Series) -> Vec<u64> {
        series.samples.iter().map(|sample| sample.step).collect()
    }

    #[test]
    fn going_back_takes_away_what_came_after_and_a_reset_everything() {
        let (mut series, mut shown) = (Series::default(), shown());
        for step in [0, 1, 2, 3, 4, 5] {
            at(&mut series, &mut shown, 1, step);
        }
        assert_eq!(steps(&series), [1, 2, 3, 4, 5]);
        at(&mut series, &mut shown, 1, 3);
        assert_eq!(steps(&series), [1, 2, 3]);
        at(&mut series, &mut shown, 1, 4);
        assert_eq!(steps(&series), [1, 2, 3, 4]);
        at(&mut series, &mut shown, 2, 0);
        assert!(series.samples.is_empty());
    }

    #[test]
    fn a_state_shown_twice_is_one_sample() {
        let (mut series, mut shown) = (Series::default(), shown());
        at(&mut series, &mut shown, 1, 7);
        series.take(&shown, None);
        at(&mut series, &mut shown, 1, 7);
        assert_eq!(steps(&series), [7]);
    }

    #[test]
    fn the_ring_never_grows() {
        let (mut series, mut shown) = (Series::default(), shown());
        let room = series.samples.capacity();
        for step in 1..=(CAPACITY as u64 + 100) {
            at(&mut series, &mut shown, 1, step);
        }
        assert_eq!(series.samples.len(), CAPACITY);
        assert_eq!(series.samples.capacity(), room);
        assert_eq!(steps(&series)[0], 101);
    }
}
