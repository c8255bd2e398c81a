//! `prusik bench drawing`.

use super::Failure;
use super::args::BenchDrawingArgs;

/// Draws offscreen and says how long it took.
#[cfg(feature = "app")]
pub(super) fn bench(args: &BenchDrawingArgs) -> Result<(), Failure> {
    use super::progress::progress_bar;
    use super::{print_json, print_line};

    let scene = prusik::scene::load("knot", &[]).map_err(Failure::new)?;
    let progress = progress_bar(6, "kinds of frames");
    let table = prusik::app::drawing(&scene, args.frames, |_| progress.inc(1));
    progress.finish_and_clear();
    let table = table.map_err(Failure::new)?;
    if args.json {
        return print_json(&table);
    }
    let (width, height) = table.size;
    let kind = if table.software { ", software" } else { "" };
    print_line(format!("{}{kind}, {width}x{height}", table.adapter))?;
    print_line("strands × nodes  colour    frame ms (slowest)   ours ms (slowest)")?;
    for row in &table.rows {
        print_line(format!(
            "{:7} × {:5}  {:8}  {:8.1} ({:7.1})   {:7.3} ({:7.3})",
            row.strands,
            row.nodes,
            row.color,
            row.frame_ms,
            row.slowest_frame_ms,
            row.ours_ms,
            row.slowest_ours_ms
        ))?;
    }
    Ok(())
}

/// Says that there is no window.
#[cfg(not(feature = "app"))]
pub(super) fn bench(args: &BenchDrawingArgs) -> Result<(), Failure> {
    let BenchDrawingArgs { frames, json } = args;
    Err(Failure::usage(format!(
        "this build draws nothing ({frames} frames{} asked for); build it with `cargo build --release`, without \
         --no-default-features",
        if *json { " as JSON" } else { "" }
    )))
}
