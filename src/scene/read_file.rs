//! Files named by a scene, or opened in place of one.

use std::io::Read;
use std::path::Path;

/// Most bytes of a file: a million triangles as text need less.
const MOST_BYTES: u64 = 400_000_000;

/// All bytes of a file, or why there are none.
pub(super) fn read_file(place: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(place);
    file.and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("it cannot be read: {error}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it has more than {} MB", MOST_BYTES / 1_000_000));
    }
    Ok(bytes)
}
