//! The command line's grammar.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use prusik::bench::{CONVERGENCE_SCENE, PACKED_SCENE};
use prusik::friction::SolverKind;
use prusik::scene::{Camera, StrandLook};

use super::values::{
    camera, iterations, look, rate, seconds, seconds_or_zero, size, solver, tolerance,
};

/// A laboratory for frictional fibres: ropes, knots, hair and wires with exact Coulomb friction.
#[derive(Debug, Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    app: AppArgs,
}

impl Args {
    /// The command; the window when none is named.
    pub fn task(self) -> Task {
        self.task.unwrap_or(Task::App(self.app))
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Open the window (also without a command)
    App(AppArgs),
    /// List the scenes that ship with Prusik
    Scenes(ScenesArgs),
    /// Simulate a scene without a window and report figures
    Run(RunArgs),
    /// Play a recorded session without a window: the same edits at the same steps; says if the result differs
    Replay(ReplayArgs),
    /// Solve one-step friction problems from files and judge the results
    Solve(SolveArgs),
    /// Compare friction solvers, or rod models, side by side
    Bench(BenchArgs),
    /// Hold claims against theory: run protocols by name, or list them
    Validate(ValidateArgs),
    /// Draw a scene into a picture, or a stretch of time into a film, without a display
    Render(RenderArgs),
    /// Write pictures and an animation of a knot being tied into a folder, without a display
    Showcase(ShowcaseArgs),
}

/// Changes to a scene.
#[derive(Clone, Debug, clap::Args)]
pub struct Sets {
    /// Change a field of the scene, such as friction.default=0.3 or rods.radius=0.002 (repeatable)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// `prusik app`
#[derive(Debug, clap::Args)]
pub struct AppArgs {
    /// A shipped scene (see `prusik scenes`) or the path of a file: .toml, or strands and meshes (.hair, .usda, .obj, .stl)
    pub scene: Option<String>,
    #[command(flatten)]
    pub changes: Sets,
    /// Play a session: a shipped one (such as overhand) or the path of a .session file
    #[arg(long, value_name = "SESSION", conflicts_with_all = ["scene", "sets"])]
    pub watch: Option<String>,
    /// Write the final state as JSON when the window closes
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Close by itself after so many seconds
    #[arg(long, value_name = "S", hide = true, value_parser = seconds)]
    pub exit_after: Option<f64>,
}

/// `prusik scenes`
#[derive(Debug, clap::Args)]
pub struct ScenesArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `prusik run`
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// A shipped scene (see `prusik scenes`) or the path of a file: .toml, or strands and meshes (.hair, .usda, .obj, .stl)
    pub scene: String,
    /// Simulated time, s; the scene's own when neither this nor --steps is given
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true, conflicts_with = "steps")]
    pub time: Option<f64>,
    /// Number of steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: Option<u64>,
    #[command(flatten)]
    pub changes: Sets,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write one row of figures per step
    #[arg(long, value_name = "FILE.csv")]
    pub stats: Option<PathBuf>,
    /// Write the one-step problems of the run into this folder (Siconos' text format), with the solver's first guesses
    #[arg(long, value_name = "DIR")]
    pub dump_problems: Option<PathBuf>,
    /// Write only every N-th of them
    #[arg(long, value_name = "N", default_value_t = 1, requires = "dump_problems", value_parser = clap::value_parser!(u64).range(1..))]
    pub dump_every: u64,
    /// Print the run report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik replay`
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// A shipped session or the path of a .session file
    pub session: String,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik solve`
#[derive(Debug, clap::Args)]
pub struct SolveArgs {
    /// Problems in Siconos' text format (.dat) or FCLIB's HDF5 format
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The solver
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = solver)]
    pub solver: SolverKind,
    /// The error (rel) that counts as solved
    #[arg(long, value_name = "X", default_value_t = 1e-8, value_parser = tolerance, allow_hyphen_values = true)]
    pub tol: f64,
    /// Iterations after which the solver gives up and returns its best
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = iterations, allow_hyphen_values = true)]
    pub max_iterations: usize,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write the impulses, 3 numbers per contact (only with one file)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write every measured error: iteration, error, stage (only with one file)
    #[arg(long, value_name = "FILE.csv")]
    pub trace: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench`
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub what: Bench,
}

/// What to compare.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Solvers, on the one-step problems of a packed scene or on problems from files
    Solvers(BenchSolversArgs),
    /// Rod models: the time of one step without contacts, at several sizes
    Rods(BenchRodsArgs),
    /// Contact detection: smooth curves against straight pieces, on pairs of curves of a lock of hair
    Detection(BenchDetectionArgs),
    /// Scenes: time per step beside the paper's, contacts, ν, where the time goes
    Scenes(BenchScenesArgs),
    /// Convergence: iterations, time and error of solvers against ν, on the problems of a pile
    Convergence(BenchConvergenceArgs),
    /// Drawing: frames of 1, 84 and 2000 strands, and how much of their time is ours
    Drawing(BenchDrawingArgs),
}

/// `prusik bench scenes`
#[derive(Debug, clap::Args)]
pub struct BenchScenesArgs {
    /// Only these rows of the table, apart by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Simulate at most so long, s; the whole of each scene when not given
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub seconds: Option<f64>,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench convergence`
#[derive(Debug, clap::Args)]
pub struct BenchConvergenceArgs {
    /// The solvers, apart by commas; newton-ac, gs-hybrid and auto when not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = solver)]
    pub solvers: Vec<SolverKind>,
    /// The scene whose problems are solved
    #[arg(long, value_name = "SCENE", default_value = CONVERGENCE_SCENE)]
    pub scene: String,
    /// Take the problems of the first so many seconds: the pile falls and comes to rest, and ν grows meanwhile
    #[arg(long, value_name = "S", default_value_t = 0.6, value_parser = seconds, allow_hyphen_values = true)]
    pub seconds: f64,
    /// How many problems, evenly over that time
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = iterations, allow_hyphen_values = true)]
    pub problems: usize,
    /// The error (rel) that counts as solved; 1e-4 is about what the paper asks for
    #[arg(long, value_name = "X", default_value_t = 1e-4, value_parser = tolerance, allow_hyphen_values = true)]
    pub tol: f64,
    /// Iterations after which a solver gives up; 200 in the paper
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = iterations, allow_hyphen_values = true)]
    pub max_iterations: usize,
    /// Block products after which a solver gives up: the default is some ten seconds
    #[arg(long, value_name = "X", default_value_t = 2e9, value_parser = tolerance, allow_hyphen_values = true)]
    pub max_work: f64,
    /// Write convergence.csv and convergence.svg into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench drawing`
#[derive(Debug, clap::Args)]
pub struct BenchDrawingArgs {
    /// Frames measured per kind
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = iterations, allow_hyphen_values = true)]
    pub frames: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench detection`
#[derive(Debug, clap::Args)]
pub struct BenchDetectionArgs {
    /// Measure on the first so many pairs only
    #[arg(long, value_name = "N", value_parser = iterations, allow_hyphen_values = true)]
    pub pairs: Option<usize>,
    /// Make the trace of pairs again from a scene of super-helices, and write it here
    #[arg(long, value_name = "FILE", hide = true, requires = "scene")]
    pub record: Option<PathBuf>,
    /// The scene that `--record` runs
    #[arg(long, value_name = "SCENE", hide = true, requires = "record")]
    pub scene: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench rods`
#[derive(Debug, clap::Args)]
pub struct BenchRodsArgs {
    /// Steps measured per model and size
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = iterations, allow_hyphen_values = true)]
    pub steps: usize,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik bench solvers`
#[derive(Debug, clap::Args)]
pub struct BenchSolversArgs {
    /// Problems in Siconos' text format (.dat) or FCLIB's HDF5 format; the packed scene's own when none are given
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The solvers, apart by commas; all when not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = solver)]
    pub solvers: Vec<SolverKind>,
    /// The error (rel) that counts as solved
    #[arg(long, value_name = "X", default_value_t = 1e-6, value_parser = tolerance, allow_hyphen_values = true)]
    pub tol: f64,
    /// Iterations after which a solver gives up: 1000 on the packed scene, 10000 on files when not given
    #[arg(long, value_name = "N", value_parser = iterations, allow_hyphen_values = true)]
    pub max_iterations: Option<usize>,
    /// A shipped scene whose problems are taken instead of the packed one's
    #[arg(long, value_name = "SCENE", default_value = PACKED_SCENE, conflicts_with = "files")]
    pub scene: String,
    /// How many problems of the scene
    #[arg(long, value_name = "N", default_value_t = 306, conflicts_with = "files", value_parser = iterations, allow_hyphen_values = true)]
    pub problems: usize,
    /// The script fc3d_judge.py: also measures Siconos' Gauss-Seidel, by which published times carry over to this machine
    #[arg(long, value_name = "FILE.py", requires = "files")]
    pub judge: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik validate`
#[derive(Debug, clap::Args)]
pub struct ValidateArgs {
    /// The protocols, or `all`; lists them when none is named
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// In haste: larger time steps and fewer cases
    #[arg(long)]
    pub quick: bool,
    /// Seeds per case of `violent_drag`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub seeds: Option<u64>,
    /// The first of them
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub first_seed: u64,
    /// Only those cases of `violent_drag` whose name contains this, e.g. "corde, knot"
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Simulated seconds of each case of `violent_drag`
    #[arg(long, value_name = "S", value_parser = seconds, allow_hyphen_values = true)]
    pub seconds: Option<f64>,
    /// Write tables (CSV) and plots (SVG) into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads to compute with; all cores when not given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `prusik render`
#[derive(Debug, clap::Args)]
pub struct RenderArgs {
    /// A shipped scene (see `prusik scenes`) or the path of a file: .toml, or strands and meshes (.hair, .usda, .obj, .stl)
    pub scene: String,
    /// Simulated time of the picture, s
    #[arg(long, value_name = "S", value_parser = seconds_or_zero, allow_hyphen_values = true, required_unless_present = "to", conflicts_with_all = ["from", "to", "fps"])]
    pub time: Option<f64>,
    /// Simulated time of the first of many pictures, s
    #[arg(long, value_name = "S", value_parser = seconds_or_zero, allow_hyphen_values = true, default_value_t = 0.0)]
    pub from: f64,
    /// Simulated time of the last of many pictures, s
    #[arg(long, value_name = "S", value_parser = seconds_or_zero, allow_hyphen_values = true)]
    pub to: Option<f64>,
    /// Pictures per simulated second
    #[arg(long, value_name = "N", value_parser = rate, allow_hyphen_values = true, default_value_t = 25.0)]
    pub fps: f64,
    /// The picture to write; with --to a .gif, an .mp4 (by ffmpeg), or a folder for PNG frames
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size)]
    pub size: (u32, u32),
    /// Where the eye is, what it looks at, and its vertical field of view in degrees
    #[arg(long, value_name = "X,Y,Z,TX,TY,TZ[,FOV]", value_parser = camera, allow_hyphen_values = true)]
    pub camera: Option<Camera>,
    /// What strands are drawn as: rope, hair or plain; as the scene or their material suggests when not given
    #[arg(long, value_name = "LOOK", value_parser = look)]
    pub look: Option<StrandLook>,
    /// What the colour of strands shows: strand, tension, bending-moment, curvature, twist, speed or
    /// contact-force
    #[arg(long, value_name = "MODE", default_value = "strand")]
    pub color: String,
    /// Without the stripe that shows twist
    #[arg(long)]
    pub no_stripe: bool,
    /// Without contact points
    #[arg(long)]
    pub no_contacts: bool,
    /// With contact forces as arrows
    #[arg(long)]
    pub forces: bool,
    /// With friction cones, the forces in them
    #[arg(long)]
    pub cones: bool,
    /// Colours of the backdrop and the ground
    #[arg(long, value_name = "THEME", default_value = "light", value_parser = ["dark", "light"])]
    pub theme: String,
    #[command(flatten)]
    pub changes: Sets,
}

/// `prusik showcase`
#[derive(Debug, clap::Args)]
pub struct ShowcaseArgs {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "showcase")]
    pub out: PathBuf,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn without_a_command_the_window_opens() {
        let task = |words: &[&str]| Args::try_parse_from(words).expect("valid").task();
        assert!(matches!(task(&["prusik"]), Task::App(app) if app.scene.is_none()));
        assert!(matches!(
            task(&["prusik", "app", "drape", "--set", "dt=1e-3"]),
            Task::App(app) if app.scene.as_deref() == Some("drape") && app.changes.sets.len() == 1
        ));
        assert!(matches!(
            task(&["prusik", "--report", "x.json"]),
            Task::App(app) if app.report.is_some()
        ));
    }

    #[test]
    fn a_picture_needs_a_time_or_a_stretch_of_it_but_not_both() {
        let parse = |words: &str| {
            let words = format!("prusik render knot --out x {words}");
            Args::try_parse_from(words.split_whitespace()).is_ok()
        };
        assert!(parse("--time 1") && parse("--to 2") && parse("--from 1 --to 2 --fps 10"));
        assert!(!parse("") && !parse("--time 1 --to 2") && !parse("--from 1"));
        assert!(!parse("--to 2 --fps 0") && !parse("--to 2 --fps nan"));
    }
}
