//! Native bodies on arrays of few elements, where they stand: a call takes longer than adding three numbers. The arrays are
//! lines, with one axis or, all in one, with several in C order. What is longer, empty or of another kind goes to the runtime.

use super::super::array::ArrayRef;
use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::super::model::part;
use super::super::number::Num;
use numbra_abi::NativeId;
use numbra_ir::{Layout, Scalar, Storage, Type};
use numbra_library::{Few, NativeBody};
use numbra_lir::{FloatCc, IntCc, Ty, UnaryOp, Value};

/// Most elements of a sum of floats. NumPy adds so many one after another, and more in several sums.
const MOST_ADDED: i64 = 7;
/// Most elements of what is made of them one after another, however many they are.
const MOST: i64 = 16;

/// Most elements of what is made of integers in any order, which runs in vectors.
const MOST_INTEGERS: i64 = 64;

/// A call whose arrays may be short.
struct Short {
    made: Few,
    /// One array, or two.
    lines: Vec<ArrayRef>,
    /// Of the result or its elements.
    kind: Scalar,
}

impl Short {
    /// Most elements.
    fn most(&self) -> i64 {
        let is_any_order = matches!(self.made, Few::Sum | Few::Product | Few::Extreme(_));
        match self.made {
            _ if is_any_order && self.kind.is_int() => MOST_INTEGERS,
            Few::Sum | Few::Mean | Few::Dot | Few::Norm => MOST_ADDED,
            _ => MOST,
        }
    }

    /// What sums the elements of a line of any length, if that is all and they are of the result's kind.
    fn sum_symbol(&self) -> Option<NativeId> {
        let is_sum = matches!(self.made, Few::Sum | Few::Mean);
        match self.kind {
            _ if !is_sum || self.lines[0].item != Storage::Scalar(self.kind) => None,
            Scalar::Float32 => Some(NativeId::LineSumF32),
            Scalar::Float64 => Some(NativeId::LineSumF64),
            _ => None,
        }
    }
}

/// Kinds that are computed with as they are kept.
fn is_plain(kind: Scalar) -> bool {
    kind == Scalar::Bool || kind.is_int() || matches!(kind, Scalar::Float32 | Scalar::Float64)
}

impl Fx<'_, '_> {
    /// As [`Fx::native_in`], where the arrays are short without a call.
    pub(in super::super) fn native_or_few(
        &mut self,
        (made, native): (Few, &NativeBody),
        args: &[Val],
        ret: Type,
        threads: bool,
    ) -> Res<Vec<Value>> {
        let Some(short) = self.short(made, args, ret)? else {
            return self.native_in(native.symbol, args, ret, threads);
        };
        let is_short = self.is_short(&short);
        let call = |fx: &mut Self| match short.sum_symbol().filter(|_| !threads) {
            Some(symbol) => fx.long_sum(symbol, &short),
            None => fx.native_in(native.symbol, args, ret, threads),
        };
        if short.made == Few::Norm {
            return self.short_norm(is_short, &short, call);
        }
        let tys = self.leaf_types(ret)?;
        self.if_else(is_short, &tys, |fx| fx.made_of(&short, ret), call)
    }

    /// True where the arrays are short, and of one length.
    fn is_short(&mut self, short: &Short) -> Value {
        let first = short.lines[0].shape[0];
        let mut is_short = if short.made == Few::Cross {
            self.icmp_imm(IntCc::Eq, first, 3)
        } else {
            let one = self.i64(1);
            let others = self.isub(first, one);
            self.icmp_imm(IntCc::Ult, others, short.most())
        };
        for line in &short.lines[1..] {
            let is_as_long = self.icmp(IntCc::Eq, line.shape[0], first);
            is_short = self.and(is_short, is_as_long);
        }
        is_short
    }

    /// The root of the sum of squares where that sum has all its digits, else what `call` gives.
    fn short_norm(
        &mut self,
        is_short: Value,
        short: &Short,
        call: impl FnOnce(&mut Self) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        let wide = Scalar::Float64;
        let kind = short.kind;
        let square = self.if_else(
            is_short,
            &[Ty::F64],
            |fx| fx.sum_of_products(&short.lines, wide),
            |fx| Ok(fx.unit_element(wide, 0)),
        )?[0];
        let is_normal = self.fcmp_imm(FloatCc::Gt, square, f64::MIN_POSITIVE / f64::EPSILON);
        let is_finite = self.fcmp_imm(FloatCc::Lt, square, f64::INFINITY);
        let is_exact = self.and(is_normal, is_finite);
        let root = |fx: &mut Self| {
            let root = fx.unary(UnaryOp::Sqrt, square);
            Ok(fx.as_kind(Num::real(wide, root), kind).leaves())
        };
        self.if_else(is_exact, &[part(kind)], root, call)
    }

    /// The call of a native body whose arrays may be short; `None` where it is of other values.
    fn short(&mut self, made: Few, args: &[Val], ret: Type) -> Res<Option<Short>> {
        let is_product = matches!(made, Few::Dot | Few::Cross);
        let is_flat = is_product || made == Few::Norm;
        let result = match made {
            Few::Cross => self.types.as_array(ret).filter(|array| array.ndim == 1),
            _ => None,
        };
        let kind = self
            .types
            .as_scalar(result.map_or(ret, |array| array.dtype));
        let Some(kind) = kind.filter(|kind| is_plain(*kind)) else {
            return Ok(None);
        };
        let (arrays, rest) = args.split_at(args.len().min(1 + usize::from(is_product)));
        let mut lines = Vec::with_capacity(arrays.len());
        for array in arrays {
            let ty = self
                .types
                .as_array(array.ty)
                .filter(|ty| ty.ndim == 1 || (!is_flat && ty.ndim > 1 && ty.layout == Layout::C));
            let item = ty.and_then(|ty| self.types.as_scalar(ty.dtype));
            let fits = |item: Scalar| match is_product {
                true => item == kind && kind != Scalar::Bool,
                false => is_plain(item),
            };
            if !item.is_some_and(fits) {
                return Ok(None);
            }
            let array = self.array(array)?;
            lines.push(self.as_line(array));
        }
        let is_whole = rest.iter().all(|arg| self.types.is_none(arg.ty));
        let has_all = lines.len() == 1 + usize::from(is_product);
        Ok((is_whole && has_all).then_some(Short { made, lines, kind }))
    }

    /// An array with one axis, or in C order, as a line.
    fn as_line(&mut self, array: ArrayRef) -> ArrayRef {
        let (Some(step), 2..) = (array.strides.last(), array.shape.len()) else {
            return array;
        };
        ArrayRef {
            shape: vec![self.array_size(&array)],
            strides: vec![*step],
            ..array
        }
    }

    /// What is made of the elements of short lines, but for a norm.
    fn made_of(&mut self, short: &Short, ret: Type) -> Res<Vec<Value>> {
        let Short { made, lines, kind } = short;
        let (made, line, kind) = (*made, &lines[0], *kind);
        Ok(vec![match made {
            Few::Dot | Few::Norm => return self.sum_of_products(lines, kind),
            Few::Cross => return self.short_cross(lines, ret),
            Few::Sum | Few::Mean => {
                let zero = self.unit_element(kind, 0);
                let sum = self.fold_line(line, zero, |fx, _, sum, x| {
                    let (sum, x) = (Num::real(kind, sum[0]), fx.as_kind(x, kind));
                    Ok(fx.add_nums(sum, x).leaves())
                })?;
                self.of_sum(short, sum[0])
            }
            Few::Product => {
                let one = self.unit_element(kind, 1);
                self.fold_line(line, one, |fx, _, product, x| {
                    let (product, x) = (Num::real(kind, product[0]), fx.as_kind(x, kind));
                    Ok(fx.mul_nums(product, x).leaves())
                })?[0]
            }
            Few::Extreme(op) => {
                let zero = self.i64(0);
                let first = self.item_at(line, zero)?;
                self.fold_line(line, first.leaves(), |fx, _, best, x| {
                    let best = Num::real(x.kind, best[0]);
                    Ok(fx.np_extreme(best, x, op, true).leaves())
                })?[0]
            }
            Few::Place(op) => {
                let zero = self.i64(0);
                let mut state = self.item_at(line, zero)?.leaves();
                state.push(zero);
                self.fold_line(line, state, |fx, at, state, x| {
                    let best = Num::real(x.kind, state[0]);
                    let keeps = fx.np_extreme_is_first(best, x, op, true);
                    let next = fx.pick(keeps, best, x);
                    Ok(vec![next.re, fx.select(keeps, state[1], at)])
                })?[1]
            }
            Few::Any => {
                let no = self.bool(false);
                self.fold_line(line, vec![no], |fx, _, found, x| {
                    let x = fx.num_truth(x);
                    Ok(vec![fx.or(found[0], x)])
                })?[0]
            }
            Few::All => {
                let yes = self.bool(true);
                self.fold_line(line, vec![yes], |fx, _, all, x| {
                    let x = fx.num_truth(x);
                    Ok(vec![fx.and(all[0], x)])
                })?[0]
            }
        }])
    }

    /// The sum of a line of any length, or its mean.
    fn long_sum(&mut self, symbol: NativeId, short: &Short) -> Res<Vec<Value>> {
        let line = &short.lines[0];
        let words = vec![line.data, line.shape[0], line.strides[0]];
        let sum = self.native_call(symbol, words)?;
        let sum = sum.ok_or_else(|| Fault::bug("a sum without result"))?;
        Ok(vec![self.of_sum(short, sum)])
    }

    /// The mean, where that is what is made of a sum.
    fn of_sum(&mut self, short: &Short, sum: Value) -> Value {
        if short.made != Few::Mean {
            return sum;
        }
        let count = Num::real(Scalar::Int64, short.lines[0].shape[0]);
        let count = self.as_kind(count, short.kind);
        self.fdiv(sum, count.re)
    }

    /// The sum of the products of two lines of one length, or of the squares of one.
    fn sum_of_products(&mut self, lines: &[ArrayRef], kind: Scalar) -> Res<Vec<Value>> {
        let other = lines.last().unwrap_or(&lines[0]);
        let zero = self.unit_element(kind, 0);
        self.fold_line(&lines[0], zero, |fx, at, sum, x| {
            let y = fx.item_at(other, at)?;
            let (x, y) = (fx.as_kind(x, kind), fx.as_kind(y, kind));
            let product = fx.mul_nums(x, y);
            Ok(fx.add_nums(Num::real(kind, sum[0]), product).leaves())
        })
    }

    /// The cross product of two lines of three elements.
    fn short_cross(&mut self, lines: &[ArrayRef], ret: Type) -> Res<Vec<Value>> {
        let ty = self.result_array(ret)?;
        let at = [0, 1, 2].map(|i| self.i64(i));
        let mut items = Vec::with_capacity(2 * at.len());
        for line in lines {
            for at in at {
                items.push(self.item_at(line, at)?);
            }
        }
        let three = self.i64(3);
        let made = self.new_array(ty, vec![three], false)?;
        for (i, at) in at.into_iter().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let ahead = self.mul_nums(items[j], items[3 + k]);
            let behind = self.mul_nums(items[k], items[3 + j]);
            let minor = self.sub_nums(ahead, behind);
            let place = self.item_place(&made, at);
            self.store_element(&made, place, &minor.leaves());
        }
        Ok(made.leaves())
    }

    /// What `step` makes of the state of all elements before, the position and the number of each, in their order.
    fn fold_line(
        &mut self,
        line: &ArrayRef,
        state: Vec<Value>,
        step: impl FnOnce(&mut Self, Value, &[Value], Num) -> Res<Vec<Value>>,
    ) -> Res<Vec<Value>> {
        self.count_loop(line.shape[0], state, |fx, at, state| {
            let x = fx.item_at(line, at)?;
            step(fx, at, state, x)
        })
    }

    /// The number at a position of a line.
    fn item_at(&mut self, line: &ArrayRef, at: Value) -> Res<Num> {
        let place = self.item_place(line, at);
        let item = self.load_element(line, place)?;
        self.num(&item)
    }

    /// Where the number at a position is.
    pub(in super::super) fn item_place(&mut self, line: &ArrayRef, at: Value) -> Value {
        let offset = self.imul(at, line.strides[0]);
        self.ptr_add(line.data, offset)
    }
}
