//! The lines of a session file, written and read. What is wrong is said with the line it stands on.

use serde::Deserialize;
use toml::{Table, Value};

use super::{Event, Head, Session};
use crate::world::Edit;

/// What the first line starts with.
const MAGIC: &str = "prusik session ";
/// The version that is written, and the newest that can be read.
const VERSION: u32 = 1;

/// The first lines of a file.
pub(super) fn head(head: &Head) -> String {
    // A head is three texts and a truth value, which TOML can always say.
    let fields = toml::to_string(head).unwrap_or_default();
    format!("{MAGIC}{VERSION}\n{fields}")
}

/// One line.
pub(super) fn line(step: u64, event: &Event) -> String {
    match event {
        Event::Edit(edit) => format!("{step} {}\n", edit_text(edit)),
        Event::Hash(hash) => format!("{step} hash = \"{hash:016x}\"\n"),
        Event::End(hash) => format!("{step} end = \"{hash:016x}\"\n"),
    }
}

/// `name = value`; an edit without a value is `name = true`.
fn edit_text(edit: &Edit) -> String {
    match Value::try_from(edit) {
        Ok(Value::Table(table)) => {
            let fields = table
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            fields.collect::<Vec<_>>().join(" ")
        }
        Ok(Value::String(name)) => format!("{name} = true"),
        // Edits are plain data of numbers, names and lists, all of which TOML has.
        Ok(_) | Err(_) => "# an edit that cannot be written".to_owned(),
    }
}

fn read_edit(name: &str, value: Value) -> Result<Edit, String> {
    let is_flag = value == Value::Boolean(true);
    let table = Table::from_iter([(name.to_owned(), value)]);
    Edit::deserialize(Value::Table(table)).or_else(|error| {
        let without_value = Edit::deserialize(Value::String(name.to_owned()));
        match without_value {
            Ok(edit) if is_flag => Ok(edit),
            _ => Err(one_line(&error.to_string())),
        }
    })
}

/// Reads a whole file; the error goes on from the file's name.
pub(super) fn parse(text: &str) -> Result<Session, String> {
    check_version(text)?;
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    let is_event = |line: &str| line.starts_with(|c: char| c.is_ascii_digit());
    let head_end = body
        .split_inclusive('\n')
        .take_while(|line| !is_event(line))
        .map(str::len)
        .sum::<usize>();
    let (head, events) = body.split_at(head_end);
    let first_line = 2 + head.lines().count();
    let head: Head = toml::from_str(head).map_err(|error| {
        let what = one_line(error.message());
        format!(" says wrongly what it was done to: {what}")
    })?;
    Ok(Session {
        head,
        events: read_events(events, first_line)?,
    })
}

fn check_version(text: &str) -> Result<(), String> {
    let first = text.lines().next().unwrap_or_default();
    let Some(version) = first.strip_prefix(MAGIC) else {
        return Err(format!(
            " is not a session of Prusik: its first line would be \"{MAGIC}{VERSION}\""
        ));
    };
    match version.trim().parse::<u32>() {
        Ok(version) if version <= VERSION => Ok(()),
        Ok(version) => Err(format!(
            " is of version {version}, this program reads up to {VERSION}: a newer one is needed to play it"
        )),
        Err(_) => Err(format!(
            ", line 1: \"{}\" is no version number",
            version.trim()
        )),
    }
}

fn read_events(text: &str, first_line: usize) -> Result<Vec<(u64, Event)>, String> {
    let mut events: Vec<(u64, Event)> = Vec::new();
    for (k, line) in text.split_inclusive('\n').enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |what: String| format!(", line {}: {what}", first_line + k);
        let (step, event) = match read_line(line) {
            Ok(event) => event,
            // The file ends inside this line: it was being written when the recording broke off.
            Err(_) if !line.ends_with('\n') => break,
            Err(what) => return Err(at(what)),
        };
        let before = events.last().map_or(0, |(step, _)| *step);
        if step < before {
            return Err(at(format!("step {step} comes after step {before}")));
        }
        if let Some((end, Event::End(_))) = events.last() {
            return Err(at(format!("the session has ended at step {end}")));
        }
        events.push((step, event));
    }
    Ok(events)
}

fn read_line(line: &str) -> Result<(u64, Event), String> {
    let wrong = || "expected a step and what happened then".to_owned();
    let (step, rest) = line.trim().split_once(' ').ok_or_else(wrong)?;
    let step = step.parse().map_err(|_| wrong())?;
    let table: Table = toml::from_str(rest).map_err(|error| one_line(error.message()))?;
    let mut fields = table.into_iter();
    let (Some((name, value)), None) = (fields.next(), fields.next()) else {
        return Err(wrong());
    };
    let event = match name.as_str() {
        "hash" => Event::Hash(read_hash(&value)?),
        "end" => Event::End(read_hash(&value)?),
        _ => Event::Edit(read_edit(&name, value)?),
    };
    Ok((step, event))
}

fn read_hash(value: &Value) -> Result<u64, String> {
    let digits = value.as_str().unwrap_or_default();
    u64::from_str_radix(digits, 16)
        .map_err(|_| format!("{value} is no hash: 16 hexadecimal digits"))
}

fn one_line(message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}
