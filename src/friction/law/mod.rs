//! Coulomb's law at one contact, as a function that vanishes where it holds.

pub mod alart_curnier;
pub mod compliant;
pub mod fischer_burmeister;
