//! The table against what is computed from its braids.

use super::super::alexander::Alexander;
use super::super::jones::jones;
use super::super::laurent::Laurent;
use super::super::table::{ENTRIES, PRIMES, closed_braid};

#[test]
fn every_braid_has_the_alexander_polynomial_of_its_line() {
    let mut alexander = Alexander::default();
    for prime in &PRIMES {
        let computed = alexander.polynomial(&closed_braid(prime.braid));
        let listed = Laurent::symmetric(prime.alexander);
        assert_eq!(computed, listed, "{:?}", prime.number);
    }
}

#[test]
fn alternating_knots_have_jones_polynomials_as_wide_as_their_crossings() {
    for prime in &PRIMES {
        let width = jones(&closed_braid(prime.braid)).span();
        let alternating = !matches!(prime.number, (8, 19..));
        let crossings = usize::from(prime.number.0);
        assert_eq!(width == crossings, alternating, "{:?}", prime.number);
    }
}

#[test]
fn the_two_polynomials_tell_all_prime_knots_apart() {
    for (k, a) in ENTRIES.iter().enumerate() {
        for b in &ENTRIES[k + 1..] {
            let same_jones = a.jones.iter().any(|v| b.jones.contains(v));
            let same = a.alexander == b.alexander && same_jones;
            let prime = a.parts.len() == 1 && b.parts.len() == 1;
            assert!(!(same && prime), "{:?} and {:?}", a.parts, b.parts);
        }
    }
}

#[test]
fn the_trefoil_has_the_jones_polynomial_of_the_books() {
    let right = jones(&closed_braid(&[1, 1, 1]));
    assert_eq!(right, Laurent::new(1, vec![1, 0, 1, -1]));
    let eight = jones(&closed_braid(&[1, -2, 1, -2]));
    assert_eq!(eight, Laurent::new(-2, vec![1, -1, 1, -1, 1]));
}
