//! LIR functions: SSA with block parameters.

use crate::{Facts, FastMath, FuncDebug, InstKind, Layout, Signature, Terminator, Ty};
use cranelift_entity::{PrimaryMap, entity_impl};
use numbra_base::{Origin, Span};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// An SSA value of one [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Value(u32);
entity_impl!(Value, "v");

/// A basic block of one [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// An instruction of one [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Inst(u32);
entity_impl!(Inst, "inst");

/// A stack slot of one [`Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Slot(u32);
entity_impl!(Slot, "slot");

/// A few values: those of most instructions need no memory of their own.
pub type Values = SmallVec<[Value; 4]>;

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ValueDef {
    /// Result number `n` of an instruction.
    Result(Inst, u16),
    /// Parameter number `n` of a block; those of the entry block are the function's parameters.
    Param(Block, u16),
}

/// Type and definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ValueData {
    pub ty: Ty,
    pub def: ValueDef,
}

/// An instruction with its results and provenance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InstData {
    pub kind: InstKind,
    pub results: Values,
    /// Relaxations, on float operations only.
    pub fast: FastMath,
    /// Proven properties, on integer and address operations only.
    pub facts: Facts,
    pub span: Span,
    pub origin: Origin,
}

/// A block: parameters, instructions, terminator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockData {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    /// `None` only while the block is being built.
    pub term: Option<Terminator>,
    pub term_span: Span,
    pub term_origin: Origin,
    /// Placed out of line.
    pub cold: bool,
}

/// Memory of one activation. Contents are zero bytes at entry, unless they are `undefined`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SlotData {
    pub size: u32,
    /// Power of two.
    pub align: u32,
    /// Byte offsets of fields that own a reference: a store there retains the new and releases the old value, every
    /// exit releases it, a load borrows.
    pub refs: Vec<u32>,
    /// Nothing is loaded that was not stored before: generators need not clear it.
    pub undefined: bool,
}

/// A function body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Func {
    pub sig: Signature,
    pub values: PrimaryMap<Value, ValueData>,
    pub insts: PrimaryMap<Inst, InstData>,
    pub blocks: PrimaryMap<Block, BlockData>,
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Live blocks in order; the first is the entry, whose parameters are those of `sig`.
    pub layout: Layout,
    pub span: Span,
    /// What debuggers are told about it; `None` for code that no source function stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Box<FuncDebug>>,
}

impl Func {
    /// A function with its entry block and parameters.
    pub fn new(sig: Signature, span: Span) -> Func {
        let params: Vec<Ty> = sig.params.iter().map(|p| p.ty).collect();
        let mut func = Func {
            sig,
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            slots: PrimaryMap::new(),
            layout: Layout::default(),
            span,
            debug: None,
        };
        let entry = func.push_block();
        for ty in params {
            func.push_param(entry, ty);
        }
        func
    }

    /// The entry block.
    ///
    /// # Panics
    /// If the function has no blocks: the verifier rejects such functions.
    pub fn entry(&self) -> Block {
        self.layout.first().expect("functions have an entry block")
    }

    /// Appends an empty block to the layout.
    pub fn push_block(&mut self) -> Block {
        let block = self.make_block();
        self.layout.push(block);
        block
    }

    /// An empty block in front of this one.
    pub fn insert_block_before(&mut self, place: Block) -> Block {
        let block = self.make_block();
        self.layout.insert_before(block, place);
        block
    }

    /// An empty block behind this one.
    pub fn insert_block_after(&mut self, place: Block) -> Block {
        let block = self.make_block();
        self.layout.insert_after(block, place);
        block
    }

    /// An empty block without a place.
    fn make_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            term: None,
            term_span: Span::NONE,
            term_origin: Origin::Compiler,
            cold: false,
        })
    }

    /// Moves the instructions from number `at` on, and the terminator, to a new block behind this one.
    pub fn split_block(&mut self, block: Block, at: usize) -> Block {
        let rest = self.insert_block_after(block);
        let data = &mut self.blocks[block];
        let insts = data.insts.split_off(at);
        let (term, span, origin, cold) = (
            data.term.take(),
            data.term_span,
            data.term_origin,
            data.cold,
        );
        let data = &mut self.blocks[rest];
        (data.insts, data.term, data.term_span) = (insts, term, span);
        (data.term_origin, data.cold) = (origin, cold);
        rest
    }

    /// Adds a parameter to a block.
    pub fn push_param(&mut self, block: Block, ty: Ty) -> Value {
        let index = self.blocks[block].params.len() as u16;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Param(block, index),
        });
        self.blocks[block].params.push(value);
        value
    }

    /// Makes an instruction with results of the given types, in no block yet.
    pub fn make_inst(
        &mut self,
        kind: InstKind,
        results: &[Ty],
        span: Span,
        origin: Origin,
    ) -> Inst {
        let inst = self.insts.push(InstData {
            kind,
            results: Values::new(),
            fast: FastMath::empty(),
            facts: Facts::empty(),
            span,
            origin,
        });
        for (index, &ty) in results.iter().enumerate() {
            let value = self.values.push(ValueData {
                ty,
                def: ValueDef::Result(inst, index as u16),
            });
            self.insts[inst].results.push(value);
        }
        inst
    }

    /// Appends an instruction to a block.
    pub fn push_inst(
        &mut self,
        block: Block,
        kind: InstKind,
        results: &[Ty],
        span: Span,
        origin: Origin,
    ) -> Inst {
        let inst = self.make_inst(kind, results, span, origin);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Ends a block.
    pub fn set_term(&mut self, block: Block, term: Terminator, span: Span, origin: Origin) {
        let data = &mut self.blocks[block];
        data.term = Some(term);
        data.term_span = span;
        data.term_origin = origin;
    }

    /// Type of a value.
    pub fn ty(&self, value: Value) -> Ty {
        self.values[value].ty
    }

    /// The instruction that defines a value, if one does.
    pub fn def(&self, value: Value) -> Option<&InstKind> {
        match self.values[value].def {
            ValueDef::Result(inst, _) => Some(&self.insts[inst].kind),
            ValueDef::Param(..) => None,
        }
    }

    /// Whether a block defines a value.
    pub fn defines(&self, block: Block, value: Value) -> bool {
        match self.values[value].def {
            ValueDef::Param(of, _) => of == block,
            ValueDef::Result(inst, _) => self.blocks[block].insts.contains(&inst),
        }
    }

    /// The terminator of a finished block.
    ///
    /// # Panics
    /// If the block has none: the verifier rejects such functions.
    pub fn term(&self, block: Block) -> &Terminator {
        self.blocks[block]
            .term
            .as_ref()
            .expect("verified blocks have terminators")
    }
}

/// What is read of a function, whose layout may name any blocks.
#[derive(Deserialize)]
struct Fields {
    sig: Signature,
    values: PrimaryMap<Value, ValueData>,
    insts: PrimaryMap<Inst, InstData>,
    blocks: PrimaryMap<Block, BlockData>,
    slots: PrimaryMap<Slot, SlotData>,
    layout: Vec<Block>,
    span: Span,
    #[serde(default)]
    debug: Option<Box<FuncDebug>>,
}

impl TryFrom<Fields> for Func {
    type Error = String;

    fn try_from(read: Fields) -> Result<Func, String> {
        Ok(Func {
            layout: Layout::checked(&read.layout, read.blocks.len())?,
            sig: read.sig,
            values: read.values,
            insts: read.insts,
            blocks: read.blocks,
            slots: read.slots,
            span: read.span,
            debug: read.debug,
        })
    }
}
