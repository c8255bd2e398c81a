//! Assembly of Σ w JᵀJ + Σ ΩᵀBΩ over all stations in O(N²) operations, tip to root.
//!
//! With the sums beyond element j, m = Σ w, S₁ = Σ w r, S₂ = −Σ w [r]×² and B = Σ B,
//!
//! ```text
//!   F  = m Aⱼ − [S₁]× Ωⱼ               L = F + Σⱼ w dr/dk
//!   G  = [S₁]× Aⱼ + (S₂ + B) Ωⱼ        H = G + Σⱼ w [r]× dr/dk + Σⱼ B Ω
//!   Mⱼⱼ = Aⱼᵀ F + Ωⱼᵀ G + Σⱼ (w (dr/dk)ᵀ dr/dk + ΩᵀBΩ)          Mᵢⱼ = Aᵢᵀ L + Ωᵢᵀ H for i < j
//! ```
//!
//! where Σⱼ runs over the stations of element j, Ω being there how they turn with kⱼ. B holds what sees only turns: the
//! inertia about the tangent, and the stiffness of the force inside the rod against turning.

use nalgebra::{Matrix3, Vector3};

use super::chain::{Chain, Layout, cross_columns};
use super::element::skew;
use crate::math::{DenseLdl, wide};

/// What a station weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// w, for its velocity.
    pub mass: f64,
    /// B, for its turn; symmetric.
    pub turn: Matrix3<f64>,
}

/// Writes the matrix. Stations without weight (`mass` zero) are passed over.
pub fn assemble(layout: &Layout, chain: &Chain, weights: &[Weight], out: &mut DenseLdl) {
    out.reset(layout.dofs());
    wide::run(Assembly {
        layout,
        chain,
        weights,
        out,
    });
}

/// The assembly as one piece of work.
struct Assembly<'a> {
    layout: &'a Layout,
    chain: &'a Chain,
    weights: &'a [Weight],
    out: &'a mut DenseLdl,
}

/// Sums over stations.
struct Sums {
    mass: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl wide::Work for Assembly<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            layout,
            chain,
            weights,
            out,
        } = self;
        // The sums beyond the element; S₂ and B are only needed together.
        let mut beyond = Sums {
            mass: 0.0,
            first: Vector3::zeros(),
            second: Matrix3::zeros(),
        };
        for j in (0..layout.elements).rev() {
            let (lever, turn) = chain.columns(2 + j);
            let s1 = skew(&beyond.first);
            let force = lever * beyond.mass - s1 * turn;
            let moment = s1 * lever + beyond.second * turn;
            let mut own = lever.tr_mul(&force) + turn.tr_mul(&moment);
            let (mut l, mut h) = (force, moment);
            let here = layout.first[j]..layout.first[j + 1];
            for (w, spot) in weights[here.clone()].iter().zip(&chain.spots[here]) {
                if w.mass == 0.0 {
                    continue;
                }
                let heavy = spot.lever * w.mass;
                let turned = w.turn * spot.turn;
                own += spot.lever.tr_mul(&heavy) + spot.turn.tr_mul(&turned);
                l += heavy;
                h += cross_columns(&spot.x, &heavy) + turned;
                let x = spot.x;
                beyond.mass += w.mass;
                beyond.first += x * w.mass;
                // −[r]×² = r·r I − r rᵀ.
                let heavy = x * w.mass;
                beyond.second +=
                    w.turn + Matrix3::from_diagonal_element(x.dot(&heavy)) - heavy * x.transpose();
            }
            write_rows(chain, 6 + 3 * j, &l, &h, &own, out);
        }
        let (_, turn) = chain.columns(1);
        let force = -(skew(&beyond.first) * turn);
        let moment = beyond.second * turn;
        write_rows(chain, 3, &force, &moment, &turn.tr_mul(&moment), out);
        let mass = Matrix3::from_diagonal_element(beyond.mass);
        write_rows(chain, 0, &mass, &Matrix3::zeros(), &mass, out);
    }
}

/// Rows `row` to `row + 2`: Lᵀ A + Hᵀ Ω before the diagonal block, `own` on it.
#[inline(always)]
fn write_rows(
    chain: &Chain,
    row: usize,
    l: &Matrix3<f64>,
    h: &Matrix3<f64>,
    own: &Matrix3<f64>,
    out: &mut DenseLdl,
) {
    let rows = out.three_rows_mut(row);
    let [a0, a1, a2] = [0, 1, 2].map(|c| &chain.lever[c][..row]);
    let [t0, t1, t2] = [0, 1, 2].map(|c| &chain.turn[c][..row]);
    for (b, out) in rows.into_iter().enumerate() {
        let (lb, hb) = (l.column(b), h.column(b));
        let (l0, l1, l2, h0, h1, h2) = (lb[0], lb[1], lb[2], hb[0], hb[1], hb[2]);
        let (before, block) = out.split_at_mut(row);
        for i in 0..row {
            before[i] =
                (l0 * a0[i] + l1 * a1[i] + l2 * a2[i]) + (h0 * t0[i] + h1 * t1[i] + h2 * t2[i]);
        }
        for (c, out) in block.iter_mut().enumerate() {
            *out = own[(b, c)];
        }
    }
}
