//! Ties an overhand knot in the real window with pointer events alone, as a newcomer would: from the straight rope, over,
//! behind, through and tight; then µ to 0, and it loosens. A picture of each stage is kept in the test's output folder
//! (`CARGO_TARGET_TMPDIR`/tying).
//!
//! Needs Xvfb, xdotool and a (software) Vulkan driver. `PRUSIK_WINDOW_TEST=0` skips it.
#![cfg(feature = "app")]

mod screen;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use screen::Screen;
use serde_json::Value;

/// Everything together, on a slow machine that draws a frame or two a second.
const TIME_LIMIT: Duration = Duration::from_secs(420);
/// Farthest that the pointer goes before it waits for the rope, pixels.
const STRIDE_PX: f64 = 45.0;
/// How near to the pointer the held end has followed, pixels.
const FOLLOWED_PX: f64 = 20.0;
/// Buttons of the wheel.
const AWAY: &str = "4";
const NEARER: &str = "5";

#[test]
fn an_overhand_knot_is_tied_by_pointer_events_alone_and_loosens_without_friction() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let screen = Screen::open();
    let mut rope = Rope::open(&screen);
    rope.picture("1_straight");
    assert_eq!(rope.knot().as_deref(), Some("unknot"));

    // Metres on the rope's own plane, as pixels: it is 1.4 m long at the start.
    let [fixed, end] = rope.ends();
    let metre = (end[0] - fixed[0]) / 1.4;
    let middle = [0.5 * (fixed[0] + end[0]), 0.5 * (fixed[1] + end[1])];
    let place = |right: f64, up: f64| [middle[0] + right * metre, middle[1] - up * metre];

    rope.take(end);
    rope.wheel(NEARER);
    for (right, up) in [(0.6, 0.1), (0.25, 0.36), (-0.18, 0.22), (-0.18, -0.15)] {
        rope.lead(place(right, up));
    }
    rope.picture("2_over");

    rope.wheel(AWAY);
    rope.wheel(AWAY);
    rope.lead(place(-0.06, -0.2));
    let below = rope.middle_of_loop();
    rope.lead([below[0], place(0.0, -0.12)[1]]);
    let inside = rope.middle_of_loop();
    rope.lead(inside);
    rope.picture("3_behind");

    rope.wheel(NEARER);
    rope.wheel(NEARER);
    let out = rope.middle_of_loop();
    rope.lead([out[0] + 0.06 * metre, out[1] - 0.3 * metre]);
    rope.wait_until("the status line names the knot", |map| {
        map["knots"] == "trefoil (3_1)"
    });
    rope.picture("4_through");

    for (right, up) in [(0.5, 0.3), (0.6, 0.1), (0.66, 0.02), (0.74, 0.0)] {
        rope.stretch(place(right, up));
    }
    rope.wait_until("the rope is taut", |map| {
        ends(map).is_some_and(|[a, b]| b[0] - a[0] > 1.2 * metre)
    });
    let tight = rope.loop_height();
    rope.picture("5_tight");
    assert_eq!(rope.knot().as_deref(), Some("trefoil (3_1)"));
    rope.let_go();

    rope.set_friction_to_zero();
    let [_, before] = rope.ends();
    let reach = before[0];
    rope.wait_until("the knot takes up rope as it loosens", |map| {
        ends(map).is_some_and(|[_, end]| end[0] < reach - 0.05 * metre)
    });
    rope.picture("6_loose");
    let loose = rope.loop_height();
    assert!(
        loose > tight,
        "without friction the knot should grow, but is {loose} pixels high after {tight}"
    );
    screen.key("ctrl+q");
}

/// The window with the rope.
struct Rope<'a> {
    screen: &'a Screen,
    process: Child,
    folder: PathBuf,
    began: Instant,
    pointer: [f64; 2],
}

impl<'a> Rope<'a> {
    fn open(screen: &'a Screen) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tying");
        std::fs::create_dir_all(&folder).expect("the output folder can be written to");
        let map = folder.join("map.json");
        let _ = std::fs::remove_file(&map);
        let process = Command::new(env!("CARGO_BIN_EXE_prusik"))
            .args(["app", "rope"])
            .env("DISPLAY", screen.name())
            .env("PRUSIK_UI_MAP", &map)
            .env("XDG_CONFIG_HOME", &folder)
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let mut rope = Self {
            screen,
            process,
            folder,
            began: Instant::now(),
            pointer: [0.0; 2],
        };
        rope.wait_until("the rope is drawn and its knot is named", |map| {
            ends(map).is_some() && map["knots"].is_string()
        });
        screen.focus("Prusik");
        // The map is written before the first frame is on screen.
        while screen.picture().is_blank() {
            assert!(rope.began.elapsed() < TIME_LIMIT, "nothing is drawn");
            std::thread::sleep(Duration::from_millis(100));
        }
        rope
    }

    fn map(&self) -> Option<Value> {
        serde_json::from_str(&std::fs::read_to_string(self.folder.join("map.json")).ok()?).ok()
    }

    fn wait_until(&mut self, what: &str, holds: impl Fn(&Value) -> bool) {
        while !self.map().is_some_and(|map| holds(&map)) {
            if let Ok(Some(status)) = self.process.try_wait() {
                panic!("the window closed ({status}) while waiting until {what}");
            }
            if self.began.elapsed() > TIME_LIMIT {
                self.picture("stuck");
                panic!(
                    "waited in vain until {what}; the last map was {:?}",
                    self.map()
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn picture(&self, stage: &str) {
        self.screen
            .picture()
            .save(&self.folder.join(format!("{stage}.png")));
    }

    fn knot(&self) -> Option<String> {
        Some(self.map()?["knots"].as_str()?.to_owned())
    }

    fn ends(&self) -> [[f64; 2]; 2] {
        let found = self.map().as_ref().and_then(ends);
        found.expect("both ends are in view")
    }

    fn take(&mut self, at: [f64; 2]) {
        // A little inside the end, where the tube surely is.
        self.pointer = [at[0] - 4.0, at[1]];
        self.screen.press(self.pointer);
        self.wait_until("the solver holds the rope", |map| map["holding"] == true);
    }

    fn let_go(&mut self) {
        self.screen.release();
        self.wait_until("the hand lets go", |map| map["holding"] == false);
    }

    /// Turns the wheel by a notch, and gives the window a moment to see it.
    fn wheel(&mut self, button: &str) {
        self.screen.wheel(button);
        self.wait_for_steps(60);
    }

    fn wait_for_steps(&mut self, steps: u64) {
        let now = self.map().and_then(|map| map["step"].as_u64());
        let then = now.unwrap_or(0) + steps;
        self.wait_until("the world goes on", |map| {
            map["step"].as_u64() >= Some(then)
        });
    }

    /// Leads the held end somewhere, waiting for it on the way.
    fn lead(&mut self, to: [f64; 2]) {
        self.go(to, true);
    }

    /// The same, where the rope may be too short to follow.
    fn stretch(&mut self, to: [f64; 2]) {
        self.go(to, false);
    }

    fn go(&mut self, to: [f64; 2], follows: bool) {
        let from = self.pointer;
        let strides = (distance(from, to) / STRIDE_PX).ceil().max(1.0) as usize;
        for k in 1..=strides {
            let share = k as f64 / strides as f64;
            let at = [0, 1].map(|c| from[c] + share * (to[c] - from[c]));
            self.screen.glide(self.pointer, at);
            self.pointer = at;
            if follows {
                self.wait_until("the end follows the pointer", |map| {
                    ends(map).is_some_and(|[_, end]| distance(end, at) < FOLLOWED_PX)
                });
            }
        }
        self.wait_for_steps(100);
    }

    /// The middle of the loop that the rope makes on screen.
    fn middle_of_loop(&self) -> [f64; 2] {
        let points = self.loop_points();
        let sum = points
            .iter()
            .fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
        sum.map(|x| x / points.len() as f64)
    }

    /// How high the knot is on screen, pixels.
    fn loop_height(&self) -> f64 {
        let points = self.loop_points();
        let span = |f: fn(f64, f64) -> f64, start: f64| points.iter().map(|p| p[1]).fold(start, f);
        span(f64::max, f64::MIN) - span(f64::min, f64::MAX)
    }

    /// The nodes between the two times that the rope passes its outermost crossing on screen.
    fn loop_points(&self) -> Vec<[f64; 2]> {
        let map = self.map().expect("a map was written");
        let nodes = map["strand_points"][0].as_array().expect("nodes in view");
        let nodes: Vec<[f64; 2]> = nodes.iter().filter_map(pixel).collect();
        let crossing = (0..nodes.len() - 1).find_map(|i| {
            let last = (i + 2..nodes.len() - 1).rev();
            let mut met = last.filter(|&j| cross(&nodes[i..i + 2], &nodes[j..j + 2]));
            met.next().map(|j| (i, j))
        });
        let (i, j) = crossing.expect("the rope crosses itself on screen");
        nodes[i + 1..=j].to_vec()
    }

    /// Types 0 into the number beside the slider of µ.
    fn set_friction_to_zero(&mut self) {
        let map = self.map().expect("a map was written");
        let slider = &map["widgets"]["friction"];
        let [_, top, right, bottom] = [0, 1, 2, 3].map(|i| slider[i].as_f64().unwrap_or(0.0));
        assert!(right > 0.0, "the slider of µ is on screen: {map}");
        self.screen.click([right - 20.0, 0.5 * (top + bottom)]);
        self.wait_until("the number becomes a text field", |map| {
            map["typing"] == true
        });
        self.screen.enter("0");
        self.wait_until("µ is 0", |map| map["friction"].as_f64() == Some(0.0));
    }
}

impl Drop for Rope<'_> {
    fn drop(&mut self) {
        let limit = Instant::now() + Duration::from_secs(20);
        while self.process.try_wait().ok().flatten().is_none() && Instant::now() < limit {
            if std::thread::panicking() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Both ends of the rope on screen.
fn ends(map: &Value) -> Option<[[f64; 2]; 2]> {
    let ends = &map["strand_ends"][0];
    Some([pixel(&ends[0])?, pixel(&ends[1])?])
}

fn pixel(value: &Value) -> Option<[f64; 2]> {
    Some([value[0].as_f64()?, value[1].as_f64()?])
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Whether two pieces cross.
fn cross(a: &[[f64; 2]], b: &[[f64; 2]]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < 0.0
        && side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < 0.0
}
