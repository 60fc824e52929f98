//! Runs loops that write and test for division by zero in strips, of which all tests are made before anything is written.
//!
//! ```text
//! before                                      after
//! block1(v3: i64):                            block5(v20: i64):                    a strip begins
//!   v5: f64 = load v6                           v22 = ..                           its end
//!   v7 = fcmp ne v5, v8                         jump block6(v20, v21)              (v21 = false)
//!   guard v7 zero_division, block2, block4    block6(v23: i64, v24: i1):           the tests alone
//! block2:                                       v25: f64 = load v26
//!   v9 = fdiv v10, v5                           v27 = fcmp ne v25, v8
//!   store v11, v9                               v28 = inot v27
//!   v12 = iadd v3, v13                          v29 = or v24, v28
//!   v14 = icmp slt v12, v15                     v30 = iadd v23, v13
//!   brif v14, block1(v12), block3               v31 = icmp slt v30, v22
//!                                               brif v31, block6(v30, v29), block7
//!                                             block7:
//!                                               brif v29, block8, block9
//!                                             block8 (cold):
//!                                               jump block1(v20)                   the loop as it was, from here on
//!                                             block9(v32: i64):                    the strip without tests
//!                                               ..
//! ```
//!
//! What was written before the exception is what the program wrote: the strip in which a test fails runs as it was. The
//! tests may only depend on the counter and on memory that the strip does not write: memory of another class, of another
//! origin, at addresses that are compared in front of the strip, or the very element that the same iteration writes later.
//! Taken are tests of floats, for which processors have divisions of vectors.
//!
//! Wants rotated loops. For LLVM: where nothing runs in vectors, making the tests first is work done twice.

use crate::analyses::{Analyses, Changed};
use crate::edit::copies::{self, Copied};
use crate::edit::edges::{self, LayoutPosition};
use crate::loops::defer_div_checks::{Chain, chain_of};
use crate::loops::stepping::{Stepping, stepping};
use crate::scalar::fold::integer;
use numbra_base::{FxHashMap, Origin, Span};
use numbra_lir::analysis::{AliasSet, Loop, Provenance, effects, is_fixed};
use numbra_lir::{
    BinaryOp, Block, BlockCall, ConvertOp, Facts, Func, Inst, InstBuilder, InstKind, IntCc,
    MemFlags, Module, Terminator, Ty, UnaryOp, Value, ValueDef,
};

const NAME: &str = "hoist_div_checks";

/// Loops of more instructions are not copied.
const MOST_INSTS: usize = 200;
/// Iterations in a strip: what they read and write fits the first cache.
const STRIP_ITERATIONS: i128 = 1024;
/// With fewer iterations the loop runs as it was.
const MIN_TRIP_COUNT: i128 = 16;
/// Operations of an address.
const MAX_ADDRESS_DEPTH: u32 = 6;

/// A loop to be run in strips.
struct Plan {
    chain: Chain,
    entering: Vec<Block>,
    leaving: Vec<(Value, Block)>,
    /// The position of the counter among the header's parameters, and what it stays below.
    counter: usize,
    stop: Value,
    /// What the tests need, in order.
    needed: Vec<Inst>,
    /// Accesses that must be disjoint in a strip.
    apart: Vec<(Access, Access)>,
}

/// Memory that one iteration reads or writes.
#[derive(Clone, Copy)]
struct Access {
    addr: Value,
    offset: i32,
    size: u32,
    flags: MemFlags,
}

pub(crate) fn hoist_div_checks(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let mut changed = false;
    // Each loop is planned anew: copies change what is used behind others. What stays is cold, and not taken.
    while let Some(plan) = find(func, known) {
        build(func, &plan);
        known.note(Changed::Flow);
        changed = true;
    }
    Changed::noted(changed)
}

fn find(func: &Func, known: &mut Analyses) -> Option<Plan> {
    let guarded = |&block: &Block| {
        !func.blocks[block].cold && matches!(func.term(block), Terminator::Guard { .. })
    };
    func.layout.iter().find(guarded)?;
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let (uses, inductions) = (known.uses(func), known.inductions(func));
    let provenance = Provenance::new(func);
    loops.iter_innermost().find_map(|(id, data)| {
        let sizes = data.blocks.iter().map(|&b| func.blocks[b].insts().len());
        if sizes.sum::<usize>() > MOST_INSTS || func.blocks[data.header].cold {
            return None;
        }
        let chain = chain_of(func, &cfg, data)?;
        let mut rest = chain.blocks.iter().skip(1);
        if !rest.all(|&b| func.blocks[b].params.is_empty()) {
            return None;
        }
        // Runs when references are placed: whoever hands one on from iteration to iteration counts it.
        let header = func.blocks[data.header].params.iter();
        if header.clone().any(|&param| func.ty(param) == Ty::Ref) {
            return None;
        }
        let params = 0..header.len();
        let (counter, stop) =
            params
                .into_iter()
                .find_map(|n| match stepping(func, data, inductions.of(id), n)? {
                    Stepping::Up { stop } => Some((n, stop?)),
                    Stepping::Counted { .. } | Stepping::Rising { .. } | Stepping::Down => None,
                })?;
        let needed = needed(func, data, &chain, counter)?;
        let apart = apart(func, data, &chain, &needed, counter, provenance.as_ref())?;
        let leaving = copies::leaving(func, &cfg, &doms, &uses, &chain.blocks)?;
        let entering = cfg.preds(data.header).iter().copied();
        Some(Plan {
            entering: entering.filter(|p| !data.blocks.contains(p)).collect(),
            chain,
            leaving,
            counter,
            stop,
            needed,
            apart,
        })
    })
}

/// The instructions that the tests depend on, if the tests are of floats and depend on nothing but the counter, memory, and
/// what is fixed.
fn needed(func: &Func, data: &Loop, chain: &Chain, counter: usize) -> Option<Vec<Inst>> {
    let param = func.blocks[data.header].params[counter];
    let mut wanted: Vec<Value> = Vec::new();
    for &cond in &chain.conditions {
        if !matches!(func.def(cond), Some(InstKind::Fcmp { .. })) {
            return None;
        }
        wanted.push(cond);
    }
    let mut found: Vec<Inst> = Vec::new();
    while let Some(value) = wanted.pop() {
        let outside = is_fixed(func, data, value) && integer(func, value).is_none();
        if value == param || outside {
            continue;
        }
        let ValueDef::Result(inst, _) = func.values[value].def else {
            return None;
        };
        let kind = &func.insts[inst].kind;
        let is_load = matches!(kind, InstKind::Load { flags, .. } if !flags.volatile);
        if !is_load && !effects(kind).speculatable {
            return None;
        }
        if !found.contains(&inst) {
            found.push(inst);
            kind.visit_operands(|v| wanted.push(v));
        }
    }
    let insts = chain.blocks.iter().flat_map(|&b| func.blocks[b].insts());
    // What stands outside, a constant, needs no copy.
    Some(insts.copied().filter(|inst| found.contains(inst)).collect())
}

/// The pairs of what the tests read and what the loop writes that must be compared; `None` if that is not enough, or if
/// the loop writes nothing or does more than that.
fn apart(
    func: &Func,
    data: &Loop,
    chain: &Chain,
    needed: &[Inst],
    counter: usize,
    provenance: Option<&Provenance>,
) -> Option<Vec<(Access, Access)>> {
    let param = func.blocks[data.header].params[counter];
    let mut reads: Vec<(usize, Access)> = Vec::new();
    let mut writes: Vec<(usize, Access)> = Vec::new();
    let insts = chain.blocks.iter().flat_map(|&b| func.blocks[b].insts());
    for (at, &inst) in insts.enumerate() {
        let kind = &func.insts[inst].kind;
        match *kind {
            InstKind::Load {
                addr,
                offset,
                flags,
            } if !flags.volatile => {
                let size = func.ty(func.insts[inst].results[0]).size();
                let access = Access {
                    addr,
                    offset,
                    size,
                    flags,
                };
                if needed.contains(&inst) {
                    // Behind a failing test addresses must be what they would have been.
                    if !is_linear(func, data, param, addr, MAX_ADDRESS_DEPTH) {
                        return None;
                    }
                    reads.push((at, access));
                }
            }
            InstKind::Store {
                addr,
                offset,
                value,
                flags,
            } if !flags.volatile => {
                // No loop that writes the same place in each iteration runs in vectors.
                if is_fixed(func, data, addr) {
                    return None;
                }
                let size = func.ty(value).size();
                let access = Access {
                    addr,
                    offset,
                    size,
                    flags,
                };
                writes.push((at, access));
            }
            _ if effects(kind).speculatable => {}
            _ => return None,
        }
    }
    if writes.is_empty() {
        return None;
    }
    let mut pairs = Vec::new();
    for &(read_at, read) in &reads {
        for &(write_at, write) in &writes {
            let classes = [read, write].map(|access| AliasSet::of(access.flags.alias));
            let origins = |p: &Provenance| p.of(read.addr).is_apart_from(p.of(write.addr));
            if read.flags.readonly
                || !classes[0].overlaps(classes[1])
                || provenance.is_some_and(origins)
            {
                continue;
            }
            // The same element, read before it is written, and no other iteration's.
            let same =
                (read.addr, read.offset, read.size) == (write.addr, write.offset, write.size);
            if same
                && read_at < write_at
                && distance(func, data, param, read.addr, MAX_ADDRESS_DEPTH)
                    .is_some_and(|d| d.unsigned_abs() >= u128::from(read.size))
            {
                continue;
            }
            if same || !is_linear(func, data, param, write.addr, MAX_ADDRESS_DEPTH) {
                return None;
            }
            pairs.push((read, write));
        }
    }
    Some(pairs)
}

/// True if a value is a sum of what is fixed and fixed multiples of the counter.
fn is_linear(func: &Func, data: &Loop, param: Value, value: Value, depth: u32) -> bool {
    if value == param || is_fixed(func, data, value) {
        return true;
    }
    if depth == 0 {
        return false;
    }
    let linear = |value| is_linear(func, data, param, value, depth - 1);
    match func.def(value) {
        Some(&InstKind::PtrAdd { base, offset }) => linear(base) && linear(offset),
        Some(&InstKind::Binary { op, lhs, rhs }) => match op {
            BinaryOp::IAdd | BinaryOp::ISub => linear(lhs) && linear(rhs),
            BinaryOp::IMul => {
                (is_fixed(func, data, lhs) && linear(rhs))
                    || (is_fixed(func, data, rhs) && linear(lhs))
            }
            BinaryOp::Shl => is_fixed(func, data, rhs) && linear(lhs),
            _ => false,
        },
        _ => false,
    }
}

/// By how much a value changes from iteration to iteration, where that is a constant.
fn distance(func: &Func, data: &Loop, param: Value, value: Value, depth: u32) -> Option<i128> {
    if value == param {
        return Some(1);
    }
    if is_fixed(func, data, value) {
        return Some(0);
    }
    if depth == 0 {
        return None;
    }
    let distance = |value| distance(func, data, param, value, depth - 1);
    let found = match *func.def(value)? {
        InstKind::PtrAdd { base, offset } => distance(base)? + distance(offset)?,
        InstKind::Binary { op, lhs, rhs } => match op {
            BinaryOp::IAdd => distance(lhs)? + distance(rhs)?,
            BinaryOp::ISub => distance(lhs)? - distance(rhs)?,
            BinaryOp::IMul => match (integer(func, lhs), integer(func, rhs)) {
                (_, Some(n)) => distance(lhs)? * n,
                (Some(n), _) => distance(rhs)? * n,
                _ => return None,
            },
            BinaryOp::Shl => match integer(func, rhs)? {
                n @ 0..32 => distance(lhs)? << n,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    (found.unsigned_abs() < 1 << 40).then_some(found)
}

fn build(func: &mut Func, plan: &Plan) {
    let blocks = &plan.chain.blocks;
    let header = blocks[0];
    let last = blocks[blocks.len() - 1];
    let n = plan.counter;
    let span = func.blocks[header].term_span;
    copies::hand_over(func, blocks, &plan.leaving);
    let start = edges::merge_edges(
        func,
        &plan.entering,
        header,
        LayoutPosition::Before(header),
        NAME,
    );
    let entered = func.blocks[start].params.clone();
    let types: Vec<Ty> = entered.iter().map(|&v| func.ty(v)).collect();
    let call = |block, args| BlockCall { block, args };

    let strip = func.push_block();
    let state: Vec<Value> = types.iter().map(|&ty| func.push_param(strip, ty)).collect();
    let inspect = func.push_block();
    let at = func.push_param(inspect, Ty::I64);
    let failed = func.push_param(inspect, Ty::I1);
    let check = func.push_block();
    let redo = func.push_block();
    func.blocks[redo].cold = true;
    let copied = Copied::blocks_of(func, blocks);
    let done = func.push_block();
    let next: Vec<Value> = types.iter().map(|&ty| func.push_param(done, ty)).collect();
    let exit = func.term(last).targets()[1 - plan.chain.back].clone();
    let again = func.term(last).targets()[plan.chain.back].clone();
    let exit_types: Vec<Ty> = exit.args.iter().map(|&v| func.ty(v)).collect();
    let onward: Vec<Value> = exit_types
        .into_iter()
        .map(|ty| func.push_param(done, ty))
        .collect();

    // Whether there is enough to do.
    let mut code = Code {
        func,
        block: start,
        span,
    };
    let stop = code.fixed(plan.stop);
    let left = code.binary(BinaryOp::ISub, stop, entered[n]);
    let few = code.iconst(Ty::I64, MIN_TRIP_COUNT);
    let runs = code.icmp(IntCc::Slt, entered[n], stop);
    let many = code.icmp(IntCc::Ugt, left, few);
    let cond = code.binary(BinaryOp::And, runs, many);
    code.end(Terminator::Brif {
        cond,
        then: call(strip, entered.clone()),
        other: call(header, entered),
    });

    // A strip.
    code.block = strip;
    let stop = code.fixed(plan.stop);
    let left = code.binary(BinaryOp::ISub, stop, state[n]);
    let most = code.iconst(Ty::I64, STRIP_ITERATIONS);
    let iterations = code.binary(BinaryOp::UMin, left, most);
    let end = code.binary(BinaryOp::IAdd, state[n], iterations);
    let one = code.iconst(Ty::I64, 1);
    let no = code.iconst(Ty::I1, 0);
    let begin = call(inspect, vec![state[n], no]);
    let param = code.func.blocks[header].params[n];
    let mut fits = None;
    if !plan.apart.is_empty() {
        let final_round = code.binary(BinaryOp::ISub, end, one);
        for (read, write) in &plan.apart {
            let [read, write] = [read, write].map(|access| {
                let ends = [state[n], final_round];
                let ends = ends.map(|iteration| code.place(access, blocks, param, iteration));
                let low = code.binary(BinaryOp::UMin, ends[0], ends[1]);
                let high = code.binary(BinaryOp::UMax, ends[0], ends[1]);
                let size = code.iconst(Ty::I64, access.size.into());
                (low, code.binary(BinaryOp::IAdd, high, size))
            });
            let before = code.icmp(IntCc::Ule, read.1, write.0);
            let behind = code.icmp(IntCc::Ule, write.1, read.0);
            let apart = code.binary(BinaryOp::Or, before, behind);
            fits = Some(match fits {
                None => apart,
                Some(all) => code.binary(BinaryOp::And, all, apart),
            });
        }
    }
    code.end(match fits {
        None => Terminator::Jump(begin),
        Some(cond) => Terminator::Brif {
            cond,
            then: begin,
            other: call(redo, Vec::new()),
        },
    });

    // Its tests.
    code.block = inspect;
    let mut map: FxHashMap<Value, Value> = FxHashMap::default();
    map.insert(param, at);
    for &inst in &plan.needed {
        code.copy(inst, &mut map);
    }
    let mut all = failed;
    for cond in &plan.chain.conditions {
        let cond = map.get(cond).copied().unwrap_or(*cond);
        let not = InstKind::Unary {
            op: UnaryOp::INot,
            arg: cond,
        };
        let wrong = code.one(not, Ty::I1);
        all = code.binary(BinaryOp::Or, all, wrong);
    }
    let one = code.iconst(Ty::I64, 1);
    let after = code.binary(BinaryOp::IAdd, at, one);
    let more = code.icmp(IntCc::Slt, after, end);
    code.end(Terminator::Brif {
        cond: more,
        then: call(inspect, vec![after, all]),
        other: call(check, Vec::new()),
    });
    code.block = check;
    code.end(Terminator::Brif {
        cond: all,
        then: call(redo, Vec::new()),
        other: call(copied.block(header), state.clone()),
    });
    code.block = redo;
    code.end(Terminator::Jump(call(header, state)));

    // Without tests.
    for &block in blocks {
        let mut term = copied.term(code.func, block);
        if let Terminator::Guard { ok, .. } = &term {
            term = Terminator::Jump(ok.clone());
        }
        code.block = copied.block(block);
        if block == last {
            let renamed = |args: &[Value]| args.iter().map(|&v| copied.value(v)).collect();
            let again: Vec<Value> = renamed(&again.args);
            let leaving: Vec<Value> = renamed(&exit.args);
            let more = code.icmp(IntCc::Slt, again[n], end);
            term = Terminator::Brif {
                cond: more,
                then: call(copied.block(header), again.clone()),
                other: call(done, again.into_iter().chain(leaving).collect()),
            };
        }
        code.end(term);
    }
    code.block = done;
    let stop = code.fixed(plan.stop);
    let more = code.icmp(IntCc::Slt, next[n], stop);
    code.end(Terminator::Brif {
        cond: more,
        then: call(strip, next),
        other: call(exit.block, onward),
    });
    for &block in blocks {
        func.blocks[block].cold = true;
    }
}

/// Code at the end of a block.
struct Code<'a> {
    func: &'a mut Func,
    block: Block,
    span: Span,
}

impl InstBuilder for Code<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let origin = Origin::Pass(NAME);
        (self.func).push_inst(self.block, kind, results, self.span, origin)
    }
}

impl Code<'_> {
    /// A constant of the loop once more; other values stand outside.
    fn fixed(&mut self, value: Value) -> Value {
        match integer(self.func, value) {
            Some(constant) => self.iconst(self.func.ty(value), constant),
            None => value,
        }
    }

    fn end(&mut self, term: Terminator) {
        self.func
            .set_term(self.block, term, self.span, Origin::Pass(NAME));
    }

    /// The address of an access in an iteration, as an integer.
    fn place(
        &mut self,
        access: &Access,
        inside: &[Block],
        param: Value,
        iteration: Value,
    ) -> Value {
        let addr = self.linear(access.addr, inside, param, iteration);
        let kind = InstKind::Convert {
            op: ConvertOp::PtrToInt,
            arg: addr,
        };
        let addr = self.one(kind, Ty::I64);
        let offset = self.iconst(Ty::I64, access.offset.into());
        self.binary(BinaryOp::IAdd, addr, offset)
    }

    /// What [`is_linear`] accepted, for an iteration.
    fn linear(&mut self, value: Value, inside: &[Block], param: Value, iteration: Value) -> Value {
        if value == param {
            return iteration;
        }
        let ValueDef::Result(inst, _) = self.func.values[value].def else {
            return value;
        };
        if self
            .func
            .inst_block(inst)
            .is_none_or(|home| !inside.contains(&home))
        {
            return value;
        }
        let mut kind = self.func.insts[inst].kind.clone();
        kind.for_each_operand(|v| *v = self.linear(*v, inside, param, iteration));
        self.one(kind, self.func.ty(value))
    }

    /// A copy of an instruction, for operands that have copies; without facts, since the program may not come here.
    fn copy(&mut self, inst: Inst, map: &mut FxHashMap<Value, Value>) {
        let data = self.func.insts[inst].clone();
        let mut kind = data.kind;
        kind.for_each_operand(|v| *v = map.get(v).copied().unwrap_or(*v));
        let types: Vec<Ty> = data.results.iter().map(|&v| self.func.ty(v)).collect();
        let made = (self.func).push_inst(self.block, kind, &types, data.span, data.origin);
        self.func.insts[made].fast = data.fast;
        self.func.insts[made].facts = Facts::empty();
        for (&old, &new) in data.results.iter().zip(&self.func.insts[made].results) {
            map.insert(old, new);
        }
    }
}
