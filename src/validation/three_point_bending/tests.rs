use super::*;

fn rig(curvature_per_m: f64, friction: f64, variant: Variant) -> Rig {
    Rig {
        curvature_per_m,
        friction,
        model: variant.model,
        detector: variant.detector,
        depth_m: 0.004,
        dt_s: QUICK_DT_S,
        changes: Vec::new(),
    }
}

fn figures(rig: &Rig) -> Figures {
    Figures::of(&rig.run().expect("runs"))
}

#[test]
fn a_curved_rod_pushes_back_as_theory_says() {
    for variant in [VARIANTS[0], VARIANTS[2]] {
        let figures = figures(&rig(20.0, 0.0, variant));
        assert!(figures.deviation < 5e-3, "{}: {figures:?}", variant.name);
        assert!(figures.jump < 1e-3, "{}: {figures:?}", variant.name);
    }
}

#[test]
fn friction_adds_to_the_force_what_theory_says() {
    let figures = figures(&rig(30.0, 0.5, VARIANTS[0]));
    assert!(figures.deviation < 5e-3, "{figures:?}");
    assert!(figures.jump < 1e-3, "{figures:?}");
}

#[test]
fn segments_make_the_force_jump() {
    let [smooth, segments] = [VARIANTS[0], VARIANTS[1]].map(|v| figures(&rig(20.0, 0.0, v)));
    let ratio = segments.roughness / smooth.roughness;
    assert!(ratio > LEAST_RATIO, "{ratio}: {smooth:?} {segments:?}");
}

#[test]
fn twice_as_many_helices_are_four_times_as_near() {
    let deviation = |helices: usize| {
        let mut rig = rig(0.0, 0.0, VARIANTS[0]);
        rig.dt_s = 5e-4;
        rig.changes = vec![format!("rods.helices={helices}")];
        figures(&rig).deviation
    };
    let [coarse, fine] = [10, 20].map(deviation);
    let order = (coarse / fine).log2();
    assert!((1.6..2.4).contains(&order), "{coarse} {fine}");
}
