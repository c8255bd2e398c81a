//! Which markers a state asks for: the storage buffer of `shaders/glyph.wgsl`.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::shown::{Look, Shown};
use crate::world::{ContactSnapshot, ContactState, HoldKind, HoldSnapshot, Snapshot};

/// Sticking contacts: Okabe and Ito's blue, sRGB. With their orange the safest pair for colour-blind users.
pub const STICK_COLOR: [u8; 3] = [0, 114, 178];
/// Sliding contacts: Okabe and Ito's orange, sRGB.
pub const SLIDE_COLOR: [u8; 3] = [230, 159, 0];
/// Contacts without force, sRGB.
const OPEN_COLOR: [u8; 3] = [150, 150, 150];
/// Pins and clamps, sRGB.
const HOLD_COLOR: [u8; 3] = [240, 228, 66];
/// The pull of a hand, sRGB.
const HAND_COLOR: [u8; 3] = [250, 250, 250];

/// One marker, laid out as `Glyph` in the shader: three times four words. Sizes of zero are not drawn.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuGlyph {
    origin: Vec3,
    dot_radius: f32,
    vector: Vec3,
    shaft: f32,
    color: Vec3,
    half_edge: f32,
}

/// All markers of a state.
pub fn glyphs_of(shown: &Shown, look: &Look, longest_n: f32) -> Vec<GpuGlyph> {
    let radius = shown.thinnest_radius_m();
    let arrow_m = 0.3 * shown.bounds.reach();
    let snapshot = &shown.snapshot;
    let mut glyphs = Vec::new();
    if look.contacts || look.forces {
        let arrow_m_per_n = if look.forces && longest_n > 0.0 {
            arrow_m / longest_n
        } else {
            0.0
        };
        let dot_radius = if look.contacts { 0.4 * radius } else { 0.0 };
        let contact = |c: &ContactSnapshot| contact_glyph(c, dot_radius, arrow_m_per_n, radius);
        glyphs.extend(snapshot.contacts.iter().map(contact));
    }
    glyphs.extend(snapshot.holds.iter().map(|hold| hold_glyph(hold, radius)));
    glyphs
}

/// The largest contact force, N.
pub fn largest_force_n(snapshot: &Snapshot) -> f32 {
    let forces = snapshot
        .contacts
        .iter()
        .map(|c| Vec3::from(c.force).length());
    forces.filter(|f| f.is_finite()).fold(0.0, f32::max)
}

fn contact_glyph(
    contact: &ContactSnapshot,
    dot_radius: f32,
    arrow_m_per_n: f32,
    radius: f32,
) -> GpuGlyph {
    let color = match contact.state {
        ContactState::Open => OPEN_COLOR,
        ContactState::Stick => STICK_COLOR,
        ContactState::Slide => SLIDE_COLOR,
    };
    GpuGlyph {
        origin: contact.point.into(),
        dot_radius,
        vector: Vec3::from(contact.force) * arrow_m_per_n,
        shaft: if arrow_m_per_n > 0.0 {
            0.22 * radius
        } else {
            0.0
        },
        color: linear(color),
        half_edge: 0.0,
    }
}

fn hold_glyph(hold: &HoldSnapshot, radius: f32) -> GpuGlyph {
    let origin = Vec3::from(hold.position);
    let marker = GpuGlyph {
        origin,
        color: linear(HOLD_COLOR),
        ..default()
    };
    match hold.kind {
        HoldKind::Clamp => GpuGlyph {
            half_edge: 1.35 * radius,
            ..marker
        },
        HoldKind::Pin => GpuGlyph {
            dot_radius: 1.45 * radius,
            ..marker
        },
        HoldKind::Grab { .. } => GpuGlyph {
            dot_radius: 1.15 * radius,
            vector: Vec3::from(hold.target) - origin,
            shaft: 0.3 * radius,
            color: linear(HAND_COLOR),
            ..marker
        },
    }
}

fn linear([r, g, b]: [u8; 3]) -> Vec3 {
    let color = LinearRgba::from(Srgba::rgb_u8(r, g, b));
    Vec3::new(color.red, color.green, color.blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(state: ContactState, force: [f32; 3]) -> ContactSnapshot {
        ContactSnapshot {
            point: [0.0; 3],
            normal: [0.0, 1.0, 0.0],
            force,
            mu: 0.3,
            state,
        }
    }

    #[test]
    fn stick_and_slide_differ_in_lightness_too() {
        let luminance = |c| linear(c).dot(Vec3::new(0.2126, 0.7152, 0.0722));
        assert!(luminance(SLIDE_COLOR) > 2.0 * luminance(STICK_COLOR));
    }

    #[test]
    fn arrows_are_as_long_as_their_force() {
        let arrow = |n| contact_glyph(&contact(ContactState::Stick, [0.0, n, 0.0]), 0.0, 0.5, 0.01);
        assert_eq!(arrow(2.0).vector, 2.0 * arrow(1.0).vector);
        assert!(arrow(1.0).shaft > 0.0);
    }

    #[test]
    fn without_forces_no_arrow_is_drawn() {
        let glyph = contact_glyph(&contact(ContactState::Slide, [1.0; 3]), 0.1, 0.0, 0.01);
        assert_eq!((glyph.shaft, glyph.vector), (0.0, Vec3::ZERO));
    }
}
