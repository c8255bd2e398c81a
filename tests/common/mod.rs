//! Driving the real binary from outside.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the binary.
pub fn prusik(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prusik"))
        .args(args)
        .output()
        .expect("the binary starts")
}

/// What it printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs with `--json` and reads the report; stdout must be that one object and nothing else.
#[track_caller]
pub fn report(args: &[&str]) -> Value {
    let output = prusik(&[args, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stderr),
        "",
        "stderr is for terminals and errors"
    );
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Runs what must fail: nothing on stdout, a sentence on stderr.
#[track_caller]
pub fn refusal(args: &[&str], code: i32) -> String {
    let output = prusik(args);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {error}");
    assert_eq!(text(&output.stdout), "", "{args:?}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// A file that a test may write.
pub fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A number of a report.
#[track_caller]
pub fn number(report: &Value, path: &str) -> f64 {
    report.pointer(path).and_then(Value::as_f64).expect(path)
}
