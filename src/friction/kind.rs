//! The list of solvers: names, families, one line on each.

use serde::{Deserialize, Serialize};

use super::local::LocalSolver;

/// A friction solver; in files it is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum SolverKind {
    /// Accelerated sweeps, then Newton's method on the smoothed law for what they leave unsolved.
    Auto,
    /// The first stage of `auto` alone: Anderson-accelerated Gauss-Seidel.
    GsAnderson,
    /// Newton on the Alart-Curnier function of all contacts, damped \[Bertails11\].
    NewtonAc,
    /// The same with whole steps.
    NewtonAcPure,
    /// Newton on the Fischer-Burmeister function of all contacts [Daviet11, app. A].
    NewtonFb,
    /// Gauss-Seidel: each contact by a local solver, and where that fails by another, if there is a fail-safe.
    GaussSeidel {
        /// What solves one contact.
        local: LocalSolver,
        /// Whether what it leaves unsolved goes to the enumerative solver (Newton, if that was the first).
        failsafe: bool,
    },
    /// Projected gradient with steps of Barzilai and Borwein \[Birgin00\].
    ProjectedGradient,
    /// Projected gradient with Nesterov's acceleration \[Mazhar15\].
    ProjectedGradientAccelerated,
    /// The convex likeness of Coulomb's law with compliant contacts \[Castro22\].
    Sap,
}

impl From<SolverKind> for String {
    fn from(kind: SolverKind) -> Self {
        kind.name().to_owned()
    }
}

impl TryFrom<String> for SolverKind {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::from_name(&name).ok_or_else(|| format!("there is no solver \"{name}\""))
    }
}

/// Solvers of one make, for grouped lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Combinations made for this program.
    Ours,
    /// Newton's method on all contacts at once.
    Newton,
    /// Gauss-Seidel with one local solver.
    GaussSeidel,
    /// Gauss-Seidel with a local solver and a fail-safe.
    Failsafe,
    /// Methods of convex optimisation.
    Convex,
}

impl Family {
    /// Every family, in the order of lists.
    pub const ALL: [Family; 5] = [
        Family::Ours,
        Family::Newton,
        Family::GaussSeidel,
        Family::Failsafe,
        Family::Convex,
    ];

    /// Heading in lists.
    pub fn title(self) -> &'static str {
        match self {
            Family::Ours => "Combined",
            Family::Newton => "Newton, all contacts at once",
            Family::GaussSeidel => "Gauss-Seidel",
            Family::Failsafe => "Gauss-Seidel with fail-safe",
            Family::Convex => "Convex optimisation",
        }
    }
}

/// Gauss-Seidel with Fischer-Burmeister Newton and the enumerative fail-safe [Daviet11, alg. 1].
pub const HYBRID: SolverKind = with(LocalSolver::NewtonFb, true);

const fn with(local: LocalSolver, failsafe: bool) -> SolverKind {
    SolverKind::GaussSeidel { local, failsafe }
}

impl SolverKind {
    /// Every solver, for lists and panels, family by family.
    pub const ALL: [SolverKind; 22] = [
        SolverKind::Auto,
        SolverKind::GsAnderson,
        SolverKind::NewtonAc,
        SolverKind::NewtonAcPure,
        SolverKind::NewtonFb,
        with(LocalSolver::NewtonAcPure, false),
        with(LocalSolver::NewtonAcDamped, false),
        with(LocalSolver::NewtonFb, false),
        with(LocalSolver::Enumerative, false),
        with(LocalSolver::Duriez06, false),
        with(LocalSolver::Duriez08, false),
        with(LocalSolver::FourSides, false),
        with(LocalSolver::NewtonAcPure, true),
        with(LocalSolver::NewtonAcDamped, true),
        with(LocalSolver::NewtonFb, true),
        with(LocalSolver::Enumerative, true),
        with(LocalSolver::Duriez06, true),
        with(LocalSolver::Duriez08, true),
        with(LocalSolver::FourSides, true),
        SolverKind::ProjectedGradient,
        SolverKind::ProjectedGradientAccelerated,
        SolverKind::Sap,
    ];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Auto => "auto",
            SolverKind::GsAnderson => "gs-anderson",
            SolverKind::NewtonAc => "newton-ac",
            SolverKind::NewtonAcPure => "newton-ac-pure",
            SolverKind::NewtonFb => "newton-fb",
            SolverKind::GaussSeidel { local, failsafe } => sweeps_name(local, failsafe),
            SolverKind::ProjectedGradient => "projected-gradient",
            SolverKind::ProjectedGradientAccelerated => "projected-gradient-accelerated",
            SolverKind::Sap => "sap",
        }
    }

    /// One line for the panel.
    pub fn summary(self) -> &'static str {
        match self {
            SolverKind::Auto => {
                "Accelerated sweeps, then a smoothed Newton method where they stall"
            }
            SolverKind::GsAnderson => "Accelerated sweeps alone: the first stage of auto",
            SolverKind::NewtonAc => {
                "All contacts at once by Newton's method on the Alart-Curnier function, with a line search"
            }
            SolverKind::NewtonAcPure => {
                "As newton-ac, but with whole steps: fewer of them, and it fails more often"
            }
            SolverKind::NewtonFb => {
                "All contacts at once by Newton's method on the Fischer-Burmeister function, or downhill where it fails"
            }
            SolverKind::GaussSeidel { local, failsafe } => sweeps_summary(local, failsafe),
            SolverKind::ProjectedGradient => {
                "Steps downhill on the energy, back into the cones, their length learned from the last: cheap and steady"
            }
            SolverKind::ProjectedGradientAccelerated => {
                "As projected-gradient, with momentum that is dropped when it leads uphill"
            }
            SolverKind::Sap => {
                "Soft contacts by convex optimisation. Inexact: always solvable, but sliding contacts lift off a little"
            }
        }
    }

    /// Whose kin it is.
    pub fn family(self) -> Family {
        match self {
            SolverKind::Auto | SolverKind::GsAnderson => Family::Ours,
            SolverKind::NewtonAc | SolverKind::NewtonAcPure | SolverKind::NewtonFb => {
                Family::Newton
            }
            SolverKind::GaussSeidel { failsafe, .. } => {
                if failsafe {
                    Family::Failsafe
                } else {
                    Family::GaussSeidel
                }
            }
            SolverKind::ProjectedGradient
            | SolverKind::ProjectedGradientAccelerated
            | SolverKind::Sap => Family::Convex,
        }
    }

    /// Whether it aims at Coulomb's law itself. The others settle on a likeness of it, and say so by their error.
    pub fn is_exact(self) -> bool {
        match self {
            SolverKind::GaussSeidel { local, failsafe } => failsafe || local.is_exact(),
            SolverKind::Sap => false,
            _ => true,
        }
    }

    /// The solver with this name. `gs-fb+enum` is another name of `gs-hybrid`.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "gs-fb+enum" {
            return Some(HYBRID);
        }
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

fn sweeps_name(local: LocalSolver, failsafe: bool) -> &'static str {
    match (local, failsafe) {
        (LocalSolver::NewtonAcPure, false) => "gs-ac",
        (LocalSolver::NewtonAcPure, true) => "gs-ac+enum",
        (LocalSolver::NewtonAcDamped, false) => "gs-ac-damped",
        (LocalSolver::NewtonAcDamped, true) => "gs-ac-damped+enum",
        (LocalSolver::NewtonFb, false) => "gs-fb",
        (LocalSolver::NewtonFb, true) => "gs-hybrid",
        (LocalSolver::Enumerative, false) => "gs-enum",
        (LocalSolver::Enumerative, true) => "gs-enum+fb",
        (LocalSolver::Duriez06, false) => "gs-duriez06",
        (LocalSolver::Duriez06, true) => "gs-duriez06+enum",
        (LocalSolver::Duriez08, false) => "gs-duriez08",
        (LocalSolver::Duriez08, true) => "gs-duriez08+enum",
        (LocalSolver::FourSides, false) => "gs-4sides",
        (LocalSolver::FourSides, true) => "gs-4sides+enum",
    }
}

fn sweeps_summary(local: LocalSolver, failsafe: bool) -> &'static str {
    match (local, failsafe) {
        (LocalSolver::NewtonAcPure, false) => {
            "One contact after the other by whole Newton steps on the Alart-Curnier function: quick, but some contacts diverge"
        }
        (LocalSolver::NewtonAcPure, true) => {
            "As gs-ac, and contacts on which Newton's method fails are solved exactly by a quartic"
        }
        (LocalSolver::NewtonAcDamped, false) => {
            "As gs-ac, with Newton steps shortened until they help: slower per contact, fails less often"
        }
        (LocalSolver::NewtonAcDamped, true) => {
            "As gs-ac-damped, and contacts on which Newton's method fails are solved exactly by a quartic"
        }
        (LocalSolver::NewtonFb, false) => {
            "One contact after the other by Newton's method on the Fischer-Burmeister function: quick, and fails seldom"
        }
        (LocalSolver::NewtonFb, true) => {
            "As gs-fb, and contacts on which Newton's method fails are solved exactly by a quartic: the method made for hair"
        }
        (LocalSolver::Enumerative, false) => {
            "One contact after the other by trying take-off, stick and slide in turn, slide by the roots of a quartic"
        }
        (LocalSolver::Enumerative, true) => {
            "As gs-enum, and contacts without an exact answer go to Newton's method for the nearest one"
        }
        (LocalSolver::Duriez06, false) => {
            "One contact after the other: stop it, then cut friction to the cone. Inexact: friction may point askew to the slip"
        }
        (LocalSolver::Duriez06, true) => {
            "As gs-duriez06, and contacts where its answer breaks Coulomb's law are solved exactly by a quartic"
        }
        (LocalSolver::Duriez08, false) => {
            "One contact after the other by alternating normal and friction force until both fit: exact, but slow to settle"
        }
        (LocalSolver::Duriez08, true) => {
            "As gs-duriez08, and contacts that do not settle are solved exactly by a quartic"
        }
        (LocalSolver::FourSides, false) => {
            "One contact after the other with a pyramid for the friction cone. Inexact: up to 41 % too much friction diagonally"
        }
        (LocalSolver::FourSides, true) => {
            "As gs-4sides, and contacts where the pyramid differs from the cone are solved exactly by a quartic"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_distinct_and_lead_back() {
        for kind in SolverKind::ALL {
            assert_eq!(SolverKind::from_name(kind.name()), Some(kind));
            assert!(Family::ALL.contains(&kind.family()));
        }
    }

    #[test]
    fn every_solver_has_a_line_of_its_own() {
        let lines: HashSet<_> = SolverKind::ALL.map(SolverKind::summary).into();
        assert_eq!(lines.len(), SolverKind::ALL.len());
    }

    #[test]
    fn every_local_solver_is_listed_with_and_without_a_fail_safe() {
        for local in LocalSolver::ALL {
            for failsafe in [false, true] {
                assert!(SolverKind::ALL.contains(&with(local, failsafe)));
            }
        }
    }
}
