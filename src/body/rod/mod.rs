//! Strands.

pub mod discrete_elastic;
