//! Version-neutral instructions.

use crate::code::Const;
use crate::opcode::{Opcode, Unsupported, Version};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Binary operators, of `a op b` and `a op= b`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    Add,
    And,
    FloorDivide,
    LShift,
    MatMul,
    Multiply,
    Remainder,
    Or,
    Power,
    RShift,
    Subtract,
    TrueDivide,
    Xor,
}

impl BinaryOp {
    // ORDER: CPython's NB_* numbers.
    pub(crate) const TABLE: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::And,
        BinaryOp::FloorDivide,
        BinaryOp::LShift,
        BinaryOp::MatMul,
        BinaryOp::Multiply,
        BinaryOp::Remainder,
        BinaryOp::Or,
        BinaryOp::Power,
        BinaryOp::RShift,
        BinaryOp::Subtract,
        BinaryOp::TrueDivide,
        BinaryOp::Xor,
    ];

    /// The source text.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::And => "&",
            BinaryOp::FloorDivide => "//",
            BinaryOp::LShift => "<<",
            BinaryOp::MatMul => "@",
            BinaryOp::Multiply => "*",
            BinaryOp::Remainder => "%",
            BinaryOp::Or => "|",
            BinaryOp::Power => "**",
            BinaryOp::RShift => ">>",
            BinaryOp::Subtract => "-",
            BinaryOp::TrueDivide => "/",
            BinaryOp::Xor => "^",
        }
    }
}

/// Comparison operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CompareOp {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
}

impl CompareOp {
    // ORDER: CPython's `dis.cmp_op`.
    pub(crate) const TABLE: [CompareOp; 6] = [
        CompareOp::Lt,
        CompareOp::Le,
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Gt,
        CompareOp::Ge,
    ];

    /// The source text.
    pub fn symbol(self) -> &'static str {
        match self {
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    Negative,
    Positive,
    Invert,
    Not,
}

impl UnaryOp {
    /// The source text.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negative => "-",
            UnaryOp::Positive => "+",
            UnaryOp::Invert => "~",
            UnaryOp::Not => "not",
        }
    }
}

/// Builtins that the compiler refers to without a name lookup.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Builtin {
    AssertionError,
    NotImplementedError,
    Tuple,
    All,
    Any,
    List,
    Set,
}

impl Builtin {
    /// The name in module `builtins`.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::AssertionError => "AssertionError",
            Builtin::NotImplementedError => "NotImplementedError",
            Builtin::Tuple => "tuple",
            Builtin::All => "all",
            Builtin::Any => "any",
            Builtin::List => "list",
            Builtin::Set => "set",
        }
    }
}

/// Constants that an instruction holds itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Literal {
    None,
    Bool(bool),
    Int(i64),
    EmptyStr,
}

impl From<Literal> for Const {
    fn from(literal: Literal) -> Const {
        match literal {
            Literal::None => Const::None,
            Literal::Bool(value) => Const::Bool(value),
            Literal::Int(value) => Const::Int(value),
            Literal::EmptyStr => Const::Str(String::new()),
        }
    }
}

/// What LOAD_COMMON_CONSTANT gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Common {
    Builtin(Builtin),
    Literal(Literal),
}

impl Common {
    // ORDER: CPython's `opcode._common_constants`.
    const TABLE: [Common; 12] = [
        Common::Builtin(Builtin::AssertionError),
        Common::Builtin(Builtin::NotImplementedError),
        Common::Builtin(Builtin::Tuple),
        Common::Builtin(Builtin::All),
        Common::Builtin(Builtin::Any),
        Common::Builtin(Builtin::List),
        Common::Builtin(Builtin::Set),
        Common::Literal(Literal::None),
        Common::Literal(Literal::EmptyStr),
        Common::Literal(Literal::Bool(true)),
        Common::Literal(Literal::Bool(false)),
        Common::Literal(Literal::Int(-1)),
    ];

    /// What a version knows, by operand.
    fn table(version: Version) -> &'static [Common] {
        let known = match version {
            Version::Py311 | Version::Py312 | Version::Py313 => 0,
            Version::Py314 => 5,
            Version::Py315 => Common::TABLE.len(),
        };
        &Common::TABLE[..known]
    }

    /// By operand.
    pub(crate) fn new(arg: u32, version: Version) -> Option<Common> {
        Common::table(version).get(arg as usize).copied()
    }

    /// The operand that gives a literal.
    pub(crate) fn operand(literal: Literal, version: Version) -> Option<u32> {
        let mut known = (0..).zip(Common::table(version));
        let found = known.find(|(_, common)| **common == Common::Literal(literal));
        found.map(|(operand, _)| operand)
    }
}

/// Methods of the context manager protocol, looked up on the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Special {
    Enter,
    Exit,
}

impl Special {
    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Special::Enter => "__enter__",
            Special::Exit => "__exit__",
        }
    }
}

/// When a conditional jump is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum JumpIf {
    True,
    False,
    None,
    NotNone,
}

/// What stands on the stack around a `for` loop's next item.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum LoopForm {
    /// 3.11: the exhausted iterator is popped.
    Popped,
    /// 3.12 to 3.14: the exhausted iterator stays, below a null.
    Kept,
    /// 3.15: the same, and between iterator and item there is a place for the interpreter's own counter: a null in code
    /// that it has not started.
    Counted,
}

bitflags::bitflags! {
    /// What MAKE_FUNCTION or SET_FUNCTION_ATTRIBUTE attaches.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct FunctionParts: u32 {
        const DEFAULTS = 1;
        const KWDEFAULTS = 2;
        const ANNOTATIONS = 4;
        const CLOSURE = 8;
        /// 3.14: a function that computes the annotations.
        const ANNOTATE = 16;
    }
}

/// One operation on the operand stack. Indices are into the tables of the code object; stack positions count
/// from the top, 1 being the top. Local variables are indices into `varnames ++ cells that are no local ++ freevars`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Nop,
    LoadConst(u32),
    LoadLiteral(Literal),
    LoadNull,
    LoadBuiltin(Builtin),
    LoadLocal(u32),
    /// Pushes the value or "unbound" and unbinds the variable, at the start of an inlined comprehension.
    LoadLocalAndClear(u32),
    StoreLocal(u32),
    DeleteLocal(u32),
    /// The cell object itself, for a closure.
    LoadCell(u32),
    /// `names` index.
    LoadGlobal(u32),
    LoadAttr(u32),
    StoreAttr(u32),
    DeleteAttr(u32),
    LoadSpecial(Special),
    Binary {
        op: BinaryOp,
        inplace: bool,
    },
    Unary(UnaryOp),
    Compare(CompareOp),
    Is {
        invert: bool,
    },
    Contains {
        invert: bool,
    },
    Subscr,
    StoreSubscr,
    DeleteSubscr,
    BuildTuple(u32),
    BuildList(u32),
    BuildSet(u32),
    /// Number of key-value pairs.
    BuildMap(u32),
    BuildConstKeyMap(u32),
    /// 2 or 3 parts.
    BuildSlice(u32),
    BuildString(u32),
    ListAppend(u32),
    ListExtend(u32),
    SetAdd(u32),
    SetUpdate(u32),
    MapAdd(u32),
    DictUpdate(u32),
    DictMerge(u32),
    ListToTuple,
    /// `format(x)` of a field of an f-string; with `spec` `format(x, spec)`.
    Format {
        spec: bool,
    },
    /// `str(x)`, or `repr(x)`, of a field with a conversion.
    Convert {
        repr: bool,
    },
    Unpack(u32),
    /// `before` items, a list, `after` items.
    UnpackStar {
        before: u32,
        after: u32,
    },
    /// Pushes the length of what is on top, which stays.
    GetLen,
    /// Pushes whether what is on top, which stays, is a sequence to sequence patterns.
    MatchSequence,
    /// Pushes whether what is on top, which stays, is a mapping to mapping patterns.
    MatchMapping,
    /// Subject, then a tuple of keys, which both stay; pushes a tuple of the values, or `None` unless all keys are there.
    MatchKeys,
    /// Subject, class, and a tuple of attribute names; pushes a tuple of this many positional attributes and those
    /// named, or `None`.
    MatchClass(u32),
    /// The code object is on top, then the parts, last flag topmost.
    MakeFunction(FunctionParts),
    SetFunctionAttribute(FunctionParts),
    /// `consts` index of the keyword names of the next call.
    KwNames(u32),
    Call(u32),
    /// Keyword names are on top of the stack.
    CallKw(u32),
    CallEx {
        kwargs: bool,
    },
    GetIter,
    /// Falls through with the next item; jumps when exhausted.
    ForIter {
        target: u32,
        form: LoopForm,
    },
    Jump(u32),
    JumpIf {
        when: JumpIf,
        target: u32,
    },
    /// 3.11: jumps with the value kept, or pops it.
    JumpIfOrPop {
        when: bool,
        target: u32,
    },
    Return,
    Yield,
    /// 0: re-raise, 1: exception, 2: exception and cause.
    Raise(u32),
    Reraise(u32),
    PushExcInfo,
    PopExcept,
    CheckExcMatch,
    BeforeWith,
    WithExceptStart,
    /// End of the handler around a generator's body.
    StopIterationError,
    /// First instruction of a generator; the value it pushes is popped at once.
    ReturnGenerator,
    PopTop,
    Copy(u32),
    Swap(u32),
    Unsupported {
        opcode: Opcode,
        reason: Unsupported,
    },
}

impl Op {
    /// The jump target, if the instruction has one.
    pub fn target(&self) -> Option<u32> {
        match *self {
            Op::Jump(target)
            | Op::JumpIf { target, .. }
            | Op::JumpIfOrPop { target, .. }
            | Op::ForIter { target, .. } => Some(target),
            _ => None,
        }
    }

    /// True if the next instruction is not reached from this one.
    pub fn ends_flow(&self) -> bool {
        matches!(
            self,
            Op::Jump(_) | Op::Return | Op::Raise(_) | Op::Reraise(_) | Op::Unsupported { .. }
        )
    }
}

/// The name with its operand, as in `Binary { op: Add, inplace: false }`.
impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Unsupported { opcode, reason } => {
                write!(f, "Unsupported {} ({reason:?})", opcode.name())
            }
            _ => write!(f, "{self:?}"),
        }
    }
}
