//! The size of letters and buttons: as the system says, larger in a very large window, or as the user chose.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;

use super::preferences::Scale;

/// The least and the greatest size that can be chosen.
const RANGE: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// A window of so many points in height still gets the size that the system says.
const USUAL_HEIGHT: f32 = 960.0;

/// Keeps the size.
pub struct ScalingPlugin;

impl Plugin for ScalingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Scale>().add_systems(First, set_scale);
    }
}

fn set_scale(chosen: Res<Scale>, mut windows: Query<&mut Window, With<PrimaryWindow>>) {
    for mut window in &mut windows {
        let base = window.resolution.base_scale_factor();
        let height = window.physical_height() as f32 / base;
        let scale = base * chosen.0.map_or_else(|| suiting(height), within);
        // Written only when it changes: a change of the window makes everything be laid out again.
        if (window.scale_factor() - scale).abs() > 1e-3 {
            window.resolution.set_scale_factor_override(Some(scale));
        }
    }
}

fn within(scale: f32) -> f32 {
    scale.clamp(*RANGE.start(), *RANGE.end())
}

/// A size that suits a window of this height in the system's points, in quarters.
fn suiting(height: f32) -> f32 {
    let quarters = (4.0 * height / USUAL_HEIGHT).floor();
    (0.25 * quarters).clamp(1.0, 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_windows_keep_the_size_of_the_system_and_huge_ones_are_magnified() {
        let scales = [480.0, 720.0, 1080.0, 1440.0, 2160.0, 5000.0].map(suiting);
        assert_eq!(scales, [1.0, 1.0, 1.0, 1.5, 2.0, 2.0]);
    }
}
