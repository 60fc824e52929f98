//! What each value of a loop is, and whether vectors can compute it.

use super::shape::Counted;
use crate::scalar::fold::integer;
use numbra_base::FxHashMap;
use numbra_lir::analysis::{AliasSet, effects};
use numbra_lir::{
    BinaryOp, ConvertOp, FastMath, Func, Inst, InstKind, IntCc, Lane, MemFlags, Ty, UnaryOp, Value,
};

/// Instructions of a loop that is looked at, and pairs of memory ranges that are compared before it.
const MOST_INSTS: usize = 48;
const MOST_PAIRS: usize = 8;
/// Vectors of a loop that takes four pieces of each.
const MOST_UNROLLED: usize = 6;
/// Bytes of the widest vector.
const MOST_BYTES: u32 = 128;

/// What a value is in the iterations that a vector stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// The same in all iterations.
    Invariant,
    /// `scale * counter + offset`
    Linear { scale: i64, offset: i64 },
    /// The address `base + scale * counter + offset`
    Address {
        base: Value,
        scale: i64,
        offset: i64,
    },
    /// One lane an iteration.
    Lanes(Lane),
    /// A truth value an iteration: a mask with lanes of this many bytes.
    Mask(u32),
    /// A mask as a number, 0 or 1, to be added to a sum.
    Flag { mask: Value, bytes: u32 },
    /// Sum number `n`, or what it is after some additions.
    Sum(usize),
    /// The end of the loop, which vectors count themselves.
    Control,
}

/// How the partial results of a sum become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Merge {
    Add,
    FAdd,
    And,
    Or,
    Xor,
}

/// A variable of the loop that gathers something of every iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) param: usize,
    pub(super) ty: Ty,
    pub(super) merge: Merge,
    pub(super) fast: FastMath,
    /// Counts the bits of masks with lanes of this many bytes, which are not as wide as the sum.
    pub(super) bits: Option<u32>,
}

/// Memory that the loop accesses at addresses of one base.
#[derive(Clone, Debug)]
pub(super) struct Range {
    pub(super) base: Value,
    pub(super) scale: i64,
    /// Offsets of the first byte and of the one behind the last, in the first iteration.
    pub(super) low: i64,
    pub(super) high: i64,
    alias: AliasSet,
    written: bool,
}

pub(super) struct Plan {
    pub(super) class: FxHashMap<Value, Class>,
    pub(super) sums: Vec<Sum>,
    /// Lanes of each vector.
    pub(super) lanes: u8,
    pub(super) ranges: Vec<Range>,
    /// Ranges that must not overlap, by their numbers.
    pub(super) pairs: Vec<(usize, usize)>,
}

struct Planner<'a> {
    func: &'a Func,
    counted: &'a Counted,
    class: FxHashMap<Value, Class>,
    sums: Vec<Option<Sum>>,
    ranges: Vec<Range>,
    /// Sizes of lanes in use, in bytes.
    narrow: u32,
    wide: u32,
    accesses: usize,
}

pub(super) fn plan(func: &Func, counted: &Counted) -> Option<Plan> {
    let data = &func.blocks[counted.block];
    if data.insts().len() > MOST_INSTS {
        return None;
    }
    let mut planner = Planner {
        func,
        counted,
        class: FxHashMap::default(),
        sums: Vec::new(),
        ranges: Vec::new(),
        narrow: 8,
        wide: 1,
        accesses: 0,
    };
    for (n, &param) in data.params.iter().enumerate() {
        let class = if n == counted.counter {
            Class::Linear {
                scale: 1,
                offset: 0,
            }
        } else {
            planner.sums.push(None);
            Class::Sum(planner.sums.len() - 1)
        };
        planner.class.insert(param, class);
    }
    for &inst in data.insts() {
        planner.inst(inst)?;
    }
    planner.finish()
}

impl Planner<'_> {
    fn class(&self, value: Value) -> Class {
        match self.class.get(&value) {
            Some(&class) => class,
            None => Class::Invariant,
        }
    }

    fn inst(&mut self, inst: Inst) -> Option<()> {
        let data = &self.func.insts[inst];
        if let InstKind::Store {
            addr,
            offset,
            value,
            flags,
        } = data.kind
        {
            return self.store(addr, offset, value, flags);
        }
        let [result] = data.results[..] else {
            return None;
        };
        let class = match data.kind {
            _ if result == self.counted.test => Class::Control,
            InstKind::Load {
                addr,
                offset,
                flags,
            } => self.load(addr, offset, self.func.ty(result), flags)?,
            _ => self.value(inst, result)?,
        };
        self.class.insert(result, class);
        Some(())
    }

    /// What an instruction without effects makes of its operands.
    fn value(&mut self, inst: Inst, result: Value) -> Option<Class> {
        let data = &self.func.insts[inst];
        let mut invariant = true;
        data.kind
            .visit_operands(|v| invariant &= self.class(v) == Class::Invariant);
        if invariant {
            return effects(&data.kind).speculatable.then_some(Class::Invariant);
        }
        let ty = self.func.ty(result);
        match data.kind {
            InstKind::Binary { op, lhs, rhs } => self.binary(
                op,
                data.fast,
                (lhs, self.class(lhs)),
                (rhs, self.class(rhs)),
            ),
            InstKind::PtrAdd { base, offset } => match (self.class(base), self.class(offset)) {
                // A base that the loop makes, of a load say, is not there yet where ranges are compared.
                (Class::Invariant, Class::Linear { scale, offset: at })
                    if self.func.ty(offset) == Ty::I64
                        && !self.func.defines(self.counted.block, base) =>
                {
                    Some(Class::Address {
                        base,
                        scale,
                        offset: at,
                    })
                }
                (
                    Class::Address {
                        base,
                        scale,
                        offset: at,
                    },
                    Class::Invariant,
                ) => Some(Class::Address {
                    base,
                    scale,
                    offset: at.checked_add(integer(self.func, offset)?.try_into().ok()?)?,
                }),
                _ => None,
            },
            InstKind::Icmp { cc, lhs, rhs } => {
                let lane = self.common(lhs, rhs)?;
                let unsigned = matches!(cc, IntCc::Ult | IntCc::Ule | IntCc::Ugt | IntCc::Uge);
                let native = !is_float(lane) && (lane != Lane::I64 || !unsigned);
                native.then_some(Class::Mask(lane.ty().size()))
            }
            InstKind::Fcmp { lhs, rhs, .. } => {
                let lane = self.common(lhs, rhs)?;
                is_float(lane).then_some(Class::Mask(lane.ty().size()))
            }
            InstKind::Unary { op, arg } => match self.class(arg) {
                Class::Mask(bytes) if op == UnaryOp::INot => Some(Class::Mask(bytes)),
                Class::Lanes(lane) => {
                    let native = match op {
                        UnaryOp::INeg | UnaryOp::INot => !is_float(lane),
                        UnaryOp::FNeg | UnaryOp::FAbs | UnaryOp::Sqrt => is_float(lane),
                        _ => false,
                    };
                    native.then_some(Class::Lanes(lane))
                }
                _ => None,
            },
            InstKind::Convert { op, arg } => match (op, self.class(arg)) {
                (ConvertOp::ZExt, Class::Mask(bytes)) => Some(Class::Flag { mask: arg, bytes }),
                (ConvertOp::ZExt | ConvertOp::SExt, Class::Lanes(lane)) if !is_float(lane) => {
                    let to = lane_of(ty)?;
                    self.uses(to);
                    Some(Class::Lanes(to))
                }
                _ => None,
            },
            InstKind::Select { cond, then, other } => {
                let Class::Mask(bytes) = self.class(cond) else {
                    return None;
                };
                match (self.class(then), self.class(other)) {
                    (Class::Sum(a), Class::Sum(b)) if a == b => {
                        let sum = self.sums[a]?;
                        (sum.ty.size() == bytes && sum.bits.is_none()).then_some(Class::Sum(a))
                    }
                    (Class::Sum(_), _) | (_, Class::Sum(_)) => None,
                    _ => {
                        let lane = self.common(then, other)?;
                        (lane.ty().size() == bytes).then_some(Class::Lanes(lane))
                    }
                }
            }
            _ => None,
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        fast: FastMath,
        (lhs, a): (Value, Class),
        (rhs, b): (Value, Class),
    ) -> Option<Class> {
        let small = |value: Value| -> Option<i64> {
            let n: i64 = integer(self.func, value)?.try_into().ok()?;
            (n.unsigned_abs() <= 1 << 24).then_some(n)
        };
        match (a, b) {
            (Class::Linear { scale, offset }, Class::Invariant) => {
                let n = small(rhs)?;
                match op {
                    BinaryOp::IAdd => linear(scale, offset.checked_add(n)),
                    BinaryOp::ISub => linear(scale, offset.checked_sub(n)),
                    BinaryOp::IMul => linear(scale.checked_mul(n)?, offset.checked_mul(n)),
                    BinaryOp::Shl if (0..8).contains(&n) => linear(scale << n, Some(offset << n)),
                    _ => None,
                }
            }
            (Class::Invariant, Class::Linear { scale, offset }) => {
                let n = small(lhs)?;
                match op {
                    BinaryOp::IAdd => linear(scale, offset.checked_add(n)),
                    BinaryOp::IMul => linear(scale.checked_mul(n)?, offset.checked_mul(n)),
                    _ => None,
                }
            }
            (Class::Sum(_), Class::Sum(_)) => None,
            (Class::Sum(n), other) => self.sum(n, op, fast, other, rhs),
            (other, Class::Sum(n)) if op != BinaryOp::ISub && op != BinaryOp::FSub => {
                self.sum(n, op, fast, other, lhs)
            }
            (Class::Mask(a), Class::Mask(b)) => {
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                (a == b && logical).then_some(Class::Mask(a))
            }
            _ => {
                let lane = self.common(lhs, rhs)?;
                is_native(op, lane).then_some(Class::Lanes(lane))
            }
        }
    }

    /// Sum number `n` and one more.
    fn sum(
        &mut self,
        n: usize,
        op: BinaryOp,
        fast: FastMath,
        other: Class,
        value: Value,
    ) -> Option<Class> {
        let params = &self.func.blocks[self.counted.block].params;
        let mut others = (0..params.len()).filter(|&p| p != self.counted.counter);
        let param = others.nth(n)?;
        let ty = self.func.ty(params[param]);
        let lane = lane_of(ty)?;
        let merge = match op {
            BinaryOp::IAdd | BinaryOp::ISub => Merge::Add,
            BinaryOp::FAdd | BinaryOp::FSub if fast.contains(FastMath::REASSOC) => Merge::FAdd,
            BinaryOp::And => Merge::And,
            BinaryOp::Or => Merge::Or,
            BinaryOp::Xor => Merge::Xor,
            _ => return None,
        };
        let bits = match other {
            Class::Lanes(of) if of == lane => None,
            Class::Invariant if self.func.ty(value) == ty => None,
            Class::Flag { bytes, .. } if merge == Merge::Add && ty.size() >= bytes => {
                (ty.size() != bytes).then_some(bytes)
            }
            _ => return None,
        };
        let sum = Sum {
            param,
            ty,
            merge,
            fast,
            bits,
        };
        match self.sums[n] {
            Some(before) if before.merge != merge || before.bits != bits => return None,
            _ => self.sums[n] = Some(sum),
        }
        if bits.is_none() {
            self.uses(lane);
        }
        Some(Class::Sum(n))
    }

    /// The lane of two operands, of which one may be invariant.
    fn common(&self, lhs: Value, rhs: Value) -> Option<Lane> {
        match (self.class(lhs), self.class(rhs)) {
            (Class::Lanes(a), Class::Lanes(b)) if a == b => Some(a),
            (Class::Lanes(a), Class::Invariant) if self.func.ty(rhs) == a.ty() => Some(a),
            (Class::Invariant, Class::Lanes(b)) if self.func.ty(lhs) == b.ty() => Some(b),
            _ => None,
        }
    }

    fn uses(&mut self, lane: Lane) {
        self.narrow = self.narrow.min(lane.ty().size());
        self.wide = self.wide.max(lane.ty().size());
    }

    fn load(&mut self, addr: Value, offset: i32, ty: Ty, flags: MemFlags) -> Option<Class> {
        let lane = lane_of(ty)?;
        let size = i64::from(ty.size());
        let (base, scale, at) = match self.class(addr) {
            Class::Address {
                base,
                scale,
                offset,
            } if scale == size => (base, scale, offset),
            // The same element every iteration. A store may be into it, which ranges tell.
            Class::Invariant if !self.func.defines(self.counted.block, addr) => (addr, 0, 0),
            _ => return None,
        };
        self.access(
            base,
            scale,
            at.checked_add(offset.into())?,
            size,
            flags,
            false,
        )?;
        if scale == 0 {
            return Some(Class::Invariant);
        }
        self.uses(lane);
        Some(Class::Lanes(lane))
    }

    fn store(&mut self, addr: Value, offset: i32, value: Value, flags: MemFlags) -> Option<()> {
        let ty = self.func.ty(value);
        let lane = lane_of(ty)?;
        let size = i64::from(ty.size());
        let Class::Address {
            base,
            scale,
            offset: at,
        } = self.class(addr)
        else {
            return None;
        };
        match self.class(value) {
            Class::Invariant => {}
            Class::Lanes(of) if of == lane => {}
            _ => return None,
        }
        if scale != size {
            return None;
        }
        self.uses(lane);
        self.access(
            base,
            scale,
            at.checked_add(offset.into())?,
            size,
            flags,
            true,
        )
    }

    /// Adds an access to the range of its base. Within a range, a store may follow loads of what it or a later iteration's
    /// store writes, and nothing else.
    fn access(
        &mut self,
        base: Value,
        scale: i64,
        at: i64,
        size: i64,
        flags: MemFlags,
        written: bool,
    ) -> Option<()> {
        if flags.volatile {
            return None;
        }
        self.accesses += 1;
        let alias = AliasSet::of(flags.alias);
        let end = at.checked_add(size)?;
        if let Some(range) = self.ranges.iter_mut().find(|r| r.base == base) {
            if range.scale != scale {
                return None;
            }
            let forward = !range.written && at <= range.low;
            if (written || range.written) && !(written && forward) {
                return None;
            }
            range.low = range.low.min(at);
            range.high = range.high.max(end);
            range.alias = range.alias.union(alias);
            range.written |= written;
            return Some(());
        }
        self.ranges.push(Range {
            base,
            scale,
            low: at,
            high: end,
            alias,
            written,
        });
        Some(())
    }

    fn finish(self) -> Option<Plan> {
        let mut sums = Vec::with_capacity(self.sums.len());
        for (n, sum) in self.sums.iter().enumerate() {
            let sum = (*sum)?;
            // The loop hands on the sum itself.
            if self.class(self.counted.back[sum.param]) != Class::Sum(n) {
                return None;
            }
            sums.push(sum);
        }
        if self.accesses == 0 || !self.has_independent_sums() {
            return None;
        }
        // Four pieces of the narrowest, which hide the latency of sums; two where registers are short.
        let vectors = self.class.values();
        let vectors = vectors.filter(|c| matches!(c, Class::Lanes(_) | Class::Mask(_)));
        let few = vectors.count() <= MOST_UNROLLED;
        let bytes = if few { 64 } else { 32 };
        let lanes = (bytes / self.narrow).min(MOST_BYTES / self.wide.max(1));
        let mut pairs = Vec::new();
        for (a, one) in self.ranges.iter().enumerate() {
            for (b, other) in self.ranges.iter().enumerate().skip(a + 1) {
                if (one.written || other.written) && one.alias.overlaps(other.alias) {
                    pairs.push((a, b));
                }
            }
        }
        let good = (2..=64).contains(&lanes) && pairs.len() <= MOST_PAIRS;
        good.then_some(Plan {
            class: self.class,
            sums,
            lanes: lanes as u8,
            ranges: self.ranges,
            pairs,
        })
    }

    /// True if nothing of an iteration but the sum itself depends on a sum, and flags are only added to sums.
    fn has_independent_sums(&self) -> bool {
        let block = &self.func.blocks[self.counted.block];
        block.insts().iter().all(|&inst| {
            let kind = &self.func.insts[inst].kind;
            let into = self.func.insts[inst]
                .results
                .first()
                .map(|&v| self.class(v));
            let mut good = true;
            kind.visit_operands(|v| match self.class(v) {
                Class::Sum(n) => good &= into == Some(Class::Sum(n)),
                Class::Flag { .. } => good &= matches!(into, Some(Class::Sum(_))),
                Class::Control => good = false,
                Class::Invariant
                | Class::Linear { .. }
                | Class::Address { .. }
                | Class::Lanes(_)
                | Class::Mask(_) => {}
            });
            good
        })
    }
}

fn linear(scale: i64, offset: Option<i64>) -> Option<Class> {
    offset.map(|offset| Class::Linear { scale, offset })
}

/// The lane that holds a scalar.
pub(super) fn lane_of(ty: Ty) -> Option<Lane> {
    match ty {
        Ty::I8 => Some(Lane::I8),
        Ty::I16 => Some(Lane::I16),
        Ty::I32 => Some(Lane::I32),
        Ty::I64 => Some(Lane::I64),
        Ty::F32 => Some(Lane::F32),
        Ty::F64 => Some(Lane::F64),
        Ty::I1 | Ty::I128 | Ty::F16 | Ty::Ptr(_) | Ty::Ref | Ty::Vec(..) => None,
    }
}

fn is_float(lane: Lane) -> bool {
    lane.ty().is_float()
}

/// True where 128-bit machines do the operation on whole vectors.
fn is_native(op: BinaryOp, lane: Lane) -> bool {
    match op {
        BinaryOp::IAdd | BinaryOp::ISub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            !is_float(lane)
        }
        BinaryOp::IMul => matches!(lane, Lane::I16 | Lane::I32),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv => is_float(lane),
        BinaryOp::SDiv
        | BinaryOp::UDiv
        | BinaryOp::SRem
        | BinaryOp::URem
        | BinaryOp::SMulHi
        | BinaryOp::UMulHi
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::SMin
        | BinaryOp::SMax
        | BinaryOp::UMin
        | BinaryOp::UMax
        | BinaryOp::FMin
        | BinaryOp::FMax
        | BinaryOp::FCopysign => false,
    }
}
