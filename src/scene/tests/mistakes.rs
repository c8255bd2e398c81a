//! Each mistake in a scene gets its sentence.

use super::{Folder, GOOD, scene_with, sets};
use crate::scene::load;

/// The sentence for a file in which `from` is replaced by `to`.
#[track_caller]
fn sentence(test: &str, from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from} is not in the file");
    let error = scene_with(test, &GOOD.replace(from, to), &[]).expect_err(to);
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[track_caller]
pub(super) fn assert_says(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "\"{error}\" does not say \"{part}\"");
    }
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
        "dt = 1e-3",
        "dt = 1e-3\nlook = \"chrome\"",
        &["line 5", "look is \"chrome\"", "rope, hair, plain"],
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
fn a_bad_mesh_is_named_with_its_line() {
    let says = |shape: &str, parts: &[&str]| {
        let error = sentence("mesh", "kind = \"plane\"", shape);
        assert_says(&error, &["test.toml, line 26"]);
        assert_says(&error, parts);
    };
    let ball = |fields: &str| format!("kind = \"bumpy_sphere\", {fields}");
    says(
        &ball("radius = 1, bumps = 1, waves = 6, subdivisions = 3"),
        &["body.0.shape.bumps is 1", "below the radius"],
    );
    says(
        &ball("radius = 1, bumps = 0.1, waves = -6, subdivisions = 3"),
        &["shape.waves is -6"],
    );
    says(
        &ball("radius = 1, bumps = 0.1, waves = 6, subdivisions = 30"),
        &["shape.subdivisions is 30", "0 to 7"],
    );
    says(
        &ball("radius = 0, bumps = 0.1, waves = 6, subdivisions = 3"),
        &["shape.radius is 0"],
    );
    let file = |name: &str| format!("kind = \"mesh\", file = \"{name}\"");
    says(
        &file("none.obj"),
        &["body.0.shape.file", "none.obj", "cannot be read"],
    );
    says(&file("test.toml"), &["test.toml", ".obj or .stl"]);
    says(
        &format!("{}, scale = 0", file("none.obj")),
        &["shape.scale is 0", "above 0"],
    );
    let folder = Folder::new("mesh-file");
    folder.write("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    let text = GOOD.replace("kind = \"plane\"", &file("bad.obj"));
    let error = load(&folder.write("test.toml", &text), &[]).expect_err("bad");
    let parts = [
        "line 26: body.0.shape.file",
        "bad.obj: line 4: names vertex 9",
    ];
    assert_says(&error.0, &parts);
}

#[test]
fn creep_needs_a_body() {
    let measure = "[[measure]]\nname = \"creep_m\"\nkind = \"creep\"\non = \"roof\"\n\n[[hold]]";
    let error = sentence("creep", "[[hold]]", measure);
    assert_says(&error, &["line 31: measure.0.on is \"roof\"", "\"floor\""]);
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
