//! Laws that hold across modules.

mod checkpoints;
mod core_has_no_window;
mod hands;
mod held_back;
mod history;
mod landing;
mod layering;
mod map;
mod matter;
mod overlap;
mod panel_edits;
mod piles;
mod riding;
mod rigid;
mod rods;
mod super_helix_scenes;
mod violent_drag;
