//! Execution of functions.

use super::frame::{Frame, Word, value_of, word_of};
use super::natives::{self, DefaultNatives, NativeResult, Natives};
use super::ops;
use super::{LirValue, Memory, Trap};
use crate::{
    AtomicOp, BinaryOp, DataId, ExceptionId, FuncRef, Inst, InstKind, Module, NativeFn, Signature,
    Terminator, Ty,
};
use cranelift_entity::SecondaryMap;
use numbra_abi::{INTERRUPT_WORD, NativeId};

/// A pending exception.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raised {
    /// By `set_error`, with its words.
    Exception(ExceptionId, Vec<u64>),
    /// By `numbra_rt_raise`: the address of the description, the line.
    Described(u64, i64),
    /// By a function that may call itself: there was no stack left.
    StackOverflow,
    /// A function failed although nothing was made pending.
    Nothing,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completion {
    Returned(Vec<LirValue>),
    Raised(Raised),
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
    /// The address of the interrupt word, if the module has its address.
    word: Option<u64>,
    /// Nested calls.
    depth: usize,
    /// On the way out of functions without a status, because of the stack.
    leaving: bool,
    raised: Option<Raised>,
    /// Exceptions that handlers keep.
    kept: Vec<Option<Raised>>,
}

/// Nested calls that are left where those that look find the stack full.
const SPARE: u64 = 64;

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
            data[id] = memory.alloc(item.image().into_owned());
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
                            let word = symbol == INTERRUPT_WORD;
                            let address = memory.alloc(vec![0; if word { 4 } else { 0 }]);
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
            word: outside
                .iter()
                .find_map(|&(name, at)| (name == INTERRUPT_WORD).then_some(at)),
            depth: 0,
            leaving: false,
            raised: None,
            kept: Vec::new(),
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
        (self.raised, self.leaving) = (None, false);
        loop {
            self.depth = frames.len();
            let Some(frame) = frames.last_mut() else {
                return Err(Trap::Invalid("no frame"));
            };
            let func = frame.func;
            let block = &func.blocks[frame.block];
            self.fuel = self.fuel.checked_sub(1).ok_or(Trap::OutOfFuel)?;
            if let Some(&inst) = block.insts().get(frame.next) {
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
            let call = caller.func.blocks[caller.block].insts()[caller.next - 1];
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
            InstKind::StackPointer => {
                frame.define(data, [Word::Bits(self.left().into())]);
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
            InstKind::Fence { .. } | InstKind::Keep(_) => {}
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
                let expected = self.module.signatures.get(*sig);
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
            InstKind::CallNative { callee, args } => {
                let args: Vec<LirValue> = args.iter().map(|&v| frame.value(v)).collect();
                let sig = callee.signature();
                let result = match callee {
                    NativeFn::Runtime(id) => self.runtime(*id, &args)?,
                    NativeFn::Body(symbol) => return Err(Trap::Missing(symbol.to_string())),
                };
                let status = sig
                    .raises
                    .then(|| Word::Bits(u128::from(result == NativeResult::Raised)));
                let value = sig.results.first().map(|_| match &result {
                    NativeResult::Value(value) => word_of(value),
                    NativeResult::Nothing | NativeResult::Raised => Word::Bits(0),
                });
                frame.define(data, status.into_iter().chain(value));
            }
            InstKind::Device { op, args } => {
                let args: Vec<u128> = args.iter().map(|&v| frame.bits(v)).collect();
                let results = super::device::alone(*op, &args, &mut self.memory)?;
                frame.define(data, results.into_iter().map(Word::Bits));
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

impl<N: Natives> Interpreter<'_, N> {
    /// Calls that may still be nested: the stack has addresses from there down to 0.
    fn left(&self) -> u64 {
        self.max_depth.saturating_sub(self.depth) as u64
    }

    /// Calls a function of the runtime.
    fn runtime(&mut self, id: NativeId, args: &[LirValue]) -> Result<NativeResult, Trap> {
        if let Some(result) = self.stack_native(id)? {
            return Ok(result);
        }
        if let Some(result) = self.error_native(id, args)? {
            return Ok(result);
        }
        self.natives.call(id, args, &mut self.memory)
    }

    /// What the runtime says about the stack and about leaving functions; nobody interrupts the interpreter.
    fn stack_native(&mut self, id: NativeId) -> Result<Option<NativeResult>, Trap> {
        let is_full = self.left() <= SPARE;
        let value = |ty, bits: u64| NativeResult::Value(LirValue::Scalar(ty, bits.into()));
        let raised = match id {
            NativeId::StackLimit => return Ok(Some(value(Ty::PTR, SPARE))),
            NativeId::Leave => {
                self.leaving |= is_full;
                self.set_word(self.leaving)?;
                return Ok(Some(value(Ty::I32, self.leaving.into())));
            }
            NativeId::Interrupt => {
                self.set_word(false)?;
                std::mem::take(&mut self.leaving)
            }
            NativeId::StackFull | NativeId::StackShort => is_full,
            _ => return Ok(None),
        };
        if raised {
            self.raised = Some(Raised::StackOverflow);
            return Ok(Some(NativeResult::Raised));
        }
        Ok(Some(NativeResult::Nothing))
    }

    /// Keeps the pending exception, whose number is in an object, and raises it again.
    fn error_native(
        &mut self,
        id: NativeId,
        args: &[LirValue],
    ) -> Result<Option<NativeResult>, Trap> {
        match id {
            NativeId::KeepError => {
                let eight = LirValue::Scalar(Ty::I64, 8);
                let size_and_align = [eight.clone(), eight];
                let made = self
                    .natives
                    .call(NativeId::Alloc, &size_and_align, &mut self.memory)?;
                if let NativeResult::Value(object) = &made {
                    let at = object.bits() as u64 + natives::DATA;
                    let data = self.memory.read_scalar(at, 8)? as u64;
                    self.memory.write_scalar(data, 8, self.kept.len() as u128)?;
                }
                self.kept.push(self.raised.clone());
                Ok(Some(made))
            }
            // Contexts and causes are nothing that code sees.
            NativeId::AddContext | NativeId::SetCause => Ok(Some(NativeResult::Nothing)),
            NativeId::RaiseKept => {
                let object = args.first().map_or(0, |arg| arg.bits() as u64);
                let data = self.memory.read_scalar(object + natives::DATA, 8)? as u64;
                let number = self.memory.read_scalar(data, 8)?;
                let kept = usize::try_from(number).ok().and_then(|n| self.kept.get(n));
                self.raised = kept.cloned().flatten();
                Ok(Some(NativeResult::Nothing))
            }
            _ => Ok(None),
        }
    }

    fn set_word(&mut self, set: bool) -> Result<(), Trap> {
        match self.word {
            Some(word) => self.memory.write_scalar(word, 4, set.into()),
            None => Ok(()),
        }
    }
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
        AtomicOp::IncWrap => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::DecWrap => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
        AtomicOp::FAdd => binary(BinaryOp::FAdd),
        AtomicOp::FMin => binary(BinaryOp::FMin),
        AtomicOp::FMax => binary(BinaryOp::FMax),
    }
}

pub(super) fn aligned(address: u64, align: u64) -> Result<(), Trap> {
    if align > 1 && !address.is_multiple_of(align) {
        return Err(Trap::Misaligned { address, align });
    }
    Ok(())
}

fn agree(a: &Signature, b: &Signature) -> bool {
    a.raises == b.raises
        && a.results == b.results
        && a.params
            .iter()
            .map(|p| p.ty)
            .eq(b.params.iter().map(|p| p.ty))
}

fn values_of(sig: &Signature, words: &[Word]) -> Vec<LirValue> {
    sig.results
        .iter()
        .zip(words)
        .map(|(&ty, word)| value_of(ty, word))
        .collect()
}
