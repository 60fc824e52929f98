//! Polls: where compiled code checks whether it is to exit.
//!
//! ```text
//!   v1 = data_addr $cell.numbra_rt_interrupt_word
//!   v2: ptr = load v1 const align 8 readonly
//!   v3: i32 = load v2 any align 4 volatile
//!   v4 = icmp eq v3, v9                     (v9 = 0)
//!   brif v4, block1, block2
//! block2 cold:
//!   v5: i32 = call_native @numbra_rt_interrupt()
//!   v6 = icmp eq v5, v9
//!   guard v6 status, block1, block3
//! block3 cold:
//!   fail
//! ```
//!
//! An interrupt leaves the function at once, whatever handlers there are around the place. The pass `safepoints` puts polls
//! on loops, lowering puts them into functions that call themselves.

use crate::Pass;
use numbra_abi::{INTERRUPT_CELL, INTERRUPT_WORD, NativeId};
use numbra_base::{Origin, Span};
use numbra_lir::{
    AddrSpace, AliasClass, Align, Block, BlockCall, Data, DataId, Func, FuncRef, GuardKind,
    InstKind, IntCc, MemFlags, Module, Terminator, Ty, Value,
};

/// What a function does that is to exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It fails; the interrupt is pending.
    Fail,
    /// It calls the runtime, which does not come back: a kernel on the CPU, whose launch gives up the stack.
    Launch,
    /// It has no status and only computes: it returns what this function gives for its parameters, which is zeros if it is
    /// to leave; the caller looks. A poll that does not lead back costs a small function next to nothing.
    Zeros(FuncRef),
}

/// The cell with the address of the interrupt word.
pub fn cell(module: &mut Module) -> DataId {
    if let Some(known) = known_cell(module) {
        return known;
    }
    module.data.push(Data {
        name: INTERRUPT_CELL.to_owned(),
        bytes: vec![0; 8],
        align: 8,
        writable: false,
        space: AddrSpace::Generic,
        zeros: 0,
        relocs: vec![(0, INTERRUPT_WORD.to_owned())],
    })
}

/// The cell of a module that has polls.
pub fn known_cell(module: &Module) -> Option<DataId> {
    let known = module
        .data
        .iter()
        .find(|(_, data)| data.name == INTERRUPT_CELL);
    known.map(|(id, _)| id)
}

/// Where polls are put, and what instructions they are made of say about themselves.
pub struct Polls<'a> {
    pub func: &'a mut Func,
    pub cell: DataId,
    pub exit: Exit,
    pub origin: Origin,
    /// Each poll loads the address of the word anew, so that no register holds it between polls.
    pub afresh: bool,
    /// The block that leaves the function.
    left: Option<Block>,
}

impl<'a> Polls<'a> {
    pub fn new(func: &'a mut Func, cell: DataId, exit: Exit, origin: Origin) -> Polls<'a> {
        Polls {
            func,
            cell,
            exit,
            origin,
            // In a function that calls itself, a register that holds the address is saved at each call.
            afresh: matches!(exit, Exit::Zeros(_)),
            left: None,
        }
    }

    /// Polls of a function whose references are placed: it fails by going on at `left`.
    pub fn leaving(func: &'a mut Func, cell: DataId, left: Block, origin: Origin) -> Polls<'a> {
        Polls {
            left: Some(left),
            ..Polls::new(func, cell, Exit::Fail, origin)
        }
    }

    /// Ends a block with a poll and, where the function may go on, a jump to `onward`.
    pub fn poll(&mut self, block: Block, onward: BlockCall, span: Span) {
        let addr = self.one(block, InstKind::DataAddr(self.cell), Ty::PTR, span);
        let flags = |alias, align, readonly, volatile| MemFlags {
            alias,
            align: Align(align),
            readonly,
            volatile,
        };
        let load = |addr, flags| InstKind::Load {
            addr,
            offset: 0,
            flags,
        };
        let address = load(addr, flags(AliasClass::CONST, 8, !self.afresh, self.afresh));
        let address = self.one(block, address, Ty::PTR, span);
        // Another thread writes it, so the class is not one that this function can write.
        let word = load(address, flags(AliasClass::ANY, 4, false, true));
        let word = self.one(block, word, Ty::I32, span);
        let go_on = self.is_zero(block, word, span);
        let asked = match self.exit {
            Exit::Fail | Exit::Launch => self.cold_block(),
            Exit::Zeros(again) => self.again(again, span),
        };
        let term = Terminator::Brif {
            cond: go_on,
            then: onward.clone(),
            other: to(asked),
        };
        self.func.set_term(block, term, span, self.origin);
        match self.exit {
            Exit::Fail => self.ask(asked, ASK, onward, span),
            Exit::Launch => {
                let call = InstKind::native(NativeId::DeviceLook, Vec::new());
                self.func.push_inst(asked, call, &[], span, self.origin);
                let term = Terminator::Jump(onward);
                self.func.set_term(asked, term, span, self.origin);
            }
            Exit::Zeros(_) => {}
        }
    }

    /// Ends a block with the question whether to exit, and where the function may go on, a jump to `onward`.
    pub fn ask(&mut self, block: Block, id: NativeId, onward: BlockCall, span: Span) {
        let call = InstKind::native(id, Vec::new());
        let leaves = self.one(block, call, Ty::I32, span);
        let cond = self.is_zero(block, leaves, span);
        let left = self.left(span);
        let term = Terminator::Guard {
            cond,
            kind: GuardKind::Status,
            ok: onward,
            err: to(left),
        };
        self.func.set_term(block, term, span, self.origin);
    }

    fn left(&mut self, span: Span) -> Block {
        if let Some(block) = self.left {
            return block;
        }
        let block = self.cold_block();
        let term = match self.exit {
            Exit::Fail | Exit::Launch => Terminator::Fail,
            Exit::Zeros(_) => {
                let tys = self.func.sig.results.clone();
                let zero = |ty| match ty {
                    Ty::Ptr(_) | Ty::Ref => InstKind::Null,
                    Ty::F16 | Ty::F32 | Ty::F64 => InstKind::FConst(0),
                    Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Vec(..) => {
                        InstKind::IConst(0)
                    }
                };
                let zeros = tys.into_iter();
                Terminator::Return(
                    zeros
                        .map(|ty| self.one(block, zero(ty), ty, span))
                        .collect(),
                )
            }
        };
        self.func.set_term(block, term, span, self.origin);
        self.left = Some(block);
        block
    }

    /// A block that returns what a function gives for this one's parameters.
    fn again(&mut self, func: FuncRef, span: Span) -> Block {
        let block = self.cold_block();
        let args = self.func.blocks[self.func.entry()].params.clone();
        let tys = self.func.sig.results.to_vec();
        let call = InstKind::Call { func, args };
        let call = self.func.push_inst(block, call, &tys, span, self.origin);
        let results = self.func.insts[call].results.to_vec();
        let term = Terminator::Return(results);
        self.func.set_term(block, term, span, self.origin);
        block
    }

    fn cold_block(&mut self) -> Block {
        let block = self.func.push_block();
        self.func.blocks[block].cold = true;
        block
    }

    fn is_zero(&mut self, block: Block, value: Value, span: Span) -> Value {
        let rhs = self.one(block, InstKind::IConst(0), Ty::I32, span);
        let (cc, lhs) = (IntCc::Eq, value);
        self.one(block, InstKind::Icmp { cc, lhs, rhs }, Ty::I1, span)
    }

    /// Adds an instruction with one result.
    pub fn one(&mut self, block: Block, kind: InstKind, ty: Ty, span: Span) -> Value {
        let inst = self.func.push_inst(block, kind, &[ty], span, self.origin);
        self.func.insts[inst].results[0]
    }
}

fn to(block: Block) -> BlockCall {
    BlockCall {
        block,
        args: Vec::new(),
    }
}

/// The blocks that end in a poll of [`Exit::Zeros`].
pub fn leaving_polls(func: &Func, cell: DataId) -> Vec<Block> {
    let loaded = |value| match func.def(value) {
        Some(&InstKind::Load { addr, .. }) => Some(addr),
        _ => None,
    };
    let is_word = |value| {
        let cell_of = loaded(value)
            .and_then(loaded)
            .and_then(|value| func.def(value));
        matches!(cell_of, Some(&InstKind::DataAddr(id)) if id == cell)
    };
    let polls = |&block: &Block| match func.term(block) {
        Terminator::Brif { cond, other, .. } => {
            matches!(func.def(*cond), Some(&InstKind::Icmp { lhs, .. }) if is_word(lhs))
                && matches!(func.term(other.block), Terminator::Return(_))
        }
        _ => false,
    };
    func.layout.iter().filter(polls).collect()
}

/// Takes all polls out of a module: devices have nobody who interrupts them.
pub fn remove_polls(module: &mut Module) {
    let Some(cell) = known_cell(module) else {
        return;
    };
    for func in module.functions.values_mut() {
        if let Some(func) = &mut func.body {
            remove_polls_of(func, cell);
        }
    }
    Pass::Dce.run(module);
}

/// Takes the polls out of a function; what they are made of is left as constants.
pub fn remove_polls_of(func: &mut Func, cell: DataId) {
    // Each comes behind what it is made of.
    let (mut cells, mut words) = (Vec::new(), Vec::new());
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        for inst in func.blocks[block].insts().to_vec() {
            let data = &mut func.insts[inst];
            match data.kind {
                InstKind::DataAddr(id) if id == cell => {
                    data.kind = InstKind::Null;
                    cells.extend(data.results.clone());
                }
                InstKind::Load { addr, .. } if cells.contains(&addr) => {
                    data.kind = InstKind::Null;
                    words.extend(data.results.clone());
                }
                InstKind::Load { addr, .. } if words.contains(&addr) => {
                    data.kind = InstKind::IConst(0);
                }
                InstKind::CallNative { .. } => {
                    if let Some(ASK | NativeId::Leave) = data.kind.native_id() {
                        data.kind = InstKind::IConst(0);
                    }
                }
                _ => {}
            }
        }
    }
}

/// What polls call where the word is set.
pub const ASK: NativeId = NativeId::Interrupt;
