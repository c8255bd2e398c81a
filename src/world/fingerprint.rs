//! A hash of the whole state: equal exactly when two runs agree bit by bit.

use std::hash::Hasher;

use super::World;

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

impl World {
    /// A hash of all positions, velocities, frames, warm starts and halted scripts: equal exactly when two runs agree bit by bit.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        hasher.write_u64(self.steps);
        hasher.write_u64(self.time_s.to_bits());
        self.bodies.iter().for_each(|body| body.hash(&mut hasher));
        self.warm.hash(&mut hasher);
        let lags = self.solids.iter().map(|solid| solid.lag_s);
        lags.chain(self.holds.iter().map(|hold| hold.lag_s()))
            .for_each(|lag| hasher.write_u64(lag.to_bits()));
        hasher.finish()
    }
}
