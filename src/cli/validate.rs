//! `prusik validate`: claims against theory, measured, and whether they hold.

use std::path::Path;

use prusik::validation::{Check, Outcome, PROTOCOLS, Page, Plan, Protocol};
use serde_json::json;

use super::args::ValidateArgs;
use super::progress::progress_bar;
use super::table::Table;
use super::{Failure, print_json, print_line, use_threads};

/// The name that stands for every protocol.
const ALL: &str = "all";

/// Lists the protocols, or runs those that are named.
pub(super) fn validate(args: &ValidateArgs) -> Result<(), Failure> {
    if args.names.is_empty() {
        return list(args.json);
    }
    let protocols = chosen(&args.names)?;
    use_threads(args.threads)?;
    if let Some(folder) = &args.out {
        make_folder(folder)?;
    }
    let mut pages = Vec::new();
    for protocol in protocols {
        let page = run(protocol, args)?;
        if !args.json {
            print_page(&page)?;
        }
        pages.push(page);
    }
    let broken: Vec<&str> = pages.iter().filter(|p| !p.passed).map(|p| p.name).collect();
    if args.json {
        print_json(&json!({ "passed": broken.is_empty(), "protocols": pages }))?;
    }
    match broken.as_slice() {
        [] => Ok(()),
        names => Err(Failure::broken(format!(
            "not everything that is claimed holds: see {}",
            names.join(", ")
        ))),
    }
}

fn list(as_json: bool) -> Result<(), Failure> {
    if as_json {
        let entry =
            |p: &Protocol| json!({ "name": p.name, "claim": p.claim, "reference": p.reference });
        let entries: Vec<_> = PROTOCOLS.iter().map(entry).collect();
        return print_json(&json!({ "protocols": entries }));
    }
    let width = PROTOCOLS.iter().map(|p| p.name.len()).max().unwrap_or(0);
    for protocol in &PROTOCOLS {
        print_line(format_args!(
            "{:<width$}  {}",
            protocol.name, protocol.claim
        ))?;
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<&'static Protocol>, Failure> {
    if names.iter().any(|name| name == ALL) {
        return Ok(PROTOCOLS.iter().collect());
    }
    let find = |name: &String| {
        Protocol::named(name).ok_or_else(|| {
            let known: Vec<&str> = PROTOCOLS.iter().map(|p| p.name).collect();
            Failure::usage(format!(
                "there is no protocol \"{name}\"; give some of {}, or {ALL}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::new(format!(
            "the folder {} cannot be made: {error}",
            folder.display()
        ))
    })
}

fn run(protocol: &Protocol, args: &ValidateArgs) -> Result<Page, Failure> {
    let bar = progress_bar(1, &format!("runs of {}", protocol.name));
    let watch = |done: usize, of: usize, given: &str| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
        if !given.is_empty() {
            bar.suspend(|| eprintln!("{given}"));
        }
    };
    let page = protocol.run(&Plan {
        seeds: args.seeds,
        first_seed: args.first_seed,
        only: args.only.as_deref(),
        seconds: args.seconds,
        quick: args.quick,
        out: args.out.as_deref(),
        watch: &watch,
    });
    bar.finish_and_clear();
    page.map_err(|why| Failure::fault(format!("{}: {why}", protocol.name)))
}

fn print_page(page: &Page) -> Result<(), Failure> {
    let verdict = if page.passed {
        "holds"
    } else {
        "DOES NOT HOLD"
    };
    print_line(format_args!("{}: {verdict}", page.name))?;
    print_line(format_args!("claim      {}", page.claim))?;
    print_line(format_args!("reference  {}\n", page.reference))?;
    if !page.results.is_empty() {
        print_line(results(&page.results))?;
    }
    print_line(checks(&page.checks))?;
    for skipped in &page.skipped {
        print_line(format_args!("skipped: {skipped}"))?;
    }
    for note in &page.notes {
        print_line(format_args!("note: {note}"))?;
    }
    for file in &page.files {
        print_line(format_args!("written: {file}"))?;
    }
    print_line("")
}

/// What every run gave: the columns are what any of them gave.
fn results(outcomes: &[Outcome]) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for name in outcomes.iter().flat_map(|outcome| outcome.figures.keys()) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let mut table = Table::new(std::iter::once("run").chain(names.iter().copied()));
    for outcome in outcomes {
        let figure = |name: &&str| outcome.figures.get(name).copied().flatten();
        let mut row = vec![outcome.case.clone()];
        row.extend(names.iter().map(|name| number(figure(name))));
        table.add(row);
    }
    table
}

fn checks(checks: &[Check]) -> Table {
    let mut table = Table::new(["check", "measured", "expected", "±", "holds"]);
    for check in checks {
        table.add([
            format!("{}: {}", check.case, check.quantity),
            number(check.measured),
            format!("{} {}", check.bound, number(Some(check.expected))),
            match check.bound {
                "about" => number(Some(check.tolerance)),
                _ => String::new(),
            },
            if check.passed { "yes" } else { "NO" }.to_owned(),
        ]);
    }
    table
}

fn number(value: Option<f64>) -> String {
    match value {
        None => "–".into(),
        Some(0.0) => "0".into(),
        Some(value) if (1e-2..1e5).contains(&value.abs()) => {
            let digits = (2.0 - value.abs().log10().floor()).max(0.0) as usize;
            format!("{value:.digits$}")
        }
        Some(value) => format!("{value:.2e}"),
    }
}
