//! Which opcodes are in the language, and why the others are not.

use super::Opcode;
use serde::{Deserialize, Serialize};

/// What the decoder does with an opcode. For opcodes with sub-operations (CALL_INTRINSIC_1,
/// LOAD_COMMON_CONSTANT, LOAD_SPECIAL, FORMAT_*) the operand may still be unsupported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Supported,
    Unsupported(Unsupported),
}

/// The named reason why a construct is outside the language.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Unsupported {
    Async,
    YieldFrom,
    ClassDefinition,
    Import,
    GlobalWrite,
    ModuleNamespace,
    ExceptionGroup,
    AsciiConversion,
    TemplateString,
    Super,
    TypeParameters,
    DeleteCell,
    Annotations,
    InteractivePrint,
    /// An opcode that only the interpreter itself, a tracer or the JIT puts into running code.
    InterpreterInternal,
}

impl Unsupported {
    /// Every reason.
    pub const ALL: &[Unsupported] = &[
        Unsupported::Async,
        Unsupported::YieldFrom,
        Unsupported::ClassDefinition,
        Unsupported::Import,
        Unsupported::GlobalWrite,
        Unsupported::ModuleNamespace,
        Unsupported::ExceptionGroup,
        Unsupported::AsciiConversion,
        Unsupported::TemplateString,
        Unsupported::Super,
        Unsupported::TypeParameters,
        Unsupported::DeleteCell,
        Unsupported::Annotations,
        Unsupported::InteractivePrint,
        Unsupported::InterpreterInternal,
    ];

    /// What is wrong, in Python's words.
    pub fn message(self) -> &'static str {
        match self {
            Unsupported::Async => "`await`, `async for` and `async with` are not supported",
            Unsupported::YieldFrom => "`yield from` is not supported",
            Unsupported::ClassDefinition => "a class cannot be defined inside a compiled function",
            Unsupported::Import => "`import` inside a compiled function is not supported",
            Unsupported::GlobalWrite => "a compiled function cannot assign or delete a global",
            Unsupported::ModuleNamespace => "code of a module or class body cannot be compiled",
            Unsupported::ExceptionGroup => "`except*` is not supported",
            Unsupported::AsciiConversion => "the conversion `!a` in f-strings is not supported",
            Unsupported::TemplateString => "t-strings are not supported",
            Unsupported::Super => "`super()` is not supported",
            Unsupported::TypeParameters => "type parameters and type aliases are not supported",
            Unsupported::DeleteCell => "`del` of a variable that a closure uses is not supported",
            Unsupported::Annotations => "annotations of a module or class body cannot be compiled",
            Unsupported::InteractivePrint => "the interactive prompt's code cannot be compiled",
            Unsupported::InterpreterInternal => "an opcode of the interpreter's own is in the code",
        }
    }

    /// What to write instead.
    pub fn help(self) -> &'static str {
        match self {
            Unsupported::Async => "compile the synchronous part as a function and await around it",
            Unsupported::YieldFrom => "write `for x in iterable: yield x`",
            Unsupported::ClassDefinition => {
                "define the class outside, with `@jitclass` if compiled code uses it"
            }
            Unsupported::Import => {
                "import at the top of the module; compiled code sees module globals"
            }
            Unsupported::GlobalWrite => {
                "return the value and assign it in Python, or pass a one-element array"
            }
            Unsupported::ModuleNamespace => "put the code into a function",
            Unsupported::ExceptionGroup => "use `except Exception:`",
            Unsupported::AsciiConversion => "use `{x!r}`",
            Unsupported::TemplateString => "use an f-string with plain `{x}` fields",
            Unsupported::Super => "call the other class's function by name",
            Unsupported::TypeParameters => "drop them; types are inferred",
            Unsupported::DeleteCell => "leave the variable alone; it ends with the function",
            Unsupported::Annotations => "put the code into a function",
            Unsupported::InteractivePrint => "put the code into a function",
            Unsupported::InterpreterInternal => {
                "pass `function.__code__`, not a code object edited by a tracer"
            }
        }
    }

    /// The first words of Numba's error for it.
    pub fn numba_phrase(self, opcode: Opcode) -> String {
        match self {
            Unsupported::AsciiConversion => "format spec in f-strings not supported yet".to_owned(),
            // 3.15 has no opcode of its own for it.
            Unsupported::YieldFrom => unsupported_opcode(Opcode::GetYieldFromIter),
            _ => unsupported_opcode(opcode),
        }
    }
}

fn unsupported_opcode(opcode: Opcode) -> String {
    format!("Use of unsupported opcode ({}) found", opcode.name())
}

impl Opcode {
    /// Whether this opcode is in the language. No `_`: a new opcode must be classified.
    pub fn class(self) -> Class {
        use Opcode::*;
        match self {
            BeforeWith
            | BinaryOp
            | BinarySlice
            | BinarySubscr
            | BuildConstKeyMap
            | BuildList
            | BuildMap
            | BuildSet
            | BuildSlice
            | BuildString
            | BuildTuple
            | Cache
            | Call
            | CallFunctionEx
            | CallIntrinsic1
            | CallKw
            | CheckExcMatch
            | CompareOp
            | ContainsOp
            | ConvertValue
            | Copy
            | CopyFreeVars
            | DeleteAttr
            | DeleteFast
            | DeleteSubscr
            | DictMerge
            | DictUpdate
            | EndFor
            | ExtendedArg
            | FormatSimple
            | FormatValue
            | FormatWithSpec
            | ForIter
            | GetIter
            | IsOp
            | JumpBackward
            | JumpBackwardNoInterrupt
            | JumpForward
            | JumpIfFalseOrPop
            | JumpIfTrueOrPop
            | KwNames
            | ListAppend
            | ListExtend
            | ListToTuple
            | LoadAssertionError
            | LoadAttr
            | LoadClosure
            | LoadCommonConstant
            | LoadConst
            | LoadDeref
            | LoadFast
            | LoadFastAndClear
            | LoadFastBorrow
            | LoadFastBorrowLoadFastBorrow
            | LoadFastCheck
            | LoadFastLoadFast
            | LoadGlobal
            | LoadMethod
            | LoadSmallInt
            | LoadSpecial
            | MakeCell
            | MakeFunction
            | MapAdd
            | Nop
            | NotTaken
            | PopExcept
            | PopIter
            | PopJumpBackwardIfFalse
            | PopJumpBackwardIfNone
            | PopJumpBackwardIfNotNone
            | PopJumpBackwardIfTrue
            | PopJumpForwardIfFalse
            | PopJumpForwardIfNone
            | PopJumpForwardIfNotNone
            | PopJumpForwardIfTrue
            | PopJumpIfFalse
            | PopJumpIfNone
            | PopJumpIfNotNone
            | PopJumpIfTrue
            | PopTop
            | Precall
            | PushExcInfo
            | PushNull
            | RaiseVarargs
            | Reraise
            | Resume
            | ReturnConst
            | ReturnGenerator
            | ReturnValue
            | SetAdd
            | SetFunctionAttribute
            | SetUpdate
            | StoreAttr
            | StoreDeref
            | StoreFast
            | StoreFastLoadFast
            | StoreFastStoreFast
            | StoreSlice
            | StoreSubscr
            | Swap
            | ToBool
            | UnaryInvert
            | UnaryNegative
            | UnaryNot
            | UnaryPositive
            | MatchSequence
            | MatchMapping
            | MatchKeys
            | GetLen
            | MatchClass
            | UnpackEx
            | UnpackSequence
            | WithExceptStart
            | YieldValue => Class::Supported,

            AsyncGenWrap | BeforeAsyncWith | EndAsyncFor | GetAiter | GetAnext | GetAwaitable
            | CleanupThrow => Class::Unsupported(Unsupported::Async),
            GetYieldFromIter | Send | EndSend => Class::Unsupported(Unsupported::YieldFrom),
            LoadBuildClass => Class::Unsupported(Unsupported::ClassDefinition),
            ImportName | ImportFrom | ImportStar => Class::Unsupported(Unsupported::Import),
            StoreGlobal | DeleteGlobal => Class::Unsupported(Unsupported::GlobalWrite),
            LoadName
            | StoreName
            | DeleteName
            | LoadLocals
            | LoadClassderef
            | LoadFromDictOrDeref
            | LoadFromDictOrGlobals => Class::Unsupported(Unsupported::ModuleNamespace),
            CheckEgMatch | PrepReraiseStar => Class::Unsupported(Unsupported::ExceptionGroup),
            BuildTemplate | BuildInterpolation => Class::Unsupported(Unsupported::TemplateString),
            LoadSuperAttr => Class::Unsupported(Unsupported::Super),
            // Its operations are type parameters and the re-raise of `except*`.
            CallIntrinsic2 => Class::Unsupported(Unsupported::TypeParameters),
            DeleteDeref => Class::Unsupported(Unsupported::DeleteCell),
            SetupAnnotations => Class::Unsupported(Unsupported::Annotations),
            PrintExpr => Class::Unsupported(Unsupported::InteractivePrint),
            EnterExecutor
            | ExitInitCheck
            | InstrumentedInstruction
            | InstrumentedLine
            | InterpreterExit
            | Reserved
            | TraceRecord => Class::Unsupported(Unsupported::InterpreterInternal),
        }
    }
}
