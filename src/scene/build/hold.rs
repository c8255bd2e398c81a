//! Clamps, pins and scripted pulls.

use nalgebra::UnitQuaternion;

use super::motion;
use crate::scene::check::{self, Checked, FieldError};
use crate::scene::file::{RodRef, SceneFile};
use crate::scene::hold_file::{AtFile, HoldFile, HoldKindFile};
use crate::scene::motion_file::MotionFile;
use crate::world::{HoldAt, HoldKind, HoldSpec, RodSpec, SolidSpec};

/// Pull of a grab that does not say, N: a firm hand.
const DEFAULT_FORCE_N: f64 = 50.0;

/// All holds of the scene.
pub(super) fn holds(
    file: &SceneFile,
    rods: &[RodSpec],
    solids: &[SolidSpec],
    slope: &UnitQuaternion<f64>,
) -> Checked<Vec<HoldSpec>> {
    let mut holds: Vec<HoldSpec> = Vec::new();
    for (index, entry) in file.hold.iter().enumerate() {
        let first = hold(index, entry, rods, solids, slope)?;
        let copies = if entry.copies {
            copies_of(rods, first.rod)
        } else {
            0
        };
        for k in 0..=copies {
            let mut hold = first.clone();
            hold.rod += k;
            if k > 0 {
                hold.name = format!("{} {k}", first.name);
            }
            if holds.iter().any(|other| other.name == hold.name) {
                return Err(FieldError::new(
                    format!("hold.{index}.name"),
                    format!("is \"{}\", but another hold has that name", hold.name),
                ));
            }
            holds.push(hold);
        }
    }
    Ok(holds)
}

/// Copies stand right after their rod and bear its name with a number.
fn copies_of(rods: &[RodSpec], rod: usize) -> usize {
    let followers = rods[rod + 1..].iter().zip(1..);
    followers
        .take_while(|(other, k)| other.name == format!("{} {k}", rods[rod].name))
        .count()
}

fn hold(
    index: usize,
    entry: &HoldFile,
    rods: &[RodSpec],
    solids: &[SolidSpec],
    slope: &UnitQuaternion<f64>,
) -> Checked<HoldSpec> {
    let at = |field: &str| format!("hold.{index}.{field}");
    let script = MotionFile {
        keys: entry.keys.clone(),
        turns: entry.turns.clone(),
        eased: entry.eased,
        spin: entry.spin,
        swing: None,
    };
    let on = entry.on.as_deref().map(|name| {
        let found = solids.iter().position(|solid| solid.name == name);
        let known = solids.iter().map(|solid| solid.name.as_str());
        check::named(&at("on"), name, found, known)
    });
    Ok(HoldSpec {
        name: entry
            .name
            .clone()
            .unwrap_or_else(|| format!("hold {index}")),
        rod: rod_index(&at("rod"), &entry.rod, rods)?,
        at: place(&at("at"), &entry.at)?,
        kind: kind(&at("max_force"), entry)?,
        motion: motion(&at(""), &script, slope)?,
        on: on.transpose()?,
        active_s: active(&at("active"), entry.active)?,
        demo: entry.demo,
    })
}

/// The rod that is meant, by number or by name.
pub(super) fn rod_index(path: &str, rod: &RodRef, rods: &[RodSpec]) -> Checked<usize> {
    let found = match rod {
        RodRef::Index(index) => Some(*index).filter(|&index| index < rods.len()),
        RodRef::Name(name) => rods.iter().position(|rod| rod.name == *name),
    };
    found.ok_or_else(|| {
        let meant = match rod {
            RodRef::Index(index) => index.to_string(),
            RodRef::Name(name) => format!("\"{name}\""),
        };
        let names: Vec<&str> = rods.iter().map(|rod| rod.name.as_str()).collect();
        let problem = format!(
            "is {meant}, but there is no such rod; the rods, from 0, are: {}",
            names.join(", ")
        );
        FieldError::new(path, problem)
    })
}

fn place(path: &str, at: &AtFile) -> Checked<HoldAt> {
    match at {
        AtFile::Share(share) => Ok(HoldAt::Fraction(check::share(path, *share)?)),
        AtFile::Name(name) => {
            let place = match name.as_str() {
                "start" => Some(HoldAt::Start),
                "end" => Some(HoldAt::End),
                _ => None,
            };
            check::named(path, name, place, ["start", "end", "a share from 0 to 1"])
        }
    }
}

fn kind(path: &str, entry: &HoldFile) -> Checked<HoldKind> {
    match (entry.kind, entry.max_force) {
        (HoldKindFile::Clamp, None) => Ok(HoldKind::Clamp),
        (HoldKindFile::Pin, None) => Ok(HoldKind::Pin),
        (HoldKindFile::Grab, force) => Ok(HoldKind::Grab {
            max_force_n: check::positive(path, force.unwrap_or(DEFAULT_FORCE_N))?,
        }),
        (_, Some(_)) => Err(FieldError::new(
            path,
            "is given, but only a hold of kind \"grab\" has a largest force",
        )),
    }
}

fn active(path: &str, span: Option<[f64; 2]>) -> Checked<(f64, f64)> {
    match span {
        None => Ok((0.0, f64::INFINITY)),
        // The end may be infinite: "from then on".
        Some([from, to]) if from >= 0.0 && to > from => Ok((from, to)),
        Some([from, to]) => Err(FieldError::new(
            path,
            format!("is [{from}, {to}], but must be two times in s, the second after the first"),
        )),
    }
}
