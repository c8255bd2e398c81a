use bevy::ecs::schedule::Schedule;
use bevy::ecs::world::World as Window;

use super::*;
use crate::app::undo::UndoLog;
use crate::scene;

/// The window without a window: what it knows, and the two systems that talk to the solver.
struct Bare {
    window: Window,
    frame: Schedule,
}

fn open(name: &str) -> Bare {
    let scene = scene::load(name, &[]).expect("a shipped scene");
    let mut window = Window::new();
    window.insert_resource(Bridge::start(&scene).expect("builds"));
    window.insert_resource(Shown::new(scene));
    window.insert_resource(Opened(name.into()));
    window.insert_resource(Toasts::default());
    let mut frame = Schedule::default();
    frame.add_systems((receive, send).chain());
    Bare { window, frame }
}

impl Bare {
    fn bridge(&mut self) -> Mut<'_, Bridge> {
        self.window.resource_mut::<Bridge>()
    }

    fn shown(&self) -> &Shown {
        self.window.resource::<Shown>()
    }

    fn opened(&self) -> &str {
        &self.window.resource::<Opened>().0
    }

    fn step(&self) -> u64 {
        self.shown().snapshot.step
    }

    fn toasts(&mut self) -> Vec<String> {
        let mut toasts = self.window.resource_mut::<Toasts>();
        toasts.current().iter().map(|t| t.text.clone()).collect()
    }

    /// Draws until it is so.
    fn until(&mut self, what: &str, holds: impl Fn(&mut Self) -> bool) {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            self.frame.run(&mut self.window);
            if holds(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("waited in vain until {what}");
    }
}

/// It loads, and no step that it could take is small enough.
fn unbuildable() -> Scene {
    let sets = ["rods.model=corde", "rods.scheme=explicit"].map(str::to_owned);
    let scene = scene::load("knot", &sets).expect("it loads");
    assert!(crate::world::World::new(scene.spec.clone()).is_err());
    scene
}

#[test]
fn a_scene_that_cannot_be_built_leaves_the_old_one_running_and_is_not_remembered() {
    let mut bare = open("drape");
    bare.until("it runs", |bare| bare.step() > 0);
    bare.bridge().load(unbuildable(), "bad.toml".into());
    bare.until("a word comes", |bare| !bare.toasts().is_empty());
    let word = bare.toasts().remove(0);
    assert!(word.contains("explicit"), "{word}");
    assert!(bare.bridge().coming().is_none());
    assert_eq!(bare.shown().scene.name, "drape");
    let step = bare.step();
    bare.until("the old one goes on", |bare| bare.step() > step);
    assert!(bare.bridge().playing);
    assert_eq!(bare.opened(), "drape");
    // A good one is opened as ever.
    let good = scene::load("incline", &[]).expect("ships");
    bare.bridge().load(good, "incline".into());
    bare.until("the next one is there", |bare| {
        bare.shown().scene.name == "incline" && bare.step() > 0
    });
    assert_eq!(bare.opened(), "incline");
}

#[test]
fn of_many_scenes_asked_for_in_a_row_the_last_is_shown_with_its_own_state() {
    let mut bare = open("drape");
    for _ in 0..3 {
        for name in ["knot", "incline", "rings"] {
            let scene = scene::load(name, &[]).expect("ships");
            bare.bridge().load(scene, name.into());
            bare.frame.run(&mut bare.window);
            let shown = bare.window.resource::<Shown>();
            let strands = shown.snapshot.strands.len();
            assert!(strands == 0 || strands == shown.scene.spec.rods.len());
        }
        bare.until("the last is there", |bare| bare.bridge().coming().is_none());
        assert_eq!(
            (bare.opened(), &*bare.shown().scene.name),
            ("rings", "rings")
        );
    }
}

#[test]
fn edits_meant_for_the_old_scene_do_not_reach_the_new_one() {
    let mut bare = open("drape");
    bare.until("it runs", |bare| bare.step() > 0);
    let scene = scene::load("knot", &[]).expect("ships");
    let mu = scene.spec.friction.default;
    bare.bridge().load(scene, "knot".into());
    bare.bridge().edit(Edit::SetFriction(1.75));
    bare.until("the knot is there", |bare| {
        bare.shown().scene.name == "knot" && bare.step() > 0
    });
    assert_eq!(bare.shown().snapshot.friction, mu);
}

#[test]
fn whoever_goes_on_after_a_fault_has_read_of_it() {
    let mut bare = open("drape");
    bare.until("it runs", |bare| bare.step() > 2);
    let deeds: [fn(&mut Bridge); 4] = [
        |bridge| bridge.set_playing(true),
        Bridge::step,
        Bridge::step_back,
        |bridge| bridge.seek_to(1),
    ];
    for deed in deeds {
        bare.bridge()
            .stopped("velocity is not finite".into(), false);
        assert!(!bare.bridge().playing, "a fault has paused it");
        deed(&mut bare.bridge());
        assert_eq!(bare.bridge().fault, None);
    }
    bare.bridge().set_playing(true);
    let step = bare.step();
    bare.until("it goes on", |bare| bare.step() > step + 5);
    assert!(bare.bridge().playing);
}

#[test]
fn a_world_that_broke_down_says_so_until_it_is_mended() {
    let mut bare = open("drape");
    bare.until("it runs", |bare| bare.step() > 0);
    bare.bridge().stopped("the solver stopped".into(), true);
    for deed in [|bridge: &mut Bridge| bridge.set_playing(true), Bridge::step] {
        deed(&mut bare.bridge());
        assert!(bare.bridge().fault.is_some() && !bare.bridge().playing);
    }
    bare.bridge().reset();
    assert!(bare.bridge().fault.is_none() && bare.bridge().playing);
    bare.bridge().stopped("the solver stopped".into(), true);
    bare.bridge().rewind();
    assert_eq!(bare.bridge().fault, None);
}

#[test]
fn what_is_said_to_run_runs() {
    let mut bare = open("drape");
    bare.until("it runs", |bare| bare.step() > 30);
    bare.bridge().seek_to(20);
    bare.bridge().set_playing(true);
    bare.bridge().set_playing(false);
    bare.until("it is there", |bare| bare.step() == 20);
    for _ in 0..50 {
        bare.frame.run(&mut bare.window);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!((bare.step(), bare.bridge().playing), (20, false));
    bare.bridge().seek_to(10);
    bare.bridge().set_playing(true);
    bare.until("it runs on from there", |bare| bare.step() > 25);
    assert!(bare.bridge().playing);
}

/// Scattered numbers: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count
    }
}

impl Bare {
    /// As [`super::super::action`] carries out edits.
    fn act(&mut self, undo: &mut UndoLog, edits: &[Edit]) {
        let before = self.bridge().wanted.values.clone();
        undo.note_hands(edits, &self.shown().snapshot);
        for edit in edits {
            self.bridge().edit(edit.clone());
        }
        let after = self.bridge().wanted.values.clone();
        undo.note(before, &after, &self.shown().scene);
        undo.close();
    }

    fn edit_at_random(&mut self, dice: &mut Dice) -> Vec<Edit> {
        let snapshot = &self.shown().snapshot;
        let point = crate::world::MaterialPoint {
            rod: 0,
            element: dice.below(20) as usize,
            fraction: 0.5,
        };
        let hand = crate::world::Hand(dice.below(2) as u32);
        let target = nalgebra::Point3::new(0.0, 0.1 * dice.below(5) as f64, 0.1);
        let some_hold = snapshot.holds.last().map(|hold| hold.id);
        vec![match dice.below(9) {
            0 => Edit::SetFriction(0.1 * dice.below(9) as f64),
            1 => Edit::SetTimeStep(1e-3 * dice.below(4) as f64),
            2 => Edit::Grab {
                hand,
                point,
                target,
            },
            3 => Edit::MoveHand { hand, target },
            4 => Edit::Release(hand),
            5 => Edit::Pin(point),
            6 => Edit::Clamp(point),
            7 => Edit::Unhold(some_hold.unwrap_or(99)),
            _ => Edit::PlayDemo(dice.below(2) == 0),
        }]
    }

    /// One thing that someone does to the window.
    fn do_at_random(&mut self, dice: &mut Dice, undo: &mut UndoLog) {
        match dice.below(16) {
            0 => self.bridge().set_playing(true),
            1 => self.bridge().set_playing(false),
            2 => self.bridge().step(),
            3 => self.bridge().step_back(),
            4 => {
                let step = dice.below(self.step() + 10);
                self.bridge().seek_to(step);
            }
            5 => self.bridge().rewind(),
            6 => {
                self.bridge().reset();
                undo.forget_hands();
            }
            7 => self.bridge().load(unbuildable(), "bad.toml".into()),
            8 if dice.below(3) == 0 => {
                let name = ["incline", "drape"][dice.below(2) as usize];
                let scene = scene::load(name, &[]).expect("ships");
                self.bridge().load(scene, name.into());
            }
            9 | 10 => {
                let entry = match dice.below(2) {
                    0 => undo.undo(&self.shown().snapshot),
                    _ => undo.redo(&self.shown().snapshot),
                };
                let edits = entry.map_or(vec![], |(_, edits)| edits);
                edits.into_iter().for_each(|edit| self.bridge().edit(edit));
            }
            _ => {
                let edits = self.edit_at_random(dice);
                self.act(undo, &edits);
            }
        }
    }
}

#[test]
fn whatever_is_done_in_whatever_order_nothing_breaks_and_nothing_is_stuck() {
    let mut bare = open("drape");
    let (mut dice, mut undo) = (Dice(0x9e37_79b9_7f4a_7c15), UndoLog::default());
    let mut scene_count = bare.shown().scene_count;
    for _ in 0..600 {
        bare.do_at_random(&mut dice, &mut undo);
        for _ in 0..dice.below(4) {
            bare.frame.run(&mut bare.window);
            std::thread::sleep(Duration::from_millis(dice.below(5)));
        }
        let shown = bare.shown();
        if shown.scene_count != scene_count {
            // As the window does.
            scene_count = shown.scene_count;
            undo = UndoLog::default();
        }
        let strands = shown.snapshot.strands.len();
        assert!(strands == 0 || strands == shown.scene.spec.rods.len());
        let finite = |x: &f32| x.is_finite();
        let mut points = bare.shown().snapshot.points.iter();
        assert!(points.all(|point| point.position.iter().all(finite)));
        assert_ne!(bare.opened(), "bad.toml");
    }
    assert_eq!(bare.bridge().last_fault, None);
    bare.until("all is answered", |bare| bare.bridge().coming().is_none());
    bare.bridge().set_playing(false);
    bare.bridge().set_playing(true);
    bare.frame.run(&mut bare.window);
    let step = bare.step();
    // A seek under way leads elsewhere first.
    bare.until("it runs", |bare| {
        let now = bare.step();
        now > step + 20 || now > 20 && bare.bridge().playing
    });
    assert!(bare.bridge().playing);
    bare.bridge().set_playing(false);
    bare.until("it pauses", |bare| {
        let bridge = bare.bridge();
        bridge.outbox.is_empty() && !bridge.playing && bridge.actual_factor == 0.0
    });
}
