//! The specification of Numba IR, and its check.
//!
//! Every rule below has a file `tests/filetests/verifier/*.nir` in which a line breaks it.
//!
//! # Functions
//! - A function has a block. Its first block in layout, the entry, is the target of nothing.
//! - Parameter names differ. Parameters stand in Python's order: positional-only, ordinary, `*args`, keyword-only,
//!   `**kwargs`, with at most one of each starred kind.
//! - Variable names are not empty and differ. A version's `version_of` is a variable that is no version itself.
//! - Objects referred to are in the object table; tuples in that table refer to earlier entries.
//! - Functions in `nested` obey these rules too. `make_function` names one of them.
//!
//! # Blocks
//! - The layout lists existing blocks, each once. Each can be reached from the entry.
//! - A block ends in a terminator and has no other one. A statement is in one block only.
//! - Branches, phis and `enter_with` name blocks of the layout.
//! - A handler is a block of the layout. It is entered by exceptions alone: nothing branches to it.
//!   The variables it sees are those at the *entry* of the protected block.
//!
//! # Statements
//! - `arg(n)` names a parameter and stands in the entry block.
//! - In-place operators are those that Python has in place.
//! - Keywords of a call differ.
//! - `yield` stands in generators only; its numbers start at 1 and differ.
//! - `check_assigned` stands before SSA only.
//!
//! # Values
//! - A temporary (`$n`) is assigned on every path to a use. Before SSA another variable may be unassigned on some or all
//!   paths (Python raises UnboundLocalError; pruning leaves such reads behind). What `make_function` captures may be assigned after it.
//! - Before SSA ([`Phase::Untyped`]): no phi, no `del`.
//! - In SSA ([`Phase::Ssa`]): no `del`; each variable has one assignment, which stands before every use on every path.
//!   Phis come first in their block and name each predecessor once: the blocks that branch here, then those protected by it.
//!   The value for a predecessor is assigned by its end; for a protected block, by its start (its own phis included).
//! - After `post_proc` with dels ([`Phase::WithDels`]): no phi. A deleted variable is assigned when it is deleted.
//!
//! # Types (see [`verify_typed`])
//! - The function is in SSA. It has a type for each parameter, and for each variable that is assigned or read;
//!   `undefined` is the type of `undefined` and `null` only.
//! - `arg(n)` has the type of parameter `n`. What `return` returns has the function's result type.
//! - A call site has one argument for each parameter; items taken of tuples exist; a site's variables are assigned before it.
//! - A call site stands on an assignment, a subscript or attribute statement, or `print`.
//! - In a program, callees exist and are called at their own parameter and result types.

mod blocks;
mod statements;
mod typed;
mod values;

pub use typed::{verify_program, verify_typed};

use crate::analysis::Cfg;
use crate::{Func, Location};
use std::fmt;

/// How far a function has come: which statements it may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// From the builder to `reconstruct_ssa`.
    Untyped,
    /// After `reconstruct_ssa`.
    Ssa,
    /// After `post_proc` inserted `del` statements.
    WithDels,
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Qualified name of the function.
    pub func: String,
    /// Where in the function.
    pub place: Location,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Location::Func => write!(f, "{}: {}", self.func, self.message),
            Location::Block(block) => write!(f, "{} {block}: {}", self.func, self.message),
            Location::Inst(inst) => write!(f, "{} {inst}: {}", self.func, self.message),
        }
    }
}

/// Checks a function against the rules of its phase. All broken rules are listed, in program order.
pub fn verify(func: &Func, phase: Phase) -> Result<(), Vec<VerifyError>> {
    let errors = errors_of(func, phase);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// How far a function from a file has come: the first phase whose rules it keeps, or what breaks those of a function fresh
/// from the builder.
pub fn phase_of(func: &Func) -> Result<Phase, Vec<VerifyError>> {
    match verify(func, Phase::Untyped) {
        Ok(()) => Ok(Phase::Untyped),
        Err(errors) => match verify(func, Phase::Ssa) {
            Ok(()) => Ok(Phase::Ssa),
            Err(_) => Err(errors),
        },
    }
}

fn errors_of(func: &Func, phase: Phase) -> Vec<VerifyError> {
    let mut found = Found {
        func,
        errors: Vec::new(),
    };
    statements::check_function(&mut found);
    blocks::check(&mut found);
    statements::check(&mut found, phase);
    // Data flow makes sense on a well-formed graph only.
    if found.errors.is_empty() {
        let cfg = Cfg::new(func);
        values::check(&mut found, &cfg, phase);
    }
    let mut errors = found.errors;
    for (_, nested) in &func.nested {
        // Nested functions are inlined before SSA or compiled on their own: they stay as built.
        errors.extend(errors_of(nested, Phase::Untyped));
    }
    errors
}

/// Errors so far.
struct Found<'f> {
    func: &'f Func,
    errors: Vec<VerifyError>,
}

impl Found<'_> {
    fn add(&mut self, place: Location, message: impl Into<String>) {
        self.errors.push(VerifyError {
            func: self.func.qualname.clone(),
            place,
            message: message.into(),
        });
    }
}
