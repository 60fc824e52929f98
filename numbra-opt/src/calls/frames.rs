//! Takes generators apart that the function which makes them also steps through, as `for x in f(n)` does.
//!
//! ```text
//! before                                      after
//!   v1 = call_native @numbra_rt_frame_new(..)   v0 = iconst 0
//!   v2 = ref_to_ptr v1                          jump block1(v0)
//!   v3 = load v2+24           ; the frame     block1(v9: i64):
//!   store v3+8, @f.next                         ; the loop of `f` around the body of this loop
//!   jump block1                                 ..
//! block1:
//!   v4 = load v3+8
//!   v5, v6, v7 = call_indirect v4(v1)
//! ```
//!
//! First the step is called directly, since a frame never changes its step, and `inline` puts it in place. A frame of
//! which only fields are used then is a slot; `sroa` makes values of its fields, `jump_threading` makes edges of its state.
//! What a frame owns, its values own: references end with their last uses, as those of local variables do.
//!
//! A frame that goes elsewhere, or is accessed other than field by field, stays on the heap.

use crate::analyses::Analyses;
use crate::calls::inline;
use crate::flow::jump_threading;
use crate::flow::simplify_cfg;
use crate::manager::RunFunc;
use crate::scalar::dce;
use crate::scalar::fold::integer;
use crate::scalar::gvn;
use crate::scalar::sroa;
use numbra_abi::{FRAME, HEADER, NativeId};
use numbra_base::Origin;
use numbra_lir::analysis::{DefUse, Use};
use numbra_lir::{
    AliasClass, Align, Block, ConvertOp, Func, FuncRef, Inst, InstKind, IntCc, MemFlags, Module,
    Slot, SlotData, Ty, Value,
};
use std::collections::BTreeMap;

const ORIGIN: Origin = Origin::Pass("frames");
/// Field numbers of [`FRAME`] and [`HEADER`].
const RESUME: usize = 1;
const DATA: usize = 3;
/// A frame of more fields stays what it is.
const MAX_FIELDS: usize = 64;

pub(crate) fn frames(module: &mut Module) -> bool {
    let ids: Vec<FuncRef> = module.functions.keys().collect();
    let mut changed = Vec::new();
    for &id in &ids {
        if let Some(mut func) = module.functions[id].body.take() {
            if call_steps(&mut func, module) {
                changed.push(id);
            }
            module.functions[id].body = Some(func);
        }
    }
    if changed.is_empty() {
        return false;
    }
    inline::inline(module);
    for id in changed {
        let Some(mut func) = module.functions[id].body.take() else {
            continue;
        };
        run(&mut func, module, &[simplify_cfg::simplify_cfg]);
        if to_slots(&mut func) {
            // The state is a constant behind each yield once the test for the end is, and that once the state is.
            let round: [RunFunc; 4] = [
                gvn::gvn,
                simplify_cfg::simplify_cfg,
                jump_threading::jump_threading,
                simplify_cfg::simplify_cfg,
            ];
            let passes = [&[sroa::sroa as RunFunc][..], &round, &round, &[dce::dce]].concat();
            run(&mut func, module, &passes);
        }
        module.functions[id].body = Some(func);
    }
    inline::drop_uncalled(module);
    true
}

fn run(func: &mut Func, module: &Module, passes: &[RunFunc]) {
    let mut known = Analyses::default();
    for pass in passes {
        let changed = pass(func, module, &mut known);
        known.note(changed);
    }
}

/// The frame whose data an address is, if it was made here.
fn frame_of(func: &Func, data: Value) -> Option<Value> {
    let &InstKind::Load { addr, offset, .. } = func.def(data)? else {
        return None;
    };
    if offset != HEADER.offset(DATA) as i32 {
        return None;
    }
    match func.def(addr)? {
        InstKind::Convert {
            op: ConvertOp::RefToPtr,
            arg,
        } => (func.def(*arg)?.native_id() == Some(NativeId::FrameNew)).then_some(*arg),
        _ => None,
    }
}

/// Makes calls of the step of a frame that was made here direct, where they are calls of such a function.
fn call_steps(func: &mut Func, module: &Module) -> bool {
    let insts: Vec<Inst> = func
        .layout
        .iter()
        .flat_map(|block| func.blocks[block].insts().iter().copied())
        .collect();
    // The step of each frame: the function whose address is written to it.
    let mut steps: BTreeMap<Value, FuncRef> = BTreeMap::new();
    for &inst in &insts {
        if let InstKind::Store {
            addr,
            offset,
            value,
            ..
        } = func.insts[inst].kind
            && offset == FRAME.offset(RESUME) as i32
            && let Some(frame) = frame_of(func, addr)
            && let Some(&InstKind::FuncAddr(step)) = func.def(value)
        {
            steps.insert(frame, step);
        }
    }
    let mut changed = false;
    for inst in insts {
        let InstKind::CallIndirect { sig, callee, args } = &func.insts[inst].kind else {
            continue;
        };
        let &[frame] = args.as_slice() else { continue };
        let Some(&step) = steps.get(&frame) else {
            continue;
        };
        let from_frame = match func.def(*callee) {
            Some(&InstKind::FuncAddr(known)) => known == step,
            Some(&InstKind::Load { addr, offset, .. }) => {
                offset == FRAME.offset(RESUME) as i32 && frame_of(func, addr) == Some(frame)
            }
            _ => false,
        };
        if from_frame && module.signatures[*sig] == module.functions[step].sig {
            let args = args.clone();
            func.insts[inst].kind = InstKind::Call { func: step, args };
            changed = true;
        }
    }
    changed
}

/// How a frame is used, when it is used field by field.
#[derive(Default)]
struct Uses {
    /// Type of the field at each offset.
    fields: BTreeMap<u32, Ty>,
    /// Addresses of its data, and instructions that vanish with the frame.
    data: Vec<Inst>,
    gone: Vec<Inst>,
    /// Tests whether the frame is there.
    tests: Vec<Inst>,
    /// Loads and stores of fields.
    accesses: Vec<Inst>,
    /// Writes of references, and ends of the generator.
    sets: Vec<Inst>,
    clears: Vec<(Block, Inst)>,
    /// `keep` of the frame.
    keeps: Vec<Inst>,
}

impl Uses {
    fn field(&mut self, offset: i64, ty: Ty) -> Option<()> {
        let offset = u32::try_from(offset).ok()?;
        (*self.fields.entry(offset).or_insert(ty) == ty).then_some(())
    }

    /// True if no field overlaps another.
    fn are_apart(&self) -> bool {
        let mut end = 0;
        self.fields.len() <= MAX_FIELDS
            && self.fields.iter().all(|(&offset, ty)| {
                let good = offset >= end;
                end = offset + ty.size();
                good
            })
    }
}

/// The uses of a frame; `None` where one is not of a field.
fn uses(func: &Func, all: &DefUse, frame: Value) -> Option<Uses> {
    let mut out = Uses::default();
    for used in all.uses(frame) {
        let &Use::Inst(block, inst) = used else {
            return None;
        };
        match &func.insts[inst].kind {
            InstKind::Convert {
                op: ConvertOp::RefToPtr,
                ..
            } => {
                out.gone.push(inst);
                header_uses(func, all, func.insts[inst].results[0], &mut out)?;
            }
            InstKind::Keep(_) => out.keeps.push(inst),
            kind if kind.native_id() == Some(NativeId::FrameClear) => {
                out.clears.push((block, inst))
            }
            _ => return None,
        }
    }
    out.are_apart().then_some(out)
}

fn header_uses(func: &Func, all: &DefUse, header: Value, out: &mut Uses) -> Option<()> {
    for used in all.uses(header) {
        let &Use::Inst(_, inst) = used else {
            return None;
        };
        match func.insts[inst].kind {
            InstKind::Load { offset, .. } if offset == HEADER.offset(DATA) as i32 => {
                out.data.push(inst);
                pointer_uses(func, all, func.insts[inst].results[0], 0, out)?;
            }
            InstKind::Icmp {
                cc: IntCc::Ne | IntCc::Eq,
                lhs,
                rhs,
            } => {
                let other = if lhs == header { rhs } else { lhs };
                matches!(func.def(other)?, InstKind::Null).then_some(())?;
                out.tests.push(inst);
            }
            _ => return None,
        }
    }
    Some(())
}

/// The uses of an address `at` bytes into the frame.
fn pointer_uses(func: &Func, all: &DefUse, pointer: Value, at: i64, out: &mut Uses) -> Option<()> {
    for used in all.uses(pointer) {
        let &Use::Inst(_, inst) = used else {
            return None;
        };
        let data = &func.insts[inst];
        match &data.kind {
            InstKind::Load { offset, flags, .. } if !flags.volatile => {
                out.field(at + i64::from(*offset), func.ty(data.results[0]))?;
                out.accesses.push(inst);
            }
            InstKind::Store {
                offset,
                value,
                flags,
                ..
            } if !flags.volatile && *value != pointer => {
                out.field(at + i64::from(*offset), func.ty(*value))?;
                out.accesses.push(inst);
            }
            InstKind::PtrAdd { base, offset } if *base == pointer => {
                let n = i64::try_from(integer(func, *offset)?).ok()?;
                pointer_uses(func, all, data.results[0], at.checked_add(n)?, out)?;
            }
            kind @ InstKind::CallNative { args, .. }
                if kind.native_id() == Some(NativeId::RefSet) && args[0] == pointer =>
            {
                out.field(at, Ty::Ref)?;
                out.sets.push(inst);
            }
            _ => return None,
        }
    }
    Some(())
}

/// Makes slots of the frames that are made here and used field by field.
fn to_slots(func: &mut Func) -> bool {
    let made: Vec<(Block, Inst)> = func
        .layout
        .iter()
        .flat_map(|block| func.blocks[block].insts().iter().map(move |&i| (block, i)))
        .filter(|&(_, inst)| func.insts[inst].kind.native_id() == Some(NativeId::FrameNew))
        .collect();
    let mut changed = false;
    for (block, inst) in made {
        let all = DefUse::new(func);
        let frame = func.insts[inst].results[0];
        if let Some(uses) = uses(func, &all, frame) {
            to_slot(func, block, inst, frame, &uses);
            changed = true;
        }
    }
    changed
}

fn stack(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::STACK,
        align: Align(ty.size().min(8) as u8),
        readonly: false,
        volatile: false,
    }
}

/// Makes a slot of the frame that `made` makes.
fn to_slot(func: &mut Func, block: Block, made: Inst, frame: Value, uses: &Uses) {
    let end = uses.fields.iter().map(|(&at, ty)| at + ty.size()).max();
    let refs = uses.fields.iter().filter(|(_, ty)| **ty == Ty::Ref);
    let slot = func.slots.push(SlotData {
        size: end.unwrap_or(8).next_multiple_of(8),
        align: 8,
        refs: refs.map(|(&at, _)| at).collect(),
        undefined: false,
    });
    for &inst in &uses.data {
        func.insts[inst].kind = InstKind::SlotAddr(slot);
    }
    for &inst in &uses.tests {
        let found = matches!(func.insts[inst].kind, InstKind::Icmp { cc: IntCc::Ne, .. });
        func.insts[inst].kind = InstKind::IConst(found.into());
    }
    for &inst in &uses.accesses {
        if let InstKind::Load { flags, .. } | InstKind::Store { flags, .. } =
            &mut func.insts[inst].kind
        {
            flags.alias = AliasClass::STACK;
            flags.readonly = false;
        }
    }
    for &inst in &uses.sets {
        if let InstKind::CallNative { args, .. } = &func.insts[inst].kind {
            func.insts[inst].kind = InstKind::Store {
                addr: args[0],
                offset: 0,
                value: args[1],
                flags: stack(Ty::Ref),
            };
        }
    }
    for &inst in &uses.keeps {
        if let InstKind::Keep(live) = &mut func.insts[inst].kind {
            live.retain(|&value| value != frame);
        }
    }
    // A frame begins as zeros, and an ended generator holds no references.
    let zeros: Vec<(u32, Ty)> = uses.fields.iter().map(|(&at, &ty)| (at, ty)).collect();
    replace(func, block, made, slot, &zeros);
    let refs: Vec<(u32, Ty)> = zeros.into_iter().filter(|f| f.1 == Ty::Ref).collect();
    for &(block, clear) in &uses.clears {
        replace(func, block, clear, slot, &refs);
    }
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        func.retain_insts(block, |inst, data| {
            let idle = matches!(&data.kind, InstKind::Keep(live) if live.is_empty());
            !idle && !uses.gone.contains(&inst)
        });
    }
}

/// Puts zeros into fields of the slot in the place of an instruction.
fn replace(func: &mut Func, block: Block, inst: Inst, slot: Slot, fields: &[(u32, Ty)]) {
    let span = func.insts[inst].span;
    let mut new = Vec::with_capacity(2 * fields.len() + 1);
    let mut make = |kind: InstKind, ty: &[Ty]| {
        let inst = func.make_inst(kind, ty, span, ORIGIN);
        new.push(inst);
        func.insts[inst].results.first().copied()
    };
    if let Some(addr) = make(InstKind::SlotAddr(slot), &[Ty::PTR]) {
        for &(at, ty) in fields {
            let zero = match ty {
                Ty::F16 | Ty::F32 | Ty::F64 => InstKind::FConst(0),
                Ty::Ptr(_) | Ty::Ref => InstKind::Null,
                Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 => InstKind::IConst(0),
                Ty::Vec(..) => continue, // Written before it is read, as all fields of values are.
            };
            let Some(value) = make(zero, &[ty]) else {
                continue;
            };
            let store = InstKind::Store {
                addr,
                offset: at as i32,
                value,
                flags: stack(ty),
            };
            make(store, &[]);
        }
    }
    if let Some(at) = func.inst_index(inst) {
        func.remove_inst(inst);
        func.insert_insts(block, at, new);
    }
}
