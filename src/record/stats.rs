//! Statistics per step, as CSV: one row for each step, for plots.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::world::World;

/// Column names; units are in the names.
const COLUMNS: [&str; 25] = [
    "step",
    "time_s",
    "contacts",
    "nu",
    "solver_error",
    "solved",
    "iterations",
    "passes",
    "motion_error_over_radius",
    "substeps",
    "held_back",
    "penetration_over_radius",
    "crossings",
    "max_speed_m_s",
    "kinetic_j",
    "elastic_j",
    "gravity_j",
    "dynamics_ms",
    "detection_ms",
    "assembly_ms",
    "solve_ms",
    "advance_ms",
    "check_ms",
    "other_ms",
    "broad_ms",
];

/// A file of statistics.
pub struct StatsFile {
    path: PathBuf,
    writer: csv::Writer<File>,
}

impl StatsFile {
    /// Creates the file and writes the names of its columns. Errors are sentences.
    pub fn create(path: &Path) -> Result<Self, String> {
        let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
        let mut stats = Self {
            path: path.to_owned(),
            writer: csv::Writer::from_writer(file),
        };
        stats
            .writer
            .write_record(COLUMNS)
            .map_err(|error| cannot_write(&stats.path, &error))?;
        Ok(stats)
    }

    /// Writes the step that the world has just made.
    pub fn write(&mut self, world: &World) -> Result<(), String> {
        let step = world.report();
        let numbers = [
            step.solver_error,
            step.penetration_over_radius,
            step.max_speed_m_s,
            step.energies.kinetic_j,
            step.energies.elastic_j,
            step.energies.gravity_j,
            step.phases.dynamics_ms,
            step.phases.detection_ms,
            step.phases.assembly_ms,
            step.phases.solve_ms,
            step.phases.advance_ms,
            step.phases.check_ms,
            step.phases.other_ms,
            step.phases.broad_ms,
        ]
        .map(|number| format!("{number:e}"));
        let mut row = vec![
            world.steps().to_string(),
            world.time_s().to_string(),
            step.contacts.to_string(),
            step.nu.to_string(),
            numbers[0].clone(),
            u8::from(step.solved).to_string(),
            step.iterations.to_string(),
            step.passes.to_string(),
            format!("{:e}", step.motion_error),
            step.substeps.to_string(),
            step.held_back.to_string(),
            numbers[1].clone(),
            step.crossings.to_string(),
        ];
        row.extend_from_slice(&numbers[2..]);
        self.writer
            .write_record(&row)
            .map_err(|error| cannot_write(&self.path, &error))
    }

    /// Makes sure that everything is on disk.
    pub fn finish(mut self) -> Result<(), String> {
        self.writer
            .flush()
            .map_err(|error| cannot_write(&self.path, &error))
    }
}

fn cannot_write(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("the file {} cannot be written: {error}", path.display())
}
