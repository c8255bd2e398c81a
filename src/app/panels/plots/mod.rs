//! Courses over time: what the solver does, where energy goes, what a step costs.
//!
//! | file | job |
//! |---|---|
//! | [`chart`] | one plot as all look |
//! | [`orbit`] | the free end of the first strand in its phase space |
//! | [`thin`] | fewer points, every peak kept |
//! | [`probes`] | a page of its own: along a strand, and forces on bodies |

mod chart;
mod orbit;
mod probes;
mod thin;

use bevy_egui::egui::{RichText, Ui};

pub use probes::probes_page;

use super::{View, Widgets, convergence};
use crate::app::action::Action;
use crate::app::series::{CAPACITY, Channel, Sample, Series, Table};
use crate::app::theme;
use chart::{COLORS, Chart, Curve};
use thin::thin;

/// Convergence of the last step, then courses over time.
pub fn plots_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    convergence::convergence_ui(ui, &view.shown.snapshot.convergence, widgets);
    ui.separator();
    let series = &*view.series;
    solver_ui(ui, series, widgets);
    energy_ui(ui, series, widgets);
    phases_ui(ui, series, widgets);
    export_ui(ui, view, Table::Time, "Save as CSV", asked, widgets);
    let kept = format!(
        "{} of {CAPACITY} samples kept, one for each state shown",
        series.samples().len()
    );
    ui.label(RichText::new(kept).small().color(theme::of(ui).faint));
}

fn over_time(id: &'static str, title: &'static str, unit: &'static str) -> Chart<'static> {
    Chart {
        id,
        title,
        unit,
        across: "s",
        decades: false,
        from_zero: true,
    }
}

/// A figure over time.
fn course(series: &Series, name: &str, color: usize, value: impl Fn(&Sample) -> f64) -> Curve {
    let samples = series.samples();
    Curve {
        name: name.into(),
        color: COLORS[color % COLORS.len()],
        points: thin(samples.len(), |k| [samples[k].time_s, value(&samples[k])]),
    }
}

fn figure(channel: Channel) -> impl Fn(&Sample) -> f64 {
    move |sample| f64::from(sample.get(channel))
}

fn solver_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    // A step without contacts has no error; an error of zero lies on the floor, not in a bottomless pit.
    let log = |sample: &Sample| {
        let error = f64::from(sample.get(Channel::Residual));
        if sample.get(Channel::Contacts) == 0.0 {
            f64::NAN
        } else {
            error.max(1e-16).log10()
        }
    };
    let residual = Chart {
        decades: true,
        from_zero: false,
        ..over_time("plot_residual", "Residual", "rel")
    };
    let rect = residual.show(ui, vec![course(series, "residual", 0, log)]);
    widgets.insert("plot_residual", rect);
    let iterations = course(series, "iterations", 1, figure(Channel::Iterations));
    let rect = over_time("plot_iterations", "Iterations", "").show(ui, vec![iterations]);
    widgets.insert("plot_iterations", rect);
    let contacts = course(series, "contacts", 0, figure(Channel::Contacts));
    let rect = over_time("plot_contacts", "Contacts", "").show(ui, vec![contacts]);
    widgets.insert("plot_contacts", rect);
    let nu = course(series, "ν", 2, figure(Channel::Nu));
    let title = "ν: contact unknowns over degrees of freedom";
    let rect = over_time("plot_nu", title, "").show(ui, vec![nu]);
    widgets.insert("plot_nu", rect);
}

fn energy_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    let curves = [
        ("kinetic", Channel::Kinetic),
        ("elastic", Channel::Elastic),
        ("gravity", Channel::Gravity),
        ("total", Channel::Total),
    ];
    let curves = curves.iter().enumerate();
    let curves = curves.map(|(k, (name, channel))| course(series, name, k, figure(*channel)));
    let rect = over_time("plot_energy", "Energies", "J").show(ui, curves.collect());
    widgets.insert("plot_energy", rect);
}

fn phases_ui(ui: &mut Ui, series: &Series, widgets: &mut Widgets) {
    let curves = PHASES.iter().enumerate();
    let curves = curves.map(|(k, (name, channel))| course(series, name, k, figure(*channel)));
    let rect = over_time("plot_phases", "Time per step", "ms").show(ui, curves.collect());
    widgets.insert("plot_phases", rect);
}

/// Phases of a step, in their order.
const PHASES: [(&str, Channel); 7] = [
    ("dynamics", Channel::Dynamics),
    ("detection", Channel::Detection),
    ("assembly", Channel::Assembly),
    ("solve", Channel::Solve),
    ("advance", Channel::Advance),
    ("check", Channel::Check),
    ("other", Channel::Other),
];

/// A button that writes a table; it waits until there is something to write.
fn export_ui(
    ui: &mut Ui,
    view: &View,
    table: Table,
    text: &str,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    use bevy_egui::egui::Button;
    let ready = match table {
        Table::Time => !view.series.samples().is_empty(),
        Table::Strand(index) => index < view.shown.snapshot.strands.len(),
    };
    let name = match table {
        Table::Time => "export_time",
        Table::Strand(_) => "export_strand",
    };
    let pressed = theme::add_enabled(ui, ready, Button::new(text))
        .on_hover_text("into the folder where Prusik was started")
        .on_disabled_hover_text("there is nothing to write yet");
    widgets.insert(name, pressed.rect);
    if pressed.clicked() {
        asked.push(Action::Export(table));
    }
}
