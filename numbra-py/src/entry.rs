//! The entry wrapper of a compiled signature: a LIR function with the vectorcall signature that checks exact argument
//! types, unboxes, calls the compiled function and boxes its results, all in machine code.
//!
//! ```text
//! PyObject *entry(PyObject *callable, PyObject *const *args, size_t nargsf, PyObject *kwnames)
//! ```
//!
//! What an inline check does not recognise goes to a helper (`numbra_py_unbox`), which accepts every object that
//! `typeof` gives the parameter's type; only then does the call miss and go to `numbra_py_dispatch`.

use crate::layout as at;
use numbra_abi::{HEADER, header_flags};
use numbra_base::{Origin, Span};
use numbra_ir::{Layout, Scalar, Type, TypeKind, Types};
use numbra_lower::lir::{
    AliasClass, Align, BinaryOp, Block, BlockCall, ConvertOp, Data, Func, FuncDecl, FuncRef,
    GuardKind, InstKind, IntCc, Linkage, MemFlags, Module, Signature, SlotData, Terminator, Ty,
    Value,
};
use numbra_lower::lowering::leaves;

/// Adds the wrapper for `root` to `module` and returns its symbol name.
///
/// `params` are the types of all parameters (`Omitted` for those left to their defaults), `ret` the result type.
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
    nogil: bool,
) -> Result<String, String> {
    let name = format!("{}.entry", module.functions[root].name);
    let sig = Signature::new(&[Ty::PTR, Ty::PTR, Ty::I64, Ty::PTR], &[Ty::PTR], false);
    let func = Func::new(sig.clone(), Span::NONE);
    let entry = func.entry();
    let mut b = Entry {
        types,
        module,
        func,
        block: entry,
        miss: entry,
        error: entry,
    };
    b.miss = b.func.push_block();
    b.error = b.func.push_block();
    b.func.blocks[b.miss].cold = true;
    b.func.blocks[b.error].cold = true;
    let ps = b.func.blocks[entry].params.clone();
    let (callable, args, nargsf, kwnames) = (ps[0], ps[1], ps[2], ps[3]);

    b.check_count(params, nargsf, kwnames);
    let mut leaves_in = Vec::new();
    for (index, &ty) in params.iter().enumerate() {
        if matches!(types.kind(ty), TypeKind::Omitted(_)) {
            continue;
        }
        let object = b.load(Ty::PTR, args, 8 * index as i32);
        b.unbox(ty, object, &mut leaves_in)?;
    }

    let root_sig = b.module.functions[root].sig.clone();
    let thread = if nogil {
        Some(
            b.import_call("PyEval_SaveThread", &[], Some(Ty::PTR))
                .expect("it has a result"),
        )
    } else {
        None
    };
    let mut result_types = Vec::new();
    if root_sig.raises {
        result_types.push(Ty::I32);
    }
    result_types.extend(&root_sig.results);
    let mut results = b.inst(
        InstKind::Call {
            func: root,
            args: leaves_in,
        },
        &result_types,
    );
    if let Some(thread) = thread {
        b.import_call("PyEval_RestoreThread", &[thread], None);
    }
    if root_sig.raises {
        let status = results.remove(0);
        let zero = b.iconst(Ty::I32, 0);
        let ok = b.icmp(IntCc::Eq, status, zero);
        let error = b.error;
        b.guard(ok, GuardKind::Status, error);
    }
    let mut rest = results.as_slice();
    let boxed = b.box_value(ret, &mut rest)?;
    let last = b.block;
    b.term(last, Terminator::Return(vec![boxed]));

    let miss = b.miss;
    b.block = miss;
    let answer = b
        .import_call(
            "numbra_py_dispatch",
            &[callable, args, nargsf, kwnames],
            Some(Ty::PTR),
        )
        .expect("it has a result");
    b.term(miss, Terminator::Return(vec![answer]));
    let error = b.error;
    b.block = error;
    let null = b
        .import_call("numbra_py_raise", &[callable], Some(Ty::PTR))
        .expect("it has a result");
    b.term(error, Terminator::Return(vec![null]));

    let Entry { func, module, .. } = b;
    module.functions.push(FuncDecl {
        name: name.clone(),
        linkage: Linkage::Export,
        sig,
        body: Some(func),
        inline_always: false,
        inline_never: true,
    });
    Ok(name)
}

struct Entry<'a> {
    types: &'a Types,
    module: &'a mut Module,
    func: Func,
    block: Block,
    /// Where an argument that is not of its parameter's type goes.
    miss: Block,
    /// Where a failed call goes.
    error: Block,
}

impl Entry<'_> {
    fn inst(&mut self, kind: InstKind, results: &[Ty]) -> Vec<Value> {
        let inst = self
            .func
            .push_inst(self.block, kind, results, self.func.span, Origin::Compiler);
        self.func.insts[inst].results.clone()
    }

    fn one(&mut self, kind: InstKind, ty: Ty) -> Value {
        self.inst(kind, &[ty])[0]
    }

    fn term(&mut self, block: Block, term: Terminator) {
        let span = self.func.span;
        self.func.set_term(block, term, span, Origin::Compiler);
    }

    fn iconst(&mut self, ty: Ty, value: i128) -> Value {
        self.one(InstKind::IConst(value), ty)
    }

    fn icmp(&mut self, cc: IntCc, lhs: Value, rhs: Value) -> Value {
        self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1)
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.func.ty(lhs);
        self.one(InstKind::Binary { op, lhs, rhs }, ty)
    }

    fn convert(&mut self, op: ConvertOp, arg: Value, to: Ty) -> Value {
        if self.func.ty(arg) == to {
            arg
        } else {
            self.one(InstKind::Convert { op, arg }, to)
        }
    }

    fn flags() -> MemFlags {
        MemFlags {
            alias: AliasClass::ARGS,
            align: Align(4),
            readonly: false,
            volatile: false,
        }
    }

    fn load(&mut self, ty: Ty, addr: Value, offset: i32) -> Value {
        self.one(
            InstKind::Load {
                addr,
                offset,
                flags: Entry::flags(),
            },
            ty,
        )
    }

    fn store(&mut self, addr: Value, offset: i32, value: Value) {
        let flags = MemFlags {
            alias: AliasClass::STACK,
            ..Entry::flags()
        };
        self.inst(
            InstKind::Store {
                addr,
                offset,
                value,
                flags,
            },
            &[],
        );
    }

    fn jump_to(&self, block: Block) -> BlockCall {
        BlockCall {
            block,
            args: Vec::new(),
        }
    }

    /// Continues when `cond` holds, else goes to `err`.
    fn guard(&mut self, cond: Value, kind: GuardKind, err: Block) {
        let ok = self.func.push_block();
        let from = self.block;
        let term = Terminator::Guard {
            cond,
            kind,
            ok: self.jump_to(ok),
            err: self.jump_to(err),
        };
        self.term(from, term);
        self.block = ok;
    }

    fn guard_hit(&mut self, cond: Value) {
        let miss = self.miss;
        self.guard(cond, GuardKind::Check, miss);
    }

    /// Splits on `cond`; returns the blocks of the two sides and leaves the position to the caller.
    fn branch(&mut self, cond: Value, cold_other: bool) -> (Block, Block) {
        let (then, other) = (self.func.push_block(), self.func.push_block());
        self.func.blocks[other].cold = cold_other;
        let from = self.block;
        let term = Terminator::Brif {
            cond,
            then: self.jump_to(then),
            other: self.jump_to(other),
        };
        self.term(from, term);
        (then, other)
    }

    fn jump(&mut self, from: Block, to: Block, args: Vec<Value>) {
        self.term(from, Terminator::Jump(BlockCall { block: to, args }));
    }

    /// The module's reference to an outside symbol.
    fn import(&mut self, name: &str, params: &[Ty], result: Option<Ty>) -> FuncRef {
        if let Some((func, _)) = self
            .module
            .functions
            .iter()
            .find(|(_, decl)| decl.name == name)
        {
            return func;
        }
        let results: Vec<Ty> = result.into_iter().collect();
        self.module.functions.push(FuncDecl {
            name: name.to_owned(),
            linkage: Linkage::Import,
            sig: Signature::new(params, &results, false),
            body: None,
            inline_always: false,
            inline_never: true,
        })
    }

    fn import_call(&mut self, name: &str, args: &[Value], result: Option<Ty>) -> Option<Value> {
        let params: Vec<Ty> = args.iter().map(|&v| self.func.ty(v)).collect();
        let func = self.import(name, &params, result);
        let results: Vec<Ty> = result.into_iter().collect();
        self.inst(
            InstKind::Call {
                func,
                args: args.to_vec(),
            },
            &results,
        )
        .first()
        .copied()
    }

    /// Address of an outside object, such as `PyFloat_Type`, from a cell that the loader fills: objects may lie farther
    /// away than an address relative to the code reaches.
    fn symbol(&mut self, name: &str) -> Value {
        let cell = format!("cell.{name}");
        let known = self.module.data.iter().find(|(_, d)| d.name == cell);
        let id = match known {
            Some((id, _)) => id,
            None => self.module.data.push(Data {
                name: cell,
                bytes: vec![0; 8],
                align: 8,
                writable: false,
                relocs: vec![(0, name.to_owned())],
            }),
        };
        let addr = self.one(InstKind::DataAddr(id), Ty::PTR);
        let flags = MemFlags {
            alias: AliasClass::CONST,
            align: Align(8),
            readonly: true,
            volatile: false,
        };
        let offset = 0;
        self.one(
            InstKind::Load {
                addr,
                offset,
                flags,
            },
            Ty::PTR,
        )
    }

    /// Misses unless positional arguments of the right number and no keywords were given.
    fn check_count(&mut self, params: &[Type], nargsf: Value, kwnames: Value) {
        let given = params.iter().take_while(|t| !self.is_omitted(**t)).count();
        let trailing = params[given..].iter().all(|t| self.is_omitted(*t));
        let expected = if trailing { given } else { params.len() };
        let mask = self.iconst(Ty::I64, i128::from(i64::MAX));
        let count = self.binary(BinaryOp::And, nargsf, mask);
        let expected = self.iconst(Ty::I64, expected as i128);
        let same = self.icmp(IntCc::Eq, count, expected);
        let null = self.one(InstKind::Null, Ty::PTR);
        let no_keywords = self.icmp(IntCc::Eq, kwnames, null);
        let hit = self.binary(BinaryOp::And, same, no_keywords);
        self.guard_hit(hit);
    }

    fn is_omitted(&self, ty: Type) -> bool {
        matches!(self.types.kind(ty), TypeKind::Omitted(_))
    }

    /// True if `object`'s type is exactly the one behind `symbol`.
    fn has_type(&mut self, object: Value, symbol: &str) -> Value {
        let ty = self.load(Ty::PTR, object, at::OB_TYPE);
        let want = self.symbol(symbol);
        self.icmp(IntCc::Eq, ty, want)
    }

    /// Appends the leaves of `object` as `ty`, or misses.
    fn unbox(&mut self, ty: Type, object: Value, out: &mut Vec<Value>) -> Result<(), String> {
        match self.types.kind(ty).clone() {
            TypeKind::Scalar(scalar, _) => self.unbox_scalar(ty, scalar, object, out),
            TypeKind::None => {
                let none = self.symbol("_Py_NoneStruct");
                let hit = self.icmp(IntCc::Eq, object, none);
                self.guard_hit(hit);
                Ok(())
            }
            TypeKind::Array(_) => self.unbox_array(ty, object, out),
            TypeKind::Optional(inner) => self.unbox_optional(inner, object, out),
            TypeKind::UniTuple(..)
            | TypeKind::Tuple(_)
            | TypeKind::StarArgTuple(_)
            | TypeKind::NamedTuple(..) => {
                let items = self.types.tuple_items(ty).expect("a tuple type has items");
                let shape = leaves(self.types, ty)?;
                let count: usize = items
                    .iter()
                    .map(|t| leaves(self.types, *t).map(|l| l.len()))
                    .sum::<Result<usize, _>>()?;
                if shape.len() != count {
                    return self.unbox_generic(ty, object, out);
                }
                let class = match self.types.kind(ty) {
                    TypeKind::NamedTuple(name, ..) => format!("numbra_class_{name}"),
                    _ => "PyTuple_Type".to_owned(),
                };
                let is_tuple = self.has_type(object, &class);
                self.guard_hit(is_tuple);
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
            TypeKind::Slice2 | TypeKind::Slice3 => self.unbox_generic(ty, object, out),
            _ if leaves(self.types, ty)?.is_empty() => self.unbox_generic(ty, object, out),
            _ => Err(format!(
                "cannot convert a Python object to native {}",
                self.types.display(ty)
            )),
        }
    }

    /// Through the helper: `numbra_py_unbox(object, type, leaves) -> hit`.
    fn unbox_generic(
        &mut self,
        ty: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let shape = leaves(self.types, ty)?;
        let block = self.frame(16 * shape.len().max(1) as u32, Vec::new());
        let code = self.type_code(ty);
        let hit = self
            .import_call("numbra_py_unbox", &[object, code, block], Some(Ty::I32))
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

    fn load_leaf(&mut self, leaf: Ty, block: Value, offset: i32) -> Value {
        if leaf == Ty::I1 {
            let byte = self.load(Ty::I8, block, offset);
            let zero = self.iconst(Ty::I8, 0);
            return self.icmp(IntCc::Ne, byte, zero);
        }
        self.load(leaf, block, offset)
    }

    /// A type as a number that the helpers understand: its key in this process.
    fn type_code(&mut self, ty: Type) -> Value {
        let code = crate::session::type_code(ty);
        self.iconst(Ty::I64, i128::from(code))
    }

    /// Address of a new stack slot.
    fn frame(&mut self, size: u32, refs: Vec<u32>) -> Value {
        let slot = self.func.slots.push(SlotData {
            size,
            align: 16,
            refs,
        });
        self.one(InstKind::SlotAddr(slot), Ty::PTR)
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
                self.block = other;
                let mut slow = Vec::new();
                self.unbox_generic(ty, object, &mut slow)?;
                let from = self.block;
                self.jump(from, done, slow);
                self.block = done;
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
                self.block = other;
                let mut slow = Vec::new();
                self.unbox_generic(ty, object, &mut slow)?;
                let from = self.block;
                self.jump(from, done, slow);
                self.block = done;
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
        self.block = other;
        let mut slow = Vec::new();
        self.unbox_generic(ty, object, &mut slow)?;
        let from = self.block;
        self.jump(from, done, slow);
        self.block = done;
        out.extend(results);
        Ok(())
    }

    /// An `ndarray` whose dtype, rank and flags are exactly those of the type; the owner is a header in this frame.
    fn unbox_array(&mut self, ty: Type, object: Value, out: &mut Vec<Value>) -> Result<(), String> {
        let array = self.types.as_array(ty).expect("the caller checked");
        let Some(descr) = crate::numpy::descr_symbol(self.types, array.dtype) else {
            return Err(format!(
                "arrays of {} cannot be passed yet",
                self.types.display(array.dtype)
            ));
        };
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
        let wanted = self.symbol(&descr);
        let found = self.load(Ty::PTR, object, at::ARRAY_DESCR);
        let same = self.icmp(IntCc::Eq, wanted, found);
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
        let owner = self.one(
            InstKind::Convert {
                op: ConvertOp::Bitcast,
                arg: header,
            },
            Ty::Ref,
        );
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
        let block = self.frame(16 * shape.len() as u32, Vec::new());
        let code = self.type_code(ty);
        let hit = self
            .import_call("numbra_py_unbox", &[object, code, block], Some(Ty::I32))
            .expect("it has a result");
        let zero = self.iconst(Ty::I32, 0);
        let hit = self.icmp(IntCc::Ne, hit, zero);
        self.guard_hit(hit);
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
        values[numbra_abi::ArrayLayout::OWNER] = self.one(
            InstKind::Convert {
                op: ConvertOp::Bitcast,
                arg: header,
            },
            Ty::Ref,
        );
        let from = self.block;
        self.jump(from, done, values);
        self.block = done;
        out.extend(results);
        Ok(())
    }

    fn check_or(&mut self, cond: Value, other: Block) {
        let next = self.func.push_block();
        let from = self.block;
        let term = Terminator::Brif {
            cond,
            then: self.jump_to(next),
            other: self.jump_to(other),
        };
        self.term(from, term);
        self.block = next;
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

    /// `None` or a value: tag, then the payload (zero bits when None).
    fn unbox_optional(
        &mut self,
        inner: Type,
        object: Value,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
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

    fn zero(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr(_) | Ty::Ref => self.one(InstKind::Null, ty),
            Ty::F16 | Ty::F32 | Ty::F64 => self.one(InstKind::FConst(0), ty),
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Vec(..) => {
                self.iconst(ty, 0)
            }
        }
    }

    /// A new reference to the Python object for a value; takes its leaves from the front of `rest`.
    fn box_value(&mut self, ty: Type, rest: &mut &[Value]) -> Result<Value, String> {
        let mut take = || {
            let (first, tail) = rest
                .split_first()
                .expect("the root returns all leaves of its result type");
            *rest = tail;
            *first
        };
        match self.types.kind(ty).clone() {
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
            _ if !matches!(
                self.types.kind(ty),
                TypeKind::Array(_)
                    | TypeKind::UniTuple(..)
                    | TypeKind::Tuple(_)
                    | TypeKind::StarArgTuple(_)
                    | TypeKind::NamedTuple(..)
                    | TypeKind::Unicode
                    | TypeKind::Literal(_)
            ) =>
            {
                Err(format!(
                    "cannot convert native {} to Python object",
                    self.types.display(ty)
                ))
            }
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
                    self.inst(
                        InstKind::Safepoint {
                            id: u32::MAX,
                            live: refs,
                        },
                        &[],
                    );
                }
                Ok(boxed)
            }
        }
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
        let flags = Entry::flags();
        self.inst(
            InstKind::Store {
                addr: object,
                offset: 0,
                value: more,
                flags,
            },
            &[],
        );
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
