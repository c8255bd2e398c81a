//! `prusik bench detection`: smooth curves against straight pieces.

use std::path::Path;

use prusik::bench::detection::{DetectionTable, ErrorRow, GapRow, Trace, detection, record};

use super::args::BenchDetectionArgs;
use super::progress::progress_bar;
use super::table::{Table, short, short_or_dash};
use super::{Failure, print_json, print_line};

/// Measures and prints, or makes the trace again.
pub(super) fn bench_detection(args: &BenchDetectionArgs) -> Result<(), Failure> {
    if let (Some(out), Some(scene)) = (&args.record, &args.scene) {
        return make(scene, out);
    }
    let trace = Trace::shipped().map_err(Failure::new)?;
    let bar = progress_bar(100, "detection");
    let done = |share: f64| bar.set_position((100.0 * share) as u64);
    let table = detection(&trace, args.pairs, done).map_err(Failure::new)?;
    bar.finish_and_clear();
    if args.json {
        return print_json(&table);
    }
    print(&table)
}

fn make(scene: &str, out: &Path) -> Result<(), Failure> {
    let bar = progress_bar(0, "steps");
    let trace = record(scene, |step, steps| {
        bar.set_length(steps);
        bar.set_position(step);
    })
    .map_err(Failure::new)?;
    bar.finish_and_clear();
    std::fs::write(out, trace.write())
        .map_err(|error| Failure::new(format!("{} cannot be written: {error}", out.display())))?;
    print_line(format_args!(
        "{} curves, {} pairs",
        trace.helices.len(),
        trace.pairs.len()
    ))
}

fn print(table: &DetectionTable) -> Result<(), Failure> {
    print_line(format_args!(
        "{} pairs of {} helices of a lock of hair, each {:.3} m long, radius {} m; {} touch, {} are nearer than {:.1e} m, the limit \
         here. The capsules around them tell {} pairs apart at once. CPU times.\n",
        table.pairs,
        table.curves,
        table.length_m,
        short(table.radius_m),
        table.touching,
        table.within_limit,
        table.limit_m,
        table.apart_at_once,
    ))?;
    print_line(format_args!(
        "At a tolerance of {:.0e} m: {} ns to find a pair ({} with the last answer as a guess); to reject one {} ns on average \
         and {} for the median pair, ratios of {} and {}.\n",
        table.usual_tolerance_m,
        short(table.accept_ns),
        short(table.accept_with_guess_ns),
        short(table.reject_ns),
        short(table.reject_median_ns),
        short(table.accept_over_reject),
        short(table.accept_over_reject_median),
    ))?;
    print_line("Smooth curves, on the pairs within the limit: error in m of arc length.\n")?;
    print_line(errors(&table.smooth, "tolerance"))?;
    print_line("Straight pieces in trees of boxes, built beforehand.\n")?;
    print_line(errors(&table.segments, "piece"))?;
    print_line(format_args!(
        "A ten times smaller error costs {} times the time with smooth curves, {} times with pieces. Pieces take at least {} \
         times as long wherever their mean error is below a thousandth of the length.\n",
        short(table.smooth_growth),
        short(table.segments_growth),
        short_or_dash(table.segments_over_smooth),
    ))?;
    print_line("Time against the gap to the limit.\n")?;
    print_line(gaps(&table.gaps))
}

fn errors(rows: &[ErrorRow], tolerance: &str) -> Table {
    let heading = [
        tolerance,
        "pairs",
        "found",
        "mean error",
        "median",
        "ns",
        "ns to build",
    ];
    let mut text = Table::new(heading);
    for row in rows {
        text.add([
            format!("{:.0e}", row.tolerance_m),
            row.pairs.to_string(),
            row.found.to_string(),
            format!("{:.1e}", row.mean_error_m),
            format!("{:.1e}", row.median_error_m),
            short(row.ns_per_pair),
            short_or_dash(row.build_ns_per_curve),
        ]);
    }
    text
}

fn gaps(rows: &[GapRow]) -> Table {
    let end = |end: Option<f64>| end.map_or_else(|| "–".into(), |end| format!("{end:.1e}"));
    let mut text = Table::new(["from m", "to m", "pairs", "ns"]);
    for row in rows {
        text.add([
            end(row.from_m),
            end(row.to_m),
            row.pairs.to_string(),
            short(row.ns_per_pair),
        ]);
    }
    text
}
