//! Line plots as SVG: panels in rows, each with axes, ticks, lines and a legend.
//!
//! ```text
//!   title
//!   y ┌──────────┐  ── name      y ┌──────────┐
//!     │    ╱‾‾   │  ┄┄ name        │  ~~~     │
//!     └──────────┘                 └──────────┘
//!          x                            x
//! ```

use std::fmt::Write;
use std::path::Path;

/// Colours that are told apart with any eyes \[Okabe08\], the first for theory.
pub const COLORS: [&str; 8] = [
    "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f",
];

/// Size of the inside of a panel, and of the room around it, px.
const WIDE: f64 = 520.0;
const HIGH: f64 = 380.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 220.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 60.0;
/// Room for the title of the page, px.
const HEAD: f64 = 36.0;
/// Ticks of an axis, about.
const TICKS: f64 = 6.0;

/// A page of panels.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// Above everything.
    pub title: String,
    /// Panels in a row; all of them for 0.
    pub per_row: usize,
    /// From left to right, row by row.
    pub panels: Vec<Panel>,
}

/// One pair of axes with its lines.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// What x is, with its unit.
    pub x: String,
    /// What y is, with its unit.
    pub y: String,
    /// Lowest and highest y; what the lines need, if not given.
    pub y_range: Option<[f64; 2]>,
    /// The lines, later ones above earlier ones.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// In the legend; lines without a name are not in it.
    pub name: String,
    /// Place in [`COLORS`].
    pub color: usize,
    /// Dashed rather than drawn through.
    pub dashed: bool,
    /// What is not finite interrupts the line.
    pub points: Vec<[f64; 2]>,
}

impl Plot {
    /// The page as SVG.
    pub fn svg(&self) -> String {
        let count = self.panels.len().max(1);
        let columns = match self.per_row {
            0 => count,
            columns => columns.min(count),
        };
        let width = columns as f64 * (LEFT + WIDE + RIGHT);
        let height = HEAD + count.div_ceil(columns) as f64 * (TOP + HIGH + BOTTOM);
        let mut out = Svg::default();
        out.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="13">"#
        ));
        out.line(format_args!(
            r#"<rect width="{width}" height="{height}" fill="white"/>"#
        ));
        out.text(
            (LEFT, 24.0),
            r#"font-size="17" font-weight="bold""#,
            &self.title,
        );
        for (i, panel) in self.panels.iter().enumerate() {
            let corner = (
                LEFT + (i % columns) as f64 * (LEFT + WIDE + RIGHT),
                HEAD + TOP + (i / columns) as f64 * (TOP + HIGH + BOTTOM),
            );
            panel.draw(corner, &mut out);
        }
        out.line(format_args!("</svg>"));
        out.0
    }

    /// Writes the page to a file. Errors are sentences.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, self.svg())
            .map_err(|error| format!("the file {} cannot be written: {error}", path.display()))
    }
}

impl Panel {
    fn draw(&self, (left, top): (f64, f64), out: &mut Svg) {
        let x = Axis::new(self.extent(0), [left, left + WIDE]);
        let y = Axis::new(
            self.y_range.unwrap_or_else(|| self.extent(1)),
            [top + HIGH, top],
        );
        self.draw_axes(&x, &y, out);
        for line in &self.lines {
            line.draw(&x, &y, out);
        }
        let named = self.lines.iter().filter(|line| !line.name.is_empty());
        for (row, line) in named.enumerate() {
            let (from, at) = (left + WIDE + 12.0, top + 10.0 + 20.0 * row as f64);
            out.line(format_args!(
                r#"<line x1="{from}" y1="{at}" x2="{}" y2="{at}" stroke-width="2" {}/>"#,
                from + 26.0,
                line.stroke()
            ));
            out.text((from + 32.0, at + 4.0), "", &line.name);
        }
    }

    fn draw_axes(&self, x: &Axis, y: &Axis, out: &mut Svg) {
        let [left, right] = x.pixels;
        let [bottom, top] = y.pixels;
        for tick in x.ticks() {
            let at = x.place(tick);
            out.line(format_args!(
                r##"<line x1="{at:.2}" y1="{bottom}" x2="{at:.2}" y2="{top}" stroke="#e4e4e4"/>"##
            ));
            out.text(
                (at, bottom + 18.0),
                r#"text-anchor="middle""#,
                &x.label(tick),
            );
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            out.line(format_args!(
                r##"<line x1="{left}" y1="{at:.2}" x2="{right}" y2="{at:.2}" stroke="#e4e4e4"/>"##
            ));
            out.text(
                (left - 6.0, at + 4.0),
                r#"text-anchor="end""#,
                &y.label(tick),
            );
        }
        out.line(format_args!(
            r##"<rect x="{left}" y="{top}" width="{WIDE}" height="{HIGH}" fill="none" stroke="#404040"/>"##
        ));
        let middle = (0.5 * (left + right), 0.5 * (top + bottom));
        out.text((left, top - 10.0), r#"font-weight="bold""#, &self.title);
        out.text(
            (middle.0, bottom + 42.0),
            r#"text-anchor="middle""#,
            &self.x,
        );
        out.line(format_args!(
            r#"<g transform="translate({} {}) rotate(-90)">"#,
            left - 58.0,
            middle.1
        ));
        out.text((0.0, 0.0), r#"text-anchor="middle""#, &self.y);
        out.line(format_args!("</g>"));
    }

    /// Smallest and largest finite coordinate of all lines.
    fn extent(&self, coordinate: usize) -> [f64; 2] {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let values = points.map(|point| point[coordinate]);
        values
            .filter(|value| value.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            })
    }
}

impl Line {
    /// Draws what is inside the panel: not every viewer clips.
    fn draw(&self, x: &Axis, y: &Axis, out: &mut Svg) {
        let place = |point: &[f64; 2]| [x.place(point[0]), y.place(point[1])];
        let inside = [x.pixels, y.pixels].map(|[p, q]| [p.min(q), p.max(q)]);
        let mut run: Vec<[f64; 2]> = Vec::new();
        for pair in self.points.windows(2) {
            let Some([from, to]) = clipped([place(&pair[0]), place(&pair[1])], inside) else {
                self.polyline(&mut run, out);
                continue;
            };
            if run.last() != Some(&from) {
                self.polyline(&mut run, out);
                run.push(from);
            }
            run.push(to);
        }
        self.polyline(&mut run, out);
    }

    /// Writes a run of points and forgets it.
    fn polyline(&self, run: &mut Vec<[f64; 2]>, out: &mut Svg) {
        if run.is_empty() {
            return;
        }
        let mut path = String::new();
        for [px, py] in run.iter() {
            // Writing into a string cannot fail.
            let _ = write!(path, "{px:.2},{py:.2} ");
        }
        out.line(format_args!(
            r#"<polyline fill="none" stroke-width="1.5" {} points="{}"/>"#,
            self.stroke(),
            path.trim_end()
        ));
        run.clear();
    }

    fn stroke(&self) -> String {
        let color = COLORS[self.color % COLORS.len()];
        let dash = if self.dashed {
            r#" stroke-dasharray="6 4""#
        } else {
            ""
        };
        format!(r#"stroke="{color}"{dash}"#)
    }
}

/// The part of a segment that lies in a box; none if there is none, or if the segment is not finite (Liang and Barsky).
fn clipped([p, q]: [[f64; 2]; 2], inside: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for c in 0..2 {
        let way = q[c] - p[c];
        if !way.is_finite() {
            return None;
        }
        let [low, high] = inside[c];
        if way == 0.0 {
            if p[c] < low || p[c] > high {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - p[c]) / way, (high - p[c]) / way);
        from = from.max(a.min(b));
        to = to.min(a.max(b));
    }
    let at = |t: f64| [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
    // The ends themselves stay as they are, to the last bit, so that segments join.
    let start = if from == 0.0 { p } else { at(from) };
    let end = if to == 1.0 { q } else { at(to) };
    (from <= to).then_some([start, end])
}

/// From values to pixels.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    pixels: [f64; 2],
}

impl Axis {
    fn new([low, high]: [f64; 2], pixels: [f64; 2]) -> Self {
        // Nothing to show, or all of it at one place.
        let (low, high) = match (low.is_finite() && high.is_finite(), high > low) {
            (false, _) => (0.0, 1.0),
            (true, false) => (
                low - 0.5 * low.abs().max(1e-3),
                low + 0.5 * low.abs().max(1e-3),
            ),
            (true, true) => (low, high),
        };
        let room = 0.03 * (high - low);
        Self {
            low: low - room,
            high: high + room,
            step: round_step((high - low) / TICKS),
            pixels,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        let [from, to] = self.pixels;
        from + (to - from) * share
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step).ceil() as i64;
        let last = (self.high / self.step).floor() as i64;
        let step = self.step;
        (first..=last).map(move |i| i as f64 * step)
    }

    /// As many decimals as the step needs.
    fn label(&self, tick: f64) -> String {
        let decimals = (-self.step.log10()).ceil().max(0.0) as usize;
        if decimals > 6 || tick.abs() >= 1e6 {
            return format!("{tick:.1e}");
        }
        format!("{tick:.decimals$}")
    }
}

/// The nearest of 1, 2, 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let digit = step / power;
    power
        * [1.0, 2.0, 5.0]
            .into_iter()
            .find(|&round| digit <= 1.2 * round)
            .unwrap_or(10.0)
}

#[derive(Default)]
struct Svg(String);

impl Svg {
    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn text(&mut self, (x, y): (f64, f64), how: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        self.line(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" {how}>{text}</text>"#
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(points: Vec<[f64; 2]>) -> Panel {
        Panel {
            x: "x (m)".into(),
            y: "a < b & c".into(),
            lines: vec![Line {
                name: "one".into(),
                points,
                ..Line::default()
            }],
            ..Panel::default()
        }
    }

    fn svg(points: Vec<[f64; 2]>) -> String {
        let panels = vec![panel(points)];
        Plot {
            title: "Test".into(),
            panels,
            ..Plot::default()
        }
        .svg()
    }

    #[test]
    fn a_plot_has_its_axes_its_lines_and_its_legend() {
        let text = svg(vec![[0.0, 0.0], [1.0, 2.0]]);
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert!(text.contains("x (m)") && text.contains("a &lt; b &amp; c"));
        assert_eq!(text.matches("<polyline").count(), 1);
        assert!(text.contains(">one</text>") && text.contains(">0.5</text>"));
    }

    #[test]
    fn what_is_not_finite_interrupts_the_line() {
        let nothing = [1.0, f64::NAN];
        let text = svg(vec![
            [0.0, 0.0],
            [0.5, 1.0],
            nothing,
            [2.0, 1.0],
            [3.0, 2.0],
        ]);
        assert_eq!(text.matches("<polyline").count(), 2);
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }

    #[test]
    fn what_leaves_the_panel_is_cut_off_at_its_edge() {
        let inside = [[0.0, 10.0], [0.0, 10.0]];
        let cut = |p, q| clipped([p, q], inside);
        assert_eq!(cut([1.0, 1.0], [2.0, 3.0]), Some([[1.0, 1.0], [2.0, 3.0]]));
        assert_eq!(
            cut([5.0, 5.0], [5.0, 20.0]),
            Some([[5.0, 5.0], [5.0, 10.0]])
        );
        assert_eq!(
            cut([-5.0, 5.0], [15.0, 5.0]),
            Some([[0.0, 5.0], [10.0, 5.0]])
        );
        assert_eq!(cut([-5.0, 0.0], [0.0, 20.0]), None);
        assert_eq!(cut([5.0, 5.0], [5.0, f64::NAN]), None);
    }

    #[test]
    fn nothing_to_draw_is_no_trouble() {
        for points in [vec![], vec![[1.0, 5.0]], vec![[f64::NAN, 0.0]]] {
            let text = svg(points);
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
        assert!(Plot::default().svg().contains("</svg>"));
    }

    #[test]
    fn steps_are_round() {
        let steps = [0.013, 0.02, 0.047, 7.0, 1.1].map(round_step);
        let round = [0.02, 0.02, 0.05, 10.0, 1.0];
        for (step, round) in steps.into_iter().zip(round) {
            assert!((step / round - 1.0_f64).abs() < 1e-12, "{step} {round}");
        }
    }
}
