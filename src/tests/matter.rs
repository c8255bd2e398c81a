//! Laws of edits to what strands are made of: what a panel changes while a world runs.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use crate::body::{NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape};
use crate::geometry::{Motion, Shape};
use crate::world::{
    Edit, FrictionTable, HoldAt, HoldKind, HoldSpec, RodSpec, Settings, SolidSpec, SurfaceId,
    World, WorldSpec,
};

const ROUND: SectionShape = SectionShape::Round { radius_m: 3e-3 };

fn rubber() -> RodMaterial {
    RodMaterial {
        youngs_modulus_pa: 2e6,
        poisson_ratio: 0.4,
        density_kg_m3: 1100.0,
        bending_factor: 1.0,
        mass_damping_per_s: 20.0,
        stiffness_damping_s: 1e-3,
    }
}

/// A strand from one point to another.
fn rod(model: RodModel, from: [f64; 3], to: [f64; 3], elements: usize) -> RodSpec {
    let (from, to) = (Point3::from(from), Point3::from(to));
    let node = |k: usize| from + (to - from) * (k as f64 / elements as f64);
    RodSpec {
        name: "strand".into(),
        model,
        design: RodDesign {
            centreline: (0..=elements).map(node).collect(),
            closed: false,
            section: ROUND,
            facing: None,
            material: rubber(),
            natural: NaturalShape::Straight,
            helices: None,
            scheme: Scheme::Implicit,
            fixed: false,
        },
        velocity_m_s: Vector3::zeros(),
        proxies: None,
        surface: SurfaceId(0),
        color: [1.0; 3],
    }
}

fn spec(rods: Vec<RodSpec>) -> WorldSpec {
    WorldSpec {
        demo: true,
        rods,
        solids: Vec::new(),
        holds: Vec::new(),
        surfaces: vec!["rubber".into(), "wood".into()],
        friction: FrictionTable {
            default: 0.5,
            pairs: Vec::new(),
        },
        settings: Settings {
            dt_s: 5e-3,
            tolerance: 1e-9,
            ..Settings::default()
        },
    }
}

fn hold(at: HoldAt, kind: HoldKind) -> HoldSpec {
    HoldSpec {
        name: "hold".into(),
        rod: 0,
        at,
        kind,
        motion: Motion::default(),
        on: None,
        active_s: (0.0, f64::INFINITY),
        demo: false,
    }
}

/// A plane under a tilt about z, through the origin.
fn plane(tilt: &UnitQuaternion<f64>) -> SolidSpec {
    SolidSpec {
        name: "plane".into(),
        shape: Shape::Plane,
        world_from_body: Isometry3::from_parts(Translation3::identity(), *tilt),
        motion: Motion::default(),
        matter: None,
        restitution: 0.0,
        surface: SurfaceId(1),
        color: [0.5; 3],
    }
}

/// A short strand that sticks out of a wall.
fn cantilever(model: RodModel) -> World {
    let mut spec = spec(vec![rod(model, [0.0; 3], [0.06, 0.0, 0.0], 24)]);
    spec.rods[0].design.helices = Some(8);
    spec.holds.push(hold(HoldAt::Start, HoldKind::Clamp));
    World::new(spec).unwrap()
}

fn run(world: &mut World, seconds: f64) {
    let until = world.time_s() + seconds - 1e-9;
    while world.time_s() < until {
        world.step().unwrap();
    }
}

fn set(material: RodMaterial, section: SectionShape) -> Edit {
    Edit::SetMaterial {
        rods: 0..1,
        material,
        section,
    }
}

fn tip(world: &World) -> Point3<f64> {
    *world.rod_nodes(0).last().unwrap()
}

#[test]
fn a_cantilever_sags_as_its_new_stiffness_says() {
    for model in RodModel::ALL {
        let mut world = cantilever(model);
        for factor in [1.0, 3.0, 0.5] {
            let mut material = rubber();
            material.youngs_modulus_pa *= factor;
            world.apply(set(material, ROUND)).unwrap();
            run(&mut world, 4.0);
            let section = crate::body::Section::new(ROUND, &material);
            let length = 0.06_f64;
            let load = section.line_density_kg_m * 9.81;
            let expected = load * length.powi(4) / (8.0 * section.ei_n_m2[0]);
            let sag = -tip(&world).y;
            // The discrete clamp holds the whole first piece: a share of the length that does not bend.
            let off = (sag / expected - 1.0).abs();
            assert!(off < 0.12, "{}: {sag} against {expected}", model.name());
        }
    }
}

#[test]
fn sags_before_and_after_are_in_the_ratio_of_the_stiffnesses() {
    for model in RodModel::ALL {
        let mut world = cantilever(model);
        run(&mut world, 4.0);
        let before = -tip(&world).y;
        let mut stiffer = rubber();
        stiffer.youngs_modulus_pa *= 4.0;
        world.apply(set(stiffer, ROUND)).unwrap();
        run(&mut world, 4.0);
        let ratio = before / -tip(&world).y;
        assert!(
            (ratio / 4.0 - 1.0).abs() < 0.01,
            "{}: {ratio}",
            model.name()
        );
    }
}

#[test]
fn a_pin_bears_the_new_weight() {
    for model in RodModel::ALL {
        let mut spec = spec(vec![rod(model, [0.0; 3], [0.0, -0.1, 0.0], 12)]);
        spec.holds.push(hold(HoldAt::Start, HoldKind::Pin));
        let mut world = World::new(spec).unwrap();
        for density in [1100.0, 5000.0, 300.0] {
            let material = RodMaterial {
                density_kg_m3: density,
                ..rubber()
            };
            world.apply(set(material, ROUND)).unwrap();
            run(&mut world, 3.0);
            let area = std::f64::consts::PI * 9e-6;
            let weight = density * area * 0.1 * 9.81;
            let pull = world.hold_force(0).y;
            let off = (pull / weight - 1.0).abs();
            assert!(off < 1e-3, "{}: {pull} N of {weight} N", model.name());
        }
    }
}

#[test]
fn a_thicker_strand_lies_higher_and_a_thinner_one_comes_down() {
    for model in RodModel::ALL {
        let mut spec = spec(vec![rod(model, [0.0, 3e-3, 0.0], [0.1, 3e-3, 0.0], 12)]);
        spec.solids.push(plane(&UnitQuaternion::identity()));
        let mut world = World::new(spec).unwrap();
        for radius_m in [3e-3, 4e-3, 1e-3] {
            let before = world.rod_nodes(0).to_vec();
            let section = SectionShape::Round { radius_m };
            world.apply(set(rubber(), section)).unwrap();
            assert_eq!(world.rod_nodes(0), before, "the centreline stays");
            run(&mut world, 2.0);
            let height = world.rod_centre(0).y;
            let off = (height / radius_m - 1.0).abs();
            assert!(off < 0.02, "{}: {height} of {radius_m}", model.name());
        }
    }
}

/// A stiff piece of rod on a slope of 20°, along the fall line.
fn on_a_slope() -> World {
    let tilt = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 20_f64.to_radians());
    let mut rod = rod(
        RodModel::DiscreteElastic,
        [-0.05, 3e-3, 0.0],
        [0.05, 3e-3, 0.0],
        8,
    );
    let nodes = &mut rod.design.centreline;
    nodes.iter_mut().for_each(|x| *x = tilt * *x);
    rod.design.material.youngs_modulus_pa = 1e8;
    rod.design.material.mass_damping_per_s = 0.0;
    let mut spec = spec(vec![rod]);
    spec.solids.push(plane(&tilt));
    spec.settings.dt_s = 2e-3;
    World::new(spec).unwrap()
}

#[test]
fn a_pair_with_less_friction_slips_and_follows_the_default_again_when_struck_out() {
    let mut world = on_a_slope();
    run(&mut world, 0.5);
    let before = tip(&world);
    run(&mut world, 0.5);
    assert!((tip(&world) - before).norm() < 1e-9, "0.5 holds at 20°");
    let mu = 0.2;
    let pair = |mu| Edit::SetPairFriction {
        a: SurfaceId(1),
        b: SurfaceId(0),
        mu,
    };
    world.apply(pair(Some(mu))).unwrap();
    let (start, t) = (tip(&world), 0.4);
    run(&mut world, t);
    let angle = 20_f64.to_radians();
    let expected = 0.5 * 9.81 * (angle.sin() - mu * angle.cos()) * t * t;
    let slid = (tip(&world) - start).norm();
    assert!((slid / expected - 1.0).abs() < 0.02, "{slid} of {expected}");
    world.apply(pair(None)).unwrap();
    run(&mut world, 1.0);
    let stopped = tip(&world);
    run(&mut world, 0.5);
    assert!((tip(&world) - stopped).norm() < 1e-9, "held again");
}

#[test]
fn strands_in_flight_keep_every_bit_of_their_state_as_they_change_material() {
    for model in RodModel::ALL {
        let mut world = cantilever(model);
        run(&mut world, 0.05);
        let seen = |world: &World| {
            let mut snapshot = crate::world::Snapshot::default();
            world.snapshot(&mut snapshot);
            let points = snapshot.points.iter();
            let motion: Vec<_> = points.map(|p| (p.speed, p.director)).collect();
            (world.rod_nodes(0).to_vec(), motion)
        };
        let before = seen(&world);
        let heavy = RodMaterial {
            density_kg_m3: 9000.0,
            youngs_modulus_pa: 1e9,
            ..rubber()
        };
        let thick = SectionShape::Round { radius_m: 5e-3 };
        world.apply(set(heavy, thick)).unwrap();
        assert_eq!(seen(&world), before, "{}", model.name());
        assert_eq!(world.rod_radius_m(0), 5e-3);
        let hash = world.state_hash();
        world.apply(set(rubber(), ROUND)).unwrap();
        assert_ne!(world.state_hash(), hash);
        // There and back again is as if nothing had been.
        let mut untouched = cantilever(model);
        run(&mut untouched, 0.05);
        assert_eq!(world.state_hash(), untouched.state_hash());
        run(&mut world, 0.1);
        run(&mut untouched, 0.1);
        assert_eq!(world.state_hash(), untouched.state_hash());
    }
}

#[test]
fn a_refused_edit_says_why_and_changes_nothing() {
    let mut world = cantilever(RodModel::MassSpring);
    run(&mut world, 0.05);
    let with = |change: &dyn Fn(&mut RodMaterial)| {
        let mut material = rubber();
        change(&mut material);
        set(material, ROUND)
    };
    let pair = |a, b, mu| Edit::SetPairFriction {
        a: SurfaceId(a),
        b: SurfaceId(b),
        mu: Some(mu),
    };
    let flat = SectionShape::Rectangle { half_m: [2e-3; 2] };
    let beyond = Edit::SetMaterial {
        rods: 0..2,
        material: rubber(),
        section: ROUND,
    };
    let none = SectionShape::Round { radius_m: 0.0 };
    let refused = [
        (with(&|m| m.youngs_modulus_pa = -1.0), "Young's modulus"),
        (with(&|m| m.youngs_modulus_pa = f64::NAN), "Young's modulus"),
        (with(&|m| m.poisson_ratio = 0.6), "Poisson"),
        (with(&|m| m.density_kg_m3 = 0.0), "density"),
        (with(&|m| m.bending_factor = 2.0), "bending factor"),
        (with(&|m| m.mass_damping_per_s = -1.0), "damping"),
        (set(rubber(), none), "radius"),
        (set(rubber(), flat), "not round"),
        (beyond, "no strands 0 to 2"),
        (pair(0, 7, 0.3), "no surface 7"),
        (pair(0, 1, -0.3), "friction"),
        (Edit::SetFriction(f64::NAN), "friction"),
        (Edit::SetMaxPasses(0), "pass"),
        (Edit::SetMaxIterations(0), "iteration"),
        (Edit::SetTimeStep(1.0), "time step"),
        (Edit::SetTolerance(0.0), "tolerance"),
        (Edit::SetSolverBudget(0.0), "budget"),
        (Edit::SetGravity(Vector3::y() * 1e9), "gravity"),
        (Edit::SetGravity(Vector3::y() * f64::NAN), "gravity"),
    ];
    let (hash, values) = (world.state_hash(), world.values());
    for (edit, word) in refused {
        let why = world.apply(edit.clone()).expect_err("refused");
        assert!(why.0.contains(word), "{edit:?}: {why}");
        assert_eq!(world.state_hash(), hash, "{edit:?}");
        assert_eq!(world.values(), values, "{edit:?}");
    }
}
