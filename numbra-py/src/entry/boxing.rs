//! From the leaves of a result to a Python object.

use super::builder::Entry;
use crate::types::{has_object, is_object};
use numbra_ir::{Scalar, Type, TypeKind};
use numbra_lir::{BinaryOp, Block, ConvertOp, InstBuilder, InstKind, IntCc, Ty, Value};
use numbra_lower::lowering::leaves;
use pyo3::ffi;

impl Entry<'_> {
    /// A new reference to the Python object for a value; takes its leaves from the front of `rest`.
    pub(super) fn box_value(&mut self, ty: Type, rest: &mut &[Value]) -> Result<Value, String> {
        let mut take = || {
            let (first, tail) = rest
                .split_first()
                .expect("the root returns all leaves of its result type");
            *rest = tail;
            *first
        };
        match self.types.kind(ty).clone() {
            TypeKind::Ext { .. } if is_object(self.types, ty) => {
                let owner = take();
                let object = self.convert(ConvertOp::RefToPtr, owner, Ty::PTR);
                let code = self.type_code(ty);
                let made =
                    self.import_call("numbra_py_box_instance", &[code, object], Some(Ty::PTR));
                // Until the helper has taken a reference of its own.
                self.inst(InstKind::Keep(vec![owner]), &[]);
                Ok(made.expect("it has a result"))
            }
            TypeKind::None | TypeKind::Omitted(_) => Ok(self.new_reference("_Py_NoneStruct")),
            TypeKind::Scalar(scalar, _) => {
                let value = take();
                if scalar == Scalar::Bool {
                    let yes = self.symbol("_Py_TrueStruct");
                    let no = self.symbol("_Py_FalseStruct");
                    let chosen = self.one(
                        InstKind::Select {
                            cond: value,
                            then: yes,
                            other: no,
                        },
                        Ty::PTR,
                    );
                    self.incref(chosen);
                    return Ok(chosen);
                }
                if scalar.is_complex() {
                    let imag = take();
                    let (re, im) = (
                        self.convert(ConvertOp::FpExt, value, Ty::F64),
                        self.convert(ConvertOp::FpExt, imag, Ty::F64),
                    );
                    return Ok(self
                        .import_call("PyComplex_FromDoubles", &[re, im], Some(Ty::PTR))
                        .expect("it has a result"));
                }
                let (symbol, value) = if scalar.is_float() {
                    (
                        "PyFloat_FromDouble",
                        self.convert(ConvertOp::FpExt, value, Ty::F64),
                    )
                } else if scalar.is_unsigned_int() {
                    (
                        "PyLong_FromUnsignedLongLong",
                        self.convert(ConvertOp::ZExt, value, Ty::I64),
                    )
                } else {
                    (
                        "PyLong_FromLongLong",
                        self.convert(ConvertOp::SExt, value, Ty::I64),
                    )
                };
                Ok(self
                    .import_call(symbol, &[value], Some(Ty::PTR))
                    .expect("it has a result"))
            }
            TypeKind::Unicode => {
                let [data, length, width, _, _, owner] = std::array::from_fn(|_| take());
                let op = ConvertOp::RefToPtr;
                let address = self.one(InstKind::Convert { op, arg: owner }, Ty::PTR);
                let boxed = self
                    .import_call(
                        "numbra_py_box_text",
                        &[data, length, width, address],
                        Some(Ty::PTR),
                    )
                    .expect("it has a result");
                // Keeps the reference alive until the helper has taken its own.
                self.inst(InstKind::Keep(vec![owner]), &[]);
                Ok(boxed)
            }
            TypeKind::Optional(inner) => {
                let tag = take();
                let count = leaves(self.types, inner)?.len();
                let (payload, tail) = rest.split_at(count);
                *rest = tail;
                let (present, absent) = self.branch(tag, false);
                let done = self.func.push_block();
                let result = self.func.push_param(done, Ty::PTR);
                self.block = present;
                let mut payload = payload;
                let boxed = self.box_value(inner, &mut payload)?;
                let from = self.block;
                self.jump(from, done, vec![boxed]);
                self.block = absent;
                let none = self.new_reference("_Py_NoneStruct");
                let from = self.block;
                self.jump(from, done, vec![none]);
                self.block = done;
                Ok(result)
            }
            TypeKind::UniTuple(..) | TypeKind::Tuple(_) if self.is_made_in_place(ty) => {
                self.box_tuple(ty, rest)
            }
            _ if !has_object(self.types, ty) => Err(format!(
                "cannot convert native {} to Python object",
                self.types.display(ty)
            )),
            _ => {
                // Arrays, tuples, strings: by the helper, which consumes the references among the leaves.
                let shape = leaves(self.types, ty)?;
                let block = self.frame(16 * shape.len().max(1) as u32, Vec::new());
                let mut refs = Vec::new();
                for (index, &leaf) in shape.iter().enumerate() {
                    let (first, tail) = rest
                        .split_first()
                        .expect("the root returns all leaves of its result type");
                    *rest = tail;
                    let mut value = *first;
                    if leaf == Ty::Ref {
                        refs.push(value);
                        // The helper takes a reference of its own; ours ends after the call.
                        value = self.one(
                            InstKind::Convert {
                                op: ConvertOp::RefToPtr,
                                arg: value,
                            },
                            Ty::PTR,
                        );
                    }
                    if leaf == Ty::I1 {
                        value = self.one(
                            InstKind::Convert {
                                op: ConvertOp::ZExt,
                                arg: value,
                            },
                            Ty::I8,
                        );
                    }
                    self.store(block, 16 * index as i32, value);
                }
                let code = self.type_code(ty);
                let boxed = self
                    .import_call("numbra_py_box", &[code, block], Some(Ty::PTR))
                    .expect("it has a result");
                if !refs.is_empty() {
                    // Keeps the references alive until the helper has taken its own.
                    self.inst(InstKind::Keep(refs), &[]);
                }
                Ok(boxed)
            }
        }
    }

    /// True for short tuples of what is boxed without the helper, or are arrays.
    fn is_made_in_place(&self, ty: Type) -> bool {
        const MOST: usize = 16;
        let Some(items) = self.types.tuple_items(ty) else {
            return false;
        };
        (1..=MOST).contains(&items.len())
            && items.iter().all(|&item| match self.types.kind(item) {
                TypeKind::Scalar(scalar, _) => {
                    !matches!(scalar, Scalar::Float16 | Scalar::BFloat16)
                }
                TypeKind::None | TypeKind::Array(_) | TypeKind::Unicode => true,
                TypeKind::UniTuple(..) | TypeKind::Tuple(_) => self.is_made_in_place(item),
                _ => false,
            })
    }

    /// A tuple that is filled with its items one by one; null where one of them could not be made.
    fn box_tuple(&mut self, ty: Type, rest: &mut &[Value]) -> Result<Value, String> {
        let items = self.types.tuple_items(ty).unwrap_or_default();
        let length = self.iconst(Ty::I64, items.len() as i128);
        let tuple = self
            .import_call("PyTuple_New", &[length], Some(Ty::PTR))
            .expect("it has a result");
        let done = self.func.push_block();
        let result = self.func.push_param(done, Ty::PTR);
        let null = self.one(InstKind::Null, Ty::PTR);
        let (made, failed) = self.branch_not_null(tuple);
        self.jump(failed, done, vec![null]);
        self.block = made;
        let given_up = self.func.push_block();
        self.func.blocks[given_up].cold = true;
        let first = std::mem::offset_of!(ffi::PyTupleObject, ob_item);
        for (n, &item) in items.iter().enumerate() {
            let item = self.box_value(item, rest)?;
            let offset = first + n * size_of::<*mut ffi::PyObject>();
            self.store_object(tuple, offset as i32, item);
            let (made, failed) = self.branch_not_null(item);
            self.jump(failed, given_up, Vec::new());
            self.block = made;
        }
        let made = self.block;
        self.jump(made, done, vec![tuple]);
        self.block = given_up;
        self.import_call("Py_DecRef", &[tuple], None);
        self.jump(given_up, done, vec![null]);
        self.block = done;
        Ok(result)
    }

    /// The blocks where an object was made, and where it was not.
    fn branch_not_null(&mut self, object: Value) -> (Block, Block) {
        let null = self.one(InstKind::Null, Ty::PTR);
        let (cc, lhs, rhs) = (IntCc::Ne, object, null);
        let made = self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1);
        self.branch(made, true)
    }

    fn new_reference(&mut self, symbol: &str) -> Value {
        let object = self.symbol(symbol);
        self.incref(object);
        object
    }

    /// `Py_INCREF` for the immortal-aware counters of 3.12 and the plain one of 3.11; the objects here are singletons.
    fn incref(&mut self, object: Value) {
        if cfg!(Py_3_12) {
            return; // None, True and False are immortal.
        }
        let count = self.load(Ty::I64, object, 0);
        let one = self.iconst(Ty::I64, 1);
        let more = self.binary(BinaryOp::IAdd, count, one);
        self.store_object(object, 0, more);
    }

    /// Stores into an object.
    fn store_object(&mut self, object: Value, offset: i32, value: Value) {
        let flags = Entry::flags();
        let store = InstKind::Store {
            addr: object,
            offset,
            value,
            flags,
        };
        self.inst(store, &[]);
    }
}
