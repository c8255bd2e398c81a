//! Moving pictures as files: a folder of PNG frames, an animated GIF, or MP4 by way of ffmpeg.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::AppError;

/// What a file of moving pictures is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReelKind {
    /// One PNG file per frame in a folder.
    Folder,
    /// An animated GIF.
    Gif,
    /// MP4, written by ffmpeg.
    Mp4,
}

impl ReelKind {
    /// What the name of a file asks for; a folder when it has no ending that we know.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("gif") => ReelKind::Gif,
            Some("mp4") => ReelKind::Mp4,
            _ => ReelKind::Folder,
        }
    }
}

/// Moving pictures being written. All frames have the size of the first.
pub struct Reel {
    path: PathBuf,
    size: (u32, u32),
    writer: Writer,
}

enum Writer {
    Folder {
        frames: usize,
    },
    Gif {
        gif: Box<GifEncoder<File>>,
        owed_s: f64,
    },
    Mp4 {
        child: Child,
        fps: f64,
        owed_s: f64,
    },
}

/// The program that writes MP4.
const FFMPEG: &str = "ffmpeg";

/// Whether MP4 can be written here.
pub fn has_ffmpeg() -> bool {
    let asked = Command::new(FFMPEG)
        .arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

impl Reel {
    /// Begins a file, or a folder of frames.
    pub fn open(path: &Path, size: (u32, u32), fps: f64) -> Result<Self, AppError> {
        let failed = |why: String| AppError::Write {
            path: path.into(),
            why,
        };
        let writer = match ReelKind::of(path) {
            ReelKind::Folder => {
                std::fs::create_dir_all(path).map_err(|why| failed(why.to_string()))?;
                Writer::Folder { frames: 0 }
            }
            ReelKind::Gif => {
                // Not buffered: what cannot be written is to be told with its frame, not lost at the end.
                let file = File::create(path).map_err(|why| failed(why.to_string()))?;
                // Speed 10 of 30: fast, and the few colours of our pictures survive it.
                let mut gif = GifEncoder::new_with_speed(file, 10);
                gif.set_repeat(Repeat::Infinite)
                    .map_err(|why| failed(why.to_string()))?;
                Writer::Gif {
                    gif: Box::new(gif),
                    owed_s: 0.0,
                }
            }
            ReelKind::Mp4 => Writer::Mp4 {
                child: start_ffmpeg(FFMPEG, path, size, fps)?,
                fps,
                owed_s: 0.0,
            },
        };
        Ok(Self {
            path: path.into(),
            size,
            writer,
        })
    }

    /// Adds a picture that is shown for so long.
    pub fn add(&mut self, picture: &RgbaImage, shown_s: f64) -> Result<(), AppError> {
        let fitted;
        let picture = if picture.dimensions() == self.size {
            picture
        } else {
            fitted = fit(picture, self.size);
            &fitted
        };
        let path = &self.path;
        let written = match &mut self.writer {
            Writer::Folder { frames } => {
                let name = path.join(format!("frame-{frames:04}.png"));
                *frames += 1;
                let rgb = image::DynamicImage::from(picture.clone()).to_rgb8();
                return rgb
                    .save_with_format(&name, image::ImageFormat::Png)
                    .map_err(|why| AppError::Write {
                        path: name,
                        why: why.to_string(),
                    });
            }
            Writer::Gif { gif, owed_s } => {
                let delay = gif_delay(owed_s, shown_s);
                let frame = Frame::from_parts(picture.clone(), 0, 0, delay);
                gif.encode_frame(frame).map_err(|why| why.to_string())
            }
            Writer::Mp4 { child, fps, owed_s } => add_to_mp4(child, picture, *fps, owed_s, shown_s),
        };
        written.map_err(|why| AppError::Write {
            path: path.clone(),
            why,
        })
    }

    /// Closes the file and says where it is.
    pub fn finish(self) -> Result<PathBuf, AppError> {
        if let Writer::Mp4 { child, .. } = self.writer {
            end_ffmpeg(child).map_err(|why| AppError::Write {
                path: self.path.clone(),
                why,
            })?;
        }
        Ok(self.path)
    }
}

/// GIF counts hundredths of a second, and shows nothing shorter than two: what is rounded off is made up for later.
fn gif_delay(owed_s: &mut f64, shown_s: f64) -> Delay {
    let wanted = *owed_s + shown_s;
    let hundredths = (100.0 * wanted).round().clamp(2.0, 6e4);
    *owed_s = (wanted - 0.01 * hundredths).clamp(-1.0, 1.0);
    Delay::from_numer_denom_ms(10 * hundredths as u32, 1)
}

/// The frames of an MP4 come at one rate: a picture is written as often as its time asks for.
fn add_to_mp4(
    child: &mut Child,
    picture: &RgbaImage,
    fps: f64,
    owed_s: &mut f64,
    shown_s: f64,
) -> Result<(), String> {
    let Some(pipe) = child.stdin.as_mut() else {
        return Err("ffmpeg takes no more frames".into());
    };
    *owed_s += shown_s;
    let times = (*owed_s * fps).round().max(0.0);
    *owed_s -= times / fps;
    for _ in 0..times as usize {
        pipe.write_all(picture.as_raw())
            .map_err(|why| format!("ffmpeg stopped: {why}"))?;
    }
    Ok(())
}

fn start_ffmpeg(
    program: &str,
    path: &Path,
    (width, height): (u32, u32),
    fps: f64,
) -> Result<Child, AppError> {
    // ffmpeg would say so only at the end.
    File::create(path).map_err(|why| AppError::Write {
        path: path.into(),
        why: why.to_string(),
    })?;
    let mut command = Command::new(program);
    command
        .args(["-y", "-loglevel", "error", "-f", "rawvideo"])
        .args(["-pix_fmt", "rgba", "-s", &format!("{width}x{height}")])
        .args(["-r", &fps.to_string(), "-i", "-", "-an"])
        // Common players want even sizes and this order of colours.
        .args(["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2"])
        .args(["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command.spawn().map_err(|why| {
        let _ = std::fs::remove_file(path);
        AppError::NoFfmpeg {
            why: why.to_string(),
        }
    })
}

/// Waits until ffmpeg has written all; its last line if it could not.
fn end_ffmpeg(mut child: Child) -> Result<(), String> {
    drop(child.stdin.take());
    let mut said = String::new();
    if let Some(mut errors) = child.stderr.take() {
        // Not text: then only the exit code tells.
        let _ = errors.read_to_string(&mut said);
    }
    let status = child.wait().map_err(|why| why.to_string())?;
    if status.success() {
        return Ok(());
    }
    let line = said.lines().last().unwrap_or("it did not say why");
    Err(format!("ffmpeg stopped: {line}"))
}

/// A picture scaled into a size, with black beside it where the shapes differ.
pub fn fit(picture: &RgbaImage, (width, height): (u32, u32)) -> RgbaImage {
    let (w, h) = picture.dimensions();
    let scale =
        (f64::from(width) / f64::from(w.max(1))).min(f64::from(height) / f64::from(h.max(1)));
    let side = |pixels: u32, most: u32| ((f64::from(pixels) * scale).round() as u32).clamp(1, most);
    let (w, h) = (side(w, width), side(h, height));
    let scaled = image::imageops::resize(picture, w, h, image::imageops::FilterType::Triangle);
    if (w, h) == (width, height) {
        return scaled;
    }
    let mut fitted = RgbaImage::from_pixel(width, height, image::Rgba([0, 0, 0, 255]));
    let middle = |whole: u32, part: u32| i64::from((whole - part) / 2);
    image::imageops::replace(&mut fitted, &scaled, middle(width, w), middle(height, h));
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_say_what_is_written() {
        let kind = |path: &str| ReelKind::of(Path::new(path));
        assert_eq!(kind("a/b.gif"), ReelKind::Gif);
        assert_eq!(kind("b.GIF"), ReelKind::Gif);
        assert_eq!(kind("b.mp4"), ReelKind::Mp4);
        assert_eq!(kind("frames"), ReelKind::Folder);
        assert_eq!(kind("v1.2"), ReelKind::Folder);
    }

    #[test]
    fn rounded_delays_add_up_to_the_real_time() {
        let mut owed = 0.0;
        let ms = |delay: Delay| {
            let (numer, denom) = delay.numer_denom_ms();
            f64::from(numer) / f64::from(denom)
        };
        let total: f64 = (0..300).map(|_| ms(gif_delay(&mut owed, 1.0 / 30.0))).sum();
        assert!((total - 10_000.0).abs() <= 10.0, "{total}");
    }

    #[test]
    fn a_gif_plays_back_what_was_put_in() {
        use image::AnimationDecoder;
        let path = std::env::temp_dir().join(format!("prusik-reel-{}.gif", std::process::id()));
        let mut reel = Reel::open(&path, (8, 6), 20.0).expect("opens");
        for shade in [0_u8, 120, 250] {
            let frame = RgbaImage::from_pixel(8, 6, image::Rgba([shade, shade, shade, 255]));
            reel.add(&frame, 0.05).expect("added");
        }
        let path = reel.finish().expect("finished");
        let file = std::io::BufReader::new(File::open(&path).expect("is there"));
        let gif = image::codecs::gif::GifDecoder::new(file).expect("a gif");
        let frames = gif.into_frames().collect_frames().expect("frames");
        let shades: Vec<u8> = frames
            .iter()
            .map(|f| f.buffer().get_pixel(3, 3)[0])
            .collect();
        assert_eq!(frames.len(), 3);
        for (shade, expected) in shades.iter().zip([0_u8, 120, 250]) {
            assert!(shade.abs_diff(expected) < 6, "{shades:?}");
        }
        let _ = std::fs::remove_file(path);
    }

    #[test]
    fn a_picture_of_another_shape_keeps_its_own_between_bars() {
        let wide = RgbaImage::from_pixel(40, 10, image::Rgba([200, 0, 0, 255]));
        let fitted = fit(&wide, (20, 20));
        assert_eq!(fitted.dimensions(), (20, 20));
        assert_eq!(fitted.get_pixel(10, 10)[0], 200);
        assert_eq!(fitted.get_pixel(10, 2)[0], 0);
        assert_eq!(fitted.get_pixel(10, 18)[0], 0);
    }

    #[test]
    fn what_cannot_be_written_is_a_sentence() {
        let nowhere = Path::new("/no-such-folder/x.gif");
        let why = Reel::open(nowhere, (8, 8), 20.0)
            .err()
            .map(|e| e.to_string());
        assert!(why.is_some_and(|why| why.contains("x.gif") && why.contains("folder")));
        let path = std::env::temp_dir().join(format!("prusik-reel-{}.mp4", std::process::id()));
        let why = start_ffmpeg("no-such-program", &path, (8, 8), 20.0)
            .err()
            .map(|e| e.to_string());
        assert!(why.is_some_and(|why| why.contains("ffmpeg") && why.contains(".gif")));
        assert!(!path.exists());
    }
}
