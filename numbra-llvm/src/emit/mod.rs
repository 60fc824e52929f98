//! LIR as LLVM IR text: pure, safe, testable without LLVM.
//!
//! Text and not API calls, because the text is a dump that users ask for, needs no `unsafe`, and costs a fraction of a
//! millisecond to parse beside milliseconds of optimisation.

mod abi;
mod addresses;
mod debug;
mod device;
mod function;
mod inst;
mod loop_hints;
mod memory;
mod names;
mod numeric;
mod places;
mod scopes;
mod types;

use crate::Target;
use debug::DebugText;
pub use device::ERROR;
use function::{FunctionText, Tracing};
pub(crate) use loop_hints::LoopHint;
use names::Declarations;
use numbra_lir::analysis::{Cfg, Dominators, LoopId, Loops};
use numbra_lir::{
    AliasClass, Block, Data, DataId, Func, FuncRef, InstKind, Linkage, MathFnName, Module,
};
pub(crate) use places::Places;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

/// LIR that this generator does not take, by what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmitError(pub String);

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}

/// The LLVM IR of a verified module for a target.
pub fn emit(module: &Module, target: &Target) -> Result<String, EmitError> {
    emit_traced(module, target, None)
}

/// As [`emit`], with a debug location at each instruction if `places` is there to hold them.
pub(crate) fn emit_traced(
    module: &Module,
    target: &Target,
    mut places: Option<&mut Places>,
) -> Result<String, EmitError> {
    if target.is_gpu()
        && let Some(name) = names::unfit_for_ptx(module)
    {
        return Err(EmitError(format!(
            "the symbol `{name}`: PTX has letters, digits, `_` and `$`"
        )));
    }
    let mut debug = match places {
        Some(_) => None,
        None => DebugText::new(module),
    };
    let mut declarations = Declarations::default();
    let mut bodies = String::new();
    let declared = module.functions.values().map(|decl| &decl.sig);
    for sig in declared.chain(module.signatures.values()) {
        if let Some(ty) = abi::oversized_leaf(sig) {
            return Err(EmitError(format!("{ty} as a parameter or result")));
        }
    }
    let attributes = target.function_attributes(has_widest_vector_call(module, target));
    for func in module.functions.keys() {
        let decl = &module.functions[func];
        match &decl.body {
            Some(body) if decl.linkage != Linkage::Import => {
                bodies.push('\n');
                bodies.push_str(&FunctionText::emit(
                    module,
                    func,
                    body,
                    target,
                    &attributes,
                    &mut declarations,
                    match (&mut debug, places.as_deref_mut()) {
                        (Some(debug), _) => Tracing::Source(debug),
                        (None, Some(places)) => Tracing::Places(places),
                        (None, None) => Tracing::None,
                    },
                )?);
            }
            _ => declarations.function(&decl.name, &abi::declaration(decl, target)),
        }
    }
    // A name may hold line ends.
    let mut out = format!("; ModuleID = '{}'\n", module.name.escape_debug());
    writeln!(out, "target triple = \"{}\"\n", target.triple()).expect("writing to a string");
    let data: Vec<&Data> = if target.is_gpu() {
        used_data(module)
    } else {
        module.data.values().collect()
    };
    let space_of = |symbol: &str| {
        let named = data.iter().find(|item| item.name == symbol);
        named
            .filter(|_| target.is_gpu())
            .map_or(0, |item| names::data_space(item))
    };
    for item in &data {
        names::write_data(&mut out, item, target, &space_of);
    }
    for symbol in foreign_symbols(module, &data, &declarations) {
        if target.is_gpu() {
            return Err(EmitError(format!("the address of `{symbol}`")));
        }
        writeln!(out, "@{} = external global i8", names::quote(symbol))
            .expect("writing to a string");
    }
    declarations.write(&mut out);
    out.push_str(&bodies);
    out.push_str(&flags(target));
    out.push_str(METADATA);
    if bodies.contains("!tbaa !2") && uses_fields(module) {
        memory::write_fields(&mut out);
    }
    declarations.write_metadata(&mut out);
    if let Some(places) = places {
        places.write(&mut out);
    }
    if let Some(debug) = debug {
        debug.write(&mut out);
    }
    Ok(out)
}

/// Whether the module reads or writes fields of objects.
fn uses_fields(module: &Module) -> bool {
    let bodies = module
        .functions
        .values()
        .filter_map(|decl| decl.body.as_ref());
    bodies.flat_map(|body| body.insts.values()).any(|inst| {
        matches!(
            inst.kind,
            InstKind::Load { flags, .. } | InstKind::Store { flags, .. } if flags.alias > AliasClass::ARRAY
        )
    })
}

/// Whether loops that may be vectorised call a mathematical function that has a variant of the target's widest vectors.
fn has_widest_vector_call(module: &Module, target: &Target) -> bool {
    let bodies = || {
        module
            .functions
            .values()
            .filter_map(|decl| decl.body.as_ref())
    };
    module.functions.iter().any(|(func, decl)| {
        decl.body.as_ref().is_some_and(|body| {
            let blocks = calls_in(body, |func| target.has_widest(func));
            if blocks.is_empty() {
                return false;
            }
            let cfg = Cfg::new(body);
            let loops = Loops::new(&cfg, &Dominators::new(&cfg));
            let innermost: Vec<LoopId> = loops.iter_innermost().map(|(id, _)| id).collect();
            blocks
                .into_iter()
                .any(|block| match loops.innermost(block) {
                    Some(id) => innermost.contains(&id),
                    // It may be inlined into a loop of another.
                    None => bodies().any(|caller| has_call(caller, func)),
                })
        })
    })
}

fn has_call(body: &Func, func: FuncRef) -> bool {
    let mut insts = body
        .layout
        .iter()
        .flat_map(|block| body.blocks[block].insts());
    insts.any(|&inst| matches!(body.insts[inst].kind, InstKind::Call { func: called, .. } if called == func))
}

/// Blocks that call such mathematical functions.
fn calls_in(body: &Func, wanted: impl Fn(MathFnName) -> bool) -> Vec<Block> {
    let calls = |block: &Block| {
        body.blocks[*block].insts().iter().any(
            |inst| matches!(body.insts[*inst].kind, InstKind::Math { func, .. } if wanted(func)),
        )
    };
    body.layout.iter().filter(calls).collect()
}

/// Data that code refers to, at first hand or through other data: a device has nobody else who would.
fn used_data(module: &Module) -> Vec<&Data> {
    let mut used: BTreeSet<DataId> = BTreeSet::new();
    let mut todo: Vec<DataId> = Vec::new();
    for body in module.functions.values().filter_map(|f| f.body.as_ref()) {
        for &inst in body.layout.iter().flat_map(|b| body.blocks[b].insts()) {
            if let InstKind::DataAddr(id) = body.insts[inst].kind {
                todo.push(id);
            }
        }
    }
    while let Some(id) = todo.pop() {
        if used.insert(id) {
            let named = |symbol: &str| module.data.iter().find(|(_, d)| d.name == symbol);
            let relocs = module.data[id].relocs.iter();
            todo.extend(relocs.filter_map(|(_, symbol)| Some(named(symbol)?.0)));
        }
    }
    used.into_iter().map(|id| &module.data[id]).collect()
}

/// Symbols that only data refers to and that are defined elsewhere.
fn foreign_symbols<'a>(
    module: &'a Module,
    data: &[&'a Data],
    declarations: &Declarations,
) -> BTreeSet<&'a str> {
    let named: BTreeSet<&str> = (module.functions.values().map(|f| f.name.as_str()))
        .chain(module.data.values().map(|d| d.name.as_str()))
        .collect();
    (data.iter().flat_map(|data| &data.relocs))
        .map(|(_, symbol)| symbol.as_str())
        .filter(|symbol| !named.contains(symbol) && !declarations.has_function(symbol))
        .collect()
}

/// Flags of the module. Functions of libdevice ask by the second whether tiny numbers are zero.
fn flags(target: &Target) -> String {
    if target.as_gpu().is_some_and(|gpu| gpu.fast) {
        let ftz = "!91 = !{i32 4, !\"nvvm-reflect-ftz\", i32 1}";
        return format!("\n!llvm.module.flags = !{{!90, !91}}\n{ftz}");
    }
    "\n!llvm.module.flags = !{!90}".to_owned()
}

/// Alias classes as TBAA types under one root (`AliasClass::ANY`), cold-branch weights, and flags.
const METADATA: &str = "
!0 = !{!\"numbra any\", !100, i64 0}
!1 = !{!\"numbra stack\", !0, i64 0}
!2 = !{!\"numbra const\", !0, i64 0}
!3 = !{!\"numbra header\", !0, i64 0}
!4 = !{!\"numbra args\", !0, i64 0}
!5 = !{!\"numbra array\", !0, i64 0}
!20 = !{!0, !0, i64 0}
!21 = !{!1, !1, i64 0}
!22 = !{!2, !2, i64 0}
!23 = !{!3, !3, i64 0}
!24 = !{!4, !4, i64 0}
!25 = !{!5, !5, i64 0}
!80 = !{!\"branch_weights\", i32 2000, i32 1}
!81 = !{!\"branch_weights\", i32 1, i32 2000}
!82 = !{}
!83 = !{!\"llvm.loop.interleave.count\", i32 1}
!84 = !{!\"llvm.loop.vectorize.enable\", i1 false}
!85 = !{!\"numbra.inner_loop\"}
!86 = !{!\"llvm.loop.unroll.disable\"}
!87 = !{!\"llvm.loop.unroll.runtime.disable\"}
!90 = !{i32 2, !\"Debug Info Version\", i32 3}
!100 = !{!\"numbra\"}
";
