//! Options of one compilation.

use crate::tier2::Tier;
use numbra_ir::Type;
use numbra_ir::stencil::Stencil;
use numbra_lir::{DebugInfo, FastMath, MathLib};
use numbra_lower::lowering::ErrorModel;
use std::collections::BTreeMap;

/// What a decorator asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The entry wrapper releases the GIL around the compiled code.
    pub nogil: bool,
    /// Zero divisors: Python's exceptions or NumPy's values. `None`: Python's, and the caller's in compiled code.
    pub error_model: Option<ErrorModel>,
    /// Loops over `prange` run in parallel.
    pub parallel: bool,
    /// So do stencils that it calls.
    pub parallel_stencils: bool,
    /// Array indices out of range raise IndexError.
    pub boundscheck: bool,
    /// Whose bits mathematical functions give.
    pub math: MathLib,
    /// Relaxations of IEEE arithmetic. `None`: none, and the caller's in compiled code.
    pub fastmath: Option<FastMath>,
    /// Registers the code with debuggers and keeps line tables.
    pub debug: bool,
    /// What code for a GPU says about its source.
    pub debug_info: DebugInfo,
    /// Calls of this function from other jitted functions are always inlined.
    pub inline_always: bool,
    /// Leaves out rewrites and branch pruning.
    pub no_rewrites: bool,
    /// The code is for a GPU.
    pub device: bool,
    /// Who generates the machine code.
    pub tier: Tier,
    /// The function is the kernel of a stencil.
    pub stencil: Option<Stencil>,
    /// Types that the user gave to variables.
    pub locals: BTreeMap<String, Type>,
}
