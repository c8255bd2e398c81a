//! What is drawn: the scene, its newest snapshot, and how to look at it. The window fills it from the runner, the
//! offscreen renderer from a world it steps itself; everything that draws reads only this.

use bevy::prelude::*;

use super::colour::ColorMode;
use crate::geometry::Shape;
use crate::scene::{Scene, StrandLook};
use crate::world::{Snapshot, WorldSpec};

/// The scene and its newest state.
#[derive(Resource)]
pub struct Shown {
    /// The scene as it was loaded.
    pub scene: Scene,
    /// Counts the scenes shown so far: a change means that everything is drawn anew.
    pub scene_count: u64,
    /// The newest state.
    pub snapshot: Snapshot,
    /// Counts the states shown so far.
    pub snapshot_count: u64,
    /// Size of the scene at its start.
    pub bounds: Bounds,
}

impl Shown {
    /// Shows a scene that has no state yet.
    pub fn new(scene: Scene) -> Self {
        let bounds = Bounds::of(&scene.spec);
        Self {
            scene,
            scene_count: 1,
            snapshot: Snapshot::default(),
            snapshot_count: 0,
            bounds,
        }
    }

    /// Shows another scene.
    pub fn set_scene(&mut self, scene: Scene) {
        self.bounds = Bounds::of(&scene.spec);
        self.scene = scene;
        self.scene_count += 1;
    }

    /// The thinnest strand's radius, m; a millimetre when there is none.
    pub fn thinnest_radius_m(&self) -> f32 {
        let rods = self.scene.spec.rods.iter();
        let radii = rods.map(|rod| rod.design.section.contact_radius_m() as f32);
        let least = radii.fold(f32::INFINITY, f32::min);
        if least.is_finite() { least } else { 1e-3 }
    }
}

/// How far someone has followed what is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    scene_count: u64,
    generation: u64,
    step: u64,
}

impl Seen {
    /// Follows to the state that is shown. What was noted of the step that is returned and of later ones has not happened
    /// now, or is told again in [`Snapshot::passed`]: that comes in its place. Of another world, and where steps are
    /// missing in between, nothing stays.
    pub fn follow(&mut self, shown: &Shown) -> u64 {
        let snapshot = &shown.snapshot;
        let now = Self {
            scene_count: shown.scene_count,
            generation: snapshot.generation,
            step: snapshot.step,
        };
        let old = std::mem::replace(self, now);
        let first = snapshot.passed.first().map(|passed| passed.step);
        let first = first.unwrap_or(snapshot.step);
        let same = (old.scene_count, old.generation) == (now.scene_count, now.generation);
        if same && first <= old.step + 1 {
            first
        } else {
            0
        }
    }
}

/// How to look at it.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What the colour of a strand shows.
    pub color_mode: ColorMode,
    /// Whether contact points are drawn.
    pub contacts: bool,
    /// Whether contact forces are drawn.
    pub forces: bool,
    /// Whether friction cones are drawn.
    pub cones: bool,
    /// What strands are drawn as; each as its scene or its material suggests when not given.
    pub strands: Option<StrandLook>,
    /// Whether a stripe shows how strands are twisted.
    pub stripe: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            color_mode: ColorMode::Strand,
            contacts: true,
            forces: false,
            cones: false,
            strands: None,
            stripe: true,
        }
    }
}

impl Look {
    /// No forces, forces, forces in their cones, and around again.
    pub fn cycle_forces(&mut self) {
        (self.forces, self.cones) = match (self.forces, self.cones) {
            (false, _) => (true, false),
            (true, false) => (true, true),
            (true, true) => (false, false),
        };
    }
}

/// A box about the strands and the finite solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Its lowest corner, m.
    pub low: Vec3,
    /// Its highest corner, m.
    pub high: Vec3,
}

impl Bounds {
    /// The box about everything but planes, at the start.
    pub fn of(spec: &WorldSpec) -> Self {
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        let mut add = |point: Vec3, reach: f32| {
            low = low.min(point - reach);
            high = high.max(point + reach);
        };
        for rod in &spec.rods {
            let [a, b] = rod.design.section.half_m();
            for node in &rod.design.centreline {
                add(node.coords.map(|x| x as f32).into_vec3(), a.max(b) as f32);
            }
        }
        for solid in &spec.solids {
            let middle = solid.world_from_body.translation.vector;
            if let Some(reach) = reach_m(&solid.shape) {
                add(middle.map(|x| x as f32).into_vec3(), reach);
            }
        }
        if low.x > high.x {
            (low, high) = (Vec3::splat(-0.5), Vec3::splat(0.5));
        }
        Self { low, high }
    }

    /// Its middle, m.
    pub fn centre(&self) -> Vec3 {
        0.5 * (self.low + self.high)
    }

    /// Half its diagonal, m; never zero.
    pub fn reach(&self) -> f32 {
        (0.5 * (self.high - self.low).length()).max(1e-3)
    }
}

/// Distance from the origin to the farthest point of a shape, m; none for a plane.
fn reach_m(shape: &Shape) -> Option<f32> {
    let reach = match *shape {
        Shape::Plane => return None,
        Shape::Sphere { radius_m } => radius_m,
        Shape::Capsule {
            radius_m,
            half_length_m,
        } => radius_m + half_length_m,
        Shape::Box {
            half_extents_m: [x, y, z],
        } => (x * x + y * y + z * z).sqrt(),
        Shape::Cylinder {
            radius_m,
            half_length_m,
        } => radius_m.hypot(half_length_m),
        Shape::Mesh(ref mesh) => {
            let bounds = mesh.bounds();
            bounds
                .low
                .coords
                .abs()
                .sup(&bounds.high.coords.abs())
                .norm()
        }
    };
    Some(reach as f32)
}

/// From the world's vectors to Bevy's.
pub trait IntoVec3 {
    /// The same vector.
    fn into_vec3(self) -> Vec3;
}

impl IntoVec3 for nalgebra::Vector3<f32> {
    fn into_vec3(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }
}

impl IntoVec3 for [f64; 3] {
    fn into_vec3(self) -> Vec3 {
        Vec3::from(self.map(|x| x as f32))
    }
}
