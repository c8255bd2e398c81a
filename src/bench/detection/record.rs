//! Makes a trace: runs a scene of super-helices to its end and keeps the pairs of helices whose boxes overlap.

use super::Trace;
use crate::geometry::Aabb;
use crate::geometry::grid::Grid;
use crate::scene::load;
use crate::world::{Edit, World};

/// Runs a scene and takes the pairs that a broad phase on boxes would hand over at its end: boxes of the curves, grown
/// by the radius. Helices that are neighbours in their strand are no pairs. `done` hears of each step and of how many
/// there are.
pub fn record(scene: &str, mut done: impl FnMut(u64, u64)) -> Result<Trace, String> {
    let scene = load(scene, &[]).map_err(|why| why.to_string())?;
    let mut world = World::new(scene.spec).map_err(|why| why.to_string())?;
    let demo = world.apply(Edit::PlayDemo(true));
    demo.map_err(|why| why.to_string())?;
    let steps = (scene.time_s / world.settings().dt_s).round() as u64;
    while world.steps() < steps {
        world.step().map_err(|fault| fault.to_string())?;
        done(world.steps(), steps);
    }
    collect(&world)
}

fn collect(world: &World) -> Result<Trace, String> {
    let mut trace = Trace {
        radius_m: 0.0,
        helices: Vec::new(),
        pairs: Vec::new(),
    };
    let mut strands = Vec::new();
    for rod in 0..world.rods() {
        for (k, helix) in world.rod_helices(rod).enumerate() {
            trace.helices.push(helix);
            strands.push((rod, k));
        }
        trace.radius_m = trace.radius_m.max(world.rod_radius_m(rod));
    }
    if trace.helices.is_empty() {
        return Err("the scene has no super-helices, so there is nothing to record".into());
    }
    let boxes: Vec<Aabb> = (trace.curves().iter())
        .map(|curve| curve.bounds().grown(trace.radius_m))
        .collect();
    let mut pairs = Vec::new();
    Grid::default().pairs(&boxes, &mut pairs);
    pairs.retain(|&(i, j)| {
        let ((rod, k), (other, l)) = (strands[i as usize], strands[j as usize]);
        rod != other || k.abs_diff(l) > 1
    });
    pairs.sort_unstable();
    trace.pairs = pairs.into_iter().map(|(i, j)| [i, j]).collect();
    Ok(trace)
}
