//! Drags of every model by several seeds, as a page.

use rayon::prelude::*;

use super::{DragOptions, DragResult, violent_drag};
use crate::body::{RodModel, SAG_OVER_RADIUS};
use crate::contact::DetectorKind;
use crate::contact::passing::DEEP;
use crate::validation::{Page, Plan, Rule, Runs};

/// What the protocol claims.
pub const CLAIM: &str = "whatever hands and needles do at up to 20 m/s, nothing passes through anything and knots stay knotted";
/// What it is held against.
pub const REFERENCE: &str = "a check of the centrelines that shares nothing with detection, and the determinant of the knot";

/// Seeds per model and kind of drag, and seconds of each; in haste, fewer and shorter.
const SEEDS: u64 = 5;
const SECONDS: f64 = 5.0;
const QUICK_SEEDS: u64 = 1;
const QUICK_SECONDS: f64 = 0.3;
/// By how much a distance may be off, in radii.
const ROUNDING: f64 = 1e-9;

/// Runs the protocol. Errors are sentences.
pub fn run(plan: &Plan) -> Result<Page, String> {
    let (seeds, seconds) = match plan.quick {
        true => (QUICK_SEEDS, QUICK_SECONDS),
        false => (SEEDS, SECONDS),
    };
    let (seeds, seconds) = (plan.seeds.unwrap_or(seeds), plan.seconds.unwrap_or(seconds));
    let mut drags = Vec::new();
    for model in RodModel::ALL {
        for needles in [false, true] {
            for detector in DetectorKind::ALL {
                let drag = |seed| DragOptions {
                    detector,
                    ..DragOptions::for_seed(model, seed, seconds, needles)
                };
                let last = plan.first_seed.saturating_add(seeds);
                drags.extend((plan.first_seed..last).map(drag));
            }
        }
    }
    if let Some(part) = plan.only {
        drags.retain(|drag| name(drag).contains(part));
        if drags.is_empty() {
            return Err(format!(
                "no case's name contains \"{part}\"; names are like \"corde, knot, smooth, seed 3, 4 ms\""
            ));
        }
    }
    let watch = Runs::new(plan, drags.len());
    let results: Vec<DragResult> = drags
        .par_iter()
        .map(|drag| {
            let result = violent_drag(drag).map_err(|why| why.to_string())?;
            // A minute each, and there may be hundreds: what is known must not be lost with the rest.
            watch.done_with(&line(drag, &result));
            Ok(result)
        })
        .collect::<Result<_, String>>()?;
    let mut page = Page::default();
    for (drag, result) in drags.iter().zip(&results) {
        judge(drag, result, &mut page);
    }
    Ok(page)
}

/// What a case is called.
fn name(drag: &DragOptions) -> String {
    format!(
        "{}, {}, {}, seed {}, {:.0} ms",
        drag.model.name(),
        if drag.needles { "needles" } else { "knot" },
        drag.detector.name(),
        drag.seed,
        1e3 * drag.dt_s
    )
}

/// What a run gave, in a line.
fn line(drag: &DragOptions, result: &DragResult) -> String {
    let mut text = format!(
        "{}: {} crossings in {} steps, overlap up to {:.2} radii, {} held back, up to {:.0} m/s",
        name(drag),
        result.crossings,
        result.steps,
        result.worst_overlap_over_radius,
        result.held_back,
        result.fastest_m_s
    );
    for (wrong, words) in [
        (!result.finite, "; it had to stop"),
        // Amid needles a free end may tie and untie it.
        (!drag.needles && !result.knot_kept, "; its knot was lost"),
    ] {
        if wrong {
            text.push_str(words);
        }
    }
    text
}

fn judge(drag: &DragOptions, result: &DragResult, page: &mut Page) {
    let case = name(drag);
    page.result(
        &case,
        [
            ("steps", result.steps as f64),
            ("substeps", result.substeps as f64),
            ("held_back", result.held_back as f64),
            ("overlap_max_over_radius", result.worst_overlap_over_radius),
            ("fastest_m_s", result.fastest_m_s),
        ],
    );
    let none = Rule::AtMost(0.0);
    let crossings = result.crossings as f64;
    page.check(&case, "pieces that passed through", crossings, none);
    let reported = result.worst_overlap_over_radius;
    let (deepest, allowed) = match drag.detector {
        DetectorKind::Segments => (reported.max(result.witnessed_overlap_over_radius), DEEP),
        // What is judged is a line along the curves, off each by that much; their nodes tell less.
        DetectorKind::Smooth => (reported, DEEP + 2.0 * SAG_OVER_RADIUS),
    };
    let rule = Rule::AtMost(allowed + ROUNDING);
    page.check(&case, "deepest overlap, radii", deepest, rule);
    let count = |wrong: bool| f64::from(u8::from(wrong));
    page.check(&case, "steps that had to stop", count(!result.finite), none);
    if !drag.needles {
        let lost = count(!result.knot_kept);
        page.check(&case, "knots lost but around an end", lost, none);
    }
}
