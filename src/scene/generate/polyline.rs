//! Centrelines from text: one `x y z` per line, metres, separated by blanks or commas; `#` starts a comment.

use nalgebra::Point3;

/// Points nearer to each other than this share of the whole length count as one point given twice.
const REPEATED: f64 = 1e-9;

/// Reads the points, or says on which line what is wrong.
pub(in crate::scene) fn parse_points(text: &str) -> Result<Vec<Point3<f64>>, String> {
    let mut points = Vec::new();
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            points.push(parse_point(line).map_err(|why| format!("line {number}: {why}"))?);
            lines.push(number);
        }
    }
    if points.len() < 2 {
        return Err(format!(
            "it has {} points, but a centreline needs at least two",
            points.len()
        ));
    }
    let least = REPEATED * super::length(&points);
    match points
        .windows(2)
        .position(|p| (p[1] - p[0]).norm() <= least)
    {
        Some(i) => Err(format!("line {}: the same point as before", lines[i + 1])),
        None => Ok(points),
    }
}

fn parse_point(line: &str) -> Result<Point3<f64>, String> {
    let wrong = || {
        let shown: String = line.chars().take(60).collect();
        format!("found \"{shown}\", expected three finite numbers x y z")
    };
    let words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let numbers: Vec<f64> = words
        .map(|word| word.parse::<f64>())
        .collect::<Result<_, _>>()
        .map_err(|_| wrong())?;
    match numbers.as_slice() {
        &[x, y, z] if numbers.iter().all(|v| v.is_finite()) => Ok(Point3::new(x, y, z)),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_commas_and_blank_lines_are_fine() {
        let points = parse_points("# knot\n0 0 0\n\n1,2, 3 # end\n").expect("two points");
        assert_eq!(points, [Point3::origin(), Point3::new(1.0, 2.0, 3.0)]);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text| parse_points(text).unwrap_err();
        assert!(error("0 0 0\n1 2 x\n").starts_with("line 2: found \"1 2 x\""));
        assert!(error("0 0 0\n1 2\n").starts_with("line 2"));
        assert!(error("0 0 0\n1 2 nan\n").starts_with("line 2"));
        assert!(error("0 0 0\n\n1 1 1\n1 1 1\n").starts_with("line 4"));
        assert!(error("0 0 0\n").contains("at least two"));
        assert!(error("").contains("it has 0 points"));
    }
}
