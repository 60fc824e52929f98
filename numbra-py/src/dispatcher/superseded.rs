//! Superseded code: machine code that other code has taken the place of, or that `recompile` has thrown away. It is freed
//! when no call can enter it and none is in it.
//!
//! Nothing links to the code of a signature: each compilation has copies of the functions that it calls, generators and
//! ufuncs keep the code that they run, and callbacks, whose addresses are anywhere, are never superseded. So all that
//! matters is calls.
//!
//! **No call can enter.** Dispatchers are entered through their slot, which is read, and changed, under the GIL; CPython
//! calls what it has read at once. There is one exception: CPython 3.11 reads the slot before it makes the tuple of
//! keyword names of `f(**kw)`, and making it may start the garbage collector, whose finalizers may do anything, give up
//! the GIL included. Such a caller is over when its collection is. So code waits until a collection could begin after it
//! was superseded: one of the youngest generation, which we run (microseconds), and which does nothing while another
//! runs. Where a program has turned the collector off, code waits until it is on again.
//!
//! **No call is inside.** Calls count themselves in a cell of the code, under the GIL, while anything can interrupt them
//! (`crate::entry::wrapper`). Who has the GIL and finds 0 there knows that no thread is in the code: it is not itself,
//! unless some call below it on its stack is counted, and neither is another, which would hold the GIL. After the
//! cell is back to 0 a call needs the code for some instructions more, with the GIL. Inner loops of ufuncs
//! run without the GIL and are counted by who calls them, until their code is known not to change any more.
//!
//! A forked child counts what was inside in threads that it does not have: that code stays.
//!
//! Code is looked at when it is superseded, in the slow path of any call, and by the background thread in growing
//! intervals while there is any.

use super::state::Entry;
use crate::entry::INSIDE;
use numbra_lower::jit::LoadedArtifact;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Who may be in superseded code.
pub(super) enum Users {
    /// Calls, which count themselves in a cell of this code.
    Calls(Arc<LoadedArtifact>),
    /// Calls of the inner loop of this signature.
    Loops(Arc<Entry>),
}

/// See the module's documentation.
struct Superseded {
    /// What is freed.
    _code: Box<dyn Any + Send>,
    users: Users,
    /// How many came before it.
    number: u64,
    unreachable: bool,
}

struct Waiting {
    all: Vec<Superseded>,
    next: u64,
}

/// Locked under the GIL only, and never while other code can run: a forked child finds it unlocked.
static WAITING: Mutex<Waiting> = Mutex::new(Waiting {
    all: Vec::new(),
    next: 0,
});

/// How many wait.
static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Users {
    fn are_gone(&self) -> bool {
        match self {
            Users::Calls(code) => code.address(INSIDE).is_some_and(|cell| {
                // SAFETY: the cell is aligned memory of the code, which is there; compiled code reads and writes it whole.
                unsafe { &*cell.cast::<AtomicI64>() }.load(Ordering::Relaxed) == 0
            }),
            Users::Loops(entry) => entry.wrapper.loops_inside() == 0,
        }
    }
}

/// Frees `code` when its users are gone. New calls no longer enter it.
pub(super) fn free_later(_py: Python<'_>, code: impl Any + Send, users: Users) {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let number = waiting.next;
    waiting.next += 1;
    waiting.all.push(Superseded {
        _code: Box::new(code),
        // No one holds the address of an inner loop beyond its count.
        unreachable: matches!(users, Users::Loops(_)),
        users,
        number,
    });
    COUNT.store(waiting.all.len(), Ordering::Relaxed);
}

/// True if any code waits for its users to leave.
pub(super) fn is_any() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// Frees the code whose users are gone.
pub(super) fn sweep(py: Python<'_>) {
    if !is_any() {
        return;
    }
    // Finalizers run here, which may come to this function again.
    let last = {
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        let reachable = waiting.all.iter().filter(|one| !one.unreachable);
        reachable.map(|one| one.number).max()
    };
    let settled = last.filter(|_| no_caller_is_late(py));
    let gone: Vec<Superseded> = {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        for one in &mut waiting.all {
            one.unreachable |= settled.is_some_and(|last| one.number <= last);
        }
        let free = |one: &mut Superseded| one.unreachable && one.users.are_gone();
        let gone = waiting.all.extract_if(.., free).collect();
        COUNT.store(waiting.all.len(), Ordering::Relaxed);
        gone
    };
    drop(gone);
}

/// True if every caller that had read a slot before this call has entered what it read.
fn no_caller_is_late(py: Python<'_>) -> bool {
    // Since 3.12 the collector runs between instructions of Python code only.
    cfg!(Py_3_12) || could_collect(py).unwrap_or(false)
}

/// Collects the youngest generation; false if that was not possible because a collection is under way.
fn could_collect(py: Python<'_>) -> PyResult<bool> {
    let gc = py.import("gc")?;
    if !gc.call_method0("isenabled")?.is_truthy()? {
        return Ok(false);
    }
    let collections = || {
        let stats = gc.call_method0("get_stats")?;
        stats.get_item(0)?.get_item("collections")?.extract::<u64>()
    };
    let before = collections()?;
    gc.call_method1("collect", (0,))?;
    Ok(collections()? > before)
}

/// Bytes of memory that machine code takes now.
#[pyfunction]
pub(crate) fn _code_bytes(py: Python<'_>) -> usize {
    sweep(py);
    numbra_lower::jit::code_bytes()
}
