//! Going back in time.

use std::sync::atomic::Ordering;

use nalgebra::Point3;

use super::{frame_where, look_at, run_to, set_friction, start, wait_for};
use crate::runner::{Command, Pace};
use crate::world::{Edit, Hand, MaterialPoint};

#[test]
fn any_step_can_be_gone_back_to_with_what_was_done_before_it() {
    let (runner, _) = start(false, Pace::FlatOut);
    run_to(&runner, 33);
    set_friction(&runner, 0.5);
    runner.send(Command::Step(42)).unwrap();
    frame_where(&runner, "more steps", |frame| frame.snapshot.step == 75);
    set_friction(&runner, 0.9);
    for (step, mu) in [
        (12, 0.3),
        (33, 0.3),
        (34, 0.5),
        (70, 0.5),
        (0, 0.3),
        (75, 0.9),
    ] {
        let frame = look_at(&runner, step);
        assert_eq!(frame.snapshot.friction, mu, "at step {step}");
        assert_eq!(
            (frame.history.oldest_step, frame.history.newest_step),
            (0, 75)
        );
        assert_eq!(frame.history.marks, [33, 75]);
    }
    assert_eq!(look_at(&runner, 75).snapshot.friction, 0.9);
}

#[test]
fn steps_go_back_one_by_one_and_forward_through_what_was_done() {
    let (runner, _) = start(false, Pace::FlatOut);
    run_to(&runner, 20);
    set_friction(&runner, 0.5);
    runner.send(Command::Step(5)).unwrap();
    frame_where(&runner, "more steps", |frame| frame.snapshot.step == 25);
    for step in [24, 23, 22, 21, 20, 19] {
        runner.send(Command::StepBack).unwrap();
        frame_where(&runner, "a step back", |frame| frame.snapshot.step == step);
    }
    for step in [20, 21] {
        runner.send(Command::Step(1)).unwrap();
        let frame = frame_where(&runner, "a step forward", |frame| {
            frame.snapshot.step == step
        });
        assert_eq!(frame.snapshot.friction, if step > 20 { 0.5 } else { 0.3 });
        assert_eq!(frame.history.newest_step, 25, "nothing is forgotten");
    }
}

#[test]
fn whoever_edits_in_the_past_goes_on_from_there() {
    let (runner, _) = start(false, Pace::FlatOut);
    let grab = Edit::Grab {
        hand: Hand(0),
        point: MaterialPoint {
            rod: 0,
            element: 0,
            fraction: 0.0,
        },
        target: Point3::origin(),
    };
    run_to(&runner, 20);
    runner.send(Command::Edit(grab)).unwrap();
    runner.send(Command::Step(30)).unwrap();
    frame_where(&runner, "more steps", |frame| frame.snapshot.step == 50);
    assert!(look_at(&runner, 40).snapshot.demo, "a hand holds it");
    // A hand that moves on, of which the past knows nothing, changes nothing.
    let stray = Edit::Release(Hand(0));
    runner.send(Command::Edit(stray)).unwrap();
    assert_eq!(look_at(&runner, 45).history.newest_step, 50);
    look_at(&runner, 40);
    let frame = set_friction(&runner, 0.7);
    assert_eq!(
        frame.history.newest_step, 40,
        "what came later is forgotten"
    );
    assert!(!frame.snapshot.demo, "what was held then is let go");
    runner.send(Command::Step(3)).unwrap();
    let frame = frame_where(&runner, "new steps", |frame| frame.snapshot.step == 43);
    assert_eq!(
        (frame.history.newest_step, frame.snapshot.friction),
        (43, 0.7)
    );
    assert_eq!(look_at(&runner, 39).snapshot.friction, 0.3);
}

#[test]
fn scrubbing_through_slow_steps_shows_kept_pictures_at_once() {
    let (runner, script) = start(false, Pace::FlatOut);
    run_to(&runner, 100);
    script.sleep_ms.store(300, Ordering::Relaxed);
    let before = script.steps.load(Ordering::Relaxed);
    for step in [15, 38, 62, 87, 41] {
        runner.send(Command::SeekTo(step)).unwrap();
        let frame = frame_where(&runner, "a picture", |frame| frame.history.now_step == step);
        assert_eq!(
            frame.snapshot.step,
            step / 10 * 10,
            "the picture kept before it"
        );
    }
    let taken = script.steps.load(Ordering::Relaxed) - before;
    assert!(taken < 12, "{taken} slow steps for five looks");
    script.sleep_ms.store(0, Ordering::Relaxed);
    frame_where(&runner, "the exact state", |frame| {
        frame.snapshot.step == 41
    });
}

#[test]
fn who_pauses_on_the_way_through_time_is_not_overtaken_by_an_older_wish_to_run() {
    let (runner, script) = start(false, Pace::FlatOut);
    run_to(&runner, 100);
    for stop in [Command::Pause, Command::StepBack, Command::RewindToLastGood] {
        look_at(&runner, 100);
        script.sleep_ms.store(60, Ordering::Relaxed);
        let told = format!("{stop:?}");
        for command in [Command::SeekTo(38), Command::Play] {
            runner.send(command).unwrap();
        }
        frame_where(&runner, "the wish to run", |frame| frame.runs_on);
        runner.send(stop).unwrap();
        script.sleep_ms.store(0, Ordering::Relaxed);
        let frame = frame_where(&runner, "the past", |frame| {
            !frame.runs_on && frame.snapshot.step == frame.history.now_step
        });
        assert!(frame.snapshot.step <= 50 && !frame.playing, "{told}");
        assert_eq!(frame.history.newest_step, 100, "{told}");
    }
}

#[test]
fn after_a_fault_or_a_panic_the_way_back_leads_ever_further() {
    for panics in [false, true] {
        let (runner, script) = start(false, Pace::FlatOut);
        run_to(&runner, 200);
        let bad = if panics { &script.panic } else { &script.fault };
        bad.store(true, Ordering::Relaxed);
        runner.send(Command::Play).unwrap();
        wait_for("the event", || runner.event());
        bad.store(false, Ordering::Relaxed);
        for step in [150, 100, 50, 0, 0] {
            runner.send(Command::RewindToLastGood).unwrap();
            let frame = frame_where(&runner, "the rewind", |frame| {
                frame.snapshot.step == step && frame.history.now_step == step
            });
            assert!(!frame.playing);
        }
        runner.send(Command::Step(1)).unwrap();
        frame_where(&runner, "life goes on", |frame| frame.snapshot.step == 1);
        assert_eq!(runner.event(), None);
    }
}

#[test]
fn a_step_that_failed_leaves_the_state_it_started_from() {
    let (runner, script) = start(false, Pace::FlatOut);
    run_to(&runner, 27);
    script.fault_after.store(27, Ordering::Relaxed);
    runner.send(Command::Play).unwrap();
    wait_for("the event", || runner.event());
    frame_where(&runner, "the state before", |frame| {
        frame.snapshot.step == 27 && frame.snapshot.friction == 0.3 && !frame.playing
    });
}
