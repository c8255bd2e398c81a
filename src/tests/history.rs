//! The past of a real world, as the window sees it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::runner::{Command, Frame, Pace, Runner};
use crate::scene::load;
use crate::world::Edit;

/// Waits for a frame, for a minute at the most.
fn frame_where(runner: &Runner, test: impl Fn(&Frame) -> bool) -> Box<Frame> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if let Some(frame) = runner.newest().filter(|frame| test(frame)) {
            return frame;
        }
        sleep(Duration::from_millis(1));
    }
    panic!("waited in vain");
}

/// What is drawn.
fn seen(frame: &Frame) -> String {
    format!("{:?} {:?}", frame.snapshot.points, frame.snapshot.contacts)
}

#[test]
fn going_back_and_forward_shows_the_same_to_the_bit() {
    let scene = load("knot", &["rods.elements=40".into()]).expect("loads");
    let runner = Runner::start(scene.spec, false, Pace::FlatOut).expect("starts");
    let send = |command| runner.send(command).expect("there is room");
    let at = |step| {
        frame_where(&runner, |frame| {
            frame.snapshot.step == step && frame.history.now_step == step && !frame.playing
        })
    };
    send(Command::Step(37));
    let first = seen(&at(37));
    send(Command::Edit(Edit::SetFriction(0.05)));
    send(Command::Step(20));
    let second = seen(&at(57));
    send(Command::SeekTo(37));
    assert_eq!(seen(&at(37)), first);
    send(Command::Step(20));
    assert_eq!(seen(&at(57)), second);
}
