//! Numbers as people write them: `4 GPa`, `0.5 mm`, and back. What is edited stays in SI units.

/// Prefixes by their power of ten.
const PREFIXES: [(&str, i32); 9] = [
    ("n", -9),
    ("µ", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
];

/// A value with three digits, the prefix that suits it, and its unit.
pub fn si(value: f64, unit: &str) -> String {
    // Adding nothing makes 0 of −0.
    let (value, size) = (value + 0.0, value.abs());
    if size == 0.0 || !size.is_finite() {
        return format!("{value} {unit}");
    }
    let power = (3.0 * ((size * (1.0 + 1e-9)).log10() / 3.0).floor()) as i32;
    let power = power.clamp(-9, 15);
    let prefix = PREFIXES.iter().find(|(_, p)| *p == power);
    let prefix = prefix.map_or("", |(name, _)| name);
    format!("{} {prefix}{unit}", digits(value / 10_f64.powi(power)))
}

/// Three digits that count, without zeros that do not.
pub fn digits(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        let text = format!("{value:.2e}");
        return text.replace(".00e", "e");
    }
    let whole = if size >= 1.0 {
        size.log10().floor() as i32
    } else {
        // Small numbers keep three digits after their zeros.
        size.max(1e-4).log10().floor() as i32
    };
    let places = (2 - whole).max(0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Reads `4 GPa`, `4G`, `4e9`, `0,5 mm`; a number without prefix or unit is in the unit itself.
pub fn parse_si(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".").replace('−', "-");
    let text = text.replace('μ', "µ");
    let text = text.strip_suffix(unit).unwrap_or(&text).trim();
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    let (last, prefix) = text.char_indices().last()?;
    let typed = prefix.to_string();
    // Micro is hard to type.
    let typed = if typed == "u" { "µ" } else { typed.as_str() };
    let (_, power) = PREFIXES.iter().find(|(name, _)| *name == typed)?;
    let value: f64 = text[..last].trim().parse().ok()?;
    Some(value * 10_f64.powi(*power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_prefix_that_suits_them() {
        assert_eq!(si(4e9, "Pa"), "4 GPa");
        assert_eq!(si(1.25e5, "Pa"), "125 kPa");
        assert_eq!(si(5e-4, "m"), "500 µm");
        assert_eq!(si(0.0, "N"), "0 N");
        assert_eq!(si(-0.0, "N"), "0 N");
        assert_eq!(si(1000.0, "Pa"), "1 kPa");
        assert_eq!(si(-0.002, "N"), "-2 mN");
    }

    #[test]
    fn three_digits_count() {
        assert_eq!(digits(0.3), "0.3");
        assert_eq!(digits(1234.6), "1235");
        assert_eq!(digits(0.012_345), "0.0123");
        assert_eq!(digits(12.0), "12");
        assert_eq!(digits(1e-6), "1e-6");
    }

    #[test]
    fn what_is_shown_can_be_typed() {
        for value in [4e9, 1.25e5, 5e-4, 2.5, 7e11, 40e-6] {
            for unit in ["Pa", "m", "kg"] {
                let read = parse_si(&si(value, unit), unit).expect("a number");
                assert!((read / value - 1.0).abs() < 1e-12, "{value} {unit}: {read}");
            }
        }
        assert_eq!(parse_si("4G", "Pa"), Some(4e9));
        assert_eq!(parse_si("0,5 mm", "m"), Some(5e-4));
        assert_eq!(parse_si("3 um", "m"), Some(3e-6));
        assert_eq!(parse_si("2 m", "m"), Some(2.0));
        assert_eq!(parse_si("soft", "Pa"), None);
    }
}
