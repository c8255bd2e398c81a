//! Recording what is done, and doing it again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{frame_where, look_at, run_to, set_friction, start, wait_for};
use crate::runner::{Command, Event, Pace, Runner};
use crate::session::{Event as Done, Head, Session, load_session};
use crate::world::Edit;

fn session_file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!(
        "prusik_runner_{name}_{}.session",
        std::process::id()
    ))
}

#[test]
fn a_recording_has_everything_from_the_start_but_not_what_was_forgotten() {
    let (runner, _) = start(false, Pace::FlatOut);
    run_to(&runner, 10);
    set_friction(&runner, 0.4);
    let path = session_file("record");
    let head = Box::new(Head::default());
    let record = Command::Record {
        path: path.clone(),
        head,
    };
    runner.send(record).unwrap();
    frame_where(&runner, "the recording", |frame| frame.recording);
    runner.send(Command::Step(20)).unwrap();
    frame_where(&runner, "more steps", |frame| frame.snapshot.step == 30);
    set_friction(&runner, 0.6);
    look_at(&runner, 20);
    set_friction(&runner, 0.8);
    runner.send(Command::StopRecording).unwrap();
    assert_eq!(
        wait_for("the file", || runner.event()),
        Event::Recorded(path.clone())
    );
    let session = load_session(&path.to_string_lossy()).expect("reads");
    let edits: Vec<_> = session
        .edits()
        .map(|(step, edit)| (step, edit.clone()))
        .collect();
    let set = Edit::SetFriction;
    assert_eq!(edits, [(10, set(0.4)), (20, set(0.8))]);
    assert_eq!((session.last_step(), session.is_cut_short()), (20, false));
    std::fs::remove_file(path).expect("removes");
}

/// Sets µ to 0.6 after 30 steps, and ends after 60.
fn short_session(end: u64) -> Arc<Session> {
    Arc::new(Session {
        head: Head::default(),
        events: vec![
            (30, Done::Edit(Edit::SetFriction(0.6))),
            (60, Done::End(end)),
        ],
    })
}

fn watch(runner: &Runner, session: Arc<Session>) {
    let replay = Command::Replay {
        ticket: 0,
        session,
        other_scene: false,
    };
    runner.send(replay).unwrap();
}

#[test]
fn a_session_is_played_to_its_end_and_says_whether_it_is_the_same() {
    for (end, same) in [(60_060, true), (60_061, false)] {
        let (runner, _) = start(false, Pace::FlatOut);
        watch(&runner, short_session(end));
        let Event::Replayed(word) = wait_for("the end", || runner.event()) else {
            panic!("another event");
        };
        assert_eq!(word.is_none(), same, "{word:?}");
        let frame = frame_where(&runner, "the end", |frame| !frame.playing);
        assert_eq!((frame.snapshot.step, frame.snapshot.friction), (60, 0.6));
        assert_eq!(frame.replaying, None);
    }
}

#[test]
fn whoever_touches_a_session_that_is_played_has_the_world() {
    let (runner, script) = start(false, Pace::FlatOut);
    script.sleep_ms.store(5, Ordering::Relaxed);
    watch(&runner, short_session(60_060));
    frame_where(&runner, "the session", |frame| {
        frame.replaying == Some(60) && frame.snapshot.step > 3
    });
    set_friction(&runner, 0.1);
    assert_eq!(wait_for("its end", || runner.event()), Event::ReplayLeft);
    let frame = frame_where(&runner, "steps beyond it", |frame| frame.snapshot.step > 70);
    assert_eq!((frame.replaying, frame.snapshot.friction), (None, 0.1));
}
