//! An activation: its values, and instructions that only compute.

use super::ops;
use super::{LirValue, Memory, Trap};
use crate::{
    BinaryOp, Block, BlockCall, Facts, Func, Inst, InstData, InstKind, Lane, OverflowOp, Signature,
    Ty, UnaryOp, Value,
};
use std::rc::Rc;

/// A value in a frame: bits of a scalar, or of each lane.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Word {
    Bits(u128),
    Lanes(Rc<[u128]>),
}

/// An activation.
pub(super) struct Frame<'m> {
    pub(super) func: &'m Func,
    pub(super) block: Block,
    pub(super) next: usize,
    pub(super) values: Vec<Word>,
    pub(super) slots: Vec<u64>,
}

impl Frame<'_> {
    pub(super) fn set(&mut self, value: Value, word: Word) {
        self.values[value.as_u32() as usize] = word;
    }

    pub(super) fn word(&self, value: Value) -> Word {
        self.values[value.as_u32() as usize].clone()
    }

    pub(super) fn words(&self, values: &[Value]) -> Vec<Word> {
        values.iter().map(|&v| self.word(v)).collect()
    }

    pub(super) fn bits(&self, value: Value) -> u128 {
        match &self.values[value.as_u32() as usize] {
            Word::Bits(bits) => *bits,
            Word::Lanes(_) => 0,
        }
    }

    pub(super) fn value(&self, value: Value) -> LirValue {
        value_of(self.func.ty(value), &self.values[value.as_u32() as usize])
    }

    pub(super) fn address(&self, value: Value, offset: i32) -> u64 {
        (self.bits(value) as u64).wrapping_add_signed(offset.into())
    }

    pub(super) fn define(&mut self, data: &InstData, words: impl IntoIterator<Item = Word>) {
        for (&result, word) in data.results.iter().zip(words) {
            self.set(result, word);
        }
    }

    /// Status and results of a callee that has returned (`Some`) or failed.
    pub(super) fn finish_call(&mut self, call: Inst, sig: &Signature, results: Option<Vec<Word>>) {
        let status = sig
            .raises
            .then_some(Word::Bits(u128::from(results.is_none())));
        let words = results.unwrap_or_else(|| sig.results.iter().map(|&ty| zero(ty)).collect());
        let data = &self.func.insts[call];
        self.define(data, status.into_iter().chain(words));
    }

    pub(super) fn branch(&mut self, to: &BlockCall) -> Option<Option<Vec<Word>>> {
        let args = self.words(&to.args);
        let func = self.func;
        for (&param, word) in func.blocks[to.block].params.iter().zip(args) {
            self.set(param, word);
        }
        self.block = to.block;
        self.next = 0;
        None
    }

    /// The result of an instruction that only computes.
    pub(super) fn compute(&self, inst: Inst, data: &InstData, ty: Ty) -> Result<Word, Trap> {
        let word = |v: &Value| &self.values[v.as_u32() as usize];
        let lane_ty = |v: &Value| self.func.ty(*v).lane_ty();
        Ok(match &data.kind {
            InstKind::IConst(value) => Word::Bits(ops::mask(ty, *value as u128)),
            InstKind::FConst(bits) => Word::Bits(ops::mask(ty, (*bits).into())),
            InstKind::Null => Word::Bits(0),
            InstKind::Binary { op, lhs, rhs } => {
                let lane = ty.lane_ty();
                if !data.facts.is_empty()
                    && any(&lanewise(word(lhs), word(rhs), |a, b| {
                        u128::from(is_false(data.facts, *op, lane, a, b))
                    }))
                {
                    return Err(Trap::FalseFact(inst));
                }
                lanewise(word(lhs), word(rhs), |a, b| ops::binary(*op, lane, a, b))
            }
            InstKind::Unary { op, arg } => {
                let lane = ty.lane_ty();
                if !data.facts.is_empty()
                    && *op == UnaryOp::INeg
                    && any(&each(word(arg), |a| {
                        u128::from(is_false(data.facts, BinaryOp::ISub, lane, 0, a))
                    }))
                {
                    return Err(Trap::FalseFact(inst));
                }
                each(word(arg), |a| ops::unary(*op, lane, a))
            }
            InstKind::Convert { op, arg } => match self.func.ty(*arg) {
                from if from.lane_ty().size() == from.size()
                    && ty.lane_ty().size() == ty.size() =>
                {
                    Word::Bits(ops::convert(*op, from, ty, self.bits(*arg)))
                }
                _ if *op == crate::ConvertOp::Bitcast => bitcast(&self.value(*arg), ty)?,
                from => each(word(arg), |a| {
                    ops::convert(*op, from.lane_ty(), ty.lane_ty(), a)
                }),
            },
            InstKind::Icmp { cc, lhs, rhs } => {
                let operand = lane_ty(lhs);
                let all = ops::mask(ty.lane_ty(), u128::MAX);
                lanewise(word(lhs), word(rhs), |a, b| {
                    if ops::icmp(*cc, operand, a, b) {
                        all
                    } else {
                        0
                    }
                })
            }
            InstKind::Fcmp { cc, lhs, rhs } => {
                let operand = lane_ty(lhs);
                let all = ops::mask(ty.lane_ty(), u128::MAX);
                lanewise(word(lhs), word(rhs), |a, b| {
                    if ops::fcmp(*cc, operand, a, b) {
                        all
                    } else {
                        0
                    }
                })
            }
            InstKind::Select { cond, then, other } => match word(cond) {
                Word::Bits(0) => self.word(*other),
                Word::Bits(_) => self.word(*then),
                Word::Lanes(mask) => match (word(then), word(other)) {
                    (Word::Lanes(then), Word::Lanes(other)) => Word::Lanes(
                        mask.iter()
                            .zip(then.iter().zip(other.iter()))
                            // Lanes of a mask are all ones or zero; any other one selects by its sign.
                            .map(|(&m, (&t, &o))| {
                                let negative = ops::signed(lane_ty(cond), m) < 0;
                                if negative { t } else { o }
                            })
                            .collect(),
                    ),
                    _ => return Err(Trap::Invalid("mask on scalars")),
                },
            },
            InstKind::Fma { a, b, c } => {
                let lane = ty.lane_ty();
                match (word(a), word(b), word(c)) {
                    (Word::Bits(a), Word::Bits(b), Word::Bits(c)) => {
                        Word::Bits(ops::fma(lane, *a, *b, *c))
                    }
                    (Word::Lanes(a), Word::Lanes(b), Word::Lanes(c)) => Word::Lanes(
                        a.iter()
                            .zip(b.iter().zip(c.iter()))
                            .map(|(&a, (&b, &c))| ops::fma(lane, a, b, c))
                            .collect(),
                    ),
                    _ => return Err(Trap::Invalid("operands of fma")),
                }
            }
            InstKind::Math { func, args } => match args[..] {
                [a] => each(word(&a), |a| ops::math(*func, ty.lane_ty(), a, 0)),
                [a, b] => lanewise(word(&a), word(&b), |a, b| {
                    ops::math(*func, ty.lane_ty(), a, b)
                }),
                _ => return Err(Trap::Invalid("operands of a math function")),
            },
            InstKind::PtrAdd { base, offset } => {
                let (base, offset) = (self.bits(*base), self.bits(*offset));
                let sum = (base as u64).wrapping_add(offset as u64);
                let carries = data.facts.contains(Facts::NUW)
                    && (base as u64).checked_add(offset as u64).is_none();
                if carries {
                    return Err(Trap::FalseFact(inst));
                }
                Word::Bits(sum.into())
            }
            InstKind::Splat(value) => match ty {
                Ty::Vec(_, n) => Word::Lanes(vec![self.bits(*value); usize::from(n)].into()),
                _ => return Err(Trap::Invalid("splat to a scalar")),
            },
            InstKind::ExtractLane { vector, lane } => match word(vector) {
                Word::Lanes(lanes) => {
                    let found = lanes.get(usize::from(*lane));
                    Word::Bits(*found.ok_or(Trap::Invalid("lane"))?)
                }
                Word::Bits(_) => return Err(Trap::Invalid("lane of a scalar")),
            },
            InstKind::InsertLane {
                vector,
                lane,
                value,
            } => match word(vector) {
                Word::Lanes(lanes) => {
                    let mut lanes = lanes.to_vec();
                    let at = lanes
                        .get_mut(usize::from(*lane))
                        .ok_or(Trap::Invalid("lane"))?;
                    *at = self.bits(*value);
                    Word::Lanes(lanes.into())
                }
                Word::Bits(_) => return Err(Trap::Invalid("lane of a scalar")),
            },
            InstKind::Overflow { .. }
            | InstKind::SlotAddr(_)
            | InstKind::StackPointer
            | InstKind::DataAddr(_)
            | InstKind::FuncAddr(_)
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::MemCopy { .. }
            | InstKind::MemSet { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::AtomicCas { .. }
            | InstKind::Fence { .. }
            | InstKind::Retain(_)
            | InstKind::Release(_)
            | InstKind::Call { .. }
            | InstKind::CallIndirect { .. }
            | InstKind::CallNative { .. }
            | InstKind::SetError { .. }
            | InstKind::Device { .. }
            | InstKind::Keep(_) => return Err(Trap::Invalid("not a computation")),
        })
    }
}

/// Applies `f` to scalars, or lane by lane.
pub(super) fn each(a: &Word, f: impl Fn(u128) -> u128) -> Word {
    match a {
        Word::Bits(a) => Word::Bits(f(*a)),
        Word::Lanes(a) => Word::Lanes(a.iter().map(|&a| f(a)).collect()),
    }
}

pub(super) fn lanewise(a: &Word, b: &Word, f: impl Fn(u128, u128) -> u128) -> Word {
    match (a, b) {
        (Word::Bits(a), Word::Bits(b)) => Word::Bits(f(*a, *b)),
        (Word::Lanes(a), Word::Lanes(b)) => {
            Word::Lanes(a.iter().zip(b.iter()).map(|(&a, &b)| f(a, b)).collect())
        }
        (Word::Bits(_), Word::Lanes(_)) | (Word::Lanes(_), Word::Bits(_)) => Word::Bits(0),
    }
}

pub(super) fn any(word: &Word) -> bool {
    match word {
        Word::Bits(bits) => *bits != 0,
        Word::Lanes(lanes) => lanes.iter().any(|&bits| bits != 0),
    }
}

/// True if a fact of the operation does not hold for these operands.
pub(super) fn is_false(facts: Facts, op: BinaryOp, ty: Ty, a: u128, b: u128) -> bool {
    if facts.contains(Facts::NONZERO) && ops::mask(ty, b) == 0 {
        return true;
    }
    let (sa, sb) = (ops::signed(ty, a), ops::signed(ty, b));
    let result = ops::binary(op, ty, a, b);
    let n = ops::bits(ty);
    let exact = |signed: bool| {
        let (a, b) = if signed {
            (sa, sb)
        } else {
            (a as i128, b as i128)
        };
        match op {
            BinaryOp::IAdd => a.checked_add(b),
            BinaryOp::ISub => a.checked_sub(b),
            BinaryOp::IMul => a.checked_mul(b),
            BinaryOp::SDiv => Some(a.checked_div(b).unwrap_or(0)),
            // Said of a remainder, it is the quotient that does not overflow.
            BinaryOp::SRem if b == -1 && a == -1 << (n - 1) => None,
            BinaryOp::Shl => {
                // Left shift is multiplication by a power of two.
                let factor = 1i128.checked_shl((b as u128 % u128::from(n)) as u32);
                factor.and_then(|f| a.checked_mul(f))
            }
            _ => Some(if signed {
                ops::signed(ty, result)
            } else {
                result as i128
            }),
        }
    };
    if n == 128 {
        // Exact results do not fit; facts on i128 are not checked.
        return false;
    }
    (facts.contains(Facts::NSW) && exact(true) != Some(ops::signed(ty, result)))
        || (facts.contains(Facts::NUW) && exact(false) != Some(result as i128))
}

/// Between a vector and another type of its size, through memory order.
pub(super) fn bitcast(value: &LirValue, to: Ty) -> Result<Word, Trap> {
    let mut memory = Memory::default();
    let address = memory.alloc(vec![0; to.size().max(value.ty().size()) as usize]);
    memory.store(address, value)?;
    Ok(word_of(&memory.load(address, to)?))
}

pub(super) fn zero(ty: Ty) -> Word {
    word_of(&LirValue::zero(ty))
}

pub(super) fn word_of(value: &LirValue) -> Word {
    match value {
        LirValue::Scalar(ty, bits) => Word::Bits(ops::mask(*ty, *bits)),
        LirValue::Vector(lane, lanes) => Word::Lanes(
            lanes
                .iter()
                .map(|&b| ops::mask(lane.ty(), b.into()))
                .collect(),
        ),
    }
}

pub(super) fn value_of(ty: Ty, word: &Word) -> LirValue {
    match (ty, word) {
        (Ty::Vec(lane, _), Word::Lanes(lanes)) => vector(lane, lanes),
        (_, Word::Bits(bits)) => LirValue::Scalar(ty, *bits),
        (_, Word::Lanes(_)) => LirValue::zero(ty),
    }
}

pub(super) fn vector(lane: Lane, lanes: &[u128]) -> LirValue {
    LirValue::Vector(lane, lanes.iter().map(|&b| b as u64).collect())
}

/// The value of an instruction that only computes, for operands known as [`LirValue`]s of the right types; `None` when
/// it does more than compute, or when the operands make no sense.
pub fn evaluate(kind: &InstKind, operands: &[LirValue], results: &[Ty]) -> Option<Vec<LirValue>> {
    // A frame of one instruction, with the operands as its first values.
    let mut func = Func::new(
        Signature::new(
            &operands.iter().map(LirValue::ty).collect::<Vec<_>>(),
            &[],
            false,
        ),
        numbra_base::Span::NONE,
    );
    let mut next = 0;
    let mut kind = kind.clone();
    kind.for_each_operand(|v| {
        *v = Value::from_u32(next);
        next += 1;
    });
    if next as usize != operands.len() {
        return None;
    }
    let entry = func.entry();
    let inst = func.push_inst(
        entry,
        kind,
        results,
        numbra_base::Span::NONE,
        numbra_base::Origin::Compiler,
    );
    let data = &func.insts[inst];
    let mut frame = Frame {
        func: &func,
        block: entry,
        next: 0,
        values: operands.iter().map(word_of).collect(),
        slots: Vec::new(),
    };
    frame.values.resize(func.values.len(), Word::Bits(0));
    if let InstKind::Overflow { op, lhs, rhs } = &data.kind {
        let op: OverflowOp = *op;
        let (value, wrapped) = ops::overflow(op, func.ty(*lhs), frame.bits(*lhs), frame.bits(*rhs));
        return Some(vec![
            LirValue::Scalar(func.ty(*lhs), value),
            LirValue::Scalar(Ty::I1, wrapped.into()),
        ]);
    }
    let &[ty] = results else {
        return None;
    };
    let word = frame.compute(inst, data, ty).ok()?;
    Some(vec![value_of(ty, &word)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remainder_whose_quotient_overflows_is_no_fact() {
        let min = 1 << 63;
        for op in [BinaryOp::SDiv, BinaryOp::SRem] {
            assert!(is_false(Facts::NSW, op, Ty::I64, min, u64::MAX.into()));
            assert!(is_false(Facts::NSW, op, Ty::I8, 0x80, 0xff));
            assert!(!is_false(Facts::NSW, op, Ty::I64, min, 3));
            assert!(!is_false(Facts::NSW, op, Ty::I64, min + 1, u64::MAX.into()));
            assert!(!is_false(Facts::NSW, op, Ty::I64, min, 0));
        }
    }
}
