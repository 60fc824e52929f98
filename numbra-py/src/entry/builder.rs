//! The builder of a wrapper: instructions, branches and outside symbols, in the order in which they are emitted.

use numbra_abi::INTERRUPT_WORD;
use numbra_base::{Origin, Span};
use numbra_ir::Types;
use numbra_lir::{
    AddrSpace, AliasClass, Align, Block, BlockCall, ConvertOp, Data, Func, FuncDecl, FuncRef,
    GuardKind, Inst, InstBuilder, InstKind, IntCc, Linkage, MemFlags, Module, Signature, SlotData,
    Terminator, Ty, Value,
};

/// The wrapper under construction, and the position in it.
pub(super) struct Entry<'a> {
    pub(super) types: &'a Types,
    pub(super) module: &'a mut Module,
    pub(super) func: Func,
    pub(super) block: Block,
    /// Where an argument that is not of its parameter's type goes.
    pub(super) miss: Block,
    /// Where a failed call goes.
    pub(super) error: Block,
    /// Arguments that reflect Python lists, with the codes of their types.
    pub(super) lists: Vec<(Value, Value)>,
    /// Calls of helpers that may let other code run are counted: see [`super::wrapper`].
    pub(super) counts_helpers: bool,
}

/// Symbols whose calls let no other code run.
const CLOSED: &[&str] = &[
    "PyComplex_FromDoubles",
    "PyFloat_FromDouble",
    "PyLong_FromLongLong",
    "PyLong_FromUnsignedLongLong",
];

impl<'a> Entry<'a> {
    /// A function of `sig` whose body begins. It has no ways out but `return` until `miss` and `error` are set.
    pub(super) fn new(types: &'a Types, module: &'a mut Module, sig: Signature) -> Entry<'a> {
        let func = Func::new(sig, Span::NONE);
        let entry = func.entry();
        Entry {
            types,
            module,
            func,
            block: entry,
            miss: entry,
            error: entry,
            lists: Vec::new(),
            counts_helpers: false,
        }
    }

    /// Adds the function to the module under `name`.
    pub(super) fn finish(self, name: &str) {
        let Entry { func, module, .. } = self;
        module.functions.push(FuncDecl {
            name: name.to_owned(),
            linkage: Linkage::Export,
            sig: func.sig.clone(),
            body: Some(func),
            inline_always: false,
            inline_never: true,
        });
    }
}

impl InstBuilder for Entry<'_> {
    fn func(&self) -> &Func {
        &self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let (block, span) = (self.block, self.func.span);
        self.func
            .push_inst(block, kind, results, span, Origin::Compiler)
    }
}

impl Entry<'_> {
    /// The function's own parameters.
    pub(super) fn params(&self) -> Vec<Value> {
        self.func.blocks[self.func.entry()].params.clone()
    }

    /// Calls the compiled function: its status, if it can raise, and the leaves of its result.
    pub(super) fn call_root(
        &mut self,
        root: FuncRef,
        args: Vec<Value>,
    ) -> (Option<Value>, Vec<Value>) {
        let sig = &self.module.functions[root].sig;
        let raises = sig.raises;
        let status = raises.then_some(Ty::I32);
        let tys: Vec<Ty> = status
            .into_iter()
            .chain(sig.results.iter().copied())
            .collect();
        let mut results = self.inst(InstKind::Call { func: root, args }, &tys);
        let status = raises.then(|| results.remove(0));
        (status, results)
    }

    /// True where a call went well.
    pub(super) fn succeeded(&mut self, status: Value) -> Value {
        let zero = self.iconst(Ty::I32, 0);
        self.icmp(IntCc::Eq, status, zero)
    }

    pub(super) fn term(&mut self, block: Block, term: Terminator) {
        let span = self.func.span;
        self.func.set_term(block, term, span, Origin::Compiler);
    }

    pub(super) fn convert(&mut self, op: ConvertOp, arg: Value, to: Ty) -> Value {
        if self.func.ty(arg) == to {
            arg
        } else {
            self.one(InstKind::Convert { op, arg }, to)
        }
    }

    pub(super) fn flags() -> MemFlags {
        MemFlags {
            alias: AliasClass::ARGS,
            align: Align(4),
            readonly: false,
            volatile: false,
        }
    }

    pub(super) fn load(&mut self, ty: Ty, addr: Value, offset: i32) -> Value {
        self.one(
            InstKind::Load {
                addr,
                offset,
                flags: Entry::flags(),
            },
            ty,
        )
    }

    pub(super) fn store(&mut self, addr: Value, offset: i32, value: Value) {
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

    pub(super) fn zero(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Ptr(_) | Ty::Ref => self.one(InstKind::Null, ty),
            Ty::F16 | Ty::F32 | Ty::F64 => self.one(InstKind::FConst(0), ty),
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Vec(..) => {
                self.iconst(ty, 0)
            }
        }
    }

    /// Address of a new stack slot.
    pub(super) fn frame(&mut self, size: u32, refs: Vec<u32>) -> Value {
        let slot = self.func.slots.push(SlotData {
            size,
            align: 16,
            refs,
            undefined: false,
        });
        self.one(InstKind::SlotAddr(slot), Ty::PTR)
    }

    pub(super) fn jump_to(&self, block: Block) -> BlockCall {
        BlockCall {
            block,
            args: Vec::new(),
        }
    }

    /// Continues when `cond` holds, else goes to `err`.
    pub(super) fn guard(&mut self, cond: Value, kind: GuardKind, err: Block) {
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

    /// Splits on `cond`; returns the blocks of the two sides and leaves the position to the caller.
    pub(super) fn branch(&mut self, cond: Value, cold_other: bool) -> (Block, Block) {
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

    pub(super) fn check_or(&mut self, cond: Value, other: Block) {
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

    pub(super) fn jump(&mut self, from: Block, to: Block, args: Vec<Value>) {
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

    pub(super) fn import_call(
        &mut self,
        name: &str,
        args: &[Value],
        result: Option<Ty>,
    ) -> Option<Value> {
        let params: Vec<Ty> = args.iter().map(|&v| self.func.ty(v)).collect();
        let func = self.import(name, &params, result);
        let results: Vec<Ty> = result.into_iter().collect();
        let counted = self.counts_helpers && !CLOSED.contains(&name);
        if counted {
            self.step(1);
        }
        let call = InstKind::Call {
            func,
            args: args.to_vec(),
        };
        let results = self.inst(call, &results);
        if counted {
            self.step(-1);
        }
        results.first().copied()
    }

    /// Address of an outside object, such as `PyFloat_Type`, from a cell that the loader fills: objects may lie farther
    /// away than an address relative to the code reaches.
    pub(super) fn symbol(&mut self, name: &str) -> Value {
        let cell = format!("cell.{name}");
        let known = self.module.data.iter().find(|(_, d)| d.name == cell);
        let id = match known {
            Some((id, _)) => id,
            None => self.module.data.push(Data {
                name: cell,
                bytes: vec![0; 8],
                align: 8,
                writable: false,
                space: AddrSpace::Generic,
                zeros: 0,
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

    /// The interrupt word, which is 0 while code may go on: see `numbra_opt::interrupts`.
    pub(super) fn interrupt_word(&mut self) -> Value {
        let addr = self.symbol(INTERRUPT_WORD);
        let flags = MemFlags {
            alias: AliasClass::ANY,
            align: Align(4),
            readonly: false,
            volatile: true,
        };
        let load = InstKind::Load {
            addr,
            offset: 0,
            flags,
        };
        self.one(load, Ty::I32)
    }
}
