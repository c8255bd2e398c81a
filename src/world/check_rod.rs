//! What a strand must be like to be built: every number of its description, and what each model can do.

use super::build::{check, positive};
use super::{RodSpec, SpecError};
use crate::body::{NaturalShape, RodDesign, RodMaterial, RodModel, Scheme, SectionShape};

/// Thickest strand, m.
const MOST_RADIUS: f64 = 10.0;
/// Most pieces of one strand: more than a machine that runs this could step.
pub const MOST_PIECES: usize = 100_000;
/// Most helical elements of one super-helix: its matrix is dense, and a step of more would take seconds.
pub const MOST_HELICES: usize = 1000;
/// Models with nodes measure a bend by the tangent of half its angle, which has no value at half a turn, rad.
const SHARPEST: f64 = 2.8;
/// Fewest pieces of a loop: each must have two neighbours on either side.
pub const FEWEST_IN_A_LOOP: usize = 6;

/// Checks a strand's description.
pub(super) fn check_rod(rod: &RodSpec) -> Result<(), SpecError> {
    let (name, design) = (&rod.name, &rod.design);
    check_centreline(name, design)?;
    check(rod.velocity_m_s.iter().all(|v| v.is_finite()), || {
        format!("{name} has a velocity that is not finite")
    })?;
    check(
        rod.proxies.is_none_or(|n| (1..=MOST_PIECES).contains(&n)),
        || format!("{name} needs 1 to {MOST_PIECES} proxies"),
    )?;
    check_section_and_material(name, design)?;
    check_natural(name, &design.natural)?;
    check_model(rod.model, design).map_err(|why| SpecError(format!("{name} {why}")))
}

/// Checks the numbers that can be changed while a strand moves.
pub(super) fn check_section_and_material(name: &str, design: &RodDesign) -> Result<(), SpecError> {
    check_section(name, design)?;
    check_material(name, &design.material)
}

fn check_centreline(name: &str, design: &RodDesign) -> Result<(), SpecError> {
    let nodes = &design.centreline;
    check(nodes.len() >= 2, || {
        format!("{name} needs at least two nodes")
    })?;
    check(design.pieces() <= MOST_PIECES, || {
        format!(
            "{name} has {} elements; at most {MOST_PIECES} fit",
            design.pieces()
        )
    })?;
    check(
        nodes.iter().all(|x| x.iter().all(|c| c.is_finite())),
        || format!("{name} has a node that is not finite"),
    )?;
    let repeated = nodes.windows(2).position(|p| p[0] == p[1]);
    check(repeated.is_none(), || {
        let first = repeated.unwrap_or(0);
        let second = first + 1;
        format!("{name} has an element of no length between nodes {first} and {second}")
    })?;
    let folded = |p: &[nalgebra::Point3<f64>]| {
        let (e, f) = ((p[1] - p[0]).normalize(), (p[2] - p[1]).normalize());
        e.dot(&f) < -1.0 + 1e-9
    };
    let joint = [nodes[nodes.len() - 2], nodes[0], nodes[1]];
    let folds = nodes.windows(3).any(folded) || design.closed && folded(&joint);
    check(!folds, || {
        format!("{name} turns back on itself at a node; a strand must bend less sharply")
    })?;
    if design.closed {
        check(nodes.first() == nodes.last(), || {
            format!("{name} is closed, but its last node is not its first")
        })?;
        check(design.pieces() >= FEWEST_IN_A_LOOP, || {
            format!(
                "{name} is a loop of {} elements; it needs at least {FEWEST_IN_A_LOOP}",
                design.pieces()
            )
        })?;
    }
    Ok(())
}

fn check_section(name: &str, design: &RodDesign) -> Result<(), SpecError> {
    let sizes = design.section.half_m();
    check(
        sizes
            .iter()
            .all(|&size| positive(size) && size <= MOST_RADIUS),
        || match design.section {
            SectionShape::Round { radius_m } => {
                format!(
                    "{name} has radius {radius_m} m; it must be above 0 and at most {MOST_RADIUS}"
                )
            }
            _ => format!(
                "{name} has a section of {} m by {} m; both must be above 0 and at most {}",
                2.0 * sizes[0],
                2.0 * sizes[1],
                2.0 * MOST_RADIUS
            ),
        },
    )?;
    let facing = design
        .facing
        .is_none_or(|d| d.norm().is_finite() && d.norm() > 0.0);
    check(facing, || format!("{name} faces no direction"))
}

fn check_material(name: &str, m: &RodMaterial) -> Result<(), SpecError> {
    check(positive(m.youngs_modulus_pa), || {
        format!("{name} has Young's modulus {} Pa", m.youngs_modulus_pa)
    })?;
    check(positive(m.density_kg_m3), || {
        format!("{name} has density {} kg/m³", m.density_kg_m3)
    })?;
    check(m.poisson_ratio > -1.0 && m.poisson_ratio <= 0.5, || {
        format!(
            "{name} has Poisson's ratio {}; it must lie between -1 and 0.5",
            m.poisson_ratio
        )
    })?;
    check(m.bending_factor > 0.0 && m.bending_factor <= 1.0, || {
        format!(
            "{name} has bending factor {}; it must be above 0 and at most 1",
            m.bending_factor
        )
    })?;
    let damping = [m.mass_damping_per_s, m.stiffness_damping_s];
    check(damping.iter().all(|d| d.is_finite() && *d >= 0.0), || {
        format!("{name} has negative damping")
    })
}

fn check_natural(name: &str, natural: &NaturalShape) -> Result<(), SpecError> {
    let NaturalShape::Curved {
        curvature_per_m,
        twist_rad_m,
    } = natural
    else {
        return Ok(());
    };
    let numbers = curvature_per_m.iter().flatten().chain(twist_rad_m);
    check(numbers.into_iter().all(|k| k.is_finite()), || {
        format!("{name} has a natural curvature or twist that is not finite")
    })
}

/// Checks whether a model can be given to a strand; if not, says what about the strand is in its way: "is a loop …".
pub fn check_model(model: RodModel, design: &RodDesign) -> Result<(), String> {
    let called = model.name();
    let check = |holds: bool, sentence: String| if holds { Ok(()) } else { Err(sentence) };
    check(
        !design.closed || model != RodModel::SuperHelix,
        format!("is a loop, which {called} cannot be; use discrete_elastic, corde or mass_spring"),
    )?;
    let round = matches!(design.section, SectionShape::Round { .. });
    check(
        round || model != RodModel::MassSpring,
        format!(
            "has a section that is not round, which {called} cannot tell apart; use another model"
        ),
    )?;
    check(
        design.scheme == Scheme::Implicit || model == RodModel::Corde,
        format!("asks for explicit steps, which {called} does not take; only corde does"),
    )?;
    check(
        model == RodModel::SuperHelix || sharpest_joint(design) < SHARPEST,
        "bends naturally by nearly half a turn or more within one element; give it more elements"
            .into(),
    )?;
    let given = design.helices.unwrap_or(1);
    check(
        (1..=MOST_HELICES).contains(&given),
        format!("has {given} helices; it must have from 1 to {MOST_HELICES}"),
    )?;
    let helices = helices(model, design);
    check(
        helices <= MOST_HELICES,
        format!(
            "would have {helices} helices, a quarter of its elements; {called} has at most {MOST_HELICES}: set helices"
        ),
    )
}

/// The largest natural bend of a joint, rad.
fn sharpest_joint(design: &RodDesign) -> f64 {
    let lengths = design.lengths();
    let total: f64 = lengths.iter().sum();
    let mut start = 0.0;
    let bend = |length: &f64| {
        let [k1, k2, _] = design.natural.mean(start / total, (start + length) / total);
        start += length;
        k1.hypot(k2) * length
    };
    lengths.iter().map(bend).fold(0.0, f64::max)
}

/// Helical elements that a strand starts from; none for the other models.
pub(super) fn helices(model: RodModel, design: &RodDesign) -> usize {
    match model {
        RodModel::SuperHelix => design.helices.unwrap_or(design.pieces().div_ceil(4)),
        _ => 0,
    }
}
