//! Laws of nodes and quaternions.

mod derivatives;
mod explicit;
mod motion;
mod shapes;

use super::*;
use crate::body::rod::laws::{self, Subject};
use crate::body::{NaturalShape, SectionShape};

/// A curl with a natural shape, thicker one way than the other so that the two curvatures are told apart.
fn curly(natural: NaturalShape, closed: bool) -> RodDesign {
    let mut nodes = laws::curl();
    if closed {
        nodes.push(nodes[0]);
    }
    let mut design = laws::design(nodes, 4e-3, laws::material(), natural);
    design.closed = closed;
    design.section = SectionShape::Ellipse {
        half_m: [4e-3, 3e-3],
    };
    design
}

fn natural_shapes() -> [NaturalShape; 3] {
    [
        NaturalShape::Straight,
        NaturalShape::AsGiven,
        NaturalShape::Curved {
            curvature_per_m: vec![[20.0, -5.0], [10.0, 15.0]],
            twist_rad_m: vec![12.0],
        },
    ]
}
