//! The symbol table.

use crate::bodies::NativeBody;
use crate::{
    concatenate, cumulate, extremes, hash, interrupt, moments, numpy, random, reduce, text,
};
use numbra_abi::INTERRUPT_WORD;
use std::sync::LazyLock;

/// All functions of `numbra_abi::NATIVES`.
mod natives {
    pub(super) use crate::{
        chars::*, complex::*, device::*, dict::*, error::*, half::*, handled::*, int128::*,
        interrupt::*, kept::*, lines::*, list::*, object::*, object_mode::*, parallel::*, print::*,
        random::*, round::*, set::*, stack::*,
    };
}

/// A symbol and its address.
type Row = (&'static str, *const u8);

macro_rules! addresses {
    ($(
        $(#[$doc:meta])*
        $id:ident = $symbol:ident($($param:ident),*) $(-> $ret:ident)?, $effects:ident $(, $keeps:ident)?;
    )*) => {
        /// The functions of `numbra_abi::NATIVES`, in its order: sorted by name.
        const SYMBOLS: &[Row] = &[$((stringify!($symbol), natives::$symbol as *const u8),)*];
    };
}

numbra_abi::with_natives!(addresses);

/// Tables of native bodies.
const TABLES: &[&[&[NativeBody]]] = &[
    numpy::TABLES,
    random::TABLES,
    text::TABLES,
    &[
        concatenate::BODIES,
        cumulate::BODIES,
        extremes::BODIES,
        hash::BODIES,
        moments::BODIES,
        reduce::BODIES,
    ],
];

/// All native bodies, sorted by name.
static BODIES: LazyLock<Vec<NativeBody>> = LazyLock::new(|| {
    let tables = TABLES.iter().copied().flatten();
    let mut bodies: Vec<NativeBody> = tables.copied().flatten().copied().collect();
    bodies.sort_unstable_by_key(|body| body.0);
    bodies
});

/// The address of a symbol of `numbra_abi::NATIVES`, of a native body, of numbra-math, or of the interrupt word.
pub fn symbol(name: &str) -> Option<*const u8> {
    let native = || {
        let at = SYMBOLS.binary_search_by(|row| row.0.cmp(name)).ok()?;
        Some(SYMBOLS[at].1)
    };
    let body = || {
        let at = BODIES.binary_search_by(|row| row.0.cmp(name)).ok()?;
        Some(BODIES[at].1 as *const u8)
    };
    native()
        .or_else(body)
        .or_else(|| numbra_math::symbol(name))
        .or_else(|| (name == INTERRUPT_WORD).then(|| interrupt::WORD.as_ptr().cast_const().cast()))
}

/// All symbols but those of numbra-math.
pub fn symbol_names() -> impl Iterator<Item = &'static str> {
    let natives = SYMBOLS.iter().map(|row| row.0);
    natives.chain(BODIES.iter().map(|row| row.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_abi::NATIVE_BODY_PREFIX;

    #[test]
    fn bodies_have_names_of_their_own() {
        let names: Vec<&str> = BODIES.iter().map(|body| body.0).collect();
        assert!(
            names
                .iter()
                .all(|name| name.starts_with(NATIVE_BODY_PREFIX))
        );
        assert!(names.windows(2).all(|two| two[0] < two[1]));
    }

    #[test]
    fn symbols_are_found_by_name() {
        assert!(symbol_names().all(|name| symbol(name).is_some()));
        assert_eq!(symbol("numbra_rt_nothing"), None);
    }
}
