//! One-step problems to try solvers on, one at a time: hundreds of packed ones would fill the memory.

use nalgebra::Vector3;

use crate::friction::Problem;
use crate::friction::residual::{relative_error, velocity_scale};
use crate::scene::load;
use crate::world::{Edit, World};

/// The shipped scene whose strands are packed tightest.
pub const PACKED_SCENE: &str = "wisp";

/// A problem.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Scene and step, or the name of its file.
    pub name: String,
    /// W, b, µ.
    pub problem: Problem,
    /// What the step before suggests, where that is known.
    pub guess: Option<Vec<Vector3<f64>>>,
    /// ν = 3 n / m, where the degrees of freedom are known.
    pub nu: Option<f64>,
}

/// The problems of a scene's run, in order, those left out that no force at all already solves.
pub struct SceneProblems {
    scene: String,
    world: World,
    steps: u64,
    tolerance: f64,
}

impl SceneProblems {
    /// Loads the scene; errors are sentences. Problems that zero impulses solve to `tolerance` will be left out.
    pub fn new(scene: &str, tolerance: f64) -> Result<Self, String> {
        let scene = load(scene, &[]).map_err(|why| why.to_string())?;
        let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
        world
            .apply(Edit::PlayDemo(true))
            .map_err(|why| why.to_string())?;
        world.keep_guesses();
        Ok(Self {
            steps: (scene.time_s / world.settings().dt_s).round() as u64,
            scene: scene.name,
            world,
            tolerance,
        })
    }
}

impl SceneProblems {
    /// Ends the run after so long, s.
    pub fn until(mut self, seconds: f64) -> Self {
        let steps = (seconds / self.world.settings().dt_s).round();
        self.steps = self.steps.min(steps as u64);
        self
    }

    /// Steps of the run: there are no more problems than that.
    pub fn most(&self) -> u64 {
        self.steps
    }
}

impl Iterator for SceneProblems {
    type Item = Result<Sample, String>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.world.steps() < self.steps {
            if let Err(fault) = self.world.step() {
                self.steps = 0;
                return Some(Err(format!("scene {}: {fault}", self.scene)));
            }
            let Some(handed) = self.world.handed() else {
                continue;
            };
            if is_trivial(handed.problem, self.tolerance) {
                continue;
            }
            return Some(Ok(Sample {
                name: format!("{}-{:06}", self.scene, self.world.steps()),
                problem: handed.problem.clone(),
                guess: Some(handed.guess.to_vec()),
                nu: Some(self.world.report().nu),
            }));
        }
        None
    }
}

/// Whether contacts that bear nothing obey the law already.
fn is_trivial(problem: &Problem, tolerance: f64) -> bool {
    let nothing = vec![Vector3::zeros(); problem.len()];
    let scale = velocity_scale(problem, f64::MIN_POSITIVE);
    relative_error(problem, &nothing, &problem.b, scale) <= tolerance
}
