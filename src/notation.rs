//! Every symbol and what it is called in code, panels and plots. Vectors at a contact are (N, T1, T2), normal first.
//!
//! | symbol | identifier | meaning | unit | frame |
//! |---|---|---|---|---|
//! | W | `w` | Delassus operator H A⁻¹ Hᵀ | 1/kg | contact |
//! | b | `b` | relative velocity without contact impulses | m/s | contact |
//! | r | `r`, `impulses` | contact impulse on the first body | N s | contact |
//! | u | `u` | relative velocity of first against second body | m/s | contact |
//! | µ | `mu` | coefficient of friction | – | |
//! | n | `contacts` | number of contacts | – | |
//! | ν | `nu` | 3 n over the degrees of freedom | – | |
//! | d | `diagonal` | tr(Wᵢᵢ)/3 | 1/kg | |
//! | ρ | `rho` | 3/tr(Wᵢᵢ): turns velocities into impulses | kg | |
//! | ũ, r̂, û | – | changes of variable of the Fischer-Burmeister law | | contact |
//! | α | `alpha` | slip over friction impulse, u_T = −α r_T | 1/kg | |
//! | x, v, A, c | `x`, `v`, `unit` | impulse, velocity, W without units: r = c x/√d, v = u/(c √d), A = W/√(dᵢ dⱼ) | – | contact |
//! | s | `s` | µ\|u_T\|, added to u_N in the cone form of Coulomb's law | m/s | |
//! | R_N, R_T | `soft` | compliance of the convex model, over d | – | contact |
//! | p | `push` | impulse times time along a normal, which displaces without setting in motion | kg m | contact |
//! | H | `columns` | velocities of the unknowns → relative velocities | – | contact |
//! | M, K, C | `mass`, `stiffness` | mass, stiffness, damping | kg, N/m, N s/m | world |
//! | A | `factor` | M + dt C + dt² K | kg | world |
//! | f, w | `f`, `w` | of the unreduced problem: impulses without contacts, velocities no body causes | N s, m/s | world, contact |
//! | q, v | `x` and `gamma`, `v` | unknowns of a rod and their velocities | m, rad | world |
//! | dt | `dt_s` | time step | s | |
//! | e, f | `Edge` | edges before and after a node | m | world |
//! | t, m₁, m₂ | `tangent`, `m1`, `m2` | tangent and material directors of an edge | – | world |
//! | γ | `gamma` | angle from reference to material frame | rad | |
//! | β | `reference_twist` | twist of the reference frames at a node | rad | |
//! | κ, κ⁰ | `kappa` | integrated curvature, and the natural one | rad | material |
//! | τ, τ⁰ | `twist` | integrated twist, and the natural one | rad | |
//! | b | `binormal` | integrated curvature as a vector across both edges, \|b\| = 2 tan(φ/2) | rad | world |
//! | θ⁰ | `turn` | natural turn of b over an edge of a mass-spring strand | rad | |
//! | q (frame), ω | `q` | quaternion of an edge of a CORDE strand, and its angular velocity | –, rad/s | material |
//! | u, û | `u` | twist and curvatures of a CORDE strand, integrated, and the natural ones | rad | material |
//! | ψ_⊥ | `seen`, `lever` | by which a CORDE frame leaves its edge within a step | rad | material |
//! | T | `tie_n` | what ties CORDE frames to their edges | N | |
//! | EA, EI, GJ | `ea_n`, `ei_n_m2`, `gj_n_m2` | stretching, bending, twisting stiffness | N, N m² | |
//! | α, β (damping) | `mass_damping_per_s`, `stiffness_damping_s` | Rayleigh damping, C = α M + β K | 1/s, s | |
//! | s, t (curves) | `s`, `t` | parameters of two curves, each in \[0, 1\] | – | |
//! | g, F | `g`, `square` | a(s) − b(t) of two curves, and its squared length | m, m² | world |
//! | p, q, r | `p`, `q`, `r` | Hessian of F/2 over (s, t): diagonal, and minus off the diagonal | m² | |
//! | Δ, δ̄, F̄ (bending) | `span_m`, `indentation`, `force` | distance of two supports; how far they rise over it; F Δ²/(48 B) | m, –, – | |
//! | F̂, k, r̄ (bending) | `force`, `curvature`, `reach` | F Δ²/B, κ₀ Δ, radii of rod and support over Δ | – | |
//! | α, θ, φ (bending) | `angle`, –, `phi` | tangent at the contact, along the rod; arctan µ | rad | |
