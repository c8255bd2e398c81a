//! Polynomials that may have negative powers, with whole coefficients.

/// Σ cₖ t^(low + k), without zeros at either end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Laurent {
    low: i32,
    coefficients: Vec<i64>,
}

impl Laurent {
    /// From the lowest power on.
    pub fn new(low: i32, mut coefficients: Vec<i64>) -> Self {
        let zeros = coefficients.iter().take_while(|c| **c == 0).count();
        if zeros == coefficients.len() {
            return Self {
                low: 0,
                coefficients: Vec::new(),
            };
        }
        coefficients.drain(..zeros);
        while coefficients.last() == Some(&0) {
            coefficients.pop();
        }
        Self {
            low: low + zeros as i32,
            coefficients,
        }
    }

    /// 1.
    pub fn one() -> Self {
        Self::new(0, vec![1])
    }

    /// From the middle coefficient on, of one that reads the same from both ends.
    pub fn symmetric(half: &[i64]) -> Self {
        let degree = half.len().saturating_sub(1);
        let mut coefficients: Vec<i64> = half.iter().rev().copied().collect();
        coefficients.extend(half.iter().skip(1));
        Self::new(-(degree as i32), coefficients)
    }

    /// Of t⁻¹ instead of t: what a knot's mirror image has.
    pub fn mirrored(&self) -> Self {
        let high = self.low + self.coefficients.len() as i32 - 1;
        Self::new(-high, self.coefficients.iter().rev().copied().collect())
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        if self.coefficients.is_empty() || other.coefficients.is_empty() {
            return Self::new(0, Vec::new());
        }
        let mut product = vec![0; self.coefficients.len() + other.coefficients.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(self.low + other.low, product)
    }

    /// |p(−1)|.
    pub fn determinant(&self) -> u64 {
        let signed = self.coefficients.iter().enumerate();
        let sum: i64 = signed.map(|(k, c)| if k % 2 == 0 { *c } else { -c }).sum();
        sum.unsigned_abs()
    }

    /// Between the highest and the lowest power.
    #[cfg(test)]
    pub fn span(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_and_mirror_images_are_those_of_polynomials() {
        let p = Laurent::new(-1, vec![0, 2, -1, 3, 0]);
        let q = Laurent::new(2, vec![1, 1]);
        assert_eq!(p, Laurent::new(0, vec![2, -1, 3]));
        assert_eq!(p.times(&q), Laurent::new(2, vec![2, 1, 2, 3]));
        assert_eq!(p.mirrored(), Laurent::new(-2, vec![3, -1, 2]));
        assert_eq!(
            Laurent::symmetric(&[3, -1]),
            Laurent::new(-1, vec![-1, 3, -1])
        );
        assert_eq!(Laurent::symmetric(&[3, -1]).determinant(), 5);
    }
}
