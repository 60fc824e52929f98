//! LIR functions: SSA with block parameters.

use crate::analysis::Loop;
use crate::{Facts, FastMath, FuncDebug, InstKind, Layout, Signature, Terminator, Ty};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
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
    insts: Vec<Inst>,
    /// `None` only while the block is being built.
    pub term: Option<Terminator>,
    pub term_span: Span,
    pub term_origin: Origin,
    /// Placed out of line.
    pub cold: bool,
}

impl BlockData {
    /// An empty block.
    pub(crate) fn new() -> BlockData {
        BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            term: None,
            term_span: Span::NONE,
            term_origin: Origin::Compiler,
            cold: false,
        }
    }

    /// The instructions in order. [`Func`] has the methods that change them.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }
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
    /// Which block holds an instruction: as the lists of the blocks say, the other way round.
    #[serde(skip)]
    inst_blocks: SecondaryMap<Inst, PackedOption<Block>>,
    pub span: Span,
    /// What debuggers are told about it; `None` for code that no source function stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debug: Option<Box<FuncDebug>>,
}

impl Func {
    /// A function with its entry block and parameters.
    pub fn new(sig: Signature, span: Span) -> Func {
        let params: Vec<Ty> = sig.params.iter().map(|p| p.ty).collect();
        let mut func = Func::without_blocks(sig, span);
        let entry = func.push_block();
        for ty in params {
            func.push_param(entry, ty);
        }
        func
    }

    /// A function that has not even an entry block yet.
    pub(crate) fn without_blocks(sig: Signature, span: Span) -> Func {
        Func {
            sig,
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            slots: PrimaryMap::new(),
            layout: Layout::default(),
            inst_blocks: SecondaryMap::new(),
            span,
            debug: None,
        }
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
        self.blocks.push(BlockData::new())
    }

    /// Moves the instructions from number `at` on, and the terminator, to a new block behind this one.
    pub fn split_block(&mut self, block: Block, at: usize) -> Block {
        let rest = self.insert_block_after(block);
        let insts = self.blocks[block].insts.split_off(at);
        for &inst in &insts {
            self.inst_blocks[inst] = rest.into();
        }
        let data = &mut self.blocks[block];
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
        self.append_inst(block, inst);
        inst
    }

    /// The block that holds an instruction; `None` if none does.
    pub fn inst_block(&self, inst: Inst) -> Option<Block> {
        self.inst_blocks[inst].expand()
    }

    /// The block that defines a value; `None` for a result of an instruction that is in no block.
    pub fn def_block(&self, value: Value) -> Option<Block> {
        match self.values[value].def {
            ValueDef::Result(inst, _) => self.inst_block(inst),
            ValueDef::Param(block, _) => Some(block),
        }
    }

    /// Position of an instruction in the block that holds it, by a search of that block.
    pub fn inst_index(&self, inst: Inst) -> Option<usize> {
        let block = self.inst_block(inst)?;
        self.blocks[block].insts.iter().position(|&i| i == inst)
    }

    /// Puts an instruction that is in no block behind those of a block.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        debug_assert!(self.inst_block(inst).is_none(), "{inst} is in a block");
        self.blocks[block].insts.push(inst);
        self.inst_blocks[inst] = block.into();
    }

    /// Puts an instruction that is in no block in front of number `at` of a block.
    pub fn insert_inst(&mut self, block: Block, at: usize, inst: Inst) {
        debug_assert!(self.inst_block(inst).is_none(), "{inst} is in a block");
        self.blocks[block].insts.insert(at, inst);
        self.inst_blocks[inst] = block.into();
    }

    /// Puts instructions that are in no block in front of number `at` of a block.
    pub fn insert_insts(&mut self, block: Block, at: usize, insts: impl IntoIterator<Item = Inst>) {
        let places = &mut self.inst_blocks;
        let insts = insts.into_iter().inspect(|&inst| {
            debug_assert!(places[inst].is_none(), "{inst} is in a block");
            places[inst] = block.into();
        });
        self.blocks[block].insts.splice(at..at, insts);
    }

    /// Takes an instruction out of the block that holds it, if one does.
    pub fn remove_inst(&mut self, inst: Inst) {
        if let Some(block) = self.inst_blocks[inst].take() {
            self.blocks[block].insts.retain(|&i| i != inst);
        }
    }

    /// Leaves those instructions of a block for which `keep` says so, which is asked in order. True if any went.
    pub fn retain_insts(
        &mut self,
        block: Block,
        mut keep: impl FnMut(Inst, &InstData) -> bool,
    ) -> bool {
        let (data, places) = (&self.insts, &mut self.inst_blocks);
        let list = &mut self.blocks[block].insts;
        let before = list.len();
        list.retain(|&inst| {
            let stays = keep(inst, &data[inst]);
            if !stays {
                places[inst] = None.into();
            }
            stays
        });
        list.len() < before
    }

    /// Takes all instructions out of a block.
    pub fn take_insts(&mut self, block: Block) -> Vec<Inst> {
        let insts = std::mem::take(&mut self.blocks[block].insts);
        for &inst in &insts {
            self.inst_blocks[inst] = None.into();
        }
        insts
    }

    /// Gives an empty block instructions that are in no block.
    ///
    /// # Panics
    /// If the block has instructions.
    pub fn set_insts(&mut self, block: Block, insts: Vec<Inst>) {
        assert!(self.blocks[block].insts.is_empty(), "{block} is not empty");
        for &inst in &insts {
            debug_assert!(self.inst_block(inst).is_none(), "{inst} is in a block");
            self.inst_blocks[inst] = block.into();
        }
        self.blocks[block].insts = insts;
    }

    /// Puts the instructions of one block behind those of another one.
    pub fn move_insts(&mut self, from: Block, to: Block) {
        let mut insts = std::mem::take(&mut self.blocks[from].insts);
        for &inst in &insts {
            self.inst_blocks[inst] = to.into();
        }
        let into = &mut self.blocks[to].insts;
        match into.is_empty() {
            true => *into = insts,
            false => into.append(&mut insts),
        }
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

    /// The signed integer constant that a value is.
    pub fn integer(&self, value: Value) -> Option<i128> {
        match self.def(value)? {
            InstKind::IConst(n) => {
                let unused = i128::BITS - self.ty(value).int_bits()?;
                Some(n << unused >> unused)
            }
            _ => None,
        }
    }

    /// Whether a block defines a value.
    pub fn defines(&self, block: Block, value: Value) -> bool {
        match self.values[value].def {
            ValueDef::Param(of, _) => of == block,
            ValueDef::Result(inst, _) => self.inst_blocks[inst] == block.into(),
        }
    }

    /// Whether a loop, or one inside it, defines a value.
    pub fn is_defined_in(&self, data: &Loop, value: Value) -> bool {
        let block = self.def_block(value);
        block.is_some_and(|block| data.contains(block))
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
        let mut inst_blocks = SecondaryMap::new();
        for (block, data) in read.blocks.iter() {
            // Whether they exist, and stand in one block, the verifier checks.
            for &inst in data.insts.iter().filter(|&&i| read.insts.is_valid(i)) {
                inst_blocks[inst] = block.into();
            }
        }
        Ok(Func {
            layout: Layout::checked(&read.layout, read.blocks.len())?,
            inst_blocks,
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

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_testing::random::Random;

    /// True if the table of blocks says what their lists say.
    fn agrees(func: &Func) -> bool {
        let mut listed: SecondaryMap<Inst, PackedOption<Block>> = SecondaryMap::new();
        let mut count = 0;
        for (block, data) in func.blocks.iter() {
            count += data.insts.len();
            for &inst in &data.insts {
                listed[inst] = block.into();
            }
        }
        let placed = func.insts.keys().filter(|&i| func.inst_block(i).is_some());
        count == placed.count()
            && func
                .insts
                .keys()
                .all(|i| listed[i].expand() == func.inst_block(i))
    }

    /// Whatever is done to blocks, an instruction knows the one that holds it.
    #[test]
    fn instructions_know_their_blocks() {
        let mut rng = Random::new(1);
        for _ in 0..100 {
            let mut func = Func::new(Signature::new(&[], &[], false), Span::NONE);
            func.push_block();
            for _ in 0..60 {
                change(&mut func, &mut rng);
                assert!(agrees(&func));
            }
        }
    }

    /// Uses one of the methods that move instructions.
    fn change(func: &mut Func, rng: &mut Random) {
        let mut block = || Block::from_u32(rng.below(func.blocks.len()) as u32);
        let (one, other) = (block(), block());
        let at = rng.below(func.blocks[one].insts.len() + 1);
        let make = |func: &mut Func| {
            func.make_inst(InstKind::Null, &[Ty::Ref], Span::NONE, Origin::Compiler)
        };
        match rng.below(9) {
            0 | 1 => {
                let inst = make(func);
                func.append_inst(one, inst);
                assert_eq!(func.blocks[one].insts.last(), Some(&inst));
            }
            2 => {
                let inst = make(func);
                func.insert_inst(one, at, inst);
                assert_eq!(func.inst_index(inst), Some(at));
            }
            3 => {
                let insts = [make(func), make(func)];
                func.insert_insts(one, at, insts);
                assert_eq!(&func.blocks[one].insts[at..at + 2], &insts);
            }
            4 => {
                if let Some(&inst) = func.blocks[one].insts.get(at) {
                    func.remove_inst(inst);
                    assert_eq!(func.inst_block(inst), None);
                }
            }
            5 => {
                let insts = func.blocks[one].insts.iter();
                let kept: Vec<Inst> = insts.filter(|i| i.as_u32() % 2 == 0).copied().collect();
                func.retain_insts(one, |inst, _| inst.as_u32() % 2 == 0);
                assert_eq!(func.blocks[one].insts, kept);
            }
            6 => {
                let mut insts = func.take_insts(one);
                insts.reverse();
                func.set_insts(one, insts);
            }
            7 if one != other => {
                func.move_insts(one, other);
                assert!(func.blocks[one].insts.is_empty());
            }
            7 => {}
            _ => {
                let rest = func.split_block(one, at);
                assert_eq!(func.blocks[one].insts.len(), at);
                assert_eq!(func.layout.next(one), Some(rest));
            }
        }
    }

    #[test]
    fn the_table_is_made_again_of_what_is_read() {
        let mut func = Func::new(Signature::new(&[], &[], false), Span::NONE);
        let entry = func.entry();
        func.push_inst(
            entry,
            InstKind::Null,
            &[Ty::Ref],
            Span::NONE,
            Origin::Compiler,
        );
        let text = serde_json::to_string(&func).expect("it is data");
        let read: Func = serde_json::from_str(&text).expect("it was written like this");
        assert_eq!(read, func);
        assert!(agrees(&read));
    }
}
