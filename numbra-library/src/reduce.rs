//! Operators that combine partial results of parallel loops.

use crate::rows::ufuncs;
use crate::{Elementwise, Op};

/// An associative operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reduce {
    /// `x + y`
    Sum,
    /// `x * y`
    Product,
    /// `min(x, y)`
    Min,
    /// `max(x, y)`
    Max,
    /// `x & y`
    And,
    /// `x | y`
    Or,
    /// `x ^ y`
    Xor,
}

impl Reduce {
    /// All of them.
    pub const ALL: [Reduce; 7] = [
        Reduce::Sum,
        Reduce::Product,
        Reduce::Min,
        Reduce::Max,
        Reduce::And,
        Reduce::Or,
        Reduce::Xor,
    ];

    /// The operator that users write so.
    pub fn of_symbol(symbol: &str) -> Option<Reduce> {
        Reduce::ALL.into_iter().find(|one| one.symbol() == symbol)
    }

    /// As users write it.
    pub fn symbol(self) -> &'static str {
        match self {
            Reduce::Sum => "+",
            Reduce::Product => "*",
            Reduce::Min => "min",
            Reduce::Max => "max",
            Reduce::And => "&",
            Reduce::Or => "|",
            Reduce::Xor => "^",
        }
    }

    /// On two numbers.
    pub fn op(self) -> Op {
        match self {
            Reduce::Sum => Op::Add,
            Reduce::Product => Op::Mul,
            Reduce::Min => Op::Min,
            Reduce::Max => Op::Max,
            Reduce::And => Op::BitAnd,
            Reduce::Or => Op::BitOr,
            Reduce::Xor => Op::BitXor,
        }
    }

    /// On two arrays.
    pub fn ufunc(self) -> &'static Elementwise {
        match self {
            Reduce::Sum => &ufuncs::ADD,
            Reduce::Product => &ufuncs::MULTIPLY,
            Reduce::Min => &ufuncs::MINIMUM,
            Reduce::Max => &ufuncs::MAXIMUM,
            Reduce::And => &ufuncs::BITWISE_AND,
            Reduce::Or => &ufuncs::BITWISE_OR,
            Reduce::Xor => &ufuncs::BITWISE_XOR,
        }
    }
}
