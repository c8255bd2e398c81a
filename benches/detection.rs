//! `cargo bench --bench detection`: how long it takes to find the closest points of smooth curves. `prusik bench detection`
//! prints more, as tables or as JSON.

use prusik::bench::detection::{Trace, detection};

fn main() -> Result<(), String> {
    let table = detection(&Trace::shipped()?, None, |_| ())?;
    println!(
        "find {:.0} ns, reject {:.0} ns (median {:.0} ns)",
        table.accept_ns, table.reject_ns, table.reject_median_ns
    );
    for row in &table.smooth {
        println!(
            "error {:.0e} m: {:.0} ns",
            row.mean_error_m, row.ns_per_pair
        );
    }
    for row in &table.segments {
        println!(
            "pieces, error {:.0e} m: {:.0} ns",
            row.mean_error_m, row.ns_per_pair
        );
    }
    Ok(())
}
