//! Every shipped scene loads, and `--set` reaches what it promises; [`mistakes`] are for the rest.

mod import;
mod mistakes;
mod rods;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use nalgebra::{Point3, Vector3};

use super::{Quantity, Scene, load, shipped};
use crate::friction::SolverKind;
use crate::geometry::Shape;

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
        // Tests run side by side, some under one name.
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("prusik-{test}-{process}-{number}"));
        fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }
    fn write(&self, name: &str, contents: &(impl AsRef<[u8]> + ?Sized)) -> String {
        let path = self.0.join(name);
        fs::write(&path, contents).expect("written");
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
        assert_eq!(settings.solver, SolverKind::from_name("gs-enum").unwrap());
        assert_eq!(settings.gravity_m_s2, Vector3::new(0.0, -1.5, 0.0));
        assert_eq!(spec.friction.default, 0.05);
        for rod in &spec.rods {
            assert_eq!(rod.design.section.half_m(), [0.0021; 2]);
            assert_eq!(rod.design.material.youngs_modulus_pa, 3e6);
            assert_eq!(rod.design.material.density_kg_m3, 321.0);
            assert_eq!(rod.design.centreline.len(), 8);
        }
    }
}

#[test]
fn set_reaches_one_rod_or_all() {
    let radii = |list: &[&str]| -> Vec<f64> {
        let scene = scene_with("one-or-all", GOOD, list).expect("valid");
        scene
            .spec
            .rods
            .iter()
            .map(|rod| rod.design.section.half_m()[0])
            .collect()
    };
    assert_eq!(radii(&[]), [0.0005, 0.01]);
    assert_eq!(radii(&["rods.radius=0.02"]), [0.02, 0.02]);
    assert_eq!(radii(&["rod.0.radius=0.02"]), [0.02, 0.01]);
    assert_eq!(radii(&["rods.material=rubber"]), [0.002, 0.01]);
}

#[test]
fn copies_stand_beside_their_rod_and_holds_reach_them_all() {
    let copies = "copies = { count = 3, spacing = 0.1, axis = [1, 0, 0], shade = 0.5 }";
    let text = GOOD
        .replacen("name = \"a\"", &format!("name = \"a\"\n{copies}"), 1)
        .replace("rod = \"a\"", "name = \"root\"\nrod = \"a\"\ncopies = true");
    let spec = scene_with("copies", &text, &[]).expect("valid").spec;
    let names: Vec<&str> = spec.rods.iter().map(|rod| rod.name.as_str()).collect();
    assert_eq!(names, ["a", "a 1", "a 2", "b"]);
    let apart = spec.rods[1].design.centreline[2] - spec.rods[0].design.centreline[2];
    assert!((apart.norm() - 0.1).abs() < 1e-12 && apart.x == 0.0);
    assert_eq!(spec.rods[1].color[0], 0.5 * spec.rods[0].color[0]);
    let held: Vec<usize> = spec.holds.iter().map(|hold| hold.rod).collect();
    assert_eq!(held, [0, 1, 2]);
    assert_eq!(spec.holds[2].name, "root 2");
    let wrong = |change: &str, says: &str| {
        let error = scene_with("copies-wrong", &text, &[change]).unwrap_err();
        assert!(error.contains(says), "{error}");
    };
    wrong("rod.0.copies.count=0", "rod.0.copies.count is 0");
    wrong("rod.0.copies.spacing=0", "above 0");
    wrong("rod.0.copies.axis=[0, 0, 0]", "a direction");
    wrong("rod.0.copies.jitter=-1", "0 or above");
    wrong("rod.0.copies.shade=2", "between 0 and 1");
    wrong("rod.1.name=a 2", "another rod has that name");
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
    assert_eq!(scene.spec.rods[0].design.centreline[1].x, 0.2);
}

#[test]
fn a_mesh_is_found_beside_its_scene_and_scaled() {
    let folder = Folder::new("mesh");
    folder.write(
        "sheet.obj",
        "v 0 0 0\nv 2 0 0\nv 0 0 2\nv 2 0 2\nf 1 3 4 2\n",
    );
    let shape = "kind = \"mesh\", file = \"sheet.obj\", scale = 0.5";
    let path = folder.write("test.toml", &GOOD.replace("kind = \"plane\"", shape));
    let scene = load(&path, &[]).expect("found beside the scene");
    let Shape::Mesh(mesh) = &scene.spec.solids[0].shape else {
        panic!("not a mesh")
    };
    assert_eq!(mesh.triangles().len(), 2);
    assert!(!mesh.is_closed());
    assert_eq!(mesh.bounds().high, Point3::new(1.0, 0.0, 1.0));
}

#[test]
fn the_slope_turns_everything_but_gravity() {
    let scene = load("incline", &sets(&["slope_deg=90"])).expect("valid");
    let spec = &scene.spec;
    assert_eq!(spec.settings.gravity_m_s2, Vector3::new(0.0, -9.81, 0.0));
    let ends = (
        spec.rods[0].design.centreline[0],
        spec.rods[0].design.centreline[10],
    );
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
