//! What users are told of loops that may run in parallel.

use crate::{Hazard, ParallelPlan};
use numbra_base::Span;
use numbra_ir::{Expr, Rhs, StmtKind, TypedFunc, TypedProgram, Var};

/// What a loop goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// A `prange` or `pndindex`.
    Range,
    /// The elements of an array expression, an assignment or a new array.
    Elements,
    /// The elements of an array that a library function makes one number of.
    Reduction,
}

impl LoopKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            LoopKind::Range => "prange",
            LoopKind::Elements => "array expression",
            LoopKind::Reduction => "reduction",
        }
    }
}

/// What became of a loop that may run in parallel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopReport {
    /// The function that it stands in.
    pub function: String,
    /// Where it steps.
    pub span: Span,
    /// What it goes over.
    pub kind: LoopKind,
    /// Why it runs serially; `None` if it runs in parallel.
    pub serial: Option<String>,
    /// It runs inside a parallel loop, in its thread.
    pub is_nested: bool,
    /// Variables that are combined from partial results, with their operators.
    pub reductions: Vec<(String, &'static str)>,
    /// What may make its results other than those of a serial loop.
    pub hazards: Vec<Hazard>,
}

impl LoopReport {
    /// A loop over elements, which runs in parallel.
    pub fn of_elements(function: &str, span: Span, kind: LoopKind) -> LoopReport {
        LoopReport {
            function: function.to_owned(),
            span,
            kind,
            serial: None,
            is_nested: false,
            reductions: Vec::new(),
            hazards: Vec::new(),
        }
    }
}

impl ParallelPlan {
    /// What became of the loops over `prange` and `pndindex` of the program that this plan is of.
    pub fn report(&self, program: &TypedProgram) -> Vec<LoopReport> {
        let mut reports = Vec::new();
        for function in &self.functions {
            let Some((_, typed)) = program.functions.get(function.key.instance) else {
                continue;
            };
            for one in &function.loops {
                let region = one.region();
                let serial = match &one.decision {
                    crate::Decision::Serial(reason) => Some(reason.to_string()),
                    crate::Decision::Parallel(_) => None,
                };
                let mut reductions = Vec::new();
                for carried in region.iter().flat_map(|region| &region.carried) {
                    let reduce = carried.kind.reduce();
                    reductions
                        .extend(reduce.map(|by| (source_name(typed, carried.var), by.symbol())));
                }
                for private in region.iter().flat_map(|region| &region.private) {
                    let name = private.vars.first().map(|var| source_name(typed, *var));
                    reductions
                        .extend(name.map(|name| (format!("{name}[..]"), private.reduce.symbol())));
                }
                reports.push(LoopReport {
                    function: typed.func.name.clone(),
                    span: step_span(typed, one.shape.header),
                    kind: LoopKind::Range,
                    serial,
                    is_nested: one.is_nested(),
                    reductions,
                    hazards: region.map_or_else(Vec::new, |region| region.hazards.clone()),
                });
            }
        }
        reports
    }
}

/// The name that the user gave a variable.
pub(crate) fn source_name(typed: &TypedFunc, var: Var) -> String {
    let origin = typed.func.vars[var].version_of.unwrap_or(var);
    typed.func.var_name(origin).to_owned()
}

/// Where the loop of this header steps.
fn step_span(typed: &TypedFunc, header: numbra_ir::Block) -> Span {
    let func = &typed.func;
    let steps = func.blocks[header].insts.iter().find(|inst| {
        matches!(
            func.insts[**inst].kind,
            StmtKind::Assign {
                value: Rhs::Expr(Expr::IterNext(_)),
                ..
            }
        )
    });
    steps.map_or(Span::NONE, |inst| func.insts[*inst].span)
}
