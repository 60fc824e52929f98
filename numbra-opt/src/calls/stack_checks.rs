//! Functions that may call themselves look whether there is stack left, and raise RecursionError where there is not.
//!
//! ```text
//! before                                 after
//! function export @f(i64) -> (i64)       function local @f.deep(i64, ptr) -> (i64) raises {
//!     raises {                           block0(v0: i64, v9: ptr):
//! block0(v0: i64):                         ..
//!   ..                                     brif v1, block1, block2
//!   brif v1, block1, block2              block2:
//! block2:                                  v10 = stack_pointer
//!   v2, v3 = call @f(v0)                   v11 = icmp ugt v10, v9
//!   ..                                     brif v11, block3, block4
//!                                        block3:
//!                                          v2, v3 = call @f.deep(v0, v9)
//!                                          ..
//!                                        block4 cold:
//!                                          v12 = call_native @numbra_rt_stack_full()
//!                                          v13 = icmp eq v12, v8    (v8 = 0)
//!                                          guard v13 status, block3, block5
//!                                        block5 cold:
//!                                          fail
//!
//!                                        function export @f(i64) -> (i64) raises {
//!                                        block0(v0: i64):
//!                                          v1 = call_native @numbra_rt_stack_limit()
//!                                          v2, v3 = call @f.deep(v0, v1)
//!                                          ..
//! ```
//!
//! The limit is that of the thread, which machine code finds by a call, so who enters the recursion asks for it and it is
//! handed down. Who is not handed it, because others call it by its address, asks itself.
//!
//! A function may call itself if it is in a cycle of calls by name and of addresses taken, or calls an address: that may
//! lead anywhere. It looks once, before the first such call, outside of loops. A function without a status looks where it
//! polls, before its calls, and leaves as it does for an interrupt (`lowering/recursion.rs`); one that does not poll does not
//! look. Wants calls inlined and polls of recursion in place; before references are placed, since what fails gives them up.

use crate::calls::large_frames;
use crate::polls::interrupts;
use cranelift_entity::SecondaryMap;
use numbra_abi::NativeId;
use numbra_base::{Origin, Span};
use numbra_lir::analysis::{Cfg, Dominators, Loops, callees, components, kinds};
use numbra_lir::{
    Block, BlockCall, DataId, Func, FuncDecl, FuncRef, GuardKind, Inst, InstKind, IntCc, Linkage,
    Module, Param, Signature, Terminator, Ty, Value,
};

const ORIGIN: Origin = Origin::Pass("stack_checks");

pub(crate) fn stack_checks(module: &mut Module) -> bool {
    let mut decls = module.functions.values();
    if decls.any(|f| matches!(f.linkage, Linkage::Kernel | Linkage::Device)) {
        return false;
    }
    let large = large_frames::faces(module);
    let cell = interrupts::known_cell(module);
    let mut recursion = Recursion::of(module, cell);
    if !module
        .functions
        .keys()
        .any(|id| recursion.has_stack_check(id))
    {
        return large;
    }
    let handed = hand_down(module, &mut recursion);
    for id in module.functions.keys().collect::<Vec<_>>() {
        let Some(mut func) = module.functions[id].body.take() else {
            continue;
        };
        let limit = handed[id].then(|| func.blocks[func.entry()].params.last().copied());
        let limit = limit.flatten();
        if recursion.has_stack_check(id) {
            let calls = recursion.calls(id, &func);
            if func.sig.raises {
                look(&mut func, limit, &calls);
            } else {
                look_at_polls(&mut func, limit, cell);
            }
        }
        pass_on(&mut func, limit, &handed);
        module.functions[id].body = Some(func);
    }
    true
}

/// Which functions may call themselves.
struct Recursion {
    /// The number of the cycle of each that is in one.
    cycle: SecondaryMap<FuncRef, Option<u32>>,
    looks: SecondaryMap<FuncRef, bool>,
}

impl Recursion {
    fn of(module: &Module, cell: Option<DataId>) -> Recursion {
        let leads_to = |id: FuncRef| -> Vec<FuncRef> {
            let body = module.functions[id].body.iter();
            let mut out: Vec<FuncRef> = body.flat_map(kinds).filter_map(leads).collect();
            out.sort_unstable();
            out.dedup();
            out
        };
        let leaves = |id: FuncRef| {
            let decl = &module.functions[id];
            let body = decl.body.as_ref();
            body.is_some_and(|func| decl.sig.raises || !polls(func, cell).is_empty())
        };
        let mut out = Recursion {
            cycle: SecondaryMap::new(),
            looks: SecondaryMap::new(),
        };
        let groups = components(module.functions.keys(), leads_to);
        for (members, number) in groups.iter().zip(0..) {
            let ids = || members.iter().copied();
            let first = members[0];
            if (members.len() > 1 || leads_to(first).contains(&first)) && ids().any(leaves) {
                for id in ids() {
                    (out.cycle[id], out.looks[id]) = (Some(number), leaves(id));
                }
            }
        }
        for (id, decl) in module.functions.iter() {
            let anywhere = |kind: &InstKind| matches!(kind, InstKind::CallIndirect { .. });
            let mut kinds = decl.body.iter().flat_map(kinds);
            out.looks[id] |= decl.sig.raises && kinds.any(anywhere);
        }
        out
    }

    fn has_stack_check(&self, id: FuncRef) -> bool {
        self.looks[id]
    }

    fn is_same_cycle(&self, a: FuncRef, b: FuncRef) -> bool {
        self.cycle[a].is_some() && self.cycle[a] == self.cycle[b]
    }

    /// The blocks from which a function may get to itself.
    fn calls(&self, id: FuncRef, func: &Func) -> Vec<Block> {
        let again = |&inst: &Inst| match &func.insts[inst].kind {
            InstKind::CallIndirect { .. } => true,
            kind => leads(kind).is_some_and(|to| self.is_same_cycle(id, to)),
        };
        let blocks = func.layout.iter();
        blocks
            .filter(|&b| func.blocks[b].insts().iter().any(again))
            .collect()
    }
}

/// The function that an instruction calls, or hands to others to call.
fn leads(kind: &InstKind) -> Option<FuncRef> {
    match kind {
        InstKind::Call { func, .. } | InstKind::FuncAddr(func) => Some(*func),
        _ => None,
    }
}

/// Functions whose address the module takes, in code or in data.
fn taken(module: &Module) -> SecondaryMap<FuncRef, bool> {
    let mut taken = SecondaryMap::new();
    let bodies = module.functions.values().filter_map(|f| f.body.as_ref());
    for kind in bodies.flat_map(kinds) {
        if let InstKind::FuncAddr(func) = kind {
            taken[*func] = true;
        }
    }
    let named: Vec<&String> = module
        .data
        .values()
        .flat_map(|data| data.relocs.iter().map(|(_, name)| name))
        .collect();
    for (id, decl) in module.functions.iter() {
        taken[id] |= named.contains(&&decl.name);
    }
    taken
}

/// Gives the functions that others of their cycle call by name a parameter for the limit, their last; which they are. Whom
/// others may call keeps its name and signature for them, and calls a new function.
fn hand_down(module: &mut Module, recursion: &mut Recursion) -> SecondaryMap<FuncRef, bool> {
    let taken = taken(module);
    let mut called: SecondaryMap<FuncRef, bool> = SecondaryMap::new();
    for (id, decl) in module.functions.iter() {
        for callee in decl.body.iter().flat_map(callees) {
            called[callee] |= recursion.is_same_cycle(id, callee);
        }
    }
    let mut handed = SecondaryMap::new();
    let mut deep: SecondaryMap<FuncRef, Option<FuncRef>> = SecondaryMap::new();
    for id in module.functions.keys().collect::<Vec<_>>() {
        let decl = &mut module.functions[id];
        let mut sig = decl.sig.clone();
        sig.params.push(Param::new(Ty::PTR));
        // One parameter too many for registers would cost each call more than asking does.
        if !called[id] || sig.has_argument_block() != decl.sig.has_argument_block() {
            continue;
        }
        let Some(mut body) = decl.body.take() else {
            continue;
        };
        body.push_param(body.entry(), Ty::PTR);
        body.sig = sig.clone();
        if decl.linkage == Linkage::Local && !taken[id] {
            (decl.sig, decl.body) = (sig, Some(body));
            handed[id] = true;
            continue;
        }
        let span = body.span;
        let inner = FuncDecl {
            name: format!("{}.deep", decl.name),
            linkage: Linkage::Local,
            sig,
            inline_always: false,
            inline_never: decl.inline_never,
            body: Some(body),
        };
        let inner = module.functions.push(inner);
        let decl = &mut module.functions[id];
        decl.body = Some(face(&decl.sig, id, span));
        (deep[id], handed[inner]) = (Some(inner), true);
        (recursion.cycle[inner], recursion.looks[inner]) =
            (recursion.cycle[id], recursion.looks[id]);
        recursion.looks[id] = false;
    }
    for decl in module.functions.values_mut() {
        let Some(body) = &mut decl.body else { continue };
        for data in body.insts.values_mut() {
            if let InstKind::Call { func, .. } = &mut data.kind {
                *func = deep[*func].unwrap_or(*func);
            }
        }
    }
    handed
}

/// A function with this signature that calls `func`, and does as it does.
pub(crate) fn face(sig: &Signature, func: FuncRef, span: Span) -> Func {
    let mut face = Func::new(sig.clone(), span);
    let entry = face.entry();
    let args = face.blocks[entry].params.clone();
    let status = sig.raises.then_some(Ty::I32).into_iter();
    let types: Vec<Ty> = status.chain(sig.results.iter().copied()).collect();
    let call = face.push_inst(entry, InstKind::Call { func, args }, &types, span, ORIGIN);
    let mut results = face.insts[call].results.to_vec();
    let done = if sig.raises {
        let (status, done) = (results.remove(0), face.push_block());
        fail_unless(&mut face, entry, status, done, span);
        done
    } else {
        entry
    };
    face.set_term(done, Terminator::Return(results), span, ORIGIN);
    face
}

/// Ends a block with a jump where the status is 0, and fails else.
fn fail_unless(func: &mut Func, block: Block, status: Value, onward: Block, span: Span) {
    let rhs = one(func, block, InstKind::IConst(0), Ty::I32, span);
    let (cc, lhs) = (IntCc::Eq, status);
    let cond = one(func, block, InstKind::Icmp { cc, lhs, rhs }, Ty::I1, span);
    let failed = cold_block(func);
    let term = Terminator::Guard {
        cond,
        kind: GuardKind::Status,
        ok: to(onward),
        err: to(failed),
    };
    func.set_term(block, term, span, ORIGIN);
    func.set_term(failed, Terminator::Fail, span, ORIGIN);
}

/// Looks before the first of these calls, outside of loops.
fn look(func: &mut Func, limit: Option<Value>, calls: &[Block]) {
    let cfg = Cfg::new(func);
    let doms = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &doms);
    let reached = calls.iter().copied().filter(|&b| cfg.is_reachable(b));
    let Some(mut block) = reached.reduce(|a, b| doms.intersect(&cfg, a, b)) else {
        return;
    };
    while let Some(inside) = loops.innermost(block) {
        let Some(before) = doms.idom(loops.get(inside).header) else {
            break;
        };
        block = before;
    }
    look_at(func, block, limit, 0);
}

/// Looks at the start of a block whether more than `bytes` are left above the limit.
pub(crate) fn look_at(func: &mut Func, block: Block, limit: Option<Value>, bytes: i64) {
    let span = func.span;
    let rest = func.split_block(block, 0);
    let cond = is_left(func, block, limit, bytes, span);
    let full = cold_block(func);
    let term = Terminator::Brif {
        cond,
        then: to(rest),
        other: to(full),
    };
    func.set_term(block, term, span, ORIGIN);
    let ask = match bytes {
        0 => InstKind::native(NativeId::StackFull, Vec::new()),
        _ => {
            let kind = InstKind::IConst(bytes.into());
            let bytes = one(func, full, kind, Ty::I64, span);
            InstKind::native(NativeId::StackShort, vec![bytes])
        }
    };
    let status = one(func, full, ask, Ty::I32, span);
    fail_unless(func, full, status, rest, span);
}

/// Looks behind the polls that leave a function without a status, and leaves as they do.
fn look_at_polls(func: &mut Func, limit: Option<Value>, cell: Option<DataId>) {
    for block in polls(func, cell) {
        let span = func.blocks[block].term_span;
        // Where it is read, behind the poll.
        let behind = func.insert_block_after(block);
        let Some(Terminator::Brif { then, other, .. }) = &mut func.blocks[block].term else {
            continue;
        };
        let other = other.clone();
        let then = std::mem::replace(then, to(behind));
        let cond = is_left(func, behind, limit, 0, span);
        let term = Terminator::Brif { cond, then, other };
        func.set_term(behind, term, span, ORIGIN);
    }
}

/// The polls that leave a function without a status.
fn polls(func: &Func, cell: Option<DataId>) -> Vec<Block> {
    cell.map_or_else(Vec::new, |cell| interrupts::leaving_polls(func, cell))
}

/// Whether more than so many bytes of stack are left.
fn is_left(func: &mut Func, block: Block, limit: Option<Value>, bytes: i64, span: Span) -> Value {
    let lhs = one(func, block, InstKind::StackPointer, Ty::PTR, span);
    let mut rhs = limit.unwrap_or_else(|| one(func, block, ask_limit(), Ty::PTR, span));
    if bytes > 0 {
        let offset = one(func, block, InstKind::IConst(bytes.into()), Ty::I64, span);
        let kind = InstKind::PtrAdd { base: rhs, offset };
        rhs = one(func, block, kind, Ty::PTR, span);
    }
    let cc = IntCc::Ugt;
    one(func, block, InstKind::Icmp { cc, lhs, rhs }, Ty::I1, span)
}

/// Gives the limit to all calls that take it.
fn pass_on(func: &mut Func, limit: Option<Value>, handed: &SecondaryMap<FuncRef, bool>) {
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let mut insts = Vec::new();
        for inst in func.take_insts(block) {
            let takes =
                matches!(&func.insts[inst].kind, InstKind::Call { func, .. } if handed[*func]);
            if takes {
                let limit = limit.unwrap_or_else(|| {
                    let span = func.insts[inst].span;
                    let ask = func.make_inst(ask_limit(), &[Ty::PTR], span, ORIGIN);
                    insts.push(ask);
                    func.insts[ask].results[0]
                });
                if let InstKind::Call { args, .. } = &mut func.insts[inst].kind {
                    args.push(limit);
                }
            }
            insts.push(inst);
        }
        func.set_insts(block, insts);
    }
}

fn ask_limit() -> InstKind {
    InstKind::native(NativeId::StackLimit, Vec::new())
}

fn one(func: &mut Func, block: Block, kind: InstKind, ty: Ty, span: Span) -> Value {
    let inst = func.push_inst(block, kind, &[ty], span, ORIGIN);
    func.insts[inst].results[0]
}

fn cold_block(func: &mut Func) -> Block {
    let block = func.push_block();
    func.blocks[block].cold = true;
    block
}

fn to(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Vec::new(),
    }
}
