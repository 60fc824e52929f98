//! The code object of a body, as plain data.
//!
//! ```text
//! prologue     COPY_FREE_VARS, MAKE_CELL; RESUME; unbind what is no input; jump to the body
//! the function's own bytes, with a jump to an epilogue in front of each call of `__exit__`
//! epilogues    one an exit: load the outputs, build a tuple, return
//! ```
//!
//! Jumps are relative, so the function's bytes work at their new place.

use super::ObjectBlock;
use crate::code::{CodeFlags, CodeObject, Const};
use crate::decode::{Bytecode, VariableKind};
use crate::error::{Error, Malformed};
use crate::exctable::{Region, write};
use crate::op::{Common, Literal};
use crate::opcode::{Opcode, Version};
use numbra_base::FileId;

/// What differs from the code object of the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockCode {
    /// `co_code`
    pub code: Vec<u8>,
    /// `co_exceptiontable`
    pub exceptiontable: Vec<u8>,
    /// `co_stacksize`
    pub stacksize: u32,
    /// `co_flags`
    pub flags: CodeFlags,
    /// `co_varnames`: those of the function, then its cells that are no parameters, so that they can be arguments.
    pub varnames: Vec<String>,
    /// `co_argcount`: all are positional.
    pub argcount: u32,
    /// For each argument: the position in [`ObjectBlock::inputs`] of its value; none for one that is not looked at.
    pub arguments: Vec<Option<usize>>,
    /// `co_consts` of the function is followed by the integers from 0 to this one, exclusive.
    pub more_consts: u32,
    /// `co_linetable` of the function goes between these two.
    pub lines_before: Vec<u8>,
    /// See `lines_before`.
    pub lines_behind: Vec<u8>,
}

impl ObjectBlock {
    /// The code of the body. It returns a tuple of the outputs; where there are several exits, their number comes first.
    /// An output that is not live at an exit is None.
    pub fn code(&self, code: &CodeObject) -> Result<BlockCode, Error> {
        let bytecode = Bytecode::decode(code, FileId(0))?;
        let version = bytecode.version;
        let variables = &bytecode.variables;
        let own = |i: u32| match variables.get(i as usize).map(|v| v.kind) {
            Some(VariableKind::Local) => Ok(false),
            Some(VariableKind::Cell) => Ok(true),
            Some(VariableKind::Free(_)) | None => {
                Err(Error::malformed(0, Malformed::Index("the local variables")))
            }
        };
        let argcount = self.inputs.iter().max().map_or(0, |last| last + 1);
        let arguments: Vec<Option<usize>> = (0..argcount)
            .map(|i| self.inputs.iter().position(|&input| input == i))
            .collect();

        let mut before = Writer::new(version);
        for unit in &bytecode.raw {
            match unit.opcode {
                Opcode::Resume => break,
                Opcode::MakeCell | Opcode::CopyFreeVars => before.op(unit.opcode, unit.arg)?,
                _ => {}
            }
        }
        before.op(Opcode::Resume, 0)?;
        for (i, argument) in arguments.iter().enumerate() {
            if argument.is_none() {
                let unbind = if own(i as u32)? {
                    Opcode::DeleteDeref
                } else {
                    Opcode::DeleteFast
                };
                before.op(unbind, i as u32)?;
            }
        }
        before.jump(self.start)?;
        let shift = before.bytes.len() as u32;

        let mut bytes = code.code.clone();
        let mut behind = Writer::new(version);
        let none = match Common::operand(Literal::None, version) {
            Some(operand) => (Opcode::LoadCommonConstant, operand),
            None => {
                let none = code.consts.iter().position(|c| *c == Const::None);
                let none = none.ok_or(Error::malformed(0, Malformed::Index("co_consts")))?;
                (Opcode::LoadConst, none as u32)
            }
        };
        let numbered = self.exits.len() > 1;
        for (number, exit) in self.exits.iter().enumerate() {
            let epilogue = code.code.len() as u32 + behind.bytes.len() as u32;
            let mut jump = Writer::new(version);
            let distance = epilogue
                .checked_sub(exit.sequence + JUMP_SIZE)
                .ok_or(Error::malformed(exit.sequence, Malformed::JumpTarget))?;
            jump.jump(distance)?;
            let at = exit.sequence as usize;
            let place = bytes
                .get_mut(at..at + JUMP_SIZE as usize)
                .ok_or(Error::malformed(exit.sequence, Malformed::JumpTarget))?;
            place.copy_from_slice(&jump.bytes);
            if exit.carries {
                behind.op(Opcode::PopTop, 0)?;
            }
            if numbered {
                behind.op(Opcode::LoadConst, (code.consts.len() + number) as u32)?;
            }
            for (&output, &live) in self.outputs.iter().zip(&exit.live) {
                match (live, own(output)?) {
                    (false, _) => behind.op(none.0, none.1)?,
                    (true, true) => behind.op(Opcode::LoadDeref, output)?,
                    // From 3.12 on LOAD_FAST does not look whether the variable is bound.
                    (true, false) if version == Version::Py311 => {
                        behind.op(Opcode::LoadFast, output)?;
                    }
                    (true, false) => behind.op(Opcode::LoadFastCheck, output)?,
                }
            }
            let count = self.outputs.len() + usize::from(numbered);
            behind.op(Opcode::BuildTuple, count as u32)?;
            behind.op(Opcode::ReturnValue, 0)?;
        }

        let moved = |region: &Region| -> Result<Region, Error> {
            let depth = region.depth.checked_sub(self.depth);
            Ok(Region {
                start: region.start + shift,
                end: region.end + shift,
                target: region.target + shift,
                depth: depth.ok_or(Error::malformed(region.target, Malformed::ExceptionTable))?,
                lasti: region.lasti,
            })
        };
        let regions: Vec<Region> = self.regions.iter().map(moved).collect::<Result<_, _>>()?;

        let cells = code
            .cellvars
            .iter()
            .filter(|name| !code.varnames.contains(name));
        let lines_before = lines(before.bytes.len() / 2, Some(0));
        let lines_behind = lines(behind.bytes.len() / 2, None);
        let whole = [before.bytes, bytes, behind.bytes].concat();
        let dropped = CodeFlags::VARARGS
            | CodeFlags::VARKEYWORDS
            | CodeFlags::GENERATOR
            | CodeFlags::COROUTINE
            | CodeFlags::ITERABLE_COROUTINE
            | CodeFlags::ASYNC_GENERATOR;
        Ok(BlockCode {
            code: whole,
            exceptiontable: write(&regions),
            stacksize: code.stacksize.max(self.outputs.len() as u32 + 2),
            flags: code.flags - dropped,
            varnames: code.varnames.iter().chain(cells).cloned().collect(),
            argcount,
            arguments,
            more_consts: if numbered { self.exits.len() as u32 } else { 0 },
            lines_before,
            lines_behind,
        })
    }
}

/// Bytes of what [`Writer::jump`] writes. The shortest call of `__exit__` takes more.
const JUMP_SIZE: u32 = 8;

/// Instructions as bytes.
struct Writer {
    version: Version,
    bytes: Vec<u8>,
}

impl Writer {
    fn new(version: Version) -> Writer {
        Writer {
            version,
            bytes: Vec::new(),
        }
    }

    /// The byte of an opcode, and the code units of inline cache behind it.
    fn byte(&self, opcode: Opcode) -> Result<(u8, u8), Error> {
        let rows = (0..=u8::MAX).zip(self.version.table());
        let mut rows = rows.filter_map(|(byte, entry)| entry.map(|entry| (byte, entry)));
        let found = rows.find(|(_, e)| e.opcode == opcode && e.name == opcode.name());
        let found = found.map(|(byte, entry)| (byte, entry.caches));
        found.ok_or(Error::malformed(0, Malformed::Operand))
    }

    /// An instruction with empty inline caches.
    fn op(&mut self, opcode: Opcode, arg: u32) -> Result<(), Error> {
        let (byte, caches) = self.byte(opcode)?;
        let (prefix, _) = self.byte(Opcode::ExtendedArg)?;
        for shift in [24, 16, 8] {
            if arg >> shift != 0 {
                self.bytes.extend([prefix, (arg >> shift) as u8]);
            }
        }
        self.bytes.extend([byte, arg as u8]);
        self.bytes
            .extend(std::iter::repeat_n(0, 2 * usize::from(caches)));
        Ok(())
    }

    /// A jump over so many bytes, always [`JUMP_SIZE`] long.
    fn jump(&mut self, distance: u32) -> Result<(), Error> {
        let (byte, _) = self.byte(Opcode::JumpForward)?;
        let (prefix, _) = self.byte(Opcode::ExtendedArg)?;
        let units = distance / 2;
        for shift in [24, 16, 8] {
            self.bytes.extend([prefix, (units >> shift) as u8]);
        }
        self.bytes.extend([byte, units as u8]);
        Ok(())
    }
}

/// Entries of a line table for so many code units: on the line so many behind the last one, or without a line.
// Objects/locations.md in CPython: a byte 0x80 | code << 3 | units - 1, then the fields; code 15 has no location, 13 has
// a line only.
fn lines(units: usize, delta: Option<u8>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut left = units;
    while left > 0 {
        let some = left.min(8);
        let code: u8 = if delta.is_some() { 13 } else { 15 };
        out.push(0x80 | code << 3 | (some as u8 - 1));
        out.extend(delta);
        left -= some;
    }
    out
}
