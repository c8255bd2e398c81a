//! Progress on stderr.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(length: u64, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = format!("{{wide_bar}} {{pos}}/{{len}} {what}  {{elapsed}} of {{duration}}");
    match ProgressStyle::with_template(&style) {
        Ok(style) => ProgressBar::new(length).with_style(style),
        Err(_) => ProgressBar::new(length),
    }
}
