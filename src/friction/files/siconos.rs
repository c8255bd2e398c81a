//! The text format of Siconos' test problems (`.dat`).
//!
//! Numbers apart by white space: dimension (3), contacts n, storage of W, its rows and columns, then
//!
//! - storage 0, dense: rows and columns again, 9n² numbers column by column;
//! - storage 1, blocks: number of blocks, block rows and columns, where each ends, the lengths of the two index lists,
//!   the lists (row starts, columns), and for each block its number and 9 numbers column by column;
//!
//! and b (3n numbers, normal first), µ (n numbers).

use nalgebra::{Matrix3, Vector3};

use super::{FileError, Row, block_matrix, check};
use crate::friction::Problem;

/// Reads a problem.
pub fn parse(text: &str) -> Result<Problem, FileError> {
    let mut words = Words {
        rest: text.split_ascii_whitespace(),
        read: 0,
        most: text.len() / 2 + 1,
    };
    let dimension = words.count("the dimension")?;
    if dimension != 3 {
        return Err(FileError(format!(
            "the dimension is {dimension}, but only 3 is solved here"
        )));
    }
    let n = words.size("the number of contacts")?;
    let storage = words.count("the storage of W")?;
    for what in ["the rows of W", "the columns of W"] {
        words.expect(what, 3 * n)?;
    }
    let rows = match storage {
        0 => dense(&mut words, n)?,
        1 => blocks(&mut words, n)?,
        other => {
            return Err(FileError(format!(
                "W is stored in way {other}, but only 0 (dense) and 1 (blocks) are read"
            )));
        }
    };
    let b = (0..n)
        .map(|_| words.vector("b"))
        .collect::<Result<_, _>>()?;
    let mu = (0..n)
        .map(|_| words.number("µ"))
        .collect::<Result<_, _>>()?;
    check(Problem {
        w: block_matrix(rows),
        b,
        mu,
    })
}

/// Writes a problem in blocks, so that [`parse`] gives it back bit by bit.
pub fn write(problem: &Problem) -> String {
    use std::fmt::Write;
    let n = problem.len();
    let total: usize = (0..n).map(|i| problem.w.columns(i).len()).sum();
    let ends = (1..=n)
        .map(|i| (3 * i).to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let mut out = format!(
        "3\n{n}\n1\n{0}\n{0}\n{total}\n{n}\n{n}\n{ends}\n{ends}\n{1}\n{total}\n",
        3 * n,
        n + 1
    );
    let mut start = 0;
    let mut starts = vec![String::from("0")];
    for i in 0..n {
        start += problem.w.columns(i).len();
        starts.push(start.to_string());
    }
    // Writing into a string cannot fail.
    let _ = writeln!(out, "{}", starts.join(" "));
    let columns = (0..n)
        .flat_map(|i| problem.w.columns(i))
        .map(u32::to_string);
    let _ = writeln!(out, "{}", columns.collect::<Vec<_>>().join(" "));
    let all = (0..n).flat_map(|i| problem.w.row(i));
    for (number, (_, block)) in all.enumerate() {
        let _ = writeln!(out, "{number}");
        block.iter().for_each(|x| {
            let _ = writeln!(out, "{x:e}");
        });
    }
    for b in &problem.b {
        let _ = writeln!(out, "{:e} {:e} {:e}", b.x, b.y, b.z);
    }
    for mu in &problem.mu {
        let _ = writeln!(out, "{mu:e}");
    }
    out
}

fn dense(words: &mut Words, n: usize) -> Result<Vec<Row>, FileError> {
    for what in ["the rows of the dense W", "the columns of the dense W"] {
        words.expect(what, 3 * n)?;
    }
    words.promise("entries of W", (3 * n).saturating_mul(3 * n))?;
    let mut rows: Vec<Row> = (0..n)
        .map(|_| (0..n as u32).map(|j| (j, Matrix3::zeros())).collect())
        .collect();
    for column in 0..3 * n {
        for row in 0..3 * n {
            rows[row / 3][column / 3].1[(row % 3, column % 3)] = words.number("an entry of W")?;
        }
    }
    // Most entries of a dense file are couplings that do not exist.
    for row in &mut rows {
        row.retain(|(_, block)| *block != Matrix3::zeros());
    }
    Ok(rows)
}

fn blocks(words: &mut Words, n: usize) -> Result<Vec<Row>, FileError> {
    words.size("the number of blocks")?;
    for what in ["the block rows of W", "the block columns of W"] {
        words.expect(what, n)?;
    }
    for what in ["the end of a block row", "the end of a block column"] {
        for k in 1..=n {
            words.expect(what, 3 * k)?;
        }
    }
    words.expect("the number of row starts", n + 1)?;
    let stored = words.size("the number of stored blocks")?;
    let starts = (0..=n)
        .map(|_| words.count("a row start"))
        .collect::<Result<Vec<_>, _>>()?;
    if starts[0] != 0 || !starts.is_sorted() || starts[n] > stored {
        return Err(FileError(
            "the row starts of W do not rise from 0 to its number of blocks".into(),
        ));
    }
    let columns = (0..stored)
        .map(|_| words.count("a column of W"))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(column) = columns.iter().find(|&&column| column >= n) {
        return Err(FileError(format!(
            "a block of W is in column {column}, but there are only {n} contacts"
        )));
    }
    words.promise("entries of W", starts[n].saturating_mul(10))?;
    let mut rows = Vec::with_capacity(n);
    for bounds in starts.windows(2) {
        let mut row = Row::new();
        for &column in &columns[bounds[0]..bounds[1]] {
            words.count("the number of a block")?;
            let mut block = Matrix3::zeros();
            for entry in block.iter_mut() {
                *entry = words.number("an entry of W")?;
            }
            row.push((column as u32, block));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// The words of the file, in turn.
struct Words<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
    read: usize,
    /// No file of this size has more words.
    most: usize,
}

impl Words<'_> {
    fn next<T: std::str::FromStr>(&mut self, what: &str, kind: &str) -> Result<T, FileError> {
        self.read += 1;
        let Some(word) = self.rest.next() else {
            return Err(FileError(format!(
                "the file ends where {what} should stand (word {})",
                self.read
            )));
        };
        word.parse().map_err(|_| {
            let shown: String = word.chars().take(40).collect();
            FileError(format!(
                "word {} is \"{shown}\", but {what} should be {kind}",
                self.read
            ))
        })
    }

    fn count(&mut self, what: &str) -> Result<usize, FileError> {
        self.next(what, "a whole number, 0 or more")
    }

    fn number(&mut self, what: &str) -> Result<f64, FileError> {
        self.next(what, "a number")
    }

    fn vector(&mut self, what: &str) -> Result<Vector3<f64>, FileError> {
        Ok(Vector3::new(
            self.number(what)?,
            self.number(what)?,
            self.number(what)?,
        ))
    }

    /// A count of things that the file must still hold, so that nothing larger than the file is ever set aside.
    fn size(&mut self, what: &str) -> Result<usize, FileError> {
        let size = self.count(what)?;
        if size == 0 {
            return Err(FileError(format!(
                "{what} is 0, but there must be at least one"
            )));
        }
        self.promise(what, size)?;
        Ok(size)
    }

    fn promise(&self, what: &str, size: usize) -> Result<(), FileError> {
        if size > self.most {
            return Err(FileError(format!(
                "the file promises {size} for {what}, which is more than it can hold"
            )));
        }
        Ok(())
    }

    fn expect(&mut self, what: &str, wanted: usize) -> Result<(), FileError> {
        let found = self.count(what)?;
        if found != wanted {
            return Err(FileError(format!(
                "{what} is {found}, but should be {wanted}"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: &str = "3 1 0 3 3 3 3  15 -1 -2  -1 14 1  -2 1 16  -1 2 3  0.1";

    /// Two contacts that couple one way only: real data is not symmetric.
    fn sample() -> Problem {
        let own = Matrix3::new(2.0, 0.1, -0.0, 0.1, 3.0, 0.3, -0.0, 0.3, 4.0);
        let rows = vec![vec![(1, own * 0.1), (0, own)], vec![(1, own * 2.0)]];
        let b = vec![
            Vector3::new(-1.0, 0.5, 1.0 / 3.0),
            Vector3::new(0.1, 0.0, -1e-17),
        ];
        Problem {
            w: block_matrix(rows),
            b,
            mu: vec![0.3, 0.0],
        }
    }

    #[test]
    fn dense_files_are_column_by_column() {
        let problem = parse(&ONE.replacen("-2  -1", "-7  -1", 1)).unwrap();
        assert_eq!(problem.w.diagonal(0)[(2, 0)], -7.0);
        assert_eq!(problem.w.diagonal(0)[(0, 2)], -2.0);
        assert_eq!(
            (problem.b[0], problem.mu[0]),
            (Vector3::new(-1.0, 2.0, 3.0), 0.1)
        );
    }

    #[test]
    fn what_is_written_is_read_back_bit_by_bit() {
        let problem = sample();
        let again = parse(&write(&problem)).unwrap();
        for i in 0..2 {
            assert!(again.w.row(i).eq(problem.w.row(i)));
        }
        assert_eq!((&again.b, &again.mu), (&problem.b, &problem.mu));
        // Comparing numbers does not tell −0 from +0; the text does.
        assert_eq!(write(&again), write(&problem));
    }

    #[test]
    fn broken_files_get_a_sentence() {
        let says = |text: &str, part: &str| {
            let error = parse(text).unwrap_err().0;
            assert!(error.contains(part), "{error}");
        };
        says("", "ends where the dimension");
        says("2 1", "dimension is 2");
        says("3 900000000000 0", "more than it can hold");
        says("3 1 7 3 3", "stored in way 7");
        says(&ONE[..30], "ends where");
        says(&ONE.replace("0.1", "-0.1"), "µ of contact 0 is -0.1");
        says(&ONE.replace("15", "NaN"), "not a finite number");
        says(&ONE.replace("15", "many"), "\"many\"");
        says(&ONE.replace("3 1 0 3 3", "3 1 0 6 3"), "rows of W is 6");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn no_mutation_of_a_file_does_more_than_fail(at in 0.0..1.0_f64, cut in any::<bool>(), word in "[-0-9a-zµ.]{0,12}") {
            let text = write(&sample());
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            let k = (at * words.len() as f64) as usize;
            let rest = if cut { &[][..] } else { &words[k + 1..] };
            let mutated = [&words[..k], &[word.as_str()], rest].concat().join(" ");
            if let Err(error) = parse(&mutated) {
                prop_assert!(!error.0.is_empty() && !error.0.contains('\n'));
            }
        }
    }
}
