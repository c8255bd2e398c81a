//! One helical element: a frame R = (t, n₁, n₂) with R′ = R [k]×, k = (twist, k₁, k₂) constant.
//!
//! With x = θ² = |k|² s², A = sin θ/θ, B = (1 − cos θ)/θ², C = (θ − sin θ)/θ³ and primes for derivatives by x,
//!
//! ```text
//!   R(s) = R₀ (I + s A [k]× + s² B [k]×²)       V(k, s) = s I + s² B [k]× + s³ C [k]×²
//!   r(s) = r₀ + R₀ V e₀                         dR Rᵀ  = [R₀ V dk]×
//!   dr/dk = R₀ (2 s⁴ B′ (k×e₀) kᵀ + 2 s⁵ C′ (k×(k×e₀)) kᵀ − s² B [e₀]× + s³ C ((k·e₀) I + k e₀ᵀ − 2 e₀ kᵀ))
//! ```
//!
//! All are combinations of a few matrices of the element with factors that depend on s.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::math::polynomial::factorials;

/// Below this x the functions are power series: their closed forms lose digits.
const SERIES_BELOW: f64 = 1.0;

/// A, B, C, B′ and C′ at x = θ².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Functions {
    /// sin θ/θ.
    pub a: f64,
    /// (1 − cos θ)/θ².
    pub b: f64,
    /// (θ − sin θ)/θ³.
    pub c: f64,
    /// dB/dx.
    pub db: f64,
    /// dC/dx.
    pub dc: f64,
}

const B_SERIES: [f64; 10] = factorials(2);
const C_SERIES: [f64; 10] = factorials(3);

impl Functions {
    /// The functions at x ≥ 0.
    #[inline(always)]
    pub fn at(x: f64) -> Self {
        if x < SERIES_BELOW {
            let (mut b, mut c, mut db, mut dc) = (0.0, 0.0, 0.0, 0.0);
            for j in (1..10).rev() {
                db = db * x + j as f64 * B_SERIES[j];
                dc = dc * x + j as f64 * C_SERIES[j];
                b = (b + B_SERIES[j]) * x;
                c = (c + C_SERIES[j]) * x;
            }
            b += B_SERIES[0];
            c += C_SERIES[0];
            Self {
                a: 1.0 - x * c,
                b,
                c,
                db,
                dc,
            }
        } else {
            let theta = x.sqrt();
            let (sin, cos) = theta.sin_cos();
            let inverse = 1.0 / x;
            let a = sin / theta;
            let b = (1.0 - cos) * inverse;
            let c = (1.0 - a) * inverse;
            let (db, dc) = (0.5 * (a - 2.0 * b) * inverse, 0.5 * (b - 3.0 * c) * inverse);
            Self { a, b, c, db, dc }
        }
    }
}

/// [a]×, the matrix of a × ·.
#[inline(always)]
pub fn skew(a: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// The rotation by the vector `turn`.
pub fn rotation(turn: &Vector3<f64>) -> Matrix3<f64> {
    let f = Functions::at(turn.norm_squared());
    let k = skew(turn);
    Matrix3::identity() + k * f.a + k * k * f.b
}

/// V(turn, 1): how the rotation by `turn` turns on when `turn` changes, d exp · expᵀ = [V dturn]×.
pub fn left_jacobian(turn: &Vector3<f64>) -> Matrix3<f64> {
    let f = Functions::at(turn.norm_squared());
    let k = skew(turn);
    Matrix3::identity() + k * f.b + k * k * f.c
}

/// The vector whose rotation this is, of length at most π.
pub fn rotation_vector(r: &Matrix3<f64>) -> Vector3<f64> {
    // By way of the quaternion: the trace alone does not see small angles.
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*r)).scaled_axis()
}

/// Removes round-off from a frame.
pub fn tidy(r: &Matrix3<f64>) -> Matrix3<f64> {
    let t = r.column(0).normalize();
    let n1 = r.column(1) - t * t.dot(&r.column(1));
    let n1 = n1.normalize();
    Matrix3::from_columns(&[t, n1, t.cross(&n1)])
}

/// A section of the rod: where it is, how it stands, and how both change with the curvatures of its own element.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// Position, m, from the root of the rod.
    pub x: Vector3<f64>,
    /// Tangent and directors.
    pub frame: Matrix3<f64>,
    /// dx/dk of its element.
    pub lever: Matrix3<f64>,
    /// Turn of the frame with k of its element, as a vector of the world.
    pub turn: Matrix3<f64>,
}

/// The matrices of one element, turned into the world.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    k: Vector3<f64>,
    square: f64,
    start: Vector3<f64>,
    /// R₀, R₀ [k]×, R₀ [k]×².
    frame: [Matrix3<f64>; 3],
    /// R₀ times −[e₀]× and (k·e₀) I + k e₀ᵀ − 2 e₀ kᵀ.
    bend: [Matrix3<f64>; 2],
}

impl Element {
    /// The element with curvatures `k` that starts at `start` with frame `frame`.
    #[inline(always)]
    pub fn new(start: &Vector3<f64>, frame: &Matrix3<f64>, k: &Vector3<f64>) -> Self {
        let once = frame * skew(k);
        let [t, n1, n2] = [0, 1, 2].map(|c| frame.column(c).into_owned());
        // −R₀ [e₀]×: columns 0, −n₂, n₁.
        let across = Matrix3::from_columns(&[Vector3::zeros(), -n2, n1]);
        let mut along = frame * k.x - t * (2.0 * k.transpose());
        let mut first = along.column_mut(0);
        first += frame * k;
        Self {
            k: *k,
            square: k.norm_squared(),
            start: *start,
            frame: [*frame, once, once * skew(k)],
            bend: [across, along],
        }
    }

    #[inline(always)]
    fn position(&self, s: f64, f: &Functions) -> Vector3<f64> {
        let [r, once, twice] = &self.frame;
        self.start
            + r.column(0) * s
            + once.column(0) * (s * s * f.b)
            + twice.column(0) * (s * s * s * f.c)
    }

    #[inline(always)]
    fn frame_at(&self, s: f64, f: &Functions) -> Matrix3<f64> {
        let [r, once, twice] = &self.frame;
        r + once * (s * f.a) + twice * (s * s * f.b)
    }

    /// The section at arc length `s`.
    #[inline(always)]
    pub fn spot(&self, s: f64) -> Spot {
        let f = Functions::at(self.square * s * s);
        let (s2, s3) = (s * s, s * s * s);
        let [r, once, twice] = &self.frame;
        let fast = (once.column(0) * (f.db * s) + twice.column(0) * (f.dc * s2)) * (2.0 * s3);
        Spot {
            x: self.position(s, &f),
            frame: self.frame_at(s, &f),
            lever: fast * self.k.transpose()
                + self.bend[0] * (s2 * f.b)
                + self.bend[1] * (s3 * f.c),
            turn: r * s + once * (s2 * f.b) + twice * (s3 * f.c),
        }
    }
}
