//! A hash of the whole state: equal exactly when two runs agree bit by bit.

use std::fmt::{self, Write};
use std::hash::Hasher;

use super::{World, WorldSpec};

/// FNV-1a, 64 bits: simple, and the same on every machine and compiler.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    // The default goes through native byte order.
    fn write_u64(&mut self, x: u64) {
        self.write(&x.to_le_bytes());
    }

    fn write_u32(&mut self, x: u32) {
        self.write(&x.to_le_bytes());
    }
}

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        Hasher::write(self, text.as_bytes());
        Ok(())
    }
}

/// Where hashes start.
const START: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

impl WorldSpec {
    /// A hash of the whole description. It also changes when a version of this program describes more: a hint, not a proof,
    /// that two worlds differ.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = START;
        // Numbers are printed with as many digits as tell them apart. Writing into a hash cannot fail.
        let _ = write!(hasher, "{self:?}");
        hasher.finish()
    }
}

impl World {
    /// A hash of all positions, velocities, frames, warm starts, halted scripts, hands, what can be brought
    /// back, and settings: equal exactly when two runs
    /// agree bit by bit.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = START;
        hasher.write_u64(self.steps);
        hasher.write_u64(self.time_s.to_bits());
        self.bodies.iter().for_each(|body| body.hash(&mut hasher));
        self.warm.hash(&mut hasher);
        hasher.write_u32(self.jammed);
        self.division.hash(&mut hasher);
        let lags = self.solids.iter().map(|solid| solid.lag_s);
        lags.chain(self.holds.iter().map(|hold| hold.lag_s()))
            .for_each(|lag| hasher.write_u64(lag.to_bits()));
        for solid in &self.solids {
            let Some(led) = &solid.led else { continue };
            led.hash(&mut hasher);
            hasher.write_u32(u32::from(solid.returns));
        }
        for free in self.solids.iter().filter_map(|solid| solid.free.as_ref()) {
            free.feed(&mut hasher);
        }
        for pull in &self.pulls {
            let numbers = pull.local.iter().chain(pull.target.iter());
            numbers.for_each(|x| hasher.write_u64(x.to_bits()));
        }
        self.holds.iter().for_each(|hold| hold.hash(&mut hasher));
        // What can be brought back will make a difference once it is.
        for parked in &self.parked {
            hasher.write_u32(parked.hold.id);
            for time_s in [parked.since_s, parked.hold.lag_s()] {
                hasher.write_u64(time_s.to_bits());
            }
            parked.hold.hash(&mut hasher);
        }
        self.hash_values(&mut hasher);
        hasher.finish()
    }

    /// Feeds what has been set: two worlds that are alike now part at once if they weigh or rub differently.
    fn hash_values(&self, hasher: &mut Fnv) {
        let mut feed = |numbers: &[f64]| {
            numbers.iter().for_each(|x| hasher.write_u64(x.to_bits()));
        };
        let s = &self.settings;
        feed(s.gravity_m_s2.as_slice());
        feed(&[s.dt_s, s.tolerance, s.solver_budget_ms]);
        let counts = [s.max_iterations, s.max_passes, usize::from(s.self_contact)];
        feed(&counts.map(|n| n as f64));
        feed(&[self.friction.default]);
        for &(a, b, mu) in &self.friction.pairs {
            feed(&[f64::from(a.0), f64::from(b.0), mu]);
        }
        for label in &self.labels {
            let m = &label.design.material;
            feed(&[m.youngs_modulus_pa, m.poisson_ratio, m.density_kg_m3]);
            feed(&[
                m.bending_factor,
                m.mass_damping_per_s,
                m.stiffness_damping_s,
            ]);
            feed(&label.design.section.half_m());
        }
        let names = [s.solver.name(), s.detector.name()];
        let models = self.labels.iter().map(|label| label.model.name());
        names
            .into_iter()
            .chain(models)
            .for_each(|name| hasher.write(name.as_bytes()));
    }
}
