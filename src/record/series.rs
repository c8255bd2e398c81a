//! Columns of numbers over a common first one, as CSV.

use std::path::Path;

/// A table of numbers; columns carry their units in their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// One number per column; what is not finite is left empty in the file.
    pub rows: Vec<Vec<f64>>,
}

impl Series {
    /// A table with these columns.
    pub fn new<S: ToString>(columns: impl IntoIterator<Item = S>) -> Self {
        Self {
            columns: columns.into_iter().map(|name| name.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    /// Writes the table to a file. Errors are sentences.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let cannot =
            |error: csv::Error| format!("the file {} cannot be written: {error}", path.display());
        let mut writer = csv::Writer::from_path(path).map_err(cannot)?;
        writer.write_record(&self.columns).map_err(cannot)?;
        for row in &self.rows {
            let shown = row.iter().map(|&value| match value.is_finite() {
                true => value.to_string(),
                false => String::new(),
            });
            writer.write_record(shown).map_err(cannot)?;
        }
        writer
            .flush()
            .map_err(|error| format!("the file {} cannot be written: {error}", path.display()))
    }
}
