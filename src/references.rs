//! Sources by key. Formulas are cited as `[Key, eq. n]`.
//!
//! - `[Acary14]` V. Acary, M. Brémond, T. Koziara, F. Pérignon. FCLIB: a collection of discrete 3D frictional contact
//!   problems. INRIA technical report 444, 2014.
//! - `[Alart91]` P. Alart, A. Curnier. A mixed formulation for frictional contact problems prone to Newton like solution
//!   methods. Computer Methods in Applied Mechanics and Engineering 92, 1991.
//! - `[Anderson65]` D. G. Anderson. Iterative procedures for nonlinear integral equations. Journal of the ACM 12, 1965.
//! - `[Bergou08]` M. Bergou, M. Wardetzky, S. Robinson, B. Audoly, E. Grinspun. Discrete elastic rods. ACM Transactions on
//!   Graphics 27, 2008.
//! - `[Bergou10]` M. Bergou, B. Audoly, E. Vouga, M. Wardetzky, E. Grinspun. Discrete viscous threads. ACM Transactions on
//!   Graphics 29, 2010.
//! - `[Bertails11]` F. Bertails-Descoubes, F. Cadoux, G. Daviet, V. Acary. A nonsmooth Newton solver for capturing exact
//!   Coulomb friction in fiber assemblies. ACM Transactions on Graphics 30, 2011.
//! - `[Bonnefon11]` O. Bonnefon, G. Daviet. Quartic formulation of Coulomb 3D frictional contact. INRIA technical report 400,
//!   2011.
//! - `[Daviet11]` G. Daviet, F. Bertails-Descoubes, L. Boissieux. A hybrid iterative solver for robustly capturing Coulomb
//!   friction in hair dynamics. ACM Transactions on Graphics 30, 2011.
//! - `[DeSaxce98]` G. de Saxcé, Z.-Q. Feng. The bipotential method: a constructive approach to design the complete contact
//!   law with friction and improved numerical algorithms. Mathematical and Computer Modelling 28, 1998.
//! - `[Li25]` W.-C. Li, G. Chou. A convex formulation of compliant contact between filaments and rigid bodies. 2025.
//! - `[Walker11]` H. F. Walker, P. Ni. Anderson acceleration for fixed-point iterations. SIAM Journal on Numerical Analysis
//!   49, 2011.
