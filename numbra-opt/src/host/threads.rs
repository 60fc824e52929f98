//! Kernels for the CPU: operations of GPU threads as reads of the thread's state and calls of the runtime.
//!
//! ```text
//! before                               after (v1 is the thread's state)
//!   v2 = device thread_idx.0()           v2: i32 = load v1 args align 4 readonly
//!   device barrier()                     v9: i32 = iconst 0
//!                                        v10 = call_native "numbra_rt_device_barrier"(v1, v9)
//!   v3 = data_addr $shared               v11 = load v1 + 56 args align 8 readonly
//!                                        v3 = ptr_add v11, v12   (v12 = its place in the block's memory)
//! ```
//!
//! A kernel whose threads neither wait nor raise becomes a loop over a row of threads, so that what they share is computed
//! once. The state is a `numbra_abi::DeviceThread`. A kernel has its address as second parameter, other functions ask for it at
//! their start, and those that may call themselves for room on the stack. What the CPU has no counterpart for stays, and [`host_gap`] names it. Linear.

use numbra_abi::{DeviceThread, NativeId};
use numbra_base::Origin;
use numbra_lir::{
    AddrSpace, AliasClass, Align, BinaryOp, Block, BlockCall, ConvertOp, DataId, DeviceOp, Func,
    Inst, InstBuilder, InstKind, IntCc, Linkage, MemFlags, Module, Terminator, Ty, Value, ValueDef,
};
use rustc_hash::FxHashMap;
use std::mem::offset_of;

use crate::host::depth;
use crate::host::library;
use crate::host::spins;

const ORIGIN: Origin = Origin::Pass("host_threads");

/// Alignment of shared memory whose size the launch says.
const DYNAMIC_ALIGN: u32 = 16;

/// What a launch on the CPU must know of a kernel's code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct HostNeeds {
    /// Bytes of shared memory whose size the code knows.
    pub shared: u32,
    /// Whether its threads may wait for each other.
    pub waits: bool,
    /// Whether its grid synchronises as a whole.
    pub cooperative: bool,
    /// Whether a call of it runs a row of threads.
    pub rows: bool,
    /// Bytes of constant arrays.
    pub constant: u64,
    /// Bytes of stack slots of all functions.
    pub local: u64,
    /// Whether functions of it may call themselves.
    pub deep: bool,
}

/// What a launch must know of a kernel, of its code before this pass.
pub fn host_needs(module: &Module) -> HostNeeds {
    let constants = module
        .data
        .values()
        .filter(|data| data.space == AddrSpace::Const);
    let mut needs = HostNeeds {
        shared: SharedLayout::new(module).size,
        constant: constants.map(|data| data.bytes.len() as u64).sum(),
        deep: !depth::recursive(module).is_empty(),
        ..HostNeeds::default()
    };
    for func in bodies(module) {
        let slots = func.slots.values();
        needs.local += slots.map(|s| u64::from(s.size + s.align)).sum::<u64>();
        needs.waits |= !spins::iterations(func).is_empty();
        for kind in kinds(func) {
            if let InstKind::Device { op, .. } = kind {
                needs.waits |= op.is_convergent() || *op == DeviceOp::Nanosleep;
                needs.cooperative |= *op == DeviceOp::GridBarrier;
            }
        }
    }
    needs.rows = !needs.waits && kernels(module).all(is_batchable);
    needs
}

fn kernels(module: &Module) -> impl Iterator<Item = &Func> {
    let kernels = module.functions.values();
    kernels
        .filter(|f| f.linkage == Linkage::Kernel)
        .filter_map(|f| f.body.as_ref())
}

/// Whether one thread after the other can run in one call: nothing is left of the last in its frame or state.
fn is_batchable(kernel: &Func) -> bool {
    let state = kernel.blocks[kernel.entry()].params.get(1).copied();
    let clean = kernel.slots.values().all(|slot| slot.undefined);
    let writes_state =
        |kind: &InstKind| matches!(kind, InstKind::Store { addr, .. } if Some(*addr) == state);
    clean && state.is_some() && !kinds(kernel).any(writes_state)
}

/// What the code asks for that kernels on the CPU do not have.
pub fn host_gap(module: &Module) -> Option<String> {
    let gap = |kind: &InstKind| match kind {
        InstKind::Device { op, .. } => {
            let function = op.library_function()?;
            let known = library::has(function);
            (!known).then(|| {
                format!(
                    "`libdevice.{}`, which has no counterpart on the CPU",
                    function.name
                )
            })
        }
        InstKind::CallNative { callee, .. } => {
            Some(format!("the runtime function `{}`", callee.symbol()))
        }
        InstKind::Call { func, .. } if module.functions[*func].body.is_none() => {
            let name = &module.functions[*func].name;
            Some(format!("`{name}`, which code for GPUs defines"))
        }
        _ => None,
    };
    bodies(module).flat_map(kinds).find_map(gap)
}

fn bodies(module: &Module) -> impl Iterator<Item = &Func> {
    module.functions.values().filter_map(|f| f.body.as_ref())
}

fn kinds(func: &Func) -> impl Iterator<Item = &InstKind> {
    let blocks = func.layout.iter().map(|block| &func.blocks[block]);
    blocks.flat_map(|block| block.insts().iter().map(|&inst| &func.insts[inst].kind))
}

/// Where shared data is in the block's memory: first what has a size, then what the launch sizes.
struct SharedLayout {
    offsets: FxHashMap<DataId, u32>,
    size: u32,
}

impl SharedLayout {
    fn new(module: &Module) -> SharedLayout {
        let shared = || {
            let data = module.data.iter();
            data.filter(|(_, data)| data.space == AddrSpace::Shared)
        };
        let mut offsets = FxHashMap::default();
        let mut size = 0_u32;
        for (id, data) in shared().filter(|(_, data)| data.zeros > 0) {
            let at = size.next_multiple_of(data.align.clamp(1, DeviceThread::SHARED_ALIGN));
            offsets.insert(id, at);
            size = at.saturating_add(data.zeros);
        }
        size = size.next_multiple_of(DYNAMIC_ALIGN);
        for (id, _) in shared().filter(|(_, data)| data.zeros == 0) {
            offsets.insert(id, size);
        }
        SharedLayout { offsets, size }
    }
}

pub(crate) fn host_threads(module: &mut Module) -> bool {
    let layout = SharedLayout::new(module);
    let rows = host_needs(module).rows;
    let mut changed = depth::ask_for_room(module);
    let mut places = 0;
    for id in module.functions.keys().collect::<Vec<_>>() {
        let is_kernel = module.functions[id].linkage == Linkage::Kernel;
        if let Some(func) = &mut module.functions[id].body {
            let index = (is_kernel && rows).then(|| loop_over_row(func));
            changed |= index.is_some();
            changed |= rewrite(func, is_kernel, index, &layout, &mut places);
        }
    }
    let mut placed: Vec<DataId> = layout.offsets.keys().copied().collect();
    placed.sort_unstable();
    for id in placed {
        let data = &mut module.data[id];
        data.space = AddrSpace::Generic;
        data.zeros = 0;
        data.bytes = Vec::new();
    }
    changed
}

/// Runs the kernel for each thread of a row; the index along x.
fn loop_over_row(func: &mut Func) -> Value {
    let (span, body) = (func.span, func.entry());
    let exits: Vec<Block> = func.layout.iter().collect();
    let params = std::mem::take(&mut func.blocks[body].params);
    let entry = func.insert_block_before(body);
    let state = params[1];
    for (n, &param) in params.iter().enumerate() {
        func.values[param].def = ValueDef::Param(entry, n as u16);
    }
    func.blocks[entry].params = params;
    let index = func.push_param(body, Ty::I32);
    let latch = func.push_block();
    let done = func.push_block();
    let one = |func: &mut Func, block, kind| {
        let inst = func.push_inst(block, kind, &[Ty::I32], span, ORIGIN);
        func.insts[inst].results[0]
    };
    let row = one(
        func,
        entry,
        state_load(state, Ty::I32, offset_of!(DeviceThread, row)),
    );
    let step = one(func, entry, InstKind::IConst(1));
    let zero = one(func, entry, InstKind::IConst(0));
    let to = |block, args| BlockCall { block, args };
    func.set_term(entry, Terminator::Jump(to(body, vec![zero])), span, ORIGIN);
    for block in exits {
        if matches!(func.blocks[block].term, Some(Terminator::Return(_))) {
            func.set_term(block, Terminator::Jump(to(latch, Vec::new())), span, ORIGIN);
        }
    }
    // Other functions ask the state.
    let calls = kinds(func)
        .any(|kind| matches!(kind, InstKind::Call { .. } | InstKind::CallIndirect { .. }));
    if calls {
        let store = InstKind::Store {
            addr: state,
            offset: offset_of!(DeviceThread, thread) as i32,
            value: index,
            flags: MemFlags {
                readonly: false,
                ..state_flags(Ty::I32)
            },
        };
        let store = func.make_inst(store, &[], span, ORIGIN);
        func.insert_inst(body, 0, store);
    }
    let (op, lhs, rhs) = (BinaryOp::IAdd, index, step);
    let next = one(func, latch, InstKind::Binary { op, lhs, rhs });
    let (cc, lhs, rhs) = (IntCc::Ult, next, row);
    let test = func.push_inst(
        latch,
        InstKind::Icmp { cc, lhs, rhs },
        &[Ty::I1],
        span,
        ORIGIN,
    );
    let again = Terminator::Brif {
        cond: func.insts[test].results[0],
        then: to(body, vec![next]),
        other: to(done, Vec::new()),
    };
    func.set_term(latch, again, span, ORIGIN);
    func.set_term(done, Terminator::Return(Vec::new()), span, ORIGIN);
    index
}

fn state_load(state: Value, ty: Ty, offset: usize) -> InstKind {
    InstKind::Load {
        addr: state,
        offset: offset as i32,
        flags: state_flags(ty),
    }
}

fn state_flags(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::ARGS,
        align: Align(ty.size() as u8),
        readonly: true,
        volatile: false,
    }
}

fn rewrite(
    func: &mut Func,
    is_kernel: bool,
    index: Option<Value>,
    layout: &SharedLayout,
    places: &mut i128,
) -> bool {
    let spins = spins::iterations(func);
    let asks = !spins.is_empty()
        || kinds(func).any(|kind| match kind {
            InstKind::Device { .. } => true,
            InstKind::DataAddr(id) => layout.offsets.contains_key(id),
            _ => false,
        });
    if !asks {
        return false;
    }
    let entry = func.entry();
    let params = &func.blocks[entry].params;
    let state = match (is_kernel, params.get(1)) {
        (true, Some(&state)) => state,
        _ => {
            let kind = InstKind::native(NativeId::DeviceThread, Vec::new());
            let inst = func.make_inst(kind, &[Ty::PTR], func.span, ORIGIN);
            func.insert_inst(entry, 0, inst);
            func.insts[inst].results[0]
        }
    };
    let mut walk = func.layout.walk();
    while let Some(block) = walk.next(&func.layout) {
        let before = func.take_insts(block);
        let mut writer = Writer {
            func,
            state,
            index,
            places,
            insts: Vec::with_capacity(before.len()),
            inst: Inst::from_u32(0),
        };
        for inst in before {
            writer.inst = inst;
            writer.instruction(layout);
        }
        let insts = writer.insts;
        func.set_insts(block, insts);
    }
    for block in spins {
        let call = InstKind::native(NativeId::DeviceSpin, vec![state]);
        func.push_inst(block, call, &[], func.span, ORIGIN);
    }
    true
}

/// The instructions of a block in the making.
pub(crate) struct Writer<'a> {
    func: &'a mut Func,
    /// The thread's state.
    state: Value,
    /// The thread's index along x, in a loop over a row of threads.
    index: Option<Value>,
    /// Places that ask for the active lanes.
    places: &'a mut i128,
    insts: Vec<Inst>,
    /// The instruction that is rewritten.
    inst: Inst,
}

impl InstBuilder for Writer<'_> {
    fn func(&self) -> &Func {
        self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let span = self.func.insts[self.inst].span;
        let inst = self.func.make_inst(kind, results, span, ORIGIN);
        self.insts.push(inst);
        inst
    }
}

impl Writer<'_> {
    fn instruction(&mut self, layout: &SharedLayout) {
        match self.func.insts[self.inst].kind.clone() {
            InstKind::Device { op, args } => self.device(op, &args),
            InstKind::DataAddr(id) if layout.offsets.contains_key(&id) => {
                let shared = self.of_state(Ty::PTR, offset_of!(DeviceThread, shared));
                let offset = self.iconst(Ty::I64, i128::from(layout.offsets[&id]));
                let base = shared;
                self.become_(InstKind::PtrAdd { base, offset });
            }
            _ => self.insts.push(self.inst),
        }
    }

    /// The old instruction's results are from now on those of this.
    pub(crate) fn become_(&mut self, kind: InstKind) {
        self.func.insts[self.inst].kind = kind;
        self.insts.push(self.inst);
    }

    /// The old instruction's results are from now on those of these, one each.
    pub(crate) fn become_all(&mut self, kinds: Vec<InstKind>) {
        let results = std::mem::take(&mut self.func.insts[self.inst].results);
        for (kind, result) in kinds.into_iter().zip(results) {
            let span = self.func.insts[self.inst].span;
            let inst = self.func.make_inst(kind, &[], span, ORIGIN);
            self.func.insts[inst].results.push(result);
            self.func.values[result].def = ValueDef::Result(inst, 0);
            self.insts.push(inst);
        }
    }

    /// Bytes of stack of this function.
    pub(crate) fn slot(&mut self, size: u32) -> Value {
        let slot = self.func.slots.push(numbra_lir::SlotData {
            size,
            align: 8,
            refs: Vec::new(),
            undefined: true,
        });
        self.one(InstKind::SlotAddr(slot), Ty::PTR)
    }

    fn of_state(&mut self, ty: Ty, offset: usize) -> Value {
        self.one(state_load(self.state, ty, offset), ty)
    }

    fn field(&mut self, offset: usize) {
        self.become_(state_load(self.state, Ty::I32, offset));
    }

    /// The thread's number in its warp.
    fn lane(&mut self) -> Value {
        let first = self.of_state(Ty::I32, offset_of!(DeviceThread, lane));
        let Some(index) = self.index else {
            return first;
        };
        let (op, lhs, rhs) = (BinaryOp::IAdd, first, index);
        let number = self.one(InstKind::Binary { op, lhs, rhs }, Ty::I32);
        let mask = self.iconst(Ty::I32, 31);
        let (op, lhs, rhs) = (BinaryOp::And, number, mask);
        self.one(InstKind::Binary { op, lhs, rhs }, Ty::I32)
    }

    /// The two halves of a vote's or barrier's outcome: all that came, and those for which the operand was true.
    fn halves(&mut self, outcome: Value) -> (Value, Value) {
        let low = self.convert(ConvertOp::Trunc, outcome, Ty::I32);
        let shift = self.iconst(Ty::I64, 32);
        let op = BinaryOp::LShr;
        let (lhs, rhs) = (outcome, shift);
        let high = self.one(InstKind::Binary { op, lhs, rhs }, Ty::I64);
        let high = self.convert(ConvertOp::Trunc, high, Ty::I32);
        (high, low)
    }

    fn barrier(&mut self, truth: Value) -> (Value, Value) {
        let call = InstKind::native(NativeId::DeviceBarrier, vec![self.state, truth]);
        let outcome = self.one(call, Ty::I64);
        self.halves(outcome)
    }

    fn vote(&mut self, args: &[Value]) -> (Value, Value) {
        let truth = self.convert(ConvertOp::ZExt, args[1], Ty::I32);
        let call = InstKind::native(NativeId::DeviceVote, vec![self.state, args[0], truth]);
        let outcome = self.one(call, Ty::I64);
        self.halves(outcome)
    }

    fn compare(&mut self, cc: IntCc, lhs: Value, rhs: Value) -> Value {
        self.one(InstKind::Icmp { cc, lhs, rhs }, Ty::I1)
    }

    /// The old result, of a truth.
    fn become_truth(&mut self, truth: Value) {
        let op = ConvertOp::ZExt;
        self.become_(InstKind::Convert { op, arg: truth });
    }

    fn device(&mut self, op: DeviceOp, args: &[Value]) {
        let axis = |axis: u8| 4 * usize::from(axis);
        let state = self.state;
        match op {
            DeviceOp::ThreadIdx(0) if self.index.is_some() => {
                let zero = self.iconst(Ty::I32, 0);
                let (op, lhs, rhs) = (BinaryOp::IAdd, self.index.unwrap_or(zero), zero);
                self.become_(InstKind::Binary { op, lhs, rhs });
            }
            DeviceOp::ThreadIdx(n) => self.field(offset_of!(DeviceThread, thread) + axis(n)),
            DeviceOp::BlockIdx(n) => self.field(offset_of!(DeviceThread, block) + axis(n)),
            DeviceOp::BlockDim(n) => self.field(offset_of!(DeviceThread, block_dim) + axis(n)),
            DeviceOp::GridDim(n) => self.field(offset_of!(DeviceThread, grid_dim) + axis(n)),
            DeviceOp::LaneId => {
                let lane = self.lane();
                let zero = self.iconst(Ty::I32, 0);
                let (op, lhs, rhs) = (BinaryOp::IAdd, lane, zero);
                self.become_(InstKind::Binary { op, lhs, rhs });
            }
            DeviceOp::DynamicShared => self.field(offset_of!(DeviceThread, dynamic_shared)),
            DeviceOp::WarpSize => self.become_(InstKind::IConst(32)),
            DeviceOp::LanemaskLt => {
                let lane = self.lane();
                let one = self.iconst(Ty::I32, 1);
                let (op, lhs, rhs) = (BinaryOp::Shl, one, lane);
                let bit = self.one(InstKind::Binary { op, lhs, rhs }, Ty::I32);
                let (op, lhs, rhs) = (BinaryOp::ISub, bit, one);
                self.become_(InstKind::Binary { op, lhs, rhs });
            }
            DeviceOp::ActiveMask => {
                let place = self.iconst(Ty::I32, *self.places);
                *self.places += 1;
                self.become_(InstKind::native(
                    NativeId::DeviceActiveMask,
                    vec![state, place],
                ));
            }
            DeviceOp::Clock => {
                let now = self.one(InstKind::native(NativeId::DeviceClock, Vec::new()), Ty::I64);
                let op = ConvertOp::Trunc;
                self.become_(InstKind::Convert { op, arg: now });
            }
            DeviceOp::Clock64 | DeviceOp::GlobalTimer => {
                self.become_(InstKind::native(NativeId::DeviceClock, Vec::new()));
            }
            DeviceOp::Nanosleep => {
                self.become_(InstKind::native(NativeId::DeviceRelax, vec![state]))
            }
            // No debugger is there that would stop.
            DeviceOp::Breakpoint => {}
            DeviceOp::Print => self.become_(InstKind::native(NativeId::DevicePrint, args.to_vec())),
            DeviceOp::Barrier => {
                let zero = self.iconst(Ty::I32, 0);
                self.barrier(zero);
            }
            DeviceOp::BarrierCount => {
                let call = InstKind::native(NativeId::DeviceBarrier, vec![state, args[0]]);
                let arg = self.one(call, Ty::I64);
                let op = ConvertOp::Trunc;
                self.become_(InstKind::Convert { op, arg });
            }
            DeviceOp::BarrierAnd => {
                let (all, truths) = self.barrier(args[0]);
                let every = self.compare(IntCc::Eq, all, truths);
                self.become_truth(every);
            }
            DeviceOp::BarrierOr => {
                let (_, truths) = self.barrier(args[0]);
                let zero = self.iconst(Ty::I32, 0);
                let any = self.compare(IntCc::Ne, truths, zero);
                self.become_truth(any);
            }
            DeviceOp::SyncWarp => self.become_(InstKind::native(
                NativeId::DeviceSyncWarp,
                vec![state, args[0]],
            )),
            DeviceOp::GridBarrier => {
                self.become_(InstKind::native(NativeId::DeviceGridBarrier, vec![state]))
            }
            DeviceOp::ShuffleIdx
            | DeviceOp::ShuffleUp
            | DeviceOp::ShuffleDown
            | DeviceOp::ShuffleXor => {
                let number = match op {
                    DeviceOp::ShuffleIdx => 0,
                    DeviceOp::ShuffleUp => 1,
                    DeviceOp::ShuffleDown => 2,
                    _ => 3,
                };
                let kind = self.iconst(Ty::I32, number);
                let operands = vec![state, args[0], args[1], args[2], kind];
                self.become_(InstKind::native(NativeId::DeviceShuffle, operands));
            }
            DeviceOp::Ballot => {
                let truth = self.convert(ConvertOp::ZExt, args[1], Ty::I32);
                let call = InstKind::native(NativeId::DeviceVote, vec![state, args[0], truth]);
                let arg = self.one(call, Ty::I64);
                let op = ConvertOp::Trunc;
                self.become_(InstKind::Convert { op, arg });
            }
            DeviceOp::VoteAll => {
                let (lhs, rhs) = self.vote(args);
                let cc = IntCc::Eq;
                self.become_(InstKind::Icmp { cc, lhs, rhs });
            }
            DeviceOp::VoteAny => {
                let (_, lhs) = self.vote(args);
                let rhs = self.iconst(Ty::I32, 0);
                let cc = IntCc::Ne;
                self.become_(InstKind::Icmp { cc, lhs, rhs });
            }
            DeviceOp::VoteEqual => {
                let (all, truths) = self.vote(args);
                let zero = self.iconst(Ty::I32, 0);
                let every = self.compare(IntCc::Eq, all, truths);
                let none = self.compare(IntCc::Eq, truths, zero);
                let (op, lhs, rhs) = (BinaryOp::Or, every, none);
                self.become_(InstKind::Binary { op, lhs, rhs });
            }
            DeviceOp::MatchAny32 => {
                let value = self.convert(ConvertOp::ZExt, args[1], Ty::I64);
                self.become_(InstKind::native(
                    NativeId::DeviceMatchAny,
                    vec![state, args[0], value],
                ));
            }
            DeviceOp::MatchAny64 => {
                let operands = vec![state, args[0], args[1]];
                self.become_(InstKind::native(NativeId::DeviceMatchAny, operands));
            }
            DeviceOp::MatchAll32 | DeviceOp::MatchAll64 => {
                let value = match op {
                    DeviceOp::MatchAll32 => self.convert(ConvertOp::ZExt, args[1], Ty::I64),
                    _ => args[1],
                };
                let call = InstKind::native(NativeId::DeviceMatchAll, vec![state, args[0], value]);
                let lanes = self.one(call, Ty::I32);
                let zero = self.iconst(Ty::I32, 0);
                let op = BinaryOp::Or;
                let (lhs, rhs) = (lanes, zero);
                let cc = IntCc::Ne;
                self.become_all(vec![
                    InstKind::Binary { op, lhs, rhs },
                    InstKind::Icmp { cc, lhs, rhs },
                ]);
            }
            DeviceOp::CachedLoad(_, bits) => {
                let (addr, flags) = (args[0], element(bits));
                self.become_(InstKind::Load {
                    addr,
                    offset: 0,
                    flags,
                });
            }
            DeviceOp::CachedStore(_, bits) => {
                let (addr, flags) = (args[0], element(bits));
                self.become_(InstKind::Store {
                    addr,
                    offset: 0,
                    value: args[1],
                    flags,
                });
            }
            DeviceOp::BfloatToFloat
            | DeviceOp::BfloatOfFloat
            | DeviceOp::BfloatOfDouble
            | DeviceOp::BfloatFma => self.bfloat(op, args),
            DeviceOp::Libdevice(_) => match op.library_function() {
                Some(function) if library::has(function) => {
                    library::call(self, op, function, args);
                }
                _ => self.insts.push(self.inst),
            },
        }
    }
}

/// An access that other threads may see.
fn element(bits: u8) -> MemFlags {
    MemFlags {
        alias: AliasClass::ANY,
        align: Align(bits / 8),
        readonly: false,
        volatile: true,
    }
}
