//! Why a file of the cache is not read.

use numbra_lir::artifact::sealed::Unsealed;
use std::fmt;

/// Why bytes are not a file of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage(pub &'static str);

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Damage {}

impl From<Unsealed> for Damage {
    fn from(why: Unsealed) -> Damage {
        Damage(match why {
            Unsealed::CutShort => "it is cut short",
            Unsealed::OtherKind => "it is no file of the cache",
            Unsealed::Version(_) => "it is of another version",
            Unsealed::Damaged(_) => "it is damaged",
        })
    }
}
