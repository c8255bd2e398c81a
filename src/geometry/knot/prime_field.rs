//! Integers modulo the prime 2⁶¹ − 1, which a shift and an addition reduce by.

/// The prime.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// a + b.
pub(super) fn plus(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// a − b.
pub(super) fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// a · b.
pub(super) fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let low = (product as u64) & PRIME;
    let high = (product >> 61) as u64;
    plus(low, high)
}

/// 1/a, as a to the power of the prime less 2.
pub(super) fn inverse(a: u64) -> u64 {
    let (mut base, mut exponent, mut result) = (a, PRIME - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_remainders() {
        let slow = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
        let numbers = [0, 1, 2, 3, 1 << 40, (1 << 60) + 12345, PRIME - 2, PRIME - 1];
        for a in numbers {
            for b in numbers {
                assert_eq!(times(a, b), slow(a, b));
                assert_eq!(plus(minus(a, b), b), a);
            }
            if a != 0 {
                assert_eq!(times(a, inverse(a)), 1);
            }
        }
    }
}
