//! The verifier. This text is LIR's specification: a module that [`verify`] accepts has the meaning written here and in
//! the documentation of each operation in [`crate`]. Every rule has a filetest `verifier/<rule>.lir`.
//!
//! # Structure
//! - `ids`: every id names an entity of its function or module. A value is defined once, where its definition says: as
//!   that parameter of that block or that result of that instruction; an instruction stands in one place.
//! - `names`: functions have distinct names; so has data.
//! - `entry`: the first block of the layout is the entry. Its parameters have the types of the signature's, and nothing
//!   branches to it. A body's signature is its declaration's.
//! - `terminated`: every block ends in a terminator.
//! - `dominance`: in reachable blocks, every use is dominated by its definition. Block arguments are uses at the end of
//!   the branching block.
//! - `target`: a branch passes as many arguments as the target has parameters, of their types.
//! - `return`: results have the types of the signature. `fail` stands only in functions that raise.
//! - `linkage`: imports have no body, all others have one. Kernels have no results, do not raise and are not called.
//!
//! # Values and operations
//! - `types`: operands have the types that the operation takes (below), results those that follow.
//! - `results`: an instruction defines as many results as it has.
//! - `flags`: `nsw`, `nuw` stand on `iadd isub imul ineg shl ptr_add`, `nonzero` on `sdiv udiv srem urem`, `nsw` on `sdiv`; fast-math flags on float operations.
//!
//! Integer operations take `i8..i128` or vectors of integer lanes; `and or xor inot` also `i1`; `smulhi umulhi` and
//! overflow operations at most 64 bits; overflow operations no vectors. Float operations take `f16 f32 f64` or vectors;
//! math functions `f32 f64` or vectors. Comparisons of `i1` and `ref` are `eq ne`, of `ptr` those and the unsigned
//! ones. `select` takes an `i1`, or for vectors also a lane mask. `ptr_add` takes a pointer and an `i64`. Conversions
//! work lane by lane on vectors of equally many lanes; `bitcast` takes equal sizes, and `ptr` to `ref` as a borrow.
//!
//! Every operation is total: no operand makes a result undefined. In comparisons of bits all NaNs are equal.
//!
//! # Memory
//! - `memory`: accesses take a pointer (not a `ref`; see `ref_to_ptr`) and a type other than `i1`; alignment is a power
//!   of two; only loads are `readonly`, not at the same time `volatile`; nothing stores to class `const`.
//! - `atomic`: integers up to 64 bits and `f32 f64`; orders that the operation can have.
//! - `slots`: alignment is a power of two up to 4096; reference fields are 8-aligned, inside, and distinct.
//! - `data`: alignment is a power of two; addresses lie inside; all data together has at most 2^30 bytes.
//!
//! Accesses of different alias classes other than `any` do not overlap. Slots hold zero bytes at entry. An access to
//! memory that is not there is an error of whoever made the LIR; guards prevent it.
//!
//! # Calls, errors, guards
//! - `calls`: arguments and results follow the signature; the status comes first when the callee raises. Natives are
//!   rows of `numbra_abi`.
//! - `exception`: `set_error` names an exception of the module, with one 8-byte word (`i64`, `f64`) for each
//!   placeholder. It stands in functions that do not raise as well: a callee may be inlined where its status is not
//!   passed on, as in entry wrappers.
//! - A guard is a branch with an error edge. Passes may merge, remove or sink a guard, and hoist it only past code
//!   without effects that an observer outside could see: partial writes before an error are observable.
//!
//! # Ownership
//! - `ownership`: `retain` and `release` stand only in functions that `place_refs` has placed ([`Phase::Placed`]).
//!
//! Parameters are borrowed from the caller for the length of the call; results are owned by the caller. Before
//! placement a `ref` is just a value. `place_refs` makes each live exactly until its last use, where a use of a pointer
//! derived from it (`ref_to_ptr`, `ptr_add`, a pointer loaded from there, a block parameter that merges such) counts,
//! and a `keep` names a last use explicitly. A store to a reference field of a slot retains the new value and releases
//! the old; every exit releases the fields; references stored elsewhere are not counted.
//!
//! # Devices
//! - `device`: axes are 0 to 2; convergent operations (barrier, shuffle, ballot) stand in kernels and local functions
//!   only, so that all callers are known. They are never moved over control flow, merged or duplicated.
//! - `lanes`: lane numbers are inside the vector.

mod ids;
mod rules;
mod structure;

pub use ids::check_ids;

use crate::{Block, FuncRef, Inst, Module};
use std::fmt;

/// Which ownership rules hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before `place_refs`: no function counts references.
    Built,
    /// After it.
    Placed,
}

/// What an error is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    Module,
    Function(FuncRef),
    Block(FuncRef, Block),
    Inst(FuncRef, Inst),
    Term(FuncRef, Block),
}

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Name of the rule in the documentation of this module.
    pub rule: &'static str,
    pub place: Location,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Location::Module => {}
            Location::Function(func) => write!(f, "{func}: ")?,
            Location::Block(func, block) => write!(f, "{func}: {block}: ")?,
            Location::Inst(func, inst) => write!(f, "{func}: {inst}: ")?,
            Location::Term(func, block) => write!(f, "{func}: end of {block}: ")?,
        }
        write!(f, "{} [{}]", self.message, self.rule)
    }
}

impl std::error::Error for VerifyError {}

/// Checks all rules; at most 100 errors. Accepts any bytes that deserialise.
pub fn verify(module: &Module, phase: Phase) -> Result<(), Vec<VerifyError>> {
    check_ids(module).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    structure::check_module(module, &mut errors);
    for id in module.functions.keys() {
        structure::check_function(module, id, phase, &mut errors);
    }
    finish(errors)
}

/// Checks one function of a module whose other parts are known to be good.
pub fn verify_func(module: &Module, id: FuncRef, phase: Phase) -> Result<(), Vec<VerifyError>> {
    ids::check_function(module, id).map_err(|error| vec![error])?;
    let mut errors = Vec::new();
    structure::check_function(module, id, phase, &mut errors);
    finish(errors)
}

fn finish(mut errors: Vec<VerifyError>) -> Result<(), Vec<VerifyError>> {
    errors.truncate(100);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
