//! The algebra of types: which converts to which at what cost, what two unify to, and NumPy's promotion.
//!
//! Everything here follows Numba 0.68.1 as measured; the tests compare with tables taken from it.
//! Rules of types written in Python come in through [`ExtRules`].

mod conversion;
mod promotion;
mod rating;
mod unify;

#[cfg(test)]
mod tests;

pub(crate) use conversion::Lattice;
pub use conversion::{Conversion, ExtRules, NoExt, can_convert, can_convert_with, is_stored_as};
pub use promotion::{
    Operand, Promotion, can_cast_safe, can_cast_same_kind, operand, result_type, ufunc_can_cast,
    weak_result_type,
};
pub use rating::{Rating, rate};
pub use unify::{unify, unify_all, unify_with};
