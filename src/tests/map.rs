//! The map of `src/` in the README is the folder.

use std::fs;

#[test]
fn the_map_in_the_readme_is_true() {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = fs::read_to_string(format!("{root}/README.md")).expect("README.md");
    let mut listed: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("/` |"))
        .map(|(folder, _)| folder)
        .collect();
    let mut folders: Vec<String> = fs::read_dir(format!("{root}/src"))
        .expect("src/")
        .map(|entry| entry.expect("readable"))
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    listed.sort_unstable();
    folders.sort();
    assert_eq!(listed, folders);
}
