//! What was passed is told for every step, whatever the rate of frames.

use super::*;
use crate::runner::passing::MOST;

/// The steps that a frame tells of.
fn passed(frame: &Frame) -> Vec<u64> {
    (frame.snapshot.passed.iter())
        .map(|passed| passed.step)
        .collect()
}

/// Takes a frame every so often; all steps that were told of, each once.
fn followed(every: Duration) -> Vec<u64> {
    let (runner, script) = start(false, Pace::FlatOut);
    // As slow before the first step as ever after.
    script.sleep_ms.store(1, Ordering::Relaxed);
    runner.send(Command::Play).expect("room");
    let mut steps: Vec<u64> = vec![];
    let start = Instant::now();
    while start.elapsed() < 400 * MS {
        sleep(every);
        let Some(frame) = runner.newest() else {
            continue;
        };
        let last = steps.last().copied().unwrap_or(0);
        let told = passed(&frame);
        assert_eq!(told.last(), Some(&frame.snapshot.step));
        steps.extend(told.iter().filter(|step| **step > last));
        runner.recycle(frame);
    }
    steps
}

#[test]
fn one_sample_per_step_whatever_the_frame_rate() {
    for every in [MS, 20 * MS, 130 * MS] {
        let steps = followed(every);
        let all: Vec<u64> = (1..=steps.len() as u64).collect();
        assert_eq!(steps, all, "every {every:?}");
        assert!(steps.len() > 50, "every {every:?}: {}", steps.len());
    }
}

#[test]
fn what_a_window_has_taken_is_not_told_again_and_the_list_is_bounded() {
    let (runner, _) = start(false, Pace::FlatOut);
    run_to(&runner, 20);
    runner.send(Command::Step(5)).expect("room");
    let frame = frame_where(&runner, "step 25", |frame| frame.snapshot.step == 25);
    assert_eq!(passed(&frame).last(), Some(&25));
    assert!(passed(&frame).len() <= 5, "{:?}", passed(&frame));
    let far = 3 * MOST as u32;
    runner.send(Command::Step(far)).expect("room");
    sleep(50 * MS);
    let frame = frame_where(&runner, "the end", |frame| !frame.playing);
    assert!(passed(&frame).len() <= MOST);
}

#[test]
fn what_was_undone_by_going_back_is_not_told() {
    let (runner, _) = start(false, Pace::FlatOut);
    run_to(&runner, 60);
    let frame = look_at(&runner, 31);
    assert_eq!(passed(&frame), [31]);
    runner.send(Command::Reset).expect("room");
    let frame = frame_where(&runner, "a reset", |frame| frame.snapshot.step == 0);
    assert_eq!(passed(&frame), [0]);
}
