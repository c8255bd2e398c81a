//! The real binary, driven from outside: reports, bad input, exit codes, determinism.

mod common;

use common::{number, prusik, refusal, report, scratch, text};
use serde_json::Value;

#[test]
fn run_reports_the_promised_fields() {
    let report = report(&["run", "incline", "--steps", "5"]);
    let fields = |path: &str| -> Vec<String> {
        let object = report.pointer(path).and_then(Value::as_object);
        let mut keys: Vec<String> = object.expect(path).keys().cloned().collect();
        keys.sort();
        keys
    };
    let mut promised = [
        "scene",
        "rod_model",
        "detector",
        "solver",
        "dt_s",
        "steps",
        "substeps",
        "held_back",
        "simulated_s",
        "wall_s",
        "real_time_factor",
        "dofs",
        "contacts",
        "nu_max",
        "solver_error",
        "iterations",
        "passes",
        "motion_error_over_radius",
        "phase_ms_per_step",
        "penetration_max_over_radius",
        "crossings",
        "energy_j",
        "max_speed_m_s",
        "state_hash",
        "knots",
        "measured",
    ];
    promised.sort_unstable();
    assert_eq!(fields(""), promised);
    assert_eq!(fields("/contacts"), ["max", "mean"]);
    assert_eq!(
        fields("/solver_error"),
        ["max", "mean", "over_tolerance_fraction"]
    );
    assert_eq!(fields("/iterations"), ["max", "mean"]);
    assert_eq!(
        fields("/phase_ms_per_step"),
        [
            "advance",
            "assembly",
            "broad",
            "check",
            "detection",
            "dynamics",
            "other",
            "solve"
        ]
    );
    assert_eq!(fields("/energy_j"), ["elastic", "gravity", "kinetic"]);
    assert_eq!(
        fields("/measured"),
        ["acceleration_m_s2", "acceleration_m_s2_expected", "creep_m"]
    );
    assert_eq!(
        (&report["scene"], &report["steps"]),
        (&"incline".into(), &5.into())
    );
    assert_eq!(report["simulated_s"].as_f64(), Some(0.01));
}

#[test]
fn time_and_steps_say_how_long() {
    let steps = |args: &[&str]| report(args)["steps"].as_u64();
    assert_eq!(steps(&["run", "incline", "--time", "0.02"]), Some(10));
    assert_eq!(
        steps(&["run", "incline", "--time", "0.02", "--set", "dt=1e-3"]),
        Some(20)
    );
    assert_eq!(steps(&["run", "incline", "--steps", "3"]), Some(3));
    refusal(&["run", "incline", "--steps", "3", "--time", "1"], 2);
}

#[test]
fn thread_count_does_not_change_the_result() {
    // Long enough for both to be in full contact.
    for (scene, steps, detector) in [
        ("knot", "1800", "segments"),
        ("knot", "1800", "smooth"),
        ("drape", "300", "segments"),
        ("wisp", "20", "smooth"),
    ] {
        let hash = |threads| {
            let detector = format!("detector={detector}");
            let run = report(&[
                "run",
                scene,
                "--steps",
                steps,
                "--threads",
                threads,
                "--set",
                &detector,
            ]);
            assert!(run["contacts"]["max"].as_u64() > Some(5), "{scene}");
            run["state_hash"].as_str().map(str::to_owned)
        };
        assert_eq!(hash("1"), hash("2"), "{scene} {detector}");
    }
}

#[test]
fn a_rod_below_the_angle_of_friction_does_not_creep() {
    // arctan 0.3 = 16.699°
    let run = report(&["run", "incline", "--time", "20", "--set", "slope_deg=16.6"]);
    let creep = number(&run, "/measured/creep_m");
    assert!(creep < 1e-9, "{creep} m");
    assert_eq!(number(&run, "/measured/acceleration_m_s2_expected"), 0.0);
}

#[test]
fn a_rod_above_the_angle_of_friction_slides_as_coulomb_says() {
    for slope in ["slope_deg=16.8", "slope_deg=30"] {
        let run = report(&["run", "incline", "--time", "2", "--set", slope]);
        let found = number(&run, "/measured/acceleration_m_s2");
        let expected = number(&run, "/measured/acceleration_m_s2_expected");
        assert!(expected > 0.0);
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{slope}: {found} for {expected}"
        );
    }
}

#[test]
fn a_knot_pulled_slowly_and_then_hard_never_passes_through_itself() {
    let run = report(&["run", "knot"]);
    assert_eq!(number(&run, "/crossings"), 0.0);
    assert!(number(&run, "/penetration_max_over_radius") < 0.1);
    assert!(number(&run, "/solver_error/over_tolerance_fraction") <= 0.01);
    assert!(number(&run, "/measured/pull_n_mean") > 40.0);
    // Still a knot: contacts remain, and the ends are nearer than those of a straight rope, which this pull would
    // stretch to 0.83 m.
    assert!(number(&run, "/contacts/mean") > 5.0);
    assert!(number(&run, "/measured/end_distance_m") < 0.75);
}

#[test]
fn a_strand_comes_to_rest_on_the_ball() {
    let run = report(&["run", "drape"]);
    assert!(
        number(&run, "/measured/lowest_point_m") > 0.05,
        "it fell off"
    );
    assert!(number(&run, "/max_speed_m_s") < 1e-4);
    assert_eq!(number(&run, "/crossings"), 0.0);
}

#[test]
fn a_pinched_lock_stays_crowded_and_its_strands_apart() {
    let run = report(&["run", "wisp", "--time", "0.3"]);
    assert_eq!(number(&run, "/crossings"), 0.0);
    assert!(number(&run, "/penetration_max_over_radius") < 0.1);
    assert!(number(&run, "/solver_error/over_tolerance_fraction") <= 0.02);
    // ν = 3 n / m of the mean: more contact unknowns than degrees of freedom.
    let nu = 3.0 * number(&run, "/contacts/mean") / number(&run, "/dofs");
    assert!(nu > 1.0, "{nu}");
}

#[test]
fn set_changes_the_run() {
    let run = report(&["run", "drape", "--steps", "2", "--set", "solver=gs-enum"]);
    assert_eq!(run["solver"], "gs-enum");
}

#[test]
fn stats_are_one_row_per_step() {
    let file = scratch("stats.csv");
    let path = file.to_str().expect("text");
    report(&["run", "incline", "--steps", "4", "--stats", path]);
    let rows = std::fs::read_to_string(&file).expect("written");
    assert_eq!(rows.lines().count(), 5);
    assert!(rows.starts_with("step,time_s,contacts,nu,solver_error"));
    let width = |line: &str| line.split(',').count();
    assert!(rows.lines().all(|line| width(line) == 25));
}

#[test]
fn a_run_that_must_stop_still_reports_and_exits_with_3() {
    // A modulus at which the stiffness overflows: the guard stops the first step.
    let args = ["run", "incline", "--steps", "5", "--json"];
    let output = prusik(&[&args[..], &["--set", "rods.youngs_modulus=1e308"]].concat());
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let fault = report["fault"].as_str().expect("a fault");
    assert!(error.contains(fault), "{error}");
    assert_eq!(report["steps"], 0);
}

#[test]
fn bad_scenes_get_one_sentence() {
    let set = |change: &str, says: &str| {
        let error = refusal(
            &["run", "drape", "--steps", "1", "--json", "--set", change],
            1,
        );
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(says), "{error}");
    };
    set("rods.radius=-1", "rods.radius is -1");
    set("rods.radius=nan", "NaN");
    set("rods.radius=inf", "inf");
    set("friction.default=-0.1", "0 or above");
    set("dt=0", "above 0");
    set("dt=-1", "above 0");
    set("tolerance=0", "above 0");
    set("solver=magic", "gs-hybrid");
    set("detector=luck", "segments");
    set("rods.model=jelly", "discrete_elastic");
    set("rods.material=silk", "cotton_rope");
    set("rods.elements=0", "from 1 to 100000");
    set("rods.poisson_ratio=0.7", "at most 0.5");
    set("rods.file=nowhere.txt", "nowhere.txt");
    set("rods.colour=1", "unknown field");
    set(
        "rod.0.shape={ kind = \"line\", from = [0, 1, 0], to = [0, 1, 0] }",
        "zero length",
    );
    set("rods", "path=value");
}

#[test]
fn bad_files_get_one_sentence() {
    let error = refusal(&["run", "no/such/scene.toml"], 1);
    assert!(error.contains("no/such/scene.toml") && error.lines().count() == 1);
    let error = refusal(&["run", "nonsense"], 1);
    assert!(error.contains("knot, drape, incline"), "{error}");
    let file = scratch("broken.toml");
    std::fs::write(&file, "title = \"x\"\nwatch = \"y\"\nspeed = 3\n").expect("written");
    let error = refusal(&["run", file.to_str().expect("text")], 1);
    assert!(error.contains("broken.toml, line 3: speed"), "{error}");
    let curve = scratch("garbage.txt");
    std::fs::write(&curve, "0 0 0\nhello\n").expect("written");
    let change = format!("rods.file={}", curve.display());
    let error = refusal(&["run", "drape", "--set", &change], 1);
    assert!(error.contains("line 2: found \"hello\""), "{error}");
    refusal(
        &[
            "run",
            "incline",
            "--steps",
            "1",
            "--stats",
            "no/such/folder/x.csv",
        ],
        1,
    );
}

#[test]
fn bad_arguments_are_refused() {
    for time in ["0", "-1", "nan", "inf", "soon"] {
        let error = refusal(&["run", "incline", "--time", time], 2);
        assert!(error.contains("--time"), "{error}");
    }
    for threads in ["0", "-1", "many"] {
        refusal(
            &[
                "run",
                "incline",
                "--steps",
                "1",
                &format!("--threads={threads}"),
            ],
            2,
        );
    }
    refusal(&["run", "incline", "--steps", "0"], 2);
    refusal(&["run"], 2);
    refusal(
        &[
            "render", "knot", "--time", "1", "--out", "x.png", "--size", "wide",
        ],
        2,
    );
}

/// The promise of knot tying: from a straight rope, by pointer-like drags, to an overhand knot; nothing passes through, and
/// doing it again gives the same bits.
#[test]
fn the_shipped_session_ties_an_overhand_knot_twice_alike() {
    let replay = || -> Value {
        // On a machine with other sines than the recording's it says so, and is no less a knot.
        let output = prusik(&["replay", "scenes/sessions/overhand.session", "--json"]);
        serde_json::from_slice(&output.stdout).expect("one JSON object")
    };
    let [first, again] = [replay(), replay()];
    assert_eq!(first["knot"]["first"], "unknot", "{first}");
    assert_eq!(first["knot"]["last"], "trefoil (3_1)", "{first}");
    assert_eq!(first["crossings"], 0, "{first}");
    assert_eq!(first["fault"], Value::Null, "{first}");
    assert_eq!(first["state_hash"], again["state_hash"]);
    assert_eq!(first["steps"], again["steps"]);
}

#[test]
fn scenes_are_listed() {
    let output = prusik(&["scenes"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("incline"));
    let json: Value = serde_json::from_slice(&prusik(&["scenes", "--json"]).stdout).expect("JSON");
    let names: Vec<&str> = json["scenes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|scene| scene["name"].as_str())
        .collect();
    let shipped: Vec<&str> = prusik::scene::shipped().iter().map(|s| s.name).collect();
    assert_eq!(names, shipped);
    assert!(names.len() > 20 && names[0] == "rope");
}

#[cfg(feature = "app")]
#[test]
fn a_film_needs_a_stretch_of_time_and_a_picture_a_moment() {
    let says = |words: &str, part: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let error = refusal(&words, 2);
        assert!(error.contains(part), "{error}");
    };
    says("render knot --time 0 --out x.gif", "--to");
    says("render knot --to 1 --out x.png", "folder");
    says("render knot --from 2 --to 1 --out x.gif", "before --from");
    says(
        "render knot --time 0 --out x.png --color hue",
        "contact-force",
    );
}

#[cfg(not(feature = "app"))]
#[test]
fn a_build_without_window_says_so() {
    for args in [
        &["app"][..],
        &[],
        &["showcase"],
        &["render", "knot", "--time", "0", "--out", "x.png"],
    ] {
        let error = refusal(args, 2);
        assert!(error.contains("no window"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
