//! LIR as LLVM IR text: pure, safe, testable without LLVM.
//!
//! Text and not API calls, because the text is a dump that users ask for, needs no `unsafe`, and costs a fraction of a
//! millisecond to parse beside milliseconds of optimisation.

mod abi;
mod function;
mod inst;
mod memory;
mod names;
mod numeric;
mod types;

use crate::Target;
use function::FunctionText;
use names::Declarations;
use numbra_lower::lir::{Linkage, Module};
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
    let mut declarations = Declarations::default();
    let mut bodies = String::new();
    let declared = module.functions.values().map(|decl| &decl.sig);
    for sig in declared.chain(&module.signatures) {
        if let Some(ty) = abi::oversized_leaf(sig) {
            return Err(EmitError(format!("{ty} as a parameter or result")));
        }
    }
    for func in module.functions.keys() {
        let decl = &module.functions[func];
        match (&decl.body, decl.linkage) {
            (Some(body), Linkage::Local | Linkage::Export | Linkage::Kernel) => {
                bodies.push('\n');
                bodies.push_str(&FunctionText::emit(
                    module,
                    decl,
                    body,
                    target,
                    &mut declarations,
                )?);
            }
            (_, Linkage::Import) | (None, _) => {
                declarations.function(&decl.name, &abi::declaration(decl, target))
            }
        }
    }
    let mut out = format!("; ModuleID = '{}'\n", module.name);
    writeln!(out, "target triple = \"{}\"\n", target.triple()).expect("writing to a string");
    for data in module.data.values() {
        names::write_data(&mut out, data, target);
    }
    declarations.write(&mut out);
    out.push_str(&bodies);
    out.push_str(METADATA);
    Ok(out)
}

/// Alias classes as TBAA types under one root (`AliasClass::ANY`), cold-branch weights, and flags.
const METADATA: &str = "
!llvm.module.flags = !{!90}
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
!90 = !{i32 2, !\"Debug Info Version\", i32 3}
!100 = !{!\"numbra\"}
";
