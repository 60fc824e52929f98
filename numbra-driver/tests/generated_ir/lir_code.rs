//! Instructions of LIR: what generated functions are built with.

use numbra_base::{Origin, Span};
use numbra_lir::{
    AliasClass, Align, Block, BlockCall, ConvertOp, Func, GuardKind, Inst, InstBuilder, InstKind,
    MemFlags, Signature, Slot, SlotData, Terminator, Ty, Value,
};

/// A function under construction.
pub(crate) struct Code {
    pub(crate) func: Func,
    pub(crate) at: Block,
}

pub(crate) fn to(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Vec::new(),
    }
}

fn flags(alias: AliasClass, align: u32) -> MemFlags {
    MemFlags {
        alias,
        align: Align(align as u8),
        readonly: false,
        volatile: false,
    }
}

impl InstBuilder for Code {
    fn func(&self) -> &Func {
        &self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        (self.func).push_inst(self.at, kind, results, Span::NONE, Origin::Compiler)
    }
}

impl Code {
    pub(crate) fn new(sig: Signature) -> Code {
        let func = Func::new(sig, Span::NONE);
        let at = func.entry();
        Code { func, at }
    }

    pub(crate) fn param(&self, n: usize) -> Value {
        self.func.blocks[self.func.entry()].params[n]
    }

    /// A variable; one that holds a reference counts it.
    pub(crate) fn slot(&mut self, ty: Ty) -> Slot {
        self.func.slots.push(SlotData {
            size: 8,
            align: 8,
            refs: if ty == Ty::Ref { vec![0] } else { Vec::new() },
            undefined: false,
        })
    }

    pub(crate) fn end(&mut self, term: Terminator) {
        self.func
            .set_term(self.at, term, Span::NONE, Origin::Compiler);
    }

    pub(crate) fn block(&mut self) -> Block {
        self.func.push_block()
    }

    pub(crate) fn go(&mut self, block: Block) {
        self.end(Terminator::Jump(to(block)));
        self.at = block;
    }

    pub(crate) fn branch(&mut self, cond: Value, then: Block, other: Block) {
        self.end(Terminator::Brif {
            cond,
            then: to(then),
            other: to(other),
        });
    }

    pub(crate) fn guard(&mut self, cond: Value, kind: GuardKind, err: Block) {
        let ok = self.block();
        self.end(Terminator::Guard {
            cond,
            kind,
            ok: to(ok),
            err: to(err),
        });
        self.at = ok;
    }

    pub(crate) fn int(&mut self, n: i128) -> Value {
        self.one(InstKind::IConst(n), Ty::I64)
    }

    pub(crate) fn float(&mut self, x: f64) -> Value {
        self.one(InstKind::FConst(x.to_bits()), Ty::F64)
    }

    pub(crate) fn get(&mut self, slot: Slot, ty: Ty) -> Value {
        let addr = self.one(InstKind::SlotAddr(slot), Ty::PTR);
        self.load(addr, 0, ty, AliasClass::STACK, 8)
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Value) {
        let addr = self.one(InstKind::SlotAddr(slot), Ty::PTR);
        self.store(addr, value, AliasClass::STACK, 8);
    }

    pub(crate) fn load(
        &mut self,
        addr: Value,
        offset: i32,
        ty: Ty,
        alias: AliasClass,
        align: u32,
    ) -> Value {
        let flags = flags(alias, align);
        self.one(
            InstKind::Load {
                addr,
                offset,
                flags,
            },
            ty,
        )
    }

    pub(crate) fn store(&mut self, addr: Value, value: Value, alias: AliasClass, align: u32) {
        let kind = InstKind::Store {
            addr,
            offset: 0,
            value,
            flags: flags(alias, align),
        };
        self.inst(kind, &[]);
    }

    pub(crate) fn convert(&mut self, op: ConvertOp, arg: Value, ty: Ty) -> Value {
        self.one(InstKind::Convert { op, arg }, ty)
    }

    /// A use of references, no more.
    pub(crate) fn keep(&mut self, live: Vec<Value>) {
        self.inst(InstKind::Keep(live), &[]);
    }

    /// An integer of any width as an i64, or cut to another.
    pub(crate) fn resize(&mut self, value: Value, ty: Ty, signed: bool) -> Value {
        let (from, bits) = (self.func.ty(value).int_bits(), ty.int_bits());
        match from.cmp(&bits) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.convert(ConvertOp::Trunc, value, ty),
            std::cmp::Ordering::Less if signed => self.convert(ConvertOp::SExt, value, ty),
            std::cmp::Ordering::Less => self.convert(ConvertOp::ZExt, value, ty),
        }
    }
}
