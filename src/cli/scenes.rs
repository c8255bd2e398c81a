//! `prusik scenes`: what there is to look at.

use prusik::scene::{load, shipped};
use serde_json::json;

use super::args::ScenesArgs;
use super::{Failure, print_line};

/// Prints the scenes that ship with Prusik.
pub(super) fn list(args: &ScenesArgs) -> Result<(), Failure> {
    let mut entries = Vec::new();
    for scene in shipped() {
        entries.push(load(scene.name, &[]).map_err(Failure::new)?);
    }
    if args.json {
        let list: Vec<_> = entries
            .iter()
            .map(|s| json!({ "name": s.name, "title": s.title, "watch": s.watch, "time_s": s.time_s }))
            .collect();
        print_line(json!({ "scenes": list }))?;
    } else {
        for scene in entries {
            print_line(format_args!(
                "{:<10} {}\n           {}",
                scene.name, scene.title, scene.watch
            ))?;
        }
    }
    Ok(())
}
