//! The HDF5 format of FCLIB, a collection of one-step problems \[Acary14\].
//!
//! A file holds one of two forms, each with `spacedim` = 3:
//!
//! - `/fclib_local`: u = W r + q. Matrix `W`; `vectors/q`, `vectors/mu`.
//! - `/fclib_global`: M v = H r + f, u = Hᵀ v + w. Matrices `M`, `H`; `vectors/f`, `vectors/w`, `vectors/mu`.
//!
//! Our b is called q there. Vectors at contacts are normal first, as ours. Both forms can carry equations besides
//! Coulomb's law (matrices `V` and `R`, or `G`), which are refused. A matrix is a group of `m` rows, `n` columns, values
//! `x` and
//!
//! - `nz` = −1: column starts `p`, rows `i`;
//! - `nz` = −2: row starts `p`, columns `i`;
//! - `nz` ≥ 0: that many triplets, rows `i`, columns `p`.

use nalgebra::Vector3;

use super::hdf5::Hdf5;
use super::{FileError, Row, block_matrix, check};
use crate::friction::{Primal, Problem};
use crate::math::SparseMatrix;

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Fclib {
    /// A problem in the contacts.
    Local(Problem),
    /// A problem in the velocities of the bodies.
    Global(Primal),
}

impl Fclib {
    /// The problem in the contacts; a global one is reduced to it.
    pub fn into_problem(self) -> Result<Problem, FileError> {
        match self {
            Self::Local(problem) => Ok(problem),
            Self::Global(primal) => {
                let problem = primal.reduce();
                check(problem.map_err(|error| FileError(error.to_string()))?)
            }
        }
    }
}

/// Reads what a file holds.
pub fn parse(bytes: Vec<u8>) -> Result<Fclib, FileError> {
    let file = Hdf5::open(bytes)?;
    if file.has_group("fclib_local")? {
        local(&file).map(Fclib::Local)
    } else if file.has_group("fclib_global")? {
        global(&file).map(Fclib::Global)
    } else {
        Err(FileError(
            "this HDF5 file is not FCLIB's: it has neither fclib_local nor fclib_global".into(),
        ))
    }
}

fn local(file: &Hdf5) -> Result<Problem, FileError> {
    check_dimension(file, "fclib_local")?;
    refuse_equations(file, "fclib_local", &["V", "R"], "s")?;
    let mu = friction(file, "fclib_local")?;
    let n = mu.len();
    let b = at_contacts(file, "fclib_local/vectors/q", n)?;
    let w = matrix(file, "fclib_local/W", [3 * n, 3 * n])?;
    check(Problem {
        w: block_matrix(block_rows(&w)),
        b,
        mu,
    })
}

fn global(file: &Hdf5) -> Result<Primal, FileError> {
    check_dimension(file, "fclib_global")?;
    refuse_equations(file, "fclib_global", &["G"], "b")?;
    let mu = friction(file, "fclib_global")?;
    let n = mu.len();
    let w = at_contacts(file, "fclib_global/vectors/w", n)?;
    let f = finite_numbers(file, "fclib_global/vectors/f")?;
    let unknowns = f.len();
    Ok(Primal {
        m: matrix(file, "fclib_global/M", [unknowns, unknowns])?,
        f,
        h: matrix(file, "fclib_global/H", [unknowns, 3 * n])?,
        w,
        mu,
    })
}

fn check_dimension(file: &Hdf5, form: &str) -> Result<(), FileError> {
    match file.whole_number(&format!("{form}/spacedim"))? {
        3 => Ok(()),
        other => Err(FileError(format!(
            "the problem is in {other} dimensions, but only 3 are solved here"
        ))),
    }
}

/// Refuses equations that hold besides Coulomb's law, where there are any.
fn refuse_equations(
    file: &Hdf5,
    form: &str,
    matrices: &[&str],
    vector: &str,
) -> Result<(), FileError> {
    let refuse = |name: &str| {
        Err(FileError(format!(
            "{form} has equality constraints ({name}), but only contacts are solved here"
        )))
    };
    for name in matrices {
        let path = format!("{form}/{name}");
        if !file.has_group(&path)? {
            continue;
        }
        let rows = file.whole_number(&format!("{path}/m"))?;
        let columns = file.whole_number(&format!("{path}/n"))?;
        if rows != 0 && columns != 0 {
            return refuse(name);
        }
    }
    let path = format!("{form}/vectors/{vector}");
    if file.has_dataset(&path)? && !file.numbers(&path)?.is_empty() {
        return refuse(vector);
    }
    Ok(())
}

/// µ of every contact.
fn friction(file: &Hdf5, form: &str) -> Result<Vec<f64>, FileError> {
    let mu = file.numbers(&format!("{form}/vectors/mu"))?;
    if mu.is_empty() {
        return Err(FileError(
            "the number of contacts is 0, but there must be at least one".into(),
        ));
    }
    // Blocks are counted in 32 bits.
    if u32::try_from(mu.len()).is_err() {
        return Err(FileError(format!("{} contacts are too many", mu.len())));
    }
    match mu.iter().position(|mu| !(mu.is_finite() && *mu >= 0.0)) {
        Some(i) => Err(FileError(format!(
            "µ of contact {i} is {}, but must be 0 or more",
            mu[i]
        ))),
        None => Ok(mu),
    }
}

fn finite_numbers(file: &Hdf5, path: &str) -> Result<Vec<f64>, FileError> {
    let numbers = file.numbers(path)?;
    match numbers.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(FileError(format!(
            "number {k} of {path} is {}, but must be finite",
            numbers[k]
        ))),
        None => Ok(numbers),
    }
}

/// Three numbers per contact.
fn at_contacts(file: &Hdf5, path: &str, n: usize) -> Result<Vec<Vector3<f64>>, FileError> {
    let numbers = finite_numbers(file, path)?;
    if numbers.len() != 3 * n {
        return Err(FileError(format!(
            "{path} holds {} numbers, but should hold 3 for each of {n} contacts",
            numbers.len()
        )));
    }
    Ok(numbers
        .chunks_exact(3)
        .map(Vector3::from_column_slice)
        .collect())
}

/// Gathers the entries of W into 3 × 3 blocks, where there are any.
fn block_rows(w: &SparseMatrix) -> Vec<Row> {
    let mut rows = vec![Row::new(); w.rows() / 3];
    for contact in 0..w.columns() / 3 {
        for q in 0..3 {
            for (i, value) in w.column(3 * contact + q) {
                let (row, column) = (&mut rows[i / 3], contact as u32);
                if row.last().is_none_or(|last| last.0 != column) {
                    row.push((column, nalgebra::Matrix3::zeros()));
                }
                if let Some((_, block)) = row.last_mut() {
                    block[(i % 3, q)] = value;
                }
            }
        }
    }
    rows
}

/// Reads a matrix, which must have this many rows and columns.
fn matrix(file: &Hdf5, path: &str, [rows, columns]: [usize; 2]) -> Result<SparseMatrix, FileError> {
    for (key, what, wanted) in [("m", "rows", rows), ("n", "columns", columns)] {
        let found = file.whole_number(&format!("{path}/{key}"))?;
        if usize::try_from(found) != Ok(wanted) {
            return Err(FileError(format!(
                "{path} has {found} {what}, but should have {wanted}"
            )));
        }
    }
    let stored = Stored {
        path,
        nz: file.whole_number(&format!("{path}/nz"))?,
        p: file.whole_numbers(&format!("{path}/p"))?,
        i: file.whole_numbers(&format!("{path}/i"))?,
        x: finite_numbers(file, &format!("{path}/x"))?,
    };
    let entries = stored.entries(rows, columns)?;
    Ok(SparseMatrix::from_triplets(rows, columns, entries))
}

/// A matrix as it stands in the file.
struct Stored<'a> {
    path: &'a str,
    nz: i64,
    p: Vec<i64>,
    i: Vec<i64>,
    x: Vec<f64>,
}

impl Stored<'_> {
    fn entries(&self, rows: usize, columns: usize) -> Result<Vec<(usize, usize, f64)>, FileError> {
        match self.nz {
            -1 => {
                let by_columns = self.compressed(columns, rows, "column")?;
                Ok(by_columns.into_iter().map(|(j, i, x)| (i, j, x)).collect())
            }
            -2 => self.compressed(rows, columns, "row"),
            0.. => self.triplets(rows, columns),
            other => Err(FileError(format!(
                "{}/nz is {other}, but only −1 (columns), −2 (rows) and counts of triplets are read",
                self.path
            ))),
        }
    }

    /// (outer, inner, value), where `p` says at which entry each of the outer lines starts.
    fn compressed(
        &self,
        outer: usize,
        inner: usize,
        line: &str,
    ) -> Result<Vec<(usize, usize, f64)>, FileError> {
        let stored = self.i.len().min(self.x.len());
        let last = self.p.last().and_then(|&last| usize::try_from(last).ok());
        if self.p.len() != outer + 1 {
            return Err(FileError(format!(
                "{} has {} {line} starts, but should have {}",
                self.path,
                self.p.len(),
                outer + 1
            )));
        }
        if self.p[0] != 0 || !self.p.is_sorted() || last.is_none_or(|last| last > stored) {
            return Err(FileError(format!(
                "the {line} starts of {} do not rise from 0 to its number of entries",
                self.path
            )));
        }
        let mut entries = Vec::with_capacity(last.unwrap_or(0));
        for (line, bounds) in self.p.windows(2).enumerate() {
            for k in bounds[0] as usize..bounds[1] as usize {
                entries.push((line, self.index(self.i[k], inner)?, self.x[k]));
            }
        }
        Ok(entries)
    }

    fn triplets(&self, rows: usize, columns: usize) -> Result<Vec<(usize, usize, f64)>, FileError> {
        let stored = self.i.len().min(self.p.len()).min(self.x.len());
        let Some(count) = usize::try_from(self.nz).ok().filter(|&nz| nz <= stored) else {
            return Err(FileError(format!(
                "{} promises {} entries, but holds {stored}",
                self.path, self.nz
            )));
        };
        (0..count)
            .map(|k| {
                let (i, j) = (
                    self.index(self.i[k], rows)?,
                    self.index(self.p[k], columns)?,
                );
                Ok((i, j, self.x[k]))
            })
            .collect()
    }

    fn index(&self, index: i64, size: usize) -> Result<usize, FileError> {
        let inside = usize::try_from(index).ok().filter(|&index| index < size);
        inside.ok_or_else(|| {
            FileError(format!(
                "{} has an entry in place {index}, but only the places 0 to {} exist",
                self.path,
                size as i64 - 1
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [[1, 0, 2], [0, 3, 0]], stored in each way.
    fn stored(nz: i64, p: &[i64], i: &[i64], x: &[f64]) -> Result<SparseMatrix, FileError> {
        let (p, i, x) = (p.to_vec(), i.to_vec(), x.to_vec());
        let stored = Stored {
            path: "A",
            nz,
            p,
            i,
            x,
        };
        Ok(SparseMatrix::from_triplets(2, 3, stored.entries(2, 3)?))
    }

    #[test]
    fn the_three_ways_to_store_a_matrix_are_read_alike() {
        let expected =
            SparseMatrix::from_triplets(2, 3, vec![(0, 0, 1.0), (0, 2, 2.0), (1, 1, 3.0)]);
        let columns = stored(-1, &[0, 1, 2, 3], &[0, 1, 0], &[1.0, 3.0, 2.0]);
        let rows = stored(-2, &[0, 2, 3], &[0, 2, 1], &[1.0, 2.0, 3.0]);
        // Triplets may be in any order, twice in one place, and more than count.
        let triplets = stored(
            4,
            &[1, 0, 2, 2, 0],
            &[1, 0, 0, 0, 9],
            &[3.0, 1.0, 0.5, 1.5, 7.0],
        );
        for found in [columns, rows, triplets] {
            assert_eq!(found.as_ref(), Ok(&expected));
        }
    }

    #[test]
    fn broken_matrices_get_a_sentence() {
        let says = |nz, p: &[i64], i: &[i64], part: &str| {
            let error = stored(nz, p, i, &[1.0, 2.0, 3.0]).unwrap_err().0;
            assert!(error.contains(part), "{error}");
        };
        says(
            -1,
            &[0, 1, 2],
            &[0, 1, 0],
            "3 column starts, but should have 4",
        );
        says(-2, &[0, 2, 1], &[0, 2, 1], "row starts of A do not rise");
        says(-2, &[0, 2, 4], &[0, 2, 1], "row starts of A do not rise");
        says(-2, &[1, 2, 3], &[0, 2, 1], "row starts of A do not rise");
        says(-2, &[0, -5, 3], &[0, 2, 1], "row starts of A do not rise");
        says(
            -2,
            &[0, 2, 3],
            &[0, 3, 1],
            "place 3, but only the places 0 to 2",
        );
        says(-2, &[0, 2, 3], &[0, -1, 1], "place -1");
        says(
            3,
            &[0, 0, 0],
            &[0, 1, 2],
            "place 2, but only the places 0 to 1",
        );
        says(
            i64::MAX,
            &[0],
            &[0],
            "promises 9223372036854775807 entries, but holds 1",
        );
        says(-3, &[0], &[0], "nz is -3");
    }

    #[test]
    fn blocks_of_zeros_are_dropped() {
        let w = SparseMatrix::from_triplets(
            6,
            6,
            vec![(0, 0, 1.0), (5, 1, 2.0), (3, 4, 3.0), (2, 5, 0.0)],
        );
        let rows = block_rows(&w);
        let columns = |i: usize| rows[i].iter().map(|block| block.0).collect::<Vec<_>>();
        assert_eq!((columns(0), columns(1)), (vec![0], vec![0, 1]));
        assert_eq!((rows[1][0].1[(2, 1)], rows[1][1].1[(0, 1)]), (2.0, 3.0));
    }
}
