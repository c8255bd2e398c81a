//! The list of solvers: names, families, one line on each.

use super::local::LocalSolver;

/// A friction solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverKind {
    /// Accelerated sweeps, then Newton's method on the smoothed law for what they leave unsolved.
    Auto,
    /// The first stage of `auto` alone: Anderson-accelerated Gauss-Seidel.
    GsAnderson,
    /// Gauss-Seidel: each contact by a local solver, and where that fails by another, if there is a fail-safe.
    GaussSeidel {
        /// What solves one contact.
        local: LocalSolver,
        /// Whether what it leaves unsolved goes to the enumerative solver (Newton, if that was the first).
        failsafe: bool,
    },
}

/// Solvers of one make, for grouped lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Combinations made for this program.
    Ours,
    /// Gauss-Seidel with one local solver.
    GaussSeidel,
    /// Gauss-Seidel with a local solver and a fail-safe.
    Failsafe,
}

impl Family {
    /// Every family, in the order of lists.
    pub const ALL: [Family; 3] = [Family::Ours, Family::GaussSeidel, Family::Failsafe];

    /// Heading in lists.
    pub fn title(self) -> &'static str {
        match self {
            Family::Ours => "Combined",
            Family::GaussSeidel => "Gauss-Seidel",
            Family::Failsafe => "Gauss-Seidel with fail-safe",
        }
    }
}

/// Gauss-Seidel with Fischer-Burmeister Newton and the enumerative fail-safe [Daviet11, alg. 1].
pub const HYBRID: SolverKind = with(LocalSolver::NewtonFb, true);

const fn with(local: LocalSolver, failsafe: bool) -> SolverKind {
    SolverKind::GaussSeidel { local, failsafe }
}

impl SolverKind {
    /// Every solver, for lists and panels.
    pub const ALL: [SolverKind; 6] = [
        SolverKind::Auto,
        SolverKind::GsAnderson,
        with(LocalSolver::NewtonFb, false),
        with(LocalSolver::Enumerative, false),
        HYBRID,
        with(LocalSolver::Enumerative, true),
    ];

    /// The name in scene files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Auto => "auto",
            SolverKind::GsAnderson => "gs-anderson",
            SolverKind::GaussSeidel { local, failsafe } => match (local, failsafe) {
                (LocalSolver::NewtonFb, false) => "gs-fb",
                (LocalSolver::NewtonFb, true) => "gs-hybrid",
                (LocalSolver::Enumerative, false) => "gs-enum",
                (LocalSolver::Enumerative, true) => "gs-enum+fb",
            },
        }
    }

    /// One line for the panel.
    pub fn summary(self) -> &'static str {
        match self {
            SolverKind::Auto => {
                "Accelerated sweeps, then a smoothed Newton method where they stall"
            }
            SolverKind::GsAnderson => "Accelerated sweeps alone: the first stage of auto",
            SolverKind::GaussSeidel { local, .. } => local.summary(),
        }
    }

    /// Whose kin it is.
    pub fn family(self) -> Family {
        match self {
            SolverKind::Auto | SolverKind::GsAnderson => Family::Ours,
            SolverKind::GaussSeidel { failsafe, .. } => {
                if failsafe {
                    Family::Failsafe
                } else {
                    Family::GaussSeidel
                }
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_lead_back() {
        for kind in SolverKind::ALL {
            assert_eq!(SolverKind::from_name(kind.name()), Some(kind));
            assert!(Family::ALL.contains(&kind.family()));
        }
    }
}
