//! Coulomb's law at one contact, as a function that vanishes where it holds.

pub mod fischer_burmeister;
