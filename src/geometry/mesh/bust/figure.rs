//! Which blobs make a head, and which shoulders. Metres; x to the left of the person, y up, z forward.

use super::blob::Blob::{Ellipsoid, Limb};
use super::blob::Figure;
use super::blob::Melt::{Add, Dent};

pub(super) const HEAD: Figure = Figure {
    blobs: &[
        // Skull, forehead, face, jaw, chin, cheek.
        (
            Add(0.0),
            Ellipsoid([0.0, 0.115, -0.015], [0.075, 0.090, 0.094]),
        ),
        (
            Add(0.04),
            Ellipsoid([0.0, 0.110, 0.030], [0.062, 0.066, 0.060]),
        ),
        (
            Add(0.04),
            Ellipsoid([0.0, 0.050, 0.032], [0.053, 0.068, 0.058]),
        ),
        (
            Add(0.04),
            Ellipsoid([0.0, 0.004, 0.062], [0.024, 0.020, 0.022]),
        ),
        (
            Add(0.03),
            Ellipsoid([0.034, 0.052, 0.062], [0.020, 0.022, 0.020]),
        ),
        // Brows over the hollows of the eyes, with lids in them.
        (
            Dent(0.022),
            Ellipsoid([0.030, 0.083, 0.104], [0.019, 0.012, 0.016]),
        ),
        (
            Add(0.012),
            Ellipsoid([0.030, 0.082, 0.076], [0.015, 0.010, 0.012]),
        ),
        // Nose: bridge, tip, wings.
        (
            Add(0.016),
            Limb([0.0, 0.085, 0.085], [0.0, 0.056, 0.104], 0.0075),
        ),
        (
            Add(0.010),
            Ellipsoid([0.0, 0.052, 0.103], [0.010, 0.009, 0.010]),
        ),
        (
            Add(0.008),
            Ellipsoid([0.010, 0.050, 0.095], [0.007, 0.006, 0.008]),
        ),
        // Lips.
        (
            Add(0.008),
            Limb([0.0, 0.030, 0.0885], [0.017, 0.028, 0.080], 0.0052),
        ),
        (
            Add(0.008),
            Limb([0.0, 0.021, 0.0860], [0.013, 0.021, 0.080], 0.0056),
        ),
        // Ear.
        (
            Add(0.012),
            Ellipsoid([0.073, 0.068, -0.006], [0.010, 0.030, 0.018]),
        ),
        // Neck.
        (
            Add(0.05),
            Limb([0.0, 0.040, -0.030], [0.0, -0.100, -0.038], 0.050),
        ),
    ],
    floor_m: -0.085,
};

pub(super) const SHOULDERS: Figure = Figure {
    blobs: &[
        // Neck, slope to the shoulder, shoulder, arm, collarbone, chest, back.
        (
            Add(0.0),
            Limb([0.0, -0.030, -0.034], [0.0, -0.150, -0.046], 0.053),
        ),
        (
            Add(0.06),
            Limb([0.03, -0.105, -0.050], [0.130, -0.152, -0.046], 0.036),
        ),
        (
            Add(0.06),
            Ellipsoid([0.160, -0.178, -0.042], [0.058, 0.052, 0.056]),
        ),
        (
            Add(0.05),
            Limb([0.175, -0.190, -0.042], [0.200, -0.330, -0.040], 0.046),
        ),
        (
            Add(0.03),
            Limb([0.020, -0.162, 0.018], [0.130, -0.148, -0.004], 0.009),
        ),
        (
            Add(0.07),
            Ellipsoid([0.0, -0.270, -0.030], [0.160, 0.130, 0.088]),
        ),
        (
            Add(0.06),
            Ellipsoid([0.065, -0.220, -0.070], [0.080, 0.090, 0.055]),
        ),
    ],
    floor_m: -0.300,
};
