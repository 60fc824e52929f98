//! All live dispatchers by id. Ids are never used twice.

use super::state::Dispatcher;
use crate::session::session;
use numbra_ir::DispatcherId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Runs `body` on the dispatcher with this id, if it is alive.
pub(crate) fn with<R>(id: DispatcherId, body: impl FnOnce(&Dispatcher) -> R) -> Option<R> {
    let found = REGISTRY
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .live
        .get(&id.0)?
        .upgrade();
    found.map(|d| body(&d))
}

/// Makes a dispatcher under the next id.
pub(super) fn register(make: impl FnOnce(DispatcherId) -> Dispatcher) -> Arc<Dispatcher> {
    Arc::new_cyclic(|weak| {
        let mut registry = REGISTRY.lock().unwrap_or_else(PoisonError::into_inner);
        let id = DispatcherId(registry.next);
        registry.next += 1;
        registry.live.insert(id.0, weak.clone());
        drop(registry);
        make(id)
    })
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry {
    next: 0,
    live: BTreeMap::new(),
});

struct Registry {
    next: u32,
    live: BTreeMap<u32, Weak<Dispatcher>>,
}

impl Drop for Dispatcher {
    fn drop(&mut self) {
        session().forget(self.id);
        REGISTRY
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .live
            .remove(&self.id.0);
    }
}
