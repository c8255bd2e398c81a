//! Prusik: a laboratory for frictional fibres. Ropes, knots, hair and wires, and the solids they touch, with exact
//! Coulomb friction.
//!
//! # The layers
//!
//! Each uses only what stands above it; a test reads every `use crate::` and holds it against this.
//!
//! | layer | module | job | must not know |
//! |---|---|---|---|
//! | 0 arithmetic | [`math`] | banded, ring, dense, sparse and block-sparse matrices, their factors, parallel transport, roots | anything of ours |
//! | 1 shapes | [`geometry`] | distances, triangle meshes, smooth curves and their closest points, hulls of solids, boxes, grid, scripted motion, proxies | bodies, contacts |
//! | 2a things that move | [`body`] | four rod models and rails behind the [`body::Body`] trait, materials and sections; rigid bodies | contact, friction, world |
//! | 2b where they touch | [`contact`] | detectors on straight and on smooth pieces and among solids, the check that nothing passes through | bodies: it sees proxies |
//! | 2c the one-step problem | [`friction`] | law, local solvers, global solvers, the judge | everything but numbers |
//! | 3 time | [`world`] | [`world::World::step`], edits in, snapshots out | files, threads, the window |
//! | 4 files, proofs, threads | [`scene`], [`record`], [`mod@bench`], [`validation`], [`session`], [`runner`] | scene files, run reports, solvers side by side, protocols held against theory, recorded inputs, the solver thread | the window |
//! | 5 the window | `app` | Bevy and egui, behind the feature `app` | the insides of 2 |
//!
//! Three joints of plain data carry the design: [`geometry::ProxySet`] between bodies and contact,
//! [`friction::Problem`] (W, b, µ) between world and solver, [`world::Snapshot`] and [`world::Edit`] between world and
//! window.
//!
//! # The step, in a dozen lines
//!
//! ```text
//!   hold        clamps, pins and grabs become constraints of this step
//!   linearise   every strand and free solid: A = M + dt C + dt² K, factored; its free velocity
//!   collect     strands and solids as proxies, with the velocities foreseen
//!   detect      contacts that exist or may come about within the step
//!   warm start  impulses of contacts that persist
//!   assemble    W = H A⁻¹ Hᵀ, b = H v_free + gap/dt        ┐ again while the equation
//!   solve       u = W r + b with Coulomb's law, exactly     │ of motion is not met
//!   move        v = v_free + A⁻¹ Hᵀ r, the trial state      ┘
//!   guard       nothing non-finite, nothing through anything, motion settled (or the step is divided, or held back)
//!   accept      the trial becomes the state; the report is written
//!   separate    what overlaps is moved apart, without speed
//! ```
//!
//! Symbols are listed in [`notation`], sources in [`references`].

pub mod bench;
pub mod body;
pub mod contact;
pub mod friction;
pub mod geometry;
pub mod math;
pub mod notation;
pub mod record;
pub mod references;
pub mod runner;
pub mod scene;
pub mod session;
pub mod validation;
pub mod world;

#[cfg(feature = "app")]
pub mod app;

#[cfg(test)]
mod tests;
