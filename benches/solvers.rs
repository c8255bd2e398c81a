//! `cargo bench`: `auto` against the hybrid Gauss-Seidel on packed problems. `prusik bench solvers` has the full table.

use prusik::bench::{PACKED_SCENE, Plan, SceneProblems, packed};
use prusik::friction::{HYBRID, SolverKind, StopRule};

/// Enough to see a change, few enough to wait for.
const PROBLEMS: usize = 60;

fn main() -> Result<(), String> {
    let plan = Plan {
        kinds: vec![SolverKind::Auto, HYBRID],
        stop: StopRule {
            tolerance: 1e-6,
            max_iterations: 1000,
            max_work: 1e9,
            ..StopRule::default()
        },
    };
    let problems = SceneProblems::new(PACKED_SCENE, plan.stop.tolerance)?.take(PROBLEMS);
    let table = packed(problems, &plan, |_| ())?;
    for row in &table.solvers {
        let (name, ms, unsolved) = (row.solver, row.mean_ms, row.unsolved_percent);
        println!("{name}: {ms:.3} ms, {unsolved:.1} % unsolved");
    }
    let ratio = table.solvers[1].mean_ms / table.solvers[0].mean_ms;
    println!("gs-hybrid takes {ratio:.2} times as long as auto");
    Ok(())
}
