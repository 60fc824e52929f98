//! Texts of the stages of each compilation while it goes on, as `NUMBA_DUMP_IR` and its relatives ask for them.

use crate::compile::{Compiled, Request};
use crate::inspect::{asm_text, clif_text};
use crate::session::Session;
use numbra_ir::{Func, PrintOptions, TypedProgram, print_func, print_program};
use numbra_lir::Module;
use numbra_lir::text::{Form, print};
use numbra_parallel::{ParallelPlan, print_plan};

/// Which stages to print, by the names of [`crate::inspect::STAGES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dumps(u16);

macro_rules! dumps {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $setting:literal;)*) => {
        impl Dumps {
            $($(#[$doc])* pub const $name: Dumps = Dumps(1 << $bit);)*

            /// Each dump with the setting that asks for it.
            pub const SETTINGS: &'static [(&'static str, Dumps)] = &[$(($setting, Dumps::$name)),*];
        }
    };
}

dumps! {
    /// Instructions.
    BYTECODE = 0, "DUMP_BYTECODE";
    /// Control-flow graph of the bytecode.
    CFG = 1, "DUMP_CFG";
    /// IR before the passes.
    IR = 2, "DUMP_IR";
    /// IR in single-assignment form.
    SSA = 3, "DUMP_SSA";
    /// Types of all variables and callees.
    TYPEINFER = 4, "DEBUG_TYPEINFER";
    /// Source beside IR and types.
    ANNOTATION = 5, "DUMP_ANNOTATION";
    /// How loops over `prange` run.
    PARALLEL = 14, "DUMP_PARALLEL";
    /// LIR before its passes.
    LIR = 6, "DUMP_LIR";
    /// LIR after its passes.
    LIR_OPT = 7, "DUMP_LIR_OPT";
    /// Cranelift's IR.
    CLIF = 8, "DUMP_CLIF";
    /// Machine code.
    ASSEMBLY = 9, "DUMP_ASSEMBLY";
    /// LLVM IR.
    LLVM = 10, "DUMP_LLVM";
    /// NVIDIA's assembly.
    PTX = 11, "DUMP_PTX";
    /// LLVM IR after its passes.
    OPTIMIZED = 12, "DUMP_OPTIMIZED";
    /// Which loops LLVM vectorises, and why not others.
    REMARKS = 13, "DUMP_REMARKS";
}

impl Dumps {
    /// True if all of `other` is asked for.
    pub fn contains(self, other: Dumps) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if nothing is asked for.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With `other` as well.
    #[must_use]
    pub fn with(self, other: Dumps) -> Dumps {
        Dumps(self.0 | other.0)
    }
}

/// Numba's banner: a title centred in 80 dashes.
pub fn banner(title: &str) -> String {
    let dashes = 80usize.saturating_sub(title.chars().count());
    // The odd dash goes to the right, as `str.center` has it for an even width.
    let left = dashes / 2;
    format!("{}{title}{}", "-".repeat(left), "-".repeat(dashes - left))
}

impl Session {
    /// The texts that need no types, before anything can go wrong with them.
    pub(crate) fn dump_untyped(&self, request: &Request<'_>, name: &str) {
        let dumps = request.dumps;
        for (dump, stage) in [(Dumps::BYTECODE, "bytecode"), (Dumps::CFG, "cfg")] {
            if dumps.contains(dump) {
                let text = self.code_text(&request.source.code, stage);
                (request.print)(&text.unwrap_or_else(|error| error));
            }
        }
        if dumps.contains(Dumps::IR) {
            let text = print_func(&request.source.func, request.types, PrintOptions::PLAIN);
            (request.print)(&titled(&format!("IR DUMP: {name}"), &text));
        }
    }

    pub(crate) fn dump_ssa(&self, request: &Request<'_>, func: &Func) {
        if request.dumps.contains(Dumps::SSA) || request.dumps.contains(Dumps::TYPEINFER) {
            let text = print_func(func, request.types, PrintOptions::PLAIN);
            (request.print)(&titled(&format!("SSA IR DUMP: {}", func.name), &text));
        }
    }

    pub(crate) fn dump_typed(&self, request: &Request<'_>, program: &TypedProgram) {
        if request.dumps.contains(Dumps::TYPEINFER) {
            let text = print_program(program, request.types, self.library, PrintOptions::PLAIN);
            (request.print)(&titled("TYPES", &text));
        }
        if request.dumps.contains(Dumps::ANNOTATION) {
            (request.print)(&titled(
                "ANNOTATION",
                &self.annotation(program, request.types),
            ));
        }
    }

    pub(crate) fn dump_plan(
        &self,
        request: &Request<'_>,
        plan: &ParallelPlan,
        program: &TypedProgram,
    ) {
        if request.dumps.contains(Dumps::PARALLEL) {
            let title = format!("PARALLEL DUMP {}", request.source.func.name);
            (request.print)(&titled(&title, &print_plan(plan, program)));
        }
    }

    pub(crate) fn dump_lir(&self, request: &Request<'_>, module: &Module, optimised: bool) {
        let (dump, title) = if optimised {
            (Dumps::LIR_OPT, "OPTIMIZED LIR")
        } else {
            (Dumps::LIR, "LIR")
        };
        if request.dumps.contains(dump) {
            let name = &request.source.func.name;
            let text = print(module, Form::Plain);
            (request.print)(&titled(&format!("{title} DUMP {name}"), &text));
        }
        if optimised && request.dumps.contains(Dumps::CLIF) {
            let text = clif_text(module, &self.codegen_options(request.options));
            let title = format!("CLIF DUMP {}", request.source.func.name);
            (request.print)(&titled(&title, &text.unwrap_or_else(|error| error)));
        }
    }

    /// What exists of a finished compilation.
    pub(crate) fn dump_code(&self, request: &Request<'_>, compiled: &Compiled) {
        let name = &request.source.func.name;
        if request.dumps.contains(Dumps::ASSEMBLY) {
            (request.print)(&titled(
                &format!("ASSEMBLY {name}"),
                &asm_text(&compiled.artifact),
            ));
        }
        for (dump, stage, title) in [
            (Dumps::LLVM, "llvm", "LLVM DUMP"),
            (Dumps::OPTIMIZED, "llvm-opt", "OPTIMIZED DUMP"),
            (Dumps::REMARKS, "remarks", "LOOP REMARKS"),
            (Dumps::PTX, "ptx", "PTX DUMP"),
        ] {
            if request.dumps.contains(dump) {
                let text = self.inspect(compiled, stage);
                let text = text.unwrap_or_else(|error| error.to_string());
                (request.print)(&titled(&format!("{title} {name}"), &text));
            }
        }
    }
}

/// A text under its banner.
pub(crate) fn titled(title: &str, text: &str) -> String {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{}\n{text}{end}", banner(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_are_80_wide_as_numbas() {
        assert_eq!(
            banner("IR DUMP: f"),
            "-----------------------------------IR DUMP: f-----------------------------------"
        );
        assert_eq!(
            banner("ASSEMBLY nrt"),
            "----------------------------------ASSEMBLY nrt----------------------------------"
        );
        // "LLVM DUMP <function descriptor 'ramp$1'>" has an even number of characters, "IR DUMP: ramp" an odd one.
        assert_eq!(
            banner("IR DUMP: ramp"),
            "---------------------------------IR DUMP: ramp----------------------------------"
        );
    }

    #[test]
    fn every_setting_is_a_dump_of_its_own() {
        let mut all = Dumps::default();
        for (setting, dump) in Dumps::SETTINGS {
            assert!(!all.contains(*dump), "{setting}");
            all = all.with(*dump);
        }
        assert!(all.contains(Dumps::CLIF));
    }
}
