//! Functions that run from beginning to end with nothing in between.

use super::has_repetition;
use crate::{FuncRef, InstKind, Module, NativeFn};
use cranelift_entity::SecondaryMap;

/// True if a call of `root`, whatever passes make of it, leaves no other code a chance to run: it calls nothing outside of
/// the module but what only computes, so it owns no references either (native functions make them), and without loops
/// and recursion it gets no polls.
pub fn is_closed(module: &Module, root: FuncRef) -> bool {
    let mut seen: SecondaryMap<FuncRef, bool> = SecondaryMap::new();
    let mut todo = vec![root];
    while let Some(func) = todo.pop() {
        if std::mem::replace(&mut seen[func], true) {
            continue;
        }
        let Some(body) = &module.functions[func].body else {
            return false;
        };
        for block in &body.layout {
            for &inst in body.blocks[block].insts() {
                match &body.insts[inst].kind {
                    InstKind::Call { func, .. } => todo.push(*func),
                    InstKind::CallNative { callee, .. } if only_computes(callee) => {}
                    InstKind::CallNative { .. }
                    | InstKind::CallIndirect { .. }
                    | InstKind::Device { .. }
                    | InstKind::Release(_) => return false,
                    _ => {}
                }
            }
        }
    }
    !has_repetition(module)
}

fn only_computes(native: &NativeFn) -> bool {
    native.row().effects == numbra_abi::NativeEffects::PURE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    fn closed(text: &str) -> bool {
        let module = parse(text).unwrap_or_else(|error| panic!("{error:?}"));
        let named = |f: &crate::FuncDecl| f.name == "f";
        let root = module.functions.iter().find(|(_, f)| named(f));
        is_closed(&module, root.expect("a function f").0)
    }

    #[test]
    fn arithmetic_runs_through() {
        let helper = "function local @g(i64) -> (i64) {\nblock0(v0: i64):\n  v1 = iadd v0, v0\n  return v1\n}\n";
        let caller = "function export @f(i64) -> (i64) {\nblock0(v0: i64):\n  v1 = call @g(v0)\n  return v1\n}\n";
        assert!(closed(&format!("module \"m\"\n{helper}{caller}")));
    }

    #[test]
    fn loops_calls_from_outside_and_natives_do_not() {
        let endless = "function export @f(i64) -> (i64) {\nblock0(v0: i64):\n  jump block1\nblock1:\n  jump block1\n}\n";
        let import = "function import @g(i64) -> (i64)\n";
        let caller = "function export @f(i64) -> (i64) {\nblock0(v0: i64):\n  v1 = call @g(v0)\n  return v1\n}\n";
        let native =
            "function export @f(ref) -> () {\nblock0(v0: ref):\n  release v0\n  return\n}\n";
        let recursive = "function export @f(i64) -> (i64) {\nblock0(v0: i64):\n  v1 = call @f(v0)\n  return v1\n}\n";
        for text in [endless, &format!("{import}{caller}"), native, recursive] {
            assert!(!closed(&format!("module \"m\"\n{text}")), "{text}");
        }
    }
}
