//! The physics and the command line build without Bevy, egui and wgpu.

use std::process::Command;

#[test]
fn the_core_needs_no_window_crates() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal"])
        .args(["--no-default-features", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && tree.starts_with("prusik "),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in tree.lines() {
        for window in ["bevy", "egui", "wgpu", "winit"] {
            assert!(!line.starts_with(window), "the core depends on {line}");
        }
    }
}
