//! Where preferences are kept.

use std::ffi::OsString;
use std::path::PathBuf;

/// The variable that names another file; empty for none.
const VARIABLE: &str = "PRUSIK_PREFERENCES";

/// The file, if the system has a place for such files.
pub fn file() -> Option<PathBuf> {
    find(|name| std::env::var_os(name))
}

fn find(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = variable(name).map(PathBuf::from);
        // Relative ones are invalid by the standard for such variables.
        path.filter(|path| path.is_absolute())
    };
    if let Some(path) = variable(VARIABLE) {
        return (!path.is_empty()).then(|| path.into());
    }
    let home = folder("HOME");
    let config = if cfg!(target_os = "windows") {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| home.map(|home| home.join(".config")))
    };
    config.map(|config| config.join("prusik").join("preferences.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(values: &[(&str, &str)]) -> Option<PathBuf> {
        find(|name| {
            let found = values.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| value.into())
        })
    }

    #[test]
    fn the_variable_wins_and_empty_means_nowhere() {
        let home = ("HOME", "/me");
        assert_eq!(
            with(&[(VARIABLE, "/tmp/p.toml"), home]),
            Some("/tmp/p.toml".into())
        );
        assert_eq!(with(&[(VARIABLE, ""), home]), None);
        assert_eq!(with(&[]), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_keeps_them_in_the_configuration_folder() {
        let home = ("HOME", "/me");
        let usual = Some("/me/.config/prusik/preferences.toml".into());
        assert_eq!(with(&[home]), usual);
        assert_eq!(with(&[home, ("XDG_CONFIG_HOME", "relative")]), usual);
        assert_eq!(
            with(&[home, ("XDG_CONFIG_HOME", "/c")]),
            Some("/c/prusik/preferences.toml".into())
        );
    }
}
