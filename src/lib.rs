//! Prusik: a laboratory for frictional fibres.

pub mod body;
pub mod contact;
pub mod friction;
pub mod geometry;
pub mod math;
pub mod record;
pub mod runner;
pub mod scene;
pub mod world;

#[cfg(feature = "app")]
pub mod app;

#[cfg(test)]
mod tests;
