//! The search against its slow twin: look everywhere on a grid, then go downhill from every dip.

use nalgebra::{Point3, Vector3};

use super::super::{Closest, Curve, Search};
use super::{Dice, HelixData, any_curve, any_segment, moved};

const TOLERANCE: f64 = 1e-8;

/// The smallest distance that a grid and going downhill from its dips can find. Never below the true one.
fn slow_distance(a: &Curve, b: &Curve) -> f64 {
    let points = |curve: &Curve| -> Vec<Point3<f64>> {
        let limits = curve.limits();
        let winding = if limits.second > 0.0 {
            limits.third / limits.second
        } else {
            0.0
        };
        let n = 16 + (8.0 * winding.min(80.0)) as usize;
        (0..=n).map(|k| curve.point(k as f64 / n as f64)).collect()
    };
    let (pa, pb) = (points(a), points(b));
    let (n, m) = (pa.len(), pb.len());
    let grid: Vec<f64> = pa
        .iter()
        .flat_map(|p| pb.iter().map(move |q| (p - q).norm_squared()))
        .collect();
    let mut best = f64::INFINITY;
    for i in 0..n {
        for j in 0..m {
            let here = grid[i * m + j];
            let around = (i.max(1) - 1..(i + 2).min(n))
                .flat_map(|k| (j.max(1) - 1..(j + 2).min(m)).map(move |l| (k, l)));
            let dip = around.clone().all(|(k, l)| grid[k * m + l] >= here);
            if dip {
                let start = [i as f64 / (n - 1) as f64, j as f64 / (m - 1) as f64];
                best = best.min(downhill(a, b, start));
            }
        }
    }
    best
}

/// Levenberg's method with the sides of the square as walls.
fn downhill(a: &Curve, b: &Curve, mut at: [f64; 2]) -> f64 {
    let mut damping = 1e-3;
    let value = |at: [f64; 2]| (a.point(at[0]) - b.point(at[1])).norm_squared();
    let mut best = value(at);
    for _ in 0..60 {
        let (u, v) = (a.derivative(at[0]), b.derivative(at[1]));
        let g = a.point(at[0]) - b.point(at[1]);
        let (gs, gt) = (g.dot(&u), -g.dot(&v));
        let p = u.norm_squared() + g.dot(&a.second(at[0]));
        let q = v.norm_squared() - g.dot(&b.second(at[1]));
        let r = u.dot(&v);
        // A parameter that a wall holds back stays.
        let held = |x: f64, slope: f64| x == 0.0 && slope > 0.0 || x == 1.0 && slope < 0.0;
        let (hold_s, hold_t) = (held(at[0], gs), held(at[1], gt));
        let (ps, qt) = (
            p + damping * u.norm_squared(),
            q + damping * v.norm_squared(),
        );
        let step = if hold_s && hold_t || best == 0.0 {
            break;
        } else if hold_s {
            [0.0, -gt / qt]
        } else if hold_t {
            [-gs / ps, 0.0]
        } else {
            let det = ps * qt - r * r;
            [-(qt * gs + r * gt) / det, -(ps * gt + r * gs) / det]
        };
        let next = [0, 1].map(|c| {
            let step = if step[c].is_finite() { step[c] } else { 0.0 };
            (at[c] + step).clamp(0.0, 1.0)
        });
        let there = value(next);
        if there < best {
            let gain = best - there;
            (best, at) = (there, next);
            damping *= 0.1;
            if gain < 1e-16 * best {
                break;
            }
        } else {
            damping = (damping * 10.0).max(1e-8);
            if damping > 1e6 {
                break;
            }
        }
    }
    best.sqrt()
}

/// Holds one pair against the twin.
fn check(search: &mut Search, a: &Curve, b: &Curve, what: &str) -> Result<Closest, String> {
    let slow = slow_distance(a, b);
    let text = |problem: &str| format!("{what}: {problem}; twin {slow:e}\n{a:?}\n{b:?}");
    let found = search
        .closest(a, b, f64::INFINITY, TOLERANCE)
        .ok_or_else(|| text("nothing found"))?;
    let apart = (a.point(found.s) - b.point(found.t)).norm();
    if (apart - found.distance).abs() > 1e-12 {
        return Err(text(&format!(
            "not the distance there: {found:?} {apart:e}"
        )));
    }
    if found.distance.is_nan() || found.distance > slow + TOLERANCE {
        return Err(text(&format!("missed: {found:?}")));
    }
    let above = search.closest(a, b, found.distance + 3.0 * TOLERANCE, TOLERANCE);
    if above.is_none_or(|above| (above.distance - found.distance).abs() > 2.0 * TOLERANCE) {
        return Err(text(&format!("limit just above: {found:?} {above:?}")));
    }
    let below = search.closest(a, b, found.distance - 2.0 * TOLERANCE, TOLERANCE);
    if below.is_some() {
        return Err(text(&format!("limit just below: {found:?} {below:?}")));
    }
    Ok(found)
}

/// What is wrong with so many pairs, if anything.
fn all(
    seed: u64,
    pairs: usize,
    what: &str,
    make: impl Fn(&mut Dice) -> (Curve, Curve),
) -> Option<String> {
    let mut dice = Dice::new(seed);
    let mut search = Search::default();
    let mut wrong = Vec::new();
    for _ in 0..pairs {
        let (a, b) = make(&mut dice);
        let result = check(&mut search, &a, &b, what);
        wrong.extend(result.err());
    }
    let first = wrong.first()?;
    Some(format!("{} wrong, first:\n{first}", wrong.len()))
}

#[test]
fn any_two_curves_are_as_near_as_the_twin_says() {
    let wrong = all(11, 40_000, "any", |dice| (any_curve(dice), any_curve(dice)));
    assert_eq!(wrong, None);
}

#[test]
fn close_curves_are_as_near_as_the_twin_says() {
    // Each is moved so that some point of it is nearly on the other.
    let wrong = all(12, 40_000, "close", |dice| {
        let (a, b) = (any_curve(dice), any_curve(dice));
        let (s, t) = (dice.between(0.0, 1.0), dice.between(0.0, 1.0));
        let gap = dice.direction() * dice.scale(1e-9, 1e-1);
        let by = a.point(s) - b.point(t) + gap;
        (a, moved(&b, &by))
    });
    assert_eq!(wrong, None);
}

#[test]
fn curves_that_share_an_end_touch() {
    let wrong = all(13, 5_000, "joined", |dice| {
        let (a, b) = (any_curve(dice), any_curve(dice));
        let (s, t) = (dice.below(2) as f64, dice.below(2) as f64);
        let by = a.point(s) - b.point(t);
        (a, moved(&b, &by))
    });
    assert_eq!(wrong, None);
}

#[test]
fn neighbouring_curves_alike_are_as_near_as_the_twin_says() {
    // Hair: the same arc, a little beside and a little different.
    let wrong = all(14, 10_000, "alike", |dice| {
        let data = HelixData::random(dice);
        let mut other = data;
        let beside = dice.scale(1e-9, 1e-1) * data.length;
        other.start += dice.direction() * beside;
        let change = dice.scale(1e-12, 1.0);
        other.k += dice.direction() * (change / data.length);
        let slide = dice.between(-0.5, 0.5) * data.length;
        other.start += data.frame.column(0) * slide;
        (data.curve(), other.curve())
    });
    assert_eq!(wrong, None);
}

#[test]
fn curves_of_very_different_length_are_as_near_as_the_twin_says() {
    let wrong = all(15, 5_000, "long and short", |dice| {
        let a = HelixData::random(dice).curve();
        let s = dice.between(0.0, 1.0);
        let b = any_segment(dice);
        let share = dice.scale(1e-5, 1.0);
        let from = a.point(s) + dice.direction() * dice.scale(1e-6, 0.1);
        (
            a,
            Curve::segment(from, from + (b.point(1.0) - b.point(0.0)) * share),
        )
    });
    assert_eq!(wrong, None);
}

#[test]
fn a_point_is_as_near_as_the_twin_says() {
    let wrong = all(16, 5_000, "point", |dice| {
        let a = any_curve(dice);
        let s = dice.between(0.0, 1.0);
        let place = a.point(s) + dice.direction() * dice.scale(1e-9, 1.0);
        (a, Curve::point_at(place))
    });
    assert_eq!(wrong, None);
}

#[test]
fn concentric_and_parallel_curves_are_as_near_as_the_twin_says() {
    let wrong = all(18, 2_000, "alongside", |dice| {
        let a = HelixData::random(dice);
        let mut b = a;
        let nearly = |dice: &mut Dice| match dice.below(2) {
            0 => 0.0,
            _ => dice.scale(1e-12, 1e-3),
        };
        if dice.below(2) == 0 {
            // Rings about one centre, one of them perhaps a little aside: bends in the plane of the first two axes.
            let bend = dice.between(0.3, 3.0) / a.length;
            let inner = dice.between(0.1, 0.95);
            let turn = dice.between(-1.0, 1.0);
            let ring = |share: f64, turn: f64| {
                let frame = a.frame * *nalgebra::Rotation3::new(Vector3::z() * turn).matrix();
                let centre = a.start + a.frame.column(1) / bend;
                HelixData {
                    start: centre - frame.column(1) * (share / bend),
                    frame,
                    k: Vector3::new(0.0, 0.0, bend / share),
                    length: share * a.length,
                }
            };
            let aside = dice.direction() * (nearly(dice) * a.length);
            let mut second = ring(inner, turn);
            second.start += aside;
            return (ring(1.0, 0.0).curve(), second.curve());
        }
        b.start += dice.direction() * dice.scale(1e-3, 0.3) * a.length;
        b.k += dice.direction() * (nearly(dice) / a.length);
        (a.curve(), b.curve())
    });
    assert_eq!(wrong, None);
}

#[test]
fn curves_that_wind_often_are_as_near_as_the_twin_says() {
    let wrong = all(19, 400, "winding", |dice| {
        let wound = |dice: &mut Dice| {
            let mut data = HelixData::random(dice);
            // Like a spring: turns about an axis nearly across the curve.
            let turns = dice.between(20.0, 60.0);
            let axis = Vector3::new(dice.between(-0.5, 0.5), dice.between(-1.0, 1.0), 1.0);
            data.k = axis.normalize() * (turns / data.length);
            data.curve()
        };
        let a = wound(dice);
        let b = if dice.below(2) == 0 {
            wound(dice)
        } else {
            any_curve(dice)
        };
        let by = a.point(dice.between(0.0, 1.0)) - b.point(dice.between(0.0, 1.0));
        let gap = dice.direction() * dice.scale(1e-6, 1e-1);
        (a, moved(&b, &(by + gap)))
    });
    assert_eq!(wrong, None);
}

#[test]
fn a_search_that_ends_early_misses_nothing() {
    let mut dice = Dice::new(20);
    let mut whole = Search::default();
    for k in 0..5_000 {
        let (a, b) = (any_curve(&mut dice), any_curve(&mut dice));
        let by = a.point(dice.between(0.0, 1.0)) - b.point(dice.between(0.0, 1.0));
        let gap = dice.direction() * dice.scale(1e-6, 1e-1);
        let b = moved(&b, &(by + gap));
        let found = whole.closest(&a, &b, f64::INFINITY, TOLERANCE);
        let found = found.expect("no limit").distance;
        let limit = found + 3.0 * TOLERANCE;
        let early = Search::of_at_most(k % 6).closest(&a, &b, limit, TOLERANCE);
        let early = early.expect("something").distance;
        assert!(early > found - TOLERANCE, "{early} {found}");
    }
}

#[test]
fn a_guess_changes_nothing() {
    let mut dice = Dice::new(17);
    let mut search = Search::default();
    for _ in 0..5_000 {
        let (a, b) = (any_curve(&mut dice), any_curve(&mut dice));
        let without = search.closest(&a, &b, f64::INFINITY, TOLERANCE);
        let guess = (dice.between(0.0, 1.0), dice.between(0.0, 1.0));
        for guess in [guess, without.map_or(guess, |found| (found.s, found.t))] {
            let with = search.closest_from(&a, &b, f64::INFINITY, TOLERANCE, Some(guess));
            let (with, without) = (with.expect("no limit"), without.expect("no limit"));
            assert!((with.distance - without.distance).abs() < 2.0 * TOLERANCE);
            let apart = [with.s - without.s, with.t - without.t];
            let way = (apart[0].abs() * a.length_bound()).max(apart[1].abs() * b.length_bound());
            // Elsewhere only along a stretch on which the distance is the same.
            let between = a.point(0.5 * (with.s + without.s)) - b.point(0.5 * (with.t + without.t));
            assert!(way < TOLERANCE || between.norm() < without.distance + 2.0 * TOLERANCE);
        }
    }
}

#[test]
fn a_moving_contact_moves_smoothly() {
    // A ring rolls over a helix: where they are closest has no corner and no jump.
    let helix = HelixData {
        start: Point3::origin(),
        frame: nalgebra::Matrix3::identity(),
        k: Vector3::new(2.0, 5.0, 1.0),
        length: 0.3,
    };
    let a = helix.curve();
    let mut search = Search::default();
    let at = |x: f64, search: &mut Search| {
        let ring = HelixData {
            start: Point3::new(x, 0.02, -0.05),
            frame: nalgebra::Matrix3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
            k: Vector3::new(0.0, 0.0, 3.0),
            length: 0.1,
        };
        search.closest(&a, &ring.curve(), 1.0, 1e-10).expect("near")
    };
    // Second differences of two widths agree; over a jump or a corner the narrower one would be four times, or twice,
    // the other.
    let mut bends = |x: f64, h: f64| {
        let [before, here, after] = [-h, 0.0, h].map(|d| at(x + d, &mut search));
        let second = |f: fn(&Closest) -> f64| (f(&before) - 2.0 * f(&here) + f(&after)) / (h * h);
        [second(|c| c.s), second(|c| c.t), second(|c| c.distance)]
    };
    for k in 0..1000 {
        let x = 0.05 + 0.07 * f64::from(k) / 1000.0;
        let (wide, narrow) = (bends(x, 2e-4), bends(x, 1e-4));
        for (wide, narrow) in wide.into_iter().zip(narrow) {
            assert!(
                (wide - narrow).abs() < 0.1 * wide.abs() + 1.0,
                "at {x}: {wide} {narrow}"
            );
        }
    }
}
