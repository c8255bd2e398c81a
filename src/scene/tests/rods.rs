//! What a scene says of its strands: models, sections, loops, natural shapes; and what it may not say.

use nalgebra::Vector3;

use super::mistakes::assert_says;
use super::{Folder, GOOD, scene_with, sets};
use crate::body::{NaturalShape, RodModel, Scheme, SectionShape};
use crate::scene::load;
use crate::world::{Edit, Outline, RodSpec, Snapshot, World};

/// The strands of the good scene with changes.
#[track_caller]
fn rods(list: &[&str]) -> Vec<RodSpec> {
    scene_with("rods", GOOD, list).expect("valid").spec.rods
}

/// The sentence for the good scene with changes, or that of the world built from it.
#[track_caller]
fn refused(list: &[&str]) -> String {
    let error = match scene_with("rods-refused", GOOD, list) {
        Ok(scene) => World::new(scene.spec).err().expect("refused").0,
        Err(error) => error,
    };
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn every_model_can_be_chosen_for_all_or_for_one() {
    for model in RodModel::ALL {
        let chosen = rods(&[&format!("rods.model={}", model.name())]);
        assert!(chosen.iter().all(|rod| rod.model == model));
    }
    let one = rods(&["rod.1.model=mass_spring"]);
    assert_eq!(one[0].model, RodModel::DiscreteElastic);
    assert_eq!(one[1].model, RodModel::MassSpring);
    let error = refused(&["rods.model=jelly"]);
    assert_says(&error, &RodModel::ALL.map(RodModel::name));
}

#[test]
fn helices_and_scheme_reach_the_design() {
    let rod = &rods(&["rods.model=super_helix", "rods.helices=20"])[0];
    assert_eq!(rod.design.helices, Some(20));
    assert_eq!(rods(&[])[0].design.helices, None);
    for helices in ["0", "1001"] {
        let set = format!("rods.helices={helices}");
        assert_says(&refused(&[&set]), &["--set", helices, "from 1 to 1000"]);
    }
    assert_says(&refused(&["rods.helices=-3"]), &["-3"]);
    let rod = &rods(&["rods.model=corde", "rods.scheme=explicit"])[0];
    assert_eq!(rod.design.scheme, Scheme::Explicit);
    assert_eq!(
        rods(&["rods.scheme=implicit"])[0].design.scheme,
        Scheme::Implicit
    );
    assert_says(&refused(&["rods.scheme=magic"]), &["implicit, explicit"]);
    let error = refused(&["rods.scheme=explicit"]);
    assert_says(&error, &["discrete_elastic", "explicit", "only corde"]);
    // A quarter of the elements is too many helices; said, and not tried.
    let error = refused(&["rods.model=super_helix", "rods.elements=5000"]);
    assert_says(&error, &["1250 helices", "at most 1000", "set helices"]);
}

#[test]
fn sections_are_whole_sizes_and_take_the_place_of_the_radius() {
    let ribbon = "section={ kind = \"rectangle\", size = [0.02, 0.002] }";
    let flat = &rods(&[&format!("rods.{ribbon}"), "rods.facing=[0, 0, 2]"]);
    for rod in flat {
        let half_m = [0.01, 0.001];
        assert_eq!(rod.design.section, SectionShape::Rectangle { half_m });
        assert_eq!(rod.design.facing, Some(Vector3::z()));
    }
    let mixed = rods(&["rod.1.section={ kind = \"ellipse\", size = [0.02, 0.004] }"]);
    assert!(matches!(
        mixed[0].design.section,
        SectionShape::Round { .. }
    ));
    assert!(matches!(
        mixed[1].design.section,
        SectionShape::Ellipse { .. }
    ));
    let round = rods(&[&format!("rods.{ribbon}"), "rods.radius=0.003"]);
    assert_eq!(round[0].design.section.half_m(), [0.003; 2]);
    for size in ["[0, 1]", "[0.1, -1]", "[nan, 0.1]", "[0.1, 30]"] {
        let set = format!("rods.section={{ kind = \"ellipse\", size = {size} }}");
        assert_says(&refused(&[&set]), &["rods.section.size", "above 0"]);
    }
    let error = refused(&["rods.section={ kind = \"star\", size = [1, 1] }"]);
    assert_says(&error, &["star", "ellipse", "rectangle"]);
    let both = GOOD.replace("radius = 0.01", &format!("radius = 0.01\n{ribbon}"));
    let error = scene_with("both", &both, &[]).expect_err("both");
    assert_says(&error, &["line 22: rod.1.section", "together with radius"]);
    let error = refused(&[&format!("rods.{ribbon}"), "rods.model=mass_spring"]);
    assert_says(&error, &["mass_spring", "not round"]);
    assert_says(&refused(&["rods.facing=[0, 0, 0]"]), &["a direction"]);
}

#[test]
fn the_slope_turns_where_a_section_faces() {
    let rod = &rods(&["slope_deg=90", "rods.facing=[1, 0, 0]"])[0];
    let facing = rod.design.facing.expect("given");
    assert!((facing - Vector3::y()).norm() < 1e-12);
}

#[test]
fn loops_end_where_they_begin() {
    let circle =
        "rod.0.shape={ kind = \"circle\", centre = [0, 1, 0], normal = [1, 0, 0], radius = 0.1 }";
    let ring = &rods(&[circle, "rods.elements=24"])[0].design;
    assert!(ring.closed);
    assert_eq!(
        (ring.pieces(), ring.centreline[24]),
        (24, ring.centreline[0])
    );
    assert!(ring.centreline.iter().all(|p| p.x.abs() < 1e-12));
    let lengths = ring.lengths();
    assert!(lengths.iter().all(|l| (l / lengths[0] - 1.0).abs() < 1e-9));
    // Three corners, closed by the last side; the same when the author repeats the first corner.
    let corners = "[0, 1, 0], [1, 1, 0], [0, 2, 0]";
    for points in [corners.to_owned(), format!("{corners}, [0, 1, 0]")] {
        let shape = format!("rod.0.shape={{ kind = \"polyline\", points = [{points}] }}");
        let ring = &rods(&[&shape, "rod.0.closed=true", "rods.elements=300"])[0].design;
        let length: f64 = ring.lengths().iter().sum();
        assert!((length - 2.0 - 2.0_f64.sqrt()).abs() < 0.03, "{length}");
        assert_eq!(ring.centreline[0], ring.centreline[300]);
    }
    let sloped = &rods(&[circle, "rods.elements=24", "slope_deg=30"])[0].design;
    assert_eq!(sloped.centreline[24], sloped.centreline[0]);
    let refuses =
        |list: &[&str], parts: &[&str]| assert_says(&refused(&[&[circle], list].concat()), parts);
    refuses(&["rod.0.closed=false", "rods.elements=24"], &["no ends"]);
    refuses(&["rods.elements=5"], &["rods.elements is 5", "at least 6"]);
    refuses(&["rod.0.shape.radius=0", "rods.elements=24"], &["above 0"]);
    let helix = ["rods.model=super_helix", "rods.elements=24"];
    refuses(&helix, &["loop", "super_helix", "mass_spring"]);
    let error = refused(&["rod.0.closed=true", "rods.elements=24"]);
    assert_says(&error, &["rod.0.closed", "one line"]);
}

#[test]
fn natural_shapes_are_numbers_or_lists() {
    let natural = |value: &str| {
        rods(&[&format!("rods.natural={value}")])[0]
            .design
            .natural
            .clone()
    };
    assert_eq!(natural("straight"), NaturalShape::Straight);
    assert_eq!(
        natural("{ curvature = 10 }"),
        NaturalShape::helical(10.0, 0.0)
    );
    assert_eq!(
        natural("{ curvature = [1, 2], curvature_2 = 3, twist = [4, 5, 6] }"),
        NaturalShape::Curved {
            curvature_per_m: vec![[1.0, 3.0], [2.0, 3.0]],
            twist_rad_m: vec![4.0, 5.0, 6.0],
        }
    );
    let refuses = |value: &str, parts: &[&str]| {
        assert_says(&refused(&[&format!("rods.natural={value}")]), parts);
    };
    refuses("{ curvature = nan }", &["natural.curvature", "finite"]);
    refuses("{ twist = [1, inf] }", &["natural.twist.1", "finite"]);
    refuses("{ curvature = [] }", &["0 numbers"]);
    refuses(
        "{ curvature = [1, 2], curvature_2 = [1, 2, 3] }",
        &["same number"],
    );
    refuses("{ bend = 1 }", &["curvature"]);
    refuses("curly", &["straight", "as_given", "curvature"]);
}

#[test]
fn more_strands_than_memory_holds_are_a_sentence() {
    let copies = "rod.0.copies={ count = 5000, spacing = 0.02, axis = [1, 0, 0] }";
    let error = refused(&[copies, "rods.elements=1000"]);
    assert_says(
        &error,
        &[
            "rod.0.copies",
            "5000000 elements",
            "GB of memory",
            "2000000",
        ],
    );
    let thick = [
        "rods.model=super_helix",
        "rods.helices=1000",
        "rods.elements=1000",
    ];
    let copies = "rod.0.copies={ count = 100, spacing = 0.02, axis = [1, 0, 0] }";
    let error = refused(&[&thick[..], &[copies]].concat());
    assert_says(&error, &["100000 helices", "GB of memory"]);
    // As many as fit are not refused.
    let copies = "rod.0.copies={ count = 1000, spacing = 0.02, axis = [1, 0, 0] }";
    assert_eq!(rods(&[copies, "rods.elements=100"]).len(), 1001);
}

#[test]
fn a_closed_file_is_a_loop() {
    let folder = Folder::new("ring");
    let corners = "0 1 0\n0.3 1 0\n0.4 1.2 0\n0.3 1.4 0\n0 1.4 0\n-0.1 1.2 0\n";
    let file = folder.write("ring.txt", corners);
    let set = format!("rods.file={file}");
    let text = GOOD.replace("elements = 4\n", "");
    let path = folder.write("ring.toml", &text);
    let spec = load(&path, &sets(&[&set, "rods.closed=true"]))
        .expect("valid")
        .spec;
    assert_eq!(spec.rods[0].design.centreline.len(), 7);
    assert!(World::new(spec).is_ok());
}

#[test]
fn the_window_sees_models_sections_and_loops() {
    let ring =
        "rod.0.shape={ kind = \"circle\", centre = [0, 3, 0], normal = [1, 0, 0], radius = 0.1 }";
    let flat = "rod.1.section={ kind = \"ellipse\", size = [0.02, 0.004] }";
    let scene = scene_with("seen", GOOD, &[ring, flat, "rods.elements=24"]).expect("valid");
    let mut world = World::new(scene.spec).expect("valid");
    let mut seen = Snapshot::default();
    world.snapshot(&mut seen);
    assert_eq!(seen.model(), Some(RodModel::DiscreteElastic));
    assert_eq!(
        (seen.strands[0].closed, seen.strands[1].closed),
        (true, false)
    );
    assert_eq!(seen.strands[1].outline, Outline::Ellipse);
    assert_eq!(seen.points[30].half, [0.01, 0.002]);
    assert_eq!(seen.points[0].director, seen.points[24].director, "no seam");
    let to = |rods, model| Edit::SetModel { rods, model };
    // The loop refuses, and so nothing changes; the other strand alone can.
    let why = world
        .apply(to(None, RodModel::SuperHelix))
        .expect_err("a loop");
    assert_says(&why.0, &["a is a loop", "super_helix"]);
    world.snapshot(&mut seen);
    assert_eq!(seen.model(), Some(RodModel::DiscreteElastic));
    world.apply(to(Some(1..2), RodModel::Corde)).expect("open");
    world.snapshot(&mut seen);
    assert_eq!(seen.model(), None, "mixed");
    assert_eq!(seen.strands[1].model, RodModel::Corde);
}
