//! Where what is followed was after one step. A window that shows few states a second draws lines through all of them.

use super::World;

/// Solids whose way is followed: so many of the first that are free to move; more would only be a tangle.
pub const FOLLOWED: usize = 16;

/// What is followed, after one step. Of what is not there the numbers are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// Steps taken since the start.
    pub step: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Where the end of the first strand is, m.
    pub tip_m: [f32; 3],
    /// Its velocity, m/s.
    pub tip_m_s: [f32; 3],
    /// Places of the solids that are free to move, m, in the order of the scene.
    pub solids_m: [[f32; 3]; FOLLOWED],
}

impl Default for Passed {
    fn default() -> Self {
        Self {
            step: 0,
            time_s: 0.0,
            tip_m: [f32::NAN; 3],
            tip_m_s: [f32::NAN; 3],
            solids_m: [[f32::NAN; 3]; FOLLOWED],
        }
    }
}

impl World {
    /// What is followed, as it is now.
    pub fn passed(&self) -> Passed {
        let mut passed = Passed {
            step: self.steps,
            time_s: self.time_s,
            ..Passed::default()
        };
        if let Some(body) = self.bodies.first() {
            let tip = body.nodes().len() - 1;
            passed.tip_m = body.nodes()[tip].coords.map(|x| x as f32).into();
            passed.tip_m_s = body.node_velocity(tip).map(|v| v as f32).into();
        }
        let free = self.solids.iter().filter(|solid| solid.free.is_some());
        for (place, solid) in passed.solids_m.iter_mut().zip(free) {
            let middle = solid.pose(self.time_s).translation.vector;
            *place = middle.map(|x| x as f32).into();
        }
        passed
    }
}
