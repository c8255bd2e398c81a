//! What environment variables make go wrong, for tests of the window.

use std::time::Duration;

/// Trouble that is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trials {
    /// `PRUSIK_SLOW_STEP_S=2` makes every step take two seconds more: the window should stay awake meanwhile.
    pub slowness: Duration,
    fault: Option<Fault>,
}

/// `PRUSIK_FAULT_AT_STEP=300` makes the 300th step fail, once; with `300,panic` the solver panics in it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fault {
    step: u64,
    panics: bool,
}

impl Trials {
    /// As the environment asks.
    pub fn from_environment() -> Self {
        let variable = |name| std::env::var(name).unwrap_or_default();
        let seconds = variable("PRUSIK_SLOW_STEP_S").parse().ok();
        let slowness = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        Self {
            slowness: slowness.unwrap_or_default(),
            fault: Fault::parse(&variable("PRUSIK_FAULT_AT_STEP")),
        }
    }

    /// Fails if it is time to, in the way that is asked for; `steps` have been taken.
    pub fn fail_if_due(&mut self, steps: u64) -> Result<(), String> {
        match self.fault.take_if(|fault| steps + 1 >= fault.step) {
            None => Ok(()),
            Some(fault) if fault.panics => panic!("step {} was asked to panic", fault.step),
            Some(fault) => Err(format!("step {} was asked to fail", fault.step)),
        }
    }
}

impl Fault {
    fn parse(text: &str) -> Option<Self> {
        let (step, how) = text.split_once(',').unwrap_or((text, ""));
        Some(Self {
            step: step.parse().ok()?,
            panics: how == "panic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_fails_once_and_in_the_way_asked_for() {
        assert_eq!(Fault::parse(""), None);
        assert_eq!(Fault::parse("soon"), None);
        let mut trials = Trials {
            fault: Fault::parse("30"),
            ..Trials::default()
        };
        assert_eq!(trials.fail_if_due(28), Ok(()));
        assert!(trials.fail_if_due(29).is_err());
        assert_eq!(trials.fail_if_due(29), Ok(()));
        assert!(Fault::parse("30,panic").is_some_and(|fault| fault.panics));
    }
}
