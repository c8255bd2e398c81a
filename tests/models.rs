//! Rod models from the command line: every model in the shipped scenes, what a strand cannot be, loops and mixtures at rest.

mod common;

use common::{number, refusal, report, scratch};

#[test]
fn impossible_strands_get_one_sentence() {
    let says = |scene: &str, changes: &[&str], parts: &[&str]| {
        let mut args = vec!["run", scene, "--steps", "1", "--json"];
        changes
            .iter()
            .for_each(|change| args.extend(["--set", change]));
        let error = refusal(&args, 1);
        assert_eq!(error.lines().count(), 1, "{error}");
        for part in parts {
            assert!(error.contains(part), "\"{error}\" does not say \"{part}\"");
        }
    };
    let four = ["super_helix", "discrete_elastic", "corde", "mass_spring"];
    says("drape", &["rods.model=jelly"], &four);
    says(
        "drape",
        &["rods.radius=0"],
        &["rods.radius is 0", "above 0"],
    );
    says("drape", &["rods.poisson_ratio=-1"], &["above -1"]);
    says("drape", &["rods.poisson_ratio=nan"], &["NaN"]);
    says("curl", &["rods.helices=0"], &["from 1 to 1000"]);
    says(
        "curl",
        &["rods.helices=1001"],
        &["is 1001", "from 1 to 1000"],
    );
    says(
        "rings",
        &["rods.model=super_helix"],
        &["loop", "mass_spring"],
    );
    says("drape", &["rods.scheme=explicit"], &["only corde"]);
    let ribbon = "rods.section={ kind = \"rectangle\", size = [0.01, 0.002] }";
    says("drape", &[ribbon, "rods.model=mass_spring"], &["not round"]);
    let bad = "rods.section={ kind = \"ellipse\", size = [0.01, 0] }";
    says(
        "drape",
        &[bad],
        &["rods.section.size is [0.01, 0]", "above 0"],
    );
    let many = "rod.0.copies={ count = 10000, spacing = 0.02, axis = [0, 0, 1] }";
    let parts = ["1000000000 elements", "GB of memory", "at most 2000000"];
    says("drape", &[many, "rods.elements=100000"], &parts);
}

#[test]
fn a_radius_and_a_section_together_are_a_sentence() {
    let file = scratch("both.toml");
    let rod = "shape = { kind = \"line\", from = [0, 1, 0], to = [1, 1, 0] }";
    let section = "section = { kind = \"ellipse\", size = [0.02, 0.01] }";
    let text = format!("title = \"x\"\nwatch = \"y\"\n[[rod]]\n{rod}\nradius = 0.01\n{section}\n");
    std::fs::write(&file, text).expect("written");
    let error = refusal(&["run", file.to_str().expect("text"), "--json"], 1);
    assert!(
        error.contains("both.toml, line 6: rod.0.section"),
        "{error}"
    );
    assert!(error.contains("together with radius"), "{error}");
}

#[test]
fn explicit_steps_that_are_too_large_are_a_sentence() {
    let explicit = ["--set", "rods.model=corde", "--set", "rods.scheme=explicit"];
    let args = ["run", "drape", "--steps", "1", "--json"];
    let error = refusal(&[&args[..], &explicit].concat(), 1);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(
        error.contains("stable up to") && error.contains("implicit"),
        "{error}"
    );
    // What it advises, it accepts.
    let advised = error
        .split("set dt to ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let dt = format!("dt={}", advised.expect("a step"));
    let run = report(&[&args[..4], &explicit, &["--set", &dt]].concat());
    assert_eq!(run["steps"], 1);
}

#[test]
fn every_model_steps_through_every_scene() {
    for model in ["super_helix", "discrete_elastic", "corde", "mass_spring"] {
        let set = format!("rods.model={model}");
        for scene in ["knot", "drape", "curl", "mixed"] {
            let run = report(&["run", scene, "--steps", "20", "--set", &set]);
            assert_eq!(run["rod_model"], model, "{scene}");
            assert_eq!(run["steps"], 20, "{scene}");
            assert!(run["fault"].is_null(), "{scene}: {run}");
        }
    }
    for model in ["discrete_elastic", "corde", "mass_spring"] {
        let set = format!("rods.model={model}");
        let run = report(&["run", "rings", "--steps", "20", "--set", &set]);
        assert_eq!(run["rod_model"], model);
        assert!(run["fault"].is_null(), "{run}");
    }
    let run = report(&["run", "mixed", "--steps", "2"]);
    assert_eq!(run["rod_model"], "discrete_elastic+super_helix");
}

/// The whole demonstration: settled, pulled gently, then hard.
/// Pulls the knot; returns how many pieces passed through.
fn crossings_of_a_closing_knot(model: &str) -> f64 {
    let set = format!("rods.model={model}");
    let run = report(&[
        "run", "knot", "--time", "8", "--set", "dt=2e-3", "--set", &set,
    ]);
    assert_eq!(run["rod_model"], model);
    assert!(run["fault"].is_null(), "{run}");
    assert_eq!(number(&run, "/simulated_s").round(), 8.0);
    let deepest = number(&run, "/penetration_max_over_radius");
    assert!(deepest < 0.15, "{deepest} radii");
    let unsolved = number(&run, "/solver_error/over_tolerance_fraction");
    assert!(unsolved < 0.01, "{unsolved} of the steps");
    number(&run, "/crossings")
}

#[test]
fn a_knot_of_super_helices_never_passes_through() {
    assert_eq!(crossings_of_a_closing_knot("super_helix"), 0.0);
}

#[test]
fn a_knot_of_discrete_elastic_rod_never_passes_through() {
    assert_eq!(crossings_of_a_closing_knot("discrete_elastic"), 0.0);
}

#[test]
fn a_knot_of_corde_never_passes_through() {
    assert_eq!(crossings_of_a_closing_knot("corde"), 0.0);
}

#[test]
fn a_knot_of_springs_never_passes_through() {
    assert_eq!(crossings_of_a_closing_knot("mass_spring"), 0.0);
}

#[test]
fn thread_count_does_not_change_the_result_of_other_models() {
    // One second: the strands of `mixed` have met, the root of `curl` has been whipped.
    for (scene, contacts) in [("mixed", 5), ("curl", 0)] {
        let hash = |threads| {
            let run = report(&["run", scene, "--time", "1", "--threads", threads]);
            assert!(run["contacts"]["max"].as_u64() >= Some(contacts), "{scene}");
            let hash = run["state_hash"].as_str().expect("a hash");
            hash.to_owned()
        };
        assert_eq!(hash("1"), hash("2"), "{scene}");
    }
}

#[test]
fn linked_rings_come_to_rest_and_stay_linked() {
    let run = report(&["run", "rings"]);
    assert_eq!(number(&run, "/crossings"), 0.0);
    assert!(number(&run, "/penetration_max_over_radius") < 0.1);
    assert!(number(&run, "/measured/creep_m") < 1e-4);
    assert!(number(&run, "/measured/lowest_point_m") > 0.1, "one fell");
}

#[test]
fn strands_of_two_models_hang_over_a_bar() {
    let run = report(&["run", "mixed"]);
    assert_eq!(number(&run, "/crossings"), 0.0);
    assert!(
        number(&run, "/measured/lowest_point_m") > 0.05,
        "it fell off"
    );
    for strand in ["super_helix", "discrete_elastic"] {
        let creep = number(&run, &format!("/measured/creep_{strand}_m"));
        assert!(creep < 1e-4, "{strand}: {creep} m");
    }
}
