//! The process-wide compiler session of this extension module.

use numbra_driver::Session;
use numbra_ir::Type;
use std::sync::OnceLock;

/// The Session; made on first use.
pub(crate) fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        let session = Session::new();
        session.set_second_generator(crate::llvm::load);
        session
    })
}

/// A type as the word that entry wrappers hand to the helpers. The compilation of a wrapper holds its types.
pub(crate) fn type_code(ty: Type) -> u64 {
    u64::from(ty.index())
}

/// The type behind a word that [`type_code`] made.
pub(crate) fn type_of_code(code: u64) -> Type {
    Type::from_index(u32::try_from(code).expect("type codes come from `type_code`"))
}
