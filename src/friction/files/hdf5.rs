//! Numbers out of an HDF5 file, whatever its bytes.
//!
//! A file may promise more than it holds. No dataset is read that is larger than the file could unfold to:
//!
//! bytes of a dataset ≤ 1024 × bytes of the file,
//!
//! about the limit of the deflate method, by which HDF5 compresses. What the decoder itself cannot cope with becomes a
//! sentence as well.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hdf5_reader::error::Error;
use hdf5_reader::{Dataset, Datatype, H5Type, Hdf5File, OpenOptions};

use super::{FileError, MOST_BYTES};

/// The first eight bytes of an HDF5 file, or of what follows a foreign block of 512, 1024, 2048, … bytes.
const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";
/// How much a compressed file can unfold.
const MOST_EXPANSION: usize = 1024;

/// Whether these bytes claim to be HDF5.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    let starts = std::iter::successors(Some(512_usize), |start| start.checked_mul(2));
    let mut starts = std::iter::once(0).chain(starts.take_while(|&start| start < bytes.len()));
    starts.any(|start| bytes[start..].starts_with(SIGNATURE))
}

/// An open file.
pub struct Hdf5 {
    file: Hdf5File,
    /// No dataset has more bytes.
    most: usize,
}

impl Hdf5 {
    /// Opens a file that is in memory.
    pub fn open(bytes: Vec<u8>) -> Result<Self, FileError> {
        let most = bytes.len().saturating_mul(MOST_EXPANSION).min(MOST_BYTES);
        let options = OpenOptions::default()
            // Everything is read once.
            .with_chunk_cache_bytes(0)
            .with_max_chunk_bytes(most)
            .with_max_read_bytes(most)
            .with_max_object_header_bytes(bytes.len());
        let file = guarded("its head", || {
            Hdf5File::from_vec_with_options(bytes, options)
        })?;
        Ok(Self { file, most })
    }

    /// Whether there is a group of this path.
    pub fn has_group(&self, path: &str) -> Result<bool, FileError> {
        guarded(path, || match self.file.group(path) {
            Ok(_) => Ok(true),
            Err(error) if is_absence(&error) => Ok(false),
            Err(error) => Err(error),
        })
    }

    /// Whether there is a dataset of this path.
    pub fn has_dataset(&self, path: &str) -> Result<bool, FileError> {
        guarded(path, || match self.file.dataset(path) {
            Ok(_) => Ok(true),
            Err(error) if is_absence(&error) => Ok(false),
            Err(error) => Err(error),
        })
    }

    /// The numbers of a dataset, in the order of the file; whole ones are welcome too.
    pub fn numbers(&self, path: &str) -> Result<Vec<f64>, FileError> {
        let dataset = self.dataset(path)?;
        match kind(&dataset) {
            Kind::Float(8) => read(&dataset, path, |x: f64| x),
            Kind::Float(4) => read(&dataset, path, |x: f32| f64::from(x)),
            Kind::Signed(_) | Kind::Unsigned(_) => {
                let whole = self.whole_numbers(path)?;
                Ok(whole.into_iter().map(|x| x as f64).collect())
            }
            _ => Err(FileError(format!("{path} does not hold numbers"))),
        }
    }

    /// The whole numbers of a dataset, in the order of the file.
    pub fn whole_numbers(&self, path: &str) -> Result<Vec<i64>, FileError> {
        let dataset = self.dataset(path)?;
        match kind(&dataset) {
            Kind::Signed(1) => read(&dataset, path, |x: i8| i64::from(x)),
            Kind::Signed(2) => read(&dataset, path, |x: i16| i64::from(x)),
            Kind::Signed(4) => read(&dataset, path, |x: i32| i64::from(x)),
            Kind::Signed(8) => read(&dataset, path, |x: i64| x),
            Kind::Unsigned(1) => read(&dataset, path, |x: u8| i64::from(x)),
            Kind::Unsigned(2) => read(&dataset, path, |x: u16| i64::from(x)),
            Kind::Unsigned(4) => read(&dataset, path, |x: u32| i64::from(x)),
            // Nothing that is counted here comes near 2⁶³.
            Kind::Unsigned(8) => read(&dataset, path, |x: u64| {
                i64::try_from(x).unwrap_or(i64::MAX)
            }),
            _ => Err(FileError(format!("{path} does not hold whole numbers"))),
        }
    }

    /// The only whole number of a dataset.
    pub fn whole_number(&self, path: &str) -> Result<i64, FileError> {
        match self.whole_numbers(path)?.as_slice() {
            [number] => Ok(*number),
            numbers => Err(FileError(format!(
                "{path} holds {} numbers, but should hold one",
                numbers.len()
            ))),
        }
    }

    /// Finds a dataset and holds its size against the file's.
    fn dataset(&self, path: &str) -> Result<Dataset, FileError> {
        let found = guarded(path, || match self.file.dataset(path) {
            Ok(dataset) => Ok(Some((dataset.num_elements()?, dataset))),
            Err(error) if is_absence(&error) => Ok(None),
            Err(error) => Err(error),
        })?;
        let Some((count, dataset)) = found else {
            return Err(FileError(format!("the file has no {path}")));
        };
        let size = guarded(path, || dataset.raw_element_size())?;
        if count.saturating_mul(size as u64) > self.most as u64 {
            return Err(FileError(format!(
                "the file promises {count} numbers in {path}, which is more than it can hold"
            )));
        }
        Ok(dataset)
    }
}

/// What the elements of a dataset are, and of how many bytes.
enum Kind {
    Float(usize),
    Signed(usize),
    Unsigned(usize),
    Other,
}

fn kind(dataset: &Dataset) -> Kind {
    match dataset.dtype() {
        Datatype::FloatingPoint { size, .. } => Kind::Float(usize::from(*size)),
        Datatype::FixedPoint { size, signed, .. } if *signed => Kind::Signed(usize::from(*size)),
        Datatype::FixedPoint { size, .. } => Kind::Unsigned(usize::from(*size)),
        _ => Kind::Other,
    }
}

fn read<T: H5Type, U>(
    dataset: &Dataset,
    path: &str,
    convert: impl Fn(T) -> U,
) -> Result<Vec<U>, FileError> {
    let array = guarded(path, || dataset.read_array::<T>())?;
    Ok(array.into_iter().map(convert).collect())
}

/// Whether the error says that there is no such thing, not that it is broken.
fn is_absence(error: &Error) -> bool {
    match error {
        Error::GroupNotFound(_) | Error::DatasetNotFound(_) => true,
        Error::Context { source, .. } => is_absence(source),
        _ => false,
    }
}

/// Asks the decoder; its error, or its collapse, becomes a sentence.
fn guarded<T>(what: &str, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, FileError> {
    // No mutation of a file is known to make the decoder panic; the files of others must not be the first.
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => {
            // The error may quote names from the file.
            let error = error.to_string().replace(char::is_control, " ");
            Err(FileError(format!(
                "the HDF5 file is broken at {what}: {error}"
            )))
        }
        Err(_) => Err(FileError(format!(
            "the HDF5 file is broken at {what} in a way that cannot be told"
        ))),
    }
}
