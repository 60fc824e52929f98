//! The step: its entry, what stands where the body yields, and its slots in the frame.

use super::frame::Fields;
use super::{FrameLayout, ORIGIN, Yield};
use crate::edit::rename::Renames;
use crate::refs::ref_roots::{RefRoots, slot_of};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use numbra_abi::{FRAME, HEADER, NativeId};
use numbra_base::FxHashMap;
use numbra_lir::{
    AliasClass, Align, Block, BlockCall, ConvertOp, Func, Inst, InstKind, IntCc, MemFlags, Param,
    Slot, SlotData, Terminator, Ty, Value, ValueDef,
};

/// Field numbers of [`FRAME`] and [`HEADER`].
const STATE: usize = 0;
const DATA: usize = 3;
/// State of a generator that runs or has ended.
const ENDED: i128 = -1;

/// A body that is made the step of its generator.
pub(super) struct Cut<'a> {
    pub(super) func: &'a mut Func,
    fields: Fields,
    params: Vec<Value>,
    yields: Vec<Yield>,
    crossing: Vec<Vec<Value>>,
    pub(super) roots: RefRoots,
    /// The step's parameter, and the address of its data.
    frame: Value,
    data: Value,
    /// What a block that a step begins with loads: the value, and what it is in this step.
    pub(super) loads: SecondaryMap<Block, Vec<(Value, Value)>>,
}

fn flags(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::ANY,
        align: Align(ty.size().min(8) as u8),
        readonly: false,
        volatile: false,
    }
}

impl<'a> Cut<'a> {
    pub(super) fn new(
        func: &'a mut Func,
        fields: Fields,
        params: Vec<Value>,
        yields: Vec<Yield>,
        crossing: Vec<Vec<Value>>,
        roots: RefRoots,
    ) -> Cut<'a> {
        Cut {
            func,
            fields,
            params,
            yields,
            crossing,
            roots,
            frame: Value::from_u32(0),
            data: Value::from_u32(0),
            loads: SecondaryMap::new(),
        }
    }

    /// Makes the step.
    pub(super) fn run(mut self) -> FrameLayout {
        let first = self.func.entry();
        let exits: Vec<Block> = self.func.layout.iter().collect();
        let mut renames = self.enter(first);
        self.load_params(first);
        for n in 0..self.yields.len() {
            self.suspend(n);
        }
        for block in exits {
            let suspends = self.yields.iter().any(|y| y.from == block);
            let leaves = matches!(
                self.func.blocks[block].term,
                Some(Terminator::Return(_) | Terminator::Fail)
            );
            if leaves && !suspends {
                let kind = InstKind::native(NativeId::FrameClear, vec![self.frame]);
                self.push(block, kind, &[]);
            }
        }
        self.slots_to_fields();
        renames.apply(self.func);
        self.repair();
        self.fields.layout
    }

    fn push(&mut self, block: Block, kind: InstKind, results: &[Ty]) -> Vec<Value> {
        let span = self.func.blocks[block].term_span;
        let inst = self.func.push_inst(block, kind, results, span, ORIGIN);
        self.func.insts[inst].results.to_vec()
    }

    fn one(&mut self, block: Block, kind: InstKind, ty: Ty) -> Value {
        self.push(block, kind, &[ty])[0]
    }

    fn iconst(&mut self, block: Block, ty: Ty, value: i128) -> Value {
        self.one(block, InstKind::IConst(value), ty)
    }

    fn store(&mut self, block: Block, offset: u32, value: Value) {
        let mut value = value;
        if self.func.ty(value) == Ty::I1 {
            let op = ConvertOp::ZExt;
            value = self.one(block, InstKind::Convert { op, arg: value }, Ty::I8);
        }
        let kind = InstKind::Store {
            addr: self.data,
            offset: offset as i32,
            value,
            flags: flags(self.func.ty(value)),
        };
        self.push(block, kind, &[]);
    }

    /// Makes the entry of the step, which goes where the state says. Renames the addresses of slots.
    fn enter(&mut self, first: Block) -> Renames {
        let span = self.func.span;
        let entry = self.func.insert_block_before(first);
        self.func.blocks[entry].term_span = span;
        self.frame = self.func.push_param(entry, Ty::Ref);
        self.func.sig.params = vec![Param::new(Ty::Ref)];
        let header = InstKind::Convert {
            op: ConvertOp::RefToPtr,
            arg: self.frame,
        };
        let header = self.one(entry, header, Ty::PTR);
        let data = InstKind::Load {
            addr: header,
            offset: HEADER.offset(DATA) as i32,
            flags: MemFlags {
                alias: AliasClass::HEADER,
                readonly: true,
                ..flags(Ty::PTR)
            },
        };
        self.data = self.one(entry, data, Ty::PTR);
        let mut renames = Renames::new();
        let slots: Vec<(Inst, u32)> = self
            .func
            .layout
            .iter()
            .flat_map(|b| self.func.blocks[b].insts().iter().copied())
            .filter_map(|inst| match self.func.insts[inst].kind {
                InstKind::SlotAddr(slot) => {
                    Some((inst, self.fields.slots[slot.as_u32() as usize]?))
                }
                _ => None,
            })
            .collect();
        let mut places: FxHashMap<u32, Value> = FxHashMap::default();
        for (inst, at) in slots {
            let place = match places.get(&at) {
                Some(&place) => place,
                None => {
                    let offset = self.iconst(entry, Ty::I64, i128::from(at));
                    let base = self.data;
                    let place = self.one(entry, InstKind::PtrAdd { base, offset }, Ty::PTR);
                    places.insert(at, place);
                    place
                }
            };
            renames.replace(self.func.insts[inst].results[0], place);
        }
        let state = InstKind::Load {
            addr: self.data,
            offset: FRAME.offset(STATE) as i32,
            flags: flags(Ty::I64),
        };
        let state = self.one(entry, state, Ty::I64);
        let ended = self.iconst(entry, Ty::I64, ENDED);
        self.store(entry, FRAME.offset(STATE), ended);
        let over = self.end_block();
        let to = |block: Block| BlockCall {
            block,
            args: Vec::new(),
        };
        let mut cases = vec![to(first)];
        cases.extend(self.yields.iter().map(|y| to(y.resume)));
        let term = Terminator::Switch {
            index: state,
            cases,
            default: to(over),
        };
        self.func.set_term(entry, term, span, ORIGIN);
        renames
    }

    /// A block that says that there is nothing more.
    fn end_block(&mut self) -> Block {
        let block = self.func.push_block();
        let types = self.func.sig.results.clone();
        let zeros: Vec<Value> = types
            .into_iter()
            .map(|ty| {
                let kind = match ty {
                    Ty::F16 | Ty::F32 | Ty::F64 => InstKind::FConst(0),
                    Ty::Ptr(_) | Ty::Ref => InstKind::Null,
                    Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Vec(..) => {
                        InstKind::IConst(0)
                    }
                };
                self.one(block, kind, ty)
            })
            .collect();
        let span = self.func.span;
        self.func
            .set_term(block, Terminator::Return(zeros), span, ORIGIN);
        block
    }

    /// The body begins with its parameters in the frame.
    fn load_params(&mut self, first: Block) {
        self.func.blocks[first].params.clear();
        let params = self.params.clone();
        self.load_at_start(first, &params);
    }

    /// Puts loads of values from the frame, or constants again, in front of a block.
    fn load_at_start(&mut self, block: Block, values: &[Value]) {
        let rest = self.func.take_insts(block);
        for &value in values {
            let ty = self.func.ty(value);
            let now = match self.fields.values.get(&value).copied() {
                Some(at) => self.load(block, at, ty),
                None => {
                    let ValueDef::Result(inst, _) = self.func.values[value].def else {
                        continue; // Constants are results.
                    };
                    let kind = self.func.insts[inst].kind.clone();
                    if matches!(kind, InstKind::SlotAddr(_)) {
                        continue; // Needed here, so in the frame: the entry has the address.
                    }
                    self.one(block, kind, ty)
                }
            };
            self.loads[block].push((value, now));
        }
        let end = self.func.blocks[block].insts().len();
        self.func.insert_insts(block, end, rest);
    }

    fn load(&mut self, block: Block, at: u32, ty: Ty) -> Value {
        let stored = if ty == Ty::I1 { Ty::I8 } else { ty };
        let kind = InstKind::Load {
            addr: self.data,
            offset: at as i32,
            flags: flags(stored),
        };
        let value = self.one(block, kind, stored);
        if ty != Ty::I1 {
            return value;
        }
        let zero = self.iconst(block, Ty::I8, 0);
        let kind = InstKind::Icmp {
            cc: IntCc::Ne,
            lhs: value,
            rhs: zero,
        };
        self.one(block, kind, Ty::I1)
    }

    /// Ends a step at a yield, and begins the next one behind it.
    fn suspend(&mut self, n: usize) {
        let Yield { from, resume } = self.yields[n];
        let values = self.crossing[n].clone();
        let Some(Terminator::Jump(call)) = self.func.blocks[from].term.take() else {
            return; // Found to be one.
        };
        for &value in &values {
            let Some(at) = self.fields.values.get(&value).copied() else {
                continue;
            };
            if self.func.ty(value) == Ty::Ref {
                let offset = self.iconst(from, Ty::I64, i128::from(at));
                let base = self.data;
                let place = self.one(from, InstKind::PtrAdd { base, offset }, Ty::PTR);
                let kind = InstKind::native(NativeId::RefSet, vec![place, value]);
                self.push(from, kind, &[]);
            } else {
                self.store(from, at, value);
            }
        }
        let state = self.iconst(from, Ty::I64, n as i128 + 1);
        self.store(from, FRAME.offset(STATE), state);
        let mut results = call.args;
        results.push(self.iconst(from, Ty::I1, 1));
        results.push(self.iconst(from, Ty::I1, 0));
        let span = self.func.blocks[from].term_span;
        self.func
            .set_term(from, Terminator::Return(results), span, ORIGIN);
        self.func.blocks[resume].params.clear();
        let mut needed: Vec<Value> = self.params.clone();
        needed.extend(values);
        self.load_at_start(resume, &needed);
    }

    /// Slots in the frame are memory that other code may reach.
    fn slots_to_fields(&mut self) {
        let mut walk = self.func.layout.walk();
        while let Some(block) = walk.next(&self.func.layout) {
            let mut insts = self.func.take_insts(block);
            let mut out = Vec::with_capacity(insts.len());
            for inst in insts.drain(..) {
                if let InstKind::SlotAddr(slot) = self.func.insts[inst].kind
                    && self.fields.slots[slot.as_u32() as usize].is_some()
                {
                    continue; // The entry has the address.
                }
                self.access_to_field(inst, &mut out);
                out.push(inst);
            }
            self.func.set_insts(block, out);
        }
        // The others are numbered anew.
        let mut left: PrimaryMap<Slot, SlotData> = PrimaryMap::new();
        let mut number: SecondaryMap<Slot, Slot> = SecondaryMap::with_default(Slot::from_u32(0));
        for (slot, data) in std::mem::take(&mut self.func.slots) {
            if self.fields.slots[slot.as_u32() as usize].is_none() {
                number[slot] = left.push(data);
            }
        }
        self.func.slots = left;
        for block in &self.func.layout {
            for &inst in self.func.blocks[block].insts() {
                if let InstKind::SlotAddr(slot) = &mut self.func.insts[inst].kind {
                    *slot = number[*slot];
                }
            }
        }
    }

    /// Makes an access to a slot in the frame one to a field. What it needs in front of it goes to `out`.
    fn access_to_field(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let func = &mut *self.func;
        let (address, stored) = match func.insts[inst].kind {
            InstKind::Load { addr, .. } => (addr, None),
            InstKind::Store {
                addr,
                offset,
                value,
                ..
            } => (addr, Some((offset, value))),
            InstKind::MemCopy { dst, .. } | InstKind::MemSet { dst, .. } => (dst, None),
            _ => return,
        };
        let slot = slot_of(func, address);
        let stays = slot.is_some_and(|s| self.fields.slots[s.as_u32() as usize].is_none());
        if stays {
            return;
        }
        let counted = slot.is_some_and(|slot| !func.slots[slot].refs.is_empty());
        if let Some((offset, value)) = stored
            && counted
            && func.ty(value) == Ty::Ref
        {
            let span = func.insts[inst].span;
            let kind = InstKind::IConst(i128::from(offset));
            let offset = func.make_inst(kind, &[Ty::I64], span, ORIGIN);
            let kind = InstKind::PtrAdd {
                base: address,
                offset: func.insts[offset].results[0],
            };
            let place = func.make_inst(kind, &[Ty::PTR], span, ORIGIN);
            out.extend([offset, place]);
            let place = func.insts[place].results[0];
            func.insts[inst].kind = InstKind::native(NativeId::RefSet, vec![place, value]);
            return;
        }
        match &mut func.insts[inst].kind {
            InstKind::Load { flags, .. } | InstKind::Store { flags, .. } => {
                let lent = flags.alias == AliasClass::ARGS && counted;
                if flags.alias == AliasClass::STACK || lent {
                    flags.alias = AliasClass::ANY;
                }
            }
            InstKind::MemCopy { alias, .. } | InstKind::MemSet { alias, .. }
                if *alias == AliasClass::STACK =>
            {
                *alias = AliasClass::ANY;
            }
            _ => {}
        }
    }
}
