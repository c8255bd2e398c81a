//! A session file that grows while the session goes on: what is in it when the power goes is a session too.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Event, Head, text};
use crate::world::SpecError;

/// A file that is being written.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    out: BufWriter<File>,
    head: Head,
}

impl SessionFile {
    /// Creates the file, with everything that has happened so far.
    pub fn create<'a>(
        path: &Path,
        head: Head,
        so_far: impl IntoIterator<Item = (u64, &'a Event)>,
    ) -> Result<Self, SpecError> {
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(|error| cannot(path, &error))?;
        }
        let file = File::create(path).map_err(|error| cannot(path, &error))?;
        let mut session = Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            head,
        };
        session.rewrite(so_far)?;
        Ok(session)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts over: after going back in time, what was done later has not been done.
    pub fn rewrite<'a>(
        &mut self,
        so_far: impl IntoIterator<Item = (u64, &'a Event)>,
    ) -> Result<(), SpecError> {
        let started = self.start_over();
        started.map_err(|error| cannot(&self.path, &error))?;
        for (step, event) in so_far {
            self.add(step, event)?;
        }
        self.flush()
    }

    fn start_over(&mut self) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(0))?;
        self.out.get_ref().set_len(0)?;
        self.out.write_all(text::head(&self.head).as_bytes())
    }

    /// Adds a line.
    pub fn add(&mut self, step: u64, event: &Event) -> Result<(), SpecError> {
        let line = text::line(step, event);
        let written = self.out.write_all(line.as_bytes());
        written.map_err(|error| cannot(&self.path, &error))
    }

    /// Hands what was added to the system, so that it survives this program.
    pub fn flush(&mut self) -> Result<(), SpecError> {
        let flushed = self.out.flush();
        flushed.map_err(|error| cannot(&self.path, &error))
    }
}

fn cannot(path: &Path, error: &io::Error) -> SpecError {
    let path = path.display();
    SpecError(format!("the session {path} cannot be written: {error}"))
}
