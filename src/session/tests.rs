//! What is written reads back the same, and plays back the same; what is broken is a sentence.

use std::sync::Arc;

use nalgebra::{Point3, Vector3};

use super::*;
use crate::body::{RodMaterial, RodModel, SectionShape};
use crate::contact::DetectorKind;
use crate::friction::SolverKind;
use crate::world::{Hand, MaterialPoint, SurfaceId, World, WorldSpec};

/// Numbers that a careless writer would round.
const AWKWARD: [f64; 6] = [
    0.1,
    -0.0,
    1.0 / 3.0,
    f64::MIN_POSITIVE,
    -123_456_789.123_456_79,
    5e-324,
];

fn edits() -> Vec<Edit> {
    let point = MaterialPoint {
        rod: 0,
        element: 20,
        fraction: 0.1 + 0.2,
    };
    let hand = Hand(0);
    let pose = nalgebra::Isometry3::new(
        Vector3::new(AWKWARD[0], AWKWARD[2], AWKWARD[5]),
        Vector3::new(0.3, -0.1, 2.0),
    );
    let mut edits: Vec<Edit> = AWKWARD.map(Edit::SetFriction).to_vec();
    edits.extend([
        Edit::SetTimeStep(1.0 / 700.0),
        Edit::SetGravity(Vector3::new(AWKWARD[0], AWKWARD[1], AWKWARD[2])),
        Edit::SetTolerance(1e-9),
        Edit::SetMaxIterations(77),
        Edit::SetSolverBudget(f64::INFINITY),
        Edit::SetModel {
            rods: None,
            model: RodModel::SuperHelix,
        },
        Edit::SetModel {
            rods: Some(3..5),
            model: RodModel::MassSpring,
        },
        Edit::SetMaterial {
            rods: 0..24,
            material: RodMaterial {
                youngs_modulus_pa: AWKWARD[0],
                poisson_ratio: 0.1 + 0.2,
                density_kg_m3: AWKWARD[1],
                bending_factor: 1.0 / 3.0,
                mass_damping_per_s: 0.0,
                stiffness_damping_s: 1e-300,
            },
            section: SectionShape::Ellipse {
                half_m: [1.0 / 7.0, 1e-5],
            },
        },
        Edit::SetPairFriction {
            a: SurfaceId(1),
            b: SurfaceId(0),
            mu: Some(0.7),
        },
        Edit::SetPairFriction {
            a: SurfaceId(0),
            b: SurfaceId(2),
            mu: None,
        },
        Edit::SetMaxPasses(3),
        Edit::SetSelfContact(false),
        Edit::Grab {
            hand,
            point,
            target: Point3::new(AWKWARD[2], AWKWARD[4], AWKWARD[5]),
        },
        Edit::MoveHand {
            hand,
            target: Point3::new(1e300, -1e-300, 0.0),
        },
        Edit::Release(hand),
        Edit::Pin(point),
        Edit::Unhold(4),
        Edit::Rehold(4),
        Edit::Clamp(point),
        Edit::TwistHand {
            hand,
            angle_rad: AWKWARD[1],
        },
        Edit::GrabSolid {
            hand,
            solid: 1,
            local: Point3::new(AWKWARD[0], AWKWARD[1], AWKWARD[3]),
            target: Point3::new(AWKWARD[5], AWKWARD[4], AWKWARD[2]),
        },
        Edit::SpinSolid {
            solid: 1,
            spin: Vector3::new(AWKWARD[2], AWKWARD[1], AWKWARD[4]),
        },
        Edit::MoveHold { id: 3, pose },
        Edit::ReturnHold { id: 3 },
        Edit::MoveSolid { solid: 2, pose },
        Edit::ReturnSolid { solid: 2 },
        Edit::PlayDemo(true),
    ]);
    edits.extend(SolverKind::ALL.map(Edit::SetSolver));
    edits.extend(DetectorKind::ALL.map(Edit::SetDetector));
    edits
}

/// All bits of an edit: equality alone would take −0 for 0.
fn bits(edit: &Edit) -> String {
    format!("{edit:?}")
}

/// A number for every kind of edit: a new one does not compile before it stands here.
fn kind(edit: &Edit) -> usize {
    match edit {
        Edit::SetFriction(_) => 0,
        Edit::SetPairFriction { .. } => 1,
        Edit::SetTimeStep(_) => 2,
        Edit::SetGravity(_) => 3,
        Edit::SetDetector(_) => 4,
        Edit::SetSolver(_) => 5,
        Edit::SetTolerance(_) => 6,
        Edit::SetMaxIterations(_) => 7,
        Edit::SetSolverBudget(_) => 8,
        Edit::SetMaxPasses(_) => 9,
        Edit::SetSelfContact(_) => 10,
        Edit::SetModel { .. } => 11,
        Edit::SetMaterial { .. } => 12,
        Edit::Grab { .. } => 13,
        Edit::GrabSolid { .. } => 14,
        Edit::SpinSolid { .. } => 15,
        Edit::MoveHand { .. } => 16,
        Edit::TwistHand { .. } => 17,
        Edit::Release(_) => 18,
        Edit::Pin(_) => 19,
        Edit::Clamp(_) => 20,
        Edit::MoveHold { .. } => 21,
        Edit::ReturnHold { .. } => 22,
        Edit::MoveSolid { .. } => 23,
        Edit::ReturnSolid { .. } => 24,
        Edit::Unhold(_) => 25,
        Edit::Rehold(_) => 26,
        Edit::PlayDemo(_) => KINDS - 1,
    }
}

/// How many kinds of edit there are.
const KINDS: usize = 28;

#[test]
fn every_edit_reads_back_to_the_same_bits() {
    let edits = edits();
    let tried: std::collections::BTreeSet<usize> = edits.iter().map(kind).collect();
    assert!(tried.into_iter().eq(0..KINDS), "every kind is tried");
    let events = edits.iter().enumerate();
    let events = events.map(|(k, edit)| (k as u64, Event::Edit(edit.clone())));
    let session = Session {
        head: Head {
            scene: "a \"name\" with = everything.toml".into(),
            sets: vec!["friction.default=0.3".into(), "note=\"a\\nb\"".into()],
            demo: true,
            spec: "0123456789abcdef".into(),
        },
        events: events.chain([(99, Event::End(u64::MAX))]).collect(),
    };
    let text = session.text();
    assert_eq!(text.lines().count(), 5 + edits.len() + 1, "{text}");
    let read = Session::parse("test", &text).expect("reads back");
    assert_eq!(read, session);
    for ((_, event), edit) in read.events.iter().zip(&edits) {
        let Event::Edit(read) = event else {
            panic!("{event:?}");
        };
        assert_eq!(bits(read), bits(edit));
    }
}

fn tug() -> Session {
    let point = MaterialPoint {
        rod: 0,
        element: 10,
        fraction: 0.25,
    };
    let scene = scene::load("knot", &["rods.elements=60".into()]).expect("loads");
    let by_hand = WorldSpec {
        demo: false,
        ..scene.spec.clone()
    };
    let mut world = World::new(by_hand).expect("builds");
    let start = world.rod_nodes(0)[10];
    let mut events = vec![(0, Event::Hash(world.state_hash()))];
    let mut act = |world: &mut World, edit: Edit| {
        world.apply(edit.clone()).expect("allowed");
        events.push((world.steps(), Event::Edit(edit)));
    };
    let hand = Hand(0);
    for step in 0..40_u32 {
        let lift = Vector3::new(0.0, 2e-3, 1e-3) * f64::from(step);
        let target = start + lift;
        match step {
            5 => act(
                &mut world,
                Edit::Grab {
                    hand,
                    point,
                    target,
                },
            ),
            6..30 => act(&mut world, Edit::MoveHand { hand, target }),
            30 => act(&mut world, Edit::Release(hand)),
            _ => {}
        }
        world.step().expect("a step");
    }
    events.push((40, Event::End(world.state_hash())));
    Session {
        head: Head::of(&scene, false),
        events,
    }
}

/// Plays a session to its end; how it differed, if it did.
fn play(session: &Session) -> Option<String> {
    let scene = session.scene().expect("loads");
    let mut world = World::new(scene.spec.clone()).expect("builds");
    let mut replay = Replay::new(Arc::new(session.clone()), !session.is_of(&scene));
    while replay.step(&mut world).expect("a step") {}
    assert_eq!(world.steps(), session.last_step());
    replay.diverged().map(str::to_owned)
}

#[test]
fn a_session_plays_back_to_the_same_bits() {
    let session = tug();
    let read = Session::parse("test", &session.text()).expect("reads back");
    assert_eq!(play(&read), None);
}

#[test]
fn a_replay_that_differs_says_from_which_step_on() {
    let mut session = tug();
    let moved = session.events.iter_mut().find(|(step, _)| *step == 20);
    let Some((_, Event::Edit(Edit::MoveHand { target, .. }))) = moved else {
        panic!("a hand moves at step 20");
    };
    target.y += 1e-9;
    let word = play(&session).expect("differs");
    assert!(
        word.contains("at step 40") && word.contains("at the start it was the same"),
        "{word}"
    );
    assert!(!word.contains("has changed"), "{word}");
    session.head.sets.push("friction.default=0.9".into());
    let word = play(&session).expect("differs");
    assert!(word.contains("has changed since"), "{word}");
}

#[test]
fn an_edit_that_is_refused_now_is_a_difference() {
    let mut session = tug();
    let nowhere = Edit::Unhold(0);
    session
        .events
        .insert(1, (0, Event::Edit(Edit::SetTimeStep(-1.0))));
    session.events.insert(1, (0, Event::Edit(nowhere)));
    let word = play(&session).expect("differs");
    assert!(
        word.contains("at step 0") && word.contains("refused"),
        "{word}"
    );
}

#[test]
fn a_broken_file_is_a_sentence() {
    let whole = tug().text();
    let error = |text: &str| {
        let error = Session::parse("my.session", text).expect_err(text);
        error.to_string()
    };
    assert!(error("").contains("not a session of Prusik"));
    assert!(error("PNG\u{0}\u{1}").contains("not a session of Prusik"));
    let newer = whole.replacen("session 1", "session 2", 1);
    assert!(
        error(&newer).contains("a newer one is needed"),
        "{}",
        error(&newer)
    );
    let unknown = whole.replacen("grab", "juggle", 1);
    assert!(
        error(&unknown).contains("my.session, line 7: "),
        "{}",
        error(&unknown)
    );
    let backwards = whole.clone() + "3 release = 0\n";
    assert!(error(&backwards).contains("after step 40"));
    assert!(error("prusik session 1\nscn = \"knot\"\n").contains("says wrongly"));
}

#[test]
fn a_file_that_breaks_off_is_played_as_far_as_it_goes() {
    let session = tug();
    let whole = session.text();
    assert!(!session.is_cut_short());
    for lost in [1, 7, 40, 200] {
        let text = &whole[..whole.len() - lost];
        // Only the newline is lost with the first.
        let read = Session::parse("test", text).expect("reads as far as it goes");
        assert_eq!(read.is_cut_short(), lost > 1);
        assert_eq!(play(&read), None);
    }
}

#[test]
fn a_growing_file_is_a_session_at_any_time() {
    let session = tug();
    let path = std::env::temp_dir().join(format!("prusik_{}.session", std::process::id()));
    let (early, late) = session.events.split_at(8);
    let so_far = || early.iter().map(|(step, event)| (*step, event));
    let mut file = SessionFile::create(&path, session.head.clone(), so_far()).expect("creates");
    let shown = path.to_string_lossy().into_owned();
    let read = load_session(&shown).expect("reads");
    assert_eq!(read.events, early);
    file.add(9, &Event::Edit(Edit::SetFriction(0.5)))
        .expect("writes");
    file.rewrite(so_far()).expect("starts over");
    for (step, event) in late {
        file.add(*step, event).expect("writes");
    }
    file.flush().expect("writes");
    assert_eq!(load_session(&shown).expect("reads"), session);
    std::fs::remove_file(path).expect("removes");
}

/// Sines and cosines come from the system's library, whose last bit depends on whether the processor can multiply and add
/// in one go; the shipped sessions were recorded on one that can.
fn computes_like_the_recording() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    false
}

#[test]
fn every_shipped_session_plays_back_to_the_same_bits() {
    for shipped in shipped_sessions() {
        let session = load_session(shipped.name).expect(shipped.name);
        assert!(!session.is_cut_short(), "{}", shipped.name);
        let diverged = play(&session);
        if computes_like_the_recording() {
            assert_eq!(diverged, None, "{}", shipped.name);
        } else {
            eprintln!("not held against the recorded bits on this machine: {diverged:?}");
        }
    }
}
