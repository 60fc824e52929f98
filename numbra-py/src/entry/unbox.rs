//! From a Python object to the leaves of a type: inline for exact classes, else by the helper.

use super::builder::Entry;
use crate::layout as at;
use crate::types::{container_class, is_object, shared_helper};
use numbra_abi::ArrayLayout;
use numbra_ir::{Scalar, Type, TypeKind};
use numbra_lir::{
    BinaryOp, Block, ConvertOp, GuardKind, InstBuilder, InstKind, IntCc, Terminator, Ty, Value,
};
use numbra_lower::lowering::{Owner, leaves, owner};

impl Entry<'_> {
    /// Appends the leaves of `object` as `ty`, or misses.
    pub(super) fn unbox(
        &mut self,
        ty: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        match self.types.kind(ty).clone() {
            TypeKind::Scalar(scalar, _) => return self.unbox_scalar(ty, scalar, object, out),
            TypeKind::None => {
                let none = self.symbol("_Py_NoneStruct");
                let hit = self.icmp(IntCc::Eq, object, none);
                self.guard_hit(hit);
                return Ok(());
            }
            TypeKind::Array(_) => return self.unbox_array(ty, object, out),
            TypeKind::Unicode => return self.unbox_text(ty, object, out),
            TypeKind::Bytes => {
                self.unbox_bytes(object, out);
                return Ok(());
            }
            _ => {}
        }
        if let Some(class) = container_class(self.types, ty) {
            return self.unbox_list(ty, class, object, out);
        }
        if let TypeKind::Ext { .. } = self.types.kind(ty)
            && !is_object(self.types, ty)
        {
            return self.unbox_owned(ty, object, out);
        }
        match owner(self.types, ty) {
            Some(Owner::Nobody) => self.unbox_generic(ty, object, out),
            Some(Owner::Both) => match shared_helper(self.types, ty) {
                Some(helper) => {
                    let shared = self.unbox_shared(helper, ty, object);
                    out.push(shared);
                    Ok(())
                }
                None => self.unbox_generic(ty, object, out),
            },
            Some(Owner::Object { leaf }) => self.unbox_object(ty, leaf, object, out),
            Some(Owner::Value { leaf }) => self.unbox_value(ty, 0, ty, leaf, object, out),
            Some(Owner::Optional(inner)) => self.unbox_optional(inner, object, out),
            Some(Owner::Parts(items)) if self.types.tuple_items(ty).is_some() => {
                self.unbox_tuple(ty, &items, object, out)
            }
            Some(Owner::Parts(parts)) => {
                let is_polynomial = matches!(self.types.kind(ty), TypeKind::Polynomial(_));
                if !is_polynomial {
                    return self.unbox_generic(ty, object, out);
                }
                for (n, &part) in parts.iter().enumerate() {
                    self.unbox_value(ty, n, part, ArrayLayout::OWNER, object, out)?;
                }
                Ok(())
            }
            None => Err(format!(
                "cannot convert a Python object to native {}",
                self.types.display(ty)
            )),
        }
    }

    /// A tuple, item by item.
    fn unbox_tuple(
        &mut self,
        ty: Type,
        items: &[Type],
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        if let TypeKind::NamedTuple(name, ..) = self.types.kind(ty) {
            let is_tuple = self.has_type(object, &format!("numbra_class_{name}"));
            self.guard_hit(is_tuple);
        } else {
            // Instances of classes without named fields are tuples like any other.
            let exact = self.has_type(object, "PyTuple_Type");
            let (then, other) = self.branch(exact, true);
            self.block = other;
            let plain = self
                .import_call("numbra_py_is_plain_tuple", &[object], Some(Ty::I32))
                .expect("it has a result");
            let zero = self.iconst(Ty::I32, 0);
            let plain = self.icmp(IntCc::Ne, plain, zero);
            self.guard_hit(plain);
            let from = self.block;
            self.jump(from, then, Vec::new());
            self.block = then;
        }
        let size = self.load(Ty::I64, object, at::TUPLE_SIZE);
        let want = self.iconst(Ty::I64, items.len() as i128);
        let same = self.icmp(IntCc::Eq, size, want);
        self.guard_hit(same);
        for (index, item) in items.iter().enumerate() {
            let element = self.load(Ty::PTR, object, at::TUPLE_ITEMS + 8 * index as i32);
            self.unbox(*item, element, out)?;
        }
        Ok(())
    }

    pub(super) fn guard_hit(&mut self, cond: Value) {
        let miss = self.miss;
        self.guard(cond, GuardKind::Check, miss);
    }

    /// True if `object`'s type is exactly the one behind `symbol`.
    pub(super) fn has_type(&mut self, object: Value, symbol: &str) -> Value {
        let ty = self.load(Ty::PTR, object, at::OB_TYPE);
        let want = self.symbol(symbol);
        self.icmp(IntCc::Eq, ty, want)
    }

    /// Through the helper: `numbra_py_unbox(object, type, leaves) -> hit`.
    fn unbox_generic(
        &mut self,
        ty: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let shape = leaves(self.types, ty)?;
        let block = self.unbox_to_block(ty, object, shape.len());
        for (index, &leaf) in shape.iter().enumerate() {
            let value = self.load_leaf(leaf, block, 16 * index as i32);
            out.push(value);
        }
        Ok(())
    }

    /// As [`Entry::unbox_generic`] where the leaves are references that nobody else has.
    fn unbox_owned(&mut self, ty: Type, object: Value, out: &mut Vec<Value>) -> Result<(), String> {
        let shape = leaves(self.types, ty)?;
        let refs = (0..shape.len()).filter(|at| shape[*at] == Ty::Ref);
        let refs = refs.map(|at| 16 * at as u32).collect();
        let block = self.frame(16 * shape.len().max(1) as u32, refs);
        let code = self.type_code(ty);
        let hit = self
            .import_call(
                "numbra_py_unbox_owned",
                &[object, code, block],
                Some(Ty::I32),
            )
            .expect("it has a result");
        let zero = self.iconst(Ty::I32, 0);
        let hit = self.icmp(IntCc::Ne, hit, zero);
        self.guard_hit(hit);
        for (index, &leaf) in shape.iter().enumerate() {
            let value = self.load_leaf(leaf, block, 16 * index as i32);
            out.push(value);
        }
        Ok(())
    }

    /// Has the helper fill a block of this frame with the leaves, or misses.
    pub(super) fn unbox_to_block(&mut self, ty: Type, object: Value, count: usize) -> Value {
        let block = self.frame(16 * count.max(1) as u32, Vec::new());
        let code = self.type_code(ty);
        let hit = self
            .import_call("numbra_py_unbox", &[object, code, block], Some(Ty::I32))
            .expect("it has a result");
        let zero = self.iconst(Ty::I32, 0);
        let hit = self.icmp(IntCc::Ne, hit, zero);
        self.guard_hit(hit);
        block
    }

    /// What the object shares with others: `helper(object, type) -> shared`, borrowed as the object is; null for a miss.
    fn unbox_shared(&mut self, helper: &str, ty: Type, object: Value) -> Value {
        let code = self.type_code(ty);
        let shared = self
            .import_call(helper, &[object, code], Some(Ty::PTR))
            .expect("it has a result");
        let null = self.one(InstKind::Null, Ty::PTR);
        let hit = self.icmp(IntCc::Ne, shared, null);
        self.guard_hit(hit);
        self.borrowed(shared)
    }

    /// Goes on in `done` with the leaves that the helper finds.
    fn unbox_slowly(
        &mut self,
        ty: Type,
        object: Value,
        slow: Block,
        done: Block,
    ) -> Result<(), String> {
        self.block = slow;
        let mut leaves = Vec::new();
        self.unbox_generic(ty, object, &mut leaves)?;
        let from = self.block;
        self.jump(from, done, leaves);
        self.block = done;
        Ok(())
    }

    fn load_leaf(&mut self, leaf: Ty, block: Value, offset: i32) -> Value {
        if leaf == Ty::I1 {
            let byte = self.load(Ty::I8, block, offset);
            let zero = self.iconst(Ty::I8, 0);
            return self.icmp(IntCc::Ne, byte, zero);
        }
        self.load(leaf, block, offset)
    }

    /// A type as a number that the helpers understand: its key in the process that loads the code.
    pub(super) fn type_code(&mut self, ty: Type) -> Value {
        let name = crate::symbols::of_type(self.types, ty);
        let code = self.symbol(&name);
        self.one(
            InstKind::Convert {
                op: ConvertOp::PtrToInt,
                arg: code,
            },
            Ty::I64,
        )
    }

    fn unbox_scalar(
        &mut self,
        ty: Type,
        scalar: Scalar,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        match scalar {
            Scalar::Int64 => {
                // Exact `int` of at most one digit inline; everything else by the helper.
                let exact = self.has_type(object, "PyLong_Type");
                let (then, other) = self.branch(exact, true);
                let (fast, done) = (self.func.push_block(), self.func.push_block());
                let result = self.func.push_param(done, Ty::I64);
                self.block = then;
                let size = self.load(Ty::I64, object, at::LONG_SIZE);
                let digit = self.load(Ty::I32, object, at::LONG_DIGITS);
                let digit = self.convert(ConvertOp::ZExt, digit, Ty::I64);
                let (small, sign) = if at::LONG_HAS_TAG {
                    let limit = self.iconst(Ty::I64, 16);
                    let small = self.icmp(IntCc::Ult, size, limit);
                    let three = self.iconst(Ty::I64, 3);
                    let low = self.binary(BinaryOp::And, size, three);
                    let one = self.iconst(Ty::I64, 1);
                    (small, self.binary(BinaryOp::ISub, one, low))
                } else {
                    let one = self.iconst(Ty::I64, 1);
                    let shifted = self.binary(BinaryOp::IAdd, size, one);
                    let limit = self.iconst(Ty::I64, 3);
                    (self.icmp(IntCc::Ult, shifted, limit), size)
                };
                let term = Terminator::Brif {
                    cond: small,
                    then: self.jump_to(fast),
                    other: self.jump_to(other),
                };
                self.term(then, term);
                self.block = fast;
                let value = self.binary(BinaryOp::IMul, digit, sign);
                self.jump(fast, done, vec![value]);
                self.unbox_slowly(ty, object, other, done)?;
                out.push(result);
                Ok(())
            }
            Scalar::Float64 => {
                self.unbox_exact(ty, object, "PyFloat_Type", &[at::FLOAT_VALUE], out)
            }
            Scalar::Complex128 => self.unbox_exact(
                ty,
                object,
                "PyComplex_Type",
                &[at::COMPLEX_VALUE, at::COMPLEX_VALUE + 8],
                out,
            ),
            Scalar::Bool => {
                let yes = self.symbol("_Py_TrueStruct");
                let no = self.symbol("_Py_FalseStruct");
                let is_true = self.icmp(IntCc::Eq, object, yes);
                let is_false = self.icmp(IntCc::Eq, object, no);
                let either = self.binary(BinaryOp::Or, is_true, is_false);
                let (then, other) = self.branch(either, true);
                let done = self.func.push_block();
                let result = self.func.push_param(done, Ty::I1);
                self.jump(then, done, vec![is_true]);
                self.unbox_slowly(ty, object, other, done)?;
                out.push(result);
                Ok(())
            }
            Scalar::Int8
            | Scalar::Int16
            | Scalar::Int32
            | Scalar::UInt8
            | Scalar::UInt16
            | Scalar::UInt32
            | Scalar::UInt64
            | Scalar::Float16
            | Scalar::BFloat16
            | Scalar::Float32
            | Scalar::Complex64 => self.unbox_generic(ty, object, out),
        }
    }

    /// f64 leaves at fixed offsets of an object of exactly one type, else the helper.
    fn unbox_exact(
        &mut self,
        ty: Type,
        object: Value,
        class: &str,
        offsets: &[i32],
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let exact = self.has_type(object, class);
        let (then, other) = self.branch(exact, true);
        let done = self.func.push_block();
        let results: Vec<Value> = offsets
            .iter()
            .map(|_| self.func.push_param(done, Ty::F64))
            .collect();
        self.block = then;
        let values: Vec<Value> = offsets
            .iter()
            .map(|&offset| self.load(Ty::F64, object, offset))
            .collect();
        self.jump(then, done, values);
        self.unbox_slowly(ty, object, other, done)?;
        out.extend(results);
        Ok(())
    }

    /// `None` or a value: tag, then the payload (zero bits when None).
    fn unbox_optional(
        &mut self,
        inner: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        if self.types.kind(inner).is_container() {
            return Err(format!(
                "an optional {} cannot be passed",
                self.types.display(inner)
            ));
        }
        let shape = leaves(self.types, inner)?;
        let none = self.symbol("_Py_NoneStruct");
        let is_none = self.icmp(IntCc::Eq, object, none);
        let (absent, present) = self.branch(is_none, false);
        let done = self.func.push_block();
        let tag = self.func.push_param(done, Ty::I1);
        let payload: Vec<Value> = shape
            .iter()
            .map(|&leaf| self.func.push_param(done, leaf))
            .collect();
        self.block = absent;
        let mut values = vec![self.iconst(Ty::I1, 0)];
        for &leaf in &shape {
            let zero = self.zero(leaf);
            values.push(zero);
        }
        self.jump(absent, done, values);
        self.block = present;
        let mut values = vec![self.iconst(Ty::I1, 1)];
        self.unbox(inner, object, &mut values)?;
        let from = self.block;
        self.jump(from, done, values);
        self.block = done;
        out.push(tag);
        out.extend(payload);
        Ok(())
    }
}
