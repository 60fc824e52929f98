//! What can be wrong with a code object.

use crate::object_block::ObjectBlockError;
use crate::opcode::{Opcode, Unsupported};
use numbra_base::{Diagnostic, ErrorClass, Span};
use std::fmt;

/// Why a code object cannot be turned into instructions, a CFG or a DFG.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No opcode table for this interpreter.
    Version(u8, u8),
    /// The bytes are not what CPython's compiler writes.
    Malformed { offset: u32, what: Malformed },
    /// A construct outside the language.
    Unsupported {
        offset: u32,
        span: Span,
        opcode: Opcode,
        reason: Unsupported,
    },
    /// The body of a `with objmode` statement that cannot run in the interpreter.
    ObjectBlock { span: Span, what: ObjectBlockError },
    /// A resource bound was reached; `limit` names it.
    TooComplex { limit: &'static str },
}

/// A defect of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// `co_code` has an odd length or is empty.
    OddLength,
    UnknownOpcode(u8),
    /// More than three EXTENDED_ARG prefixes, or one before nothing.
    ExtendedArg,
    TruncatedCaches,
    JumpTarget,
    /// Operand out of the range of the table it indexes.
    Index(&'static str),
    Operand,
    StackUnderflow,
    /// Deeper than `co_stacksize`.
    StackOverflow,
    /// Two paths reach a block with different stacks.
    StackMismatch,
    /// A null, saved local or exception marker where a value is needed, or the other way round.
    StackKind,
    /// Execution runs past the last instruction.
    FallsOffEnd,
    ExceptionTable,
    KeywordNames,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::OddLength => f.write_str("code is empty or has an odd length"),
            Malformed::UnknownOpcode(byte) => write!(f, "unknown opcode {byte}"),
            Malformed::ExtendedArg => f.write_str("misplaced EXTENDED_ARG"),
            Malformed::TruncatedCaches => f.write_str("inline caches are cut off"),
            Malformed::JumpTarget => f.write_str("jump target is not an instruction"),
            Malformed::Index(table) => write!(f, "operand out of range of {table}"),
            Malformed::Operand => f.write_str("operand without a meaning"),
            Malformed::StackUnderflow => f.write_str("stack underflow"),
            Malformed::StackOverflow => f.write_str("stack deeper than co_stacksize"),
            Malformed::StackMismatch => f.write_str("paths join with different stacks"),
            Malformed::StackKind => f.write_str("wrong kind of stack item"),
            Malformed::FallsOffEnd => f.write_str("execution runs past the last instruction"),
            Malformed::ExceptionTable => f.write_str("bad exception table"),
            Malformed::KeywordNames => f.write_str("keyword names do not fit the call"),
        }
    }
}

impl Error {
    pub(crate) fn malformed(offset: u32, what: Malformed) -> Error {
        Error::Malformed { offset, what }
    }

    /// The error as a diagnostic; `filename` completes Numba's phrase ("... Raised from file (line)").
    pub fn to_diagnostic(&self, filename: &str) -> Diagnostic {
        match self {
            Error::Version(major, minor) => Diagnostic::error(
                "B001",
                ErrorClass::UnsupportedBytecodeError,
                format!("code objects of Python {major}.{minor} are not supported"),
                Span::NONE,
            )
            .with_help("use CPython 3.11, 3.12, 3.13, 3.14 or 3.15"),
            Error::Malformed { offset, what } => Diagnostic::error(
                "B002",
                ErrorClass::UnsupportedBytecodeError,
                format!("malformed bytecode at offset {offset}: {what}"),
                Span::NONE,
            )
            .with_note("CPython's compiler does not write this; was the code object edited?"),
            Error::Unsupported {
                span,
                opcode,
                reason,
                ..
            } => {
                let phrase = reason.numba_phrase(*opcode);
                Diagnostic::error(
                    "B003",
                    ErrorClass::UnsupportedBytecodeError,
                    reason.message(),
                    *span,
                )
                .with_label(format!("compiled to {}", opcode.name()))
                .with_help(reason.help())
                .with_numba_phrase(format!("{phrase}. Raised from {filename} ({})", span.line))
            }
            Error::ObjectBlock { span, what } => {
                let class = if what.is_typing() {
                    ErrorClass::TypingError
                } else {
                    ErrorClass::CompilerError
                };
                Diagnostic::error("B006", class, what.to_string(), *span)
                    .with_help(what.help())
                    .with_numba_phrase(what.numba_phrase())
            }
            Error::TooComplex { limit } => Diagnostic::error(
                "B004",
                ErrorClass::UnsupportedBytecodeError,
                format!("function too large: {limit}"),
                Span::NONE,
            )
            .with_help("split the function"),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Version(major, minor) => write!(f, "no opcode table for Python {major}.{minor}"),
            Error::Malformed { offset, what } => {
                write!(f, "malformed bytecode at offset {offset}: {what}")
            }
            Error::Unsupported {
                offset,
                opcode,
                reason,
                ..
            } => {
                write!(
                    f,
                    "unsupported {} at offset {offset}: {}",
                    opcode.name(),
                    reason.message()
                )
            }
            Error::ObjectBlock { what, .. } => what.fmt(f),
            Error::TooComplex { limit } => write!(f, "function too large: {limit}"),
        }
    }
}

impl std::error::Error for Error {}
