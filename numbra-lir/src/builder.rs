//! Building instructions: at one place of a function, with one source position and one origin.

use crate::{
    BinaryOp, Block, ConvertOp, FloatCc, Func, Inst, InstKind, IntCc, MemFlags, Terminator, Ty,
    UnaryOp, Value,
};
use numbra_base::{Origin, Span};

/// What instructions are built with. Who builds says where they go ([`InstBuilder::build`]); the rest follows.
///
/// ```
/// use numbra_base::{Origin, Span};
/// use numbra_lir::{BinaryOp, Cursor, Func, InstBuilder, Signature, Terminator, Ty};
///
/// let mut func = Func::new(Signature::new(&[Ty::I64], &[Ty::I64], false), Span::NONE);
/// let entry = func.entry();
/// let given = func.blocks[entry].params[0];
/// let mut at = Cursor::at_end(&mut func, entry, Span::NONE, Origin::Compiler);
/// let one = at.iconst(Ty::I64, 1);
/// let sum = at.binary(BinaryOp::IAdd, given, one);
/// at.end(Terminator::Return(vec![sum]));
/// assert_eq!(func.blocks[entry].insts().len(), 2);
/// ```
pub trait InstBuilder {
    /// The function that is built.
    fn func(&self) -> &Func;

    /// Puts an instruction with results of these types where this builds.
    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst;

    /// Type of a value.
    fn ty(&self, value: Value) -> Ty {
        self.func().ty(value)
    }

    /// Results of a new instruction.
    fn inst(&mut self, kind: InstKind, results: &[Ty]) -> Vec<Value> {
        let inst = self.build(kind, results);
        self.func().insts[inst].results.to_vec()
    }

    /// The result of a new instruction that has one.
    fn one(&mut self, kind: InstKind, ty: Ty) -> Value {
        let inst = self.build(kind, &[ty]);
        self.func().insts[inst].results[0]
    }

    /// An integer constant.
    fn iconst(&mut self, ty: Ty, value: i128) -> Value {
        self.one(InstKind::IConst(value), ty)
    }

    /// An operation of two values of one type, which its result has.
    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.ty(lhs);
        self.one(InstKind::Binary { op, lhs, rhs }, ty)
    }

    /// An operation of one value, whose type its result has.
    fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.ty(arg);
        self.one(InstKind::Unary { op, arg }, ty)
    }

    /// A value as one of another type.
    fn convert(&mut self, op: ConvertOp, arg: Value, ty: Ty) -> Value {
        self.one(InstKind::Convert { op, arg }, ty)
    }

    /// A comparison of scalars.
    fn icmp(&mut self, cc: IntCc, lhs: Value, rhs: Value) -> Value {
        self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1)
    }

    /// A comparison of scalars.
    fn fcmp(&mut self, cc: FloatCc, lhs: Value, rhs: Value) -> Value {
        self.one(InstKind::Fcmp { cc, lhs, rhs }, Ty::I1)
    }

    /// One of two values.
    fn select(&mut self, cond: Value, then: Value, other: Value) -> Value {
        let ty = self.ty(then);
        self.one(InstKind::Select { cond, then, other }, ty)
    }

    /// A pointer so many bytes further.
    fn ptr_add(&mut self, base: Value, offset: Value) -> Value {
        let ty = self.ty(base);
        self.one(InstKind::PtrAdd { base, offset }, ty)
    }

    /// What memory holds.
    fn load(&mut self, ty: Ty, addr: Value, offset: i32, flags: MemFlags) -> Value {
        let kind = InstKind::Load {
            addr,
            offset,
            flags,
        };
        self.one(kind, ty)
    }

    /// Puts a value into memory.
    fn store(&mut self, addr: Value, offset: i32, value: Value, flags: MemFlags) {
        let kind = InstKind::Store {
            addr,
            offset,
            value,
            flags,
        };
        self.build(kind, &[]);
    }
}

/// The end of a block, where instructions are appended.
pub struct Cursor<'f> {
    pub func: &'f mut Func,
    pub block: Block,
    pub span: Span,
    pub origin: Origin,
}

impl<'f> Cursor<'f> {
    /// Appends to this block.
    pub fn at_end(func: &'f mut Func, block: Block, span: Span, origin: Origin) -> Cursor<'f> {
        Cursor {
            func,
            block,
            span,
            origin,
        }
    }

    /// Ends the block.
    pub fn end(&mut self, term: Terminator) {
        self.func.set_term(self.block, term, self.span, self.origin);
    }
}

impl InstBuilder for Cursor<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        self.func
            .push_inst(self.block, kind, results, self.span, self.origin)
    }
}
