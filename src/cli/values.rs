//! What options of the command line may be: read, with a sentence where it is something else.

use prusik::friction::SolverKind;
use prusik::scene::{Camera, StrandLook};

pub(super) fn solver(text: &str) -> Result<SolverKind, String> {
    SolverKind::from_name(text).ok_or_else(|| {
        let known = SolverKind::ALL.map(SolverKind::name).join(", ");
        format!("must be one of {known}")
    })
}

pub(super) fn tolerance(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number")?;
    if number.is_finite() && number > 0.0 {
        Ok(number)
    } else {
        Err("must be a finite number above 0".into())
    }
}

pub(super) fn iterations(text: &str) -> Result<usize, String> {
    let number: usize = text.parse().map_err(|_| "expected a whole number")?;
    if number > 0 {
        Ok(number)
    } else {
        Err("must be at least 1".into())
    }
}

fn number(text: &str, allowed: &str, test: impl Fn(f64) -> bool) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| format!("expected {allowed} in seconds"))?;
    if number.is_finite() && test(number) {
        Ok(number)
    } else {
        Err(format!("must be {allowed} in seconds"))
    }
}

pub(super) fn seconds(text: &str) -> Result<f64, String> {
    number(text, "a finite time above 0,", |s| s > 0.0)
}

pub(super) fn seconds_or_zero(text: &str) -> Result<f64, String> {
    number(text, "a finite time, 0 or above,", |s| s >= 0.0)
}

pub(super) fn rate(text: &str) -> Result<f64, String> {
    let wrong = || "must be a number of pictures per second, 0.1 to 1000".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    let allowed = (0.1..=1000.0).contains(&number);
    allowed.then_some(number).ok_or_else(wrong)
}

pub(super) fn look(text: &str) -> Result<StrandLook, String> {
    StrandLook::from_name(text).ok_or_else(|| {
        let known = StrandLook::ALL.map(StrandLook::name).join(", ");
        format!("must be one of {known}")
    })
}

/// Eye, target and, if given, the field of view.
pub(super) fn camera(text: &str) -> Result<Camera, String> {
    let wrong = || {
        "expected X,Y,Z,TX,TY,TZ in metres, apart by commas: where the eye is and what it looks at; and, if wanted, \
         the field of view in degrees, 1 to 120"
            .to_owned()
    };
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    let numbers = numbers.map_err(|_| wrong())?;
    let (place, fov_deg) = match *numbers.as_slice() {
        [x, y, z, tx, ty, tz] => ([x, y, z, tx, ty, tz], 40.0),
        [x, y, z, tx, ty, tz, fov] => ([x, y, z, tx, ty, tz], fov),
        _ => return Err(wrong()),
    };
    let [x, y, z, tx, ty, tz] = place;
    let (eye_m, target_m) = ([x, y, z], [tx, ty, tz]);
    let finite = place.iter().all(|n| n.is_finite());
    if !finite || !(1.0..=120.0).contains(&fov_deg) {
        return Err(wrong());
    }
    if eye_m == target_m {
        return Err("the eye must not be where it looks at".into());
    }
    Ok(Camera {
        eye_m,
        target_m,
        fov_deg,
    })
}

/// Width and height; the upper limit is what common graphics cards can draw.
pub(super) fn size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || "expected WIDTHxHEIGHT in pixels, each 16 to 8192, such as 1280x800".to_owned();
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    let side = |text: &str| {
        let pixels = text.parse::<u32>().ok();
        pixels
            .filter(|pixels| (16..=8192).contains(pixels))
            .ok_or_else(wrong)
    };
    Ok((side(width)?, side(height)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_is_six_numbers_or_seven() {
        let seen = camera("0, 0.5,1.6, 0,0.3,0").expect("six");
        assert_eq!((seen.eye_m, seen.fov_deg), ([0.0, 0.5, 1.6], 40.0));
        assert_eq!(camera("0,0,1,0,0,0,25").map(|c| c.fov_deg), Ok(25.0));
        for text in [
            "",
            "1,2,3",
            "0,0,1,0,0,0,0",
            "0,0,1,0,0,1",
            "0,0,x,0,0,0",
            "0,0,inf,0,0,0",
        ] {
            assert!(camera(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_width_and_height() {
        assert_eq!(size("640x480"), Ok((640, 480)));
        for text in ["640", "0x480", "640x", "-640x480", "99999x480"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
