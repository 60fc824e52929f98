//! The canonical text of a plan, printed and read, and its dump.
//!
//! ```text
//! plan fn0 ; f
//! loop bb1 over $3: parallel
//!   item $6, from bb2 to bb3
//!   body bb2, bb4
//!   carries s.2: reduction +
//!   carries m.2: nan_reset max
//!   private h: reduction +
//!   flags m.2
//!   resets m.1 after m.2
//!   hazard overlap "y" @ 3:4-3:9 ; the elements of `y` that its iterations use overlap
//! loop bb5 over $9: serial loop_carried "t" ; `t` carries a value from one iteration to the next
//!   item $12, from bb6 to bb7
//! ```
//!
//! A plan names functions, blocks and variables of its program: it is printed and read beside it. One fact a line; indentation
//! and blank lines mean nothing; `;` starts a comment. `no_nans` after a function says that no float in it is NaN.
//!
//! Law: `read_plan(print_plan(p)) == p` for every plan that [`crate::verify`] accepts.

mod dump;
mod parse;
mod print;

pub use dump::{from_json, to_json};
pub use parse::read_plan;
pub use print::print_plan;

/// Operators in dumps are what users write.
pub(crate) mod operator {
    use numbra_library::Reduce;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(reduce: &Reduce, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(reduce.symbol())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Reduce, D::Error> {
        let symbol = String::deserialize(from)?;
        Reduce::of_symbol(&symbol)
            .ok_or_else(|| D::Error::custom(format!("`{symbol}` is no operator of a reduction")))
    }
}
