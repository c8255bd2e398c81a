use super::*;

const QUIET: Plan = Plan {
    seeds: None,
    first_seed: 0,
    only: None,
    seconds: None,
    quick: true,
    out: None,
    watch: &|_, _, _| {},
};

#[test]
fn a_knot_that_is_drawn_stays_what_it_is() {
    let pull = Pull {
        name: "twice".into(),
        sets: vec![
            "rod.0.shape.turns=2".into(),
            "rod.0.shape.length=0.7".into(),
            "rods.elements=150".into(),
        ],
        determinant: 5,
        seconds: Some(0.15),
    };
    let track = pull.run().expect("runs");
    assert_eq!((track.crossings, track.fault), (0, None));
    assert_eq!(track.determinants, [5, 5]);
    let last = track.moments[track.moments.len() - 1];
    let first = track.moments[0];
    assert!((last.end_distance_m - first.end_distance_m - 0.8 * 0.149).abs() < 1e-3);
    assert!(last.contacts > 5);
}

#[test]
fn published_knots_that_are_not_there_are_skipped_with_a_word() {
    let mut page = Page::default();
    let cases = cases(&QUIET, Path::new("no/such/folder"), &mut page);
    assert_eq!(cases.len(), 1);
    assert_eq!(page.skipped.len(), 2);
    assert!(
        page.skipped[0].contains("no/such/folder"),
        "{:?}",
        page.skipped
    );
}
