//! Floor divisions of 64-bit integers by constants: as a product with the divisor's inverse, and nothing to mend.
//!
//! ```text
//! before                             after
//!   v2 = sdiv v0, v1                   v2 = ashr v0, v9      ; v9 is 63: -1 for negative numbers
//!   v3 = srem v0, v1                   v3 = xor v0, v2       ; -1 - v0 for these: never negative
//!   v4 = ashr v3, v9                   v4 = umulhi v3, v10
//!   v5 = iadd v2, v4                   v5 = lshr v4, v11
//!                                      v6 = xor v5, v2
//! ```
//!
//! The floor of `x / d` is `-1 - (-1 - x) / d` for negative `x`. For a numerator below 2^63 and a divisor between 2^k and
//! 2^(k+1) the quotient is the upper word of the product with `ceil(2^(64+k) / d)`, shifted by k: that is `1 / d` and less
//! than 2^-(64+k) more, so that the product is less than 2^-(k+1) too large, and `1 / d`, which the next whole number is
//! away at least, is more. The remainder is `x - d * quotient`.

use crate::analyses::{Analyses, Changed};
use crate::scalar::fold::integer;
use numbra_base::{FxHashMap, Origin, Span};
use numbra_lir::{BinaryOp, Facts, Func, Inst, InstBuilder, InstKind, Module, Ty, Value};

const ORIGIN: Origin = Origin::Pass("floor_divisions");

pub(crate) fn floor_divisions(func: &mut Func, _: &Module, _: &mut Analyses) -> Changed {
    let mut changed = false;
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let insts = func.take_insts(block);
        let mut to = Rewriter {
            func,
            out: Vec::with_capacity(insts.len()),
            span: Span::default(),
            quotients: FxHashMap::default(),
        };
        for inst in insts {
            if let Some((part, x, divisor)) = floor_part(to.func, inst) {
                to.rewrite(inst, part, x, divisor);
                changed = true;
            }
            to.out.push(inst);
        }
        let out = to.out;
        func.set_insts(block, out);
    }
    Changed::insts(changed)
}

enum Part {
    Quotient,
    Remainder,
}

/// Of which number, by which constant, an instruction gives the floor division or its remainder.
fn floor_part(func: &Func, inst: Inst) -> Option<(Part, Value, i128)> {
    let (a, b) = binary(&func.insts[inst].kind, BinaryOp::IAdd)?;
    if func.ty(a) != Ty::I64 {
        return None;
    }
    floor_part_of(func, a, b).or_else(|| floor_part_of(func, b, a))
}

fn floor_part_of(func: &Func, truncated: Value, mend: Value) -> Option<(Part, Value, i128)> {
    let truncated = func.def(truncated)?;
    if let Some((x, by)) = binary(truncated, BinaryOp::SDiv) {
        let divisor = divisor(func, by)?;
        let rem = sign(func, mend)?;
        let same = binary(func.def(rem)?, BinaryOp::SRem) == Some((x, by));
        return same.then_some((Part::Quotient, x, divisor));
    }
    let (x, by) = binary(truncated, BinaryOp::SRem)?;
    let divisor = divisor(func, by)?;
    let (a, b) = binary(func.def(mend)?, BinaryOp::And)?;
    let rem = match (a == by, b == by) {
        (true, _) => sign(func, b)?,
        (_, true) => sign(func, a)?,
        _ => return None,
    };
    let same = binary(func.def(rem)?, BinaryOp::SRem) == Some((x, by));
    same.then_some((Part::Remainder, x, divisor))
}

/// The operands of such an instruction.
fn binary(kind: &InstKind, wanted: BinaryOp) -> Option<(Value, Value)> {
    match *kind {
        InstKind::Binary { op, lhs, rhs } if op == wanted => Some((lhs, rhs)),
        _ => None,
    }
}

/// The number that the value is all signs of.
fn sign(func: &Func, value: Value) -> Option<Value> {
    let (x, by) = binary(func.def(value)?, BinaryOp::AShr)?;
    (integer(func, by) == Some(63)).then_some(x)
}

/// A positive constant that is no power of two.
fn divisor(func: &Func, value: Value) -> Option<i128> {
    integer(func, value).filter(|&d| d > 0 && d & (d - 1) != 0)
}

/// Makes the instructions of one block.
struct Rewriter<'a> {
    func: &'a mut Func,
    out: Vec<Inst>,
    /// Where what is made stands in the source.
    span: Span,
    /// Quotients that the block has.
    quotients: FxHashMap<(Value, i128), Value>,
}

impl InstBuilder for Rewriter<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let inst = self.func.make_inst(kind, results, self.span, ORIGIN);
        self.out.push(inst);
        inst
    }
}

impl Rewriter<'_> {
    fn rewrite(&mut self, inst: Inst, part: Part, x: Value, divisor: i128) {
        self.span = self.func.insts[inst].span;
        let kind = match part {
            Part::Quotient => {
                let result = self.func.insts[inst].results[0];
                let kind = self.quotient(x, divisor);
                self.quotients.insert((x, divisor), result);
                kind
            }
            Part::Remainder => self.remainder(x, divisor),
        };
        let data = &mut self.func.insts[inst];
        data.kind = kind;
        // Of the sum that it was.
        data.facts = Facts::empty();
    }

    fn quotient(&mut self, x: Value, divisor: i128) -> InstKind {
        let exponent = 127 - divisor.leading_zeros();
        let inverse = (1u128 << (64 + exponent)).div_ceil(divisor as u128);
        let (width, inverse, shift) = (
            self.iconst(Ty::I64, 63),
            self.iconst(Ty::I64, i128::from(inverse as i64)),
            self.iconst(Ty::I64, exponent.into()),
        );
        let sign = self.binary(BinaryOp::AShr, x, width);
        let numerator = self.binary(BinaryOp::Xor, x, sign);
        let product = self.binary(BinaryOp::UMulHi, numerator, inverse);
        let quotient = self.binary(BinaryOp::LShr, product, shift);
        InstKind::Binary {
            op: BinaryOp::Xor,
            lhs: quotient,
            rhs: sign,
        }
    }

    fn remainder(&mut self, x: Value, divisor: i128) -> InstKind {
        let quotient = match self.quotients.get(&(x, divisor)) {
            Some(&known) => known,
            None => {
                let kind = self.quotient(x, divisor);
                let made = self.one(kind, Ty::I64);
                self.quotients.insert((x, divisor), made);
                made
            }
        };
        let by = self.iconst(Ty::I64, divisor);
        let product = self.binary(BinaryOp::IMul, quotient, by);
        InstKind::Binary {
            op: BinaryOp::ISub,
            lhs: x,
            rhs: product,
        }
    }
}
