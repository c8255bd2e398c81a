//! Points, vectors and poses as lists of numbers in files: `#[serde(with = "plain")]`.
//!
//! Every number is kept to the bit; nothing is normalised on the way.

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What is a list of numbers.
pub trait Plain: Sized {
    /// The numbers.
    fn numbers(&self) -> Vec<f64>;
    /// From the numbers; none if there are not as many as it takes.
    fn from_numbers(numbers: &[f64]) -> Option<Self>;
}

/// Writes the numbers.
pub fn serialize<T: Plain, S: Serializer>(what: &T, serializer: S) -> Result<S::Ok, S::Error> {
    what.numbers().serialize(serializer)
}

/// Reads the numbers.
pub fn deserialize<'de, T: Plain, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let numbers = Vec::<f64>::deserialize(deserializer)?;
    let wrong = || {
        D::Error::custom(format!(
            "{} numbers are not as many as it takes",
            numbers.len()
        ))
    };
    T::from_numbers(&numbers).ok_or_else(wrong)
}

impl Plain for Vector3<f64> {
    fn numbers(&self) -> Vec<f64> {
        self.as_slice().to_vec()
    }
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        <[f64; 3]>::try_from(numbers).ok().map(Self::from)
    }
}

impl Plain for Point3<f64> {
    fn numbers(&self) -> Vec<f64> {
        self.coords.numbers()
    }
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        Vector3::from_numbers(numbers).map(Self::from)
    }
}

/// x, y, z, w.
impl Plain for UnitQuaternion<f64> {
    fn numbers(&self) -> Vec<f64> {
        self.coords.as_slice().to_vec()
    }
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let [x, y, z, w] = <[f64; 4]>::try_from(numbers).ok()?;
        Some(Unit::new_unchecked(Quaternion::new(w, x, y, z)))
    }
}

/// The translation, then the rotation.
impl Plain for Isometry3<f64> {
    fn numbers(&self) -> Vec<f64> {
        let mut numbers = self.translation.vector.numbers();
        numbers.extend(self.rotation.numbers());
        numbers
    }
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (translation, rotation) = numbers.split_at_checked(3)?;
        let translation = Translation3::from(Vector3::from_numbers(translation)?);
        Some(Self::from_parts(
            translation,
            UnitQuaternion::from_numbers(rotation)?,
        ))
    }
}

/// An empty list for none.
impl<T: Plain> Plain for Option<T> {
    fn numbers(&self) -> Vec<f64> {
        self.as_ref().map_or_else(Vec::new, Plain::numbers)
    }
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        match numbers {
            [] => Some(None),
            numbers => T::from_numbers(numbers).map(Some),
        }
    }
}
