//! Sources by key. Formulas are cited as `[Key, eq. n]`.
//!
//! - `[Acary11]` V. Acary, F. Cadoux, C. Lemaréchal, J. Malick. A formulation of the linear discrete Coulomb friction problem
//!   via convex optimization. Zeitschrift für angewandte Mathematik und Mechanik 91, 2011.
//! - `[Acary14]` V. Acary, M. Brémond, T. Koziara, F. Pérignon. FCLIB: a collection of discrete 3D frictional contact
//!   problems. INRIA technical report 444, 2014.
//! - `[Alart91]` P. Alart, A. Curnier. A mixed formulation for frictional contact problems prone to Newton like solution
//!   methods. Computer Methods in Applied Mechanics and Engineering 92, 1991.
//! - `[Alexander28]` J. W. Alexander. Topological invariants of knots and links. Transactions of the American Mathematical
//!   Society 30, 1928.
//! - `[Anderson65]` D. G. Anderson. Iterative procedures for nonlinear integral equations. Journal of the ACM 12, 1965.
//! - `[Baerentzen05]` J. A. Bærentzen, H. Aanæs. Signed distance computation using the angle weighted pseudonormal. IEEE
//!   Transactions on Visualization and Computer Graphics 11, 2005.
//! - `[Barzilai88]` J. Barzilai, J. M. Borwein. Two-point step size gradient methods. IMA Journal of Numerical Analysis 8,
//!   1988.
//! - `[Batista15]` M. Batista. Large deflections of a beam subject to three-point bending. International Journal of
//!   Non-Linear Mechanics 69, 2015.
//! - `[Bergou08]` M. Bergou, M. Wardetzky, S. Robinson, B. Audoly, E. Grinspun. Discrete elastic rods. ACM Transactions on
//!   Graphics 27, 2008.
//! - `[Bergou10]` M. Bergou, B. Audoly, E. Vouga, M. Wardetzky, E. Grinspun. Discrete viscous threads. ACM Transactions on
//!   Graphics 29, 2010.
//! - `[Bertails06]` F. Bertails, B. Audoly, M.-P. Cani, B. Querleux, F. Leroy, J.-L. Lévêque. Super-helices for predicting the
//!   dynamics of natural hair. ACM Transactions on Graphics 25, 2006.
//! - `[Bertails11]` F. Bertails-Descoubes, F. Cadoux, G. Daviet, V. Acary. A nonsmooth Newton solver for capturing exact
//!   Coulomb friction in fiber assemblies. ACM Transactions on Graphics 30, 2011.
//! - `[Birgin00]` E. G. Birgin, J. M. Martínez, M. Raydan. Nonmonotone spectral projected gradient methods on convex sets.
//!   SIAM Journal on Optimization 10, 2000.
//! - `[Bonnans03]` J. F. Bonnans, J. C. Gilbert, C. Lemaréchal, C. Sagastizábal. Numerical optimization: theoretical and
//!   practical aspects. Springer, 2003.
//! - `[Bonnefon11]` O. Bonnefon, G. Daviet. Quartic formulation of Coulomb 3D frictional contact. INRIA technical report 400,
//!   2011.
//! - `[Castro22]` A. M. Castro, F. N. Permenter, X. Han. An unconstrained convex formulation of compliant contact. IEEE
//!   Transactions on Robotics 39, 2022.
//! - `[Crespel24]` O. Crespel, É. Hohnadel, T. Métivet, F. Bertails-Descoubes. Contact detection between curved fibres: high
//!   order makes a difference. ACM Transactions on Graphics 43, 2024.
//! - `[Cline03]` M. B. Cline, D. K. Pai. Post-stabilization for rigid body simulation with contact and constraints. IEEE
//!   International Conference on Robotics and Automation, 2003.
//! - `[Daviet11]` G. Daviet, F. Bertails-Descoubes, L. Boissieux. A hybrid iterative solver for robustly capturing Coulomb
//!   friction in hair dynamics. ACM Transactions on Graphics 30, 2011.
//! - `[DeSaxce98]` G. de Saxcé, Z.-Q. Feng. The bipotential method: a constructive approach to design the complete contact
//!   law with friction and improved numerical algorithms. Mathematical and Computer Modelling 28, 1998.
//! - `[Duriez06]` C. Duriez, F. Dubois, A. Kheddar, C. Andriot. Realistic haptic rendering of interacting deformable objects in
//!   virtual environments. IEEE Transactions on Visualization and Computer Graphics 12, 2006.
//! - `[Duriez08]` C. Duriez. Rendering of frictional contact with deformable environments. In Haptic rendering: foundations,
//!   algorithms and applications, A. K. Peters, 2008.
//! - `[Ericson05]` C. Ericson. Real-time collision detection. Morgan Kaufmann, 2005.
//! - `[Fernando05]` R. Fernando. Percentage-closer soft shadows. SIGGRAPH sketches, 2005.
//! - `[Gauss33]` C. F. Gauss. Zur mathematischen Theorie der electrodynamischen Wirkungen, 1833. Werke V, 605.
//! - `[Karis16]` B. Karis. Physically based hair shading in Unreal. SIGGRAPH course, physically based shading in theory and
//!   practice, 2016.
//! - `[Kauffman83]` L. H. Kauffman. Formal knot theory. Princeton University Press, 1983.
//! - `[Kauffman87]` L. H. Kauffman. State models and the Jones polynomial. Topology 26, 1987.
//! - `[Koniaris91]` K. Koniaris, M. Muthukumar. Knottedness in ring polymers. Physical Review Letters 66, 1991.
//! - `[Li25]` W.-C. Li, G. Chou. A convex formulation of compliant contact between filaments and rigid bodies. 2025.
//! - `[Marschner03]` S. R. Marschner, H. W. Jensen, M. Cammarano, S. Worley, P. Hanrahan. Light scattering from human hair
//!   fibers. ACM Transactions on Graphics 22, 2003.
//! - `[Mazhar15]` H. Mazhar, T. Heyn, D. Negrut, A. Tasora. Using Nesterov's method to accelerate multibody dynamics with
//!   friction and contact. ACM Transactions on Graphics 34, 2015.
//! - `[Mirtich96]` B. Mirtich. Impulse-based dynamic simulation of rigid body systems. PhD thesis, University of California,
//!   Berkeley, 1996.
//! - `[ODonoghue15]` B. O'Donoghue, E. Candès. Adaptive restart for accelerated gradient schemes. Foundations of
//!   Computational Mathematics 15, 2015.
//! - `[Okabe08]` M. Okabe, K. Ito. Color universal design: how to make figures and presentations that are friendly to
//!   colorblind people. 2008.
//! - `[Otaduy09]` M. A. Otaduy, R. Tamstorf, D. Steinemann, M. Gross. Implicit contact handling for deformable objects.
//!   Computer Graphics Forum 28, 2009.
//! - `[Provot97]` X. Provot. Collision and self-collision handling in cloth model dedicated to design garments. Eurographics
//!   Workshop on Computer Animation and Simulation, 1997.
//! - `[Reidemeister27]` K. Reidemeister. Elementare Begründung der Knotentheorie. Abhandlungen aus dem Mathematischen
//!   Seminar der Universität Hamburg 5, 1927.
//! - `[Rolfsen76]` D. Rolfsen. Knots and links. Publish or Perish, 1976.
//! - `[Spillmann07]` J. Spillmann, M. Teschner. CORDE: Cosserat rod elements for the dynamic simulation of one-dimensional
//!   elastic objects. ACM SIGGRAPH/Eurographics Symposium on Computer Animation, 2007.
//! - `[Taylor00]` W. R. Taylor. A deeply knotted protein structure and how it might fold. Nature 406, 2000.
//! - `[Timoshenko51]` S. Timoshenko, J. N. Goodier. Theory of elasticity. McGraw-Hill, 1951.
//! - `[Walker11]` H. F. Walker, P. Ni. Anderson acceleration for fixed-point iterations. SIAM Journal on Numerical Analysis
//!   49, 2011.
