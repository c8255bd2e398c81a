//! Layer 4, proofs. A protocol is a page: a claim, what it is held against, and for every check what was measured, what is
//! expected, by how much it may be missed, and whether it holds.
//!
//! | file | job |
//! |---|---|
//! | `page` | a claim with its checks |
//! | `bending` | three-point bending in theory |
//! | `three_point_bending` | the same simulated |
//! | `knot_tightening` | knots drawn tight without passing through themselves |
//! | `oscillating_sphere` | solvers against each other, by the orbit of a strand's tip |
//! | `violent_drag` | strands torn about by hands and needles |
//! | `double_loop` | a spun ball on two rails |
//!
//! `prusik validate` runs them by name.

pub mod bending;
pub mod double_loop;
pub mod knot_tightening;
pub mod oscillating_sphere;
mod page;
pub mod three_point_bending;
pub mod violent_drag;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use page::{Check, Outcome, Page, Rule};

/// How a protocol is run.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// In haste: larger time steps and fewer cases, wherever the claim can still be seen.
    pub quick: bool,
    /// Seeds per case of a protocol that draws lots; its own number if not given.
    pub seeds: Option<u64>,
    /// The first of those seeds.
    pub first_seed: u64,
    /// Of such a protocol, only cases whose name contains this.
    pub only: Option<&'a str>,
    /// Simulated seconds per case of such a protocol, likewise.
    pub seconds: Option<f64>,
    /// Where tables and plots go; nowhere if not given.
    pub out: Option<&'a Path>,
    /// Hears how many runs are done, of how many, and what the last of them gave, in a line, where runs take long.
    pub watch: &'a (dyn Fn(usize, usize, &str) + Sync),
}

/// A claim that can be tried.
pub struct Protocol {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it claims.
    pub claim: &'static str,
    /// What it is held against.
    pub reference: &'static str,
    run: fn(&Plan) -> Result<Page, String>,
}

/// Every protocol.
pub const PROTOCOLS: [Protocol; 5] = [
    Protocol {
        name: "three_point_bending",
        claim: three_point_bending::CLAIM,
        reference: three_point_bending::REFERENCE,
        run: three_point_bending::run,
    },
    Protocol {
        name: "knot_tightening",
        claim: knot_tightening::CLAIM,
        reference: knot_tightening::REFERENCE,
        run: knot_tightening::run,
    },
    Protocol {
        name: "oscillating_sphere",
        claim: oscillating_sphere::CLAIM,
        reference: oscillating_sphere::REFERENCE,
        run: oscillating_sphere::run,
    },
    Protocol {
        name: "violent_drag",
        claim: violent_drag::CLAIM,
        reference: violent_drag::REFERENCE,
        run: violent_drag::run,
    },
    Protocol {
        name: "double_loop",
        claim: double_loop::CLAIM,
        reference: double_loop::REFERENCE,
        run: double_loop::run,
    },
];

impl Protocol {
    /// The protocol with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROTOCOLS.iter().find(|protocol| protocol.name == name)
    }

    /// Tries the claim. Errors, which are sentences, mean that it could not be tried.
    pub fn run(&self, plan: &Plan) -> Result<Page, String> {
        let mut page = (self.run)(plan)?;
        page.name = self.name;
        page.claim = self.claim;
        page.reference = self.reference;
        Ok(page)
    }
}

/// Counts runs as they are done, on any thread.
struct Runs<'a> {
    plan: &'a Plan<'a>,
    of: usize,
    done: AtomicUsize,
}

impl<'a> Runs<'a> {
    fn new(plan: &'a Plan<'a>, of: usize) -> Self {
        (plan.watch)(0, of, "");
        Self {
            plan,
            of,
            done: AtomicUsize::new(0),
        }
    }

    fn done(&self) {
        self.done_with("");
    }

    /// A run is done that gave this.
    fn done_with(&self, given: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.plan.watch)(done, self.of, given);
    }
}

/// Name of a file of a protocol.
fn file_name(protocol: &str, name: &str) -> String {
    format!("{protocol}_{name}")
}

/// A name as that of a column: `super-helix, smooth` → `super_helix_smooth`.
fn name_column(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}
