//! A scene file as it is written: one struct per table, every number as the author gave it.
//!
//! Nothing is checked here but names and types; [`super::build`] turns this into a world and checks the values.

use serde::Deserialize;

use super::hold_file::HoldFile;
use super::motion_file::MotionFile;

/// A whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneFile {
    pub title: String,
    pub watch: String,
    /// How long `run` simulates when it is not told, s.
    pub time: Option<f64>,
    pub dt: Option<f64>,
    pub solver: Option<String>,
    pub detector: Option<String>,
    pub tolerance: Option<f64>,
    pub max_iterations: Option<usize>,
    pub solver_budget_ms: Option<f64>,
    pub max_passes: Option<usize>,
    pub self_contact: Option<bool>,
    pub gravity: Option<Gravity>,
    /// Turns rods, solids and holds (not gravity) about the z axis through the origin.
    #[serde(default)]
    pub slope_deg: f64,
    /// What strands are drawn as.
    pub look: Option<String>,
    /// Strands that stand for wisps are drawn as many hairs each.
    pub wisp: Option<WispFile>,
    #[serde(default)]
    pub camera: CameraFile,
    #[serde(default)]
    pub friction: FrictionFile,
    /// What holds for every `[[rod]]` that does not say otherwise.
    #[serde(default)]
    pub rods: RodFile,
    #[serde(default)]
    pub rod: Vec<RodFile>,
    #[serde(default)]
    pub body: Vec<BodyFile>,
    #[serde(default)]
    pub hold: Vec<HoldFile>,
    #[serde(default)]
    pub measure: Vec<MeasureFile>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number (downwards) or a vector [x, y, z], in m/s²"
)]
pub(super) enum Gravity {
    Down(f64),
    Vector([f64; 3]),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WispFile {
    pub hairs: usize,
    /// Their distance from the strand at its root, at most.
    pub spread: f64,
    /// Of each hair.
    pub radius: f64,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CameraFile {
    pub eye: Option<[f64; 3]>,
    pub target: Option<[f64; 3]>,
    pub fov_deg: Option<f64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrictionFile {
    pub default: Option<f64>,
    #[serde(default)]
    pub pairs: Vec<PairFile>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PairFile {
    pub between: [String; 2],
    pub mu: f64,
}

/// `[rods]` and `[[rod]]` have the same fields; the second overrides the first.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RodFile {
    pub name: Option<String>,
    pub shape: Option<CurveFile>,
    pub velocity: Option<[f64; 3]>,
    /// Mechanical model: `super_helix`, `discrete_elastic`, `corde` or `mass_spring`.
    pub model: Option<String>,
    /// Helical elements of a super-helix; a quarter of `elements` if not given.
    pub helices: Option<usize>,
    /// Pieces that contact detection sees; as many as elements (or helices, if smooth) when not given. Smooth ones are cut
    /// finer by it, never coarser.
    pub proxies: Option<usize>,
    /// How CORDE takes its steps: `implicit` or `explicit`.
    pub scheme: Option<String>,
    /// Whether it never moves, whatever touches it: a rail.
    pub fixed: Option<bool>,
    pub material: Option<String>,
    /// Of a round section.
    pub radius: Option<f64>,
    /// Another section, in place of `radius`.
    pub section: Option<SectionFile>,
    /// Where the first director points, as far as it can.
    pub facing: Option<[f64; 3]>,
    pub youngs_modulus: Option<f64>,
    pub poisson_ratio: Option<f64>,
    pub density: Option<f64>,
    /// Bending and twisting stiffness over that of a solid rod: 1 for wire and hair, small for rope.
    pub bending_factor: Option<f64>,
    pub mass_damping: Option<f64>,
    pub stiffness_damping: Option<f64>,
    /// Straight pieces that contact and drawing see, whatever the model.
    pub elements: Option<usize>,
    /// Whether the end is joined to the start; a circle always is.
    pub closed: Option<bool>,
    /// A text file of `x y z` lines; goes before `shape`.
    pub file: Option<String>,
    pub surface: Option<String>,
    pub color: Option<[f32; 3]>,
    pub natural: Option<NaturalFile>,
    /// A bundle: the strand, and others like it beside it. The copies of `hair` are called `hair 1`, `hair 2` …, and
    /// come right after it where rods are counted.
    pub copies: Option<CopiesFile>,
}

/// Whole sizes along the first and the second director.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum SectionFile {
    Ellipse { size: [f64; 2] },
    Rectangle { size: [f64; 2] },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CopiesFile {
    /// Strands in all.
    pub count: usize,
    /// Distance from each centreline to its neighbours.
    pub spacing: f64,
    /// They stand side by side across this direction.
    pub axis: [f64; 3],
    /// Each is off its place by up to this.
    #[serde(default)]
    pub jitter: f64,
    #[serde(default)]
    pub seed: u64,
    /// Every other strand is darker by this share, 0 to 1, so that they can be told apart.
    #[serde(default)]
    pub shade: f32,
}

/// Where a centreline comes from.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum CurveFile {
    Line {
        from: [f64; 3],
        to: [f64; 3],
    },
    Helix {
        /// Where its axis starts.
        from: [f64; 3],
        axis: [f64; 3],
        coil_radius: f64,
        pitch: f64,
        turns: f64,
        /// Where on its circle it starts; 0 is across the axis, towards the first world axis that is across.
        #[serde(default)]
        start_deg: f64,
    },
    /// Part of a circle; without curvature, a line.
    Arc {
        from: [f64; 3],
        /// Where it goes from there.
        direction: [f64; 3],
        /// Where it bends to.
        towards: [f64; 3],
        /// 1/m.
        curvature: f64,
        length: f64,
    },
    /// A whole head of hair, strand by strand: `hair`, `hair 1`, `hair 2` …, as copies are.
    Hair {
        /// Name of the body on which it grows: the head of a bust, with its shoulders below it.
        on: String,
        count: usize,
        length: f64,
        /// Half the width of its waves.
        wave: f64,
        /// From wave to wave.
        wavelength: f64,
        #[serde(default)]
        seed: u64,
    },
    /// All strands of a file, as copies are: `name`, `name 1`, `name 2` …
    Strands {
        /// `.hair`, `.usda` or `.obj`, beside the scene file or in the working directory.
        file: String,
        /// Lengths in the file are in these many metres; by its own unit if not given, else in metres.
        scale: Option<f64>,
        /// Which axis of the file points up, `y` or `z`; as the file says if not given.
        up: Option<String>,
        /// At most so many of them, evenly chosen; all if not given.
        most: Option<usize>,
    },
    Circle {
        centre: [f64; 3],
        /// Seen from where this points, it runs anticlockwise.
        normal: [f64; 3],
        radius: f64,
    },
    Polyline {
        file: Option<String>,
        points: Option<Vec<[f64; 3]>>,
    },
    OverhandKnot {
        /// The middle of the line along which the two tails leave.
        centre: [f64; 3],
        /// Where the second tail points; the first points the other way.
        direction: [f64; 3],
        /// From where its crossings are seen.
        normal: Option<[f64; 3]>,
        loop_size: f64,
        length: f64,
        /// How often its end goes through the loop; once if not given.
        turns: Option<usize>,
    },
    /// One rail of a track through loops.
    Track {
        /// Where the middle of the track starts.
        from: [f64; 3],
        direction: [f64; 3],
        /// Where its loops rise; up if not given.
        up: Option<[f64; 3]>,
        run_in: f64,
        /// Radii of the loops.
        radii: Vec<f64>,
        between: f64,
        run_out: f64,
        /// How far each loop goes aside.
        aside: f64,
        /// From the middle of the track to the rail, on the side of direction × up.
        beside: f64,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"straight\", \"as_given\" or { curvature = 1/m, curvature_2 = 1/m, twist = rad/m }, each a number or a list"
)]
pub(super) enum NaturalFile {
    Name(String),
    Curved(CurvedFile),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurvedFile {
    /// Towards the first director.
    pub curvature: Option<AlongFile>,
    /// Towards the second director.
    pub curvature_2: Option<AlongFile>,
    pub twist: Option<AlongFile>,
}

/// A number for the whole strand, or several: the strand is divided evenly among them.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub(super) enum AlongFile {
    Even(f64),
    List(Vec<f64>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyFile {
    pub name: Option<String>,
    pub shape: SolidFile,
    #[serde(default)]
    pub position: [f64; 3],
    pub rotation: Option<RotationFile>,
    #[serde(default)]
    pub motion: MotionFile,
    /// kg/m³. What has it is free to move.
    pub density: Option<f64>,
    /// Of its centre of mass at the start, m/s; for what is free to move.
    pub velocity: Option<[f64; 3]>,
    /// At the start: axis times rate, rad/s; for what is free to move.
    pub spin: Option<[f64; 3]>,
    /// With which share of their approach it and what hits it separate, 0 to 1.
    #[serde(default)]
    pub restitution: f64,
    pub surface: Option<String>,
    pub color: Option<[f32; 3]>,
}

/// A solid in its own frame; axes and centres as in [`crate::geometry::Shape`], whole lengths instead of halves.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum SolidFile {
    Plane {},
    Sphere {
        radius: f64,
    },
    Capsule {
        radius: f64,
        /// Without the caps.
        length: f64,
    },
    Box {
        size: [f64; 3],
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// Triangles from an OBJ or STL file, beside the scene file or in the working directory.
    Mesh {
        file: String,
        /// Lengths in the file are in these many metres.
        scale: Option<f64>,
    },
    /// Half of a bust of triangles: its `head` or its `shoulders`. The origin of both is where the head turns on the neck.
    Bust {
        part: String,
    },
    /// A sphere of triangles whose surface swells and sinks.
    BumpySphere {
        radius: f64,
        /// How far it swells and sinks.
        bumps: f64,
        /// About how often on the way around.
        waves: f64,
        /// 20 triangles, quartered so many times.
        subdivisions: usize,
    },
}

/// A turn by `deg` degrees about `axis`, right-handed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RotationFile {
    pub axis: [f64; 3],
    pub deg: f64,
}

/// A rod by its place in the file or by its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected the number of a rod, from 0, or its name"
)]
pub(super) enum RodRef {
    Index(usize),
    Name(String),
}

impl Default for RodRef {
    fn default() -> Self {
        Self::Index(0)
    }
}

/// What goes into the report's `measured`; see [`super::Quantity`] for the meaning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureFile {
    pub name: String,
    pub kind: MeasureKindFile,
    #[serde(default)]
    pub rod: RodRef,
    /// Name of a hold, for `hold_force`.
    pub hold: Option<String>,
    /// Name of a body, for `body_force`, `body_travel` and `body_highest`.
    pub body: Option<String>,
    #[serde(default)]
    pub from: f64,
    pub to: Option<f64>,
    /// For `acceleration`: along which direction; down the slope if not given. For `body_travel`: likewise, along x.
    pub direction: Option<[f64; 3]>,
    /// For `acceleration`: name of the plane on which the rod slides; adds g (sin θ − µ cos θ) to the report. For
    /// `creep`: name of the body from which it is seen.
    pub on: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MeasureKindFile {
    Displacement,
    Creep,
    Acceleration,
    HoldForce,
    BodyForce,
    EndDistance,
    LowestPoint,
    BodyTravel,
    BodyHighest,
    Drift,
    Speed,
    PileRadius,
    PileHeight,
    Straightness,
}
