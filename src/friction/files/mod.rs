//! One-step problems in files, so that solvers can be compared on problems from elsewhere.
//!
//! [`read`] is the one door: it tells the formats apart by what is in the file, whatever its name.

pub mod fclib;
mod hdf5;
pub mod siconos;

use std::path::Path;

use nalgebra::Matrix3;

use super::Problem;
use crate::math::BlockMatrix;

/// Why a file is not a problem: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileError(pub String);

/// Files, and the datasets in them, with more bytes (1 GiB) are not read.
const MOST_BYTES: usize = 1 << 30;

/// Reads a problem from a file in any format that is known here.
pub fn read(path: &Path) -> Result<Problem, FileError> {
    let refuse = |why: String| Err(FileError(why));
    let unreadable = |error: std::io::Error| FileError(format!("cannot be read: {error}"));
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if about.is_dir() {
        return refuse("this is a folder, not a file".into());
    }
    // A device may never end.
    if !about.is_file() {
        return refuse("this is not an ordinary file".into());
    }
    if about.len() > MOST_BYTES as u64 {
        return refuse(format!(
            "the file has {} bytes, but at most {MOST_BYTES} are read",
            about.len()
        ));
    }
    parse(std::fs::read(path).map_err(unreadable)?)
}

/// Reads a problem from the bytes of a file.
pub fn parse(bytes: Vec<u8>) -> Result<Problem, FileError> {
    if bytes.is_empty() {
        return Err(FileError("the file is empty".into()));
    }
    if hdf5::is_hdf5(&bytes) {
        return fclib::parse(bytes)?.into_problem();
    }
    match String::from_utf8(bytes) {
        Ok(text) => siconos::parse(&text),
        Err(_) => Err(FileError(
            "this is neither text (Siconos) nor HDF5 (FCLIB)".into(),
        )),
    }
}

/// One row of W as read: columns in any order, some maybe twice.
type Row = Vec<(u32, Matrix3<f64>)>;

/// Puts rows in order: columns rising, repeated blocks added up, every diagonal block there; half of it where it is
/// symmetric.
fn block_matrix(rows: Vec<Row>) -> BlockMatrix {
    let mut matrix = BlockMatrix::default();
    for (i, mut row) in rows.into_iter().enumerate() {
        // Not always: zero added to −0 is +0, and what was written would not come back bit by bit.
        if row.iter().all(|&(column, _)| column != i as u32) {
            row.push((i as u32, Matrix3::zeros()));
        }
        row.sort_by_key(|&(column, _)| column);
        row.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
        matrix.push_filled_row(row);
    }
    matrix.into_symmetric()
}

/// Refuses what no solver can take.
fn check(problem: Problem) -> Result<Problem, FileError> {
    let refuse = |what: String| Err(FileError(what));
    if let Some(i) = problem
        .mu
        .iter()
        .position(|mu| !(mu.is_finite() && *mu >= 0.0))
    {
        return refuse(format!(
            "µ of contact {i} is {}, but must be 0 or more",
            problem.mu[i]
        ));
    }
    if let Some(i) = problem
        .b
        .iter()
        .position(|b| !b.iter().all(|x| x.is_finite()))
    {
        return refuse(format!(
            "the free velocity of contact {i} is not a finite number"
        ));
    }
    let broken = |i: &usize| {
        problem
            .w
            .row(*i)
            .any(|(_, w)| !w.iter().all(|x| x.is_finite()))
    };
    if let Some(i) = (0..problem.len()).find(broken) {
        return refuse(format!(
            "W has an entry in the rows of contact {i} that is not a finite number"
        ));
    }
    Ok(problem)
}
