//! Execution of functions.

use super::natives::{self, DefaultNatives, NativeResult, Natives};
use super::ops;
use super::{LirValue, Memory, Trap};
use crate::lir::{
    AtomicOp, BinaryOp, Block, BlockCall, DataId, DeviceOp, ExceptionId, Facts, Func, FuncRef,
    Inst, InstData, InstKind, Lane, Module, OverflowOp, Signature, Terminator, Ty, UnaryOp, Value,
};
use cranelift_entity::SecondaryMap;
use std::rc::Rc;

/// A pending exception.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raised {
    /// By `set_error`, with its words.
    Exception(ExceptionId, Vec<u64>),
    /// By `numbra_rt_raise`: the address of the description, the line.
    Described(u64, i64),
    /// A function failed although nothing was made pending.
    Nothing,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completion {
    Returned(Vec<LirValue>),
    Raised(Raised),
}

/// A value in a frame: bits of a scalar, or of each lane.
#[derive(Clone, PartialEq, Debug)]
enum Word {
    Bits(u128),
    Lanes(Rc<[u128]>),
}

/// An activation.
struct Frame<'m> {
    func: &'m Func,
    block: Block,
    next: usize,
    values: Vec<Word>,
    slots: Vec<u64>,
}

/// Runs functions of one module.
pub struct Interpreter<'m, N = DefaultNatives> {
    module: &'m Module,
    pub memory: Memory,
    pub natives: N,
    /// Instructions that may still be executed.
    pub fuel: u64,
    pub max_depth: usize,
    data: SecondaryMap<DataId, u64>,
    functions: SecondaryMap<FuncRef, u64>,
    raised: Option<Raised>,
}

impl<'m> Interpreter<'m> {
    /// With the default natives, 100 million instructions and 10,000 nested calls.
    pub fn new(module: &'m Module) -> Result<Interpreter<'m>, Trap> {
        Interpreter::with_natives(module, DefaultNatives::default())
    }
}

impl<'m, N: Natives> Interpreter<'m, N> {
    /// Puts the module's data into a new address space.
    pub fn with_natives(module: &'m Module, natives: N) -> Result<Interpreter<'m, N>, Trap> {
        let mut memory = Memory::default();
        let mut functions = SecondaryMap::new();
        for id in module.functions.keys() {
            functions[id] = memory.function(id);
        }
        let mut data: SecondaryMap<DataId, u64> = SecondaryMap::new();
        for (id, item) in module.data.iter() {
            data[id] = memory.alloc(item.bytes.clone());
        }
        let mut outside: Vec<(&str, u64)> = Vec::new();
        for (id, item) in module.data.iter() {
            for (offset, symbol) in &item.relocs {
                let func = module.functions.iter().find(|(_, f)| f.name == *symbol);
                let other = module.data.iter().find(|(_, d)| d.name == *symbol);
                let address = match (func, other) {
                    (Some((func, _)), _) => functions[func],
                    (None, Some((other, _))) => data[other],
                    // Of another artifact: an address at which there is nothing to read.
                    (None, None) => match outside.iter().find(|(name, _)| name == symbol) {
                        Some((_, address)) => *address,
                        None => {
                            let address = memory.alloc(Vec::new());
                            outside.push((symbol, address));
                            address
                        }
                    },
                };
                memory.write_scalar(data[id] + u64::from(*offset), 8, address.into())?;
            }
        }
        Ok(Interpreter {
            module,
            memory,
            natives,
            fuel: 100_000_000,
            max_depth: 10_000,
            data,
            functions,
            raised: None,
        })
    }

    /// Address of a data item.
    pub fn data_address(&self, id: DataId) -> u64 {
        self.data[id]
    }

    /// Calls a function and runs until it returns or fails.
    pub fn call(&mut self, id: FuncRef, args: &[LirValue]) -> Result<Completion, Trap> {
        let decl = self.module.functions.get(id).ok_or(Trap::BadArguments)?;
        let fits = args
            .iter()
            .map(LirValue::ty)
            .eq(decl.sig.params.iter().map(|p| p.ty));
        if !fits {
            return Err(Trap::BadArguments);
        }
        let words = args.iter().map(word_of).collect();
        let mut frames = vec![self.frame(id, words)?];
        self.raised = None;
        loop {
            let Some(frame) = frames.last_mut() else {
                return Err(Trap::Invalid("no frame"));
            };
            let func = frame.func;
            let block = &func.blocks[frame.block];
            self.fuel = self.fuel.checked_sub(1).ok_or(Trap::OutOfFuel)?;
            if let Some(&inst) = block.insts.get(frame.next) {
                frame.next += 1;
                if let Some((callee, args)) = self.step(frame, inst)? {
                    if frames.len() >= self.max_depth {
                        return Err(Trap::StackOverflow);
                    }
                    let frame = self.frame(callee, args)?;
                    frames.push(frame);
                }
                continue;
            }
            let ended = match block.term.as_ref().ok_or(Trap::Invalid("no terminator"))? {
                Terminator::Jump(to) => frame.branch(to),
                Terminator::Brif { cond, then, other } => {
                    let to = if frame.bits(*cond) != 0 { then } else { other };
                    frame.branch(to)
                }
                Terminator::Guard { cond, ok, err, .. } => {
                    let to = if frame.bits(*cond) != 0 { ok } else { err };
                    frame.branch(to)
                }
                Terminator::Switch {
                    index,
                    cases,
                    default,
                } => {
                    let index = usize::try_from(frame.bits(*index)).unwrap_or(usize::MAX);
                    frame.branch(cases.get(index).unwrap_or(default))
                }
                Terminator::Return(values) => {
                    Some(Some(values.iter().map(|&v| frame.word(v)).collect()))
                }
                Terminator::Fail => Some(None),
            };
            let Some(results) = ended else {
                continue;
            };
            let sig = &func.sig;
            let slots = std::mem::take(&mut frame.slots);
            frames.pop();
            for slot in slots.into_iter().rev() {
                self.memory.free_slot(slot)?;
            }
            let Some(caller) = frames.last_mut() else {
                return Ok(match results {
                    Some(words) => Completion::Returned(values_of(sig, &words)),
                    None => Completion::Raised(self.pending()),
                });
            };
            let call = caller.func.blocks[caller.block].insts[caller.next - 1];
            caller.finish_call(call, sig, results);
        }
    }

    fn pending(&mut self) -> Raised {
        match self.raised.take() {
            Some(raised) => raised,
            None => match self.natives.pending() {
                Some((description, line)) => Raised::Described(description, line),
                None => Raised::Nothing,
            },
        }
    }

    fn frame(&mut self, id: FuncRef, args: Vec<Word>) -> Result<Frame<'m>, Trap> {
        let decl = &self.module.functions[id];
        let Some(func) = &decl.body else {
            return Err(Trap::Missing(decl.name.clone()));
        };
        let mut frame = Frame {
            func,
            block: func.entry(),
            next: 0,
            values: vec![Word::Bits(0); func.values.len()],
            slots: Vec::with_capacity(func.slots.len()),
        };
        for (&param, word) in func.blocks[func.entry()].params.iter().zip(args) {
            frame.set(param, word);
        }
        for slot in func.slots.values() {
            frame
                .slots
                .push(self.memory.alloc(vec![0; slot.size as usize]));
        }
        Ok(frame)
    }

    /// Executes one instruction; a call gives the callee and its arguments.
    fn step(
        &mut self,
        frame: &mut Frame<'m>,
        inst: Inst,
    ) -> Result<Option<(FuncRef, Vec<Word>)>, Trap> {
        let data = &frame.func.insts[inst];
        match &data.kind {
            InstKind::Overflow { op, lhs, rhs } => {
                let ty = frame.func.ty(*lhs);
                let (value, wrapped) = ops::overflow(*op, ty, frame.bits(*lhs), frame.bits(*rhs));
                frame.define(data, [Word::Bits(value), Word::Bits(wrapped.into())]);
            }
            InstKind::SlotAddr(slot) => {
                let address = frame.slots[slot.as_u32() as usize];
                frame.define(data, [Word::Bits(address.into())]);
            }
            InstKind::DataAddr(id) => {
                frame.define(data, [Word::Bits(self.data[*id].into())]);
            }
            InstKind::FuncAddr(id) => {
                frame.define(data, [Word::Bits(self.functions[*id].into())]);
            }
            InstKind::Load {
                addr,
                offset,
                flags,
            } => {
                let address = frame.address(*addr, *offset);
                aligned(address, flags.align.0.into())?;
                let ty = data.results.first().map_or(Ty::I8, |&v| frame.func.ty(v));
                let value = self.memory.load(address, ty)?;
                frame.define(data, [word_of(&value)]);
            }
            InstKind::Store {
                addr,
                offset,
                value,
                flags,
            } => {
                let address = frame.address(*addr, *offset);
                aligned(address, flags.align.0.into())?;
                let value = frame.value(*value);
                self.memory.store(address, &value)?;
            }
            InstKind::MemCopy {
                dst,
                src,
                len,
                overlap,
                ..
            } => {
                let (dst, src) = (frame.address(*dst, 0), frame.address(*src, 0));
                let len = frame.bits(*len) as u64;
                if !overlap && dst != src && dst.abs_diff(src) < len {
                    return Err(Trap::Overlap);
                }
                let bytes = self.memory.read(src, len)?.to_vec();
                self.memory.write(dst, len)?.copy_from_slice(&bytes);
            }
            InstKind::MemSet { dst, byte, len, .. } => {
                let byte = frame.bits(*byte) as u8;
                let len = frame.bits(*len) as u64;
                self.memory.write(frame.address(*dst, 0), len)?.fill(byte);
            }
            InstKind::AtomicLoad { addr, .. } => {
                let ty = data.results.first().map_or(Ty::I8, |&v| frame.func.ty(v));
                let address = frame.address(*addr, 0);
                aligned(address, ty.size().into())?;
                let bits = self.memory.read_scalar(address, ty.size())?;
                frame.define(data, [Word::Bits(bits)]);
            }
            InstKind::AtomicStore { addr, value, .. } => {
                let ty = frame.func.ty(*value);
                let address = frame.address(*addr, 0);
                aligned(address, ty.size().into())?;
                self.memory
                    .write_scalar(address, ty.size(), frame.bits(*value))?;
            }
            InstKind::AtomicRmw {
                op, addr, value, ..
            } => {
                let ty = frame.func.ty(*value);
                let address = frame.address(*addr, 0);
                aligned(address, ty.size().into())?;
                let old = self.memory.read_scalar(address, ty.size())?;
                let new = atomic(*op, ty, old, frame.bits(*value));
                self.memory.write_scalar(address, ty.size(), new)?;
                frame.define(data, [Word::Bits(old)]);
            }
            InstKind::AtomicCas {
                addr,
                expected,
                value,
                ..
            } => {
                let ty = frame.func.ty(*value);
                let address = frame.address(*addr, 0);
                aligned(address, ty.size().into())?;
                let old = self.memory.read_scalar(address, ty.size())?;
                if old == frame.bits(*expected) {
                    self.memory
                        .write_scalar(address, ty.size(), frame.bits(*value))?;
                }
                frame.define(data, [Word::Bits(old)]);
            }
            InstKind::Fence { .. } | InstKind::Safepoint { .. } => {}
            InstKind::Retain(value) => {
                natives::retain(frame.bits(*value) as u64, &mut self.memory)?;
            }
            InstKind::Release(value) => {
                let header = frame.bits(*value) as u64;
                if natives::release(header, &mut self.memory)? {
                    self.natives.free(header, &mut self.memory)?;
                }
            }
            InstKind::Call { func, args } => {
                return Ok(Some((*func, frame.words(args))));
            }
            InstKind::CallIndirect { sig, callee, args } => {
                let address = frame.bits(*callee) as u64;
                let expected = self.module.signatures.get(*sig as usize);
                let found = self.memory.function_at(address);
                return match found {
                    Some(id)
                        if expected
                            .is_some_and(|sig| agree(sig, &self.module.functions[id].sig)) =>
                    {
                        Ok(Some((id, frame.words(args))))
                    }
                    _ => Err(Trap::BadCall(address)),
                };
            }
            InstKind::CallNative { name, args } => {
                let args: Vec<LirValue> = args.iter().map(|&v| frame.value(v)).collect();
                let sig = crate::lir::native_signature(name)
                    .ok_or_else(|| Trap::Missing(name.clone()))?;
                let result = self.natives.call(name, &args, &mut self.memory)?;
                let status = sig
                    .raises
                    .then(|| Word::Bits(u128::from(result == NativeResult::Raised)));
                let value = sig.results.first().map(|_| match &result {
                    NativeResult::Value(value) => word_of(value),
                    NativeResult::Nothing | NativeResult::Raised => Word::Bits(0),
                });
                frame.define(data, status.into_iter().chain(value));
            }
            InstKind::SetError { exception, args } => {
                let words = args.iter().map(|&v| frame.bits(v) as u64).collect();
                self.raised = Some(Raised::Exception(*exception, words));
            }
            InstKind::IConst(_)
            | InstKind::FConst(_)
            | InstKind::Null
            | InstKind::Binary { .. }
            | InstKind::Unary { .. }
            | InstKind::Convert { .. }
            | InstKind::Icmp { .. }
            | InstKind::Fcmp { .. }
            | InstKind::Select { .. }
            | InstKind::Fma { .. }
            | InstKind::Math { .. }
            | InstKind::PtrAdd { .. }
            | InstKind::Device { .. }
            | InstKind::Splat(_)
            | InstKind::ExtractLane { .. }
            | InstKind::InsertLane { .. } => {
                if let Some(&result) = data.results.first() {
                    let word = frame.compute(inst, data, frame.func.ty(result))?;
                    frame.set(result, word);
                }
            }
        }
        Ok(None)
    }
}

impl Frame<'_> {
    fn set(&mut self, value: Value, word: Word) {
        self.values[value.as_u32() as usize] = word;
    }

    fn word(&self, value: Value) -> Word {
        self.values[value.as_u32() as usize].clone()
    }

    fn words(&self, values: &[Value]) -> Vec<Word> {
        values.iter().map(|&v| self.word(v)).collect()
    }

    fn bits(&self, value: Value) -> u128 {
        match &self.values[value.as_u32() as usize] {
            Word::Bits(bits) => *bits,
            Word::Lanes(_) => 0,
        }
    }

    fn value(&self, value: Value) -> LirValue {
        value_of(self.func.ty(value), &self.values[value.as_u32() as usize])
    }

    fn address(&self, value: Value, offset: i32) -> u64 {
        (self.bits(value) as u64).wrapping_add_signed(offset.into())
    }

    fn define(&mut self, data: &InstData, words: impl IntoIterator<Item = Word>) {
        for (&result, word) in data.results.iter().zip(words) {
            self.set(result, word);
        }
    }

    /// Status and results of a callee that has returned (`Some`) or failed.
    fn finish_call(&mut self, call: Inst, sig: &Signature, results: Option<Vec<Word>>) {
        let status = sig
            .raises
            .then_some(Word::Bits(u128::from(results.is_none())));
        let words = results.unwrap_or_else(|| sig.results.iter().map(|&ty| zero(ty)).collect());
        let data = &self.func.insts[call];
        self.define(data, status.into_iter().chain(words));
    }

    fn branch(&mut self, to: &BlockCall) -> Option<Option<Vec<Word>>> {
        let args = self.words(&to.args);
        let func = self.func;
        for (&param, word) in func.blocks[to.block].params.iter().zip(args) {
            self.set(param, word);
        }
        self.block = to.block;
        self.next = 0;
        None
    }

    /// The result of an instruction that only computes.
    fn compute(&self, inst: Inst, data: &InstData, ty: Ty) -> Result<Word, Trap> {
        let word = |v: &Value| &self.values[v.as_u32() as usize];
        let lane_ty = |v: &Value| self.func.ty(*v).lane_ty();
        Ok(match &data.kind {
            InstKind::IConst(value) => Word::Bits(ops::mask(ty, *value as u128)),
            InstKind::FConst(bits) => Word::Bits(ops::mask(ty, (*bits).into())),
            InstKind::Null => Word::Bits(0),
            InstKind::Binary { op, lhs, rhs } => {
                let lane = ty.lane_ty();
                if !data.facts.is_empty()
                    && any(&lanewise(word(lhs), word(rhs), |a, b| {
                        u128::from(is_false(data.facts, *op, lane, a, b))
                    }))
                {
                    return Err(Trap::FalseFact(inst));
                }
                lanewise(word(lhs), word(rhs), |a, b| ops::binary(*op, lane, a, b))
            }
            InstKind::Unary { op, arg } => {
                let lane = ty.lane_ty();
                if !data.facts.is_empty()
                    && *op == UnaryOp::INeg
                    && any(&each(word(arg), |a| {
                        u128::from(is_false(data.facts, BinaryOp::ISub, lane, 0, a))
                    }))
                {
                    return Err(Trap::FalseFact(inst));
                }
                each(word(arg), |a| ops::unary(*op, lane, a))
            }
            InstKind::Convert { op, arg } => match self.func.ty(*arg) {
                from if from.lane_ty().size() == from.size()
                    && ty.lane_ty().size() == ty.size() =>
                {
                    Word::Bits(ops::convert(*op, from, ty, self.bits(*arg)))
                }
                _ if *op == crate::lir::ConvertOp::Bitcast => bitcast(&self.value(*arg), ty)?,
                from => each(word(arg), |a| {
                    ops::convert(*op, from.lane_ty(), ty.lane_ty(), a)
                }),
            },
            InstKind::Icmp { cc, lhs, rhs } => {
                let operand = lane_ty(lhs);
                let all = ops::mask(ty.lane_ty(), u128::MAX);
                lanewise(word(lhs), word(rhs), |a, b| {
                    if ops::icmp(*cc, operand, a, b) {
                        all
                    } else {
                        0
                    }
                })
            }
            InstKind::Fcmp { cc, lhs, rhs } => {
                let operand = lane_ty(lhs);
                let all = ops::mask(ty.lane_ty(), u128::MAX);
                lanewise(word(lhs), word(rhs), |a, b| {
                    if ops::fcmp(*cc, operand, a, b) {
                        all
                    } else {
                        0
                    }
                })
            }
            InstKind::Select { cond, then, other } => match word(cond) {
                Word::Bits(0) => self.word(*other),
                Word::Bits(_) => self.word(*then),
                Word::Lanes(mask) => match (word(then), word(other)) {
                    (Word::Lanes(then), Word::Lanes(other)) => Word::Lanes(
                        mask.iter()
                            .zip(then.iter().zip(other.iter()))
                            // Lanes of a mask are all ones or zero; any other one selects by its sign.
                            .map(|(&m, (&t, &o))| {
                                let negative = ops::signed(lane_ty(cond), m) < 0;
                                if negative { t } else { o }
                            })
                            .collect(),
                    ),
                    _ => return Err(Trap::Invalid("mask on scalars")),
                },
            },
            InstKind::Fma { a, b, c } => {
                let lane = ty.lane_ty();
                match (word(a), word(b), word(c)) {
                    (Word::Bits(a), Word::Bits(b), Word::Bits(c)) => {
                        Word::Bits(ops::fma(lane, *a, *b, *c))
                    }
                    (Word::Lanes(a), Word::Lanes(b), Word::Lanes(c)) => Word::Lanes(
                        a.iter()
                            .zip(b.iter().zip(c.iter()))
                            .map(|(&a, (&b, &c))| ops::fma(lane, a, b, c))
                            .collect(),
                    ),
                    _ => return Err(Trap::Invalid("operands of fma")),
                }
            }
            InstKind::Math { func, args } => match args[..] {
                [a] => each(word(&a), |a| ops::math(func.0, ty.lane_ty(), a, 0)),
                [a, b] => lanewise(word(&a), word(&b), |a, b| {
                    ops::math(func.0, ty.lane_ty(), a, b)
                }),
                _ => return Err(Trap::Invalid("operands of a math function")),
            },
            InstKind::PtrAdd { base, offset } => {
                let (base, offset) = (self.bits(*base), self.bits(*offset));
                let sum = (base as u64).wrapping_add(offset as u64);
                let carries = data.facts.contains(Facts::NUW)
                    && (base as u64).checked_add(offset as u64).is_none();
                if carries {
                    return Err(Trap::FalseFact(inst));
                }
                Word::Bits(sum.into())
            }
            // One thread in one block.
            InstKind::Device { op, args } => Word::Bits(match op {
                DeviceOp::ThreadIdx(_) | DeviceOp::BlockIdx(_) | DeviceOp::LaneId => 0,
                DeviceOp::BlockDim(_) | DeviceOp::GridDim(_) => 1,
                DeviceOp::Barrier => 0,
                DeviceOp::ShuffleIdx => args.get(1).map_or(0, |&v| self.bits(v)),
                DeviceOp::Ballot => {
                    let arg = |n: usize| args.get(n).map_or(0, |&v| self.bits(v));
                    arg(0) & arg(1) & 1
                }
            }),
            InstKind::Splat(value) => match ty {
                Ty::Vec(_, n) => Word::Lanes(vec![self.bits(*value); usize::from(n)].into()),
                _ => return Err(Trap::Invalid("splat to a scalar")),
            },
            InstKind::ExtractLane { vector, lane } => match word(vector) {
                Word::Lanes(lanes) => {
                    let found = lanes.get(usize::from(*lane));
                    Word::Bits(*found.ok_or(Trap::Invalid("lane"))?)
                }
                Word::Bits(_) => return Err(Trap::Invalid("lane of a scalar")),
            },
            InstKind::InsertLane {
                vector,
                lane,
                value,
            } => match word(vector) {
                Word::Lanes(lanes) => {
                    let mut lanes = lanes.to_vec();
                    let at = lanes
                        .get_mut(usize::from(*lane))
                        .ok_or(Trap::Invalid("lane"))?;
                    *at = self.bits(*value);
                    Word::Lanes(lanes.into())
                }
                Word::Bits(_) => return Err(Trap::Invalid("lane of a scalar")),
            },
            InstKind::Overflow { .. }
            | InstKind::SlotAddr(_)
            | InstKind::DataAddr(_)
            | InstKind::FuncAddr(_)
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::MemCopy { .. }
            | InstKind::MemSet { .. }
            | InstKind::AtomicLoad { .. }
            | InstKind::AtomicStore { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::AtomicCas { .. }
            | InstKind::Fence { .. }
            | InstKind::Retain(_)
            | InstKind::Release(_)
            | InstKind::Call { .. }
            | InstKind::CallIndirect { .. }
            | InstKind::CallNative { .. }
            | InstKind::SetError { .. }
            | InstKind::Safepoint { .. } => return Err(Trap::Invalid("not a computation")),
        })
    }
}

/// Applies `f` to scalars, or lane by lane.
fn each(a: &Word, f: impl Fn(u128) -> u128) -> Word {
    match a {
        Word::Bits(a) => Word::Bits(f(*a)),
        Word::Lanes(a) => Word::Lanes(a.iter().map(|&a| f(a)).collect()),
    }
}

fn lanewise(a: &Word, b: &Word, f: impl Fn(u128, u128) -> u128) -> Word {
    match (a, b) {
        (Word::Bits(a), Word::Bits(b)) => Word::Bits(f(*a, *b)),
        (Word::Lanes(a), Word::Lanes(b)) => {
            Word::Lanes(a.iter().zip(b.iter()).map(|(&a, &b)| f(a, b)).collect())
        }
        (Word::Bits(_), Word::Lanes(_)) | (Word::Lanes(_), Word::Bits(_)) => Word::Bits(0),
    }
}

fn any(word: &Word) -> bool {
    match word {
        Word::Bits(bits) => *bits != 0,
        Word::Lanes(lanes) => lanes.iter().any(|&bits| bits != 0),
    }
}

/// True if a fact of the operation does not hold for these operands.
fn is_false(facts: Facts, op: BinaryOp, ty: Ty, a: u128, b: u128) -> bool {
    if facts.contains(Facts::NONZERO) && ops::mask(ty, b) == 0 {
        return true;
    }
    let (sa, sb) = (ops::signed(ty, a), ops::signed(ty, b));
    let result = ops::binary(op, ty, a, b);
    let n = ops::bits(ty);
    let exact = |signed: bool| {
        let (a, b) = if signed {
            (sa, sb)
        } else {
            (a as i128, b as i128)
        };
        match op {
            BinaryOp::IAdd => a.checked_add(b),
            BinaryOp::ISub => a.checked_sub(b),
            BinaryOp::IMul => a.checked_mul(b),
            BinaryOp::SDiv => Some(a.checked_div(b).unwrap_or(0)),
            BinaryOp::Shl => {
                // Left shift is multiplication by a power of two.
                let factor = 1i128.checked_shl((b as u128 % u128::from(n)) as u32);
                factor.and_then(|f| a.checked_mul(f))
            }
            _ => Some(if signed {
                ops::signed(ty, result)
            } else {
                result as i128
            }),
        }
    };
    if n == 128 {
        // Exact results do not fit; facts on i128 are not checked.
        return false;
    }
    (facts.contains(Facts::NSW) && exact(true) != Some(ops::signed(ty, result)))
        || (facts.contains(Facts::NUW) && exact(false) != Some(result as i128))
}

fn atomic(op: AtomicOp, ty: Ty, old: u128, value: u128) -> u128 {
    let binary = |op| ops::binary(op, ty, old, value);
    match op {
        AtomicOp::Add => binary(BinaryOp::IAdd),
        AtomicOp::Sub => binary(BinaryOp::ISub),
        AtomicOp::And => binary(BinaryOp::And),
        AtomicOp::Or => binary(BinaryOp::Or),
        AtomicOp::Xor => binary(BinaryOp::Xor),
        AtomicOp::SMin => binary(BinaryOp::SMin),
        AtomicOp::SMax => binary(BinaryOp::SMax),
        AtomicOp::UMin => binary(BinaryOp::UMin),
        AtomicOp::UMax => binary(BinaryOp::UMax),
        AtomicOp::Exchange => value,
        AtomicOp::FAdd => binary(BinaryOp::FAdd),
        AtomicOp::FMin => binary(BinaryOp::FMin),
        AtomicOp::FMax => binary(BinaryOp::FMax),
    }
}

fn aligned(address: u64, align: u64) -> Result<(), Trap> {
    if align > 1 && !address.is_multiple_of(align) {
        return Err(Trap::Misaligned { address, align });
    }
    Ok(())
}

/// Between a vector and another type of its size, through memory order.
fn bitcast(value: &LirValue, to: Ty) -> Result<Word, Trap> {
    let mut memory = Memory::default();
    let address = memory.alloc(vec![0; to.size().max(value.ty().size()) as usize]);
    memory.store(address, value)?;
    Ok(word_of(&memory.load(address, to)?))
}

fn agree(a: &Signature, b: &Signature) -> bool {
    a.raises == b.raises
        && a.results == b.results
        && a.params
            .iter()
            .map(|p| p.ty)
            .eq(b.params.iter().map(|p| p.ty))
}

fn zero(ty: Ty) -> Word {
    word_of(&LirValue::zero(ty))
}

fn word_of(value: &LirValue) -> Word {
    match value {
        LirValue::Scalar(ty, bits) => Word::Bits(ops::mask(*ty, *bits)),
        LirValue::Vector(lane, lanes) => Word::Lanes(
            lanes
                .iter()
                .map(|&b| ops::mask(lane.ty(), b.into()))
                .collect(),
        ),
    }
}

fn value_of(ty: Ty, word: &Word) -> LirValue {
    match (ty, word) {
        (Ty::Vec(lane, _), Word::Lanes(lanes)) => vector(lane, lanes),
        (_, Word::Bits(bits)) => LirValue::Scalar(ty, *bits),
        (_, Word::Lanes(_)) => LirValue::zero(ty),
    }
}

fn vector(lane: Lane, lanes: &[u128]) -> LirValue {
    LirValue::Vector(lane, lanes.iter().map(|&b| b as u64).collect())
}

fn values_of(sig: &Signature, words: &[Word]) -> Vec<LirValue> {
    sig.results
        .iter()
        .zip(words)
        .map(|(&ty, word)| value_of(ty, word))
        .collect()
}

/// The value of an instruction that only computes, for operands known as [`LirValue`]s of the right types; `None` when
/// it does more than compute, or when the operands make no sense.
pub(crate) fn evaluate(
    kind: &InstKind,
    operands: &[LirValue],
    results: &[Ty],
) -> Option<Vec<LirValue>> {
    // A frame of one instruction, with the operands as its first values.
    let mut func = Func::new(
        Signature::new(
            &operands.iter().map(LirValue::ty).collect::<Vec<_>>(),
            &[],
            false,
        ),
        numbra_base::Span::NONE,
    );
    let mut next = 0;
    let mut kind = kind.clone();
    kind.for_each_operand(|v| {
        *v = Value::from_u32(next);
        next += 1;
    });
    if next as usize != operands.len() {
        return None;
    }
    let entry = func.entry();
    let inst = func.push_inst(
        entry,
        kind,
        results,
        numbra_base::Span::NONE,
        numbra_base::Origin::Compiler,
    );
    let data = &func.insts[inst];
    let mut frame = Frame {
        func: &func,
        block: entry,
        next: 0,
        values: operands.iter().map(word_of).collect(),
        slots: Vec::new(),
    };
    frame.values.resize(func.values.len(), Word::Bits(0));
    if let InstKind::Overflow { op, lhs, rhs } = &data.kind {
        let op: OverflowOp = *op;
        let (value, wrapped) = ops::overflow(op, func.ty(*lhs), frame.bits(*lhs), frame.bits(*rhs));
        return Some(vec![
            LirValue::Scalar(func.ty(*lhs), value),
            LirValue::Scalar(Ty::I1, wrapped.into()),
        ]);
    }
    let &[ty] = results else {
        return None;
    };
    let word = frame.compute(inst, data, ty).ok()?;
    Some(vec![value_of(ty, &word)])
}
