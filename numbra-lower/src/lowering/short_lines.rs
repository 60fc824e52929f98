//! Reductions of arrays with one axis and few elements, where they stand: a call takes longer than adding three numbers.
//! What is longer, empty or of another kind goes to the runtime.

use super::array::ArrayRef;
use super::error::Res;
use super::function::{Fx, Val};
use super::number::Num;
use crate::lir::{IntCc, Value};
use numbra_ir::{Scalar, Type};
use numbra_library::CmpOp;

/// Most elements. NumPy adds so many one after another, and more in several sums.
const MOST: i64 = 7;

/// What is made of the elements.
#[derive(Clone, Copy)]
enum Reduction {
    Sum,
    Product,
    Mean,
    /// The element for which the comparison with all others holds.
    Extreme(CmpOp),
    /// Where the first of these is.
    Place(CmpOp),
    Any,
    All,
}

impl Reduction {
    /// What a native body makes of an array.
    fn of(symbol: &str) -> Option<Reduction> {
        Some(match symbol {
            "numbra_rt_sum" => Reduction::Sum,
            "numbra_rt_prod" => Reduction::Product,
            "numbra_rt_mean" => Reduction::Mean,
            "numbra_rt_min" => Reduction::Extreme(CmpOp::Le),
            "numbra_rt_max" => Reduction::Extreme(CmpOp::Ge),
            "numbra_rt_argmin" => Reduction::Place(CmpOp::Le),
            "numbra_rt_argmax" => Reduction::Place(CmpOp::Ge),
            "numbra_rt_any" => Reduction::Any,
            "numbra_rt_all" => Reduction::All,
            _ => return None,
        })
    }
}

/// Kinds that are computed with as they are kept.
fn is_plain(kind: Scalar) -> bool {
    kind == Scalar::Bool || kind.is_int() || matches!(kind, Scalar::Float32 | Scalar::Float64)
}

impl Fx<'_, '_> {
    /// As [`Fx::native_in`], where the arrays are short without a call.
    pub(super) fn native_or_short(
        &mut self,
        symbol: &str,
        args: &[Val],
        ret: Type,
        threads: bool,
    ) -> Res<Vec<Value>> {
        let Some((reduction, line, kind)) = self.line(symbol, args, ret)? else {
            return self.native_in(symbol, args, ret, threads);
        };
        let tys = self.leaf_types(ret)?;
        let one = self.i64(1);
        let others = self.isub(line.shape[0], one);
        let is_short = self.icmp_imm(IntCc::Ult, others, MOST);
        self.if_else(
            is_short,
            &tys,
            |fx| Ok(vec![fx.reduce_line(reduction, &line, kind)?]),
            |fx| fx.native_in(symbol, args, ret, threads),
        )
    }

    /// The array that a native body reduces, and the kind of the result; `None` unless all of it is one line.
    fn line(
        &mut self,
        symbol: &str,
        args: &[Val],
        ret: Type,
    ) -> Res<Option<(Reduction, ArrayRef, Scalar)>> {
        let (Some(reduction), Some((array, rest))) = (Reduction::of(symbol), args.split_first())
        else {
            return Ok(None);
        };
        let Some(ty) = self.types.as_array(array.ty).filter(|ty| ty.ndim == 1) else {
            return Ok(None);
        };
        let (Some(item), Some(kind)) = (self.types.as_scalar(ty.dtype), self.types.as_scalar(ret))
        else {
            return Ok(None);
        };
        let whole = rest.iter().all(|arg| self.types.is_none(arg.ty));
        if !whole || !is_plain(item) || !is_plain(kind) {
            return Ok(None);
        }
        Ok(Some((reduction, self.array(array)?, kind)))
    }

    /// What a reduction makes of the elements of a line, which has one at least.
    fn reduce_line(&mut self, reduction: Reduction, line: &ArrayRef, kind: Scalar) -> Res<Value> {
        let count = line.shape[0];
        Ok(match reduction {
            Reduction::Sum | Reduction::Mean => {
                let zero = self.unit_element(kind, 0);
                let sum = self.fold_line(line, zero, |fx, _, sum, x| {
                    let (sum, x) = (Num::real(kind, sum[0]), fx.as_kind(x, kind));
                    fx.add_nums(sum, x).leaves()
                })?;
                match reduction {
                    Reduction::Mean => {
                        let count = self.as_kind(Num::real(Scalar::Int64, count), kind);
                        self.fdiv(sum[0], count.re)
                    }
                    _ => sum[0],
                }
            }
            Reduction::Product => {
                let one = self.unit_element(kind, 1);
                self.fold_line(line, one, |fx, _, product, x| {
                    let (product, x) = (Num::real(kind, product[0]), fx.as_kind(x, kind));
                    fx.mul_nums(product, x).leaves()
                })?[0]
            }
            Reduction::Extreme(op) => {
                let first = self.item_of(line, line.data)?;
                self.fold_line(line, first.leaves(), |fx, _, best, x| {
                    let best = Num::real(x.kind, best[0]);
                    fx.np_extreme(best, x, op, true).leaves()
                })?[0]
            }
            Reduction::Place(op) => {
                let mut state = self.item_of(line, line.data)?.leaves();
                state.push(self.i64(0));
                self.fold_line(line, state, |fx, at, state, x| {
                    let best = Num::real(x.kind, state[0]);
                    let keeps = fx.np_extreme_is_first(best, x, op, true);
                    let next = fx.pick(keeps, best, x);
                    vec![next.re, fx.select(keeps, state[1], at)]
                })?[1]
            }
            Reduction::Any => {
                let no = self.bool(false);
                self.fold_line(line, vec![no], |fx, _, found, x| {
                    let x = fx.num_truth(x);
                    vec![fx.or(found[0], x)]
                })?[0]
            }
            Reduction::All => {
                let yes = self.bool(true);
                self.fold_line(line, vec![yes], |fx, _, all, x| {
                    let x = fx.num_truth(x);
                    vec![fx.and(all[0], x)]
                })?[0]
            }
        })
    }

    /// What `step` makes of the state of all elements before, the position and the number of each, in their order.
    fn fold_line(
        &mut self,
        line: &ArrayRef,
        state: Vec<Value>,
        step: impl FnOnce(&mut Self, Value, &[Value], Num) -> Vec<Value>,
    ) -> Res<Vec<Value>> {
        self.count_loop(line.shape[0], state, |fx, at, state| {
            let offset = fx.imul(at, line.strides[0]);
            let place = fx.ptr_add(line.data, offset);
            let x = fx.item_of(line, place)?;
            Ok(step(fx, at, state, x))
        })
    }

    /// The number at a place of an array.
    fn item_of(&mut self, array: &ArrayRef, place: Value) -> Res<Num> {
        let item = self.load_element(array, place)?;
        self.num(&item)
    }
}
