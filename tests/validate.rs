//! `prusik validate`, driven from outside: the list, the shape of the pages, files, bad input.

mod common;

use common::{number, prusik, refusal, report, scratch, text};
use prusik::validation::PROTOCOLS;
use serde_json::Value;

fn keys(object: &Value) -> Vec<&str> {
    let object = object.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}

#[test]
fn without_a_name_the_protocols_are_listed_a_line_each() {
    let output = prusik(&["validate"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), PROTOCOLS.len());
    for (line, protocol) in list.lines().zip(&PROTOCOLS) {
        assert!(line.starts_with(protocol.name) && line.ends_with(protocol.claim));
    }
    let json = report(&["validate"]);
    let names = json["protocols"].as_array().expect("a list");
    assert_eq!(names.len(), PROTOCOLS.len());
    assert_eq!(keys(&names[0]), ["claim", "name", "reference"]);
}

#[test]
fn pages_have_the_promised_fields() {
    let folder = scratch("validate_bending");
    let out = folder.to_str().expect("text");
    let json = report(&["validate", "three_point_bending", "--quick", "--out", out]);
    assert_eq!(keys(&json), ["passed", "protocols"]);
    assert_eq!(json["passed"], true);
    let page = &json["protocols"][0];
    let promised = [
        "checks",
        "claim",
        "files",
        "name",
        "notes",
        "passed",
        "reference",
        "results",
        "skipped",
    ];
    assert_eq!(keys(page), promised);
    let checks = page["checks"].as_array().expect("a list");
    assert!(checks.len() > 10);
    for check in checks {
        let promised = [
            "bound",
            "case",
            "expected",
            "measured",
            "passed",
            "quantity",
            "tolerance",
        ];
        assert_eq!(keys(check), promised);
        assert_eq!(check["passed"], true, "{check}");
        assert!(check["measured"].is_number(), "{check}");
    }
    let result = &page["results"][0];
    assert_eq!(keys(result), ["case", "figures"]);
    assert!(number(result, "/figures/deviation") < 5e-3);
    for file in page["files"].as_array().expect("a list") {
        let file = file.as_str().expect("a name");
        let written = std::fs::read_to_string(file).expect("written");
        if file.ends_with(".svg") {
            assert!(written.starts_with("<svg") && written.matches("<polyline").count() >= 8);
        } else {
            let width = |line: &str| line.split(',').count();
            let heading = width(written.lines().next().expect("a heading"));
            assert!(written.starts_with("indentation,theory_"));
            assert!(written.lines().all(|line| width(line) == heading));
            assert!(written.lines().count() > 300);
        }
    }
    let ends = |end: &str| {
        let files = page["files"].as_array().into_iter().flatten();
        let named = files.filter(|file| file.as_str().is_some_and(|file| file.ends_with(end)));
        named.count()
    };
    assert_eq!((ends(".csv"), ends(".svg")), (3, 3));
}

#[test]
fn knots_and_drags_hold_in_haste() {
    let output = prusik(&["validate", "knot_tightening", "violent_drag", "--quick"]);
    let page = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{page}");
    for line in ["knot_tightening: holds", "violent_drag: holds", "skipped: "] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn bad_arguments_are_refused() {
    let error = refusal(&["validate", "perpetual_motion"], 2);
    assert!(error.contains("three_point_bending, knot_tightening"));
    assert_eq!(error.lines().count(), 1, "{error}");
    let file = scratch("not_a_folder");
    std::fs::write(&file, "").expect("written");
    let folder = file.join("inside");
    let out = folder.to_str().expect("text");
    let error = refusal(&["validate", "three_point_bending", "--out", out], 1);
    assert!(error.contains("cannot be made"), "{error}");
}
