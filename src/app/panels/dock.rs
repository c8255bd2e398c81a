//! The frame of all panels. A new page is a line in [`LEFT`] or [`RIGHT`].
//!
//! ```text
//!  ┌───────┬─────────────────────────┬────────┬──┐
//!  │ head  │                         │        │ r│
//!  │ tabs  │                         │ right  │ a│
//!  ├───────┤        the scene        │  page  │ i│
//!  │ left  │                         │        │ l│
//!  │  page │                         │        │  │
//!  ├───────┴─────────────────────────┴────────┴──┤
//!  │ timeline                                    │
//!  │ status                                      │
//!  └─────────────────────────────────────────────┘
//! ```

use bevy_egui::egui::{self, Margin, Panel, ScrollArea, Ui};

use super::rows::heading;
use super::tabs::{self, Tab};
use super::{
    UiArea, View, Widgets, attachments, control, detector, friction, inspector, material, model,
    plots, solver, statistics, status, timeline,
};
use crate::app::action::Action;
use crate::app::theme;

/// Draws a page: it reads the view and asks for changes; widgets that tests should find go into the map.
pub type PageUi = fn(&mut Ui, &View, &mut Vec<Action>, &mut Widgets);

/// One page of a dock.
pub struct Page {
    /// Its tab.
    pub tab: Tab,
    /// What is on it.
    pub ui: PageUi,
}

const fn page(tab: Tab, ui: PageUi) -> Page {
    Page { tab, ui }
}

/// The pages of the left dock, from left to right.
static LEFT: &[Page] = &[
    page(Tab::Scene, control::scene_page),
    page(Tab::Material, material_page),
    page(Tab::Solver, solver_page),
    page(Tab::Show, control::show_page),
];

/// The pages of the right dock, from top to bottom.
static RIGHT: &[Page] = &[
    page(Tab::Inspector, inspector::inspector_ui),
    page(Tab::Plots, plots::plots_page),
    page(Tab::Statistics, statistics::statistics_ui),
    page(Tab::Probes, plots::probes_page),
];

fn material_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    model::model_ui(ui, view, asked, widgets);
    material::material_ui(ui, view, asked, widgets);
    heading(ui, "Friction of pairs");
    friction::pairs_ui(ui, view, asked, widgets);
    heading(ui, "Attachments");
    attachments::attachments_ui(ui, view, asked, widgets);
}

fn solver_page(ui: &mut Ui, view: &View, asked: &mut Vec<Action>, widgets: &mut Widgets) {
    detector::detector_ui(ui, view, asked, widgets);
    solver::solver_ui(ui, view, asked, widgets);
}

/// Whether a page exists in this window.
pub fn has(tab: Tab) -> bool {
    LEFT.iter().chain(RIGHT).any(|page| page.tab == tab)
}

/// Widths that a dock can be dragged to, points.
const WIDTHS: std::ops::RangeInclusive<f32> = 272.0..=560.0;
/// Width of the rail, points.
const RAIL: f32 = 30.0;
/// A pointer so near to the edge of a dock drags it, points.
const EDGE: f32 = 5.0;

/// Draws everything that is docked to the edges of the window.
pub fn dock_ui(root: &mut Ui, view: &View, area: &mut UiArea, asked: &mut Vec<Action>) {
    let palette = theme::of(root);
    let frame = |x, y| {
        egui::Frame::new()
            .fill(palette.panel)
            .inner_margin(Margin::symmetric(x, y))
    };
    let bar = Panel::bottom("status")
        .frame(frame(12, 5))
        .exact_size(theme::STATUS_HEIGHT)
        .resizable(false)
        .show(root, |ui| status::status_ui(ui, view));
    area.take(bar.response.rect);
    let strip = Panel::bottom("timeline")
        .frame(frame(12, 5))
        .exact_size(timeline::HEIGHT)
        .resizable(false)
        .show(root, |ui| {
            timeline::timeline_ui(ui, view, asked, &mut area.widgets);
        });
    area.take(strip.response.rect);
    left_ui(root, view, area, asked, frame(14, 10));
    right_ui(root, view, area, asked, &frame);
    area.free = root.available_rect_before_wrap();
}

fn left_ui(
    root: &mut Ui,
    view: &View,
    area: &mut UiArea,
    asked: &mut Vec<Action>,
    frame: egui::Frame,
) {
    let shown = Panel::left("left")
        .frame(frame)
        .default_size(view.panels.left_width)
        .size_range(WIDTHS)
        .show(root, |ui| {
            control::head_ui(ui, view, asked, &mut area.widgets);
            tabs::row_ui(ui, LEFT, view, asked, &mut area.widgets);
            page_ui(ui, LEFT, view.panels.left, view, asked, &mut area.widgets);
        });
    area.left_points = shown.response.rect.width();
    area.take(shown.response.rect.expand2(egui::vec2(EDGE, 0.0)));
}

fn right_ui(
    root: &mut Ui,
    view: &View,
    area: &mut UiArea,
    asked: &mut Vec<Action>,
    frame: &dyn Fn(i8, i8) -> egui::Frame,
) {
    let rail = Panel::right("rail")
        .frame(frame(4, 10))
        .exact_size(RAIL)
        .resizable(false)
        .show(root, |ui| {
            tabs::rail_ui(ui, RIGHT, view, asked, &mut area.widgets);
        });
    area.take(rail.response.rect);
    let Some(tab) = view.panels.right else {
        return;
    };
    let shown = Panel::right("right")
        .frame(frame(14, 10))
        .default_size(view.panels.right_width)
        .size_range(WIDTHS)
        .show(root, |ui| {
            page_ui(ui, RIGHT, tab, view, asked, &mut area.widgets);
        });
    area.right_points = Some(shown.response.rect.width());
    area.take(shown.response.rect.expand2(egui::vec2(EDGE, 0.0)));
}

/// The page of a tab, which scrolls if it is longer than the dock.
fn page_ui(
    ui: &mut Ui,
    pages: &[Page],
    tab: Tab,
    view: &View,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let Some(page) = pages.iter().find(|page| page.tab == tab) else {
        return;
    };
    ScrollArea::vertical()
        .id_salt(tab.widget())
        .auto_shrink([false, false])
        .show(ui, |ui| {
            // Lines stand close, so that most pages fit into a window of the default size.
            ui.spacing_mut().item_spacing.y = 4.0;
            ui.add_space(2.0);
            (page.ui)(ui, view, asked, widgets);
        });
}
