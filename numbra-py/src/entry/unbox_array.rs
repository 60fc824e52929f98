//! From an `ndarray` to the leaves of an array type, without an allocation.

use super::builder::Entry;
use crate::layout as at;
use numbra_abi::{HEADER, header_flags};
use numbra_ir::{Layout, Type};
use numbra_lir::{BinaryOp, ConvertOp, InstBuilder, InstKind, IntCc, Ty, Value};
use numbra_lower::lowering::leaves;

/// The leaf of a string that is its owner.
const TEXT_OWNER: usize = 5;

impl Entry<'_> {
    /// An `ndarray` whose dtype, rank and flags are exactly those of the type; the owner is a header in this frame.
    pub(super) fn unbox_array(
        &mut self,
        ty: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let array = self.types.as_array(ty).expect("the caller checked");
        let descr = crate::numpy::descr_symbol(self.types, array.dtype);
        if self.types.element(array.dtype).is_none() {
            return Err(format!(
                "arrays of {} cannot be passed yet",
                self.types.display(array.dtype)
            ));
        }
        let shape = leaves(self.types, ty)?;
        let done = self.func.push_block();
        let results: Vec<Value> = shape
            .iter()
            .map(|&leaf| self.func.push_param(done, leaf))
            .collect();
        let slow = self.func.push_block();
        self.func.blocks[slow].cold = true;

        let header = self.frame(HEADER.size, Vec::new());
        let exact = self.has_type(object, "numbra_py_PyArray_Type");
        self.check_or(exact, slow);
        // Dtypes of times, records and char sequences are many objects: the helper compares them.
        let same = match descr {
            Some(descr) => {
                let wanted = self.symbol(&descr);
                let found = self.load(Ty::PTR, object, at::ARRAY_DESCR);
                self.icmp(IntCc::Eq, wanted, found)
            }
            None => self.iconst(Ty::I1, 0),
        };
        self.check_or(same, slow);
        // Rank and flags in one test each.
        let ndim = self.load(Ty::I32, object, at::ARRAY_NDIM);
        let want = self.iconst(Ty::I32, i128::from(array.ndim));
        let same = self.icmp(IntCc::Eq, ndim, want);
        self.check_or(same, slow);
        let (mask, value) = flag_test(array.layout, array.mutable, array.aligned);
        let flags = self.load(Ty::I32, object, at::ARRAY_FLAGS);
        let mask = self.iconst(Ty::I32, i128::from(mask));
        let masked = self.binary(BinaryOp::And, flags, mask);
        let value = self.iconst(Ty::I32, i128::from(value));
        let same = self.icmp(IntCc::Eq, masked, value);
        self.check_or(same, slow);

        let data = self.load(Ty::PTR, object, at::ARRAY_DATA);
        self.fill_header(header, object, data);
        let owner = self.borrowed(header);
        let mut fast = vec![data, owner];
        let dims = self.load(Ty::PTR, object, at::ARRAY_SHAPE);
        for axis in 0..i32::from(array.ndim) {
            let n = self.load(Ty::I64, dims, 8 * axis);
            fast.push(n);
        }
        let strides = self.load(Ty::PTR, object, at::ARRAY_STRIDES);
        for axis in 0..i32::from(array.ndim) {
            let n = self.load(Ty::I64, strides, 8 * axis);
            fast.push(n);
        }
        let from = self.block;
        self.jump(from, done, fast);

        self.block = slow;
        let block = self.unbox_to_block(ty, object, shape.len());
        let mut values = Vec::new();
        for (index, &leaf) in shape.iter().enumerate() {
            if index == numbra_abi::ArrayLayout::OWNER {
                values.push(object); // replaced below by the header of this frame
            } else {
                let value = self.load(leaf, block, 16 * index as i32);
                values.push(value);
            }
        }
        self.fill_header(header, object, values[0]);
        values[numbra_abi::ArrayLayout::OWNER] = self.borrowed(header);
        let from = self.block;
        self.jump(from, done, values);
        self.block = done;
        out.extend(results);
        Ok(())
    }

    /// What lies in memory of the object; the owner is a header in this frame.
    pub(super) fn unbox_object(
        &mut self,
        ty: Type,
        owner: usize,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let shape = leaves(self.types, ty)?;
        let block = self.unbox_to_block(ty, object, shape.len());
        let data = self.load(Ty::PTR, block, 0);
        let header = self.frame(HEADER.size, Vec::new());
        self.fill_header(header, object, data);
        for (index, &leaf) in shape.iter().enumerate() {
            out.push(if index == owner {
                self.borrowed(header)
            } else {
                self.load(leaf, block, 16 * index as i32)
            });
        }
        Ok(())
    }

    /// A value, or part `part` of one, that the helper makes of the object, and that owns what it points to.
    pub(super) fn unbox_value(
        &mut self,
        whole: Type,
        part: usize,
        ty: Type,
        owner: usize,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let shape = leaves(self.types, ty)?;
        let block = self.frame(16 * shape.len() as u32, Vec::new());
        let code = self.type_code(whole);
        let part = self.iconst(Ty::I64, part as i128);
        let header = self
            .import_call(
                "numbra_py_unbox_value",
                &[object, code, part, block],
                Some(Ty::Ref),
            )
            .expect("it has a result");
        let op = ConvertOp::RefToPtr;
        let address = self.one(InstKind::Convert { op, arg: header }, Ty::PTR);
        let null = self.one(InstKind::Null, Ty::PTR);
        let hit = self.icmp(IntCc::Ne, address, null);
        self.guard_hit(hit);
        for (index, &leaf) in shape.iter().enumerate() {
            out.push(if index == owner {
                header
            } else {
                self.load(leaf, block, 16 * index as i32)
            });
        }
        Ok(())
    }

    /// The characters of a `str`, inline where they stand behind its header, as almost all do.
    pub(super) fn unbox_text(
        &mut self,
        ty: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let Some(layout) = at::TEXT else {
            return self.unbox_object(ty, TEXT_OWNER, object, out);
        };
        let shape = leaves(self.types, ty)?;
        let done = self.func.push_block();
        let results: Vec<Value> = shape
            .iter()
            .map(|&leaf| self.func.push_param(done, leaf))
            .collect();
        let slow = self.func.push_block();
        self.func.blocks[slow].cold = true;

        let exact = self.has_type(object, "PyUnicode_Type");
        self.check_or(exact, slow);
        let state = self.load(Ty::I32, object, layout.state);
        let bits = |entry: &mut Self, shift: i128, mask: i128| {
            let shift = entry.iconst(Ty::I32, shift);
            let mask = entry.iconst(Ty::I32, mask);
            let moved = entry.binary(BinaryOp::LShr, state, shift);
            entry.binary(BinaryOp::And, moved, mask)
        };
        let width = bits(self, 2, 7);
        let is_compact = bits(self, 5, 1);
        let is_ascii = bits(self, 6, 1);
        let zero = self.iconst(Ty::I32, 0);
        let compact = self.icmp(IntCc::Ne, is_compact, zero);
        self.check_or(compact, slow);
        let ascii = self.icmp(IntCc::Ne, is_ascii, zero);
        let [short, long] = [layout.ascii, layout.compact].map(|size| self.iconst(Ty::I64, size));
        let offset = self.one(
            InstKind::Select {
                cond: ascii,
                then: short,
                other: long,
            },
            Ty::I64,
        );
        let base = object;
        let data = self.one(InstKind::PtrAdd { base, offset }, Ty::PTR);
        let length = self.load(Ty::I64, object, layout.length);
        let unknown = self.iconst(Ty::I64, -1);
        let header = self.frame(HEADER.size, Vec::new());
        self.fill_header(header, object, data);
        let owner = self.borrowed(header);
        let from = self.block;
        let fast = vec![data, length, width, is_ascii, unknown, owner];
        self.jump(from, done, fast);

        self.block = slow;
        let mut values = Vec::new();
        self.unbox_object(ty, TEXT_OWNER, object, &mut values)?;
        let from = self.block;
        self.jump(from, done, values);
        self.block = done;
        out.extend(results);
        Ok(())
    }

    /// The memory of `bytes`; the owner is a header in this frame.
    pub(super) fn unbox_bytes(&mut self, object: Value, out: &mut Vec<Value>) {
        let class = self.load(Ty::PTR, object, at::OB_TYPE);
        let flags = self.load(Ty::I64, class, at::TYPE_FLAGS);
        let mask = self.iconst(Ty::I64, i128::from(at::TPFLAGS_BYTES_SUBCLASS));
        let of_bytes = self.binary(BinaryOp::And, flags, mask);
        let zero = self.iconst(Ty::I64, 0);
        let is_bytes = self.icmp(IntCc::Ne, of_bytes, zero);
        self.guard_hit(is_bytes);
        let size = self.load(Ty::I64, object, at::BYTES_SIZE);
        let offset = self.iconst(Ty::I64, i128::from(at::BYTES_DATA));
        let base = object;
        let data = self.one(InstKind::PtrAdd { base, offset }, Ty::PTR);
        let header = self.frame(HEADER.size, Vec::new());
        self.fill_header(header, object, data);
        let owner = self.borrowed(header);
        let stride = self.iconst(Ty::I64, 1);
        out.extend([data, owner, size, stride]);
    }

    /// A header of this frame, or of an object that the caller keeps, as a reference.
    pub(super) fn borrowed(&mut self, header: Value) -> Value {
        let op = ConvertOp::Bitcast;
        self.one(InstKind::Convert { op, arg: header }, Ty::Ref)
    }

    /// A header in this frame: count 1, no destructor, owned by `object`.
    fn fill_header(&mut self, header: Value, object: Value, data: Value) {
        let one = self.iconst(Ty::I64, 1);
        self.store(header, HEADER.offset(0) as i32, one);
        let flag = self.iconst(Ty::I64, i128::from(header_flags::FRAME));
        self.store(header, HEADER.offset(2) as i32, flag);
        self.store(header, HEADER.offset(3) as i32, data);
        self.store(header, HEADER.offset(5) as i32, object);
    }
}

/// Mask and value of `PyArray_FLAGS` for an array type, as `typeof` decides: C before F before A.
fn flag_test(layout: Layout, mutable: bool, aligned: bool) -> (i32, i32) {
    let (mut mask, mut value) = match layout {
        Layout::C => (at::NPY_C_CONTIGUOUS, at::NPY_C_CONTIGUOUS),
        Layout::F => (
            at::NPY_C_CONTIGUOUS | at::NPY_F_CONTIGUOUS,
            at::NPY_F_CONTIGUOUS,
        ),
        Layout::A => (at::NPY_C_CONTIGUOUS | at::NPY_F_CONTIGUOUS, 0),
    };
    mask |= at::NPY_WRITEABLE | at::NPY_ALIGNED;
    if mutable {
        value |= at::NPY_WRITEABLE;
    }
    if aligned {
        value |= at::NPY_ALIGNED;
    }
    (mask, value)
}
