//! Laws that hold across modules.

mod core_has_no_window;
mod held_back;
mod layering;
mod map;
mod overlap;
mod riding;
mod rods;
mod violent_drag;
