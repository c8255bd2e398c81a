//! What others report, as tables of facts.
//!
//! - [`paper_row`]: [Daviet11, table 2], local solvers within Gauss-Seidel on 306 one-step problems of a pony tail. Times
//!   are of a Core i7 of 2011 and of larger problems: compare rows with rows, not with ours.
//! - [`peer`]: times of Siconos and so-bogus on problems of their own collections (FCLIB \[Acary14\] and Siconos' tests),
//!   to `rel` ≤ 1e-6 from nothing within 10,000 iterations, CPU milliseconds of one thread, median of three; `nsgs` stops
//!   by its own error at 1e-6. Machines differ: scale by `nsgs` here over there.

use serde::Serialize;

/// A row of [Daviet11, table 2].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PaperRow {
    /// What the paper calls the method.
    pub method: &'static str,
    /// Calls to the fail-safe, %.
    pub failsafe_percent: Option<f64>,
    /// Local problems that did not reach tolerance, %.
    pub local_failures_percent: f64,
    /// One-step problems not solved to tolerance, %.
    pub unsolved_percent: f64,
    /// Mean number of Gauss-Seidel iterations.
    pub mean_iterations: f64,
    /// Mean time, ms.
    pub mean_ms: f64,
}

/// Our name, theirs, and the five columns.
type Row = (&'static str, &'static str, Option<f64>, [f64; 4]);

const PAPER: [Row; 11] = [
    ("gs-4sides", "4sides", None, [0.0, 0.0, 575.0, 6497.0]),
    ("gs-duriez08", "Duriez08", None, [2.45, 50.0, 267.0, 4336.0]),
    ("gs-ac", "PAC", None, [0.43, 19.3, 163.0, 1265.0]),
    ("gs-ac-damped", "DAC", None, [0.26, 0.33, 60.0, 874.0]),
    ("gs-fb", "MFB", None, [0.13, 4.9, 72.0, 484.0]),
    ("gs-enum", "Enum", None, [5e-4, 1.0, 67.0, 1044.0]),
    (
        "gs-4sides+enum",
        "4sides + Enum",
        Some(38.7),
        [1e-3, 0.0, 47.0, 763.0],
    ),
    (
        "gs-duriez08+enum",
        "Duriez08 + Enum",
        Some(51.0),
        [7e-4, 0.33, 90.0, 1447.0],
    ),
    (
        "gs-ac+enum",
        "PAC + Enum",
        Some(0.1),
        [1e-5, 0.0, 62.0, 543.0],
    ),
    (
        "gs-ac-damped+enum",
        "DAC + Enum",
        Some(0.09),
        [1e-6, 0.0, 57.0, 789.0],
    ),
    (
        "gs-hybrid",
        "MFB + Enum",
        Some(0.07),
        [1e-6, 0.0, 41.0, 312.0],
    ),
];

/// The paper's row on our solver of this name.
pub fn paper_row(solver: &str) -> Option<PaperRow> {
    let (_, method, failsafe_percent, [local, unsolved, iterations, ms]) =
        *PAPER.iter().find(|row| row.0 == solver)?;
    Some(PaperRow {
        method,
        failsafe_percent,
        local_failures_percent: local,
        unsolved_percent: unsolved,
        mean_iterations: iterations,
        mean_ms: ms,
    })
}

/// Times of other programs on a problem, ms; none where the tolerance was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Peer {
    /// How the name of its file begins.
    pub file: &'static str,
    /// Number of contacts.
    pub n: usize,
    /// The best of Siconos' nsgs, nsn_ac and admm and of so-bogus' Gauss-Seidel and projected gradient.
    pub best_ms: Option<f64>,
    /// Siconos' Gauss-Seidel.
    pub nsgs_ms: Option<f64>,
    /// so-bogus' Gauss-Seidel: the hybrid of [Daviet11, alg. 1] by its authors.
    pub so_bogus_gs_ms: Option<f64>,
}

const PEERS: [Peer; 12] = [
    known("NESpheres_10_", 9, [0.031, 0.076, 0.10]),
    known("OneObject-i1028-138", 23, [4.1, 5.8, 7.1]),
    known("OneObject-i100000-499", 24, [4.7, NO, NO]),
    known("BoxesStack1-i100000-32", 52, [47.0, NO, NO]),
    known("Confeti-ex03", 54, [0.99, 1.3, 2.8]),
    known("LMGC_100", 60, [4.4, 29.0, NO]),
    known("Box_Stacks", 82, [0.71, 1.2, 3.3]),
    known("Capsules-i101-404", 225, [7.2, 1100.0, 164.0]),
    known("Capsules-i103-990", 275, [21.0, 354.0, 22.0]),
    known("Capsules-i100-1090", 276, [22.0, 588.0, 25.0]),
    known("Spheres-i099", 356, [7.0, 34.0, 7.0]),
    known("RockPile", 463, [NO, NO, NO]),
];

/// The tolerance was not reached.
const NO: f64 = f64::INFINITY;

/// `ms` = best of all, nsgs, so-bogus' Gauss-Seidel.
const fn known(file: &'static str, n: usize, ms: [f64; 3]) -> Peer {
    const fn some(ms: f64) -> Option<f64> {
        if ms < NO { Some(ms) } else { None }
    }
    Peer {
        file,
        n,
        best_ms: some(ms[0]),
        nsgs_ms: some(ms[1]),
        so_bogus_gs_ms: some(ms[2]),
    }
}

/// What is published on the problem in the file of this name, with so many contacts.
pub fn peer(file: &str, n: usize) -> Option<Peer> {
    PEERS
        .into_iter()
        .find(|peer| file.starts_with(peer.file) && n == peer.n)
}

/// A row of [Bertails11, table I] (Core 2 Duo, 2.1 GHz, one thread), and the scene that shows the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PublishedScene {
    /// Name of the row.
    pub label: &'static str,
    /// The shipped scene.
    pub scene: &'static str,
    /// What is changed in it.
    pub sets: &'static [&'static str],
    /// Strands, and elements or nodes of each.
    pub size: &'static str,
    /// Rod model.
    pub model: &'static str,
    /// Coefficient of friction.
    pub mu: f64,
    /// Time step, ms.
    pub dt_ms: f64,
    /// Most contacts.
    pub published_contacts_max: Option<usize>,
    /// Largest ν.
    pub published_nu_max: Option<f64>,
    /// Mean time per step, s.
    pub seconds_per_step: Option<f64>,
}

/// Table I, and the two scenes that the paper shows without figures.
pub const TABLE_ONE: [PublishedScene; 10] = [
    scene(
        "plectoneme",
        "plectoneme",
        &[],
        ("1 × 20", "super-helix", 0.0, 11.0),
        Some((18, 0.9, 0.04)),
    ),
    scene(
        "tight_knot",
        "tight_knot",
        &[],
        ("1 × 20", "super-helix", 0.0, 11.0),
        Some((8, 0.4, 0.033)),
    ),
    scene(
        "wavy_hair, µ 0",
        "wavy_hair",
        &["friction.default=0"],
        ("84 × 8", "super-helix", 0.0, 11.0),
        Some((392, 0.58, 2.6)),
    ),
    scene(
        "wavy_hair",
        "wavy_hair",
        &[],
        ("84 × 8", "super-helix", 0.3, 11.0),
        Some((380, 0.57, 41.2)),
    ),
    scene(
        "self_stacking",
        "self_stacking",
        &[],
        ("1 × 256", "CORDE", 0.3, 0.25),
        Some((303, 1.18, 0.31)),
    ),
    scene(
        "spaghetti_7",
        "spaghetti_7",
        &[],
        ("7 × 16", "CORDE", 0.3, 0.1),
        Some((121, 1.08, 0.36)),
    ),
    scene(
        "spaghetti_31",
        "spaghetti_31",
        &[],
        ("31 × 16", "mass-spring", 0.3, 1.0),
        Some((653, 1.32, 2.26)),
    ),
    scene(
        "spaghetti_76",
        "spaghetti_76",
        &[],
        ("76 × 22", "mass-spring", 0.3, 1.0),
        Some((1806, 1.08, 19.1)),
    ),
    scene(
        "double_loop",
        "double_loop",
        &[],
        ("1 ball", "rigid", 0.6, 11.0),
        None,
    ),
    scene(
        "rotating_sphere",
        "rotating_sphere",
        &[],
        ("1 strand", "super-helix", 0.7, 11.0),
        None,
    ),
];

/// `about` = size, model, µ, dt in ms; `figures` = contacts, ν, s per step.
const fn scene(
    label: &'static str,
    scene: &'static str,
    sets: &'static [&'static str],
    about: (&'static str, &'static str, f64, f64),
    figures: Option<(usize, f64, f64)>,
) -> PublishedScene {
    let (published_contacts_max, published_nu_max, seconds_per_step) = match figures {
        Some((contacts, nu, seconds)) => (Some(contacts), Some(nu), Some(seconds)),
        None => (None, None, None),
    };
    let (size, model, mu, dt_ms) = about;
    PublishedScene {
        label,
        scene,
        sets,
        size,
        model,
        mu,
        dt_ms,
        published_contacts_max,
        published_nu_max,
        seconds_per_step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::SolverKind;

    #[test]
    fn the_paper_has_a_row_on_the_hybrid_and_none_on_ours() {
        let hybrid = paper_row(crate::friction::HYBRID.name()).expect("its own method");
        assert_eq!((hybrid.method, hybrid.mean_ms), ("MFB + Enum", 312.0));
        assert_eq!(paper_row(SolverKind::Auto.name()), None);
    }

    #[test]
    fn files_are_known_by_name_and_size() {
        let found = peer("Capsules-i100-1090.dat", 276).expect("listed");
        assert_eq!(found.nsgs_ms, Some(588.0));
        assert_eq!(peer("Capsules-i100-1090.dat", 3), None);
        assert_eq!(peer("RockPile_tob1.dat", 463).and_then(|p| p.best_ms), None);
        assert_eq!(peer("wisp-000001-276.dat", 276), None);
    }
}
