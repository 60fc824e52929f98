//! Bytes to version-neutral instructions.

use crate::code::{CodeObject, Const};
use crate::error::{Error, Malformed};
use crate::op::{
    BinaryOp, Builtin, Common, CompareOp, FunctionParts, JumpIf, Literal, LoopForm, Op, Special,
    UnaryOp,
};
use crate::opcode::{Class, Opcode, Unsupported, Version};
use numbra_base::{FileId, FxHashSet, Span};

/// One code unit with its prefixes and caches, as `dis` shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawInstr {
    /// Byte offset of the first EXTENDED_ARG prefix, or of the opcode.
    pub start: u32,
    /// Byte offset of the opcode.
    pub offset: u32,
    /// Byte offset of the next instruction, after the caches.
    pub next: u32,
    pub opcode: Opcode,
    pub arg: u32,
    pub has_arg: bool,
    pub span: Span,
}

/// A version-neutral instruction. Several come from one code unit when it is a superinstruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instr {
    pub op: Op,
    /// Offset of the code unit.
    pub offset: u32,
    pub span: Span,
}

/// The instructions of one code object.
#[derive(Clone, Debug)]
pub struct Bytecode<'a> {
    pub code: &'a CodeObject,
    pub version: Version,
    pub file: FileId,
    pub raw: Vec<RawInstr>,
    /// Jump targets are byte offsets at which an instruction starts.
    pub instrs: Vec<Instr>,
    /// What local variable operands index.
    pub variables: Vec<Variable>,
    /// By code unit: index of the first instruction that starts there, or `u32::MAX`.
    index: Vec<u32>,
}

/// A local variable, cell or free variable of the code object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: VariableKind,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableKind {
    Local,
    /// Shared with inner functions.
    Cell,
    /// Of an enclosing function, by position in `co_freevars`.
    Free(u32),
}

/// CPython's "fast locals": locals, then cells that are no locals, then free variables.
fn variables(code: &CodeObject) -> Vec<Variable> {
    let cells: FxHashSet<&str> = code.cellvars.iter().map(String::as_str).collect();
    let locals: FxHashSet<&str> = code.varnames.iter().map(String::as_str).collect();
    let local = |name: &String| {
        let kind = if cells.contains(name.as_str()) {
            VariableKind::Cell
        } else {
            VariableKind::Local
        };
        Variable {
            name: name.clone(),
            kind,
        }
    };
    let mut variables: Vec<Variable> = code.varnames.iter().map(local).collect();
    variables.extend(
        code.cellvars
            .iter()
            .filter(|name| !locals.contains(name.as_str()))
            .map(local),
    );
    variables.extend(code.freevars.iter().enumerate().map(|(i, name)| Variable {
        name: name.clone(),
        kind: VariableKind::Free(i as u32),
    }));
    variables
}

impl<'a> Bytecode<'a> {
    /// Decodes `code`; spans are in `file`.
    pub fn decode(code: &'a CodeObject, file: FileId) -> Result<Bytecode<'a>, Error> {
        let version = Version::new(code.version.0, code.version.1)
            .ok_or(Error::Version(code.version.0, code.version.1))?;
        let raw = read_units(code, version, file)?;
        let mut bytecode = Bytecode {
            code,
            version,
            file,
            raw: Vec::new(),
            instrs: Vec::with_capacity(raw.len()),
            variables: variables(code),
            index: vec![u32::MAX; code.code.len() / 2],
        };
        for unit in &raw {
            let first = bytecode.instrs.len() as u32;
            // Jumps land on the prefix; specialised code may also name the opcode itself.
            bytecode.index[unit.start as usize / 2] = first;
            bytecode.index[unit.offset as usize / 2] = first;
            bytecode.neutral(unit)?;
        }
        bytecode.raw = raw;
        if code.takes_iterable() {
            bytecode.leave_iterator_to_callers();
        }
        for instr in &bytecode.instrs {
            if let Some(target) = instr.op.target()
                && bytecode.at(target).is_none()
            {
                return Err(Error::malformed(instr.offset, Malformed::JumpTarget));
            }
        }
        match bytecode.instrs.last() {
            Some(last) if !last.op.ends_flow() => {
                Err(Error::malformed(last.offset, Malformed::FallsOffEnd))
            }
            _ => Ok(bytecode),
        }
    }

    /// Index in `instrs` of the instruction that starts at byte `offset`.
    pub fn at(&self, offset: u32) -> Option<usize> {
        if !offset.is_multiple_of(2) {
            return None;
        }
        self.index
            .get(offset as usize / 2)
            .filter(|&&i| i != u32::MAX)
            .map(|&i| i as usize)
    }

    /// Callers of a generator expression make its iterator, as before 3.15.
    fn leave_iterator_to_callers(&mut self) {
        let before_generator = self
            .instrs
            .split(|i| i.op == Op::ReturnGenerator)
            .next()
            .map_or(0, <[Instr]>::len);
        if let [.., iter, null] = &mut self.instrs[..before_generator]
            && iter.op == Op::GetIter
            && null.op == Op::LoadNull
        {
            iter.op = Op::Nop;
        }
    }

    fn neutral(&mut self, unit: &RawInstr) -> Result<(), Error> {
        let mut emit = Emit {
            instrs: &mut self.instrs,
            offset: unit.offset,
            span: unit.span,
        };
        translate(self.code, &self.variables, self.version, unit, &mut emit)
    }
}

/// Splits the bytes into code units with folded prefixes.
fn read_units(code: &CodeObject, version: Version, file: FileId) -> Result<Vec<RawInstr>, Error> {
    let bytes = &code.code;
    if bytes.is_empty() || !bytes.len().is_multiple_of(2) {
        return Err(Error::malformed(0, Malformed::OddLength));
    }
    if bytes.len() > 1 << 24 {
        return Err(Error::TooComplex {
            limit: "16 MiB of bytecode",
        });
    }
    let table = version.table();
    let mut raw = Vec::with_capacity(bytes.len() / 2);
    let (mut at, mut start, mut prefix, mut prefixes) = (0usize, 0usize, 0u32, 0);
    while at < bytes.len() {
        let offset = at as u32;
        let entry = table[bytes[at] as usize].ok_or(Error::malformed(
            offset,
            Malformed::UnknownOpcode(bytes[at]),
        ))?;
        let arg = prefix | u32::from(bytes[at + 1]);
        if entry.opcode == Opcode::ExtendedArg {
            prefixes += 1;
            if prefixes > 3 || at + 2 >= bytes.len() {
                return Err(Error::malformed(offset, Malformed::ExtendedArg));
            }
            prefix = arg << 8;
            at += 2;
            continue;
        }
        let next = at + 2 + 2 * usize::from(entry.caches);
        if next > bytes.len() {
            return Err(Error::malformed(offset, Malformed::TruncatedCaches));
        }
        let span = code
            .positions
            .get(at / 2)
            .map_or(Span::NONE, |p| p.span(file));
        raw.push(RawInstr {
            start: start as u32,
            offset,
            next: next as u32,
            opcode: entry.opcode,
            arg,
            has_arg: entry.has_arg,
            span,
        });
        (at, start, prefix, prefixes) = (next, next, 0, 0);
    }
    Ok(raw)
}

struct Emit<'a> {
    instrs: &'a mut Vec<Instr>,
    offset: u32,
    span: Span,
}

impl Emit<'_> {
    fn op(&mut self, op: Op) {
        self.instrs.push(Instr {
            op,
            offset: self.offset,
            span: self.span,
        });
    }
}

/// Emits the version-neutral form of one code unit.
fn translate(
    code: &CodeObject,
    variables: &[Variable],
    version: Version,
    unit: &RawInstr,
    emit: &mut Emit<'_>,
) -> Result<(), Error> {
    use Opcode as O;
    let RawInstr {
        opcode,
        arg,
        next,
        offset,
        ..
    } = *unit;
    let bad = |what| Error::malformed(offset, what);
    let unsupported = |reason| Op::Unsupported { opcode, reason };

    let table_index = |index: u32, len: usize, table: &'static str| {
        if (index as usize) < len {
            Ok(index)
        } else {
            Err(bad(Malformed::Index(table)))
        }
    };
    let constant = |index: u32| table_index(index, code.consts.len(), "co_consts");
    let name = |index: u32| table_index(index, code.names.len(), "co_names");
    let variable = |index: u32| table_index(index, variables.len(), "the local variables");
    let forward = |distance: u32| {
        distance
            .checked_mul(2)
            .and_then(|bytes| next.checked_add(bytes))
            .ok_or(bad(Malformed::JumpTarget))
    };
    let backward = |distance: u32| {
        distance
            .checked_mul(2)
            .and_then(|bytes| next.checked_sub(bytes))
            .ok_or(bad(Malformed::JumpTarget))
    };
    // From 3.13 on, LOAD_FAST of a cell variable gives the cell (it was LOAD_CLOSURE before).
    let load = |index: u32| -> Result<Op, Error> {
        let index = variable(index)?;
        let is_cell =
            version >= Version::Py313 && variables[index as usize].kind != VariableKind::Local;
        Ok(if is_cell {
            Op::LoadCell(index)
        } else {
            Op::LoadLocal(index)
        })
    };

    if let Class::Unsupported(reason) = opcode.class() {
        emit.op(unsupported(reason));
        return Ok(());
    }
    match opcode {
        O::Nop
        | O::Resume
        | O::Cache
        | O::Precall
        | O::MakeCell
        | O::CopyFreeVars
        | O::ToBool
        | O::NotTaken => {
            emit.op(Op::Nop);
        }
        O::LoadConst => emit.op(Op::LoadConst(constant(arg)?)),
        O::LoadSmallInt => emit.op(Op::LoadLiteral(Literal::Int(i64::from(arg)))),
        O::PushNull => emit.op(Op::LoadNull),
        O::LoadAssertionError => emit.op(Op::LoadBuiltin(Builtin::AssertionError)),
        O::LoadCommonConstant => {
            let common = Common::new(arg, version).ok_or(bad(Malformed::Operand))?;
            emit.op(match common {
                Common::Builtin(builtin) => Op::LoadBuiltin(builtin),
                Common::Literal(literal) => Op::LoadLiteral(literal),
            });
        }
        O::LoadFast | O::LoadFastCheck | O::LoadFastBorrow => emit.op(load(arg)?),
        O::LoadFastAndClear => emit.op(Op::LoadLocalAndClear(variable(arg)?)),
        O::LoadFastLoadFast | O::LoadFastBorrowLoadFastBorrow => {
            emit.op(load(arg >> 4)?);
            emit.op(load(arg & 15)?);
        }
        O::StoreFast | O::StoreDeref => emit.op(Op::StoreLocal(variable(arg)?)),
        O::StoreFastLoadFast => {
            emit.op(Op::StoreLocal(variable(arg >> 4)?));
            emit.op(load(arg & 15)?);
        }
        O::StoreFastStoreFast => {
            emit.op(Op::StoreLocal(variable(arg >> 4)?));
            emit.op(Op::StoreLocal(variable(arg & 15)?));
        }
        O::DeleteFast => emit.op(Op::DeleteLocal(variable(arg)?)),
        O::LoadDeref => emit.op(Op::LoadLocal(variable(arg)?)),
        O::LoadClosure => emit.op(Op::LoadCell(variable(arg)?)),
        O::LoadGlobal => {
            let index = name(arg >> 1)?;
            let null = arg & 1 == 1;
            if null && version <= Version::Py312 {
                emit.op(Op::LoadNull);
            }
            emit.op(Op::LoadGlobal(index));
            if null && version >= Version::Py313 {
                emit.op(Op::LoadNull);
            }
        }
        O::LoadMethod => load_method(name(arg)?, version, emit),
        O::LoadAttr if version == Version::Py311 => emit.op(Op::LoadAttr(name(arg)?)),
        O::LoadAttr if arg & 1 == 1 => load_method(name(arg >> 1)?, version, emit),
        O::LoadAttr => emit.op(Op::LoadAttr(name(arg >> 1)?)),
        O::StoreAttr => emit.op(Op::StoreAttr(name(arg)?)),
        O::DeleteAttr => emit.op(Op::DeleteAttr(name(arg)?)),
        O::LoadSpecial => match arg {
            0 => load_special(Special::Enter, emit),
            1 => load_special(Special::Exit, emit),
            2 | 3 => emit.op(unsupported(Unsupported::Async)),
            _ => return Err(bad(Malformed::Operand)),
        },
        O::BeforeWith => emit.op(Op::BeforeWith),

        O::BinaryOp if arg == 26 && version >= Version::Py314 => emit.op(Op::Subscr),
        O::BinaryOp => {
            let inplace = arg >= 13;
            let op = BinaryOp::TABLE
                .get(arg as usize % 13)
                .filter(|_| arg < 26)
                .ok_or(bad(Malformed::Operand))?;
            emit.op(Op::Binary { op: *op, inplace });
        }
        O::UnaryNegative => emit.op(Op::Unary(UnaryOp::Negative)),
        O::UnaryPositive => emit.op(Op::Unary(UnaryOp::Positive)),
        O::UnaryInvert => emit.op(Op::Unary(UnaryOp::Invert)),
        O::UnaryNot => emit.op(Op::Unary(UnaryOp::Not)),
        O::CompareOp => {
            let shift = match version {
                Version::Py311 => 0,
                Version::Py312 => 4,
                Version::Py313 | Version::Py314 | Version::Py315 => 5,
            };
            let op = CompareOp::TABLE
                .get((arg >> shift) as usize)
                .ok_or(bad(Malformed::Operand))?;
            emit.op(Op::Compare(*op));
        }
        O::IsOp if arg <= 1 => emit.op(Op::Is { invert: arg == 1 }),
        O::ContainsOp if arg <= 1 => emit.op(Op::Contains { invert: arg == 1 }),
        O::IsOp | O::ContainsOp => return Err(bad(Malformed::Operand)),
        O::BinarySubscr => emit.op(Op::Subscr),
        O::StoreSubscr => emit.op(Op::StoreSubscr),
        O::DeleteSubscr => emit.op(Op::DeleteSubscr),
        O::BinarySlice => {
            emit.op(Op::BuildSlice(2));
            emit.op(Op::Subscr);
        }
        O::StoreSlice => {
            emit.op(Op::BuildSlice(2));
            emit.op(Op::StoreSubscr);
        }

        O::BuildTuple => emit.op(Op::BuildTuple(arg)),
        O::BuildList => emit.op(Op::BuildList(arg)),
        O::BuildSet => emit.op(Op::BuildSet(arg)),
        O::BuildMap => emit.op(Op::BuildMap(arg)),
        O::BuildConstKeyMap => emit.op(Op::BuildConstKeyMap(arg)),
        O::BuildSlice if arg == 2 || arg == 3 => emit.op(Op::BuildSlice(arg)),
        O::BuildSlice => return Err(bad(Malformed::Operand)),
        O::BuildString => emit.op(Op::BuildString(arg)),
        O::ListAppend => emit.op(Op::ListAppend(arg)),
        O::ListExtend => emit.op(Op::ListExtend(arg)),
        O::SetAdd => emit.op(Op::SetAdd(arg)),
        O::SetUpdate => emit.op(Op::SetUpdate(arg)),
        O::MapAdd => emit.op(Op::MapAdd(arg)),
        O::DictUpdate => emit.op(Op::DictUpdate(arg)),
        O::DictMerge => emit.op(Op::DictMerge(arg)),
        O::ListToTuple => emit.op(Op::ListToTuple),
        O::FormatSimple => emit.op(Op::Format { spec: false }),
        O::FormatWithSpec => emit.op(Op::Format { spec: true }),
        // What is converted lies below the specification.
        O::FormatValue if arg & 3 != 0 && arg & 4 != 0 => {
            emit.op(Op::Swap(2));
            emit.op(conversion(opcode, arg & 3));
            emit.op(Op::Swap(2));
            emit.op(Op::Format { spec: true });
        }
        O::FormatValue => {
            if arg & 3 != 0 {
                emit.op(conversion(opcode, arg & 3));
            }
            emit.op(Op::Format { spec: arg & 4 != 0 });
        }
        O::ConvertValue => emit.op(conversion(opcode, arg)),
        O::UnpackSequence => emit.op(Op::Unpack(arg)),
        O::UnpackEx => emit.op(Op::UnpackStar {
            before: arg & 0xff,
            after: arg >> 8,
        }),
        O::GetLen => emit.op(Op::GetLen),
        O::MatchSequence => emit.op(Op::MatchSequence),
        O::MatchMapping => emit.op(Op::MatchMapping),
        O::MatchKeys => emit.op(Op::MatchKeys),
        O::MatchClass => emit.op(Op::MatchClass(arg)),
        O::CallIntrinsic1 => emit.op(match arg {
            1 => unsupported(Unsupported::InteractivePrint),
            2 => unsupported(Unsupported::Import),
            3 => Op::StopIterationError,
            4 => unsupported(Unsupported::Async),
            5 => Op::Unary(UnaryOp::Positive),
            6 => Op::ListToTuple,
            7..=11 => unsupported(Unsupported::TypeParameters),
            _ => return Err(bad(Malformed::Operand)),
        }),

        O::MakeFunction if version <= Version::Py312 => {
            let parts = FunctionParts::from_bits(arg).ok_or(bad(Malformed::Operand))?;
            emit.op(Op::MakeFunction(parts));
        }
        O::MakeFunction => emit.op(Op::MakeFunction(FunctionParts::empty())),
        O::SetFunctionAttribute => {
            let part = FunctionParts::from_bits(arg).filter(|p| p.bits().is_power_of_two());
            emit.op(Op::SetFunctionAttribute(
                part.ok_or(bad(Malformed::Operand))?,
            ));
        }
        O::KwNames => emit.op(Op::KwNames(constant(arg)?)),
        O::Call => emit.op(Op::Call(arg)),
        O::CallKw => emit.op(Op::CallKw(arg)),
        // From 3.14 on the keyword slot is always there and may hold a null.
        O::CallFunctionEx => emit.op(Op::CallEx {
            kwargs: version >= Version::Py314 || arg & 1 == 1,
        }),

        O::GetIter if version < Version::Py315 => emit.op(Op::GetIter),
        O::GetIter => match arg {
            0 => {
                emit.op(Op::GetIter);
                emit.op(Op::LoadNull);
            }
            1..=3 => emit.op(unsupported(Unsupported::YieldFrom)),
            _ => return Err(bad(Malformed::Operand)),
        },
        O::ForIter => {
            emit.op(Op::ForIter {
                target: forward(arg)?,
                form: match version {
                    Version::Py311 => LoopForm::Popped,
                    Version::Py312 | Version::Py313 | Version::Py314 => LoopForm::Kept,
                    Version::Py315 => LoopForm::Counted,
                },
            });
        }
        O::EndFor if version == Version::Py312 => {
            emit.op(Op::PopTop);
            emit.op(Op::PopTop);
        }
        O::PopIter if version >= Version::Py315 => {
            emit.op(Op::PopTop);
            emit.op(Op::PopTop);
        }
        O::EndFor | O::PopIter | O::PopTop => emit.op(Op::PopTop),
        O::JumpForward => emit.op(Op::Jump(forward(arg)?)),
        O::JumpBackward | O::JumpBackwardNoInterrupt => emit.op(Op::Jump(backward(arg)?)),
        O::PopJumpForwardIfTrue | O::PopJumpIfTrue => {
            emit.op(Op::JumpIf {
                when: JumpIf::True,
                target: forward(arg)?,
            });
        }
        O::PopJumpForwardIfFalse | O::PopJumpIfFalse => {
            emit.op(Op::JumpIf {
                when: JumpIf::False,
                target: forward(arg)?,
            });
        }
        O::PopJumpForwardIfNone | O::PopJumpIfNone => {
            emit.op(Op::JumpIf {
                when: JumpIf::None,
                target: forward(arg)?,
            });
        }
        O::PopJumpForwardIfNotNone | O::PopJumpIfNotNone => {
            emit.op(Op::JumpIf {
                when: JumpIf::NotNone,
                target: forward(arg)?,
            });
        }
        O::PopJumpBackwardIfTrue => emit.op(Op::JumpIf {
            when: JumpIf::True,
            target: backward(arg)?,
        }),
        O::PopJumpBackwardIfFalse => emit.op(Op::JumpIf {
            when: JumpIf::False,
            target: backward(arg)?,
        }),
        O::PopJumpBackwardIfNone => emit.op(Op::JumpIf {
            when: JumpIf::None,
            target: backward(arg)?,
        }),
        O::PopJumpBackwardIfNotNone => emit.op(Op::JumpIf {
            when: JumpIf::NotNone,
            target: backward(arg)?,
        }),
        O::JumpIfTrueOrPop => emit.op(Op::JumpIfOrPop {
            when: true,
            target: forward(arg)?,
        }),
        O::JumpIfFalseOrPop => emit.op(Op::JumpIfOrPop {
            when: false,
            target: forward(arg)?,
        }),

        O::ReturnValue => emit.op(Op::Return),
        O::ReturnConst => {
            emit.op(Op::LoadConst(constant(arg)?));
            emit.op(Op::Return);
        }
        O::YieldValue => emit.op(Op::Yield),
        O::ReturnGenerator => emit.op(Op::ReturnGenerator),
        O::RaiseVarargs if arg <= 2 => emit.op(Op::Raise(arg)),
        O::RaiseVarargs => return Err(bad(Malformed::Operand)),
        O::Reraise => emit.op(Op::Reraise(arg)),
        O::PushExcInfo => emit.op(Op::PushExcInfo),
        O::PopExcept => emit.op(Op::PopExcept),
        O::CheckExcMatch => emit.op(Op::CheckExcMatch),
        O::WithExceptStart => emit.op(Op::WithExceptStart),
        O::Copy => emit.op(Op::Copy(arg)),
        O::Swap => emit.op(Op::Swap(arg)),
        // `read_units` folds EXTENDED_ARG; every other opcode was classified above.
        _ => return Err(bad(Malformed::Operand)),
    }
    Ok(())
}

/// A method lookup as a plain attribute and the null that says "no self".
fn load_method(name: u32, version: Version, emit: &mut Emit<'_>) {
    emit.op(Op::LoadAttr(name));
    emit.op(Op::LoadNull);
    if version <= Version::Py312 {
        emit.op(Op::Swap(2));
    }
}

/// The conversion of a field of an f-string: 1 is `!s`, 2 is `!r`, 3 is `!a`.
fn conversion(opcode: Opcode, number: u32) -> Op {
    match number {
        1 => Op::Convert { repr: false },
        2 => Op::Convert { repr: true },
        _ => Op::Unsupported {
            opcode,
            reason: Unsupported::AsciiConversion,
        },
    }
}

/// LOAD_SPECIAL pushes the function and self; bound, it is one value and a null.
fn load_special(special: Special, emit: &mut Emit<'_>) {
    emit.op(Op::LoadSpecial(special));
    emit.op(Op::LoadNull);
}

impl Bytecode<'_> {
    /// The constant of a `LoadConst`; indices were checked when decoding.
    pub fn constant(&self, index: u32) -> &Const {
        &self.code.consts[index as usize]
    }
}
