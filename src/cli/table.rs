//! Columns of text, each as wide as its widest entry.

use std::fmt;

/// A table: the first row is the heading, the first column is flush left, the others flush right.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this heading.
    pub fn new<S: ToString>(heading: impl IntoIterator<Item = S>) -> Self {
        let mut table = Self::default();
        table.add(heading);
        table
    }

    /// Adds a row.
    pub fn add<S: ToString>(&mut self, row: impl IntoIterator<Item = S>) {
        self.rows
            .push(row.into_iter().map(|entry| entry.to_string()).collect());
    }

    fn width(&self, column: usize) -> usize {
        let entries = self.rows.iter().filter_map(|row| row.get(column));
        entries
            .map(|entry| entry.chars().count())
            .max()
            .unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in &self.rows {
            let mut line = String::new();
            for (column, entry) in row.iter().enumerate() {
                let width = self.width(column);
                line += &match column {
                    0 => format!("{entry:<width$}"),
                    _ => format!("  {entry:>width$}"),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Three digits or so, whatever the size.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".into(),
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ if size >= 0.01 => format!("{value:.2}"),
        _ => format!("{value:.0e}"),
    }
}

/// The same, with a dash for nothing.
pub(super) fn short_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let mut table = Table::new(["solver", "ms"]);
        table.add(["auto", "12.5"]);
        table.add(["µ", "–"]);
        assert_eq!(
            table.to_string(),
            "solver    ms\nauto    12.5\nµ          –\n"
        );
    }

    #[test]
    fn numbers_have_three_digits_or_so() {
        let shown = [0.0, 1234.5, 12.34, 1.234, 0.0456, 1.2e-6].map(short);
        assert_eq!(shown, ["0", "1234", "12.3", "1.23", "0.05", "1e-6"]);
    }
}
