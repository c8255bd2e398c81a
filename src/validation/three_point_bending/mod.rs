//! Three-point bending \[Crespel24, sect. 4\]: the force on a support that bends a rod, against theory, for straight and
//! curved rods, with and without friction.
//!
//! | file | idea |
//! |---|---|
//! | `rig` | one rod in the scene, run and read off |
//! | `figures` | how far a run is off theory, and how rough its force is |
//! | `files` | tables and plots of all runs |

mod figures;
mod files;
mod rig;

pub use figures::{FROM, Figures};
pub use rig::{Rig, SAMPLE, Track};

use rayon::prelude::*;

use super::{Page, Plan, Rule, Runs};
use crate::body::RodModel;
use crate::contact::DetectorKind;

/// What the protocol claims.
pub const CLAIM: &str = "the force on a support that bends a rod is that of theory, and does not jump as the rod slides over it";
/// What it is held against.
pub const REFERENCE: &str =
    "Kirchhoff's rod in closed form: [Crespel24, eq. 1, app. A, D], friction acting at the surface";

/// Natural curvatures, 1/m; in haste, the extremes.
const CURVATURES_PER_M: &[f64] = &[0.0, 10.0, 20.0, CURVED_PER_M];
const QUICK_CURVATURES_PER_M: &[f64] = &[0.0, CURVED_PER_M];
/// Coefficients of friction, with the largest curvature; in haste, the largest.
const FRICTIONS: &[f64] = &[0.1, 0.2, 0.3, 0.4, 0.5];
const QUICK_FRICTIONS: &[f64] = &[0.5];
/// The largest natural curvature, 1/m.
const CURVED_PER_M: f64 = 30.0;
/// How far the support is lifted, m: 0.4 spans …
const DEPTH_M: f64 = 0.02;
/// … but for the largest curvature, where the rod would slip off at 0.33 spans.
const DEPTH_CURVED_M: f64 = 0.015;
/// Time step, s; in haste ten times that.
const DT_S: f64 = 1e-4;
const QUICK_DT_S: f64 = 1e-3;

/// Smooth detection must come as near as this to theory …
const MOST_DEVIATION: f64 = 5e-3;
/// … with the force at the beginning off by at most this share of its peak …
const MOST_AT_FIRST: f64 = 1e-3;
/// … no change of F/F_a between samples larger than this …
const MOST_JUMP: f64 = 2e-3;
/// … and, if it is curved, a force so many times smoother than with straight segments.
const LEAST_RATIO: f64 = 20.0;

/// How a rod is modelled and seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// For tables and legends.
    pub name: &'static str,
    /// Model of the rod.
    pub model: RodModel,
    /// How contact sees it.
    pub detector: DetectorKind,
}

/// Everything that is compared, smooth and straight in turn.
pub const VARIANTS: [Variant; 4] = [
    Variant {
        name: "super-helix, smooth",
        model: RodModel::SuperHelix,
        detector: DetectorKind::Smooth,
    },
    Variant {
        name: "super-helix, segments",
        model: RodModel::SuperHelix,
        detector: DetectorKind::Segments,
    },
    Variant {
        name: "discrete elastic, smooth",
        model: RodModel::DiscreteElastic,
        detector: DetectorKind::Smooth,
    },
    Variant {
        name: "discrete elastic, segments",
        model: RodModel::DiscreteElastic,
        detector: DetectorKind::Segments,
    },
];

/// One run and what it gave.
struct Run {
    rig: Rig,
    variant: Variant,
    track: Track,
    figures: Figures,
}

impl Run {
    fn case(&self) -> String {
        let curvature = per_cm(self.rig.curvature_per_m);
        match self.rig.friction {
            0.0 => format!("κ₀ = {curvature} /cm, {}", self.variant.name),
            mu => format!("κ₀ = {curvature} /cm, µ = {mu}, {}", self.variant.name),
        }
    }

    fn is_smooth(&self) -> bool {
        self.variant.detector == DetectorKind::Smooth
    }

    /// Whether the other differs in nothing but the detector.
    fn is_twin(&self, other: &Run) -> bool {
        self.rig.curvature_per_m == other.rig.curvature_per_m
            && self.rig.friction == other.rig.friction
            && self.variant.model == other.variant.model
            && self.variant.detector != other.variant.detector
    }
}

/// Runs the protocol. Errors are sentences.
pub fn run(plan: &Plan) -> Result<Page, String> {
    let rigs = rigs(plan);
    let watch = Runs::new(plan, rigs.len());
    let runs: Vec<Run> = rigs
        .into_par_iter()
        .map(|(rig, variant)| {
            let track = rig.run()?;
            watch.done();
            Ok(Run {
                figures: Figures::of(&track),
                rig,
                variant,
                track,
            })
        })
        .collect::<Result<_, String>>()?;
    let mut page = Page::default();
    judge(&runs, &mut page);
    if let Some(folder) = plan.out {
        page.files = files::write(&runs, folder)?;
    }
    Ok(page)
}

fn rigs(plan: &Plan) -> Vec<(Rig, Variant)> {
    let (curvatures, frictions, dt_s) = match plan.quick {
        true => (QUICK_CURVATURES_PER_M, QUICK_FRICTIONS, QUICK_DT_S),
        false => (CURVATURES_PER_M, FRICTIONS, DT_S),
    };
    let rig = |curvature_per_m: f64, friction: f64, variant: Variant| {
        let rig = Rig {
            curvature_per_m,
            friction,
            model: variant.model,
            detector: variant.detector,
            depth_m: match curvature_per_m < CURVED_PER_M {
                true => DEPTH_M,
                false => DEPTH_CURVED_M,
            },
            dt_s,
            changes: Vec::new(),
        };
        (rig, variant)
    };
    let plain = curvatures
        .iter()
        .flat_map(|&curvature| VARIANTS.map(|variant| rig(curvature, 0.0, variant)));
    let rough = frictions
        .iter()
        .flat_map(|&mu| [VARIANTS[0], VARIANTS[1]].map(|variant| rig(CURVED_PER_M, mu, variant)));
    plain.chain(rough).collect()
}

/// Checks of the smooth runs; of all runs what was seen.
fn judge(runs: &[Run], page: &mut Page) {
    for run in runs {
        let (case, figures) = (run.case(), &run.figures);
        page.result(
            &case,
            [
                ("deviation", figures.deviation),
                ("deviation_at", figures.deviation_at),
                ("beginning", figures.beginning),
                ("roughness", figures.roughness),
                ("jump", figures.jump),
                ("overlap_over_radius", run.track.overlap),
            ],
        );
        if !run.is_smooth() {
            continue;
        }
        let deviation = format!("largest |F/F_a − 1| from δ̄ = {FROM} on");
        page.check(
            &case,
            &deviation,
            figures.deviation,
            Rule::AtMost(MOST_DEVIATION),
        );
        page.check(
            &case,
            "largest |F − F_a| before, over the peak",
            figures.beginning,
            Rule::AtMost(MOST_AT_FIRST),
        );
        page.check(
            &case,
            "largest change of F/F_a between samples",
            figures.jump,
            Rule::AtMost(MOST_JUMP),
        );
        // A rod that is straight where it touches is the same to both, and both are smooth.
        let curved = run.rig.curvature_per_m > 0.0;
        if let Some(twin) = runs.iter().find(|other| curved && run.is_twin(other)) {
            page.check(
                &case,
                "roughness with segments over this one",
                twin.figures.roughness / figures.roughness,
                Rule::AtLeast(LEAST_RATIO),
            );
        }
    }
    page.notes.push(format!(
        "δ̄ is counted from first touch and sampled every {SAMPLE}; roughness is the mean |d(F/F_a)/dδ̄|. κ₀ = 0.3 /cm ends at \
         δ̄ = {}, as the rod would slip off at 0.33.",
        DEPTH_CURVED_M / 0.05
    ));
}

fn per_cm(curvature_per_m: f64) -> f64 {
    curvature_per_m / 100.0
}

#[cfg(test)]
mod tests;
