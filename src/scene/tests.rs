//! Every shipped scene loads, `--set` reaches what it promises, and each mistake gets its sentence.

use std::fs;
use std::path::PathBuf;

use nalgebra::Vector3;

use super::{Quantity, Scene, load, shipped};
use crate::friction::SolverKind;

/// A scene with two rods, as the tests below break it.
const GOOD: &str = r#"# A test.
title = "Test"
watch = "Nothing."
dt = 1e-3
solver = "gs-hybrid"

[friction]
default = 0.3
pairs = [{ between = ["nylon", "wood"], mu = 0.4 }]

[rods]
material = "nylon"
elements = 4

[[rod]]
name = "a"
shape = { kind = "line", from = [0, 1, 0], to = [1, 1, 0] }

[[rod]]
name = "b"
radius = 0.01
shape = { kind = "line", from = [0, 2, 0], to = [1, 2, 0] }

[[body]]
name = "floor"
shape = { kind = "plane" }

[[hold]]
rod = "a"
at = "start"
kind = "pin"
"#;

/// A folder of its own for each test, removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("prusik-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }
    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn sets(list: &[&str]) -> Vec<String> {
    list.iter().map(|set| (*set).to_owned()).collect()
}

fn scene_with(test: &str, text: &str, list: &[&str]) -> Result<Scene, String> {
    let folder = Folder::new(test);
    let path = folder.write("test.toml", text);
    load(&path, &sets(list)).map_err(|error| error.0)
}

/// The sentence for a file in which `from` is replaced by `to`.
#[track_caller]
fn sentence(test: &str, from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from} is not in the file");
    let error = scene_with(test, &GOOD.replace(from, to), &[]).expect_err(to);
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[track_caller]
fn assert_says(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "\"{error}\" does not say \"{part}\"");
    }
}

#[test]
fn the_list_of_shipped_scenes_is_the_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/scenes");
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("scenes/")
        .filter_map(|entry| entry.expect("readable").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    let mut listed: Vec<&str> = shipped().iter().map(|scene| scene.name).collect();
    files.sort();
    listed.sort_unstable();
    assert_eq!(files, listed);
}

#[test]
fn every_shipped_scene_loads_and_says_what_to_watch() {
    for scene in shipped() {
        assert!(scene.toml.starts_with("# Watch "), "{}", scene.name);
        let loaded = load(scene.name, &[]).expect(scene.name);
        assert!(!loaded.title.is_empty() && !loaded.watch.is_empty());
        assert!(!loaded.spec.rods.is_empty() && !loaded.measures.is_empty());
    }
}

#[test]
fn set_reaches_the_promised_fields_of_every_scene() {
    let folder = Folder::new("promised");
    let file = folder.write("curve.txt", "0 1 0\n0.5 1 0\n1 1 0\n");
    let changes = sets(&[
        "dt=1e-3",
        "solver=gs-enum",
        "detector=segments",
        "tolerance=1e-7",
        "gravity=1.5",
        "friction.default=0.05",
        "rods.model=discrete_elastic",
        "rods.radius=0.0021",
        "rods.youngs_modulus=3e6",
        "rods.density=321",
        "rods.elements=7",
        &format!("rods.file={file}"),
    ]);
    for name in shipped().iter().map(|scene| scene.name) {
        let spec = load(name, &changes).expect(name).spec;
        let settings = &spec.settings;
        assert_eq!((settings.dt_s, settings.tolerance), (1e-3, 1e-7));
        assert_eq!(settings.solver, SolverKind::GsEnum);
        assert_eq!(settings.gravity_m_s2, Vector3::new(0.0, -1.5, 0.0));
        assert_eq!(spec.friction.default, 0.05);
        for rod in &spec.rods {
            assert_eq!(rod.radius_m, 0.0021);
            assert_eq!(rod.material.youngs_modulus_pa, 3e6);
            assert_eq!(rod.material.density_kg_m3, 321.0);
            assert_eq!(rod.centreline.len(), 8);
        }
    }
}

#[test]
fn set_reaches_one_rod_or_all() {
    let radii = |list: &[&str]| -> Vec<f64> {
        let scene = scene_with("one-or-all", GOOD, list).expect("valid");
        scene.spec.rods.iter().map(|rod| rod.radius_m).collect()
    };
    assert_eq!(radii(&[]), [0.0005, 0.01]);
    assert_eq!(radii(&["rods.radius=0.02"]), [0.02, 0.02]);
    assert_eq!(radii(&["rod.0.radius=0.02"]), [0.02, 0.01]);
    assert_eq!(radii(&["rods.material=rubber"]), [0.002, 0.01]);
}

#[test]
fn a_file_without_elements_keeps_its_points() {
    let folder = Folder::new("points");
    folder.write("curve.txt", "0 1 0\n0.2 1 0\n1 1 0\n");
    let path = folder.write(
        "test.toml",
        &GOOD.replace("elements = 4", "file = \"curve.txt\""),
    );
    let scene = load(&path, &[]).expect("found beside the scene");
    assert_eq!(scene.spec.rods[0].centreline[1].x, 0.2);
}

#[test]
fn the_slope_turns_everything_but_gravity() {
    let scene = load("incline", &sets(&["slope_deg=90"])).expect("valid");
    let spec = &scene.spec;
    assert_eq!(spec.settings.gravity_m_s2, Vector3::new(0.0, -9.81, 0.0));
    let ends = (spec.rods[0].centreline[0], spec.rods[0].centreline[10]);
    assert!((ends.0 - ends.1 - Vector3::new(0.0, 0.1, 0.0)).norm() < 1e-12);
    assert!((ends.0.x + 0.005).abs() < 1e-12);
    let normal = spec.solids[0].world_from_body.rotation * Vector3::y();
    assert!((normal + Vector3::x()).norm() < 1e-12);
}

#[test]
fn the_expected_acceleration_is_that_of_coulombs_law() {
    let expected = |list: &[&str]| {
        let scene = load("incline", &sets(list)).expect("valid");
        let found = scene.measures.iter().find_map(|m| match m.quantity {
            Quantity::Acceleration {
                expected_m_s2,
                direction,
                ..
            } => expected_m_s2.map(|a| (a, direction)),
            _ => None,
        });
        found.expect("measured")
    };
    assert_eq!(expected(&["slope_deg=16.6"]).0, 0.0);
    let (a, direction) = expected(&["slope_deg=30", "friction.default=0.2"]);
    assert!((a - 9.81 * (0.5 - 0.2 * 0.75_f64.sqrt())).abs() < 1e-12);
    assert!((direction - Vector3::new(-(0.75_f64.sqrt()), -0.5, 0.0)).norm() < 1e-12);
}

#[test]
fn unknown_names_say_what_is_allowed() {
    let says = |from, to, parts: &[&str]| assert_says(&sentence("unknown", from, to), parts);
    says(
        "dt = 1e-3",
        "dr = 1e-3",
        &["test.toml, line 4", "dr", "`dt`"],
    );
    says(
        "radius = 0.01",
        "raduis = 0.01",
        &["line 21", "raduis", "`radius`"],
    );
    says(
        "from = [0, 1, 0]",
        "form = [0, 1, 0]",
        &["line 17", "form", "`from`"],
    );
    says(
        "\"gs-hybrid\"",
        "\"magic\"",
        &["line 5", "solver is \"magic\"", "gs-fb"],
    );
    says(
        "material = \"nylon\"",
        "material = \"silk\"",
        &["line 12", "silk", "human_hair"],
    );
    says(
        "kind = \"plane\"",
        "kind = \"cone\"",
        &["line 26", "cone", "sphere"],
    );
    says(
        "[\"nylon\", ",
        "[\"nilon\", ",
        &["line 9", "nilon", "nylon, wood"],
    );
    says("rod = \"a\"", "rod = \"c\"", &["line 29", "\"c\"", "a, b"]);
    says("at = \"start\"", "at = \"top\"", &["line 30", "top", "end"]);
    says(
        "elements = 4",
        "model = \"jelly\"",
        &["line 13", "discrete_elastic"],
    );
    says("dt = 1e-3", "detector = \"luck\"", &["line 4", "segments"]);
    says("name = \"b\"", "name = \"a\"", &["line 20", "another rod"]);
}

#[test]
fn values_out_of_range_say_what_is_allowed() {
    let says = |from, to, parts: &[&str]| assert_says(&sentence("range", from, to), parts);
    says(
        "radius = 0.01",
        "radius = -0.01",
        &["line 21: rod.1.radius is -0.01", "above 0"],
    );
    says(
        "radius = 0.01",
        "radius = nan",
        &["line 21", "NaN", "finite"],
    );
    says(
        "radius = 0.01",
        "radius = inf",
        &["line 21", "inf", "finite"],
    );
    says(
        "radius = 0.01",
        "radius = \"thick\"",
        &["line 21", "thick", "f64"],
    );
    says(
        "to = [1, 2, 0]",
        "to = [0, 2, 0]",
        &["line 22", "zero length"],
    );
    says("to = [1, 2, 0]", "to = [nan, 2, 0]", &["line 22", "NaN"]);
    says(
        "elements = 4",
        "elements = 0",
        &["line 13", "from 1 to 100000"],
    );
    says("elements = 4", "elements = 100001", &["line 13", "100001"]);
    says("elements = 4", "elements = -3", &["line 13", "-3"]);
    says(
        "default = 0.3",
        "default = -0.1",
        &["line 8", "-0.1", "0 or above"],
    );
    says("mu = 0.4", "mu = -0.4", &["line 9", "friction.pairs.0.mu"]);
    says("dt = 1e-3", "dt = 0", &["line 4: dt is 0", "above 0"]);
    says("dt = 1e-3", "tolerance = 0", &["line 4: tolerance is 0"]);
    says("dt = 1e-3", "gravity = \"up\"", &["line 4", "gravity"]);
    says("dt = 1e-3", "gravity = nan", &["line 4", "NaN"]);
    says(
        "elements = 4",
        "poisson_ratio = 0.6",
        &["line 13", "at most 0.5"],
    );
    says("elements = 4", "density = 0", &["line 13", "density is 0"]);
    says(
        "elements = 4",
        "file = \"none.txt\"",
        &["line 13", "none.txt"],
    );
    says(
        "at = \"start\"",
        "at = 1.5",
        &["line 30", "1.5", "between 0 and 1"],
    );
    says(
        "kind = \"pin\"",
        "kind = \"pin\"\nkeys = [[1, 0, 0, 0], [1, 1, 0, 0]]",
        &["hold.0.keys.1", "later"],
    );
    says("dt = 1e-3", "dt = = 3", &["line 4"]);
    says(
        "title = \"Test\"\n",
        "",
        &["line 1", "missing field `title`"],
    );
}

#[test]
fn a_wrong_set_is_named() {
    let fails = |set: &str| {
        let error = scene_with("set", GOOD, &["dt=1e-3", set]).expect_err(set);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_says(&error, &[&format!("--set {set}")]);
        error
    };
    assert_says(&fails("rods.radius=-1"), &["is -1", "above 0"]);
    assert_says(&fails("rods.radius=nan"), &["NaN"]);
    assert_says(&fails("rods.raduis=1"), &["raduis", "`radius`"]);
    assert_says(&fails("solver=magic"), &["gs-hybrid"]);
    assert_says(&fails("dt=0"), &["above 0"]);
    assert_says(&fails("friction.default=-1"), &["0 or above"]);
    assert_says(&fails("rod.5.radius=1"), &["2 entries"]);
    assert_says(&fails("rods.file=nowhere.txt"), &["nowhere.txt"]);
    assert_says(&fails("rods.elements=2.5"), &["2.5"]);
    fails("dt");
    fails("gravity=[1, 2]");
}

#[test]
fn a_bad_centreline_file_is_named_with_its_line() {
    let folder = Folder::new("centreline");
    let says = |text: &str, parts: &[&str]| {
        let file = folder.write("curve.txt", text);
        let error = load("drape", &sets(&[&format!("rods.file={file}")])).expect_err(text);
        assert_says(&error.0, parts);
    };
    says("0 0 0\n1 2 three\n", &["curve.txt: line 2", "three"]);
    says("0 0 0\n", &["at least two"]);
    says("0 0 0\n0 0 0\n1 0 0\n", &["line 2: the same point"]);
}

#[test]
fn a_scene_that_is_not_there_is_one_sentence() {
    assert_says(
        &load("nonsense", &[]).unwrap_err().0,
        &["nonsense", "knot, drape, incline"],
    );
    assert_says(
        &load("no/such/file.toml", &[]).unwrap_err().0,
        &["no/such/file.toml", "cannot be read"],
    );
}
