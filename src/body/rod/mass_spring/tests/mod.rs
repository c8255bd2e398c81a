//! Laws of the chain of springs.

mod derivatives;
mod motion;

use super::*;
use crate::body::NaturalShape;
use crate::body::rod::laws::{self, Subject};

type Plain = Rest<BENDS>;
type Curly = Rest<CURLS>;

/// A curl with a natural shape, closed or not.
fn curly(natural: NaturalShape, closed: bool) -> RodDesign {
    let mut nodes = laws::curl();
    if closed {
        nodes.push(nodes[0]);
    }
    let mut design = laws::design(nodes, 4e-3, laws::material(), natural);
    design.closed = closed;
    design
}
