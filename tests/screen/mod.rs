//! A virtual display with a pointer, by Xvfb and xdotool; its picture comes from Xvfb's own frame buffer file.

#![allow(dead_code, reason = "no test uses all of it")]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const WIDTH: usize = 1280;
const HEIGHT: usize = 720;

/// A running Xvfb.
pub struct Screen {
    server: Child,
    name: String,
    folder: PathBuf,
}

impl Screen {
    /// Starts Xvfb on a free display, or says what to install.
    pub fn open() -> Self {
        for (tool, package) in [("Xvfb", "xvfb"), ("xdotool", "xdotool")] {
            let found = Command::new("which").arg(tool).output();
            assert!(
                found.is_ok_and(|output| output.status.success()),
                "{tool} is missing: install it (Debian and Ubuntu: apt install {package}), \
                 or set PRUSIK_WINDOW_TEST=0 to skip the window test"
            );
        }
        let folder = std::env::temp_dir().join(format!("prusik-screen-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the temporary folder can be written to");
        let first = 90 + std::process::id() % 400;
        for number in first..first + 20 {
            if let Some(screen) = Self::try_open(number, &folder) {
                return screen;
            }
        }
        panic!("Xvfb found no free display from :{first} on");
    }

    fn try_open(number: u32, folder: &PathBuf) -> Option<Self> {
        let lock = format!("/tmp/.X{number}-lock");
        let socket = format!("/tmp/.X11-unix/X{number}");
        if std::path::Path::new(&lock).exists() || std::path::Path::new(&socket).exists() {
            return None;
        }
        let mut server = Command::new("Xvfb")
            .arg(format!(":{number}"))
            .args(["-screen", "0", &format!("{WIDTH}x{HEIGHT}x24"), "-fbdir"])
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let limit = Instant::now() + Duration::from_secs(20);
        while Instant::now() < limit {
            if server.try_wait().ok().flatten().is_some() {
                return None;
            }
            if std::os::unix::net::UnixStream::connect(&socket).is_ok() {
                return Some(Self {
                    server,
                    name: format!(":{number}"),
                    folder: folder.clone(),
                });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = server.kill();
        let _ = server.wait();
        None
    }

    /// For the variable DISPLAY.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("xdotool runs");
        assert!(
            output.status.success(),
            "xdotool {arguments:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    }

    fn window(&self, title: &str) -> String {
        let found = self.xdotool(&["search", "--sync", "--name", &format!("^{title}$")]);
        found.lines().next().unwrap_or_default().to_string()
    }

    /// Gives a window the keyboard; without a window manager nobody else does.
    pub fn focus(&self, title: &str) {
        let window = self.window(title);
        self.xdotool(&["windowfocus", "--sync", &window]);
    }

    /// Presses the left button at a place.
    pub fn press(&self, at: [f64; 2]) {
        self.move_to(at);
        self.xdotool(&["mousedown", "1"]);
    }

    /// Lets go of the left button.
    pub fn release(&self) {
        self.xdotool(&["mouseup", "1"]);
    }

    /// Moves the pointer from one place to another in small steps, as a hand does.
    pub fn glide(&self, from: [f64; 2], to: [f64; 2]) {
        let steps = 20;
        for step in 1..=steps {
            let share = step as f64 / steps as f64;
            self.move_to([
                from[0] + share * (to[0] - from[0]),
                from[1] + share * (to[1] - from[1]),
            ]);
            // The pace of a hand, not a wait for something: about half a second in all.
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    /// Clicks with the left button at a place.
    pub fn click(&self, at: [f64; 2]) {
        self.move_to(at);
        self.xdotool(&["click", "1"]);
    }

    /// Types into the text field that has the focus, and confirms.
    pub fn enter(&self, text: &str) {
        self.xdotool(&["type", "--delay", "60", text]);
        self.key("Return");
    }

    /// Turns the wheel by a notch: 4 is up, 5 is down.
    pub fn wheel(&self, button: &str) {
        self.xdotool(&["click", button]);
    }

    /// Presses and releases a key.
    pub fn key(&self, name: &str) {
        self.xdotool(&["key", name]);
    }

    fn move_to(&self, at: [f64; 2]) {
        let [x, y] = at.map(|c| (c.round() as i64).to_string());
        self.xdotool(&["mousemove", &x, &y]);
    }

    /// What is on the screen now.
    pub fn picture(&self) -> Picture {
        let file = self.folder.join("Xvfb_screen0");
        let bytes = std::fs::read(&file).expect("Xvfb keeps its frame buffer in a file");
        Picture::from_xwd(&bytes)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Colours of all pixels, row by row.
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// All black.
    pub fn blank(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            pixels: vec![[0; 3]; width * height],
        }
    }

    /// Writes a PNG file.
    pub fn save(&self, path: &std::path::Path) {
        let bytes: Vec<u8> = self.pixels.iter().flatten().copied().collect();
        let (width, height) = (self.width as u32, self.height as u32);
        image::save_buffer(path, &bytes, width, height, image::ColorType::Rgb8)
            .expect("the picture can be written");
    }

    /// Sets one pixel.
    pub fn paint(&mut self, [x, y]: [usize; 2], color: [u8; 3]) {
        self.pixels[y * self.width + x] = color;
    }

    /// Reads an XWD dump with 32 bits per pixel: a header of big-endian words, a colour table, then rows of B, G, R, –.
    fn from_xwd(bytes: &[u8]) -> Self {
        let word = |i: usize| {
            let at = 4 * i;
            u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
        };
        let (header, width, height) = (word(0), word(4), word(5));
        let (row_bytes, colors) = (word(12), word(19));
        assert_eq!(
            word(11),
            32,
            "Xvfb was started with 24 bits of colour in 32-bit pixels"
        );
        let data = &bytes[header + 12 * colors..];
        let pixel = |i: usize| {
            let at = i / width * row_bytes + i % width * 4;
            [data[at + 2], data[at + 1], data[at]]
        };
        Self {
            width,
            height,
            pixels: (0..width * height).map(pixel).collect(),
        }
    }

    /// Whether hardly anything is drawn but a pointer.
    pub fn is_blank(&self) -> bool {
        let drawn = self.pixels.iter().filter(|pixel| **pixel != [0; 3]).count();
        drawn < self.pixels.len() / 10
    }

    /// How much redder than grey the reddest pixel is within `half` pixels of a place, 0 to 255.
    pub fn redness_near(&self, at: [f64; 2], half: usize) -> f64 {
        let mut most = 0.0_f64;
        for y in span(at[1], half, self.height) {
            for x in span(at[0], half, self.width) {
                let [r, g, b] = self.pixels[y * self.width + x].map(f64::from);
                most = most.max(r - 0.5 * (g + b));
            }
        }
        most
    }

    /// Mean difference of the colours, 0 to 255, in a square about a place.
    pub fn difference_near(&self, other: &Picture, at: [f64; 2], half: usize) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for y in span(at[1], half, self.height) {
            for x in span(at[0], half, self.width) {
                let i = y * self.width + x;
                let pairs = self.pixels[i].iter().zip(&other.pixels[i]);
                sum += pairs.map(|(p, q)| p.abs_diff(*q) as f64).sum::<f64>() / 3.0;
                count += 1.0;
            }
        }
        sum / f64::max(count, 1.0)
    }
}

/// The pixels within `half` of `centre`, inside the picture.
fn span(centre: f64, half: usize, most: usize) -> std::ops::Range<usize> {
    let centre = centre.round().max(0.0) as usize;
    centre.saturating_sub(half)..(centre + half + 1).min(most)
}
