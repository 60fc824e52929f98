//! Runtime symbols under the interpreter.

use super::{LirValue, Memory, Trap};
use crate::Ty;
use numbra_abi::{HEADER, NativeId};

/// What a native returned: the result, if it has one, or a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeResult {
    Value(LirValue),
    Nothing,
    /// Only for natives that raise.
    Raised,
}

/// The runtime that interpreted code calls.
pub trait Natives {
    /// Calls a function with arguments of its signature.
    fn call(
        &mut self,
        id: NativeId,
        args: &[LirValue],
        memory: &mut Memory,
    ) -> Result<NativeResult, Trap>;

    /// The object's count has reached zero.
    fn free(&mut self, header: u64, memory: &mut Memory) -> Result<(), Trap>;

    /// Objects allocated and not freed.
    fn live_objects(&self) -> i64;

    /// Description and line of the exception that `numbra_rt_raise` made pending.
    fn pending(&self) -> Option<(u64, i64)> {
        None
    }
}

/// Reference-counted objects with leak counters, and the error record.
#[derive(Clone, Debug, Default)]
pub struct DefaultNatives {
    live: i64,
    raised: Option<(u64, i64)>,
}

/// Byte offsets of header fields.
pub(super) const REFS: u64 = HEADER.offset(0) as u64;
const DROP: u64 = HEADER.offset(1) as u64;
pub(super) const DATA: u64 = HEADER.offset(3) as u64;
const SIZE: u64 = HEADER.offset(4) as u64;

/// Stands in the `drop` field of objects that [`DefaultNatives`] made.
const HEAP_DROP: u128 = 1;

/// Larger requests fail, as they do when memory is exhausted.
const MAX_OBJECT: i64 = 1 << 28;

impl DefaultNatives {
    /// A new object with this data, count 1; its address.
    pub fn object(&mut self, data: Vec<u8>, memory: &mut Memory) -> Result<u64, Trap> {
        let size = data.len();
        let header = memory.alloc(vec![0; HEADER.size as usize]);
        let data = memory.alloc(data);
        memory.write_scalar(header + REFS, 8, 1)?;
        memory.write_scalar(header + DROP, 8, HEAP_DROP)?;
        memory.write_scalar(header + DATA, 8, data.into())?;
        memory.write_scalar(header + SIZE, 8, size as u128)?;
        self.live += 1;
        Ok(header)
    }
}

impl Natives for DefaultNatives {
    fn call(
        &mut self,
        id: NativeId,
        args: &[LirValue],
        memory: &mut Memory,
    ) -> Result<NativeResult, Trap> {
        let word = |n: usize| args.get(n).map_or(0, |v| v.bits() as u64);
        let reference =
            |address: u64| NativeResult::Value(LirValue::Scalar(Ty::Ref, address.into()));
        match id {
            NativeId::Alloc | NativeId::AllocZeroed => {
                let size = word(0) as i64;
                if !(0..=MAX_OBJECT).contains(&size) {
                    return Ok(reference(0));
                }
                // Uninitialised memory that nobody may rely on.
                let fill = if id == NativeId::Alloc { 0xa5 } else { 0 };
                Ok(reference(self.object(vec![fill; size as usize], memory)?))
            }
            NativeId::Promote => {
                retain(word(0), memory)?;
                Ok(reference(word(0)))
            }
            NativeId::Retain => {
                retain(word(0), memory)?;
                Ok(NativeResult::Nothing)
            }
            NativeId::Release => {
                if release(word(0), memory)? {
                    self.free(word(0), memory)?;
                }
                Ok(NativeResult::Nothing)
            }
            NativeId::RefSet => {
                retain(word(1), memory)?;
                let old = memory.read_scalar(word(0), 8)? as u64;
                memory.write_scalar(word(0), 8, word(1).into())?;
                if release(old, memory)? {
                    self.free(old, memory)?;
                }
                Ok(NativeResult::Nothing)
            }
            // One chunk: the loop runs serially, by a call of its body.
            NativeId::ParallelChunks => Ok(NativeResult::Value(LirValue::Scalar(Ty::I64, 1))),
            // Nobody interrupts it.
            NativeId::IsInterrupt => Ok(NativeResult::Value(LirValue::Scalar(Ty::I32, 0))),
            NativeId::Raise => {
                self.raised = Some((word(0), word(1) as i64));
                Ok(NativeResult::Nothing)
            }
            _ => Err(Trap::Missing(id.name().to_owned())),
        }
    }

    fn free(&mut self, header: u64, memory: &mut Memory) -> Result<(), Trap> {
        if memory.read_scalar(header + DROP, 8)? != HEAP_DROP {
            return Ok(());
        }
        let data = memory.read_scalar(header + DATA, 8)? as u64;
        memory.free(data)?;
        memory.free(header)?;
        self.live -= 1;
        Ok(())
    }

    fn live_objects(&self) -> i64 {
        self.live
    }

    fn pending(&self) -> Option<(u64, i64)> {
        self.raised
    }
}

/// One more owner; null is ignored.
pub(super) fn retain(header: u64, memory: &mut Memory) -> Result<(), Trap> {
    if header == 0 {
        return Ok(());
    }
    let refs = memory
        .read_scalar(header + REFS, 8)
        .map_err(|_| Trap::BadReference(header))?;
    memory.write_scalar(header + REFS, 8, refs + 1)
}

/// One owner less; true if that was the last. Null is ignored.
pub(super) fn release(header: u64, memory: &mut Memory) -> Result<bool, Trap> {
    if header == 0 {
        return Ok(false);
    }
    let refs = memory
        .read_scalar(header + REFS, 8)
        .map_err(|_| Trap::BadReference(header))?;
    let left = refs.checked_sub(1).ok_or(Trap::BadReference(header))?;
    memory.write_scalar(header + REFS, 8, left)?;
    Ok(left == 0)
}
