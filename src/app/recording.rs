//! Ctrl+R: what the window shows as a film. Frames are taken at a steady pace while the window goes on; another thread
//! makes a GIF of them, and an MP4 where ffmpeg is present. If it cannot keep up, frames are left out, not the window.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use crossbeam_channel::{Receiver, Sender, bounded};
use image::RgbaImage;

use super::AppError;
use super::reel::{Reel, fit, has_ffmpeg};
use super::screenshot::file_stem;
use super::shown::Shown;
use super::toasts::Toasts;

/// Frames per second that are asked for.
const FPS: f64 = 15.0;
/// Widest film, pixels; larger windows are scaled down.
const WIDEST: u32 = 960;
/// Frames that wait for the encoder at the most: some ten megabytes.
const QUEUE: usize = 4;
/// A film ends by itself after this: a forgotten one must not fill the disk.
const LONGEST: Duration = Duration::from_secs(180);
/// How long closing the window waits for the last frames.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks to begin or to end a film.
#[derive(Message, Clone, Copy, Debug)]
pub struct RecordRequest;

/// Makes films of the window.
pub struct RecordingPlugin;

impl Plugin for RecordingPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<RecordRequest>()
            .init_resource::<Recording>()
            .add_systems(Update, (answer_requests, take_frames, report).chain());
    }
}

/// The film being made, and those still being written.
#[derive(Resource, Default)]
pub struct Recording {
    now: Option<Film>,
    writing: Vec<Encoder>,
}

/// How far a film is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Frames are being taken.
    Taking {
        /// Since its beginning, s.
        seconds: f64,
        /// Frames taken.
        frames: u32,
    },
    /// The last frames are being written.
    Writing {
        /// Frames written.
        done: u32,
        /// Of so many.
        frames: u32,
    },
}

impl Recording {
    /// Whether frames are being taken.
    pub fn runs(&self) -> bool {
        self.now.is_some()
    }

    /// How far it is; nothing when there is no film.
    pub fn progress(&self) -> Option<Progress> {
        if let Some(film) = &self.now {
            return Some(Progress::Taking {
                seconds: film.began.elapsed().as_secs_f64(),
                frames: film.encoder.tally.taken.load(Ordering::Relaxed),
            });
        }
        let tally = &self.writing.first()?.tally;
        Some(Progress::Writing {
            done: tally.written.load(Ordering::Relaxed),
            frames: tally.taken.load(Ordering::Relaxed),
        })
    }
}

struct Film {
    began: Instant,
    /// When the last frame was asked for.
    asked: Option<Instant>,
    frames: Sender<Shot>,
    encoder: Encoder,
}

/// One frame and when it was taken.
struct Shot {
    image: Image,
    at: Instant,
}

struct Encoder {
    tally: Arc<Tally>,
    outcome: Receiver<Result<Vec<PathBuf>, AppError>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Tally {
    taken: AtomicU32,
    written: AtomicU32,
}

fn answer_requests(
    mut requests: MessageReader<RecordRequest>,
    mut recording: ResMut<Recording>,
    shown: Res<Shown>,
    mut toasts: ResMut<Toasts>,
) {
    let overdue = recording
        .now
        .as_ref()
        .is_some_and(|film| film.began.elapsed() > LONGEST);
    if overdue {
        toasts.say(format!("The film ends after {} s", LONGEST.as_secs()));
    }
    if requests.read().count().is_multiple_of(2) && !overdue {
        return;
    }
    match recording.now.take() {
        // Dropping the sender tells the thread that no more will come.
        Some(film) => recording.writing.push(film.encoder),
        None => match start(&file_stem(&shown)) {
            Ok(film) => recording.now = Some(film),
            Err(why) => toasts.warn(why),
        },
    }
}

fn start(stem: &str) -> Result<Film, String> {
    let (frames, shots) = bounded(QUEUE);
    let (tell, outcome) = bounded(1);
    let tally = Arc::new(Tally::default());
    let (stem, counted) = (stem.to_owned(), tally.clone());
    let thread = std::thread::Builder::new()
        .name("film".into())
        .spawn(move || {
            // Nobody listens any more when the window is gone.
            let _ = tell.send(encode(&stem, &shots, &counted));
        })
        .map_err(|why| format!("no film can be made: {why}"))?;
    Ok(Film {
        began: Instant::now(),
        asked: None,
        frames,
        encoder: Encoder {
            tally,
            outcome,
            thread: Some(thread),
        },
    })
}

/// Asks for a frame when one is due; the observer hands it on when it has come back from the adapter.
fn take_frames(mut commands: Commands, mut recording: ResMut<Recording>) {
    let Some(film) = recording.now.as_mut() else {
        return;
    };
    let due = film
        .asked
        .is_none_or(|asked| asked.elapsed().as_secs_f64() >= 0.95 / FPS);
    if !due || film.frames.is_full() {
        return;
    }
    let at = Instant::now();
    film.asked = Some(at);
    let (frames, tally) = (film.frames.clone(), film.encoder.tally.clone());
    let hand_on = move |captured: On<ScreenshotCaptured>| {
        let image = captured.image.clone();
        if frames.try_send(Shot { image, at }).is_ok() {
            tally.taken.fetch_add(1, Ordering::Relaxed);
        }
    };
    commands
        .spawn(Screenshot::primary_window())
        .observe(hand_on);
}

/// Says where films are that have been written, or why not.
fn report(mut recording: ResMut<Recording>, mut toasts: ResMut<Toasts>) {
    // A film whose file failed ends at once.
    if recording
        .now
        .as_ref()
        .is_some_and(|film| !film.encoder.outcome.is_empty())
        && let Some(film) = recording.now.take()
    {
        recording.writing.push(film.encoder);
    }
    if recording.writing.is_empty() {
        return;
    }
    recording.writing.retain(|encoder| {
        match encoder.outcome.try_recv() {
            Ok(Ok(files)) if files.is_empty() => {
                toasts.warn("The film has no frames: none were drawn")
            }
            Ok(Ok(files)) => {
                for file in files {
                    toasts.say(format!("Saved {}", file.display()));
                }
            }
            Ok(Err(why)) => toasts.warn(why.to_string()),
            Err(crossbeam_channel::TryRecvError::Empty) => return true,
            Err(crossbeam_channel::TryRecvError::Disconnected) => {
                toasts.warn("The film is lost: its thread stopped");
            }
        }
        false
    });
}

/// Receives frames until no more come; returns the files. Runs on its own thread.
fn encode(stem: &str, shots: &Receiver<Shot>, tally: &Tally) -> Result<Vec<PathBuf>, AppError> {
    let mut reels: Vec<Reel> = Vec::new();
    let mut last: Option<(RgbaImage, Instant)> = None;
    for shot in shots {
        let Ok(picture) = shot.image.try_into_dynamic() else {
            continue;
        };
        let picture = narrow(picture.into_rgba8());
        if reels.is_empty() {
            reels = open(stem, picture.dimensions())?;
        }
        // How long a frame is shown is known when the next has come.
        if let Some((picture, at)) = last.replace((picture, shot.at)) {
            let shown_s = shot.at.saturating_duration_since(at).as_secs_f64();
            add(&mut reels, &picture, shown_s)?;
            tally.written.fetch_add(1, Ordering::Relaxed);
        }
    }
    if let Some((picture, _)) = last {
        add(&mut reels, &picture, FPS.recip())?;
        tally.written.fetch_add(1, Ordering::Relaxed);
    }
    reels.into_iter().map(Reel::finish).collect()
}

fn open(stem: &str, size: (u32, u32)) -> Result<Vec<Reel>, AppError> {
    let endings: &[&str] = if has_ffmpeg() {
        &["gif", "mp4"]
    } else {
        &["gif"]
    };
    let file = |ending: &&str| {
        let path = PathBuf::from(format!("{stem}.{ending}"));
        Reel::open(&std::path::absolute(&path).unwrap_or(path), size, FPS)
    };
    endings.iter().map(file).collect()
}

fn add(reels: &mut [Reel], picture: &RgbaImage, shown_s: f64) -> Result<(), AppError> {
    reels
        .iter_mut()
        .try_for_each(|reel| reel.add(picture, shown_s))
}

/// At most [`WIDEST`].
fn narrow(picture: RgbaImage) -> RgbaImage {
    let (width, height) = picture.dimensions();
    if width <= WIDEST {
        return picture;
    }
    let height = (u64::from(height) * u64::from(WIDEST) / u64::from(width)).max(1);
    fit(&picture, (WIDEST, height as u32))
}

impl Drop for Recording {
    /// Gives the last frames a moment to be written when the window closes.
    fn drop(&mut self) {
        if let Some(film) = self.now.take() {
            self.writing.push(film.encoder);
        }
        let until = Instant::now() + PATIENCE;
        for mut encoder in self.writing.drain(..) {
            if encoder.outcome.recv_deadline(until).is_ok()
                && let Some(thread) = encoder.thread.take()
            {
                // A panic there has been told already, as a lost film.
                let _ = thread.join();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::asset::RenderAssetUsages;
    use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};

    fn shot(at: Instant, shade: u8) -> Shot {
        let size = Extent3d {
            width: 1200,
            height: 30,
            depth_or_array_layers: 1,
        };
        let image = Image::new_fill(
            size,
            TextureDimension::D2,
            &[shade, shade, shade, 255],
            TextureFormat::Rgba8UnormSrgb,
            RenderAssetUsages::default(),
        );
        Shot { image, at }
    }

    #[test]
    fn frames_become_a_film_that_lasts_as_long_as_they_took() {
        use image::AnimationDecoder;
        let stem = std::env::temp_dir().join(format!("prusik-film-{}", std::process::id()));
        let (frames, shots) = bounded(8);
        let began = Instant::now();
        for k in 0..4_u32 {
            let at = began + Duration::from_millis(100 * u64::from(k));
            frames.send(shot(at, 60 * k as u8)).expect("room");
        }
        drop(frames);
        let tally = Tally::default();
        let files = encode(&stem.to_string_lossy(), &shots, &tally).expect("written");
        assert_eq!(tally.written.load(Ordering::Relaxed), 4);
        let file = std::io::BufReader::new(std::fs::File::open(&files[0]).expect("there"));
        let gif = image::codecs::gif::GifDecoder::new(file).expect("a gif");
        let frames = gif.into_frames().collect_frames().expect("frames");
        assert_eq!(frames.len(), 4);
        assert_eq!(frames[0].buffer().dimensions(), (WIDEST, 24));
        let (ms, _) = frames[1].delay().numer_denom_ms();
        assert_eq!(ms, 100);
        for file in files {
            let _ = std::fs::remove_file(file);
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_a_sentence() {
        let (frames, shots) = bounded(1);
        frames.send(shot(Instant::now(), 0)).expect("room");
        drop(frames);
        let why = encode("/no-such-folder/film", &shots, &Tally::default())
            .expect_err("nowhere to write")
            .to_string();
        assert!(why.contains("film.gif"), "{why}");
    }
}
