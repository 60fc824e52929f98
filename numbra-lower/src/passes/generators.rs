//! Cuts the body of a generator into the steps between its yields.
//!
//! The body comes as one function: its parameters are those of the generator, it returns `(item.., more, 0)`, and where
//! it yields it jumps to the block where it goes on, with the leaves of the item as arguments. Such a *resume block* has
//! no other predecessor.
//!
//! ```text
//! before                                   after: one step, with the generator's frame as only parameter
//! block0(v0: i64):                         block9(v20: ref):
//!   v1: i64 = iconst 0                       v21: ptr = the data of v20
//!   jump block1(v1)                          v22: i64 = load v21+0        ; state
//! block1(v2: i64):                           store -1 to v21+0            ; runs; an end leaves it so
//!   v3 = icmp slt v2, v0                     switch v22 [block0, block3], block8
//!   brif v3, block2, block4                block0:
//! block2:                                    v0: i64 = load v21+24        ; a parameter
//!   jump block3(v2)   ; yields v2            ..
//! block3(v4: i64):                         block2:
//!   v5 = iadd v2, 1                          store v2, v21+32             ; needed behind the yield
//!   jump block1(v5)                          store 1, v21+0
//! block4:                                    return v2, 1, 0
//!   return 0, 0, 0                         block3:
//!                                            v2' = load v21+32 ..
//! ```
//!
//! - What is alive at a yield has a field of the frame ([`numbra_abi::FRAME`]) of its own, and so have the parameters,
//!   which are written once, when the generator is made. A pointer takes the references along that keep its memory.
//! - References stand first and are counted; an object dies no earlier than its field is written again, the generator
//!   ends, or the frame goes.
//! - Constants are computed again. A slot whose address is needed behind a yield is a field, too. Other slots stay: code
//!   that comes to them again makes their contents anew, as it does in a loop.
//! - A step that ends the generator, by returning or raising, gives up all references of the frame.
//!
//! The result is an ordinary function: all rules of the verifier hold for it.

use super::ref_roots::{RefRoots, slot_of};
use super::rename::Renames;
use super::sroa::sroa;
use super::ssa::{Event, construct};
use crate::analysis::{Cfg, Dominators, LivenessBuilder};
use crate::lir::{
    AliasClass, Align, Block, BlockCall, ConvertOp, Func, Inst, InstKind, IntCc, MemFlags, Module,
    Param, Slot, SlotData, Terminator, Ty, Value, ValueDef,
};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use numbra_abi::{FRAME, HEADER};
use numbra_base::{FxHashMap, Origin};

const ORIGIN: Origin = Origin::Pass("generators");

/// Field numbers of [`FRAME`] and [`HEADER`].
const STATE: usize = 0;
const DATA: usize = 3;
/// State of a generator that runs or has ended.
const ENDED: i128 = -1;

/// The frame of one generator function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FrameLayout {
    /// Bytes of the frame.
    pub(crate) size: u32,
    /// References behind the fixed fields.
    pub(crate) refs: u32,
    /// Where each parameter's leaf stands.
    pub(crate) params: Vec<u32>,
}

/// Cuts a body at its yields: `resumes` are the blocks where it goes on. See the documentation of this module.
///
/// # Errors
/// What no frame can hold.
pub(crate) fn split_generator(
    func: &mut Func,
    module: &Module,
    resumes: &[Block],
) -> Result<FrameLayout, &'static str> {
    sroa(func, module);
    let cfg = Cfg::new(func);
    func.layout.retain(|&block| cfg.is_reachable(block));
    let params = func.blocks[func.entry()].params.clone();
    let yields = yields(func, &cfg, resumes)?;
    let roots = RefRoots::new(func, &cfg, &Dominators::new(&cfg));
    let crossing = crossing(func, &cfg, &roots, &params, &yields);
    let kept = slots_in_frame(func, &crossing);
    let fields = Fields::new(func, &params, &crossing, &kept)?;
    let mut cut = Cut {
        func,
        fields,
        params,
        yields,
        crossing,
        roots,
        frame: Value::from_u32(0),
        data: Value::from_u32(0),
        loads: SecondaryMap::new(),
    };
    cut.run();
    Ok(cut.fields.layout)
}

/// A yield: the block that ends with it, and where it goes on.
struct Yield {
    from: Block,
    resume: Block,
}

fn yields(func: &Func, cfg: &Cfg, resumes: &[Block]) -> Result<Vec<Yield>, &'static str> {
    let mut out = Vec::new();
    for &resume in resumes {
        match cfg.preds(resume) {
            [] => {}
            &[from] if matches!(func.term(from), Terminator::Jump(_)) => {
                out.push(Yield { from, resume });
            }
            _ => return Err("a yield that is entered from elsewhere"),
        }
    }
    Ok(out)
}

/// True for values that a step can make again.
fn is_constant(func: &Func, value: Value) -> bool {
    match func.values[value].def {
        ValueDef::Result(inst, _) => matches!(
            func.insts[inst].kind,
            InstKind::IConst(_)
                | InstKind::FConst(_)
                | InstKind::Null
                | InstKind::SlotAddr(_)
                | InstKind::DataAddr(_)
                | InstKind::FuncAddr(_)
        ),
        ValueDef::Param(..) => false,
    }
}

/// For each yield the values that are needed behind it, in order.
fn crossing(
    func: &Func,
    cfg: &Cfg,
    roots: &RefRoots,
    params: &[Value],
    yields: &[Yield],
) -> Vec<Vec<Value>> {
    let mut uses: SecondaryMap<Value, Vec<Block>> = SecondaryMap::new();
    let mut defs: Vec<(Value, Block)> = Vec::new();
    for &block in cfg.rpo() {
        let data = &func.blocks[block];
        defs.extend(data.params.iter().map(|&v| (v, block)));
        let mut mark = |value: Value| {
            let mut add = |value: Value| {
                if uses[value].last() != Some(&block) {
                    uses[value].push(block);
                }
            };
            add(value);
            roots.visit(value, add);
        };
        for &inst in &data.insts {
            func.insts[inst].kind.visit_operands(&mut mark);
            defs.extend(func.insts[inst].results.iter().map(|&v| (v, block)));
        }
        if let Some(term) = &data.term {
            term.visit_operands(&mut mark);
        }
    }
    let mut builder = LivenessBuilder::new();
    for (value, def) in defs {
        builder.add(cfg, value, Some(def), uses[value].iter().copied());
    }
    let alive = |at: &Yield| {
        let mut values: Vec<Value> = builder
            .liveness
            .live_in(at.resume)
            .iter()
            .copied()
            .filter(|v| !params.contains(v))
            .collect();
        values.sort();
        values
    };
    yields.iter().map(alive).collect()
}

/// Slots whose memory is needed behind a yield: an address of theirs is, or stands in memory that is.
fn slots_in_frame(func: &Func, crossing: &[Vec<Value>]) -> Vec<bool> {
    let mut kept = vec![false; func.slots.len()];
    let mut merged = false;
    for &value in crossing.iter().flatten() {
        if !matches!(func.ty(value), Ty::Ptr(_)) {
            continue;
        }
        match (slot_of(func, value), func.values[value].def) {
            (Some(slot), _) => kept[slot.as_u32() as usize] = true,
            (None, ValueDef::Param(..)) => merged = true,
            (None, ValueDef::Result(..)) => {}
        }
    }
    // Which slots' addresses stand in which memory, and which are merged into block parameters.
    let mut stored: Vec<(Option<Slot>, Slot)> = Vec::new();
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            if let InstKind::Store { addr, value, .. } = func.insts[inst].kind
                && let Some(slot) = slot_of(func, value)
            {
                stored.push((slot_of(func, addr), slot));
            }
        }
        if let Some(term) = &func.blocks[block].term {
            for &arg in term.targets().iter().flat_map(|to| &to.args) {
                if let Some(slot) = slot_of(func, arg).filter(|_| merged) {
                    kept[slot.as_u32() as usize] = true;
                }
            }
        }
    }
    loop {
        let mut changed = false;
        for &(place, slot) in &stored {
            let known = place.is_some_and(|place| !kept[place.as_u32() as usize]);
            if !known && !std::mem::replace(&mut kept[slot.as_u32() as usize], true) {
                changed = true;
            }
        }
        if !changed {
            return kept;
        }
    }
}

/// Where things stand in the frame.
struct Fields {
    layout: FrameLayout,
    values: FxHashMap<Value, u32>,
    /// `None` for slots that stay slots.
    slots: Vec<Option<u32>>,
}

impl Fields {
    fn new(
        func: &Func,
        params: &[Value],
        crossing: &[Vec<Value>],
        kept: &[bool],
    ) -> Result<Fields, &'static str> {
        let mut all: Vec<Value> = params.to_vec();
        for &value in crossing.iter().flatten() {
            if !is_constant(func, value) && !all.contains(&value) {
                all.push(value);
            }
        }
        let mut values = FxHashMap::default();
        let mut at = FRAME.size;
        let (refs, plain): (Vec<Value>, Vec<Value>) =
            all.into_iter().partition(|&v| func.ty(v) == Ty::Ref);
        for &value in &refs {
            values.insert(value, at);
            at += 8;
        }
        let mut refs = refs.len() as u32;
        let mut slots = vec![None; func.slots.len()];
        let moved = || func.slots.values().enumerate().filter(|(n, _)| kept[*n]);
        // References in slots are counted fields as those of values.
        for (n, slot) in moved().filter(|(_, slot)| !slot.refs.is_empty()) {
            if slot.align > 8 || slot.size as usize != 8 * slot.refs.len() {
                return Err("a yield beside memory that mixes references with other values");
            }
            slots[n] = Some(at);
            at += slot.size;
            refs += slot.refs.len() as u32;
        }
        for value in plain {
            let size = func.ty(value).size();
            at = at.next_multiple_of(size);
            values.insert(value, at);
            at += size;
        }
        for (n, slot) in moved().filter(|(_, slot)| slot.refs.is_empty()) {
            if slot.align > 64 {
                return Err("a yield beside memory of an alignment above 64");
            }
            at = at.next_multiple_of(slot.align);
            slots[n] = Some(at);
            at = at
                .checked_add(slot.size)
                .filter(|at| *at < i32::MAX as u32 / 2)
                .ok_or("a generator with a frame of more than 1 GiB")?;
        }
        let layout = FrameLayout {
            size: at.next_multiple_of(8),
            refs,
            params: params.iter().map(|v| values[v]).collect(),
        };
        Ok(Fields {
            layout,
            values,
            slots,
        })
    }
}

struct Cut<'a> {
    func: &'a mut Func,
    fields: Fields,
    params: Vec<Value>,
    yields: Vec<Yield>,
    crossing: Vec<Vec<Value>>,
    roots: RefRoots,
    /// The step's parameter, and the address of its data.
    frame: Value,
    data: Value,
    /// What a block that a step begins with loads: the value, and what it is in this step.
    loads: SecondaryMap<Block, Vec<(Value, Value)>>,
}

fn flags(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::ANY,
        align: Align(ty.size().min(8) as u8),
        readonly: false,
        volatile: false,
    }
}

impl Cut<'_> {
    fn run(&mut self) {
        let first = self.func.entry();
        let exits: Vec<Block> = self.func.layout.clone();
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
                let kind = InstKind::CallNative {
                    name: "numbra_rt_frame_clear".to_owned(),
                    args: vec![self.frame],
                };
                self.push(block, kind, &[]);
            }
        }
        self.slots_to_fields();
        renames.apply(self.func);
        self.repair();
    }

    fn push(&mut self, block: Block, kind: InstKind, results: &[Ty]) -> Vec<Value> {
        let span = self.func.blocks[block].term_span;
        let inst = self.func.push_inst(block, kind, results, span, ORIGIN);
        self.func.insts[inst].results.clone()
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
        let entry = self.func.push_block();
        self.func.layout.pop();
        self.func.layout.insert(0, entry);
        self.func.blocks[entry].term_span = span;
        self.frame = self.func.push_param(entry, Ty::Ref);
        self.func.sig.params = vec![Param {
            ty: Ty::Ref,
            noalias: false,
        }];
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
            .flat_map(|&b| self.func.blocks[b].insts.iter().copied())
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
        let rest = std::mem::take(&mut self.func.blocks[block].insts);
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
        self.func.blocks[block].insts.extend(rest);
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
                let kind = InstKind::CallNative {
                    name: "numbra_rt_ref_set".to_owned(),
                    args: vec![place, value],
                };
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
        for at in 0..self.func.layout.len() {
            let block = self.func.layout[at];
            let mut insts = std::mem::take(&mut self.func.blocks[block].insts);
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
            self.func.blocks[block].insts = out;
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
        for &block in &self.func.layout {
            for &inst in &self.func.blocks[block].insts {
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
            func.insts[inst].kind = InstKind::CallNative {
                name: "numbra_rt_ref_set".to_owned(),
                args: vec![func.insts[place].results[0], value],
            };
            return;
        }
        match &mut func.insts[inst].kind {
            InstKind::Load { flags, .. } | InstKind::Store { flags, .. } => {
                let lent = flags.alias == AliasClass::ARGS && counted;
                if flags.alias == AliasClass::STACK || lent {
                    flags.alias = AliasClass::ANY;
                }
            }
            InstKind::MemCopy { alias, .. } | InstKind::MemSet { alias, .. } => {
                if *alias == AliasClass::STACK {
                    *alias = AliasClass::ANY;
                }
            }
            _ => {}
        }
    }

    /// Values that are loaded in several steps have several definitions: gives each use the one that reaches it.
    fn repair(&mut self) {
        let (func, roots) = (&mut *self.func, &self.roots);
        let cfg = Cfg::new(func);
        func.layout.retain(|&block| cfg.is_reachable(block));
        let doms = Dominators::new(&cfg);
        let mut numbers: FxHashMap<Value, u32> = FxHashMap::default();
        let mut types = Vec::new();
        let mut originals = Vec::new();
        for &block in cfg.rpo() {
            for &(value, _) in &self.loads[block] {
                numbers.entry(value).or_insert_with(|| {
                    types.push(func.ty(value));
                    originals.push(value);
                    types.len() as u32 - 1
                });
            }
        }
        let mut events: SecondaryMap<Block, Vec<Event>> = SecondaryMap::new();
        for &block in cfg.rpo() {
            let mut list: Vec<Event> = self.loads[block]
                .iter()
                .map(|(value, now)| Event::Def {
                    var: numbers[value],
                    value: *now,
                })
                .collect();
            let define = |value: Value, list: &mut Vec<Event>| {
                if let Some(&var) = numbers.get(&value) {
                    list.push(Event::Def { var, value });
                }
            };
            for &param in &func.blocks[block].params {
                define(param, &mut list);
            }
            for n in 0..func.blocks[block].insts.len() {
                let inst = func.blocks[block].insts[n];
                let mut kind = func.insts[inst].kind.clone();
                kind.for_each_operand(|v| stand_in(func, &numbers, roots, v, &mut list));
                func.insts[inst].kind = kind;
                for &result in &func.insts[inst].results {
                    define(result, &mut list);
                }
            }
            if let Some(mut term) = func.blocks[block].term.take() {
                term.for_each_operand(|v| stand_in(func, &numbers, roots, v, &mut list));
                func.blocks[block].term = Some(term);
            }
            events[block] = list;
        }
        let mut renames = Renames::new();
        // Each use was dominated by the definition, or is behind a load now.
        construct(
            func,
            &cfg,
            &doms,
            &types,
            &events,
            &mut renames,
            |_, var| originals[var as usize],
        );
        renames.apply(func);
    }
}

/// Replaces a use of a variable by a value that stands for whatever the variable is there. Where a pointer is needed, so
/// are the references that keep its memory: they become block parameters beside it.
fn stand_in(
    func: &mut Func,
    numbers: &FxHashMap<Value, u32>,
    roots: &RefRoots,
    value: &mut Value,
    list: &mut Vec<Event>,
) {
    let Some(&var) = numbers.get(value) else {
        return;
    };
    let mut stand_in = |value: Value, var: u32| {
        let data = func.values[value];
        let stand_in = func.values.push(data);
        list.push(Event::Use { var, stand_in });
        stand_in
    };
    roots.visit(*value, |root| {
        if let Some(&var) = numbers.get(&root).filter(|_| root != *value) {
            stand_in(root, var);
        }
    });
    *value = stand_in(*value, var);
}
