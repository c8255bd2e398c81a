//! `--set path=value`: changes to a scene before it is built.
//!
//! A path is a list of names and array indices, joined by dots. The value is TOML (`0.3`, `[0, -9.81, 0]`, `true`); what
//! is not TOML is taken as a word, so that `solver=gs-fb` needs no quotes.

use toml::{Table, Value};

/// One parsed `--set`.
#[derive(Clone, Debug)]
pub(super) struct Set {
    /// As it was typed, for messages.
    pub text: String,
    /// The part before `=`.
    pub path: String,
    value: Value,
}

impl Set {
    /// Splits `path=value`, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("--set {text}: expected path=value, such as friction.default=0.3");
        let (path, value) = text.split_once('=').ok_or_else(wrong)?;
        let (path, value) = (path.trim(), value.trim());
        if path.is_empty() || path.split('.').any(str::is_empty) || value.is_empty() {
            return Err(wrong());
        }
        let value = toml::from_str::<Table>(&format!("value = {value}"))
            .ok()
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(value.to_owned()));
        Ok(Self {
            text: text.to_owned(),
            path: path.to_owned(),
            value,
        })
    }

    /// Writes the value into the table. `rods.X` also clears the overrides of X in every `[[rod]]`; a radius takes the
    /// place of a section, and the other way round.
    pub fn apply(&self, root: &mut Table) -> Result<(), String> {
        let keys: Vec<&str> = self.path.split('.').collect();
        place(root, &keys, &self.value).map_err(|why| format!("--set {}: {why}", self.text))?;
        match keys.as_slice() {
            ["rods", field, ..] => {
                remove(root.get_mut("rods"), alternative(field));
                for rod in root
                    .get_mut("rod")
                    .and_then(Value::as_array_mut)
                    .into_iter()
                    .flatten()
                {
                    remove(Some(rod), Some(field));
                    remove(Some(rod), alternative(field));
                }
            }
            ["rod", index, field, ..] => {
                let rod = root.get_mut("rod").and_then(|rods| {
                    let index: usize = index.parse().ok()?;
                    rods.as_array_mut()?.get_mut(index)
                });
                remove(rod, alternative(field));
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether an error in the field `path` can come from this.
    pub fn touches(&self, path: &str) -> bool {
        let (short, long) = if self.path.len() < path.len() {
            (self.path.as_str(), path)
        } else {
            (path, self.path.as_str())
        };
        long.strip_prefix(short)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// The field that gives the same thing in another way.
fn alternative(field: &str) -> Option<&'static str> {
    match field {
        "radius" => Some("section"),
        "section" => Some("radius"),
        _ => None,
    }
}

fn remove(from: Option<&mut Value>, field: Option<&str>) {
    if let (Some(table), Some(field)) = (from.and_then(Value::as_table_mut), field) {
        table.remove(field);
    }
}

/// Walks down `keys`, makes tables where there are none, and puts the value at the end.
fn place(table: &mut Table, keys: &[&str], value: &Value) -> Result<(), String> {
    match keys {
        [] => Ok(()),
        [last] => {
            table.insert((*last).to_owned(), value.clone());
            Ok(())
        }
        // An index into a list that the scene does not have would make a table of that name.
        [first, next, ..] if !table.contains_key(*first) && next.parse::<usize>().is_ok() => {
            Err(format!("this scene has no {first}"))
        }
        [first, rest @ ..] => {
            let inner = table
                .entry((*first).to_owned())
                .or_insert_with(|| Value::Table(Table::new()));
            place_in_value(inner, first, rest, value)
        }
    }
}

fn place_in_value(
    inner: &mut Value,
    name: &str,
    keys: &[&str],
    value: &Value,
) -> Result<(), String> {
    match inner {
        Value::Table(table) => place(table, keys, value),
        Value::Array(array) => {
            let length = array.len();
            let (index, rest) = keys.split_first().ok_or("the path is too short")?;
            let item = index
                .parse::<usize>()
                .ok()
                .and_then(|index| array.get_mut(index))
                .ok_or_else(|| {
                    format!("{name} has {length} entries, from 0; there is none called {index}")
                })?;
            if rest.is_empty() {
                *item = value.clone();
                Ok(())
            } else {
                place_in_value(item, index, rest, value)
            }
        }
        _ => Err(format!(
            "{name} is a single value and has no field {}",
            keys.join(".")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, set: &str) -> Result<Table, String> {
        let mut table: Table = toml::from_str(text).expect("valid");
        Set::parse(set)?.apply(&mut table)?;
        Ok(table)
    }

    #[test]
    fn values_are_toml_or_words() {
        let value = |text: &str| Set::parse(text).expect("valid").value;
        assert_eq!(value("a=0.5"), Value::Float(0.5));
        assert_eq!(value("a = [1, 2]"), Value::Array(vec![1.into(), 2.into()]));
        assert_eq!(value("a=gs-fb"), Value::String("gs-fb".into()));
        assert_eq!(value("a=a=b.txt"), Value::String("a=b.txt".into()));
        assert!(value("a=nan").as_float().expect("a float").is_nan());
    }

    #[test]
    fn a_path_without_value_is_refused() {
        for text in ["dt", "=3", "dt=", "a..b=1"] {
            assert!(Set::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn absent_tables_are_made_and_arrays_are_indexed() {
        let table = applied("[[body]]\nshape = { radius = 1 }", "body.0.shape.radius=2").unwrap();
        assert_eq!(table["body"][0]["shape"]["radius"].as_integer(), Some(2));
        assert_eq!(
            applied("", "friction.default=1").unwrap()["friction"]["default"].as_integer(),
            Some(1)
        );
        let error = applied("[[body]]\n", "body.3.radius=2").unwrap_err();
        assert!(error.contains("body has 1 entries"), "{error}");
        assert!(applied("dt = 1", "dt.x=2").is_err());
        let error = applied("dt = 1", "hold.0.at=0.5").unwrap_err();
        assert!(error.ends_with("this scene has no hold"), "{error}");
    }

    #[test]
    fn a_value_for_all_rods_clears_what_single_rods_say() {
        let text = "[[rod]]\nradius = 1\n[[rod]]\nradius = 2\nelements = 3";
        let table = applied(text, "rods.radius=5").unwrap();
        assert_eq!(table["rods"]["radius"].as_integer(), Some(5));
        assert!(table["rod"][0].get("radius").is_none());
        assert!(table["rod"][1].get("radius").is_none());
        assert_eq!(table["rod"][1]["elements"].as_integer(), Some(3));
    }
}
