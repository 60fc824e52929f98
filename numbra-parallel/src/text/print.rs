//! Printing.

use crate::{
    Carried, Decision, FunctionPlan, LoopPlan, LoopShape, ParallelPlan, Region, SerialReason,
};
use numbra_ir::{Block, TypedFunc, TypedProgram, Var, quote_name, span_text};
use std::fmt::Write;

/// The text of a plan of this program; functions that the program does not have are left out.
pub fn print_plan(plan: &ParallelPlan, program: &TypedProgram) -> String {
    let mut out = String::new();
    for function in &plan.functions {
        if let Some((_, typed)) = program.functions.get(function.key.instance) {
            if !out.is_empty() {
                out.push('\n');
            }
            Printer {
                typed,
                out: &mut out,
            }
            .function(function);
        }
    }
    if out.is_empty() {
        out.push_str("; no loop over `prange` in a function with parallel=True\n");
    }
    out
}

struct Printer<'a> {
    typed: &'a TypedFunc,
    out: &'a mut String,
}

impl Printer<'_> {
    /// Adds a line.
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{text}");
    }

    fn function(&mut self, function: &FunctionPlan) {
        let no_nans = if function.key.no_nans { " no_nans" } else { "" };
        let name = in_one_line(&self.typed.func.name);
        self.line(format_args!(
            "plan {}{no_nans} ; {name}",
            function.key.instance
        ));
        for one in &function.loops {
            self.one_loop(one);
        }
    }

    fn one_loop(&mut self, plan: &LoopPlan) {
        let LoopShape {
            header,
            range,
            item,
            first,
            exit,
        } = plan.shape;
        let decision = match &plan.decision {
            Decision::Parallel(_) => "parallel".to_owned(),
            Decision::Serial(reason) => serial(reason),
        };
        let range = self.var(range);
        self.line(format_args!("loop {header} over {range}: {decision}"));
        let item = item.map_or_else(
            || "no item".to_owned(),
            |item| format!("item {}", self.var(item)),
        );
        self.line(format_args!("  {item}, from {first} to {exit}"));
        if let Decision::Parallel(region) = &plan.decision {
            self.region(region);
        }
    }

    fn region(&mut self, region: &Region) {
        let body: Vec<String> = region.body.iter().map(Block::to_string).collect();
        self.line(format_args!("  body {}", body.join(", ")));
        for one in &region.carried {
            let kind = match one.kind {
                Carried::Reduction(reduce) => format!("reduction {}", reduce.symbol()),
                Carried::NanReset(reduce) => format!("nan_reset {}", reduce.symbol()),
                Carried::LastValue => "last_value".to_owned(),
            };
            let var = self.var(one.var);
            self.line(format_args!("  carries {var}: {kind}"));
        }
        for one in &region.private {
            let vars = self.vars(&one.vars);
            self.line(format_args!(
                "  private {vars}: reduction {}",
                one.reduce.symbol()
            ));
        }
        if !region.flagged.is_empty() {
            let vars = self.vars(&region.flagged);
            self.line(format_args!("  flags {vars}"));
        }
        for one in &region.nan_resets {
            let (result, before) = (self.var(one.result), self.var(one.before));
            self.line(format_args!("  resets {result} after {before}"));
        }
        for one in &region.hazards {
            let named = named(one.named());
            let home = self.typed.func.span;
            let place = match one.span == numbra_base::Span::NONE {
                true => String::new(),
                false => format!(" @ {}", span_text(one.span, home)),
            };
            let said = in_one_line(&one.to_string());
            self.line(format_args!("  hazard {named}{place} ; {said}"));
        }
    }

    fn var(&self, var: Var) -> String {
        quote_name(self.typed.func.var_name(var)).into_owned()
    }

    fn vars(&self, vars: &[Var]) -> String {
        let names: Vec<String> = vars.iter().map(|var| self.var(*var)).collect();
        names.join(", ")
    }
}

fn serial(reason: &SerialReason) -> String {
    let said = in_one_line(&reason.to_string());
    format!("serial {} ; {said}", named(reason.named()))
}

/// A word and the names that it is about.
fn named((word, about): crate::reason::Named<'_>) -> String {
    let mut out = word.to_owned();
    for name in about {
        let _ = write!(out, " {name:?}");
    }
    out
}

/// Text for a comment.
fn in_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}
