//! How well actual argument types fit formal parameters.

use super::conversion::{Conversion, ExtRules, can_convert_with};
use crate::{Type, Types};

/// The cost of a whole call: how many arguments need each conversion. Smaller is better.
// ORDER: compared field by field, worst conversion first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rating {
    /// Arguments that may lose their value.
    pub unsafes: u32,
    /// Arguments that change kind.
    pub safe: u32,
    /// Arguments that widen.
    pub promote: u32,
}

impl Rating {
    /// Counts one more conversion.
    pub fn add(&mut self, conversion: Conversion) {
        match conversion {
            Conversion::Exact => {}
            Conversion::Promote => self.promote += 1,
            Conversion::Safe => self.safe += 1,
            Conversion::Unsafe => self.unsafes += 1,
        }
    }
}

/// Rates `actual` against `formal`; `None` if the counts differ or an argument does not convert.
pub fn rate(types: &Types, ext: &dyn ExtRules, actual: &[Type], formal: &[Type]) -> Option<Rating> {
    if actual.len() != formal.len() {
        return None;
    }
    let mut rating = Rating::default();
    for (from, to) in actual.iter().zip(formal) {
        rating.add(can_convert_with(types, ext, *from, *to)?);
    }
    Some(rating)
}
