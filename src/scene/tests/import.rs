//! Strands of files in scenes, and files that are opened in place of scenes.

use nalgebra::{Point3, Vector3};

use super::mistakes::assert_says;
use super::{Folder, GOOD, sets};
use crate::geometry::Shape;
use crate::scene::{Scene, StrandLook, load, opens};
use crate::world::HoldAt;

/// Five strands that stand side by side, and a ring.
const LINES: &str = "v 0 1 0\nv 0 0.8 0\nv 0 0.5 0\nl 1 2 3\nv 1 1 0\nv 1 0.5 0\nl -2 -1\nv 2 1 0\nv 2 0.5 0\nl -2 -1\n\
v 3 1 0\nv 3 0.5 0\nl -2 -1\nv 4 1 0\nv 4 0.5 0\nl -2 -1\n\
v 5 1 0\nv 6 1 0\nv 6 2 0\nv 5.5 2.5 0\nv 5 2 0\nv 4.5 1.5 0\nv 4.7 1.2 0\nv 4.8 1.1 0\nl -8 -7 -6 -5 -4 -3 -2 -1 -8\n";

const SQUARE: &str =
    "v 0 0 0\nv 2 0 0\nv 2 0 2\nv 0 0 2\nv 1 1 1\nf 1 2 3 4\nf 2 1 5\nf 3 2 5\nf 4 3 5\nf 1 4 5\n";

/// A scene whose first rod stands for the lines.
fn strands(folder: &Folder, shape: &str) -> String {
    folder.write("lines.obj", LINES);
    let line = "kind = \"line\", from = [0, 1, 0], to = [1, 1, 0]";
    let text = GOOD
        .replace(
            line,
            &format!("kind = \"strands\", file = \"lines.obj\"{shape}"),
        )
        .replace("elements = 4", "")
        .replace("rod = \"a\"", "name = \"root\"\nrod = \"a\"\ncopies = true");
    folder.write("test.toml", &text)
}

fn loaded(folder: &Folder, shape: &str, list: &[&str]) -> Result<Scene, String> {
    load(&strands(folder, shape), &sets(list)).map_err(|error| error.0)
}

/// A `.hair` file of straight strands of two segments, 100 units long, side by side.
fn hair(count: u16) -> Vec<u8> {
    let mut bytes = b"HAIR".to_vec();
    for number in [u32::from(count), 3 * u32::from(count), 2, 2] {
        bytes.extend(number.to_le_bytes());
    }
    for number in [0.4_f32, 0.0, 0.5, 0.25, 0.125] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.resize(128, 0);
    for k in 0..count {
        for z in [100.0_f32, 50.0, 0.0] {
            for number in [f32::from(k), 0.0, z] {
                bytes.extend(number.to_le_bytes());
            }
        }
    }
    bytes
}

#[test]
fn a_rod_stands_for_all_strands_of_a_file() {
    let folder = Folder::new("strands");
    let spec = loaded(&folder, "", &[]).expect("valid").spec;
    let names: Vec<&str> = spec.rods.iter().map(|rod| rod.name.as_str()).collect();
    assert_eq!(names, ["a", "a 1", "a 2", "a 3", "a 4", "a 5", "b"]);
    assert_eq!(spec.holds.len(), 6);
    let first = &spec.rods[0].design;
    assert_eq!(first.centreline[1], Point3::new(0.0, 0.8, 0.0));
    assert_eq!((first.centreline.len(), first.closed), (3, false));
    let ring = &spec.rods[5].design;
    assert_eq!((ring.centreline.len(), ring.closed), (9, true));
    assert_eq!(ring.centreline[0], ring.centreline[8]);
}

#[test]
fn strands_are_scaled_turned_thinned_and_cut_as_asked() {
    let folder = Folder::new("strands-asked");
    let shape = ", scale = 0.1, up = \"z\", most = 3";
    let scene = loaded(&folder, shape, &["rod.0.elements=10"]).expect("valid");
    let rods = &scene.spec.rods;
    assert_eq!((rods.len(), scene.groups[0].rods.clone()), (4, 0..3));
    let end = rods[1].design.centreline[10];
    assert!((end - Point3::new(0.2, 0.0, -0.05)).norm() < 1e-12, "{end}");
    // Points of a file that is named in the scene go before its shape, as for every rod.
    let other = folder.write("curve.txt", "0 1 0\n1 1 0\n");
    let file = loaded(&folder, shape, &[&format!("rods.file={other}")]).expect("valid");
    assert_eq!(file.spec.rods.len(), 2);
}

#[test]
fn wrong_strands_get_a_sentence() {
    let folder = Folder::new("strands-wrong");
    folder.write("many.hair", &hair(30));
    let says = |shape: &str, set: &[&str], parts: &[&str]| {
        let error = loaded(&folder, shape, set).map(|_| ()).expect_err(shape);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_says(&error, parts);
    };
    says(", scale = 0", &[], &["line 17: rod.0.shape.scale is 0"]);
    says(
        ", scale = 1e308",
        &[],
        &["rod.0.shape.scale is 1", "strand 0"],
    );
    says(", up = \"x\"", &[], &["shape.up is \"x\"", "one of y, z"]);
    says(", most = 0", &[], &["shape.most is 0", "from 1 to 10000"]);
    says(", mots = 1", &[], &["line 17", "mots"]);
    says("", &["rod.0.closed=true"], &["rod.0.closed", "loops"]);
    let copies = "rod.0.copies={ count = 2, spacing = 1, axis = [0, 1, 0] }";
    says("", &[copies], &["rod.0.copies", "set most"]);
    says(
        "",
        &["rod.0.elements=4"],
        &["rod.0.elements is 4", "strand 5"],
    );
    says(
        "",
        &["rods.model=super_helix"],
        &["rods.model", "is a loop", "strand 5"],
    );
    says(
        "",
        &["rod.0.elements=100000", "rod.0.shape.file=many.hair"],
        &["shape is too much", "set most"],
    );
    says(
        "",
        &["rods.radius=-1"],
        &["--set rods.radius=-1: rods.radius is -1"],
    );
    let file = |name: &str| format!("rod.0.shape.file={name}");
    says("", &[&file("none.hair")], &["none.hair", "cannot be read"]);
    says(
        "",
        &[&file("test.toml")],
        &["test.toml", ".hair, .usda or .obj"],
    );
    folder.write("square.obj", SQUARE);
    says("", &[&file("square.obj")], &["square.obj", "no strands"]);
    folder.write(
        "flat.obj",
        "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nl 1 2 3 4 1\n",
    );
    says("", &[&file("flat.obj")], &["on one line", "strand 0"]);
}

#[test]
fn a_file_of_hair_opens_as_a_scene() {
    let folder = Folder::new("import-hair");
    let path = folder.write("My \"hair\".HAIR", &hair(250));
    let scene = load(&path, &[]).expect("valid");
    assert_eq!(
        (scene.title.as_str(), scene.look),
        ("My \"hair\".HAIR", Some(StrandLook::Hair))
    );
    assert_says(&scene.watch, &["100 of the 250 strands", "0.002008 m"]);
    assert_eq!(scene.wisp.expect("wisps").hairs, 2);
    let rods = &scene.spec.rods;
    assert_eq!((rods.len(), rods[99].name.as_str()), (100, "hair 99"));
    assert_eq!(rods[0].color, [0.5, 0.25, 0.125]);
    // Too thin to be seen, so the file's own: 0.4 units across.
    let radius = rods[0].design.section.contact_radius_m();
    assert!((radius - 0.2 * 0.002008).abs() < 1e-7, "{radius}");
    let nodes = &rods[0].design.centreline;
    assert_eq!(nodes.len(), 9);
    let down = nodes[8] - nodes[0];
    assert!((down.normalize() + Vector3::y()).norm() < 1e-9, "{down}");
    assert_eq!(scene.spec.holds.len(), 100);
    assert!(scene.spec.holds.iter().all(|hold| hold.at == HoldAt::Start));
    let floor = scene.spec.solids[0].world_from_body.translation.y;
    assert!(floor < nodes[8].y && floor > nodes[8].y - 0.1, "{floor}");
}

#[test]
fn set_reaches_the_scene_around_a_file() {
    let folder = Folder::new("import-set");
    let path = folder.write("a.hair", &hair(30));
    let list = [
        "rod.0.shape.most=7",
        "rods.radius=0.001",
        "dt=1e-3",
        "friction.default=0.1",
    ];
    let scene = load(&path, &sets(&list)).expect("valid");
    assert_eq!((scene.spec.rods.len(), scene.spec.holds.len()), (7, 7));
    assert_eq!(scene.spec.rods[0].design.section.half_m(), [0.001; 2]);
    assert_eq!(
        (scene.spec.settings.dt_s, scene.spec.friction.default),
        (1e-3, 0.1)
    );
    assert_eq!(
        (scene.wisp, scene.origin.name_or_path),
        (None, path.clone())
    );
    let error = load(&path, &sets(&["rods.radius=-1"]))
        .expect_err("wrong")
        .0;
    assert_says(&error, &["--set rods.radius=-1: rods.radius is -1"]);
}

#[test]
fn lines_hang_from_their_starts_and_loops_fall() {
    let folder = Folder::new("import-lines");
    let path = folder.write("lines.obj", LINES);
    let scene = load(&path, &[]).expect("valid");
    assert_says(
        &scene.watch,
        &[
            "All 6 strands of lines.obj",
            "loops left to fall",
            "0.08333 m",
        ],
    );
    let held: Vec<usize> = scene.spec.holds.iter().map(|hold| hold.rod).collect();
    assert_eq!((scene.spec.rods.len(), held), (6, vec![0, 1, 2, 3, 4]));
    assert_eq!((scene.look, scene.wisp), (None, None));
}

#[test]
fn curves_are_taken_in_the_unit_of_their_file() {
    let folder = Folder::new("import-usda");
    let text = "#usda 1.0\n(metersPerUnit = 0.001)\ndef BasisCurves \"c\" {\ntoken type = \"linear\"\nint[] curveVertexCounts = [2]\npoint3f[] points = [(0, 0, 0), (0, 50, 0)]\nfloat[] widths = [1]\n}\n";
    let path = folder.write("curves.usda", text);
    let scene = load(&path, &[]).expect("valid");
    assert_says(
        &scene.watch,
        &[
            "The only strand of curves.usda, hung by the start",
            "0.001 m",
        ],
    );
    let design = &scene.spec.rods[0].design;
    assert!((design.centreline[8].y - 0.05).abs() < 1e-15);
    assert_eq!(design.section.half_m(), [0.0005; 2]);
}

#[test]
fn faces_stand_on_the_floor_under_a_rope() {
    let folder = Folder::new("import-mesh");
    let path = folder.write("square.obj", SQUARE);
    let scene = load(&path, &[]).expect("valid");
    assert_says(&scene.watch, &["rope", "square.obj", "metres"]);
    let [floor, solid] = &scene.spec.solids[..] else {
        panic!("not a floor and a mesh")
    };
    assert_eq!(floor.world_from_body.translation.y, 0.0);
    let Shape::Mesh(mesh) = &solid.shape else {
        panic!("not a mesh")
    };
    let low = solid.world_from_body * mesh.bounds().low;
    assert_eq!(low, Point3::new(-1.0, 0.0, -1.0));
    let rope = &scene.spec.rods[0].design.centreline;
    assert!(rope.iter().all(|x| x.y > 1.0 && x.y < 1.2));
    let folder = Folder::new("import-both");
    let both = folder.write(
        "both.obj",
        &format!("{SQUARE}v 1 2 1\nv 1.5 1.5 1\nl 6 7\n"),
    );
    let scene = load(&both, &[]).expect("valid");
    assert_eq!((scene.spec.rods.len(), scene.spec.solids.len()), (1, 2));
}

#[test]
fn solids_of_stl_have_z_up() {
    let folder = Folder::new("import-stl");
    let corner = |p: &[f64; 3]| format!("vertex {} {} {}\n", p[0], p[1], p[2]);
    let tip = [0.0, 0.0, 30.0];
    let base = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]];
    let faces = [
        [base[0], base[2], base[1]],
        [base[0], base[1], tip],
        [base[1], base[2], tip],
        [base[2], base[0], tip],
    ];
    let corners: String = faces.iter().flatten().map(corner).collect();
    let path = folder.write("tower.stl", &format!("solid\n{corners}endsolid\n"));
    let scene = load(&path, &[]).expect("valid");
    assert_says(&scene.watch, &["z axis points up", "0.01667 m"]);
    let solid = &scene.spec.solids[1];
    let Shape::Mesh(mesh) = &solid.shape else {
        panic!("not a mesh")
    };
    let heights = (mesh.vertices().iter()).map(|x| (solid.world_from_body * x).y);
    let (low, high) = heights.fold((1.0_f64, 0.0_f64), |(a, b), y| (a.min(y), b.max(y)));
    assert!(low.abs() < 1e-12 && (high - 0.5).abs() < 1e-12);
}

#[test]
fn files_that_cannot_be_opened_get_a_sentence() {
    let folder = Folder::new("import-wrong");
    let says = |path: &str, parts: &[&str]| {
        let error = load(path, &[]).expect_err(path).0;
        assert_eq!(error.lines().count(), 1, "{error}");
        assert_says(&error, parts);
        assert!(!error.contains("line 1"), "{error}");
    };
    for name in ["no.hair", "no.usda", "no.obj", "no.stl"] {
        says(name, &[name, "cannot be read"]);
    }
    let bytes = hair(3);
    says(
        &folder.write("cut.hair", &bytes[..200]),
        &["cut.hair: it is cut short"],
    );
    says(
        &folder.write("none.hair", &hair(0)),
        &["none.hair: it has no strands"],
    );
    says(
        &folder.write("none.usda", "#usda 1.0\n"),
        &["none.usda: it has no strands"],
    );
    says(
        &folder.write("none.obj", "v 0 0 0\n"),
        &["neither faces nor lines"],
    );
    says(
        &folder.write("none.stl", "solid\nendsolid\n"),
        &["no triangles"],
    );
    let flat = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nl 1 2 3 4 1\n";
    says(
        &folder.write("flat.obj", flat),
        &["flat.obj: rod.0.shape is a loop"],
    );
}

#[test]
fn only_what_can_be_opened_is_promised() {
    for name in ["a.toml", "b/c.HAIR", "c.usda", "d.obj", "e.stl"] {
        assert!(opens(name.as_ref()), "{name}");
    }
    for name in ["a.usdc", "toml", "a.session", ""] {
        assert!(!opens(name.as_ref()), "{name}");
    }
    assert_says(
        &load("nonsense", &[]).unwrap_err().0,
        &[".toml, .hair, .usda, .obj or .stl"],
    );
}
