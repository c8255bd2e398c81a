//! Edits of what strands are made of: model, material, thickness, and the friction of their surfaces.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::Isometry3;

use super::build::{check, check_mu, check_step};
use super::check_rod::{check_model, check_section_and_material};
use super::size::Size;
use super::{SpecError, SurfaceId, World};
use crate::body::{RodMaterial, RodModel, Scheme, SectionShape, StrandState, rod};

impl World {
    /// Gives strands, or all, another model; shape, motion and holds are carried over.
    pub(super) fn set_model(
        &mut self,
        rods: Option<Range<usize>>,
        model: RodModel,
    ) -> Result<(), SpecError> {
        let range = rods.unwrap_or(0..self.bodies.len());
        self.check_range(&range)?;
        // All are built before any is replaced: a refusal changes nothing.
        let mut size = Size::default();
        for (rod, label) in self.labels.iter().enumerate() {
            if !range.contains(&rod) {
                size.add(label.model, &label.design, 1)?;
                continue;
            }
            let refused = |why| SpecError(format!("{} {why}", label.name));
            check_model(model, &label.design).map_err(refused)?;
            size.add(model, &label.design, 1)?;
        }
        let mut new = Vec::new();
        for rod in range.clone() {
            let label = &self.labels[rod];
            let body = rod::build(model, &label.design, &self.bodies[rod].strand());
            check_step(&label.name, body.as_ref(), self.settings.dt_s)?;
            new.push(body);
        }
        for (rod, body) in range.clone().zip(new) {
            self.bodies[rod] = body;
            self.labels[rod].model = model;
        }
        let time_s = self.time_s;
        let held = self
            .holds
            .iter_mut()
            .filter(|hold| range.contains(&hold.rod));
        let twists = model != RodModel::MassSpring;
        for hold in held {
            let carrier = hold.on.map(|on| self.solids[on].pose(time_s));
            let carrier = carrier.unwrap_or_else(Isometry3::identity);
            hold.take_frame_anew(self.bodies[hold.rod].as_ref(), twists, time_s, &carrier);
        }
        self.note_strands(range);
        Ok(())
    }

    /// Gives strands another material and section; their state stays bit by bit.
    pub(super) fn set_material(
        &mut self,
        rods: Range<usize>,
        material: &RodMaterial,
        section: SectionShape,
    ) -> Result<(), SpecError> {
        self.check_range(&rods)?;
        for label in &self.labels[rods.clone()] {
            let mut design = label.design.clone();
            (design.material, design.section) = (*material, section);
            check_section_and_material(&label.name, &design)?;
            let refused = |why| SpecError(format!("{} {why}", label.name));
            check_model(label.model, &design).map_err(refused)?;
            if design.scheme == Scheme::Explicit {
                // How large an explicit step may be depends on the material.
                let start = StrandState::along(&design, &nalgebra::Vector3::zeros());
                let body = rod::build(label.model, &design, &start);
                check_step(&label.name, body.as_ref(), self.settings.dt_s)?;
            }
        }
        for rod in rods.clone() {
            let design = &mut self.labels[rod].design;
            (design.material, design.section) = (*material, section);
            self.bodies[rod].set_material(design);
        }
        self.note_strands(rods);
        Ok(())
    }

    /// Sets µ between two surfaces; none has them follow the default.
    pub(super) fn set_pair_friction(
        &mut self,
        a: SurfaceId,
        b: SurfaceId,
        mu: Option<f64>,
    ) -> Result<(), SpecError> {
        for surface in [a, b] {
            let known = usize::from(surface.0) < self.surfaces;
            check(known, || format!("there is no surface {}", surface.0))?;
        }
        mu.map_or(Ok(()), check_mu)?;
        self.friction.set(a, b, mu);
        Ok(())
    }

    fn check_range(&self, rods: &Range<usize>) -> Result<(), SpecError> {
        let count = self.bodies.len();
        let exists = rods.start <= rods.end && rods.end <= count;
        check(exists, || {
            format!(
                "there are no strands {} to {}: there are {count}",
                rods.start, rods.end
            )
        })
    }

    /// Writes down what strands are made of now, for snapshots to share.
    fn note_strands(&mut self, rods: Range<usize>) {
        let strands = Arc::make_mut(&mut self.strands);
        for rod in rods {
            strands[rod] = self.labels[rod].values();
        }
    }
}
