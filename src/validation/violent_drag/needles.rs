//! A slack strand amid needles.

use nalgebra::{Isometry3, Point3, Vector3};

use super::path::{Path, Random};
use super::{DragOptions, FASTEST_M_S};
use crate::body::{NaturalShape, RodDesign, Scheme, SectionShape};
use crate::geometry::{Key, Motion, Shape};
use crate::scene::preset_named;
use crate::world::{
    FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidSpec, SpecError, SurfaceId,
    WorldSpec,
};

const NEEDLES: usize = 3;
const NEEDLE_RADIUS_M: f64 = 0.5e-3;
const NEEDLE_HALF_LENGTH_M: f64 = 0.12;
/// Needles move straight for so long, s.
const KEY_S: f64 = 2e-3;
/// They wait for so long, s.
const CALM_S: f64 = 0.05;
const RADIUS_M: f64 = 3e-3;
const PIECES: usize = 40;

/// Strand, holds and needles; an even seed holds both ends of the strand.
pub(super) fn spec(options: &DragOptions, random: &mut Random) -> Result<WorldSpec, SpecError> {
    let rope = preset_named("cotton_rope")
        .ok_or_else(|| SpecError("there is no material \"cotton_rope\"".into()))?;
    // A bow 0.4 m wide and 0.1 m deep.
    let node = |k: usize| {
        let x = 0.4 * (k as f64 / PIECES as f64 - 0.5);
        Point3::new(x, 2.5 * (x * x - 0.04), 0.0)
    };
    let rod = RodSpec {
        name: "strand".into(),
        model: options.model,
        design: RodDesign {
            centreline: (0..=PIECES).map(node).collect(),
            closed: false,
            section: SectionShape::Round { radius_m: RADIUS_M },
            facing: None,
            material: rope.material,
            natural: NaturalShape::Straight,
            helices: None,
            scheme: Scheme::Implicit,
            fixed: false,
        },
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: rope.color,
    };
    let held: &[HoldAt] = match options.seed % 2 {
        0 => &[HoldAt::Start, HoldAt::End],
        _ => &[HoldAt::Start],
    };
    let settings = Settings {
        dt_s: options.dt_s,
        max_iterations: 1000,
        detector: options.detector,
        ..Settings::default()
    };
    Ok(WorldSpec {
        rods: vec![rod],
        solids: (0..NEEDLES)
            .map(|k| needle(k, options.seconds, random))
            .collect(),
        holds: held.iter().map(|&at| pin(at)).collect(),
        surfaces: vec!["rope".into(), "steel".into()],
        friction: FrictionTable {
            default: 0.3,
            pairs: Vec::new(),
        },
        settings,
        demo: false,
    })
}

fn pin(at: HoldAt) -> HoldSpec {
    HoldSpec {
        name: "pin".into(),
        rod: 0,
        at,
        kind: HoldKind::Pin,
        motion: Motion::default(),
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    }
}

/// It starts clear of the strand, in front of it or behind, and goes through where the strand hangs.
fn needle(k: usize, seconds: f64, random: &mut Random) -> SolidSpec {
    let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    let place = Vector3::new(0.3 * random.next() - 0.15, -0.08, 0.14 * side);
    let path = Path::random(0.15, FASTEST_M_S, random);
    let keys = (0..).map(|n| KEY_S * f64::from(n));
    let keys = keys.take_while(|t| *t <= seconds + KEY_S).map(|t| Key {
        time_s: CALM_S + t,
        offset_m: path.at(t),
    });
    SolidSpec {
        name: format!("needle {k}"),
        shape: Shape::Capsule {
            radius_m: NEEDLE_RADIUS_M,
            half_length_m: NEEDLE_HALF_LENGTH_M,
        },
        world_from_body: Isometry3::new(place, Vector3::zeros()),
        motion: Motion {
            keys: keys.collect(),
            spin_rad_s: random.vector() * 10.0,
            ..Motion::default()
        },
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(1),
        color: [0.7; 3],
    }
}
