//! Computes both sides of a short branch and selects.
//!
//! ```text
//! before                                after
//!   brif v2, block1, block2(v0)           v3 = iadd v0, v1
//! block1:                                 v4 = select v2, v3, v0
//!   v3 = iadd v0, v1                      jump block2(v4)
//!   jump block2(v3)                     block2(v5: i64):
//! block2(v5: i64):
//! ```
//!
//! A branch that data decides is mispredicted often; a select never is, but it waits for its condition
//! ([`waits_for_load`]). `v0` and one more, as here, needs no select but the condition as a number, and of a float with
//! something added it is the latter that is selected ([`choose_operand`]). Converted are sides of
//! up to [`MOST_INSTS`] cheap integer instructions that choose up to [`MOST_SELECTS`] integers or pointers. Floats are
//! chosen by `if_convert_floats`, which only LLVM's pipeline has: Cranelift selects them by a branch. A reference would have
//! two owners to count. Linear.

use crate::analyses::{Analyses, Changed};
use crate::flow::select::waits_for_load;
use crate::scalar::fold::integer;
use cranelift_entity::SecondaryMap;
use numbra_base::{Origin, Span};
use numbra_lir::analysis::{Cfg, effects};
use numbra_lir::{
    BinaryOp, Block, BlockCall, ConvertOp, Facts, Func, InstKind, Module, Terminator, Ty, UnaryOp,
    Value, ValueDef,
};

/// Instructions of both sides together, constants apart.
const MOST_INSTS: usize = 3;
const MOST_SELECTS: usize = 2;

/// What may be computed and chosen without a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Integers,
    /// And one sum, difference or product of floats.
    Floats,
}

pub(crate) fn if_convert(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    run(func, known, Taken::Integers)
}

pub(crate) fn if_convert_floats(func: &mut Func, _: &Module, known: &mut Analyses) -> Changed {
    run(func, known, Taken::Floats)
}

fn run(func: &mut Func, known: &mut Analyses, taken: Taken) -> Changed {
    let cfg = known.cfg(func);
    let mut gone: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut changed = false;
    // Inner branches first.
    for &block in cfg.rpo().iter().rev() {
        changed |= convert(func, &cfg, block, taken, &mut gone);
    }
    if changed {
        func.layout.retain(|block| !gone[block]);
    }
    Changed::flow(changed)
}

/// A way from a branch to where the ways meet: through a block of its own, or straight.
pub(crate) struct Side {
    pub(crate) through: Option<Block>,
    pub(crate) to: BlockCall,
}

fn convert(
    func: &mut Func,
    cfg: &Cfg,
    block: Block,
    taken: Taken,
    gone: &mut SecondaryMap<Block, bool>,
) -> bool {
    let Some(Terminator::Brif { cond, then, other }) = &func.blocks[block].term else {
        return false;
    };
    let cond = *cond;
    let through =
        [then, other].map(|target| (target.clone(), side(func, cfg, block, taken, target)));
    let meets = |side: &Option<Side>, target: &BlockCall| match side {
        Some(side) => side.to.block,
        None => target.block,
    };
    let [(then, then_side), (other, other_side)] = through;
    let meeting = meets(&then_side, &then);
    // Each side either passes a block of its own or goes there straight.
    let sides = if meeting == meets(&other_side, &other) {
        [(then, then_side), (other, other_side)]
    } else if meeting == other.block {
        [(then, then_side), (other, None)]
    } else if meets(&other_side, &other) == then.block {
        [(then, None), (other, other_side)]
    } else {
        return false;
    };
    let sides = sides.map(|(target, side)| {
        side.unwrap_or(Side {
            through: None,
            to: target,
        })
    });
    if sides.iter().all(|side| side.through.is_none()) || sides[0].to.block == block {
        return false;
    }
    let cost: usize = sides
        .iter()
        .filter_map(|side| side.through)
        .map(|b| {
            func.blocks[b]
                .insts()
                .iter()
                .filter(|&&i| !is_constant(&func.insts[i].kind))
                .count()
        })
        .sum();
    let pairs: Vec<(Value, Value)> = sides[0]
        .to
        .args
        .iter()
        .copied()
        .zip(sides[1].to.args.iter().copied())
        .collect();
    let chosen = pairs.iter().filter(|(a, b)| a != b).count();
    let selectable = pairs
        .iter()
        .all(|&(a, b)| a == b || is_selectable(func.ty(a), taken));
    if cost > MOST_INSTS || chosen > MOST_SELECTS || !selectable {
        return false;
    }
    if pairs
        .iter()
        .any(|&(a, b)| a != b && waits_for_load(func, cfg, cond, [a, b]))
    {
        return false;
    }
    for side in &sides {
        let Some(through) = side.through else {
            continue;
        };
        gone[through] = true;
        for inst in func.take_insts(through) {
            // What was proven held on that side only.
            func.insts[inst].facts = Facts::empty();
            func.append_inst(block, inst);
        }
    }
    let (span, origin) = (func.blocks[block].term_span, func.blocks[block].term_origin);
    let args = pairs
        .into_iter()
        .map(|(then, other)| {
            if then == other {
                return then;
            }
            choose(func, block, cond, [then, other], span, origin)
        })
        .collect();
    let to = BlockCall {
        block: sides[0].to.block,
        args,
    };
    func.blocks[block].term = Some(Terminator::Jump(to));
    true
}

/// `then` where the condition holds and `other` where not, at the end of `block`.
pub(crate) fn choose(
    func: &mut Func,
    block: Block,
    cond: Value,
    [then, other]: [Value; 2],
    span: Span,
    origin: Origin,
) -> Value {
    let ty = func.ty(then);
    if let Some(sum) = choose_operand(func, block, cond, [then, other], span, origin) {
        return sum;
    }
    let counted = match step(func, then, other) {
        Some(op) => Some((op, false)),
        None => step(func, other, then).map(|op| (op, true)),
    };
    let mut emit = |kind: InstKind, ty: Ty| {
        let inst = func.push_inst(block, kind, &[ty], span, origin);
        func.insts[inst].results[0]
    };
    let Some((op, negated)) = counted else {
        return emit(InstKind::Select { cond, then, other }, ty);
    };
    let kept = if negated { then } else { other };
    let (not, zext) = (UnaryOp::INot, ConvertOp::ZExt);
    let arg = match negated {
        true => emit(InstKind::Unary { op: not, arg: cond }, Ty::I1),
        false => cond,
    };
    let rhs = emit(InstKind::Convert { op: zext, arg }, ty);
    let lhs = kept;
    emit(InstKind::Binary { op, lhs, rhs }, ty)
}

/// The sum, difference or product of a float that blocks hand on and another, where one of the values chosen is that and one
/// is the float: the other operand is chosen, or what changes nothing. Then the next sum waits for this one alone.
///
/// `x + -0.0`, `x - 0.0` and `x * 1.0` are `x` for all x.
fn choose_operand(
    func: &mut Func,
    block: Block,
    cond: Value,
    arms: [Value; 2],
    span: Span,
    origin: Origin,
) -> Option<Value> {
    let (changed, (op, by, inst)) = [0, 1].into_iter().find_map(|n| {
        let (value, kept) = (arms[n], arms[1 - n]);
        let (ValueDef::Result(inst, _), ValueDef::Param(..)) =
            (func.values[value].def, func.values[kept].def)
        else {
            return None;
        };
        let InstKind::Binary { op, lhs, rhs } = func.insts[inst].kind else {
            return None;
        };
        let by = match op {
            BinaryOp::FAdd | BinaryOp::FMul if rhs == kept && lhs != kept => lhs,
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul if lhs == kept => rhs,
            _ => return None,
        };
        Some((n, (op, by, inst)))
    })?;
    let kept = arms[1 - changed];
    let nothing: f64 = match op {
        BinaryOp::FAdd => -0.0,
        BinaryOp::FMul => 1.0,
        _ => 0.0,
    };
    let ty = func.ty(kept);
    let bits = match ty {
        Ty::F64 => nothing.to_bits(),
        Ty::F32 => u64::from((nothing as f32).to_bits()),
        _ => return None,
    };
    let (fast, span_of, origin_of) = {
        let data = &func.insts[inst];
        (data.fast, data.span, data.origin)
    };
    let mut emit = |kind: InstKind, span: Span, origin: Origin| {
        let inst = func.push_inst(block, kind, &[ty], span, origin);
        func.insts[inst].results[0]
    };
    let nothing = emit(InstKind::FConst(bits), span, origin);
    let mut arms = [by, nothing];
    arms.rotate_right(changed);
    let [then, other] = arms;
    let rhs = emit(InstKind::Select { cond, then, other }, span, origin);
    let lhs = kept;
    let sum = emit(InstKind::Binary { op, lhs, rhs }, span_of, origin_of);
    if let ValueDef::Result(inst, _) = func.values[sum].def {
        func.insts[inst].fast = fast;
    }
    Some(sum)
}

/// The operation if `value` is `from` and one more or less: then what is chosen is `from` and the condition.
fn step(func: &Func, value: Value, from: Value) -> Option<BinaryOp> {
    match *func.def(value)? {
        InstKind::Binary { op, lhs, rhs } if lhs == from && integer(func, rhs) == Some(1) => {
            (matches!(op, BinaryOp::IAdd | BinaryOp::ISub) && func.ty(value) != Ty::I1)
                .then_some(op)
        }
        _ => None,
    }
}

/// The way through a target that only this branch reaches, computes little and jumps on.
fn side(func: &Func, cfg: &Cfg, from: Block, taken: Taken, target: &BlockCall) -> Option<Side> {
    let data = &func.blocks[target.block];
    let Some(Terminator::Jump(to)) = &data.term else {
        return None;
    };
    let own = cfg.preds(target.block) == [from] && data.params.is_empty() && target.block != from;
    let cheap = data.insts().len() <= 2 * MOST_INSTS
        && data.insts().iter().all(|&inst| {
            is_cheap(func, &func.insts[inst].kind)
                || taken == Taken::Floats && is_float_step(&func.insts[inst].kind)
        });
    let steps = data
        .insts()
        .iter()
        .filter(|&&inst| is_float_step(&func.insts[inst].kind))
        .count();
    (own && cheap && steps <= 1 && !data.cold).then(|| Side {
        through: Some(target.block),
        to: to.clone(),
    })
}

pub(crate) fn is_constant(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::IConst(_) | InstKind::FConst(_) | InstKind::Null
    )
}

pub(crate) fn is_integer_or_pointer(ty: Ty) -> bool {
    matches!(
        ty,
        Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::Ptr(_)
    )
}

fn is_selectable(ty: Ty, taken: Taken) -> bool {
    is_integer_or_pointer(ty) || taken == Taken::Floats && matches!(ty, Ty::F32 | Ty::F64)
}

/// A few cycles.
pub(crate) fn is_float_step(kind: &InstKind) -> bool {
    matches!(
        kind,
        InstKind::Binary {
            op: BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul,
            ..
        }
    )
}

/// About one cycle, and nothing but a result.
pub(crate) fn is_cheap(func: &Func, kind: &InstKind) -> bool {
    let integer = |v: Value| is_integer_or_pointer(func.ty(v));
    let cheap = match kind {
        InstKind::Binary { op, lhs, .. } => {
            let slow = matches!(
                op,
                BinaryOp::SDiv
                    | BinaryOp::UDiv
                    | BinaryOp::SRem
                    | BinaryOp::URem
                    | BinaryOp::SMulHi
                    | BinaryOp::UMulHi
            );
            integer(*lhs) && !slow
        }
        InstKind::Unary { op, arg } => {
            integer(*arg) && matches!(op, UnaryOp::INeg | UnaryOp::INot | UnaryOp::IAbs)
        }
        InstKind::Convert { op, arg } => {
            integer(*arg) && matches!(op, ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc)
        }
        InstKind::Icmp { lhs, .. } => integer(*lhs),
        InstKind::Select { then, .. } => integer(*then),
        InstKind::PtrAdd { .. } => true,
        other => is_constant(other),
    };
    cheap && effects(kind).speculatable
}
