//! The exception table of CPython 3.11 and later.

use crate::decode::{Bytecode, Instr};
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

impl Region {
    /// Where exceptions go, and what is on the stack there.
    fn handler(&self) -> (u32, u32, bool) {
        (self.target, self.depth, self.lasti)
    }
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

/// Encodes regions as `co_exceptiontable`.
pub(crate) fn write(regions: &[Region]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut varint = |value: u32, first: bool| {
        let digits = (32 - value.leading_zeros()).div_ceil(6).max(1);
        for digit in (0..digits).rev() {
            let start = if first && digit + 1 == digits {
                0x80
            } else {
                0
            };
            let more = if digit > 0 { 0x40 } else { 0 };
            out.push(start | more | (value >> (6 * digit)) as u8 & 0x3f);
        }
    };
    for region in regions {
        varint(region.start / 2, true);
        varint((region.end - region.start) / 2, false);
        varint(region.target / 2, false);
        varint(region.depth << 1 | u32::from(region.lasti), false);
    }
    out
}

/// The regions that a program can tell apart. A handler that only tidies up the interpreter's state and re-raises is
/// replaced by the handler that the re-raised exception goes to:
///
/// - comprehension inlined by 3.12 and later: restores the shadowed local;
/// - generator body: turns StopIteration into RuntimeError;
/// - `except E as e` body: unbinds `e`.
///
/// The handler around an `except` or `finally` body, which restores what was handled before, stays: what leaves the body
/// has the exception that was handled there as its context.
pub fn visible_regions(bytecode: &Bytecode<'_>) -> Result<Vec<Region>, Error> {
    let regions = parse(&bytecode.code.exceptiontable)?;
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
    let covering = |offset: u32| {
        let at = regions.partition_point(|r| r.end <= offset);
        regions.get(at).filter(|r| r.start <= offset)
    };
    let visible = |region: &Region| {
        let mut handler = region;
        // Tidying handlers nest as `except` bodies do; a cycle is no real table.
        for _ in 0..MAX_NESTING {
            match tidying_end(bytecode, handler.target) {
                Some(reraise) => handler = covering(reraise)?,
                None => {
                    return Some(Region {
                        start: region.start,
                        end: region.end,
                        ..*handler
                    });
                }
            }
        }
        None
    };
    let mut joined: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions.iter().filter_map(visible) {
        match joined.last_mut() {
            // Only a tidying handler told them apart.
            Some(last) if last.end == region.start && last.handler() == region.handler() => {
                last.end = region.end;
            }
            _ => joined.push(region),
        }
    }
    Ok(joined)
}

/// CPython allows 20 statically nested blocks; each may need two tidying handlers.
const MAX_NESTING: u32 = 64;

/// If the handler at `target` only tidies up: the offset at which it re-raises.
fn tidying_end(bytecode: &Bytecode<'_>, target: u32) -> Option<u32> {
    let at = bytecode.at(target)?;
    let instrs = bytecode.instrs[at..].iter().filter(|i| i.op != Op::Nop);
    let instrs: Vec<&Instr> = instrs.take(24).collect();
    let ops: Vec<Op> = instrs.iter().map(|i| i.op).collect();
    let end = match ops.as_slice() {
        [Op::StopIterationError, Op::Reraise(_), ..] => 1,
        [
            Op::LoadConst(_) | Op::LoadLiteral(_),
            Op::StoreLocal(_),
            Op::DeleteLocal(_),
            Op::Reraise(1),
            ..,
        ] => 3,
        _ => {
            let restores = |op: &&Op| matches!(op, Op::Swap(_) | Op::PopTop | Op::StoreLocal(_));
            let count = ops.iter().take_while(restores).count();
            let stores = ops[..count]
                .iter()
                .any(|op| matches!(op, Op::StoreLocal(_)));
            if !stores || ops.get(count) != Some(&Op::Reraise(0)) {
                return None;
            }
            count
        }
    };
    instrs.get(end).map(|i| i.offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_round_trip() {
        let region = |start, end, target, depth, lasti| Region {
            start,
            end,
            target,
            depth,
            lasti,
        };
        let regions = [
            region(0, 2, 4, 0, false),
            region(120, 130, 70_000, 3, true),
            region(200_000, 9_000_000, 12, 40, true),
        ];
        assert_eq!(parse(&write(&regions)), Ok(regions.to_vec()));
    }
}
