//! Everything that can be set while a world runs, as plain data: what panels show, what an undo goes back to.
//!
//! Values follow edits as a world does, but without one: `values.apply(edit)` is what the world has after it grants the
//! edit. So a window knows what it has asked for while the solver is still busy, and what takes it back.

use std::ops::Range;
use std::sync::Arc;

use super::{Edit, FrictionTable, Settings, WorldSpec};
use crate::body::{RodDesign, RodMaterial, RodModel, SectionShape};

/// What a strand is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrandValues {
    /// Mechanical model.
    pub model: RodModel,
    /// Elasticity, density, damping.
    pub material: RodMaterial,
    /// Outline of its section.
    pub section: SectionShape,
}

impl StrandValues {
    /// Those of a design that follows a model.
    pub fn new(model: RodModel, design: &RodDesign) -> Self {
        Self {
            model,
            material: design.material,
            section: design.section,
        }
    }
}

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// Step size, gravity, solver and the like.
    pub settings: Settings,
    /// Coefficients of friction.
    pub friction: FrictionTable,
    /// The strands, shared for as long as none changes.
    pub strands: Arc<Vec<StrandValues>>,
}

impl Values {
    /// Those of a description.
    pub fn of(spec: &WorldSpec) -> Self {
        let strand = |rod: &super::RodSpec| StrandValues::new(rod.model, &rod.design);
        let mut values = Self {
            settings: spec.settings.clone(),
            friction: spec.friction.clone(),
            strands: Arc::new(spec.rods.iter().map(strand).collect()),
        };
        values.friction.tidy();
        values
    }

    /// The model of all strands; none if they differ, or if there are none.
    pub fn model(&self) -> Option<RodModel> {
        let first = self.strands.first()?.model;
        let same = self.strands.iter().all(|strand| strand.model == first);
        same.then_some(first)
    }

    /// Follows an edit; whether it is one that sets values. Numbers are not checked: that is the world's part.
    pub fn apply(&mut self, edit: &Edit) -> bool {
        let s = &mut self.settings;
        match edit {
            Edit::SetFriction(mu) => self.friction.default = *mu,
            Edit::SetPairFriction { a, b, mu } => self.friction.set(*a, *b, *mu),
            Edit::SetTimeStep(dt_s) => s.dt_s = *dt_s,
            Edit::SetGravity(gravity) => s.gravity_m_s2 = *gravity,
            Edit::SetDetector(detector) => s.detector = *detector,
            Edit::SetSolver(solver) => s.solver = *solver,
            Edit::SetTolerance(tolerance) => s.tolerance = *tolerance,
            Edit::SetMaxIterations(limit) => s.max_iterations = *limit,
            Edit::SetSolverBudget(ms) => s.solver_budget_ms = *ms,
            Edit::SetMaxPasses(passes) => s.max_passes = *passes,
            Edit::SetSelfContact(on) => s.self_contact = *on,
            Edit::SetModel { rods, model } => {
                let rods = rods.clone().unwrap_or(0..self.strands.len());
                self.strands_mut(&rods)
                    .iter_mut()
                    .for_each(|strand| strand.model = *model);
            }
            Edit::SetMaterial {
                rods,
                material,
                section,
            } => {
                let strands = self.strands_mut(rods).iter_mut();
                strands.for_each(|strand| {
                    (strand.material, strand.section) = (*material, *section);
                });
            }
            _ => return false,
        }
        true
    }

    /// Strands of a range, as far as there are.
    fn strands_mut(&mut self, rods: &Range<usize>) -> &mut [StrandValues] {
        let strands = Arc::make_mut(&mut self.strands);
        let end = rods.end.min(strands.len());
        &mut strands[rods.start.min(end)..end]
    }

    /// The edits that lead from `self` to `wanted`, in an order in which each can be granted.
    pub fn edits_to(&self, wanted: &Values) -> Vec<Edit> {
        let mut edits = Vec::new();
        self.strand_edits(wanted, &mut edits);
        self.friction_edits(wanted, &mut edits);
        let (have, want) = (&self.settings, &wanted.settings);
        let mut set = |differs: bool, edit: Edit| edits.extend(differs.then_some(edit));
        set(have.dt_s != want.dt_s, Edit::SetTimeStep(want.dt_s));
        set(
            have.gravity_m_s2 != want.gravity_m_s2,
            Edit::SetGravity(want.gravity_m_s2),
        );
        set(
            have.detector != want.detector,
            Edit::SetDetector(want.detector),
        );
        set(have.solver != want.solver, Edit::SetSolver(want.solver));
        set(
            have.tolerance != want.tolerance,
            Edit::SetTolerance(want.tolerance),
        );
        set(
            have.max_iterations != want.max_iterations,
            Edit::SetMaxIterations(want.max_iterations),
        );
        set(
            have.solver_budget_ms != want.solver_budget_ms,
            Edit::SetSolverBudget(want.solver_budget_ms),
        );
        set(
            have.max_passes != want.max_passes,
            Edit::SetMaxPasses(want.max_passes),
        );
        set(
            have.self_contact != want.self_contact,
            Edit::SetSelfContact(want.self_contact),
        );
        edits
    }

    fn friction_edits(&self, wanted: &Values, edits: &mut Vec<Edit>) {
        let (have, want) = (&self.friction, &wanted.friction);
        if have.default != want.default {
            edits.push(Edit::SetFriction(want.default));
        }
        for &(a, b, mu) in &want.pairs {
            if have.listed(a, b) != Some(mu) {
                edits.push(Edit::SetPairFriction { a, b, mu: Some(mu) });
            }
        }
        for &(a, b, _) in &have.pairs {
            if want.listed(a, b).is_none() {
                edits.push(Edit::SetPairFriction { a, b, mu: None });
            }
        }
    }

    /// Runs of strands that change alike become one edit.
    fn strand_edits(&self, wanted: &Values, edits: &mut Vec<Edit>) {
        let (have, want) = (&self.strands, &wanted.strands);
        if Arc::ptr_eq(have, want) {
            return;
        }
        let count = have.len().min(want.len());
        let matter = |s: &StrandValues| (s.material, s.section);
        for rods in runs(count, |i| {
            (matter(&have[i]) != matter(&want[i])).then(|| matter(&want[i]))
        }) {
            let (material, section) = matter(&want[rods.start]);
            edits.push(Edit::SetMaterial {
                rods,
                material,
                section,
            });
        }
        for rods in runs(count, |i| {
            (have[i].model != want[i].model).then_some(want[i].model)
        }) {
            let model = want[rods.start].model;
            let rods = (rods != (0..have.len())).then_some(rods);
            edits.push(Edit::SetModel { rods, model });
        }
    }
}

/// Ranges of `0..count` over which `value` is the same; where it is none they are left out.
fn runs<T: PartialEq>(count: usize, value: impl Fn(usize) -> Option<T>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for i in 0..count {
        let here = value(i);
        match found.last_mut() {
            Some(run) if here.is_some() && here == last => run.end = i + 1,
            _ if here.is_some() => found.push(i..i + 1),
            _ => {}
        }
        last = here;
    }
    found
}
