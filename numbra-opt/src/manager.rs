//! The pass table and the pipeline.

use super::{
    carry_stores, cold, counters, dce, dead_errors, floor_divisions, frames, guards, gvn,
    host_threads, if_convert, inline, keep_best, late_keeps, licm, pack_stores, place_refs, ranges,
    rotate_loops, safepoints, simplify_cfg, sink, special_floats, speculate, sroa, stack_checks,
    strips, thread_jumps, unroll, vectorize, version_loops, version_strides,
};
use numbra_lir::verify::{Phase, VerifyError, verify};
use numbra_lir::{Func, FuncRef, Module};
use std::fmt;

/// What a pass works on. Each says whether it changed something.
#[derive(Clone, Copy)]
pub enum Run {
    /// One function; the module gives signatures, and holds no body of that function meanwhile.
    Func(fn(&mut Func, &Module) -> bool),
    Module(fn(&mut Module) -> bool),
}

/// A pass under its name.
#[derive(Clone, Copy)]
pub struct LirPass {
    pub name: &'static str,
    pub run: Run,
}

const fn func(name: &'static str, run: fn(&mut Func, &Module) -> bool) -> LirPass {
    LirPass {
        name,
        run: Run::Func(run),
    }
}

/// All passes, by name.
pub static LIR_PASSES: &[LirPass] = &[
    func("carry_stores", carry_stores::carry_stores),
    func("cold", cold::cold),
    func("counters", counters::counters),
    func("dce", dce::dce),
    func("dead_errors", dead_errors::dead_errors),
    func("floor_divisions", floor_divisions::floor_divisions),
    LirPass {
        name: "frames",
        run: Run::Module(frames::frames),
    },
    func("guards", guards::guards),
    func("gvn", gvn::gvn),
    LirPass {
        name: "host_threads",
        run: Run::Module(host_threads::host_threads),
    },
    func("if_convert", if_convert::if_convert),
    func("if_convert_floats", if_convert::if_convert_floats),
    LirPass {
        name: "inline",
        run: Run::Module(inline::inline),
    },
    func("keep_best", keep_best::keep_best),
    func("late_keeps", late_keeps::late_keeps),
    LirPass {
        name: "launch_safepoints",
        run: Run::Module(safepoints::launch_safepoints),
    },
    func("licm", licm::licm),
    func("pack_stores", pack_stores::pack_stores),
    func("place_refs", place_refs::place_refs),
    func("ranges", ranges::ranges),
    func("rotate_loops", rotate_loops::rotate_loops),
    func("row_strips", safepoints::rows::row_strips),
    LirPass {
        name: "safepoints",
        run: Run::Module(safepoints::safepoints),
    },
    func("simplify_cfg", simplify_cfg::simplify_cfg),
    func("sink", sink::sink),
    LirPass {
        name: "special_floats",
        run: Run::Module(special_floats::special_floats),
    },
    func("speculate", speculate::speculate),
    func("sroa", sroa::sroa),
    LirPass {
        name: "stack_checks",
        run: Run::Module(stack_checks::stack_checks),
    },
    func("strips", strips::strips),
    func("thread_jumps", thread_jumps::thread_jumps),
    func("unroll", unroll::unroll),
    func("vectorize", vectorize::vectorize),
    func("version_loops", version_loops::version_loops),
    func("version_strides", version_strides::version_strides),
];

/// The default order.
pub static PIPELINE: &[&str] = &[
    "simplify_cfg",
    "sroa",
    "gvn",
    "special_floats",
    "simplify_cfg",
    "dce",
    "inline",
    "sroa",
    "gvn",
    "simplify_cfg",
    "frames",
    "dead_errors",
    "guards",
    "thread_jumps",
    "simplify_cfg",
    "gvn",
    "simplify_cfg",
    "late_keeps",
    "dead_errors",
    "dce",
    "counters",
    "sink",
    "ranges",
    "gvn",
    "simplify_cfg",
    "if_convert",
    "simplify_cfg",
    "rotate_loops",
    "simplify_cfg",
    "stack_checks",
    "licm",
    "gvn",
    "guards",
    "simplify_cfg",
    "speculate",
    "version_loops",
    "gvn",
    "simplify_cfg",
    "dce",
    "safepoints",
    "floor_divisions",
    "dce",
    "place_refs",
    "cold",
];

/// What Cranelift does not do by itself, after [`PIPELINE`].
pub static CRANELIFT: &[&str] = &["carry_stores", "vectorize", "pack_stores", "row_strips"];

/// What LLVM does not do by itself, after [`PIPELINE`].
pub static LLVM: &[&str] = &[
    "if_convert_floats",
    "simplify_cfg",
    "strips",
    "simplify_cfg",
    "keep_best",
    "pack_stores",
    "version_strides",
];

/// The order for code that runs on a GPU, where copies of loops cost registers and LLVM does the rest. Loops that walk
/// by the size of the grid are known to go up once they test at the end: those of a second loop, once the constants that
/// its test shares with the first are known again.
pub static DEVICE: &[&str] = &[
    "simplify_cfg",
    "sroa",
    "gvn",
    "simplify_cfg",
    "dce",
    "inline",
    "sroa",
    "gvn",
    "simplify_cfg",
    "guards",
    "gvn",
    "simplify_cfg",
    "dce",
    "sink",
    "ranges",
    "gvn",
    "simplify_cfg",
    "rotate_loops",
    "simplify_cfg",
    "gvn",
    "ranges",
    "gvn",
    "ranges",
    "gvn",
    "simplify_cfg",
    "dce",
    "unroll",
    "gvn",
    "dce",
    "place_refs",
    "cold",
];

/// What follows [`DEVICE`] for kernels that run on the CPU: what Cranelift does not do by itself, as in any function.
static HOST_THREADS: &[&str] = &[
    "host_threads",
    "gvn",
    "if_convert",
    "simplify_cfg",
    "licm",
    "gvn",
    "guards",
    "simplify_cfg",
    "dce",
    "cold",
    "carry_stores",
    "vectorize",
];

/// Why the order is as it is: the first must come before the second at least once.
pub static ORDER: &[(&str, &str)] = &[
    ("sroa", "gvn"),                    // values, not slots, are numbered
    ("gvn", "special_floats"),          // `x != x` compares one value
    ("special_floats", "inline"),       // tests that inlining decides were asked all the same
    ("inline", "frames"),               // the frame is made where it is used
    ("inline", "dead_errors"),          // what a callee raises, its caller may handle
    ("late_keeps", "dead_errors"),      // what is raised where it is kept is raised nowhere else
    ("dead_errors", "if_convert"),      // sides that raise nothing are selected
    ("frames", "thread_jumps"),         // the state of a generator is a constant on most edges
    ("gvn", "inline"),                  // small bodies are small after folding
    ("gvn", "thread_jumps"),            // equal tests are one value
    ("thread_jumps", "ranges"),         // a loop tests once
    ("thread_jumps", "rotate_loops"),   // that test alone is copied
    ("thread_jumps", "counters"),       // counters go round on one way
    ("counters", "ranges"),             // a test of one counter tells about all
    ("sink", "ranges"), // where only one side of a test needs a value, the test tells about it
    ("ranges", "rotate_loops"), // a test at the top dominates the body
    ("ranges", "if_convert"), // what a side is short of is known
    ("sink", "rotate_loops"), // only the test itself is copied
    ("rotate_loops", "licm"), // a body behind its test runs in every round
    ("inline", "stack_checks"), // what takes in levels of its calls looks once
    ("stack_checks", "licm"), // who calls in a loop asks for the limit once
    ("guards", "speculate"), // few tests are left
    ("licm", "speculate"), // addresses depend on counters
    ("licm", "version_loops"), // what is invariant stands outside of both loops
    ("rotate_loops", "version_loops"), // the test before the loop stays one
    ("dce", "place_refs"), // a dead copy of a reference is no last use
    ("rotate_loops", "safepoints"), // a loop tests its counter where it goes back
    ("version_loops", "safepoints"), // a loop of strips has a loop in it, and is not copied
    ("ranges", "floor_divisions"), // what is never negative is divided as it is
    ("safepoints", "floor_divisions"), // a loop that divides what it carries ends soon
    ("safepoints", "place_refs"), // what leaves a loop gives its references up
    ("rotate_loops", "unroll"), // a short loop is one block
    ("ranges", "unroll"), // an index needs no sign test, four times
    ("if_convert_floats", "keep_best"), // what is kept is selected
    ("vectorize", "pack_stores"), // what can be a vector is one
    ("vectorize", "row_strips"), // a row is a vector first, and knows its end
    ("place_refs", "row_strips"), // a row leaves as the poll behind it
    ("keep_best", "pack_stores"), // what is kept has its branch
    ("strips", "version_strides"), // tests that a loop makes first have left it
    ("place_refs", "cold"), // error edges get blocks of their own
];

impl LirPass {
    /// The pass of this name.
    pub fn by_name(name: &str) -> Option<&'static LirPass> {
        LIR_PASSES.iter().find(|pass| pass.name == name)
    }

    /// Runs on all functions.
    pub fn run(&self, module: &mut Module) -> bool {
        match self.run {
            Run::Module(run) => run(module),
            Run::Func(run) => {
                let ids: Vec<FuncRef> = module.functions.keys().collect();
                let mut changed = false;
                for id in ids {
                    if let Some(mut func) = module.functions[id].body.take() {
                        changed |= run(&mut func, module);
                        module.functions[id].body = Some(func);
                    }
                }
                changed
            }
        }
    }
}

/// Runs the pass of this name; `None` if there is none.
pub fn run_pass(name: &str, module: &mut Module) -> Option<bool> {
    LirPass::by_name(name).map(|pass| pass.run(module))
}

/// Runs [`PIPELINE`] on a verified module.
pub fn default_pipeline(module: &mut Module) {
    for name in PIPELINE {
        run_pass(name, module);
    }
}

/// Runs [`DEVICE`] on a verified module.
pub fn device_pipeline(module: &mut Module) {
    for name in DEVICE {
        run_pass(name, module);
    }
}

/// Runs [`HOST_THREADS`] on a module after [`device_pipeline`], whose kernels have the parameters `(parameters, thread)`.
pub fn host_threads_pipeline(module: &mut Module) {
    for name in HOST_THREADS {
        run_pass(name, module);
    }
}

/// Runs [`CRANELIFT`] on a module after [`PIPELINE`].
pub fn cranelift_pipeline(module: &mut Module) {
    for name in CRANELIFT {
        run_pass(name, module);
    }
}

/// Runs [`LLVM`] on a module after [`PIPELINE`].
pub fn llvm_pipeline(module: &mut Module) {
    for name in LLVM {
        run_pass(name, module);
    }
}

/// Runs [`PIPELINE`] up to `place_refs` excluded when `place` is false, and shows the module after each pass to
/// `observe`, which may verify or dump it.
pub fn optimize(module: &mut Module, place: bool, mut observe: impl FnMut(&'static str, &Module)) {
    for name in PIPELINE {
        if !place && *name == "place_refs" {
            continue;
        }
        run_pass(name, module);
        observe(name, module);
    }
}

/// The module is wrong after a pass.
#[derive(Clone, Debug)]
pub struct PassError {
    pub pass: &'static str,
    pub errors: Vec<VerifyError>,
}

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid LIR after {}", self.pass)?;
        self.errors
            .iter()
            .try_for_each(|error| write!(f, "\n{error}"))
    }
}

impl std::error::Error for PassError {}

/// Runs [`PIPELINE`] and verifies after each pass; the error names the pass.
pub fn verified_pipeline(module: &mut Module) -> Result<(), PassError> {
    let mut result = Ok(());
    let mut phase = Phase::Built;
    optimize(module, true, |name, module| {
        if name == "place_refs" {
            phase = Phase::Placed;
        }
        if result.is_ok() {
            result = verify(module, phase).map_err(|errors| PassError { pass: name, errors });
        }
    });
    result
}
