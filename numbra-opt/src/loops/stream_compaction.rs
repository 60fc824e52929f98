//! Stores what a loop packs without a branch.
//!
//! ```text
//! before                                  after, slot0 a slot that nothing reads, v9 its address
//!   brif v3, block2, block3(v1)             v4 = ptr_add v0, v1
//! block2:                                   v6 = select v3, v4, v9
//!   v4 = ptr_add v0, v1                     store v6, v2 array align 1
//!   store v4, v2 array align 1              v5 = zext v3
//!   v5 = iadd v1, 1                         v7 = iadd v1, v5
//!   jump block3(v5)                         jump block3(v7)
//! block3(v7: i64):                        block3(v7: i64):
//! ```
//!
//! `if keep(x): out[k] = x; k += 1` branches by data: where it keeps every third number, an iteration takes the time of a
//! mispredicted branch again and again. Without the branch each iteration writes, what is not kept to a slot, and takes the same
//! few cycles whatever the data are; no vectors are lost, for the place depends on all iterations before. What the side loads
//! comes from zeros when it is not taken.
//!
//! Only where the next iteration need not wait: the condition must not depend on the counter, as it does where `out[k - 1]` is
//! looked at. It must depend on a load or a call of the iteration: what counters decide is predicted well. And what else a side
//! stores must not be where a load of the iteration says, or one of a loop around: `if d[v] < 0: d[v] = n; queue[k] = v; k += 1`
//! reads in later iterations what it stores, and without the branch each load would wait for the stores before it.
//!
//! Late, for no pass knows what an address that is selected points to. Quadratic in the blocks of a loop that packs at many
//! places, else linear.

use crate::analyses::{Analyses, Changed};
use crate::flow::if_convert::{
    Side, choose, is_cheap, is_constant, is_float_step, is_integer_or_pointer,
};
use crate::scalar::fold::integer;
use cranelift_entity::SecondaryMap;
use numbra_base::{FxHashSet, Origin};
use numbra_lir::analysis::{Cfg, Loop, LoopId, Loops};
use numbra_lir::{
    BinaryOp, Block, BlockCall, Facts, Func, Inst, InstKind, Module, Slot, SlotData, Terminator,
    Ty, Value, ValueDef,
};

const PASS: &str = "stream_compaction";
/// Instructions of both sides besides constants and accesses of memory.
const MOST_INSTS: usize = 10;
const MOST_ACCESSES: usize = 4;
/// Bytes of a slot that is written instead.
const SINK_BYTES: u32 = 64;

pub(crate) fn stream_compaction(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    let (cfg, doms, loops) = (known.cfg(func), known.doms(func), known.loops(func));
    let mut gone: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut sinks = Sinks::default();
    for &block in cfg.rpo().iter().rev() {
        let Some(id) = loops.innermost(block) else {
            continue;
        };
        let nest = outermost(&loops, id);
        if let Some(packing) = Packing::at(func, &cfg, [loops.get(id), loops.get(nest)], block) {
            for side in &packing.sides {
                if let Some(through) = side.through {
                    gone[through] = true;
                }
            }
            let header = loops.get(nest).header;
            let before = doms.idom(header).unwrap_or_else(|| cfg.rpo()[0]);
            packing.straighten(func, block, |func, kind| sinks.address(func, kind, before));
        }
    }
    let changed = sinks.written.is_some();
    if changed {
        func.layout.retain(|block| !gone[block]);
    }
    Changed::flow(changed)
}

/// The outermost loop around a loop, or itself.
fn outermost(loops: &Loops, mut id: LoopId) -> LoopId {
    while let Some(parent) = loops.get(id).parent {
        id = parent;
    }
    id
}

/// The slots that take what is not kept.
#[derive(Default)]
struct Sinks {
    written: Option<Slot>,
    read: Option<Slot>,
}

impl Sinks {
    /// The address that an access uses when its side is not taken, computed at the end of `block`.
    fn address(&mut self, func: &mut Func, access: &InstKind, block: Block) -> Value {
        let reads = matches!(access, InstKind::Load { .. });
        let sink = if reads {
            &mut self.read
        } else {
            &mut self.written
        };
        let slot = *sink.get_or_insert_with(|| {
            func.slots.push(SlotData {
                size: SINK_BYTES,
                align: 16,
                refs: Vec::new(),
                undefined: !reads,
            })
        });
        let found = func.blocks[block].insts().iter().copied();
        let mut found = found.filter(|&i| func.insts[i].kind == InstKind::SlotAddr(slot));
        let inst = found.next().unwrap_or_else(|| {
            let span = func.blocks[block].term_span;
            let kind = InstKind::SlotAddr(slot);
            func.push_inst(block, kind, &[Ty::PTR], span, Origin::Pass(PASS))
        });
        func.insts[inst].results[0]
    }
}

/// A branch with stores that pack on one side or on both.
struct Packing {
    cond: Value,
    /// The side where the condition holds, and the other.
    sides: [Side; 2],
}

impl Packing {
    fn at(func: &Func, cfg: &Cfg, [around, nest]: [&Loop; 2], block: Block) -> Option<Packing> {
        let Some(Terminator::Brif { cond, then, other }) = &func.blocks[block].term else {
            return None;
        };
        let through = [then, other].map(|target| through(func, cfg, block, target));
        let ends = [then, other].map(|target| target.block);
        let [then_end, other_end] =
            [&through[0], &through[1]].map(|s| s.as_ref().map(|s| s.to.block));
        let [then_side, other_side] = through;
        let straight = |to: &BlockCall| Side {
            through: None,
            to: to.clone(),
        };
        let sides = match (then_side, other_side) {
            (Some(a), Some(b)) if then_end == other_end => [a, b],
            (Some(a), _) if then_end == Some(ends[1]) => [a, straight(other)],
            (_, Some(b)) if other_end == Some(ends[0]) => [straight(then), b],
            _ => return None,
        };
        let packing = Packing { cond: *cond, sides };
        let inside = around.blocks.contains(&packing.sides[0].to.block);
        (inside && packing.is_worth_it(func, around, nest)).then_some(packing)
    }

    fn is_worth_it(&self, func: &Func, around: &Loop, nest: &Loop) -> bool {
        let insts = |side: &Side| {
            let block = side.through.map(|block| func.blocks[block].insts());
            block.into_iter().flatten().copied()
        };
        let (steps, others): (Vec<_>, Vec<_>) = (self.chosen())
            .partition(|&(then, other)| is_step(func, then, other) || is_step(func, other, then));
        let choosable = |value| is_integer_or_pointer(func.ty(value)) && !is_loaded(func, value);
        let (mut accesses, mut computed) = (0, 0);
        for inst in self.sides.iter().flat_map(insts) {
            if !is_movable(func, inst) {
                return false;
            }
            let kind = &func.insts[inst].kind;
            accesses += usize::from(is_access(kind));
            computed += usize::from(!is_access(kind) && !is_constant(kind));
        }
        let small = accesses <= MOST_ACCESSES
            && computed <= MOST_INSTS
            && others
                .iter()
                .all(|&(then, other)| choosable(then) && choosable(other));
        if !small || steps.is_empty() {
            return false;
        }
        let steps = steps.iter().flat_map(|&(then, other)| [then, other]);
        let counts = dependents(func, around, steps);
        let packs = |side: &Side| {
            insts(side).any(|inst| match &func.insts[inst].kind {
                InstKind::Store { addr, .. } => counts.contains(addr),
                _ => false,
            })
        };
        // What is stored at a place that was looked up is read again by later iterations, as visited nodes are.
        let scatters = |inst: Inst| match func.insts[inst].kind {
            InstKind::Store { addr, .. } => {
                !counts.contains(&addr) && is_data_dependent(func, nest, addr)
            }
            _ => false,
        };
        if self.sides.iter().flat_map(insts).any(scatters) {
            return false;
        }
        let mut header = func.blocks[around.header].params.iter();
        self.sides
            .iter()
            .all(|side| side.through.is_none() || packs(side))
            && header.any(|param| counts.contains(param))
            && !counts.contains(&self.cond)
            && is_data_dependent(func, around, self.cond)
    }

    /// What goes on differently.
    fn chosen(&self) -> impl Iterator<Item = (Value, Value)> {
        self.pairs().filter(|(then, other)| then != other)
    }

    fn pairs(&self) -> impl Iterator<Item = (Value, Value)> {
        let [then, other] = &self.sides;
        let args = then.to.args.iter().copied();
        args.zip(other.to.args.iter().copied())
    }

    fn straighten(
        &self,
        func: &mut Func,
        block: Block,
        mut sink: impl FnMut(&mut Func, &InstKind) -> Value,
    ) {
        let (span, origin) = (func.blocks[block].term_span, Origin::Pass(PASS));
        let pick = |func: &mut Func, arms| choose(func, block, self.cond, arms, span, origin);
        for (n, side) in self.sides.iter().enumerate() {
            let insts = side.through.map(|b| func.take_insts(b));
            for inst in insts.into_iter().flatten() {
                // What was proven held on that side only.
                func.insts[inst].facts = Facts::empty();
                let mut kind = func.insts[inst].kind.clone();
                let instead = is_access(&kind).then(|| sink(func, &kind));
                if let InstKind::Load { addr, .. } | InstKind::Store { addr, .. } = &mut kind
                    && let Some(instead) = instead
                {
                    let mut arms = [*addr, instead];
                    arms.rotate_right(n);
                    *addr = pick(func, arms);
                    func.insts[inst].kind = kind;
                }
                func.append_inst(block, inst);
            }
        }
        let pairs: Vec<_> = self.pairs().collect();
        let args = pairs
            .into_iter()
            .map(|(then, other)| match then == other {
                true => then,
                false => pick(func, [then, other]),
            })
            .collect();
        let to = self.sides[0].to.block;
        func.blocks[block].term = Some(Terminator::Jump(BlockCall { block: to, args }));
    }
}

/// The way through a block that only this branch reaches and that jumps on.
fn through(func: &Func, cfg: &Cfg, from: Block, target: &BlockCall) -> Option<Side> {
    let data = &func.blocks[target.block];
    let Some(Terminator::Jump(to)) = &data.term else {
        return None;
    };
    let own = cfg.preds(target.block) == [from] && data.params.is_empty() && !data.cold;
    own.then(|| Side {
        through: Some(target.block),
        to: to.clone(),
    })
}

/// Whether `new` is `old` and a constant more or less.
fn is_step(func: &Func, new: Value, old: Value) -> bool {
    let carried = matches!(func.values[old].def, ValueDef::Param(..));
    carried
        && matches!(func.def(new), Some(&InstKind::Binary {
            op: BinaryOp::IAdd | BinaryOp::ISub,
            lhs,
            rhs,
        }) if lhs == old && integer(func, rhs).is_some())
}

fn is_access(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Load { .. } | InstKind::Store { .. })
}

fn is_loaded(func: &Func, value: Value) -> bool {
    matches!(func.def(value), Some(InstKind::Load { .. }))
}

/// What may happen on both ways once its address is selected.
fn is_movable(func: &Func, inst: Inst) -> bool {
    let plain = |addr: Value, offset: i32, ty: Ty| {
        let reach = i64::from(offset) + i64::from(ty.size());
        func.ty(addr) == Ty::PTR
            && offset >= 0
            && reach <= i64::from(SINK_BYTES)
            && !matches!(ty, Ty::Ref | Ty::Vec(..))
    };
    match &func.insts[inst].kind {
        &InstKind::Load {
            addr,
            offset,
            flags,
        } => !flags.volatile && plain(addr, offset, result(func, inst)),
        &InstKind::Store {
            addr,
            offset,
            value,
            flags,
        } => !flags.volatile && plain(addr, offset, func.ty(value)),
        InstKind::Convert { arg, .. } => is_word(func.ty(*arg)) && is_word(result(func, inst)),
        kind => is_cheap(func, kind) || is_float_step(kind),
    }
}

fn result(func: &Func, inst: Inst) -> Ty {
    func.ty(func.insts[inst].results[0])
}

fn is_word(ty: Ty) -> bool {
    is_integer_or_pointer(ty) || matches!(ty, Ty::F32 | Ty::F64)
}

/// All values of a loop that depend on some of these, from iteration to iteration.
fn dependents(func: &Func, around: &Loop, from: impl Iterator<Item = Value>) -> FxHashSet<Value> {
    let mut found: FxHashSet<Value> = from.collect();
    loop {
        let before = found.len();
        for &block in &around.blocks {
            for &inst in func.blocks[block].insts() {
                let mut depends = false;
                let data = &func.insts[inst];
                data.kind.visit_operands(|v| depends |= found.contains(&v));
                if depends {
                    found.extend(data.results.iter().copied());
                }
            }
            for to in func.term(block).targets() {
                let params = &func.blocks[to.block].params;
                for (arg, &param) in to.args.iter().zip(params) {
                    if found.contains(arg) {
                        found.insert(param);
                    }
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether a value comes of a load or a call of the same iteration of a loop.
fn is_data_dependent(func: &Func, around: &Loop, value: Value) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        let ValueDef::Result(inst, _) = func.values[value].def else {
            continue;
        };
        if !func.is_defined_in(around, value) || !seen.insert(inst) {
            continue;
        }
        let kind = &func.insts[inst].kind;
        if matches!(
            kind,
            InstKind::Load { .. } | InstKind::Call { .. } | InstKind::CallNative { .. }
        ) {
            return true;
        }
        kind.visit_operands(|operand| todo.push(operand));
    }
    false
}
