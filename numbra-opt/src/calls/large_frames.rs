//! Functions whose frames are larger than what the end of a stack leaves for any call: who calls one looks before.
//!
//! ```text
//! before                            after
//! function export @f(i64) -> (i64)  function local never @f.large(i64) -> (i64) raises {
//!     raises {                        ..
//!   ..
//!                                   function export @f(i64) -> (i64) raises {
//!                                   block0(v0: i64):
//!                                     v1 = stack_pointer
//!                                     v2 = call_native @numbra_rt_stack_limit()
//!                                     v3 = iconst 300000
//!                                     v4 = ptr_add v2, v3
//!                                     v5 = icmp ugt v1, v4
//!                                     brif v5, block1, block2
//!                                   block1:
//!                                     v6, v7 = call @f.large(v0)
//!                                     ..
//! ```
//!
//! A frame exists from the first instruction of its function on, so that the function itself looks too late. How large it
//! becomes only the code generator knows; here it is taken to hold the slots and as many values as live at once. What a
//! function without a status needs, who calls it needs: it cannot raise.

use crate::calls::stack_checks::{face, look_at};
use cranelift_entity::SecondaryMap;
use numbra_lir::analysis::{Cfg, DefUse, callees, liveness};
use numbra_lir::{Block, Func, FuncDecl, FuncRef, Linkage, Module, Value};

/// Up to so many bytes a call needs no look: every stack ends with more.
const MAX_UNCHECKED_FRAME_BYTES: u64 = 32 << 10;
/// Bytes in which a code generator keeps a value at least.
const VALUE_BYTES: u64 = 16;

/// Puts a function that looks before each with a large frame; true if there is one.
pub(crate) fn faces(module: &mut Module) -> bool {
    let mut needs = Needs::default();
    let mut found = Vec::new();
    for id in module.functions.keys() {
        let need = needs.of(module, id);
        if need > MAX_UNCHECKED_FRAME_BYTES && module.functions[id].sig.raises {
            found.push((id, need));
        }
    }
    for &(id, need) in &found {
        let decl = &mut module.functions[id];
        let Some(body) = decl.body.take() else {
            continue;
        };
        let (sig, span) = (decl.sig.clone(), body.span);
        let inner = FuncDecl {
            name: format!("{}.large", decl.name),
            linkage: Linkage::Local,
            sig: sig.clone(),
            inline_always: false,
            inline_never: true,
            body: Some(body),
        };
        let inner = module.functions.push(inner);
        let mut face = face(&sig, inner, span);
        let entry = face.entry();
        look_at(&mut face, entry, None, need as i64);
        module.functions[id].body = Some(face);
    }
    !found.is_empty()
}

/// Bytes of stack that functions need, with those that they call and that do not look.
#[derive(Default)]
struct Needs {
    known: SecondaryMap<FuncRef, Option<u64>>,
}

impl Needs {
    fn of(&mut self, module: &Module, id: FuncRef) -> u64 {
        if let Some(need) = self.known[id] {
            return need;
        }
        // Of a function that calls itself, for the call within.
        self.known[id] = Some(0);
        let Some(body) = &module.functions[id].body else {
            return 0;
        };
        let mut below = 0;
        let mut called: Vec<FuncRef> = callees(body).collect();
        called.sort_unstable();
        called.dedup();
        for callee in called {
            if !module.functions[callee].sig.raises {
                below = below.max(self.of(module, callee));
            }
        }
        let need = frame_bytes(body) + below;
        self.known[id] = Some(need);
        need
    }
}

/// About how many bytes the frame of a function has, rather more.
fn frame_bytes(func: &Func) -> u64 {
    let slots: u64 = func
        .slots
        .values()
        .map(|s| u64::from(s.size) + VALUE_BYTES)
        .sum();
    let bytes = |value: Value| u64::from(func.values[value].ty.size()).max(VALUE_BYTES);
    let all: u64 = func.values.keys().map(bytes).sum();
    if slots + all <= MAX_UNCHECKED_FRAME_BYTES {
        return slots + all;
    }
    let cfg = Cfg::new(func);
    let live = liveness(func, &cfg, &DefUse::new(func), |_| true);
    let mut most = 0;
    // The block at whose current place each value lives.
    let mut here: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
    for block in &func.layout {
        let mut sum = 0;
        let mut enter = |here: &mut SecondaryMap<Value, Option<Block>>, sum: &mut u64, value| {
            if here[value].replace(block) != Some(block) {
                *sum += bytes(value);
                most = most.max(*sum);
            }
        };
        for &value in live.live_out(block) {
            enter(&mut here, &mut sum, value);
        }
        let data = &func.blocks[block];
        if let Some(term) = &data.term {
            term.visit_operands(|v| enter(&mut here, &mut sum, v));
        }
        for &inst in data.insts().iter().rev() {
            for &value in &func.insts[inst].results {
                if here[value].take() == Some(block) {
                    sum -= bytes(value);
                }
            }
            let kind = &func.insts[inst].kind;
            kind.visit_operands(|v| enter(&mut here, &mut sum, v));
        }
    }
    slots + most
}
