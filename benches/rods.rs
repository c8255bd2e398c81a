//! `cargo bench --bench rods`: the time of one step of every rod model, without contacts. `prusik bench rods` prints the
//! same as a table or as JSON.

use prusik::bench::{RodRow, rods};

/// Enough for a steady median.
const STEPS: usize = 200;

fn main() -> Result<(), String> {
    rods(STEPS, |row: &RodRow| {
        let RodRow {
            model,
            size,
            us_per_step,
            passes,
            ..
        } = row;
        let growth = row
            .growth
            .map_or_else(String::new, |g| format!(", grows as n^{g:.2}"));
        println!("{model} {size}: {us_per_step:.1} µs, {passes:.2} passes{growth}");
    })?;
    Ok(())
}
