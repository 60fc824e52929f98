//! Right-hand sides: Numba's `ir.Arg`, `Const`, `Global`, `FreeVar`, `Var`, `Expr`, `Yield`.

use crate::{Block, Const, ObjRef, Type, Var};
use serde::{Deserialize, Serialize};

/// What an assignment assigns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Rhs {
    /// `arg(n, name=x)`
    Arg(u32),
    /// `const(float, 0.5)`
    Const(Const),
    /// `global(name: object)`
    Global(ObjRef),
    /// `freevar(name: object)`; `index` is the closure cell.
    FreeVar {
        /// Cell number.
        index: u32,
        /// The object in the cell.
        obj: ObjRef,
    },
    /// A copy.
    Var(Var),
    /// An operation.
    Expr(Expr),
    /// `yield value`; `index` numbers the yield points from 1.
    Yield {
        /// The value handed out.
        value: Var,
        /// Resume point.
        index: u32,
    },
    /// Numba's `ir.UNDEFINED`: the variable has no value on this path.
    Undefined,
}

/// Numba's `ir.Expr` by its `op`.
#[allow(missing_docs, reason = "each variant's doc comment shows its fields")]
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Expr {
    /// `lhs op rhs`. `static_rhs` holds a constant right operand once `DetectStaticBinops` found one.
    BinOp {
        op: BinOp,
        lhs: Var,
        rhs: Var,
        static_rhs: Option<Const>,
    },
    /// `lhs op= rhs`: the in-place operator, else the binary one.
    InplaceBinOp {
        op: BinOp,
        lhs: Var,
        rhs: Var,
        static_rhs: Option<Const>,
    },
    /// `op value`
    Unary { op: UnaryOp, value: Var },
    /// `func(*args, **kws)`; `vararg` is the tuple after `*`.
    Call {
        func: Var,
        args: Vec<Var>,
        kws: Vec<(String, Var)>,
        vararg: Option<Var>,
    },
    /// `(a, b, ..)`
    BuildTuple(Vec<Var>),
    /// `[a, b, ..]`
    BuildList(Vec<Var>),
    /// `{a, b, ..}`
    BuildSet(Vec<Var>),
    /// `{k: v, ..}`
    BuildMap(Vec<(Var, Var)>),
    /// `slice(a, b[, c])` is a call of `builtins.slice`; this is string building for f-strings.
    BuildString(Vec<Var>),
    /// First of the pair that `IterNext` gives: the item.
    PairFirst(Var),
    /// Second of the pair that `IterNext` gives: was there an item.
    PairSecond(Var),
    /// `iter(value)`
    GetIter(Var),
    /// Advances an iterator: `pair<item, bool>`.
    IterNext(Var),
    /// A tuple of exactly `count` items of an iterable; raises ValueError otherwise.
    ExhaustIter { value: Var, count: u32 },
    /// `value.attr`
    GetAttr { value: Var, attr: String },
    /// `value[index]`
    GetItem { value: Var, index: Var },
    /// `value[constant]`; `index_var` holds the same constant where one exists.
    StaticGetItem {
        value: Var,
        index: Const,
        index_var: Option<Var>,
    },
    /// `value` as the type `to`, or as the function's return type when `None`.
    Cast { value: Var, to: Option<Type> },
    /// SSA phi: one incoming variable per predecessor. `None` is Numba's `ir.UNDEFINED`.
    Phi(Vec<(Block, Option<Var>)>),
    /// A nested function or lambda; `code` indexes the function's table of code objects.
    MakeFunction {
        name: String,
        code: ObjRef,
        closure: Vec<Var>,
        defaults: Vec<Var>,
        kwdefaults: Vec<(String, Var)>,
    },
    /// True if the pending exception matches the class in `class`.
    ExceptionMatch { class: Option<Var> },
    /// No value: the NULL that some call sequences push.
    Null,
}

/// Python's binary operators and comparisons, by `operator` module name.
#[allow(
    missing_docs,
    reason = "the names are those of Python's operator module"
)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    MatMul,
    TrueDiv,
    FloorDiv,
    Mod,
    Pow,
    LShift,
    RShift,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    /// `lhs in rhs`, which is `operator.contains(rhs, lhs)`.
    In,
    /// `lhs not in rhs`
    NotIn,
}

impl BinOp {
    /// All of them, in declaration order.
    pub const ALL: [BinOp; 23] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::MatMul,
        BinOp::TrueDiv,
        BinOp::FloorDiv,
        BinOp::Mod,
        BinOp::Pow,
        BinOp::LShift,
        BinOp::RShift,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Eq,
        BinOp::Ne,
        BinOp::Lt,
        BinOp::Le,
        BinOp::Gt,
        BinOp::Ge,
        BinOp::Is,
        BinOp::IsNot,
        BinOp::In,
        BinOp::NotIn,
    ];

    /// The source text: `+`, `is not`, ...
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::MatMul => "@",
            BinOp::TrueDiv => "/",
            BinOp::FloorDiv => "//",
            BinOp::Mod => "%",
            BinOp::Pow => "**",
            BinOp::LShift => "<<",
            BinOp::RShift => ">>",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Is => "is",
            BinOp::IsNot => "is not",
            BinOp::In => "in",
            BinOp::NotIn => "not in",
        }
    }

    /// The name in Python's `operator` module: `add`, `is_not`, `contains`.
    pub fn operator_name(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::MatMul => "matmul",
            BinOp::TrueDiv => "truediv",
            BinOp::FloorDiv => "floordiv",
            BinOp::Mod => "mod",
            BinOp::Pow => "pow",
            BinOp::LShift => "lshift",
            BinOp::RShift => "rshift",
            BinOp::And => "and_",
            BinOp::Or => "or_",
            BinOp::Xor => "xor",
            BinOp::Eq => "eq",
            BinOp::Ne => "ne",
            BinOp::Lt => "lt",
            BinOp::Le => "le",
            BinOp::Gt => "gt",
            BinOp::Ge => "ge",
            BinOp::Is => "is_",
            BinOp::IsNot => "is_not",
            BinOp::In => "contains",
            BinOp::NotIn => "not_contains",
        }
    }

    /// The in-place name in `operator` (`iadd`), for the operators that have one.
    pub fn inplace_name(self) -> Option<&'static str> {
        Some(match self {
            BinOp::Add => "iadd",
            BinOp::Sub => "isub",
            BinOp::Mul => "imul",
            BinOp::MatMul => "imatmul",
            BinOp::TrueDiv => "itruediv",
            BinOp::FloorDiv => "ifloordiv",
            BinOp::Mod => "imod",
            BinOp::Pow => "ipow",
            BinOp::LShift => "ilshift",
            BinOp::RShift => "irshift",
            BinOp::And => "iand",
            BinOp::Or => "ior",
            BinOp::Xor => "ixor",
            BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Is
            | BinOp::IsNot
            | BinOp::In
            | BinOp::NotIn => return None,
        })
    }

    /// True for `== != < <= > >=`.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
        )
    }
}

/// Python's unary operators.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `+x`
    Pos,
    /// `~x`
    Invert,
    /// `not x`
    Not,
}

impl UnaryOp {
    /// All of them.
    pub const ALL: [UnaryOp; 4] = [UnaryOp::Neg, UnaryOp::Pos, UnaryOp::Invert, UnaryOp::Not];

    /// The source text.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Pos => "+",
            UnaryOp::Invert => "~",
            UnaryOp::Not => "not",
        }
    }

    /// The name in Python's `operator` module.
    pub fn operator_name(self) -> &'static str {
        match self {
            UnaryOp::Neg => "neg",
            UnaryOp::Pos => "pos",
            UnaryOp::Invert => "invert",
            UnaryOp::Not => "not_",
        }
    }
}
