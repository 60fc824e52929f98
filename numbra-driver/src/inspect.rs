//! The text of every stage of a finished compilation.

use crate::compile::Compiled;
use crate::options::Options;
use crate::pipeline;
use crate::session::Session;
use crate::tier2::{DeviceTarget, GeneratorError, GeneratorText, without_entry};
use numbra_base::Diagnostic;
use numbra_bytecode::{Bytecode, Cfg, CodeObject, Dfg};
use numbra_ir::{PrintOptions, TypedProgram, Types, print_func, print_program};
use numbra_lir::Module;
use numbra_lir::artifact::Artifact;
use numbra_lir::remarks::remarks_text;
use numbra_lir::text::{Form, print};
use numbra_opt::interrupts::remove_polls;
use numbra_parallel::print_plan;
use std::fmt::{self, Write as _};

/// Names of the stages, in pipeline order.
pub const STAGES: &[&str] = &[
    "bytecode",
    "cfg",
    "cfg-dot",
    "dfg",
    "ir",
    "ssa",
    "typed",
    "annotation",
    "parallel",
    "lir",
    "passes",
    "lir-opt",
    "clif",
    "asm",
    "llvm",
    "llvm-opt",
    "remarks",
    "ptx",
];

/// The GPU of the stage `ptx`.
const PTX_TARGET: &str = "sm_80";

/// Why there is no text of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InspectError {
    /// The second generator has too little memory now.
    NoMemory,
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InspectError::NoMemory => GeneratorError::NoMemory.fmt(f),
            InspectError::Other(why) => f.write_str(why),
        }
    }
}

impl From<String> for InspectError {
    fn from(why: String) -> InspectError {
        InspectError::Other(why)
    }
}

impl From<GeneratorError> for InspectError {
    fn from(error: GeneratorError) -> InspectError {
        match error {
            GeneratorError::NoMemory => InspectError::NoMemory,
            other => InspectError::Other(other.to_string()),
        }
    }
}

impl Session {
    /// What each LIR pass does with a lowered module, those for Cranelift included.
    pub(crate) fn passes_text(&self, lowered: &Module) -> Result<String, String> {
        let mut module = lowered.clone();
        let lists = [&numbra_opt::HOST, &numbra_opt::CRANELIFT];
        numbra_opt::pass_report(&lists, &mut module).map_err(|error| error.to_string())
    }

    /// The text of one stage; an error names what is not known.
    pub fn inspect(&self, compiled: &Compiled, stage: &str) -> Result<String, InspectError> {
        let plain = PrintOptions::PLAIN;
        if stage == "asm" {
            return Ok(asm_text(&compiled.artifact));
        }
        let made = compiled.made_from();
        match stage {
            "bytecode" | "cfg" | "cfg-dot" | "dfg" => Ok(self.code_text(&made.source.code, stage)?),
            "ir" => Ok(print_func(&made.source.func, &compiled.types, plain)),
            "ssa" => {
                let func = pipeline::untyped(
                    self,
                    &made.source.func,
                    &compiled.args,
                    &compiled.types,
                    &Options::default(),
                )
                .map_err(|e| e.to_string())?;
                Ok(print_func(&func, &compiled.types, plain))
            }
            "typed" => Ok(print_program(
                &made.program,
                &compiled.types,
                self.library,
                plain,
            )),
            "annotation" => Ok(self.annotation(&made.program, &compiled.types)),
            "parallel" => Ok(print_plan(&made.plan, &made.program)),
            "lir" => Ok(print(&made.lowered, Form::Plain)),
            "passes" => Ok(self.passes_text(&made.lowered)?),
            "lir-opt" => Ok(print(&made.module, Form::Plain)),
            "clif" => {
                let options = self.codegen_options(&Options::default());
                Ok(clif_text(&made.module, &options)?)
            }
            "ptx" => {
                let mut module = without_entry(&made.module, &compiled.entry);
                remove_polls(&mut module);
                if let Some(refusal) = self.runtime_refusal(made, &module) {
                    return Ok(self.no_ptx(&refusal));
                }
                Ok(self.generator_text(&module, stage)?)
            }
            "remarks" => {
                let (remarks, module) = self.remarks(made)?;
                let text = remarks_text(&remarks, &module);
                Ok(if text.is_empty() {
                    "no loops\n".to_owned()
                } else {
                    text
                })
            }
            "llvm" | "llvm-opt" => Ok(self.generator_text(&made.module, stage)?),
            other => Err(InspectError::Other(format!(
                "no stage '{other}'; the stages are {}",
                STAGES.join(", ")
            ))),
        }
    }

    /// A comment of PTX that says in one line why code has none, and where.
    fn no_ptx(&self, refusal: &Diagnostic) -> String {
        let sources = self.sources();
        let (file, line) = (sources.path(refusal.span.file), refusal.span.line);
        let place = file.map_or(String::new(), |file| format!(" ({file}:{line})"));
        let why = refusal
            .label
            .as_ref()
            .map_or(String::new(), |label| format!(": {label}"));
        format!("// no PTX: {}{why}{place}\n", refusal.message)
    }

    /// Text of a stage that the second generator makes.
    pub(crate) fn generator_text(
        &self,
        module: &Module,
        stage: &str,
    ) -> Result<String, GeneratorError> {
        let llvm = self.second_generator()?;
        match stage {
            "llvm" => llvm.text(module, GeneratorText::Emitted),
            "llvm-opt" => llvm.text(module, GeneratorText::Optimised),
            _ => {
                let mut module = module.clone();
                remove_polls(&mut module);
                let target = DeviceTarget {
                    text: PTX_TARGET.to_owned(),
                    optimised: true,
                };
                llvm.device_text(&module, &target, GeneratorText::Assembly)
            }
        }
    }

    /// Text of a stage before IR.
    pub(crate) fn code_text(&self, code: &CodeObject, stage: &str) -> Result<String, String> {
        let file = self.files.file(&code.filename, &|_| None);
        let bytecode = Bytecode::decode(code, file).map_err(|e| e.to_string())?;
        if stage == "bytecode" {
            return Ok(bytecode.dump());
        }
        let cfg = Cfg::build(&bytecode).map_err(|e| e.to_string())?;
        if stage == "cfg" {
            return Ok(cfg.dump());
        }
        if stage == "cfg-dot" {
            return Ok(cfg.to_dot(&bytecode));
        }
        Ok(Dfg::build(&bytecode, &cfg)
            .map_err(|e| e.to_string())?
            .to_text())
    }

    pub(crate) fn annotation(&self, program: &TypedProgram, types: &Types) -> String {
        let typed = &program.functions[program.root].1;
        let sources = self.sources();
        let file = typed.func.span.file;
        let text = numbra_typeinfer::annotate(typed, types, sources.text(file).unwrap_or_default());
        format!(
            "# File: {}\n{text}",
            sources.path(file).unwrap_or("<unknown>")
        )
    }
}

/// Cranelift's IR of each function.
pub(crate) fn clif_text(
    module: &Module,
    options: &numbra_lower::cranelift::Options,
) -> Result<String, String> {
    let functions = numbra_lower::cranelift::clif(module, options).map_err(|e| e.to_string())?;
    Ok(functions
        .into_iter()
        .map(|(name, text)| format!("; {name}\n{text}\n"))
        .collect())
}

/// Machine code as text, function by function.
pub fn asm_text(artifact: &Artifact) -> String {
    let mut out = String::new();
    for (_, symbol, _) in artifact.functions() {
        if let Some(text) = numbra_lower::jit::disassemble(artifact, &symbol.name) {
            writeln!(out, "{}:\n{text}", symbol.name).expect("writing to a string");
        }
    }
    out
}
