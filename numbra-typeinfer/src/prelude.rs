//! Prelude functions of the library as IR.

use numbra_ir::{Func, Types};

/// The function of this name, before any pass that needs argument types; `None` if there is none.
pub(crate) fn function(name: &str, types: &Types) -> Option<Func> {
    let _ = (name, types);
    None
}
