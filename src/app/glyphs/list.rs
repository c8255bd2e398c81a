//! Which markers a state asks for: the storage buffer of `shaders/glyph.wgsl`.

use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;

use crate::app::shown::{Look, Shown};
use crate::world::{ContactSnapshot, ContactState, HoldKind, HoldSnapshot, Snapshot};

/// Sticking contacts: Okabe and Ito's blue, sRGB. With their orange the safest pair for colour-blind users.
pub const STICK_COLOR: [u8; 3] = [0, 114, 178];
/// Sliding contacts: Okabe and Ito's orange, sRGB.
pub const SLIDE_COLOR: [u8; 3] = [230, 159, 0];
/// Contacts without force, about to open or just closing: nearly white, and smaller. Sky blue and grey pass for one
/// another in some eyes; sizes do not.
pub const OPEN_COLOR: [u8; 3] = [232, 232, 236];
/// Pins and clamps, sRGB.
const HOLD_COLOR: [u8; 3] = [240, 228, 66];
/// The pull of a hand, sRGB.
const HAND_COLOR: [u8; 3] = [250, 250, 250];

/// One marker, laid out as `Glyph` in the shader: four times four words. Sizes of zero are not drawn.
#[derive(ShaderType, Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuGlyph {
    origin: Vec3,
    dot_radius: f32,
    vector: Vec3,
    shaft: f32,
    color: Vec3,
    half_edge: f32,
    axis: Vec3,
    mu: f32,
}

/// Clamps of a scene that are marked; of more, none.
const MOST_ROOTS: usize = 40;

/// How contacts are drawn.
#[derive(Clone, Copy)]
struct ContactStyle {
    dot_radius: f32,
    /// 0 for no arrows.
    arrow_m_per_n: f32,
    cones: bool,
    /// Of the thinnest strand, m.
    radius: f32,
}

/// Writes all markers of a state.
pub fn write_glyphs(glyphs: &mut Vec<GpuGlyph>, shown: &Shown, look: &Look, longest_n: f32) {
    let radius = shown.thinnest_radius_m();
    let arrow_m = 0.3 * shown.bounds.reach();
    let snapshot = &shown.snapshot;
    glyphs.clear();
    if look.contacts || look.forces || look.cones {
        let arrows = (look.forces || look.cones) && longest_n > 0.0;
        let style = ContactStyle {
            dot_radius: if look.contacts { 0.4 * radius } else { 0.0 },
            arrow_m_per_n: if arrows { arrow_m / longest_n } else { 0.0 },
            cones: look.cones,
            radius,
        };
        let contact = |c: &ContactSnapshot| contact_glyph(c, style);
        glyphs.extend(snapshot.contacts.iter().map(contact));
    }
    // The roots of a head of hair are not worth a mark each; what hands have made always is.
    let from_scene = snapshot.holds.iter().filter(|hold| is_root(hold)).count();
    let marked = |hold: &&HoldSnapshot| from_scene <= MOST_ROOTS || !is_root(hold);
    let holds = snapshot.holds.iter().filter(marked);
    glyphs.extend(holds.map(|hold| hold_glyph(hold, radius)));
}

/// Whether the scene holds it and no hand has moved it.
fn is_root(hold: &HoldSnapshot) -> bool {
    hold.described.is_some() && !hold.led
}

/// The largest contact force, N.
pub fn largest_force_n(snapshot: &Snapshot) -> f32 {
    let forces = snapshot
        .contacts
        .iter()
        .map(|c| Vec3::from(c.force).length());
    forces.filter(|f| f.is_finite()).fold(0.0, f32::max)
}

fn contact_glyph(contact: &ContactSnapshot, style: ContactStyle) -> GpuGlyph {
    let (color, size) = match contact.state {
        ContactState::Open => (OPEN_COLOR, 0.7),
        ContactState::Stick => (STICK_COLOR, 1.0),
        ContactState::Slide => (SLIDE_COLOR, 1.0),
    };
    let force = Vec3::from(contact.force);
    let normal = Vec3::from(contact.normal);
    // As tall as the normal force is long: the arrow ends on the cone's rim plane, inside it or on its mantle.
    let height_m = force.dot(normal).max(0.0) * style.arrow_m_per_n;
    let cone = style.cones && contact.mu > 0.0 && height_m > 0.0;
    GpuGlyph {
        origin: contact.point.into(),
        dot_radius: size * style.dot_radius,
        vector: force * style.arrow_m_per_n,
        shaft: if style.arrow_m_per_n > 0.0 {
            0.22 * style.radius
        } else {
            0.0
        },
        color: linear(color),
        half_edge: 0.0,
        axis: if cone { height_m * normal } else { Vec3::ZERO },
        mu: if cone { contact.mu } else { 0.0 },
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
            sides: [
                crate::world::Touched::Strand(0),
                crate::world::Touched::Solid(0),
            ],
            point: [0.0; 3],
            normal: [0.0, 1.0, 0.0],
            force,
            mu: 0.3,
            state,
        }
    }

    const STYLE: ContactStyle = ContactStyle {
        dot_radius: 0.1,
        arrow_m_per_n: 0.5,
        cones: true,
        radius: 0.01,
    };

    #[test]
    fn all_three_states_differ_in_lightness() {
        let luminance = |c| linear(c).dot(Vec3::new(0.2126, 0.7152, 0.0722));
        let [stick, slide, open] = [STICK_COLOR, SLIDE_COLOR, OPEN_COLOR].map(luminance);
        assert!(stick < 0.5 * slide && slide < 0.6 * open);
    }

    #[test]
    fn arrows_are_as_long_as_their_force() {
        let arrow = |n| contact_glyph(&contact(ContactState::Stick, [0.0, n, 0.0]), STYLE);
        assert_eq!(arrow(2.0).vector, 2.0 * arrow(1.0).vector);
        assert!(arrow(1.0).shaft > 0.0);
    }

    #[test]
    fn without_forces_neither_arrow_nor_cone_is_drawn() {
        let style = ContactStyle {
            arrow_m_per_n: 0.0,
            ..STYLE
        };
        let glyph = contact_glyph(&contact(ContactState::Slide, [1.0; 3]), style);
        assert_eq!((glyph.shaft, glyph.vector), (0.0, Vec3::ZERO));
        assert_eq!((glyph.mu, glyph.axis), (0.0, Vec3::ZERO));
    }

    #[test]
    fn a_sliding_force_ends_on_the_rim_of_its_cone_and_a_sticking_one_inside() {
        let tip = |force: [f32; 3]| {
            let glyph = contact_glyph(&contact(ContactState::Slide, force), STYLE);
            let up = glyph.axis.length();
            let beside = (glyph.vector - glyph.axis).length();
            beside / (glyph.mu * up)
        };
        // µ is 0.3.
        assert!((tip([0.6, 2.0, 0.0]) - 1.0).abs() < 1e-5);
        assert!(tip([0.3, 2.0, 0.0]) < 0.6);
    }

    #[test]
    fn a_contact_that_opens_has_no_cone() {
        let glyph = contact_glyph(&contact(ContactState::Open, [0.0; 3]), STYLE);
        assert_eq!((glyph.axis, glyph.mu), (Vec3::ZERO, 0.0));
        assert!(glyph.dot_radius < STYLE.dot_radius);
    }
}
