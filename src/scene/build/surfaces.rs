//! Surface names, as friction sees them, and the table of coefficients.

use crate::scene::check::{self, Checked};
use crate::scene::file::FrictionFile;
use crate::scene::preset::PRESETS;
use crate::world::{FrictionTable, SurfaceId};

/// µ of pairs that a scene does not list, when it gives no default either.
const DEFAULT_MU: f64 = 0.3;

/// Numbers the surfaces in the order in which they are met.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    names: Vec<String>,
}

impl Surfaces {
    /// The number of a name, new or met before.
    pub fn id(&mut self, name: &str) -> SurfaceId {
        let found = self.names.iter().position(|known| known == name);
        let index = found.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        SurfaceId(index as u16)
    }

    /// All names, by number.
    pub fn names(self) -> Vec<String> {
        self.names
    }

    /// The coefficients. A pair may name a surface in use or a preset (which `--set rods.material` may have replaced).
    pub fn friction(&mut self, file: &FrictionFile) -> Checked<FrictionTable> {
        let default = file.default.unwrap_or(DEFAULT_MU);
        let default = check::not_negative("friction.default", default)?;
        let mut known = self.names.clone();
        for preset in &PRESETS {
            if !known.iter().any(|name| name == preset.name) {
                known.push(preset.name.to_owned());
            }
        }
        let mut pairs = Vec::new();
        for (i, pair) in file.pairs.iter().enumerate() {
            let mu = check::not_negative(&format!("friction.pairs.{i}.mu"), pair.mu)?;
            for name in &pair.between {
                let path = format!("friction.pairs.{i}.between");
                check::named(&path, name, known.iter().find(|k| *k == name), &known)?;
            }
            let [a, b] = &pair.between;
            pairs.push((self.id(a), self.id(b), mu));
        }
        Ok(FrictionTable { default, pairs })
    }
}
