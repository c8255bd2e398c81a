//! `prusik bench rods`: the time of one step of every rod model, at several sizes.

use prusik::bench::{ROD_SIZES, RodTable, rods};

use super::args::BenchRodsArgs;
use super::progress::progress_bar;
use super::table::{Table, short, short_or_dash};
use super::{Failure, print_json, print_line};

/// Measures and prints.
pub(super) fn bench_rods(args: &BenchRodsArgs) -> Result<(), Failure> {
    let rows: usize = ROD_SIZES.iter().map(|(_, sizes)| sizes.len()).sum();
    let bar = progress_bar(rows as u64, "rods");
    let table = rods(args.steps, |_| bar.inc(1)).map_err(Failure::fault)?;
    bar.finish_and_clear();
    if args.json {
        return print_json(&table);
    }
    print(&table)
}

fn print(table: &RodTable) -> Result<(), Failure> {
    print_line(format_args!(
        "One step of {} s without contacts, one thread, a strand swinging from its clamped root, median of {} steps;",
        table.dt_s, table.steps
    ))?;
    print_line(
        "size: helices of a super-helix, nodes of the others; growth: exponent of time over size.\n",
    )?;
    let mut text = Table::new(["model", "size", "unknowns", "µs", "passes", "growth"]);
    for row in &table.rows {
        text.add([
            row.model.to_owned(),
            row.size.to_string(),
            row.dofs.to_string(),
            short(row.us_per_step),
            short(row.passes),
            short_or_dash(row.growth),
        ]);
    }
    print_line(text)
}
