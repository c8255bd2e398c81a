//! Where a field stands in the text of a scene file, and which field stands at a place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The line (from 1) of the field at a dotted path, or of the nearest table around it that is in the text.
pub(super) fn line_of_path(text: &str, path: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut span: Option<Range<usize>> = None;
    let mut keys = path.split('.');
    let mut value = step_into(table.get_ref(), keys.next()?, &mut span);
    for key in keys {
        value = match value? {
            DeValue::Table(table) => step_into(table, key, &mut span),
            DeValue::Array(array) => array.get(key.parse::<usize>().ok()?).map(|item| {
                span = Some(item.span());
                item.get_ref()
            }),
            _ => None,
        };
        if value.is_none() {
            break;
        }
    }
    span.map(|span| line_at(text, span.start))
}

fn step_into<'a, 'i>(
    table: &'a DeTable<'i>,
    key: &str,
    span: &mut Option<Range<usize>>,
) -> Option<&'a DeValue<'i>> {
    let (name, value) = table.iter().find(|(name, _)| name.get_ref() == key)?;
    *span = Some(name.span());
    Some(value.get_ref())
}

/// The dotted path of the innermost field whose key or value covers `span`.
pub(super) fn path_at(text: &str, span: &Range<usize>) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let path = path_in_table(table.get_ref(), span)?;
    Some(path.join("."))
}

fn path_in_table(table: &DeTable<'_>, span: &Range<usize>) -> Option<Vec<String>> {
    // The span of a [table] covers only its header, so children are asked whether or not their parent covers the place.
    for (name, value) in table {
        let key = name.get_ref().to_string();
        if let Some(mut rest) = path_in_value(value, span) {
            rest.insert(0, key);
            return Some(rest);
        }
        if covers(&name.span(), span) {
            return Some(vec![key]);
        }
    }
    None
}

fn path_in_value(value: &Spanned<DeValue<'_>>, span: &Range<usize>) -> Option<Vec<String>> {
    let inside = match value.get_ref() {
        DeValue::Table(table) => path_in_table(table, span),
        DeValue::Array(array) => array.iter().enumerate().find_map(|(i, item)| {
            path_in_value(item, span).map(|mut rest| {
                rest.insert(0, i.to_string());
                rest
            })
        }),
        _ => None,
    };
    inside.or_else(|| covers(&value.span(), span).then(Vec::new))
}

fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && !outer.is_empty()
}

/// The line, from 1, of a byte.
pub(super) fn line_at(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    text.as_bytes()[..byte]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# first\ndt = 1\n\n[rods]\nradius = 2\n\n[[rod]]\nshape = { kind = \"line\",\n  from = [0, 0, 0] }\n[[rod]]\nradius = 3\n";

    #[test]
    fn paths_lead_to_lines() {
        let line = |path| line_of_path(TEXT, path);
        assert_eq!(line("dt"), Some(2));
        assert_eq!(line("rods.radius"), Some(5));
        assert_eq!(line("rod.1.radius"), Some(11));
        assert_eq!(line("rod.0.shape.from"), Some(9));
        assert_eq!(
            line("rod.0.shape.to"),
            Some(8),
            "what is missing is near its table"
        );
        assert_eq!(line("tolerance"), None);
    }

    #[test]
    fn places_lead_to_paths() {
        let at = |needle: &str| {
            let start = TEXT.rfind(needle).expect("in the text");
            path_at(TEXT, &(start..start + needle.len()))
        };
        assert_eq!(at("3").as_deref(), Some("rod.1.radius"));
        assert_eq!(at("from").as_deref(), Some("rod.0.shape.from"));
        assert_eq!(at("dt").as_deref(), Some("dt"));
    }
}
