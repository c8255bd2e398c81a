//! Lists of natural curvatures and twists: which part of a strand curves which way.

use nalgebra::{Matrix3, Point3, Rotation3, Vector3};

use super::*;

const LENGTH: f64 = 0.3;
const PIECES: usize = 160;

/// Curvatures towards d₁ and d₂, 1/m, and twist, rad/m, of the two halves.
type Lists = [([f64; 2], f64); 2];

/// Each half a coil of its own plane and hand.
const LISTS: Lists = [([16.0, 0.0], 6.0), ([0.0, 6.0], -8.0)];
const EXCHANGED: Lists = [LISTS[1], LISTS[0]];

/// Nodes of the curve whose frame (tangent, d₁, d₂) turns along it as R' = R [k]×, k = (τ, −κ₂, κ₁).
fn integrated(lists: &Lists) -> Vec<Point3<f64>> {
    let fine = 50;
    let ds = LENGTH / (PIECES * fine) as f64;
    let (mut x, mut frame) = (Point3::origin(), Matrix3::identity());
    let mut nodes = vec![x];
    for piece in 0..PIECES {
        let ([towards_d1, towards_d2], twist) = lists[2 * piece / PIECES];
        let k = Vector3::new(twist, -towards_d2, towards_d1);
        let turn = Rotation3::new(k * (0.5 * ds));
        for _ in 0..fine {
            frame *= turn.matrix();
            x += frame.column(0) * ds;
            frame *= turn.matrix();
        }
        nodes.push(x);
    }
    nodes
}

/// Where a strand with these lists comes to rest that is laid out so, and clamped at its root or free.
fn settled(
    model: RodModel,
    laid: &[Point3<f64>],
    lists: &Lists,
    clamped: bool,
) -> Vec<Point3<f64>> {
    let mut design = design(laid.to_vec(), 1e-3);
    design.natural = NaturalShape::Curved {
        curvature_per_m: lists.iter().map(|half| half.0).collect(),
        twist_rad_m: lists.iter().map(|half| half.1).collect(),
    };
    design.facing = Some(Vector3::y());
    design.helices = Some(16);
    design.material.mass_damping_per_s = 2.0;
    let mut body = at_rest(model, &design);
    let hold = [clamp(body.as_ref(), 0, 0.0)];
    let holds = if clamped { &hold[..] } else { &[] };
    settle(body.as_mut(), &Vector3::zeros(), holds);
    body.nodes().to_vec()
}

/// Farthest that a node is from its fellow, as a share of the length.
fn apart(a: &[Point3<f64>], b: &[Point3<f64>]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.map(|(a, b)| (a - b).norm()).fold(0.0, f64::max) / LENGTH
}

/// Most by which a distance of two nodes differs between two shapes, wherever they are, as a share of the length.
fn unlike(a: &[Point3<f64>], b: &[Point3<f64>]) -> f64 {
    let pairs = (0..a.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| ((a[i] - a[j]).norm() - (b[i] - b[j]).norm()).abs())
        .fold(0.0, f64::max)
        / LENGTH
}

#[test]
fn a_strand_laid_out_as_its_lists_say_stays_there() {
    let laid = integrated(&LISTS);
    for model in RodModel::ALL {
        let name = model.name();
        let off = apart(&settled(model, &laid, &LISTS, true), &laid);
        assert!(off < 5e-3, "{name}: moved by {off} of its length");
        // The test sees the order.
        let moved = apart(&settled(model, &laid, &EXCHANGED, true), &laid);
        assert!(moved > 0.05, "{name}: moved by {moved} only");
        println!("{name}: {off:.1e}, exchanged {moved:.2}");
    }
}

#[test]
fn a_strand_laid_out_otherwise_takes_the_shape_that_its_lists_say() {
    let (laid, said) = (integrated(&LISTS), integrated(&EXCHANGED));
    assert!(unlike(&laid, &said) > 0.05, "the test sees no order");
    // Free, as springs that are clamped keep the bend of the edges that are held, and carry it on.
    for model in RodModel::ALL {
        let off = unlike(&settled(model, &laid, &EXCHANGED, false), &said);
        println!("{}: {off:.1e}", model.name());
        assert!(off < 1e-3, "{}: {off} of its length", model.name());
    }
}
