//! The exception table of CPython 3.11 and later.

use crate::decode::Bytecode;
use crate::error::{Error, Malformed};
use crate::op::Op;
use serde::{Deserialize, Serialize};

/// An entry: exceptions raised in `start..end` go to `target`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Region {
    /// Byte offsets, end exclusive.
    pub start: u32,
    pub end: u32,
    pub target: u32,
    /// Stack items kept for the handler.
    pub depth: u32,
    /// The handler finds the offset of the raising instruction below the exception.
    pub lasti: bool,
}

/// Decodes `co_exceptiontable`.
// Objects/exception_handling_notes.txt in CPython: entries of four varints (start, size, target,
// depth * 2 + lasti) in code units, 6 bits a byte, bit 6 continues, bit 7 starts an entry.
pub fn parse(table: &[u8]) -> Result<Vec<Region>, Error> {
    let bad = || Error::malformed(0, Malformed::ExceptionTable);
    let mut regions = Vec::new();
    let mut at = 0;
    let mut varint = |first: bool| -> Result<Option<u32>, Error> {
        let Some(&byte) = table.get(at) else {
            return if first { Ok(None) } else { Err(bad()) };
        };
        if first != (byte & 0x80 != 0) {
            return Err(bad());
        }
        let mut value = u32::from(byte & 0x3f);
        let mut more = byte & 0x40 != 0;
        at += 1;
        while more {
            let &byte = table.get(at).ok_or_else(bad)?;
            if byte & 0x80 != 0 || value >> 26 != 0 {
                return Err(bad());
            }
            value = value << 6 | u32::from(byte & 0x3f);
            more = byte & 0x40 != 0;
            at += 1;
        }
        Ok(Some(value))
    };
    while let Some(start) = varint(true)? {
        let mut field = || varint(false)?.ok_or_else(bad);
        let (size, target, depth_lasti) = (field()?, field()?, field()?);
        let bytes = |units: u32| units.checked_mul(2).ok_or_else(bad);
        let end = bytes(start.checked_add(size).ok_or_else(bad)?)?;
        regions.push(Region {
            start: bytes(start)?,
            end,
            target: bytes(target)?,
            depth: depth_lasti >> 1,
            lasti: depth_lasti & 1 == 1,
        });
    }
    Ok(regions)
}

/// The regions that a program can tell apart: those whose handler only tidies up the interpreter's state
/// and re-raises are left out.
///
/// - comprehension inlined by 3.12 and later: restores the shadowed local;
/// - generator body: turns StopIteration into RuntimeError;
/// - `except` body: restores the exception being handled, and unbinds `e` of `except E as e`.
pub fn visible_regions(bytecode: &Bytecode<'_>) -> Result<Vec<Region>, Error> {
    let mut regions = parse(&bytecode.code.exceptiontable)?;
    for region in &regions {
        let inside = |offset: u32| offset as usize <= bytecode.code.code.len();
        if region.start >= region.end || !inside(region.end) || bytecode.at(region.target).is_none()
        {
            return Err(Error::malformed(region.target, Malformed::ExceptionTable));
        }
    }
    // Entries are sorted and do not overlap in real tables; a program cannot rely on anything else.
    if regions.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return Err(Error::malformed(0, Malformed::ExceptionTable));
    }
    regions.retain(|region| {
        bytecode
            .at(region.target)
            .is_some_and(|at| !is_tidying(bytecode, at))
    });
    Ok(regions)
}

fn is_tidying(bytecode: &Bytecode<'_>, at: usize) -> bool {
    let ops: Vec<Op> = bytecode.instrs[at..]
        .iter()
        .take(24)
        .map(|i| i.op)
        .filter(|op| *op != Op::Nop)
        .collect();
    match ops.as_slice() {
        [Op::StopIterationError, Op::Reraise(_), ..] => true,
        [Op::Copy(3), Op::PopExcept, Op::Reraise(1), ..] => true,
        [
            Op::LoadConst(_),
            Op::StoreLocal(_),
            Op::DeleteLocal(_),
            Op::Reraise(1),
            ..,
        ] => true,
        _ => {
            let restores = ops
                .iter()
                .take_while(|op| matches!(op, Op::Swap(_) | Op::PopTop | Op::StoreLocal(_)));
            let (count, stores) = restores.fold((0, 0), |(n, s), op| {
                (n + 1, s + u32::from(matches!(op, Op::StoreLocal(_))))
            });
            stores > 0 && matches!(ops.get(count), Some(Op::Reraise(0)))
        }
    }
}
