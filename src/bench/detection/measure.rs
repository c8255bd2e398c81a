//! The measurements: time against reached error [Crespel24, fig. 17], and time against the gap [Crespel24, fig. 18].

use cpu_time::ProcessTime;
use serde::Serialize;

use super::Trace;
use super::clock::{median_ns, time};
use super::segments::{PieceSearch, Pieces};
use super::summary::{growth, smallest_ratio};
use crate::geometry::Curve;
use crate::geometry::curve::{Closest, Search};

/// Tolerances of arc length that are tried, m.
const TOLERANCES_M: [f64; 11] = [
    1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12,
];
/// The one in use: what gaps, accepting and rejecting are measured with, m.
const USUAL_M: f64 = 1e-8;
/// What the others are held against, m.
const TRUTH_M: f64 = 1e-13;
/// Lengths of straight pieces that are tried, m.
const PIECES_M: [f64; 7] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5];
/// Ends of the intervals of the gap, in radii.
const GAPS_IN_RADII: [f64; 10] = [0.0, 0.1, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
/// Below this many touching pairs, the limit is raised.
const FEW: usize = 200;
/// Pieces held at once, a hundred bytes each.
const MOST_PIECES: f64 = 1e6;

/// Time and error at one tolerance.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorRow {
    /// Tolerance of a search, or longest piece, m of arc length.
    pub tolerance_m: f64,
    /// Pairs measured.
    pub pairs: usize,
    /// Of these, found.
    pub found: usize,
    /// Largest of the two parameter errors in m of arc length: mean over the pairs …
    pub mean_error_m: f64,
    /// … and median.
    pub median_error_m: f64,
    /// CPU time per pair, ns.
    pub ns_per_pair: f64,
    /// To cut a curve and plant its tree, ns; nothing for smooth curves.
    pub build_ns_per_curve: Option<f64>,
}

/// Time for pairs whose gap lies in an interval.
#[derive(Clone, Debug, Serialize)]
pub struct GapRow {
    /// Distance of the surfaces, m, from …
    pub from_m: Option<f64>,
    /// … to; open ends are left out.
    pub to_m: Option<f64>,
    /// Pairs in the interval.
    pub pairs: usize,
    /// CPU time per pair, ns.
    pub ns_per_pair: f64,
}

/// Everything measured.
#[derive(Clone, Debug, Serialize)]
pub struct DetectionTable {
    /// Curves of the trace.
    pub curves: usize,
    /// Pairs measured.
    pub pairs: usize,
    /// Radius of the strands, m.
    pub radius_m: f64,
    /// Mean length of a curve, m.
    pub length_m: f64,
    /// Curves are found if nearer than this, m: two radii, unless too few are.
    pub limit_m: f64,
    /// Pairs nearer than two radii.
    pub touching: usize,
    /// Pairs nearer than the limit.
    pub within_limit: usize,
    /// Pairs that the capsules around whole curves tell apart.
    pub apart_at_once: usize,
    /// Tolerance with which the next ones are measured, m.
    pub usual_tolerance_m: f64,
    /// To find a pair within the limit, ns of CPU time, mean.
    pub accept_ns: f64,
    /// To find one with the answer of the last time as a guess, ns.
    pub accept_with_guess_ns: f64,
    /// To reject a pair beyond the limit, ns, mean: most of it goes into the few that almost touch.
    pub reject_ns: f64,
    /// The same for the median pair, ns of wall time of many runs of the same pair.
    pub reject_median_ns: f64,
    /// Mean over mean.
    pub accept_over_reject: f64,
    /// Mean over median.
    pub accept_over_reject_median: f64,
    /// Smooth curves: time against error.
    pub smooth: Vec<ErrorRow>,
    /// Straight pieces: time against error.
    pub segments: Vec<ErrorRow>,
    /// By which the time is multiplied when the mean error is divided by 10: smooth curves.
    pub smooth_growth: f64,
    /// The same for straight pieces.
    pub segments_growth: f64,
    /// Time of straight pieces over that of smooth curves at the same or a smaller mean error, the smallest ratio
    /// wherever the pieces' mean error is below a thousandth of the length.
    pub segments_over_smooth: Option<f64>,
    /// Time against gap.
    pub gaps: Vec<GapRow>,
}

/// Measures on a trace, on its first `most` pairs if given; `done` hears of the share that is done.
pub fn detection(
    trace: &Trace,
    most: Option<usize>,
    mut done: impl FnMut(f64),
) -> Result<DetectionTable, String> {
    let curves = trace.curves();
    let count = most.unwrap_or(usize::MAX).min(trace.pairs.len());
    let pairs: Vec<[&Curve; 2]> = (trace.pairs[..count].iter())
        .map(|pair| pair.map(|i| &curves[i as usize]))
        .collect();
    if pairs.is_empty() {
        return Err("the trace has no pairs".into());
    }
    let mut search = Search::default();
    let distances: Vec<f64> = (pairs.iter())
        .map(|[a, b]| search.closest(a, b, f64::INFINITY, USUAL_M))
        .map(|found| found.map_or(f64::INFINITY, |found| found.distance))
        .collect();
    let two_radii = 2.0 * trace.radius_m;
    let nearer = |limit: f64| distances.iter().filter(|d| **d < limit).count();
    let limit = raised_limit(two_radii, &distances);
    let (near, far): (Vec<usize>, Vec<usize>) = (0..count).partition(|&k| distances[k] < limit);
    let pick =
        |chosen: &[usize]| -> Vec<[&Curve; 2]> { chosen.iter().map(|&k| pairs[k]).collect() };
    let (near, far) = (pick(&near), pick(&far));
    if near.is_empty() || far.is_empty() {
        return Err("the trace has no pairs that touch, or none that do not".into());
    }
    done(0.1);
    let accept_ns = time(&near, |[a, b]| search.closest(a, b, limit, USUAL_M));
    let reject_ns = time(&far, |[a, b]| search.closest(a, b, limit, USUAL_M));
    let reject_median_ns = median_ns(&far, |[a, b]| search.closest(a, b, limit, USUAL_M));
    let guessed = with_guesses(&near, limit, &mut search);
    let accept_with_guess_ns = time(&guessed, |(pair, guess)| {
        search.closest_from(pair[0], pair[1], limit, USUAL_M, *guess)
    });
    let apart_at_once = (pairs.iter())
        .filter(|[a, b]| !a.hull().near(b.hull(), limit))
        .count();
    let gaps = gap_rows(&pairs, &distances, limit, trace.radius_m, &mut search);
    done(0.3);
    // A little more than what makes them touch, so that no tolerance loses one.
    let room = limit * (1.0 + 1e-2);
    let truth: Vec<Option<Closest>> = (near.iter())
        .map(|[a, b]| search.closest(a, b, room, TRUTH_M))
        .collect();
    let smooth: Vec<ErrorRow> = TOLERANCES_M
        .iter()
        .map(|&tolerance| smooth_row(&near, &truth, room, tolerance, &mut search))
        .collect();
    done(0.5);
    let length_m = curves.iter().map(Curve::length_bound).sum::<f64>() / curves.len() as f64;
    let mut segments = Vec::new();
    for (k, &piece) in PIECES_M.iter().enumerate() {
        segments.push(segment_row(&near, &truth, room, piece));
        done(0.5 + 0.5 * (k + 1) as f64 / PIECES_M.len() as f64);
    }
    Ok(DetectionTable {
        curves: curves.len(),
        pairs: count,
        radius_m: trace.radius_m,
        length_m,
        limit_m: limit,
        touching: nearer(two_radii),
        within_limit: near.len(),
        apart_at_once,
        usual_tolerance_m: USUAL_M,
        accept_ns,
        accept_with_guess_ns,
        reject_ns,
        reject_median_ns,
        accept_over_reject: accept_ns / reject_ns,
        accept_over_reject_median: accept_ns / reject_median_ns,
        smooth_growth: growth(&smooth),
        segments_growth: growth(&segments),
        segments_over_smooth: smallest_ratio(&smooth, &segments, 1e-3 * length_m),
        smooth,
        segments,
        gaps,
    })
}

/// Two radii, or more if too few pairs are nearer than that.
fn raised_limit(two_radii: f64, distances: &[f64]) -> f64 {
    let mut sorted = distances.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.get(FEW) {
        Some(&enough) if sorted.len() > 2 * FEW => two_radii.max(enough),
        _ => two_radii.max(sorted[sorted.len() / 2] * (1.0 + 1e-6)),
    }
}

type Guessed<'a> = ([&'a Curve; 2], Option<(f64, f64)>);

fn with_guesses<'a>(pairs: &[[&'a Curve; 2]], limit: f64, search: &mut Search) -> Vec<Guessed<'a>> {
    let guess = |[a, b]: [&Curve; 2], search: &mut Search| {
        let found = search.closest(a, b, limit, USUAL_M)?;
        Some((found.s, found.t))
    };
    (pairs.iter())
        .map(|pair| (*pair, guess(*pair, search)))
        .collect()
}

fn smooth_row(
    pairs: &[[&Curve; 2]],
    truth: &[Option<Closest>],
    limit: f64,
    tolerance_m: f64,
    search: &mut Search,
) -> ErrorRow {
    let found: Vec<_> = (pairs.iter())
        .map(|[a, b]| search.closest(a, b, limit, tolerance_m))
        .collect();
    let ns = time(pairs, |[a, b]| search.closest(a, b, limit, tolerance_m));
    error_row(pairs, truth, &found, tolerance_m, ns)
}

/// On fewer pairs the shorter the pieces are, evenly chosen, so that their trees fit into memory.
fn segment_row(
    pairs: &[[&Curve; 2]],
    truth: &[Option<Closest>],
    limit: f64,
    piece_m: f64,
) -> ErrorRow {
    let count_of = |pair: &[&Curve; 2]| (pair[0].length_bound() + pair[1].length_bound()) / piece_m;
    let mean = pairs.iter().map(count_of).sum::<f64>() / pairs.len() as f64;
    let most = ((MOST_PIECES / mean) as usize).clamp(10, pairs.len().max(10));
    let stride = pairs.len().div_ceil(most);
    let chosen: Vec<[&Curve; 2]> = pairs.iter().step_by(stride).copied().collect();
    let truth: Vec<_> = truth.iter().step_by(stride).copied().collect();
    let clock = ProcessTime::now();
    let trees: Vec<[Pieces; 2]> = (chosen.iter())
        .map(|pair| pair.map(|curve| Pieces::new(curve, piece_m)))
        .collect();
    let build_ns = 1e9 * clock.elapsed().as_secs_f64() / (2 * chosen.len()) as f64;
    // Pieces cut corners: what touches may seem farther apart by what they cut off.
    let sag = |curve: &Curve| {
        let share = (piece_m / curve.length_bound()).min(1.0);
        curve.second_bound(0.0, 1.0) * share * share / 8.0
    };
    let sags = (chosen.iter())
        .map(|[a, b]| sag(a) + sag(b))
        .fold(0.0, f64::max);
    let mut search = PieceSearch::default();
    let found: Vec<_> = (trees.iter())
        .map(|[a, b]| search.closest(a, b, limit + sags))
        .collect();
    let ns = time(&trees, |[a, b]| search.closest(a, b, limit + sags));
    ErrorRow {
        build_ns_per_curve: Some(build_ns),
        ..error_row(&chosen, &truth, &found, piece_m, ns)
    }
}

fn error_row(
    pairs: &[[&Curve; 2]],
    truth: &[Option<Closest>],
    found: &[Option<Closest>],
    tolerance_m: f64,
    ns_per_pair: f64,
) -> ErrorRow {
    let mut errors: Vec<f64> = (pairs.iter().zip(truth).zip(found))
        .filter_map(|((pair, truth), found)| {
            let (truth, found) = ((*truth)?, (*found)?);
            let s = (truth.s - found.s).abs() * pair[0].length_bound();
            let t = (truth.t - found.t).abs() * pair[1].length_bound();
            Some(s.max(t))
        })
        .collect();
    errors.sort_by(f64::total_cmp);
    let count = errors.len();
    ErrorRow {
        tolerance_m,
        pairs: pairs.len(),
        found: count,
        mean_error_m: errors.iter().sum::<f64>() / count.max(1) as f64,
        median_error_m: errors.get(count / 2).copied().unwrap_or(f64::NAN),
        ns_per_pair,
        build_ns_per_curve: None,
    }
}

fn gap_rows(
    pairs: &[[&Curve; 2]],
    distances: &[f64],
    limit: f64,
    radius_m: f64,
    search: &mut Search,
) -> Vec<GapRow> {
    let ends: Vec<f64> = GAPS_IN_RADII.iter().map(|gap| gap * radius_m).collect();
    let mut rows = Vec::new();
    for k in 0..=ends.len() {
        let from = (k > 0).then(|| ends[k - 1]);
        let to = ends.get(k).copied();
        let inside = |gap: f64| from.is_none_or(|from| gap >= from) && to.is_none_or(|to| gap < to);
        let chosen: Vec<[&Curve; 2]> = (pairs.iter().zip(distances))
            .filter(|(_, distance)| inside(**distance - limit))
            .map(|(pair, _)| *pair)
            .collect();
        if !chosen.is_empty() {
            rows.push(GapRow {
                from_m: from,
                to_m: to,
                pairs: chosen.len(),
                ns_per_pair: time(&chosen, |[a, b]| search.closest(a, b, limit, USUAL_M)),
            });
        }
    }
    rows
}
