//! The closed set of operations: one arm each.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::part;
use super::number::{Num, part_kind};
use numbra_abi::{MathFn, NativeId};
use numbra_ir::{Const, Scalar, Type, TypeKind};
use numbra_library::{CmpOp, DeviceFn, DivModel, Op};
use numbra_lir::{BinaryOp, ConvertOp, FloatCc, GuardKind, InstKind, IntCc, Ty, UnaryOp, Value};

impl Fx<'_, '_> {
    /// Runs an operation on arguments of the signature's types; the leaves of a value of type `ret`.
    pub(super) fn intrinsic(&mut self, op: Op, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        if let Some(leaves) = self.in_single(op, args, ret)? {
            return Ok(leaves);
        }
        self.operation(op, args, ret)
    }

    /// Floats of 16 bits compute in single precision and round once.
    fn in_single(&mut self, op: Op, args: &[Val], ret: Type) -> Res<Option<Vec<Value>>> {
        let half = |fx: &Self, ty: Type| {
            let scalar = fx.types.as_scalar(ty);
            matches!(scalar, Some(Scalar::Float16 | Scalar::BFloat16))
        };
        if op == Op::Fma && self.types.as_scalar(ret) == Some(Scalar::BFloat16) {
            return Ok(Some(vec![self.bfloat_fma(args)?]));
        }
        // A GPU has the instruction, and its result is not that of single precision, rounded.
        let own = !computes(op) || (op == Op::Fma && self.mx.options.device);
        if own || !args.iter().any(|a| half(self, a.ty)) {
            return Ok(None);
        }
        let mut wide = Vec::with_capacity(args.len());
        for arg in args {
            if half(self, arg.ty) {
                let leaves = self.cast(arg, Type::FLOAT32)?;
                wide.push(Val::new(Type::FLOAT32, leaves));
            } else {
                wide.push(arg.clone());
            }
        }
        if !half(self, ret) {
            return self.operation(op, &wide, ret).map(Some);
        }
        let leaves = self.operation(op, &wide, Type::FLOAT32)?;
        self.cast(&Val::new(Type::FLOAT32, leaves), ret).map(Some)
    }

    fn operation(&mut self, op: Op, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        match op {
            Op::Constant | Op::NoneValue => self.zeros(ret),
            Op::NoAttribute => {
                let [object, name] = args else {
                    return Err(Fault::bug("an attribute of no name"));
                };
                let (never, object) = (self.bool(false), self.show(object.ty));
                let TypeKind::Literal(Const::Str(name)) = self.types.kind(name.ty) else {
                    return Err(Fault::bug("the name of an attribute is no constant"));
                };
                let message = format!("'{object}' has no attribute '{name}'");
                self.guard_text(never, GuardKind::Check, "AttributeError", Some(&message))?;
                self.zeros(ret)
            }
            Op::Limits => {
                let values = numbra_library::limits(self.types, self.arg(args, 0)?.ty, ret)
                    .ok_or_else(|| Fault::bug("limits of something that has none"))?;
                self.constant(&Const::Tuple(values), ret)
            }
            Op::Bool(value) => Ok(vec![self.bool(value)]),
            Op::Identity => {
                let x = self.arg(args, 0)?.clone();
                self.cast(&x, ret)
            }
            Op::Convert => {
                let x = self.arg(args, 0)?.clone();
                if self.mx.scalar(ret) == Some(Scalar::Bool) {
                    return Ok(vec![self.truth(&x)?]);
                }
                match self.mx.scalar(ret) {
                    Some(kind) if self.types.as_time(x.ty).is_some() => {
                        let count = Num::real(Scalar::Int64, x.leaves[0]);
                        Ok(self.as_kind(count, kind).leaves())
                    }
                    Some(_) => Ok(self.num_as(&x, ret)?.leaves()),
                    None => self.cast(&x, ret),
                }
            }
            Op::Truth => {
                let x = self.arg(args, 0)?.clone();
                Ok(vec![self.truth(&x)?])
            }
            Op::Not => {
                let x = self.arg(args, 0)?.clone();
                let truth = self.truth(&x)?;
                Ok(vec![self.not(truth)])
            }
            Op::IsNone | Op::IsNotNone => {
                let none = self.is_none(args)?;
                Ok(vec![if op == Op::IsNone {
                    none
                } else {
                    self.not(none)
                }])
            }
            Op::MakeComplex => {
                let kind = self.kind_of(ret)?;
                let part_ty = self.types.scalar(part_kind(kind));
                let re = self.number(args, 0, part_ty)?.re;
                let im = match args.get(1) {
                    Some(_) => self.number(args, 1, part_ty)?.re,
                    None => self.fconst(part(kind), 0.0),
                };
                Ok(vec![re, im])
            }

            Op::Draw(draw) => self.draw(draw, args, ret),
            Op::DrawItem => self.draw_item(args, ret),
            Op::Time(op) => self.time_operation(op, args, ret),
            Op::Add => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.add_nums(x, y).leaves())
            }
            Op::Sub => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.sub_nums(x, y).leaves())
            }
            Op::Mul => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.mul_nums(x, y).leaves())
            }
            Op::TrueDiv(model) => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.true_divide(x, y, model)?.leaves())
            }
            Op::FloorDiv(model) => {
                let (x, y) = self.pair(args, ret)?;
                let message = if x.kind.is_float() {
                    "division by zero"
                } else {
                    "integer division by zero"
                };
                self.guard_divisor(y, model, message)?;
                if let Some((x, y)) = self.mixed_pair(args, ret)? {
                    return Ok(self.mixed_divmod(x, y).0.leaves());
                }
                Ok(self.floor_divmod(x, y, model).0.leaves())
            }
            Op::Mod(model) => {
                let (x, y) = self.pair(args, ret)?;
                let message = if x.kind.is_float() {
                    "modulo by zero"
                } else {
                    "integer modulo by zero"
                };
                self.guard_divisor(y, model, message)?;
                if let Some((x, y)) = self.mixed_pair(args, ret)? {
                    return Ok(self.mixed_divmod(x, y).1.leaves());
                }
                Ok(self.floor_divmod(x, y, model).1.leaves())
            }
            Op::DivMod(model) => {
                let item = self
                    .types
                    .tuple_items(ret)
                    .and_then(|items| items.first().copied())
                    .ok_or_else(|| Fault::bug("divmod() of another type than a pair"))?;
                let (x, y) = self.pair(args, item)?;
                let message = if x.kind.is_float() {
                    "modulo by zero"
                } else {
                    "integer divmod by zero"
                };
                self.guard_divisor(y, model, message)?;
                let (div, rem) = self.floor_divmod(x, y, model);
                Ok(vec![div.re, rem.re])
            }
            Op::FMod => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.c_remainder(x, y).leaves())
            }
            Op::Pow(_) | Op::PowElement => {
                let model = match op {
                    Op::Pow(model) => model,
                    _ => DivModel::Numpy,
                };
                let x = self.number(args, 0, ret)?;
                let y = self.arg(args, 1)?.clone();
                let y = self.num(&y)?;
                if op == Op::PowElement {
                    self.guard_element_exponent(x, y)?;
                }
                Ok(self.power(x, y, model)?.leaves())
            }
            Op::PowInt => {
                let x = self.number(args, 0, ret)?;
                let n = self.arg(args, 1)?.clone();
                Ok(self.power_by(x, &n)?.leaves())
            }
            // At the width of the operand, as Numba: `-uint8(5)` is 251 as uint64.
            Op::Neg => {
                let x = self.own_width(args)?;
                let kind = self.kind_of(ret)?;
                let x = if x.kind == Scalar::Bool {
                    self.as_kind(x, kind)
                } else {
                    x
                };
                let op = if x.kind.is_int() {
                    UnaryOp::INeg
                } else {
                    UnaryOp::FNeg
                };
                let re = self.unary(op, x.re);
                let im = x.im.map(|im| self.unary(op, im));
                Ok(self.as_kind(Num { re, im, ..x }, kind).leaves())
            }
            Op::Fma => {
                let mut values = Vec::with_capacity(3);
                for i in 0..3 {
                    values.push(self.number(args, i, ret)?.re);
                }
                let (a, b, c) = (values[0], values[1], values[2]);
                let ty = self.ty(a);
                Ok(vec![self.one(InstKind::Fma { a, b, c }, ty)])
            }
            Op::Abs => self.abs(args, ret),
            Op::Invert => {
                let x = self.own_width(args)?;
                let inverted = if x.kind == Scalar::Bool {
                    self.not(x.re)
                } else {
                    self.unary(UnaryOp::INot, x.re)
                };
                let kind = self.kind_of(ret)?;
                Ok(self.as_kind(Num::real(x.kind, inverted), kind).leaves())
            }
            Op::BitAnd => self.bitwise(BinaryOp::And, args, ret),
            Op::BitOr => self.bitwise(BinaryOp::Or, args, ret),
            Op::BitXor => self.bitwise(BinaryOp::Xor, args, ret),
            Op::Shl | Op::Shr => {
                let (x, n) = self.shift_operands(args, ret)?;
                Ok(self.shift(x, n, op == Op::Shl).leaves())
            }
            Op::ShlClamp | Op::ShrClamp => {
                let (x, n) = self.shift_operands(args, ret)?;
                Ok(self.shift_clamp(x, n, op == Op::ShlClamp).leaves())
            }
            Op::Square => {
                let x = self.number(args, 0, ret)?;
                Ok(self.mul_nums(x, x).leaves())
            }
            Op::Reciprocal => {
                let x = self.number(args, 0, ret)?;
                Ok(self.reciprocal(x)?.leaves())
            }
            Op::Sign => {
                let x = self.number(args, 0, ret)?;
                Ok(self.sign(x).leaves())
            }

            Op::Cmp(cmp) => {
                let (x, y) = self.two(args)?;
                let (x, y) = (self.num(&x)?, self.num(&y)?);
                Ok(vec![self.compare(cmp, x, y)])
            }
            Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor => {
                let (x, y) = self.two(args)?;
                let (x, y) = (self.truth(&x)?, self.truth(&y)?);
                Ok(vec![match op {
                    Op::LogicalAnd => self.and(x, y),
                    Op::LogicalOr => self.or(x, y),
                    _ => self.xor(x, y),
                }])
            }
            Op::Min => self.py_extreme(args, ret, CmpOp::Lt),
            Op::Max => self.py_extreme(args, ret, CmpOp::Gt),
            Op::NpMaximum => self.np_pair(args, ret, CmpOp::Ge, true),
            Op::NpMinimum => self.np_pair(args, ret, CmpOp::Le, true),
            Op::FMax => self.np_pair(args, ret, CmpOp::Ge, false),
            Op::FMin => self.np_pair(args, ret, CmpOp::Le, false),

            Op::Math(func) => {
                let mut values = Vec::with_capacity(args.len());
                for i in 0..args.len() {
                    values.push(self.number(args, i, ret)?.re);
                }
                if values.len() != func.arity() {
                    return Err(Fault::bug(format!(
                        "`{}` of {} operands",
                        func.name(),
                        values.len()
                    )));
                }
                Ok(vec![self.math(func, &values)])
            }
            Op::Complex(func) => {
                let x = self.number(args, 0, ret)?;
                Ok(self.complex_function(func, x)?.leaves())
            }
            Op::Sqrt => {
                let x = self.number(args, 0, ret)?;
                if x.kind.is_complex() {
                    return Ok(self.complex_sqrt(x)?.leaves());
                }
                Ok(vec![self.unary(UnaryOp::Sqrt, x.re)])
            }
            Op::Choose => {
                let condition = self.arg(args, 0)?.leaves[0];
                let (x, y) = (self.number(args, 1, ret)?, self.number(args, 2, ret)?);
                Ok(self.pick(condition, x, y).leaves())
            }
            Op::CopySign => {
                let (x, y) = self.pair(args, ret)?;
                Ok(vec![self.fbin(BinaryOp::FCopysign, x.re, y.re)])
            }
            Op::Round(how) => {
                let x = self.number(args, 0, ret)?;
                if !(x.kind.is_float() || x.kind.is_complex()) {
                    return Ok(x.leaves());
                }
                let mut parts = Vec::new();
                for part in x.leaves() {
                    parts.push(self.round_float(how, part));
                }
                Ok(parts)
            }
            Op::RoundToInt(how) => {
                let x = self.arg(args, 0)?.clone();
                let x = self.num(&x)?;
                let kind = self.kind_of(ret)?;
                if !x.kind.is_float() {
                    return Ok(self.as_kind(x, kind).leaves());
                }
                let rounded = Num::real(x.kind, self.round_float(how, x.re));
                Ok(self.as_kind(rounded, kind).leaves())
            }
            Op::RoundDigits => {
                let x = self.number(args, 0, ret)?;
                let digits = self.arg(args, 1)?.clone();
                let digits = self.index_value(&digits)?;
                Ok(self.round_digits(x, digits)?.leaves())
            }
            Op::Class(class) => {
                let x = self.arg(args, 0)?.clone();
                let x = self.num(&x)?;
                Ok(vec![self.float_class(class, x)])
            }
            Op::Frexp => self.frexp_pair(args, ret),
            Op::Modf => self.modf_pair(args, ret),
            Op::Remainder => {
                let (x, y) = self.pair(args, ret)?;
                Ok(vec![self.nearest_remainder(x.re, y.re)?])
            }
            Op::Ldexp => {
                let x = self.number(args, 0, ret)?;
                let n = self.arg(args, 1)?.clone();
                let n = self.index_value(&n)?;
                Ok(vec![self.ldexp(x.re, n)])
            }
            Op::Gcd => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.gcd(x, y).leaves())
            }
            Op::Lcm => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.lcm(x, y).leaves())
            }
            Op::Degrees => self.scaled(args, ret, 180.0 / std::f64::consts::PI),
            Op::Radians => self.scaled(args, ret, std::f64::consts::PI / 180.0),
            Op::Spacing => {
                let x = self.number(args, 0, ret)?;
                Ok(self.spacing(x).leaves())
            }
            Op::LogAddExp | Op::LogAddExp2 => {
                let (x, y) = self.pair(args, ret)?;
                Ok(self.log_add_exp(x, y, op == Op::LogAddExp2).leaves())
            }
            Op::Real | Op::Imag => self.real_or_imag(args, ret, op == Op::Imag),
            Op::Conjugate => {
                let x = self.arg(args, 0)?.clone();
                if self.types.as_array(x.ty).is_some() {
                    return self.cast(&x, ret);
                }
                let x = self.number(args, 0, ret)?;
                Ok(match x.im {
                    Some(im) => vec![x.re, self.unary(UnaryOp::FNeg, im)],
                    None => x.leaves(),
                })
            }
            Op::Reinterpret => self.reinterpret(self.arg(args, 0)?.clone(), ret),
            Op::Phase => {
                let (re, im) = self.complex_arg(args)?;
                Ok(vec![self.math(MathFn::Atan2, &[im, re])])
            }
            Op::Polar => {
                let (re, im) = self.complex_arg(args)?;
                let size = self.math(MathFn::Hypot, &[re, im]);
                let angle = self.math(MathFn::Atan2, &[im, re]);
                Ok(vec![size, angle])
            }
            Op::Rect => {
                let kind = self.kind_of(ret)?;
                let part_ty = self.types.scalar(part_kind(kind));
                let (r, phi) = (
                    self.number(args, 0, part_ty)?,
                    self.number(args, 1, part_ty)?,
                );
                Ok(self.rect(kind, r.re, phi.re).leaves())
            }

            Op::RangeNew | Op::ParallelRangeNew => self.range_new(args, ret),
            Op::KeepError => self.keep_error(),
            Op::RaiseKept => self.of_kept(NativeId::RaiseKept, args),
            Op::SetCause => self.of_kept(NativeId::SetCause, args),
            Op::AddContext => self.of_kept(NativeId::AddContext, args),
            Op::Threads(op) => self.thread_operation(op, args),
            Op::Device(op) => self.device_operation(op, args, ret),
            Op::RangeField(field) => {
                let leaf = self.leaf(args, usize::from(field))?;
                let item = match self.types.kind(args[0].ty) {
                    TypeKind::Range(item) => *item,
                    _ => return Err(Fault::bug("a field of something that is not a range")),
                };
                self.cast(&Val::new(item, vec![leaf]), ret)
            }
            Op::RangeLen => {
                let range = self.arg(args, 0)?.clone();
                let length = self.range_len_checked(&range)?;
                self.int_result(length, ret)
            }
            Op::RangeReversed => {
                let range = self.arg(args, 0)?.clone();
                self.range_reversed(&range)
            }
            Op::RangeContains => {
                let (range, x) = self.two(args)?;
                Ok(vec![self.range_contains(&range, &x)?])
            }
            Op::SliceNew => self.slice_new(args, ret),
            Op::SliceField(field) => {
                let slice = self.arg(args, 0)?.clone();
                let parts = self.slice_parts(&slice)?;
                let leaf = match field {
                    0 => parts.start,
                    1 => parts.stop,
                    _ => parts.step,
                };
                self.int_result(leaf, ret)
            }
            Op::PolynomialPart(part) => {
                let polynomial = self.arg(args, 0)?;
                let parts = self.types.parts(polynomial.ty).unwrap_or_default();
                let mut at = 0;
                for before in parts.iter().take(usize::from(part)) {
                    at += self.leaf_types(*before)?.len();
                }
                let count = self.leaf_types(ret)?.len();
                Ok(polynomial.leaves[at..at + count].to_vec())
            }
            Op::SliceIndices => {
                let (slice, n) = self.two(args)?;
                let parts = self.slice_parts(&slice)?;
                let n = self.index_value(&n)?;
                let valid = self.icmp_imm(IntCc::Sge, n, 0);
                let raise = super::raise::Raise::value("length should not be negative");
                self.guard(valid, numbra_lir::GuardKind::Check, raise)?;
                let clamped = self.slice_clamp(parts, n)?;
                Ok(vec![clamped.start, clamped.stop, clamped.step])
            }
            Op::GetIter => {
                let x = self.arg(args, 0)?.clone();
                self.get_iter(&x, ret)
            }
            Op::IterNext => {
                let x = self.arg(args, 0)?.clone();
                self.iter_next(&x)
            }
            Op::Next => {
                let x = self.arg(args, 0)?.clone();
                self.next_item(&x)
            }
            Op::NdIndexNew | Op::ParallelNdIndexNew => self.nd_index(args, ret),
            Op::NdEnumerateNew => self.nd_enumerate(args, ret),
            Op::NdIterNew => self.nd_iter(args, ret),
            Op::EnumerateNew => self.enumerate(args, ret),
            Op::ZipNew => self.zip(args, ret),

            Op::TupleItem => {
                let (tuple, index) = self.two(args)?;
                let index = self.literal_int(&index)?;
                let item = self.tuple_item(&tuple, index)?;
                self.cast(&item, ret)
            }
            Op::LiteralDictItem => {
                let (dict, key) = self.two(args)?;
                let TypeKind::LiteralDict { keys, .. } = self.types.kind(dict.ty) else {
                    return Err(Fault::bug("no dict whose type says its entries"));
                };
                let at = keys.iter().position(|known| *known == key.ty);
                let at = at.ok_or_else(|| Fault::bug("a key that the type of a dict has not"))?;
                let item = self.tuple_item(&dict, at as i64)?;
                self.cast(&item, ret)
            }
            Op::TupleItemAt => {
                let (tuple, index) = self.two(args)?;
                let address = self.spill(&tuple)?;
                self.tuple_item_at(tuple.ty, address, &index)
            }
            Op::TupleSlice => {
                let (tuple, slice) = self.two(args)?;
                self.tuple_slice(&tuple, &slice)
            }
            Op::TupleLen => {
                let tuple = self.arg(args, 0)?.clone();
                let length = self.items(&tuple)?.len() as i64;
                if self.leaf_count(ret)? == 0 {
                    return Ok(Vec::new());
                }
                let length = self.i64(length);
                self.int_result(length, ret)
            }
            Op::TupleNew => Ok(args.iter().flat_map(|arg| arg.leaves.clone()).collect()),
            Op::TupleConcat => {
                let (x, y) = self.two(args)?;
                self.tuple_concat(&x, &y, ret)
            }
            Op::TupleRepeat => {
                let (x, n) = self.two(args)?;
                self.tuple_repeat(&x, &n, ret)
            }
            Op::TupleCmp(cmp) => {
                let (x, y) = self.two(args)?;
                Ok(vec![self.tuple_compare(cmp, &x, &y)?])
            }
            Op::TupleContains => {
                let (tuple, x) = self.two(args)?;
                Ok(vec![self.tuple_contains(&tuple, &x)?])
            }
            Op::TupleCount => {
                let (tuple, x) = self.two(args)?;
                let count = self.tuple_count(&tuple, &x)?;
                self.int_result(count, ret)
            }
            Op::TupleIndexOf => {
                let (tuple, x) = self.two(args)?;
                let at = self.tuple_index_of(&tuple, &x)?;
                self.int_result(at, ret)
            }
            Op::TupleMin | Op::TupleMax => {
                let tuple = self.arg(args, 0)?.clone();
                let cmp = if op == Op::TupleMin {
                    CmpOp::Lt
                } else {
                    CmpOp::Gt
                };
                self.tuple_extreme(&tuple, ret, cmp)
            }
            Op::TupleSum => self.tuple_sum(args, ret),

            Op::ArrayGet => self.array_get(args, ret),
            Op::ArraySet => self.array_set(args).map(|()| Vec::new()),
            Op::ArraySetMask => self.array_set_mask(args, ret).map(|()| Vec::new()),
            Op::ArrayAttr(attr) => {
                let x = self.arg(args, 0)?.clone();
                self.array_attr(attr, &x, ret)
            }
            Op::ArrayLen => {
                let x = self.arg(args, 0)?.clone();
                let length = self.array_len(&x)?;
                self.int_result(length, ret)
            }
            Op::ArrayNew(fill) => self.array_new(fill, args, ret),
            Op::ArrayNewLike(fill) => self.array_new_like(fill, args, ret),
            Op::ArrayCopy => self.array_copy(args, ret),
            Op::ArrayAsLayout => self.array_as_layout(args, ret),
            Op::ArrayFill => {
                let (array, value) = self.two(args)?;
                self.array_fill(&array, &value).map(|()| Vec::new())
            }
            Op::ArrayRavel => {
                let x = self.arg(args, 0)?.clone();
                self.array_ravel(&x, ret)
            }
            Op::ArrayReshape | Op::ArrayReshapeAny => self.array_reshape(args, ret),
            Op::ArrayTranspose => self.array_transpose(args, ret),
            Op::ArraySwapAxes => self.array_swap_axes(args),
            Op::ArrayExpandDims => self.array_expand_dims(args),
            Op::ArrayBroadcastTo => self.array_broadcast_to(args, ret),
            Op::ArrayItem => {
                let x = self.arg(args, 0)?.clone();
                self.array_item(&x, ret)
            }
            Op::ArrayFlatGet => self.flat_get(args, ret),
            Op::ArrayFlatSet => self.flat_set(args).map(|()| Vec::new()),
            Op::ArrayFlatIter => {
                let x = self.arg(args, 0)?.clone();
                self.flat_iter(&x, ret)
            }
            Op::ArrayView => {
                let x = self.arg(args, 0)?.clone();
                self.array_view(&x, ret)
            }
            Op::ArrayToBytes => {
                let x = self.arg(args, 0)?.clone();
                self.array_bytes(&x)
            }
            Op::ArrayIs | Op::ArrayIsNot => {
                let (x, y) = self.two(args)?;
                let same = self.array_is(&x, &y)?;
                Ok(vec![if op == Op::ArrayIs {
                    same
                } else {
                    self.not(same)
                }])
            }

            Op::CallPointer => self.call_pointer(args, ret),
            Op::FunctionIs | Op::FunctionIsNot => {
                let (x, y) = self.two(args)?;
                let same = self.is_same_function(&x, &y)?;
                Ok(vec![match op {
                    Op::FunctionIs => same,
                    _ => self.not(same),
                }])
            }
            Op::ArrayAt => self.array_at(args, ret),
            Op::PointerGet => {
                let (pointer, index) = self.two(args)?;
                let addr = self.pointed(&pointer, &index, ret)?;
                let none = self.zero(Ty::Ref);
                Ok(self.load_stored(ret, addr, none, true)?.leaves)
            }
            Op::PointerSet => {
                let (pointer, index) = self.two(args)?;
                let value = self.arg(args, 2)?.clone();
                let addr = self.pointed(&pointer, &index, value.ty)?;
                let item = self.item_kind(value.ty)?;
                self.store_stored(item, addr, &value.leaves, true);
                Ok(Vec::new())
            }
            Op::ArrayOfList => {
                let x = self.arg(args, 0)?.clone();
                self.array_of_list(&x, ret)
            }
            Op::ArrayOfNested => {
                let x = self.arg(args, 0)?.clone();
                self.array_of_nested(&x, ret)
            }
            Op::RecordGet => {
                let (record, key) = self.two(args)?;
                self.record_get(&record, &key, ret)
            }
            Op::RecordSet => self.record_set(args).map(|()| Vec::new()),
            Op::ObjectIs(wanted) => {
                let (x, y) = self.two(args)?;
                let same = self.is_same_object(&x, &y);
                Ok(vec![if wanted { same } else { self.not(same) }])
            }
            Op::ObjectNew => self.new_object(ret),
            Op::FieldGet => {
                let (object, key) = self.two(args)?;
                self.field_get(&object, &key, ret)
            }
            Op::FieldSet => self.field_set(args).map(|()| Vec::new()),
            Op::ArrayField => {
                let (array, key) = self.two(args)?;
                let view = self.array_field(&array, &key)?;
                self.cast(&view, ret)
            }
            Op::ArrayFieldSet => self.array_field_set(args).map(|()| Vec::new()),
            Op::CharSeqLen => {
                let x = self.arg(args, 0)?.clone();
                let length = self.char_seq_len(&x)?;
                self.int_result(length, ret)
            }
            Op::TextItem => {
                let (x, at) = self.two(args)?;
                self.text_item(&x, &at, ret)
            }
            Op::TextStrip(start, end) => {
                let (x, chars) = self.two(args)?;
                self.text_strip(&x, &chars, (start, end), ret)
            }
            Op::TextPercent => {
                let (format, values) = self.two(args)?;
                self.format_percent(&format, &values)
            }
            Op::TextBraces => self.format_braces(args),
            Op::TextOf(repr) => {
                let x = self.arg(args, 0)?.clone();
                self.text_of(&x, repr)
            }
            Op::CharSeqCmp(cmp) => {
                let (x, y) = self.two(args)?;
                self.char_seq_compare(cmp, &x, &y)
            }
            Op::List(op) => self.list_op(op, args, ret),
            Op::Set(op) => self.set_op(op, args, ret),
            Op::Dict(op) => self.dict_op(op, args, ret),
            Op::Print => self.print(args).map(|()| Vec::new()),
        }
    }

    pub(super) fn arg<'v>(&self, args: &'v [Val], index: usize) -> Res<&'v Val> {
        args.get(index)
            .ok_or_else(|| Fault::bug("an operation with too few operands"))
    }

    pub(super) fn two(&self, args: &[Val]) -> Res<(Val, Val)> {
        Ok((self.arg(args, 0)?.clone(), self.arg(args, 1)?.clone()))
    }

    fn leaf(&self, args: &[Val], index: usize) -> Res<Value> {
        self.arg(args, 0)?
            .leaves
            .get(index)
            .copied()
            .ok_or_else(|| Fault::bug("a value with too few leaves"))
    }

    /// Operand `index` as a number of the kind of `ty`.
    pub(super) fn number(&mut self, args: &[Val], index: usize, ty: Type) -> Res<Num> {
        let value = self.arg(args, index)?.clone();
        self.num_as(&value, ty)
    }

    /// Two operands as numbers of the kind of `ty`.
    fn pair(&mut self, args: &[Val], ty: Type) -> Res<(Num, Num)> {
        Ok((self.number(args, 0, ty)?, self.number(args, 1, ty)?))
    }

    /// A `uint64` and a signed integer, in either order, of which an `int64` is made.
    fn mixed_pair(&mut self, args: &[Val], ret: Type) -> Res<Option<(Num, Num)>> {
        if self.mx.scalar(ret) != Some(Scalar::Int64) {
            return Ok(None);
        }
        let (x, y) = self.two(args)?;
        let (x, y) = (self.num(&x)?, self.num(&y)?);
        let is_mixed =
            x.is_signed() != y.is_signed() && [x, y].iter().any(|n| n.kind == Scalar::UInt64);
        Ok(is_mixed.then_some((x, y)))
    }

    fn int_result(&mut self, leaf: Value, ret: Type) -> Res<Vec<Value>> {
        self.cast(&Val::new(Type::INT64, vec![leaf]), ret)
    }

    /// The first operand as a number of its own kind.
    fn own_width(&mut self, args: &[Val]) -> Res<Num> {
        let value = self.arg(args, 0)?.clone();
        self.num(&value)
    }

    /// `x + y` of one kind.
    pub(super) fn add_nums(&mut self, x: Num, y: Num) -> Num {
        self.by_parts(x, y, BinaryOp::IAdd, BinaryOp::FAdd)
    }

    /// `x - y` of one kind.
    pub(super) fn sub_nums(&mut self, x: Num, y: Num) -> Num {
        self.by_parts(x, y, BinaryOp::ISub, BinaryOp::FSub)
    }

    fn by_parts(&mut self, x: Num, y: Num, int: BinaryOp, float: BinaryOp) -> Num {
        if let (Some(xi), Some(yi)) = (x.im, y.im) {
            let re = self.fbin(float, x.re, y.re);
            let im = self.fbin(float, xi, yi);
            return Num::complex(x.kind, re, im);
        }
        let value = if x.kind.is_float() {
            self.fbin(float, x.re, y.re)
        } else {
            self.ibin(int, x.re, y.re)
        };
        Num::real(x.kind, value)
    }

    /// `x * y` of one kind.
    pub(super) fn mul_nums(&mut self, x: Num, y: Num) -> Num {
        if x.kind.is_complex() {
            return self.complex_mul(x, y);
        }
        self.by_parts(x, y, BinaryOp::IMul, BinaryOp::FMul)
    }

    fn abs(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let x = self.arg(args, 0)?.clone();
        let x = self.num(&x)?;
        let kind = self.kind_of(ret)?;
        if x.kind.is_complex() {
            let size = self.complex_abs(x);
            return Ok(self.as_kind(size, kind).leaves());
        }
        let x = self.as_kind(x, kind);
        Ok(vec![if kind.is_float() {
            self.unary(UnaryOp::FAbs, x.re)
        } else if kind.is_signed_int() {
            self.unary(UnaryOp::IAbs, x.re)
        } else {
            x.re
        }])
    }

    fn bitwise(&mut self, op: BinaryOp, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let (x, y) = self.pair(args, ret)?;
        Ok(vec![self.ibin(op, x.re, y.re)])
    }

    fn shift_operands(&mut self, args: &[Val], ret: Type) -> Res<(Num, Num)> {
        let x = self.number(args, 0, ret)?;
        let n = self.arg(args, 1)?.clone();
        Ok((x, self.num(&n)?))
    }

    fn np_pair(&mut self, args: &[Val], ret: Type, op: CmpOp, nan_wins: bool) -> Res<Vec<Value>> {
        let (x, y) = self.pair(args, ret)?;
        Ok(self.np_extreme(x, y, op, nan_wins).leaves())
    }

    fn scaled(&mut self, args: &[Val], ret: Type, factor: f64) -> Res<Vec<Value>> {
        let x = self.number(args, 0, ret)?;
        let ty = self.ty(x.re);
        let factor = self.fconst(ty, factor);
        Ok(vec![self.fmul(x.re, factor)])
    }

    fn complex_arg(&mut self, args: &[Val]) -> Res<(Value, Value)> {
        let x = self.arg(args, 0)?.clone();
        let x = self.num(&x)?;
        let x = if x.kind.is_complex() {
            x
        } else {
            self.as_kind(x, Scalar::Complex128)
        };
        Ok(self.parts(x))
    }

    fn real_or_imag(&mut self, args: &[Val], ret: Type, imag: bool) -> Res<Vec<Value>> {
        let value = self.arg(args, 0)?.clone();
        if self.types.as_array(value.ty).is_some() {
            return self.array_part(&value, ret, imag);
        }
        let x = self.num(&value)?;
        let kind = self.kind_of(ret)?;
        let picked = match (x.im, imag) {
            (Some(im), true) => Num::real(part_kind(x.kind), im),
            (Some(_), false) => Num::real(part_kind(x.kind), x.re),
            (None, false) => x,
            (None, true) => return self.zeros(ret),
        };
        Ok(self.as_kind(picked, kind).leaves())
    }

    /// The bits of a real number as those of another type of its width.
    fn reinterpret(&mut self, value: Val, ret: Type) -> Res<Vec<Value>> {
        let x = self.num(&value)?.re;
        let to = super::model::part(self.kind_of(ret)?);
        if self.ty(x) == to {
            return Ok(vec![x]);
        }
        Ok(vec![self.convert(ConvertOp::Bitcast, x, to)])
    }

    fn modf_pair(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let items = self.types.tuple_items(ret).unwrap_or_default();
        let Some(&float) = items.first() else {
            return Err(Fault::bug("modf() of another type than a pair"));
        };
        let x = self.number(args, 0, float)?.re;
        let whole = self.unary(UnaryOp::Trunc, x);
        let rest = self.fsub(x, whole);
        let distance = self.unary(UnaryOp::FAbs, x);
        let infinite = self.fcmp_imm(FloatCc::Eq, distance, f64::INFINITY);
        let zero = self.fconst(self.ty(x), 0.0);
        let rest = self.select(infinite, zero, rest);
        Ok(vec![self.fbin(BinaryOp::FCopysign, rest, x), whole])
    }

    fn frexp_pair(&mut self, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let items = self.types.tuple_items(ret).unwrap_or_default();
        let &[mantissa, exponent] = items.as_slice() else {
            return Err(Fault::bug("frexp() of another type than a pair"));
        };
        let x = self.number(args, 0, mantissa)?;
        let (m, e) = self.frexp(x.re);
        let mut out = vec![m];
        let kind = self.kind_of(exponent)?;
        out.extend(self.as_kind(Num::real(Scalar::Int64, e), kind).leaves());
        Ok(out)
    }

    /// `x is None` for an optional among the operands.
    fn is_none(&mut self, args: &[Val]) -> Res<Value> {
        for arg in args {
            if let TypeKind::Optional(_) = self.types.kind(arg.ty) {
                return Ok(self.not(arg.leaves[0]));
            }
        }
        let none = self.arg(args, 0)?.ty == Type::NONE
            && args.get(1).is_none_or(|other| other.ty == Type::NONE);
        Ok(self.bool(none))
    }
}

/// True for operations that compute with the values of scalars; the others move values and know every type.
fn computes(op: Op) -> bool {
    !matches!(
        op,
        Op::Constant
            | Op::NoneValue
            | Op::NoAttribute
            | Op::Limits
            | Op::Bool(_)
            | Op::Identity
            | Op::TupleNew
            | Op::Convert
            | Op::Truth
            | Op::Not
            | Op::ArraySet
            | Op::ArraySetMask
            | Op::ArrayNew(_)
            | Op::ArrayNewLike(_)
            | Op::ArrayFill
            | Op::ArrayFlatSet
            | Op::ArrayOfList
            | Op::ArrayOfNested
            | Op::CallPointer
            | Op::ArrayAt
            | Op::PointerSet
            | Op::RecordSet
            | Op::ArrayFieldSet
            | Op::List(_)
            | Op::Set(_)
            | Op::Dict(_)
            | Op::Print
            | Op::Device(DeviceFn::Atomic(_) | DeviceFn::CachedStore(_) | DeviceFn::Bfloat(_))
    )
}
