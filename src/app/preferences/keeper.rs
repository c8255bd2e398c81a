//! Reads preferences, and writes them on a thread of its own. Only the newest are written; a file is replaced whole,
//! so that a crash in between leaves the old one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy::prelude::Resource;
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Preferences;

/// How long closing the window waits for the last write.
const PATIENCE: Duration = Duration::from_secs(2);

/// The thread that writes.
#[derive(Resource)]
pub struct Keeper {
    newest: Preferences,
    /// None when nothing is kept, or no more.
    orders: Option<Sender<Preferences>>,
    complaints: Receiver<String>,
}

impl Keeper {
    /// Starts with what the file holds.
    pub fn start(path: Option<PathBuf>, newest: Preferences) -> Self {
        let (orders, inbox) = unbounded::<Preferences>();
        let (outbox, complaints) = unbounded();
        let orders = path.map(|path| {
            std::thread::spawn(move || {
                while let Ok(order) = inbox.recv() {
                    let newest = inbox.try_iter().last().unwrap_or(order);
                    if let Err(why) = write(&path, &newest) {
                        // Nobody listens once the window is gone.
                        let _ = outbox.send(sentence(&path, &why));
                    }
                }
            });
            orders
        });
        Self {
            newest,
            orders,
            complaints,
        }
    }

    /// What was kept last.
    pub fn newest(&self) -> &Preferences {
        &self.newest
    }

    /// Has these written soon, if they are new.
    pub fn keep(&mut self, preferences: Preferences) {
        if preferences == self.newest {
            return;
        }
        if let Some(orders) = &self.orders {
            // The thread ends only with this channel.
            let _ = orders.send(preferences.clone());
        }
        self.newest = preferences;
    }

    /// What went wrong since the last call.
    pub fn complaint(&self) -> Option<String> {
        self.complaints.try_iter().last()
    }

    /// Waits, not for long, until everything is written.
    pub fn finish(&mut self) {
        self.orders = None;
        // The thread drops its end of the channel when it is done.
        while self.complaints.recv_timeout(PATIENCE).is_ok() {}
    }
}

fn sentence(path: &Path, why: &io::Error) -> String {
    format!(
        "What you chose could not be kept in {}: {why}",
        path.display()
    )
}

fn write(path: &Path, preferences: &Preferences) -> io::Result<()> {
    let text = toml::to_string_pretty(preferences).map_err(io::Error::other)?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension("draft");
    fs::write(&draft, text)?;
    fs::rename(&draft, path)
}

/// Reads a file; one that cannot be understood is set aside, with a sentence.
pub fn read(path: &Path) -> (Preferences, Option<String>) {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Default::default(),
        Err(why) => return (Preferences::default(), Some(unreadable(path, &why))),
    };
    match toml::from_str(&text) {
        Ok(found) => (found, None),
        Err(why) => {
            // The next change would write over it.
            let aside = path.with_extension("toml.old");
            let _ = fs::copy(path, aside);
            let why = why.message().lines().next().unwrap_or_default().to_owned();
            (Preferences::default(), Some(unreadable(path, &why)))
        }
    }
}

fn unreadable(path: &Path, why: &dyn std::fmt::Display) -> String {
    format!(
        "{} cannot be read ({why}), so everything starts as new; a copy is kept beside it",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::panels::Tab;
    use crate::app::theme::Theme;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("prusik-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn what_is_kept_is_found_again_and_the_newest_wins() {
        let folder = folder("kept");
        let path = folder.join("sub/preferences.toml");
        let (mut wanted, complaint) = read(&path);
        assert_eq!((wanted.clone(), complaint), Default::default());
        let mut keeper = Keeper::start(Some(path.clone()), wanted.clone());
        for width in 0..200 {
            wanted.left_width = 300.0 + width as f32;
            keeper.keep(wanted.clone());
        }
        wanted.theme = Theme::Light;
        wanted.right_tab = Some(Tab::Plots);
        wanted.last_scene = Some("drape".into());
        keeper.keep(wanted.clone());
        keeper.finish();
        assert_eq!(read(&path), (wanted, None));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn an_unreadable_file_gives_defaults_and_a_sentence_and_is_kept_aside() {
        let folder = folder("unreadable");
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("preferences.toml");
        fs::write(&path, "theme = \"plaid\"\n").expect("a file");
        let (found, complaint) = read(&path);
        assert_eq!(found, Preferences::default());
        let complaint = complaint.expect("a sentence");
        assert!(complaint.contains("preferences.toml") && complaint.contains("plaid"));
        let aside = fs::read_to_string(folder.join("preferences.toml.old"));
        assert_eq!(aside.ok().as_deref(), Some("theme = \"plaid\"\n"));
        let _ = fs::remove_dir_all(&folder);
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_told_and_stops_nothing() {
        let folder = folder("refused");
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("file");
        fs::write(&file, "").expect("a file");
        let mut keeper = Keeper::start(Some(file.join("preferences.toml")), Default::default());
        let changed = Preferences {
            welcomed: true,
            ..Default::default()
        };
        keeper.keep(changed.clone());
        let complaint = keeper
            .complaints
            .recv_timeout(PATIENCE)
            .expect("a sentence");
        assert!(complaint.contains("could not be kept"), "{complaint}");
        assert_eq!(keeper.newest(), &changed);
        let _ = fs::remove_dir_all(&folder);
    }
}
