//! One-step problems in files, so that solvers can be compared on problems from elsewhere.

pub mod siconos;

use nalgebra::Matrix3;

use super::Problem;
use crate::math::BlockMatrix;

/// Why a file is not a problem: a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FileError(pub String);

/// One row of W as read: columns in any order, some maybe twice.
type Row = Vec<(u32, Matrix3<f64>)>;

/// Puts rows in order: columns rising, repeated blocks added up, every diagonal block there.
fn block_matrix(rows: Vec<Row>) -> BlockMatrix {
    let mut matrix = BlockMatrix::default();
    let mut ordered: Vec<Row> = Vec::with_capacity(rows.len());
    for (i, mut row) in rows.into_iter().enumerate() {
        row.push((i as u32, Matrix3::zeros()));
        row.sort_by_key(|&(column, _)| column);
        row.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 += later.1;
            }
            same
        });
        matrix.push_row(row.iter().map(|&(column, _)| column));
        ordered.push(row);
    }
    matrix.fill_rows(|i, _, blocks| {
        for (block, (_, value)) in blocks.iter_mut().zip(&ordered[i]) {
            *block = *value;
        }
    });
    matrix
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
            .1
            .iter()
            .any(|w| !w.iter().all(|x| x.is_finite()))
    };
    if let Some(i) = (0..problem.len()).find(broken) {
        return refuse(format!(
            "W has an entry in the rows of contact {i} that is not a finite number"
        ));
    }
    Ok(problem)
}
