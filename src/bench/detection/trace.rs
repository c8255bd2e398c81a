//! A stored trace of a narrow phase: the curves of a scene at one instant, and the pairs of them that a broad phase on
//! boxes hands over.
//!
//! ```text
//!   8 bytes   "PRUSIKhp"
//!   u32, u32  number of curves, of pairs
//!   f64       radius, m
//!   per curve 16 f64: start, frame by columns, twist and curvatures, length
//!   per pair  u32, u32: indices of the curves
//! ```
//!
//! All little-endian.

use nalgebra::{Matrix3, Point3, Vector3};

use crate::body::HelixElement;
use crate::geometry::Curve;

const MAGIC: &[u8; 8] = b"PRUSIKhp";
/// Numbers per curve.
const PER_CURVE: usize = 16;

/// Curves and pairs of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Radius of all curves, m.
    pub radius_m: f64,
    /// The curves.
    pub helices: Vec<HelixElement>,
    /// Indices of pairs.
    pub pairs: Vec<[u32; 2]>,
}

impl Trace {
    /// The trace that Prusik comes with, of a lock of wavy hair: see `benches/data/hair_pairs.toml`.
    pub fn shipped() -> Result<Self, String> {
        Self::read(include_bytes!("../../../benches/data/hair_pairs.bin"))
    }

    /// The curves, ready to be searched.
    pub fn curves(&self) -> Vec<Curve> {
        self.helices
            .iter()
            .map(|h| Curve::helix(h.start, &h.frame, &h.curvatures, h.length_m))
            .collect()
    }

    /// As bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        for count in [self.helices.len(), self.pairs.len()] {
            out.extend((count as u32).to_le_bytes());
        }
        out.extend(self.radius_m.to_le_bytes());
        for h in &self.helices {
            let numbers = (h.start.iter())
                .chain(h.frame.iter())
                .chain(h.curvatures.iter())
                .chain([&h.length_m]);
            out.extend(numbers.flat_map(|x| x.to_le_bytes()));
        }
        out.extend(self.pairs.iter().flatten().flat_map(|i| i.to_le_bytes()));
        out
    }

    /// From bytes; what is wrong with them is a sentence.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut rest = bytes
            .strip_prefix(MAGIC)
            .ok_or("the trace does not start with its mark")?;
        let curves = u32::from_le_bytes(take(&mut rest)?) as usize;
        let pairs = u32::from_le_bytes(take(&mut rest)?) as usize;
        let radius_m = number(&mut rest)?;
        let expected = curves as u128 * 8 * PER_CURVE as u128 + pairs as u128 * 8;
        if rest.len() as u128 != expected {
            return Err(format!(
                "the trace should go on for {expected} bytes but does so for {}",
                rest.len()
            ));
        }
        let mut helices = Vec::with_capacity(curves);
        for _ in 0..curves {
            let mut x = [0.0; PER_CURVE];
            for x in &mut x {
                *x = number(&mut rest)?;
            }
            helices.push(HelixElement {
                start: Point3::from_slice(&x[..3]),
                frame: Matrix3::from_column_slice(&x[3..12]),
                curvatures: Vector3::from_column_slice(&x[12..15]),
                length_m: x[15],
            });
        }
        let mut index = || {
            let i = u32::from_le_bytes(take(&mut rest)?);
            if (i as usize) < curves {
                Ok(i)
            } else {
                Err(format!("the trace has {curves} curves but names curve {i}"))
            }
        };
        let pairs = (0..pairs)
            .map(|_| Ok([index()?, index()?]))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            radius_m,
            helices,
            pairs,
        })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], String> {
    let (first, after) = rest.split_first_chunk().ok_or("the trace is cut short")?;
    *rest = after;
    Ok(*first)
}

fn number(rest: &mut &[u8]) -> Result<f64, String> {
    let number = f64::from_le_bytes(take(rest)?);
    if number.is_finite() {
        Ok(number)
    } else {
        Err("the trace holds a number that is not finite".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Trace {
        let helix = |x: f64| HelixElement {
            start: Point3::new(x, 2.0, 3.0),
            frame: Matrix3::identity(),
            curvatures: Vector3::new(4.0, 5.0, x),
            length_m: 0.5,
        };
        Trace {
            radius_m: 1e-3,
            helices: vec![helix(0.1), helix(0.2)],
            pairs: vec![[0, 1], [1, 0]],
        }
    }

    #[test]
    fn a_trace_is_read_as_it_was_written() {
        assert_eq!(Trace::read(&small().write()), Ok(small()));
    }

    #[test]
    fn broken_traces_are_refused_in_a_sentence() {
        let good = small().write();
        for cut in [0, 7, 8, 15, 20, good.len() - 1] {
            assert!(Trace::read(&good[..cut]).is_err(), "{cut}");
        }
        let wrong = |at: usize, with: &[u8]| {
            let mut bytes = good.clone();
            bytes[at..at + with.len()].copy_from_slice(with);
            Trace::read(&bytes)
        };
        assert!(wrong(0, b"X").is_err_and(|why| why.contains("mark")));
        assert!(wrong(8, &[255; 4]).is_err_and(|why| why.contains("bytes")));
        assert!(wrong(24, &f64::NAN.to_le_bytes()).is_err_and(|why| why.contains("finite")));
        assert!(wrong(good.len() - 4, &[9]).is_err_and(|why| why.contains("curve 9")));
    }
}
