//! Laws that hold across modules.

mod core_has_no_window;
mod layering;
mod map;
mod riding;
mod rods;
mod violent_drag;
