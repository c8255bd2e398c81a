//! What a protocol comes to: a page of checks.

use std::collections::BTreeMap;

use serde::Serialize;

/// The page of one protocol.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// Name of the protocol.
    pub name: &'static str,
    /// What is claimed.
    pub claim: &'static str,
    /// What it is held against.
    pub reference: &'static str,
    /// Whether every check holds.
    pub passed: bool,
    /// The checks.
    pub checks: Vec<Check>,
    /// What every run gave, whether or not there is a check for it.
    pub results: Vec<Outcome>,
    /// What was seen besides.
    pub notes: Vec<String>,
    /// What could not be done here, and why.
    pub skipped: Vec<String>,
    /// Files that were written.
    pub files: Vec<String>,
}

impl Page {
    /// Adds a check.
    pub fn check(&mut self, case: &str, quantity: &str, measured: f64, rule: Rule) {
        let passed = rule.holds(measured);
        let (expected, tolerance, bound) = match rule {
            Rule::About(expected, tolerance) => (expected, tolerance, "about"),
            Rule::AtMost(most) => (most, 0.0, "at most"),
            Rule::AtLeast(least) => (least, 0.0, "at least"),
        };
        self.checks.push(Check {
            case: case.to_owned(),
            quantity: quantity.to_owned(),
            measured: measured.is_finite().then_some(measured),
            bound,
            expected,
            tolerance,
            passed,
        });
        self.passed = self.checks.iter().all(|check| check.passed);
    }

    /// Adds what a run gave.
    pub fn result<const N: usize>(&mut self, case: &str, figures: [(&'static str, f64); N]) {
        let finite =
            |(name, value): (&'static str, f64)| (name, value.is_finite().then_some(value));
        self.results.push(Outcome {
            case: case.to_owned(),
            figures: figures.into_iter().map(finite).collect(),
        });
    }
}

/// What one run gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// Which run.
    pub case: String,
    /// Its figures by name; nothing where they are not finite.
    pub figures: BTreeMap<&'static str, Option<f64>>,
}

/// What a measurement must be. Not-a-number obeys none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// A value, and by how much it may be missed.
    About(f64, f64),
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
}

impl Rule {
    fn holds(self, measured: f64) -> bool {
        match self {
            Rule::About(expected, tolerance) => (measured - expected).abs() <= tolerance,
            Rule::AtMost(most) => measured <= most,
            Rule::AtLeast(least) => measured >= least,
        }
    }
}

/// One measurement and what it should be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Which run.
    pub case: String,
    /// What was measured.
    pub quantity: String,
    /// What came out; nothing if it is not a finite number.
    pub measured: Option<f64>,
    /// How `expected` is meant: `about`, `at most`, `at least`.
    pub bound: &'static str,
    /// What should come out.
    pub expected: f64,
    /// By how much it may be missed.
    pub tolerance: f64,
    /// Whether it holds.
    pub passed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failed_check_fails_the_page() {
        let mut page = Page::default();
        page.check("a", "x", 1.0, Rule::About(1.1, 0.2));
        page.check("a", "y", 21.0, Rule::AtLeast(20.0));
        assert!(page.passed);
        page.check("b", "x", 0.3, Rule::AtMost(0.2));
        page.check("b", "y", 0.1, Rule::AtMost(0.2));
        assert!(!page.passed);
    }

    #[test]
    fn what_is_not_a_number_holds_nothing() {
        for rule in [
            Rule::About(0.0, 1.0),
            Rule::AtMost(f64::INFINITY),
            Rule::AtLeast(0.0),
        ] {
            let mut page = Page::default();
            page.check("a", "x", f64::NAN, rule);
            assert!(!page.passed);
            assert_eq!(page.checks[0].measured, None);
        }
    }
}
