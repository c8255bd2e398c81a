//! Tables of what plots show, as CSV files, written on other threads.

use std::path::{Path, PathBuf};

use bevy::prelude::*;
use crossbeam_channel::{Receiver, Sender, bounded};

use super::{Channel, GAUGES, Sample, Series};
use crate::app::colour::ColorMode;
use crate::app::screenshot::file_stem;
use crate::app::shown::Shown;
use crate::app::toasts::Toasts;
use crate::world::{Snapshot, StrandPoint};

/// Writes tables.
pub struct ExportPlugin;

impl Plugin for ExportPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<ExportRequest>()
            .init_resource::<Exports>()
            .add_systems(Update, (export, report_exports).chain());
    }
}

/// What a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// All samples over time.
    Time,
    /// Tension, curvature and the like along the strand with this index, now.
    Strand(usize),
}

/// Asks for a table.
#[derive(Message, Clone, Copy, Debug)]
pub struct ExportRequest(pub Table);

/// Tables being written on other threads.
#[derive(Resource)]
struct Exports {
    tell: Sender<Result<PathBuf, String>>,
    told: Receiver<Result<PathBuf, String>>,
}

impl Default for Exports {
    fn default() -> Self {
        let (tell, told) = bounded(16);
        Self { tell, told }
    }
}

fn export(
    mut requests: MessageReader<ExportRequest>,
    series: Res<Series>,
    shown: Res<Shown>,
    exports: Res<Exports>,
    mut toasts: ResMut<Toasts>,
) {
    for ExportRequest(table) in requests.read() {
        let (rows, what) = match *table {
            Table::Time => (time_rows(&series), "time".to_owned()),
            Table::Strand(index) => (
                strand_rows(&shown.snapshot, index),
                format!("strand-{}", index + 1),
            ),
        };
        if rows.len() < 2 {
            toasts.warn("There is nothing to write yet: let it run for a moment");
            continue;
        }
        let path = PathBuf::from(format!("{}-{what}.csv", file_stem(&shown)));
        let path = std::path::absolute(&path).unwrap_or(path);
        let tell = exports.tell.clone();
        std::thread::spawn(move || {
            let written = write_rows(&path, &rows);
            // Nobody listens any more when the window is gone.
            let _ = tell.send(written.map(|()| path));
        });
    }
}

fn report_exports(exports: Res<Exports>, mut toasts: ResMut<Toasts>) {
    while let Ok(outcome) = exports.told.try_recv() {
        match outcome {
            Ok(path) => toasts.say(format!("Saved {}", path.display())),
            Err(why) => toasts.warn(why),
        }
    }
}

fn write_rows(path: &Path, rows: &[Vec<String>]) -> Result<(), String> {
    let failed = |why: String| {
        format!(
            "cannot write {}: {why}; check that its folder may be written to",
            path.display()
        )
    };
    let mut table = csv::Writer::from_path(path).map_err(|why| failed(why.to_string()))?;
    for row in rows {
        table
            .write_record(row)
            .map_err(|why| failed(why.to_string()))?;
    }
    table.flush().map_err(|why| failed(why.to_string()))
}

/// A number, or nothing where there is none.
fn cell(value: f32) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        String::new()
    }
}

fn time_rows(series: &Series) -> Vec<Vec<String>> {
    let columns = ["time_s", "step"].map(str::to_owned).into_iter();
    let figures = Channel::ALL.iter().map(|c| c.column().to_owned());
    let count = series.probes().count();
    let forces = series.probes().map(|name| format!("force_n {name}"));
    let point = series.gauged_at();
    let gauged = GAUGES.iter().filter_map(|gauge| {
        let point = point?;
        Some(format!("{} {point}", gauge_column(*gauge)))
    });
    let head = columns.chain(figures).chain(forces).chain(gauged).collect();
    let row = |sample: &Sample| {
        let place = [sample.time_s.to_string(), sample.step.to_string()].into_iter();
        let figures = sample.figures.iter().map(|value| cell(*value));
        let forces = sample.forces_n.iter().take(count);
        let gauged = sample.gauged.iter().filter(|_| point.is_some());
        place
            .chain(figures)
            .chain(forces.chain(gauged).map(|value| cell(*value)))
            .collect()
    };
    std::iter::once(head)
        .chain(series.samples.iter().map(row))
        .collect()
}

/// The column of something that is measured at a point, as in the table of a whole strand.
fn gauge_column(gauge: ColorMode) -> &'static str {
    match gauge {
        ColorMode::Strand => "",
        ColorMode::Tension => "tension_n",
        ColorMode::BendingMoment => "bending_moment_n_m",
        ColorMode::Curvature => "curvature_per_m",
        ColorMode::Twist => "twist_rad_per_m",
        ColorMode::Speed => "speed_m_s",
        ColorMode::ContactForce => "contact_force_n",
    }
}

fn strand_rows(snapshot: &Snapshot, index: usize) -> Vec<Vec<String>> {
    let head = [
        "arc_m",
        "x_m",
        "y_m",
        "z_m",
        "tension_n",
        "curvature_per_m",
        "twist_rad_per_m",
        "speed_m_s",
        "contact_force_n",
        "bending_moment_n_m",
        "twist_moment_n_m",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(along(snapshot, index).map(|(arc, point)| {
        let [x, y, z] = point.position;
        let values = [
            arc,
            x,
            y,
            z,
            point.tension,
            point.curvature,
            point.twist,
            point.speed,
            point.contact_force,
            point.bending_moment,
            point.twist_moment,
        ];
        values.map(cell).to_vec()
    }));
    rows
}

/// The nodes of a strand with their arc length from its start, m; none for a strand that is not there.
pub fn along(snapshot: &Snapshot, index: usize) -> impl Iterator<Item = (f32, &StrandPoint)> {
    let strand = snapshot.strands.get(index);
    let range = strand.map_or(0..0, |s| s.first as usize..(s.first + s.count) as usize);
    let points = snapshot.points.get(range).unwrap_or_default();
    let mut arc = 0.0;
    let mut previous: Option<Vec3> = None;
    points.iter().map(move |point| {
        let position = Vec3::from(point.position);
        arc += previous.map_or(0.0, |p| p.distance(position));
        previous = Some(position);
        (arc, point)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_cell_for_every_column() {
        let scene = crate::scene::load("drape", &[]).expect("ships");
        let (mut series, mut shown) = (Series::default(), Shown::new(scene));
        shown.snapshot.report.solver_error = 1e-7;
        for step in [1, 2] {
            shown.snapshot.step = step;
            shown.snapshot_count += 1;
            series.take(&shown, None);
        }
        assert_eq!(time_rows(&series).len(), 3);
        let point = crate::world::MaterialPoint {
            rod: 0,
            element: 3,
            fraction: 0.5,
        };
        series.take(&shown, Some(point));
        let rows = time_rows(&series);
        let last = rows[0].last().expect("columns");
        assert!(last.starts_with("contact_force_n "), "{last}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()));
        assert_eq!(rows[0][2], "residual");
        assert_eq!(rows[1][2].parse(), Ok(1e-7_f32));
    }

    #[test]
    fn arc_length_along_a_strand_is_the_sum_of_its_pieces() {
        let scene = crate::scene::load("drape", &[]).expect("ships");
        let world = crate::world::World::new(scene.spec).expect("builds");
        let mut snapshot = Snapshot::default();
        world.snapshot(&mut snapshot);
        let arcs: Vec<f32> = along(&snapshot, 0).map(|(arc, _)| arc).collect();
        assert_eq!(arcs.first(), Some(&0.0));
        assert!(arcs.windows(2).all(|pair| pair[0] < pair[1]));
        let rows = strand_rows(&snapshot, 0);
        assert_eq!(rows.len(), arcs.len() + 1);
        assert_eq!(along(&snapshot, 10_000).count(), 0);
    }
}
