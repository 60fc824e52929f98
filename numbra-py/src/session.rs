//! The process-wide compiler session of this extension module.

use numbra_driver::Session;
use numbra_ir::{Type, Types};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The Session; made on first use.
pub(crate) fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        crate::room::keep_freed_memory();
        let session = Session::new();
        session.set_second_generator(crate::llvm::load);
        session.types.set_model_source(crate::types::models);
        session
    })
}

/// The view in which helpers of compiled code look types up. It is exchanged now and then, so that what it has come to
/// hold goes; a view for each call would cost more than boxing an array.
pub(crate) fn helper_types() -> Types {
    const CALLS: u32 = 16;
    static VIEW: Mutex<Option<(Types, u32)>> = Mutex::new(None);
    let mut view = VIEW.lock().unwrap_or_else(PoisonError::into_inner);
    match view.as_mut().filter(|(_, calls)| *calls < CALLS) {
        Some((types, calls)) => {
            *calls += 1;
            types.clone()
        }
        None => view.insert((session().types.view(), 1)).0.clone(),
    }
}

/// The type behind a word that entry wrappers hand to helpers: what the symbol of the type stands for.
pub(crate) fn type_of_code(code: u64) -> Type {
    Type::from_index(u32::try_from(code).expect("type codes are what `symbols` gave"))
}
