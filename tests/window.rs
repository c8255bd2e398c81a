//! The real window, driven from outside: a virtual display, real pointer events, a screenshot, the report on exit.
//!
//! Needs Xvfb, xdotool and a (software) Vulkan driver. `PRUSIK_WINDOW_TEST=0` skips it.
#![cfg(feature = "app")]

mod screen;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use screen::{Picture, Screen};
use serde_json::Value;

/// Everything together, on a slow machine that draws by software.
const TIME_LIMIT: Duration = Duration::from_secs(240);
/// µ that the test asks for: none of the scenes starts with it.
const WANTED_MU: &str = "0.85";

#[test]
fn a_strand_follows_the_pointer_and_mu_arrives_in_the_world() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen, mut window) = open("drag");

    // A swinging rope is elsewhere by the time the pointer arrives: pause, take hold, run on.
    screen.key("space");
    window.wait_until("Space pauses", |map| map["playing"] == false);
    let before = screen.picture();
    let grip = window.near_free_end();
    screen.press(grip);
    window.wait_until("the solver holds the strand", |map| map["holding"] == true);
    screen.key("space");
    window.wait_until("Space runs on", |map| map["playing"] == true);

    // Pull sideways and hold still, so that the picture has time to follow.
    screen.glide(grip, [grip[0] + 150.0, grip[1] - 60.0]);
    window.wait_until("the strand follows the hand", |map| {
        let at = pixel(&map["strand_ends"][0][1]);
        at.is_some_and(|at| distance(at, grip) > 60.0)
    });
    let pulled = window.near_free_end();
    let changed = before.difference_near(&screen.picture(), pulled, 30);
    assert!(
        changed > 4.0,
        "the picture should change where the strand went ({pulled:?}), but differs there by {changed} of 255 only"
    );
    screen.release();
    window.wait_until("the hand lets go", |map| map["holding"] == false);

    // Type µ into the number beside its slider.
    let slider = window.widget("friction");
    screen.click([slider[2] - 20.0, 0.5 * (slider[1] + slider[3])]);
    window.wait_until("the number becomes a text field", |map| {
        map["typing"] == true
    });
    // A click on a number selects it all, so that typing replaces it.
    screen.enter(WANTED_MU);
    let wanted: f64 = WANTED_MU.parse().expect("a number");
    window.wait_until("µ arrives in the world", |map| {
        map["friction"]
            .as_f64()
            .is_some_and(|mu| (mu - wanted).abs() < 1e-9)
    });

    screen.key("ctrl+q");
    let report = window.report();
    assert_eq!(report["scene"], "knot");
    assert_eq!(report["friction"].as_f64(), Some(wanted), "{report}");
    assert!(report["grabs"].as_u64() >= Some(1), "{report}");
    let travel = report["grab_travel_m"].as_f64().unwrap_or(0.0);
    assert!(
        travel > 0.02,
        "the held point should have moved by centimetres, not {travel} m"
    );
    assert_eq!(report["last_fault"], Value::Null, "{report}");
    // The folder is kept when something failed above.
    let _ = std::fs::remove_dir_all(&folder);
}

/// After a change of scene the window once went on drawing from the buffer of the old strand.
#[test]
fn the_strand_of_a_newly_picked_scene_is_drawn() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen, mut window) = open("scenes");
    screen.key("bracketright");
    window.wait_until("the next scene is there", |map| {
        map["scene"] == "drape" && map["strand_ends"][0][1].is_array()
    });
    // Its strand is red, and nothing else in the scene is.
    let limit = Instant::now() + Duration::from_secs(60);
    loop {
        let redness = screen.picture().redness_near(window.near_free_end(), 12);
        if redness > 50.0 {
            break;
        }
        assert!(
            Instant::now() < limit,
            "no red strand was drawn where it should be; the reddest pixel there is {redness} above grey"
        );
        std::thread::sleep(Duration::from_millis(300));
    }
    screen.key("ctrl+q");
    assert_eq!(window.report()["scene"], "drape");
    let _ = std::fs::remove_dir_all(&folder);
}

/// The list of solvers opens, a pick arrives in the running world, and the plot of its convergence is in view.
#[test]
fn another_solver_is_picked_while_the_world_runs() {
    const PICKED: &str = "gs-enum";
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen, mut window) = open("solver");
    screen.key("F3");
    window.wait_until("the knot's convergence is plotted", |map| {
        map["widgets"]["convergence"].is_array() && map["solved_by"] == "auto"
    });
    let plot = window.widget("convergence");
    assert!(
        plot[0] >= 0.0 && plot[3] - plot[1] > 80.0 && plot[3] < 690.0,
        "the plot should be whole and above the status bar, not at {plot:?}"
    );

    window.turn_to(&screen, "tab_solver", "solver");
    window.pick(&screen, "solver", PICKED);
    window.wait_until("the picked solver finds the forces", |map| {
        map["solver"] == PICKED && map["solved_by"] == PICKED
    });
    screen.key("ctrl+q");
    let report = window.report();
    assert_eq!(report["settings"]["solver"], PICKED, "{report}");
    assert_eq!(report["last_fault"], Value::Null, "{report}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// Every model is picked in turn while the world runs; a loop refuses what it cannot be, with a sentence.
#[test]
fn every_rod_model_is_picked_while_the_world_runs() {
    const MODELS: [&str; 4] = ["super_helix", "corde", "mass_spring", "discrete_elastic"];
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen, mut window) = open("model");
    window.turn_to(&screen, "tab_material", "model");
    for model in MODELS {
        window.pick(&screen, "model", model);
        window.wait_until("the picked model is in force", |map| map["model"] == model);
        let step = window.step();
        window.wait_until("the world goes on", |map| {
            map["step"].as_u64() > Some(step + 20) && map["playing"] == true
        });
    }
    window.pick(&screen, "model", "mass_spring");
    window.wait_until("it is in force", |map| map["model"] == "mass_spring");
    let before = window.step();
    screen.key("r");
    // Not "near 0": between two frames of a slow machine a world runs far.
    window.wait_until("a reset keeps it", |map| {
        map["step"].as_u64() < Some(before) && map["model"] == "mass_spring"
    });

    screen.key("bracketleft");
    window.wait_until("the first scene is there", |map| map["scene"] == "rope");
    screen.key("bracketleft");
    window.wait_until("the linked rings are there", |map| {
        map["scene"] == "rings"
            && map["model"] == "discrete_elastic"
            && map["step"].as_u64() > Some(0)
    });
    window.pick(&screen, "model", "super_helix");
    window.wait_until("a loop refuses, with a sentence", |map| {
        let texts = map["toasts"].as_array();
        texts.is_some_and(|all| {
            all.iter()
                .any(|t| t.as_str().is_some_and(|t| t.contains("loop")))
        })
    });
    let step = window.step();
    window.wait_until("the rings go on as they were", |map| {
        map["step"].as_u64() > Some(step) && map["model"] == "discrete_elastic"
    });
    screen.key("ctrl+q");
    let report = window.report();
    assert_eq!(report["last_fault"], Value::Null, "{report}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// A scene is found by typing; a page and the theme are as they were left at the next start.
#[test]
fn a_scene_is_found_by_typing_and_the_next_start_remembers() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen, mut window) = open("remember");
    screen.key("ctrl+o");
    window.wait_until("the list of scenes waits for words", |map| {
        map["typing"] == true && map["widgets"]["scene_search"].is_array()
    });
    screen.enter("bumpy ball");
    window.wait_until("the scene that has these words is open", |map| {
        map["scene"] == "carousel" && map["widgets"]["picker"].is_null()
    });
    screen.key("F2");
    window.wait_until("the statistics are open", |map| {
        map["widgets"]["statistics"].is_array()
    });
    window.turn_to(&screen, "tab_show", "theme_light");
    screen.click(middle(window.widget("theme_light")));
    window.wait_until("the theme is light", |map| map["theme"] == "light");
    screen.key("ctrl+q");
    assert_eq!(window.report()["scene"], "carousel");

    let kept = std::fs::read_to_string(folder.join("preferences.toml"));
    let kept = kept.expect("the preferences were written");
    assert!(kept.contains("last_scene = \"carousel\""), "{kept}");
    let mut window = Window::open(&screen, &folder);
    window.wait_until("the next window is as the last one was", |map| {
        let widgets = &map["widgets"];
        widgets["statistics"].is_array()
            && widgets["theme_light"].is_array()
            && map["theme"] == "light"
    });
    drop(window);
    let _ = std::fs::remove_dir_all(&folder);
}

/// While one step takes longer than anyone waits, panels open, Space counts at once, and the window closes.
#[test]
fn a_window_whose_solver_is_busy_answers_and_closes() {
    /// No answer takes so long, on whatever machine.
    const STEP_S: u32 = 40;
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen) = (empty_folder("slow"), Screen::open());
    let mut window = Window::open_with(&screen, &folder, &["knot"], Some(STEP_S));
    window.wait_until("the rope is drawn before its first step", |map| {
        map["strand_ends"][0][1].is_array()
    });
    screen.focus("Prusik");
    let step = window.step();
    screen.key("F2");
    window.wait_until("the statistics are open", |map| {
        map["widgets"]["statistics"].is_array()
    });
    screen.key("space");
    window.wait_until("Space pauses", |map| map["playing"] == false);
    screen.key("space");
    window.wait_until("Space runs on", |map| map["playing"] == true);
    assert!(window.step() <= step + 1, "all within a step or two");
    let began = Instant::now();
    screen.key("ctrl+q");
    window.report();
    let seconds = began.elapsed().as_secs();
    assert!(
        seconds < u64::from(STEP_S) / 2,
        "the window waited for its solver: {seconds} s"
    );
    let _ = std::fs::remove_dir_all(&folder);
}

/// The shipped session plays in the window, and Ctrl+P makes a picture of it.
#[test]
fn a_picture_is_taken_while_a_session_plays() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen) = (empty_folder("picture"), Screen::open());
    let mut window = Window::open_with(&screen, &folder, &["--watch", "overhand"], None);
    window.wait_until("the session plays", |map| {
        map["strand_ends"][0][1].is_array() && map["step"].as_u64() > Some(100)
    });
    // The first frames are black: shaders are compiled meanwhile. The rope is orange.
    window.wait_until("the rope is drawn", |map| {
        let end = pixel(&map["strand_ends"][0][1]);
        end.is_some_and(|at| screen.picture().redness_near(at, 12) > 50.0)
    });
    screen.focus("Prusik");
    screen.key("ctrl+p");
    window.wait_until("it says where the picture is", |map| {
        let mut toasts = map["toasts"].as_array().into_iter().flatten();
        toasts.any(|text| text.as_str().is_some_and(|t| t.ends_with(".png")))
    });
    let files = std::fs::read_dir(&folder).expect("readable");
    let mut paths = files.map(|file| file.expect("an entry").path());
    let picture = paths.find(|path| path.extension().is_some_and(|e| e == "png"));
    let picture = image::open(picture.expect("a PNG file")).expect("it can be read");
    assert_eq!((picture.width(), picture.height()), (1280, 720));
    let pixels = picture.to_rgb8();
    let first = pixels.get_pixel(640, 360);
    assert!(pixels.pixels().any(|pixel| pixel != first), "it is empty");
    screen.key("ctrl+q");
    assert_eq!(window.report()["scene"], "rope");
    let _ = std::fs::remove_dir_all(&folder);
}

/// A scene that is only remembered, and that no longer can be built, does not bar the start; nor does it stay remembered.
#[test]
fn a_remembered_scene_that_cannot_be_built_gives_way_to_the_opening_one() {
    if std::env::var("PRUSIK_WINDOW_TEST").as_deref() == Ok("0") {
        eprintln!("skipped: PRUSIK_WINDOW_TEST=0");
        return;
    }
    let _one_at_a_time = one_at_a_time();
    let (folder, screen) = (empty_folder("unbuildable"), Screen::open());
    let knot = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes/knot.toml");
    let knot = std::fs::read_to_string(knot).expect("it ships");
    let explicit = "[rods]\nmodel = \"corde\"\nscheme = \"explicit\"\n";
    let bad = folder.join("bad.toml");
    std::fs::write(&bad, knot.replacen("[rods]\n", explicit, 1)).expect("writable");
    let remembered = format!(
        "welcomed = true\nlast_scene = {:?}\n",
        bad.display().to_string()
    );
    let preferences = folder.join("preferences.toml");
    std::fs::write(&preferences, remembered).expect("writable");

    let mut window = Window::open_with(&screen, &folder, &[], None);
    window.wait_until("the opening scene is there, with a word", |map| {
        let mut toasts = map["toasts"].as_array().into_iter().flatten();
        map["scene"] == "rope"
            && map["step"].as_u64() > Some(0)
            && toasts.any(|text| text.as_str().is_some_and(|t| t.contains("bad.toml")))
    });
    screen.focus("Prusik");
    screen.key("ctrl+q");
    assert_eq!(window.report()["scene"], "rope");
    let kept = std::fs::read_to_string(&preferences).expect("they were written");
    assert!(kept.contains("last_scene = \"rope\""), "{kept}");
    let _ = std::fs::remove_dir_all(&folder);
}

/// Two windows at once are too much for a machine that draws by software.
fn one_at_a_time() -> std::sync::MutexGuard<'static, ()> {
    static WINDOWS: std::sync::Mutex<()> = std::sync::Mutex::new(());
    WINDOWS.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// A display with the window on it, its rope drawn and moving.
fn open(name: &str) -> (PathBuf, Screen, Window) {
    let (folder, screen) = (empty_folder(name), Screen::open());
    let mut window = Window::open(&screen, &folder);
    window.wait_until("the rope is drawn and moves", |map| {
        map["strand_ends"][0][1].is_array() && map["step"].as_u64() > Some(0)
    });
    screen.focus("Prusik");
    (folder, screen, window)
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("prusik-{name}-{}", std::process::id()));
    // What an earlier run left would be remembered.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written to");
    folder
}

/// The application under test.
struct Window {
    process: Child,
    map: PathBuf,
    report: PathBuf,
    began: Instant,
}

impl Window {
    fn open(screen: &Screen, folder: &Path) -> Self {
        Self::open_with(screen, folder, &["knot"], None)
    }

    /// With what follows `prusik app`; with steps that take so many seconds more.
    fn open_with(screen: &Screen, folder: &Path, args: &[&str], slow_step_s: Option<u32>) -> Self {
        let (map, report) = (folder.join("map.json"), folder.join("report.json"));
        let slow = slow_step_s.unwrap_or(0).to_string();
        let process = Command::new(env!("CARGO_BIN_EXE_prusik"))
            .arg("app")
            .args(args)
            .arg("--report")
            .arg(&report)
            .current_dir(folder)
            .env("DISPLAY", screen.name())
            .env("PRUSIK_SLOW_STEP_S", slow)
            .env("PRUSIK_UI_MAP", &map)
            .env("PRUSIK_PREFERENCES", folder.join("preferences.toml"))
            .env_remove("WAYLAND_DISPLAY")
            .stdin(Stdio::null())
            .spawn()
            .expect("the binary starts");
        Self {
            process,
            map,
            report,
            began: Instant::now(),
        }
    }

    /// The newest map of widgets and strands.
    fn read_map(&self) -> Option<Value> {
        serde_json::from_str(&std::fs::read_to_string(&self.map).ok()?).ok()
    }

    fn wait_until(&mut self, what: &str, holds: impl Fn(&Value) -> bool) {
        loop {
            if self.read_map().is_some_and(|map| holds(&map)) {
                return;
            }
            if let Ok(Some(status)) = self.process.try_wait() {
                panic!("the window closed ({status}) while waiting until {what}");
            }
            assert!(
                self.began.elapsed() < TIME_LIMIT,
                "waited {} s until {what}; the last map was {:?}",
                TIME_LIMIT.as_secs(),
                self.read_map()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A place on the rope a little before its free end.
    fn near_free_end(&self) -> [f64; 2] {
        let map = self.read_map().expect("a map was written");
        let nodes = map["strand_points"][0].as_array().expect("nodes in view");
        pixel(&nodes[nodes.len() - 4]).expect("two numbers")
    }

    /// Steps taken so far.
    fn step(&self) -> u64 {
        let map = self.read_map().expect("a map was written");
        map["step"].as_u64().expect("a number")
    }

    /// Opens a page of a dock, and waits for a widget on it.
    fn turn_to(&mut self, screen: &Screen, tab: &str, widget: &str) {
        screen.click(middle(self.widget(tab)));
        self.wait_until("the page is open", |map| map["widgets"][widget].is_array());
    }

    /// Opens a list and picks an entry.
    fn pick(&mut self, screen: &Screen, list: &str, entry: &str) {
        screen.click(middle(self.widget(list)));
        self.wait_until("the list is open", |map| map["widgets"][entry].is_array());
        screen.click(middle(self.widget(entry)));
        self.wait_until("the list is closed", |map| map["widgets"][entry].is_null());
    }

    fn widget(&self, name: &str) -> [f64; 4] {
        let map = self.read_map().expect("a map was written");
        let rect = &map["widgets"][name];
        std::array::from_fn(|i| rect[i].as_f64().expect("the widget is on screen"))
    }

    /// Waits until the window has closed by itself, then reads what it wrote.
    fn report(mut self) -> Value {
        let limit = Instant::now() + Duration::from_secs(30);
        while self.process.try_wait().ok().flatten().is_none() {
            assert!(
                Instant::now() < limit,
                "the window did not close within 30 s"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        let text = std::fs::read_to_string(&self.report).expect("the report was written on exit");
        serde_json::from_str(&text).expect("the report is JSON")
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn pixel(value: &Value) -> Option<[f64; 2]> {
    Some([value[0].as_f64()?, value[1].as_f64()?])
}

fn middle([left, top, right, bottom]: [f64; 4]) -> [f64; 2] {
    [0.5 * (left + right), 0.5 * (top + bottom)]
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// A picture must differ from another only where it does.
#[test]
fn pictures_differ_only_where_they_differ() {
    let mut one = Picture::blank(100, 80);
    let other = Picture::blank(100, 80);
    one.paint([60, 40], [255, 255, 255]);
    assert!(one.difference_near(&other, [60.0, 40.0], 4) > 0.0);
    assert_eq!(one.difference_near(&other, [20.0, 20.0], 4), 0.0);
}
