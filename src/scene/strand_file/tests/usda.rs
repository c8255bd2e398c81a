//! USD as text, as Blender, Houdini and hands write it.

use nalgebra::Point3;

use super::{Strand, StrandFile, Up, assert_refused, open, read};

/// A file with one prim of curves.
pub(super) fn curves(attributes: &str) -> String {
    format!("#usda 1.0\n\ndef BasisCurves \"hair\"\n{{\n{attributes}\n}}\n")
}

const TWO: &str = r#"
    uniform token type = "linear"
    int[] curveVertexCounts = [3, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 2.5e0, -0), (5, 0, 0), (5, 0, 3)]
"#;

fn first_points() -> Vec<Point3<f64>> {
    open(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.5, 0.0]]).points
}

/// Three points of a strand in a prim with these attributes, in one with those.
fn placed(outer: &str, inner: &str) -> Vec<Point3<f64>> {
    let text = format!(
        "#usda 1.0\ndef Xform \"a\" {{\n{outer}\ndef BasisCurves \"b\" {{\n{inner}\n{TWO}\n}}\n}}\n"
    );
    read("usda", &text).strands[0].points.clone()
}

#[track_caller]
fn assert_near(found: &[Point3<f64>], expected: [[f64; 3]; 3]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - Point3::from(expected)).norm() < 1e-12, "{found}");
    }
}

#[test]
fn lines_are_read_in_centimetres_unless_the_file_says() {
    let file = read("usda", &curves(TWO));
    assert_eq!(file.strands.len(), 2);
    assert_eq!(file.strands[0].points, first_points());
    assert_eq!((file.up, file.unit_m), (Up::Y, Some(0.01)));
    assert_eq!((file.color, file.strands[0].diameter), (None, None));
}

#[test]
fn widths_are_for_all_for_each_curve_or_for_each_point() {
    let diameters = |widths: &str| -> Vec<Option<f64>> {
        let file = read("usda", &curves(&format!("{TWO}{widths}")));
        file.strands.iter().map(|strand| strand.diameter).collect()
    };
    let both = |a, b| vec![Some(a), Some(b)];
    assert_eq!(diameters("float[] widths = [0.5]"), both(0.5, 0.5));
    assert_eq!(diameters("float[] widths = [1, 2]"), both(1.0, 2.0));
    let each = "float[] widths = [1, 2, 3, 4, 6] ( interpolation = \"vertex\" )";
    assert_eq!(diameters(each), both(2.0, 5.0));
    assert_eq!(diameters("float[] widths = []"), [None, None]);
    assert_eq!(diameters("float[] widths = [-1]"), [None, None]);
}

#[test]
fn periodic_curves_are_loops() {
    let text = "uniform token type = \"linear\"\nuniform token wrap = \"periodic\"\nint[] curveVertexCounts = [4]\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]";
    let file = read("usda", &curves(text));
    assert_eq!(file.strands[0].points.len(), 4);
    assert!(file.strands[0].closed);
}

#[test]
fn cubic_curves_are_traced() {
    let text = |basis: &str| {
        format!(
            "{basis}\nint[] curveVertexCounts = [4]\npoint3f[] points = [(0, 0, 0), (1, 2, 0), (2, 2, 0), (3, 0, 0)]"
        )
    };
    // Bézier is what USD takes when nothing is said.
    for basis in ["", "uniform token basis = \"bezier\""] {
        let strand = &read("usda", &curves(&text(basis))).strands[0];
        let ends = (strand.points[0], strand.points[strand.points.len() - 1]);
        assert_eq!(ends, (Point3::origin(), Point3::new(3.0, 0.0, 0.0)));
        assert!(strand.points.iter().any(|p| (p.y - 1.5).abs() < 1e-12));
    }
    let through = read("usda", &curves(&text("token basis = \"catmullRom\"")));
    assert_eq!(through.strands[0].points[0], Point3::new(1.0, 2.0, 0.0));
}

#[test]
fn of_time_samples_the_first_counts() {
    let samples = "point3f[] points.timeSamples = {\n 1: [(0, 0, 0), (1, 0, 0)],\n 2: [(9, 9, 9), (8, 8, 8)],\n}";
    let text = format!("token type = \"linear\"\nint[] curveVertexCounts = [2]\n{samples}");
    let expected = [open(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])];
    assert_eq!(read("usda", &curves(&text)).strands, expected);
}

#[test]
fn parents_move_turn_and_scale_their_children() {
    let op =
        |order: &str, values: &str| format!("{values}\nuniform token[] xformOpOrder = [{order}]");
    let shift = op(
        "\"xformOp:translate\"",
        "double3 xformOp:translate = (1, 2, 3)",
    );
    let turn = op(
        "\"xformOp:rotateXYZ\", \"xformOp:scale\"",
        "float3 xformOp:rotateXYZ = (0, 0, 90)\nfloat3 xformOp:scale = (2, 2, 2)",
    );
    // Scaled, turned, then moved: the child's operations come first.
    assert_near(
        &placed(&shift, &turn),
        [[1.0, 2.0, 3.0], [1.0, 4.0, 3.0], [-4.0, 4.0, 3.0]],
    );
    assert_near(
        &placed(&turn, &shift),
        [[-4.0, 2.0, 6.0], [-4.0, 4.0, 6.0], [-9.0, 4.0, 6.0]],
    );
    let matrix = op(
        "\"xformOp:transform\"",
        "matrix4d xformOp:transform = ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (7, 0, 0, 1) )",
    );
    assert_near(
        &placed("", &matrix),
        [[7.0, 0.0, 0.0], [7.0, 1.0, 0.0], [4.5, 1.0, 0.0]],
    );
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let orient = op(
        "\"xformOp:orient\"",
        &format!("quatf xformOp:orient = ({half}, 0, 0, {half})"),
    );
    assert_near(
        &placed("", &orient),
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-2.5, 1.0, 0.0]],
    );
    let pivot = op(
        "\"xformOp:translate:pivot\", \"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"",
        "float3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ = 180",
    );
    assert_near(
        &placed("", &pivot),
        [[2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, -2.5, 0.0]],
    );
    let reset = op(
        "\"!resetXformStack!\", \"xformOp:rotateX\"",
        "float xformOp:rotateX = 0",
    );
    assert_near(
        &placed(&shift, &reset),
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 2.5, 0.0]],
    );
}

#[test]
fn turns_about_three_axes_are_in_the_order_of_their_letters() {
    let turned = |kind: &str| {
        placed(
            "",
            &format!(
                "float3 xformOp:{kind} = (90, 0, 90)\ntoken[] xformOpOrder = [\"xformOp:{kind}\"]"
            ),
        )[2]
    };
    // (1, 2.5, 0) about x first: (1, 0, 2.5), then about z: (0, 1, 2.5).
    assert!((turned("rotateXYZ") - Point3::new(0.0, 1.0, 2.5)).norm() < 1e-12);
    // About z first: (-2.5, 1, 0), then about x: (-2.5, 0, 1).
    assert!((turned("rotateZYX") - Point3::new(-2.5, 0.0, 1.0)).norm() < 1e-12);
}

#[test]
fn a_scaled_prim_has_thicker_strands() {
    let text = format!(
        "{TWO}float[] widths = [0.5]\nfloat3 xformOp:scale = (2, 2, 2)\ntoken[] xformOpOrder = [\"xformOp:scale\"]"
    );
    let width = read("usda", &curves(&text)).strands[0].diameter;
    assert!((width.expect("given") - 1.0).abs() < 1e-12);
}

/// As Blender 4 writes curves.
const BLENDER: &str = r#"#usda 1.0
(
    customLayerData = {
        string creator = "a \"quoted\" name"
    }
    defaultPrim = "root"
    doc = "Blender v4.2.0"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "root" (
    customData = {
        dictionary Blender = {
            bool generated = 1
        }
    }
)
{
    def Xform "Curve"
    {
        custom string userProperties:blender:object_name = "Curve"
        double3 xformOp:translate = (0, 0, 1)
        uniform token[] xformOpOrder = ["xformOp:translate"]

        def BasisCurves "Curve" (
            active = true
            prepend apiSchemas = ["MaterialBindingAPI"]
        )
        {
            int[] curveVertexCounts = [2]
            float3[] extent = [(-1, -1, -1), (1, 1, 1)]
            rel material:binding = </scene/_materials/hair>
            point3f[] points.timeSamples = {
                1: [(0, 0, 0), (0, 0, 1)],
            }
            color3f[] primvars:displayColor = [(0.5, 0.25, 0.125)] (
                interpolation = "constant"
            )
            uniform token type = "linear"
            float[] widths = [0.01] (
                interpolation = "constant"
            )
            uniform token wrap = "nonperiodic"
        }
    }

    def Scope "_materials"
    {
        def Material "hair"
        {
            token outputs:surface.connect = </scene/_materials/hair/shader.outputs:surface>
        }
    }
}
"#;

#[test]
fn files_of_blender_are_read() {
    let expected = StrandFile {
        strands: vec![Strand {
            diameter: Some(0.01),
            ..open(&[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
        }],
        unit_m: Some(1.0),
        up: Up::Z,
        color: Some([0.5, 0.25, 0.125]),
    };
    let found = read("usda", BLENDER);
    assert!((found.strands[0].diameter.expect("given") - 0.01).abs() < 1e-12);
    assert_eq!(found.strands[0].points, expected.strands[0].points);
    assert_eq!(
        (found.unit_m, found.up, found.color),
        (expected.unit_m, expected.up, expected.color)
    );
}

/// As Houdini writes grooms: other layers, variants, classes, comments.
const HOUDINI: &str = r#"#usda 1.0
(
    "A comment in quotes"
    endTimeCode = 240
    framesPerSecond = 24
    metersPerUnit = 0.1
    subLayers = [
        @./base.usda@ (offset = 10; scale = 2)
    ]
    upAxis = "Y"
    doc = """Several
    lines (with ] brackets"""
)

# nothing
class "_class_groom"
{
    def BasisCurves "pattern"
    {
        int[] curveVertexCounts = [9]
    }
}

def "groom" (
    kind = "component"
    prepend references = @./other.usda@</groom>
    variants = {
        string look = "wet"
    }
    prepend variantSets = "look"
)
{
    variantSet "look" = {
        "wet" {
            def BasisCurves "inside" { int[] curveVertexCounts = [7] }
        }
    }
    rel proxyPrim = [</a>, </b>]
    asset info:file = @@@odd@name.usd@@@
    string[] primvars:names = ["a", "b"]

    def BasisCurves "hairs"
    {
        int[] curveVertexCounts = [2, 0, 1] (
            customData = {
                int dataId = 3
            }
        )
        point3f[] points = [(0, 0, 0), (0, -1, 0), (3, 3, 3)]
        normal3f[] normals = None
        double inf = -inf
        uniform token type = "linear"
        float[] widths = [0.1] (
            interpolation = "constant"
        )
        int[] primvars:hairid = [0, 1, 2]
    }
}
"#;

#[test]
fn files_of_houdini_are_read() {
    let found = read("usda", HOUDINI);
    assert_eq!((found.unit_m, found.up), (Some(0.1), Up::Y));
    let [strand] = &found.strands[..] else {
        panic!("{:?}", found.strands)
    };
    assert_eq!(
        strand.points,
        open(&[[0.0, 0.0, 0.0], [0.0, -1.0, 0.0]]).points
    );
}

#[test]
fn wrong_files_get_a_sentence() {
    let says = |text: &str, parts: &[&str]| assert_refused("usda", text.as_bytes(), parts);
    says("PXR-USDC\0\0\u{8}", &["binary USD", "text"]);
    says("PK\u{3}\u{4}", &["binary USD"]);
    says("hello", &["#usda"]);
    says("#usda 1.0\n(metersPerUnit = 0)", &["metersPerUnit"]);
    says("#usda 1.0\n(upAxis = \"Z\"", &["line 2", "ends"]);
    says(
        &curves(&TWO.replace("[3, 2]", "[3, 3]")),
        &["\"hair\"", "6"],
    );
    says(
        &curves(&TWO.replace("[3, 2]", "[5.5, -0.5]")),
        &["\"hair\""],
    );
    says(
        &curves(&TWO.replace("2.5e0", "nan")),
        &["\"hair\": its point 2"],
    );
    says(
        &curves(&TWO.replace("2.5e0", "2.5x")),
        &["line 8", "number"],
    );
    says(&curves(&TWO.replace("linear", "nurbs")), &["\"nurbs\""]);
    says(&curves("token type = \"linear"), &["line 5", "closes"]);
    says(
        &curves("token[] xformOpOrder = [\"xformOp:spin\"]"),
        &["xformOp:spin"],
    );
    let twice = "float2 xformOp:rotateZZ = (1, 2)\ntoken[] xformOpOrder = [\"xformOp:rotateZZ\"]";
    says(&curves(twice), &["rotateZZ"]);
    let flat =
        "float3 xformOp:scale = (0, 1, 1)\ntoken[] xformOpOrder = [\"!invert!xformOp:scale\"]";
    says(&curves(flat), &["xformOp:scale"]);
    let cut = curves(TWO);
    says(&cut[..cut.len() - 3], &["ends within a prim"]);
    let deep = "def \"a\" { ".repeat(200);
    says(&format!("#usda 1.0\n{deep}"), &["deep"]);
}
