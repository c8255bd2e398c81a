//! The pages of the docks, and rows of tabs to pick one.

use std::f32::consts::FRAC_PI_2;

use bevy_egui::egui::{self, Align2, FontId, Sense, Ui, epaint::TextShape};

use serde::{Deserialize, Serialize};

use super::dock::Page;
use super::{View, Widgets};
use crate::app::action::Action;
use crate::app::theme;

/// A page of a dock. Those up to `Show` are on the left, the others on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    /// The scene, its motion, its friction.
    Scene,
    /// What strands are made of.
    Material,
    /// How contact forces are found.
    Solver,
    /// How it is drawn.
    Show,
    /// What was clicked.
    Inspector,
    /// Courses over time and over iterations.
    Plots,
    /// Figures of the last step.
    Statistics,
    /// Forces and tensions measured along strands.
    Probes,
}

impl Tab {
    /// What stands on the tab.
    pub fn title(self) -> &'static str {
        match self {
            Self::Scene => "Scene",
            Self::Material => "Material",
            Self::Solver => "Solver",
            Self::Show => "Show",
            Self::Inspector => "Inspector",
            Self::Plots => "Plots",
            Self::Statistics => "Statistics",
            Self::Probes => "Probes",
        }
    }

    /// What the page is for, with its key.
    fn hint(self) -> &'static str {
        match self {
            Self::Scene => "the scene, its pace, its friction",
            Self::Material => "what strands are made of, their model, friction of pairs",
            Self::Solver => "contact, solver, time step",
            Self::Show => "colours, contacts, forces",
            Self::Inspector => "what was clicked",
            Self::Plots => "convergence and courses over time (F3)",
            Self::Statistics => "figures of the last step (F2)",
            Self::Probes => "measured forces and tensions (F4)",
        }
    }

    /// The name of its tab for tests; without `tab_` its name in the preferences.
    pub fn widget(self) -> &'static str {
        match self {
            Self::Scene => "tab_scene",
            Self::Material => "tab_material",
            Self::Solver => "tab_solver",
            Self::Show => "tab_show",
            Self::Inspector => "tab_inspector",
            Self::Plots => "tab_plots",
            Self::Statistics => "tab_statistics",
            Self::Probes => "tab_probes",
        }
    }

    /// Whether its page is in the left dock.
    pub fn on_left(self) -> bool {
        matches!(
            self,
            Self::Scene | Self::Material | Self::Solver | Self::Show
        )
    }
}

/// Tabs side by side, as wide as the dock; the chosen one is underlined.
pub fn row_ui(
    ui: &mut Ui,
    pages: &[Page],
    view: &View,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let palette = theme::of(ui);
    let width = ui.available_width() / pages.len() as f32;
    let font = FontId::proportional(13.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for page in pages {
            let chosen = view.panels.left == page.tab;
            let (rect, shown) = ui.allocate_exact_size(egui::vec2(width, 26.0), Sense::click());
            let color = if chosen || shown.hovered() {
                palette.text
            } else {
                palette.faint
            };
            let (middle, title) = (rect.center(), page.tab.title());
            ui.painter()
                .text(middle, Align2::CENTER_CENTER, title, font.clone(), color);
            let (thickness, color) = if chosen {
                (2.0, palette.accent)
            } else {
                (1.0, palette.line)
            };
            ui.painter()
                .hline(rect.x_range(), rect.bottom() - 1.0, (thickness, color));
            answer(shown, page.tab, Action::ShowTab(page.tab), asked, widgets);
        }
    });
}

/// Tabs below each other, their titles along the edge of the window; the chosen one is open beside them.
pub fn rail_ui(
    ui: &mut Ui,
    pages: &[Page],
    view: &View,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    let palette = theme::of(ui);
    ui.spacing_mut().item_spacing.y = 4.0;
    for page in pages {
        let font = FontId::proportional(13.0);
        let title = page.tab.title().to_owned();
        let text = ui.painter().layout_no_wrap(title, font, palette.text);
        let size = egui::vec2(ui.available_width(), text.size().x + 22.0);
        let (rect, shown) = ui.allocate_exact_size(size, Sense::click());
        let chosen = view.panels.right == Some(page.tab);
        let fill = if chosen {
            palette.chosen
        } else if shown.hovered() {
            palette.button
        } else {
            egui::Color32::TRANSPARENT
        };
        ui.painter().rect_filled(rect, 6.0, fill);
        let color = if chosen || shown.hovered() {
            palette.text
        } else {
            palette.faint
        };
        // Turned by a right angle, read from the top down; its origin is then its upper right corner.
        let half = 0.5 * text.size();
        let corner = rect.center() + egui::vec2(half.y, -half.x);
        let turned = TextShape::new(corner, text, color).with_override_text_color(color);
        ui.painter().add(turned.with_angle(FRAC_PI_2));
        answer(shown, page.tab, Action::ToggleTab(page.tab), asked, widgets);
    }
}

fn answer(
    shown: egui::Response,
    tab: Tab,
    action: Action,
    asked: &mut Vec<Action>,
    widgets: &mut Widgets,
) {
    widgets.insert(tab.widget(), shown.rect);
    if shown.on_hover_text(tab.hint()).clicked() {
        asked.push(action);
    }
}
