//! Times, printed: `cargo test --release -- --ignored --nocapture speed`.

use std::time::Instant;

use super::*;

/// A hair that swings from its root.
fn swinging(helices: usize) -> SuperHelix {
    let mut design = straight(0.3, 4 * helices, helices);
    design.natural = NaturalShape::helical(8.0, 6.0);
    rod(&design)
}

#[test]
#[ignore = "prints times"]
fn speed_of_a_step() {
    for helices in [4, 8, 20, 32, 64] {
        let mut rod = swinging(helices);
        let holds = [clamp_root(&rod)];
        let (dt, steps) = (2e-3, 400);
        let (mut passes, mut best) = (0, f64::INFINITY);
        for _ in 0..5 {
            let clock = Instant::now();
            passes = 0;
            for _ in 0..steps {
                passes += step_within(&mut rod, dt, &GRAVITY, &holds, 1e-3, 10);
            }
            best = best.min(clock.elapsed().as_secs_f64() / steps as f64);
        }
        println!(
            "{helices} helices: {:.1} µs a step, {:.2} passes",
            best * 1e6,
            passes as f64 / steps as f64
        );
    }
}

#[test]
#[ignore = "prints times"]
fn speed_of_the_parts() {
    for helices in [8, 20, 64] {
        let mut rod = swinging(helices);
        let holds = [clamp_root(&rod)];
        for _ in 0..50 {
            step_within(&mut rod, 2e-3, &GRAVITY, &holds, 1e-3, 10);
        }
        let time = |work: &mut dyn FnMut()| {
            let mut best = f64::INFINITY;
            for _ in 0..20 {
                let clock = Instant::now();
                (0..20).for_each(|_| work());
                best = best.min(clock.elapsed().as_secs_f64() / 20.0);
            }
            best * 1e6
        };
        let begin = time(&mut || rod.begin(2e-3, &GRAVITY, &holds));
        let linearise = time(&mut || {
            rod.begin(2e-3, &GRAVITY, &holds);
            rod.linearise().unwrap();
        });
        let v = rod.free_velocity().to_vec();
        let attempt = time(&mut || {
            rod.attempt(&v, &[], &[]);
        });
        let mut chain = rod.state.chain.clone();
        let follow = time(&mut || chain.evaluate(&rod.rest.layout, &Vector3::zeros()));
        let mut columns = vec![[1.0; 12]; rod.dofs()];
        let solve = time(&mut || rod.solve(&mut columns, 0));
        println!(
            "{helices}: begin {begin:.1}, linearise {linearise:.1}, attempt {attempt:.1}, evaluate {follow:.1}, solve 12 {solve:.1} µs"
        );
    }
}

#[test]
#[ignore = "prints passes"]
fn passes_of_steps() {
    for (name, dt, stiff, tip) in [
        ("hair", 2e-3, 2e6, 0.0),
        ("hair", 1e-2, 2e6, 0.0),
        ("stiff", 1e-2, 1e9, 0.0),
        ("soft", 5e-3, 1e4, 0.0),
        ("soft", 1e-2, 1e4, 0.0),
        ("thrown", 5e-3, 1e5, 3.0),
        ("thrown", 1e-2, 1e5, 10.0),
        ("thrown", 2e-3, 1e5, 10.0),
        ("thrown", 1e-2, 1e7, 30.0),
    ] {
        let mut design = straight(0.3, 60, 15);
        design.natural = NaturalShape::helical(8.0, 6.0);
        design.material.youngs_modulus_pa = stiff;
        let mut rod = rod(&design);
        let holds = [clamp_root(&rod)];
        for (g, v) in rod.state.station_velocity.iter_mut().enumerate() {
            *v = Vector3::new(0.0, 0.0, tip * (g as f64 * 0.05).sin());
        }
        let (mut sum, mut most) = (0, 0);
        for _ in 0..300 {
            let passes = step_within(
                &mut rod,
                dt,
                &GRAVITY,
                &holds[..usize::from(tip == 0.0)],
                1e-3,
                30,
            );
            (sum, most) = (sum + passes, most.max(passes));
        }
        println!(
            "{name} dt {dt} E {stiff:.0e}: {:.2} passes, at most {most}",
            sum as f64 / 300.0
        );
    }
}
