//! Checks of single values. Each takes the field's path, so that the message can say where the value stands.

use std::fmt::Display;

use nalgebra::{Unit, Vector3};

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldError {
    /// Dotted path, as for `--set`.
    pub path: String,
    /// The rest of the sentence: what was found and what is allowed.
    pub problem: String,
}

impl FieldError {
    pub fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            problem: problem.into(),
        }
    }

    fn must(path: &str, found: impl Display, allowed: &str) -> Self {
        Self::new(path, format!("is {found}, but must be {allowed}"))
    }
}

pub(super) type Checked<T> = Result<T, FieldError>;

fn number(path: &str, value: f64, allowed: &str, test: impl Fn(f64) -> bool) -> Checked<f64> {
    if value.is_finite() && test(value) {
        Ok(value)
    } else {
        Err(FieldError::must(path, value, allowed))
    }
}

pub(super) fn finite(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "a finite number", |_| true)
}

pub(super) fn positive(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "a finite number above 0", |v| v > 0.0)
}

pub(super) fn not_negative(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "a finite number, 0 or above", |v| v >= 0.0)
}

pub(super) fn poisson(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "above -1 and at most 0.5", |v| {
        v > -1.0 && v <= 0.5
    })
}

pub(super) fn radius(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "a finite number above 0, at most 10 m", |v| {
        v > 0.0 && v <= 10.0
    })
}

/// Whole sizes of a section, m.
pub(super) fn section_size(path: &str, size: [f64; 2]) -> Checked<[f64; 2]> {
    if size.iter().all(|s| s.is_finite() && *s > 0.0 && *s <= 20.0) {
        Ok(size)
    } else {
        let found = format!("[{}, {}]", size[0], size[1]);
        let allowed = "two finite numbers above 0, at most 20 m";
        Err(FieldError::must(path, found, allowed))
    }
}

pub(super) fn bending_factor(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "above 0 and at most 1", |v| {
        v > 0.0 && v <= 1.0
    })
}

pub(super) fn share(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "between 0 and 1", |v| (0.0..=1.0).contains(&v))
}

/// More turns than this would only exhaust memory.
pub(super) fn turns(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "above 0 and at most 10000", |v| {
        v > 0.0 && v <= 1e4
    })
}

/// Of a sphere, which must keep an inside.
pub(super) fn bumps(path: &str, value: f64, radius: f64) -> Checked<f64> {
    number(path, value, "0 or above and below the radius", |v| {
        (0.0..radius).contains(&v)
    })
}

/// More waves than this are finer than the finest triangles.
pub(super) fn waves(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "between 0 and 200", |v| {
        (0.0..=200.0).contains(&v)
    })
}

pub(super) fn field_of_view(path: &str, value: f64) -> Checked<f64> {
    number(path, value, "between 1 and 170 degrees", |v| {
        (1.0..=170.0).contains(&v)
    })
}

pub(super) fn count(path: &str, value: usize, range: (usize, usize)) -> Checked<usize> {
    if (range.0..=range.1).contains(&value) {
        Ok(value)
    } else {
        let allowed = format!("a whole number from {} to {}", range.0, range.1);
        Err(FieldError::must(path, value, &allowed))
    }
}

pub(super) fn vector(path: &str, value: [f64; 3]) -> Checked<Vector3<f64>> {
    if value.iter().all(|v| v.is_finite()) {
        Ok(Vector3::from(value))
    } else {
        Err(FieldError::must(path, show(value), "three finite numbers"))
    }
}

/// A unit vector along `value`.
pub(super) fn direction(path: &str, value: [f64; 3]) -> Checked<Unit<Vector3<f64>>> {
    let v = vector(path, value)?;
    Unit::try_new(v, 1e-12)
        .ok_or_else(|| FieldError::must(path, show(value), "a direction, longer than 0"))
}

pub(super) fn color(path: &str, value: [f32; 3]) -> Checked<[f32; 3]> {
    if value.iter().all(|v| (0.0..=1.0).contains(v)) {
        Ok(value)
    } else {
        Err(FieldError::must(
            path,
            format!("{value:?}"),
            "red, green and blue, each from 0 to 1",
        ))
    }
}

/// The value that a name stands for, or the list of names that are allowed.
pub(super) fn named<T>(
    path: &str,
    name: &str,
    found: Option<T>,
    allowed: impl IntoIterator<Item = impl Display>,
) -> Checked<T> {
    found.ok_or_else(|| {
        let list: Vec<String> = allowed.into_iter().map(|name| name.to_string()).collect();
        let allowed = match list.as_slice() {
            [] => "left out: there is nothing to name".to_owned(),
            [one] => format!("\"{one}\""),
            many => format!("one of {}", many.join(", ")),
        };
        FieldError::must(path, format!("\"{name}\""), &allowed)
    })
}

fn show(value: [f64; 3]) -> String {
    format!("[{}, {}, {}]", value[0], value[1], value[2])
}
