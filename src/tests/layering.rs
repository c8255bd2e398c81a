//! Who may use whom: every `crate::` path in the sources, held against the table of layers.

use std::fs;
use std::path::{Path, PathBuf};

/// module → what it may use besides itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("geometry", &["math"]),
    ("body", &["math", "geometry"]),
    ("contact", &["math", "geometry"]),
    ("friction", &["math"]),
    (
        "world",
        &["math", "geometry", "body", "contact", "friction"],
    ),
    (
        "scene",
        &["math", "geometry", "body", "contact", "friction", "world"],
    ),
    // A record is the record of a scene's run.
    (
        "record",
        &[
            "math", "geometry", "body", "contact", "friction", "world", "scene",
        ],
    ),
    // Solvers are compared on the problems of a scene's run.
    (
        "bench",
        &[
            "math", "geometry", "body", "contact", "friction", "world", "scene", "record",
        ],
    ),
    // A protocol runs scenes and writes plots.
    (
        "validation",
        &[
            "math", "geometry", "body", "contact", "friction", "world", "scene", "record",
        ],
    ),
    // A session is a scene and what was done to it.
    (
        "session",
        &[
            "math", "geometry", "body", "contact", "friction", "world", "scene",
        ],
    ),
    // The solver thread records sessions and plays them.
    (
        "runner",
        &[
            "math", "geometry", "body", "contact", "friction", "world", "session",
        ],
    ),
    // Of the lower layers the window knows what scenes and snapshots are written in: shapes, and the lists of choices.
    (
        "app",
        &[
            "runner", "session", "scene", "record", "world", "geometry", "friction", "contact",
            "body",
        ],
    ),
];

/// Parts of the crate that stand outside the layers: pages of documentation, the tests, and the binary.
const OUTSIDE: [&str; 5] = ["notation", "references", "tests", "cli", "lib"];

/// Plain data of the lower layers that the window may name; their insides it must not know.
const PLAIN_DATA: [&str; 12] = [
    "geometry::Ray",
    "geometry::Shape",
    "friction::SolverKind",
    "friction::Family",
    "friction::Stage",
    "friction::StopReason",
    "contact::DetectorKind",
    "body::RodModel",
    "body::NaturalShape",
    "body::RodMaterial",
    "body::Section",
    "body::SectionShape",
];

fn sources() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The top-level module of a source file: the first part of its path below `src`.
fn module_of(file: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let below = file.strip_prefix(src).expect("below src");
    let first = below.components().next().expect("not empty");
    let name = first.as_os_str().to_string_lossy();
    name.trim_end_matches(".rs").to_owned()
}

/// What a file names after `crate::`, comments (which may point anywhere) left out: `world::Edit`, `world::{Edit, …}`.
fn uses(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .collect::<Vec<_>>()
        .join(" ");
    code.split("crate::")
        .skip(1)
        .flat_map(|rest| names(rest, ""))
        .collect()
}

/// The paths that start a piece of code, braces spelled out one level at a time.
fn names(code: &str, prefix: &str) -> Vec<String> {
    let code = code.trim_start();
    if let Some(inner) = code.strip_prefix('{') {
        return split_braces(inner)
            .iter()
            .flat_map(|part| names(part, prefix))
            .collect();
    }
    let end = code
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(code.len());
    let path = format!("{prefix}{}", &code[..end]);
    match code[end..].strip_prefix("::") {
        Some(rest) if prefix.matches("::").count() < 1 => names(rest, &format!("{path}::")),
        _ => vec![path],
    }
}

/// The parts between commas up to the closing brace.
fn split_braces(code: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0);
    for c in code.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part));
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    parts.push(part);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[test]
fn layers_use_only_what_lies_below_them() {
    let mut wrong = Vec::new();
    for file in sources() {
        let module = module_of(&file);
        if module == "main" || OUTSIDE.contains(&module.as_str()) {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            panic!(
                "{} is in no layer: add {module} to the table",
                file.display()
            );
        };
        let text = fs::read_to_string(&file).expect("text");
        for used in uses(&text) {
            let target = used.split("::").next().unwrap_or_default();
            let known = MAY_USE.iter().any(|(name, _)| *name == target);
            let lower = ["geometry", "friction", "contact", "body"].contains(&target);
            let allowed_here = target == module
                || allowed.contains(&target)
                    && !(module == "app" && lower && !PLAIN_DATA.contains(&used.as_str()));
            if known && !allowed_here {
                wrong.push(format!("{}: {module} uses {used}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn braces_and_comments_are_understood() {
    let text = "use crate::{world::{Edit, Hand}, body}; // crate::app\nfn f() { crate::math::angle::cut(1) }";
    assert_eq!(
        uses(text),
        ["world::Edit", "world::Hand", "body", "math::angle"]
    );
}
