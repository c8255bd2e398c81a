//! Bending and twist at one interior node, with first and second derivatives [Bergou10; Li25].
//!
//! ```text
//!      x_{i-1} ──── e, γ_e ──── x_i ──── f, γ_f ──── x_{i+1}
//! ```
//!
//! κb = 2 t_e × t_f / χ,  χ = 1 + t_e·t_f,
//! κ₁ = ½ κb·(m₂ₑ + m₂f),  κ₂ = −½ κb·(m₁ₑ + m₁f),  τ = γ_f − γ_e + β.
//!
//! Derivatives are by the edge vectors e, f and the twist angles γ; the stencil's ordering (e, γ_e, f, γ_f) makes
//! them 8-vectors. Curvatures here are integrated over the node's length: divide by it for 1/m.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// Derivative by (e, γ_e, f, γ_f).
pub type Gradient = SVector<f64, 8>;
/// Second derivative by (e, γ_e, f, γ_f).
pub type Hessian = SMatrix<f64, 8, 8>;

/// One edge in its present state.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Length |e|, m.
    pub length: f64,
    /// Unit tangent t.
    pub tangent: Vector3<f64>,
    /// First material director m₁.
    pub m1: Vector3<f64>,
    /// Second material director m₂ = t × m₁.
    pub m2: Vector3<f64>,
}

/// Bending at a node and the vectors its derivatives share.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    /// κ₁, κ₂.
    pub kappa: [f64; 2],
    /// κb.
    pub binormal: Vector3<f64>,
    chi: f64,
    /// t̃ = (t_e + t_f)/χ.
    tilde_t: Vector3<f64>,
}

impl Bend {
    /// The bending between two edges.
    pub fn new(e: &Edge, f: &Edge) -> Self {
        // Edges folded flat onto each other have no curvature; stop just before.
        let chi = (1.0 + e.tangent.dot(&f.tangent)).max(1e-9);
        let binormal = e.tangent.cross(&f.tangent) * (2.0 / chi);
        let kappa = [
            0.5 * binormal.dot(&(e.m2 + f.m2)),
            -0.5 * binormal.dot(&(e.m1 + f.m1)),
        ];
        Self {
            kappa,
            binormal,
            chi,
            tilde_t: (e.tangent + f.tangent) / chi,
        }
    }

    /// ∇κ₁ and ∇κ₂.
    pub fn gradients(&self, e: &Edge, f: &Edge) -> [Gradient; 2] {
        let one = self.gradient(e, f, 0, &((e.m2 + f.m2) / self.chi), 1.0, [&e.m1, &f.m1]);
        let two = self.gradient(e, f, 1, &((e.m1 + f.m1) / self.chi), -1.0, [&e.m2, &f.m2]);
        [one, two]
    }

    /// `m` is m̃ of the other director, `sign` its sign in κ, `partner` the directors of ∂κ/∂γ = −½ κb·partner.
    fn gradient(
        &self,
        e: &Edge,
        f: &Edge,
        which: usize,
        m: &Vector3<f64>,
        sign: f64,
        partner: [&Vector3<f64>; 2],
    ) -> Gradient {
        let k = self.kappa[which];
        let by_e = (f.tangent.cross(m) * sign - self.tilde_t * k) / e.length;
        let by_f = (e.tangent.cross(m) * -sign - self.tilde_t * k) / f.length;
        let by_gamma = partner.map(|d| -0.5 * self.binormal.dot(d));
        pack(&by_e, by_gamma[0], &by_f, by_gamma[1])
    }

    /// ∇²κ₁ and ∇²κ₂.
    pub fn hessians(&self, e: &Edge, f: &Edge) -> [Hessian; 2] {
        [self.hessian(e, f, 0), self.hessian(e, f, 1)]
    }

    fn hessian(&self, e: &Edge, f: &Edge, which: usize) -> Hessian {
        // κ₂ is κ₁ with m₁ for m₂ and the opposite sign on every term with a director.
        let (sign, me, mf) = if which == 0 {
            (1.0, e.m2, f.m2)
        } else {
            (-1.0, e.m1, f.m1)
        };
        let (k, chi, tt, kb) = (self.kappa[which], self.chi, &self.tilde_t, &self.binormal);
        let (te, tf) = (&e.tangent, &f.tangent);
        let m = (me + mf) * (sign / chi);
        let identity = Matrix3::identity();
        let (tf_m, te_m) = (tf.cross(&m), te.cross(&m));
        let tt_tt = tt * tt.transpose() * (2.0 * k);
        let ee = (tt_tt - symmetric(&tf_m, tt) - (identity - te * te.transpose()) * (k / chi)
            + symmetric(kb, &me) * (0.25 * sign))
            / e.length.powi(2);
        let ff = (tt_tt + symmetric(&te_m, tt) - (identity - tf * tf.transpose()) * (k / chi)
            + symmetric(kb, &mf) * (0.25 * sign))
            / f.length.powi(2);
        let ef = (tt_tt - (identity + te * tf.transpose()) * (k / chi) - tf_m * tt.transpose()
            + tt * te_m.transpose()
            - m.cross_matrix())
            / (e.length * f.length);
        let mut hessian = blocks(&ee, &ef, &ff);
        // ∂²κ/∂γ²: ∓½ κb·m, and the mixed terms with the partner director.
        hessian[(3, 3)] = -0.5 * sign * kb.dot(&me);
        hessian[(7, 7)] = -0.5 * sign * kb.dot(&mf);
        let partners = if which == 0 {
            [e.m1, f.m1]
        } else {
            [e.m2, f.m2]
        };
        for (gamma, p) in [3, 7].into_iter().zip(partners) {
            let half = 0.5 * kb.dot(&p);
            let by_e = (tt * half - tf.cross(&p) / chi) / e.length;
            let by_f = (tt * half + te.cross(&p) / chi) / f.length;
            set_mixed(&mut hessian, gamma, &by_e, &by_f);
        }
        hessian
    }

    /// ∇τ.
    pub fn twist_gradient(&self, e: &Edge, f: &Edge) -> Gradient {
        pack(
            &(self.binormal / (2.0 * e.length)),
            -1.0,
            &(self.binormal / (2.0 * f.length)),
            1.0,
        )
    }

    /// ∇²τ.
    pub fn twist_hessian(&self, e: &Edge, f: &Edge) -> Hessian {
        let (kb, tt) = (&self.binormal, &self.tilde_t);
        let ee = symmetric(kb, &(e.tangent + tt)) * (-0.25 / e.length.powi(2));
        let ff = symmetric(kb, &(f.tangent + tt)) * (-0.25 / f.length.powi(2));
        let ef = (e.tangent.cross_matrix() * (2.0 / self.chi) - kb * tt.transpose())
            / (2.0 * e.length * f.length);
        blocks(&ee, &ef, &ff)
    }
}

fn pack(by_e: &Vector3<f64>, gamma_e: f64, by_f: &Vector3<f64>, gamma_f: f64) -> Gradient {
    Gradient::from([
        by_e.x, by_e.y, by_e.z, gamma_e, by_f.x, by_f.y, by_f.z, gamma_f,
    ])
}

/// a bᵀ + b aᵀ.
fn symmetric(a: &Vector3<f64>, b: &Vector3<f64>) -> Matrix3<f64> {
    let m = a * b.transpose();
    m + m.transpose()
}

fn blocks(ee: &Matrix3<f64>, ef: &Matrix3<f64>, ff: &Matrix3<f64>) -> Hessian {
    let mut hessian = Hessian::zeros();
    hessian.fixed_view_mut::<3, 3>(0, 0).copy_from(ee);
    hessian.fixed_view_mut::<3, 3>(0, 4).copy_from(ef);
    hessian
        .fixed_view_mut::<3, 3>(4, 0)
        .copy_from(&ef.transpose());
    hessian.fixed_view_mut::<3, 3>(4, 4).copy_from(ff);
    hessian
}

fn set_mixed(hessian: &mut Hessian, gamma: usize, by_e: &Vector3<f64>, by_f: &Vector3<f64>) {
    for k in 0..3 {
        hessian[(gamma, k)] = by_e[k];
        hessian[(k, gamma)] = by_e[k];
        hessian[(gamma, 4 + k)] = by_f[k];
        hessian[(4 + k, gamma)] = by_f[k];
    }
}
