//! From a name or a path to a scene, and from whatever goes wrong to one sentence.

use std::path::Path;

use serde::Deserialize;
use toml::Table;

use super::build::build;
use super::check::FieldError;
use super::file::SceneFile;
use super::import::{endings, scene_around};
use super::locate::{line_at, line_of_path, path_at};
use super::set::Set;
use super::{Origin, Scene, shipped};
use crate::world::SpecError;

/// Loads a scene: the name of a shipped one, or the path of a file that is a scene or is opened as one (see
/// [`super::opens`]); `sets` are `path=value` changes.
pub fn load(name_or_path: &str, sets: &[String]) -> Result<Scene, SpecError> {
    let mut scene = find(name_or_path, sets)?;
    scene.origin = Origin {
        name_or_path: name_or_path.to_owned(),
        sets: sets.to_vec(),
    };
    Ok(scene)
}

fn find(name_or_path: &str, sets: &[String]) -> Result<Scene, SpecError> {
    if let Some(scene) = shipped().iter().find(|scene| scene.name == name_or_path) {
        let source = Source {
            shown: format!("scenes/{}.toml", scene.name),
            text: scene.toml,
            made: false,
            folder: None,
        };
        return source.load(scene.name, sets);
    }
    let path = Path::new(name_or_path);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.exists();
    if !is_path {
        let names: Vec<&str> = shipped().iter().map(|scene| scene.name).collect();
        return Err(SpecError(format!(
            "there is no scene \"{name_or_path}\"; give one of {} or the path of a file that ends in {}",
            names.join(", "),
            endings()
        )));
    }
    let made = scene_around(path);
    let is_made = made.is_some();
    let text = match made {
        Some(made) => made.map_err(|why| SpecError(format!("{name_or_path}: {why}")))?,
        None => std::fs::read_to_string(path).map_err(|error| {
            SpecError(format!(
                "the scene file {name_or_path} cannot be read: {error}"
            ))
        })?,
    };
    let source = Source {
        shown: name_or_path.to_owned(),
        text: &text,
        made: is_made,
        folder: path.parent(),
    };
    let name = path.file_stem().unwrap_or(path.as_os_str());
    source.load(&name.to_string_lossy(), sets)
}

/// A scene's text and where it comes from.
struct Source<'a> {
    /// The file name for messages.
    shown: String,
    text: &'a str,
    /// Whether the text was made around the file, so that its lines are not the file's.
    made: bool,
    /// Where files that it names are looked for first.
    folder: Option<&'a Path>,
}

impl Source<'_> {
    fn load(&self, name: &str, sets: &[String]) -> Result<Scene, SpecError> {
        // The text goes first and alone: only its own errors know their line.
        let mut file: SceneFile =
            toml::from_str(self.text).map_err(|error| self.text_error(&error))?;
        let sets: Vec<Set> = sets
            .iter()
            .map(|set| Set::parse(set))
            .collect::<Result<_, _>>()
            .map_err(SpecError)?;
        let mut table: Table =
            toml::from_str(self.text).map_err(|error| self.text_error(&error))?;
        for set in &sets {
            set.apply(&mut table).map_err(SpecError)?;
            file = SceneFile::deserialize(table.clone())
                .map_err(|error| set_error(&set.text, &error))?;
        }
        build(name, &file, self.folder).map_err(|error| self.field_error(&error, &sets))
    }

    /// A name or a type is wrong in the text.
    fn text_error(&self, error: &toml::de::Error) -> SpecError {
        let message = one_line(error.message());
        let Some(span) = error.span() else {
            return SpecError(format!("{}: {message}", self.shown));
        };
        let line = line_at(self.text, span.start);
        // What is missing from the whole file has the whole file as its place; that is no field.
        let path = path_at(self.text, &span).filter(|path| !path.is_empty());
        let field = path.map(|path| format!("{path}: ")).unwrap_or_default();
        SpecError(format!("{}, line {line}: {field}{message}", self.shown))
    }

    /// A value is wrong: blame the `--set` that wrote it, or the line where it stands.
    fn field_error(&self, error: &FieldError, sets: &[Set]) -> SpecError {
        let FieldError { path, problem } = error;
        if let Some(set) = sets.iter().rev().find(|set| set.touches(path)) {
            return SpecError(format!("--set {}: {path} {problem}", set.text));
        }
        let place = match line_of_path(self.text, path) {
            Some(line) if !self.made => format!("{}, line {line}", self.shown),
            _ => self.shown.clone(),
        };
        SpecError(format!("{place}: {path} {problem}"))
    }
}

fn set_error(set: &str, error: &toml::de::Error) -> SpecError {
    // Without a text the error's own display says "in `rods.radius`" on a second line.
    SpecError(format!("--set {set}: {}", one_line(&error.to_string())))
}

fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}
