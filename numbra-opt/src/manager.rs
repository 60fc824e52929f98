//! The pass table, the pipelines, and the reasons for their order.
//!
//! A pass is one line of [`Pass`]'s table; a [`Pipeline`] is a list of passes. [`ORDER`] says which pass relies on which: that
//! every list keeps to it is checked when this crate is compiled.

use crate::analyses::{Analyses, Changed, Known};
use crate::{calls, errors, flow, host, loops, polls, refs, scalar};
use numbra_lir::verify::{Location, Phase, VerifyError, verify};
use numbra_lir::{Func, FuncRef, Module};
use std::fmt;
use std::time::{Duration, Instant};

/// A pass over one function; the module gives signatures, and holds no body of that function meanwhile.
pub(crate) type RunFunc = fn(&mut Func, &Module, &mut Analyses) -> Changed;

/// What a pass works on. Each says whether it changed something, and what.
#[derive(Clone, Copy)]
enum Run {
    Func(RunFunc),
    Module(fn(&mut Module) -> bool),
}

/// Makes the passes of a table of `Id name kind(function) summary`.
macro_rules! passes {
    ($($id:ident $name:literal $kind:ident($run:path) $summary:literal,)*) => {
        /// A pass over LIR.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Pass {
            $(#[doc = $summary] $id,)*
        }

        impl Pass {
            /// All passes, by name.
            pub const ALL: &[Pass] = &[$(Pass::$id,)*];

            /// As filetests, dumps and errors name it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Pass::$id => $name,)*
                }
            }

            /// What it does, as a part of a sentence.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Pass::$id => $summary,)*
                }
            }

            const fn code(self) -> Run {
                match self {
                    $(Pass::$id => Run::$kind($run),)*
                }
            }
        }
    };
}

passes! {
    Dce "dce" Func(scalar::dce::dce)
        "drops what is unused",
    DeadErrors "dead_errors" Func(errors::dead_errors::dead_errors)
        "removes exceptions that a handler drops before anything reads them",
    DeferDivChecks "defer_div_checks" Func(loops::defer_div_checks::defer_div_checks)
        "runs sums without their tests for zero, and again with them if one failed",
    FloorDivisions "floor_divisions" Func(scalar::floor_divisions::floor_divisions)
        "makes floor divisions of 64-bit integers by constants a product with the divisor's inverse",
    Frames "frames" Module(calls::frames::frames)
        "takes generators apart where the function that makes them also steps through them",
    Guards "guards" Func(flow::guards::guards)
        "drops guards and branches that dominating ones decide",
    Gvn "gvn" Func(scalar::gvn::gvn)
        "folds, numbers values, forwards loads",
    HoistDivChecks "hoist_div_checks" Func(loops::hoist_div_checks::hoist_div_checks)
        "strip-mines loops that write: the tests for zero of all iterations of a strip come first, then the iterations without tests; for LLVM only",
    HostThreads "host_threads" Module(host::threads::host_threads)
        "makes kernels for the CPU of kernels for a GPU",
    IfConvert "if_convert" Func(flow::if_convert::if_convert)
        "selects instead of short branches",
    IfConvertFloats "if_convert_floats" Func(flow::if_convert::if_convert_floats)
        "the same for floats; for LLVM only",
    Inline "inline" Module(calls::inline::inline)
        "puts small bodies in the place of calls, some levels of small functions that call themselves too",
    JumpThreading "jump_threading" Func(flow::jump_threading::jump_threading)
        "redirects an edge past a branch that the edge already decides",
    LateKeeps "late_keeps" Func(errors::late_keeps::late_keeps)
        "has handlers keep their exception where another one may be raised, not when they are entered",
    LaunchSafepoints "launch_safepoints" Module(polls::safepoints::launch_safepoints)
        "puts polls on the loops that launch the threads of a kernel on the CPU",
    Licm "licm" Func(loops::licm::licm)
        "moves invariant code out of loops, the fixed part of addresses first",
    MergeInductions "merge_inductions" Func(loops::merge_inductions::merge_inductions)
        "merges induction variables of a loop that step alike",
    PlaceRefs "place_refs" Func(refs::place_refs::place_refs)
        "places `retain` and `release`",
    PollInnerLoops "poll_inner_loops" Func(polls::safepoints::inner_loops::poll_inner_loops)
        "puts polls on strip-mined inner loops that `safepoints` left whole; for Cranelift only, LLVM's IR has its own",
    Ranges "ranges" Func(scalar::ranges::ranges)
        "finds intervals and differences of integers; drops wrap-around of indices, bounds checks, overflow flags; proves facts",
    RotateLoops "rotate_loops" Func(loops::rotate_loops::rotate_loops)
        "moves loop tests to the bottom",
    Safepoints "safepoints" Module(polls::safepoints::safepoints)
        "puts polls on loops",
    ScalarPromotion "scalar_promotion" Func(loops::scalar_promotion::scalar_promotion)
        "forwards what a loop stores to the load of its next iteration; for Cranelift only",
    SelectToBranch "select_to_branch" Func(flow::select_to_branch::select_to_branch)
        "branches where a loop keeps the least or greatest number; for LLVM only",
    SimplifyCfg "simplify_cfg" Func(flow::simplify_cfg::simplify_cfg)
        "joins blocks, skips empty ones, drops parameters of one value",
    Sink "sink" Func(scalar::sink::sink)
        "computes on one side of a branch what only that side needs",
    SinkColdBlocks "sink_cold_blocks" Func(flow::sink_cold_blocks::sink_cold_blocks)
        "puts error code last",
    SpecialFloats "special_floats" Module(scalar::special_floats::special_floats)
        "takes `nnan` and `ninf` from all operations where the program asks for NaN or infinity",
    Sroa "sroa" Func(scalar::sroa::sroa)
        "makes slots values",
    StackChecks "stack_checks" Module(calls::stack_checks::stack_checks)
        "has functions that may call themselves, and those that call functions with large frames, check that there is stack left",
    StreamCompaction "stream_compaction" Func(loops::stream_compaction::stream_compaction)
        "stores what a loop packs without a branch",
    Unroll "unroll" Func(loops::unroll::unroll)
        "takes four iterations of a loop over the grid at once; for GPUs only",
    Vectorize "vectorize" Func(loops::vectorize::vectorize)
        "runs counted loops in vectors; for Cranelift only",
    VersionLoops "version_loops" Func(loops::version_loops::version_loops)
        "copies loops for where one test in front of them says that no index is negative or out of bounds",
    VersionStrides "version_strides" Func(loops::version_strides::version_strides)
        "copies loops over arrays of any layout for where the elements follow each other; for LLVM only",
}

impl Pass {
    /// The pass of this name.
    pub fn by_name(name: &str) -> Option<Pass> {
        Pass::ALL.iter().copied().find(|pass| pass.name() == name)
    }

    /// Runs on all functions; true if it changed something.
    pub fn run(self, module: &mut Module) -> bool {
        self.run_knowing(module, &mut Known::default())
    }

    fn run_knowing(self, module: &mut Module, known: &mut Known) -> bool {
        match self.code() {
            Run::Module(run) => {
                let changed = run(module);
                if changed {
                    known.forget();
                }
                changed
            }
            Run::Func(run) => {
                let ids: Vec<FuncRef> = module.functions.keys().collect();
                let mut changed = false;
                for id in ids {
                    if let Some(mut func) = module.functions[id].body.take() {
                        changed |= known.run(self, id, &mut func, |func, analyses| {
                            run(func, module, analyses)
                        });
                        module.functions[id].body = Some(func);
                    }
                }
                changed
            }
        }
    }

    /// The phase that a module in `phase` is in after this pass.
    pub fn leads_to(self, phase: Phase) -> Phase {
        match self {
            Pass::PlaceRefs => Phase::Placed,
            _ => phase,
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Passes in order.
#[derive(Debug)]
pub struct Pipeline {
    pub name: &'static str,
    /// Of the modules that it takes.
    pub from: Phase,
    pub passes: &'static [Pass],
}

/// What every function for the CPU goes through.
pub static HOST: Pipeline = Pipeline {
    name: "host",
    from: Phase::Built,
    passes: &[
        Pass::SimplifyCfg,
        Pass::Sroa,
        Pass::Gvn,
        Pass::SpecialFloats,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::Inline,
        Pass::Sroa,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Frames,
        Pass::DeadErrors,
        Pass::Guards,
        Pass::JumpThreading,
        Pass::SimplifyCfg,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::LateKeeps,
        Pass::DeadErrors,
        Pass::Dce,
        Pass::MergeInductions,
        Pass::Sink,
        Pass::Ranges,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::IfConvert,
        Pass::SimplifyCfg,
        Pass::RotateLoops,
        Pass::SimplifyCfg,
        Pass::StackChecks,
        Pass::Licm,
        Pass::Gvn,
        Pass::Guards,
        Pass::SimplifyCfg,
        Pass::DeferDivChecks,
        Pass::VersionLoops,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::Safepoints,
        Pass::FloorDivisions,
        Pass::Dce,
        Pass::PlaceRefs,
        Pass::SinkColdBlocks,
    ],
};

/// What Cranelift does not do by itself, after [`HOST`].
pub static CRANELIFT: Pipeline = Pipeline {
    name: "cranelift",
    from: Phase::Placed,
    passes: &[
        Pass::ScalarPromotion,
        Pass::Vectorize,
        Pass::StreamCompaction,
        Pass::PollInnerLoops,
    ],
};

/// What LLVM does not do by itself, after [`HOST`].
pub static LLVM: Pipeline = Pipeline {
    name: "llvm",
    from: Phase::Placed,
    passes: &[
        Pass::IfConvertFloats,
        Pass::SimplifyCfg,
        Pass::HoistDivChecks,
        Pass::SimplifyCfg,
        Pass::SelectToBranch,
        Pass::StreamCompaction,
        Pass::VersionStrides,
    ],
};

/// The order for code that runs on a GPU, where copies of loops cost registers and LLVM does the rest. Loops that step by the
/// size of the grid are known to go up once they test at the end: those of a second loop, once the constants that its test
/// shares with the first are known again.
pub static DEVICE: Pipeline = Pipeline {
    name: "device",
    from: Phase::Built,
    passes: &[
        Pass::SimplifyCfg,
        Pass::Sroa,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::Inline,
        Pass::Sroa,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Guards,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::Sink,
        Pass::Ranges,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::RotateLoops,
        Pass::SimplifyCfg,
        Pass::Gvn,
        Pass::Ranges,
        Pass::Gvn,
        Pass::Ranges,
        Pass::Gvn,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::Unroll,
        Pass::Gvn,
        Pass::Dce,
        Pass::PlaceRefs,
        Pass::SinkColdBlocks,
    ],
};

/// What follows [`DEVICE`] for kernels that run on the CPU: what Cranelift does not do by itself, as in any function.
/// Kernels have the parameters `(parameters, thread)`.
pub static HOST_THREADS: Pipeline = Pipeline {
    name: "host_threads",
    from: Phase::Placed,
    passes: &[
        Pass::HostThreads,
        Pass::Gvn,
        Pass::IfConvert,
        Pass::SimplifyCfg,
        Pass::Licm,
        Pass::Gvn,
        Pass::Guards,
        Pass::SimplifyCfg,
        Pass::Dce,
        Pass::SinkColdBlocks,
        Pass::ScalarPromotion,
        Pass::Vectorize,
    ],
};

/// What passes rely on: where both are run, the first comes before the second at least once.
pub static ORDER: &[(Pass, Pass, &str)] = &[
    (Pass::Sroa, Pass::Gvn, "values, not slots, are numbered"),
    (
        Pass::Gvn,
        Pass::SpecialFloats,
        "`x != x` compares one value",
    ),
    (
        Pass::SpecialFloats,
        Pass::Inline,
        "tests that inlining decides were asked all the same",
    ),
    (
        Pass::Inline,
        Pass::Frames,
        "the frame is made where it is used",
    ),
    (
        Pass::Inline,
        Pass::DeadErrors,
        "what a callee raises, its caller may handle",
    ),
    (
        Pass::LateKeeps,
        Pass::DeadErrors,
        "what is raised where it is kept is raised nowhere else",
    ),
    (
        Pass::DeadErrors,
        Pass::IfConvert,
        "sides that raise nothing are selected",
    ),
    (
        Pass::Frames,
        Pass::JumpThreading,
        "the state of a generator is a constant on most edges",
    ),
    (
        Pass::Gvn,
        Pass::Inline,
        "small bodies are small after folding",
    ),
    (Pass::Gvn, Pass::JumpThreading, "equal tests are one value"),
    (Pass::JumpThreading, Pass::Ranges, "a loop tests once"),
    (
        Pass::JumpThreading,
        Pass::RotateLoops,
        "that test alone is copied",
    ),
    (
        Pass::JumpThreading,
        Pass::MergeInductions,
        "induction variables step on one path",
    ),
    (
        Pass::MergeInductions,
        Pass::Ranges,
        "a test of one induction variable tells about all",
    ),
    (
        Pass::Sink,
        Pass::Ranges,
        "where only one side of a test needs a value, the test tells about it",
    ),
    (
        Pass::Ranges,
        Pass::RotateLoops,
        "a test at the top dominates the body",
    ),
    (
        Pass::Ranges,
        Pass::IfConvert,
        "what a side is short of is known",
    ),
    (
        Pass::Sink,
        Pass::RotateLoops,
        "only the test itself is copied",
    ),
    (
        Pass::RotateLoops,
        Pass::Licm,
        "a body after its test runs in every iteration",
    ),
    (
        Pass::Inline,
        Pass::StackChecks,
        "one check covers all inlined levels",
    ),
    (
        Pass::StackChecks,
        Pass::Licm,
        "who calls in a loop asks for the limit once",
    ),
    (Pass::Guards, Pass::DeferDivChecks, "few tests are left"),
    (
        Pass::Licm,
        Pass::DeferDivChecks,
        "addresses depend on induction variables",
    ),
    (
        Pass::Licm,
        Pass::VersionLoops,
        "what is invariant stands outside of both loops",
    ),
    (
        Pass::RotateLoops,
        Pass::VersionLoops,
        "the test before the loop stays one",
    ),
    (
        Pass::Dce,
        Pass::PlaceRefs,
        "a dead copy of a reference is no last use",
    ),
    (
        Pass::RotateLoops,
        Pass::Safepoints,
        "a loop tests its induction variable at the latch",
    ),
    (
        Pass::VersionLoops,
        Pass::Safepoints,
        "a strip-mined loop has a loop in it, and is not copied",
    ),
    (
        Pass::Ranges,
        Pass::FloorDivisions,
        "what is never negative is divided as it is",
    ),
    (
        Pass::Safepoints,
        Pass::FloorDivisions,
        "a loop that divides what it carries ends soon",
    ),
    (
        Pass::Safepoints,
        Pass::PlaceRefs,
        "what leaves a loop gives its references up",
    ),
    (Pass::RotateLoops, Pass::Unroll, "a short loop is one block"),
    (
        Pass::Ranges,
        Pass::Unroll,
        "an index needs no sign test, four times",
    ),
    (
        Pass::IfConvertFloats,
        Pass::SelectToBranch,
        "what is kept is selected",
    ),
    (
        Pass::Vectorize,
        Pass::StreamCompaction,
        "what can be a vector is one",
    ),
    (
        Pass::Vectorize,
        Pass::PollInnerLoops,
        "an inner loop is a vector loop first, and knows its trip count",
    ),
    (
        Pass::PlaceRefs,
        Pass::PollInnerLoops,
        "a poll in an inner loop exits as the next poll after it does",
    ),
    (
        Pass::SelectToBranch,
        Pass::StreamCompaction,
        "what is kept has its branch",
    ),
    (
        Pass::HoistDivChecks,
        Pass::VersionStrides,
        "tests that a loop makes first have left it",
    ),
    (
        Pass::PlaceRefs,
        Pass::SinkColdBlocks,
        "error edges get blocks of their own",
    ),
];

/// Stops the compilation of this crate where lists that are run one after the other break a rule of [`ORDER`].
const fn check_order(lists: &[&Pipeline]) {
    let mut row = 0;
    while row < ORDER.len() {
        let (before, after, reason) = ORDER[row];
        let (mut first, mut last, mut at) = (None, None, 0);
        let mut n = 0;
        while n < lists.len() {
            let mut k = 0;
            while k < lists[n].passes.len() {
                let pass = lists[n].passes[k];
                if pass as u8 == before as u8 && first.is_none() {
                    first = Some(at);
                }
                if pass as u8 == after as u8 {
                    last = Some(at);
                }
                at += 1;
                k += 1;
            }
            n += 1;
        }
        if let (Some(first), Some(last)) = (first, last)
            && first > last
        {
            panic!("{}", reason);
        }
        row += 1;
    }
}

const _: () = {
    check_order(&[&HOST, &CRANELIFT]);
    check_order(&[&HOST, &LLVM]);
    check_order(&[&DEVICE, &HOST_THREADS]);
};

/// What one run of a pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassRun {
    pub pass: Pass,
    pub changed: bool,
    pub took: Duration,
}

impl Pipeline {
    /// Runs on a verified module.
    pub fn run(&self, module: &mut Module) {
        let mut known = Known::default();
        for pass in self.passes {
            pass.run_knowing(module, &mut known);
        }
    }

    /// Runs on a module, which it verifies after each pass, together with what passes are told of it.
    ///
    /// # Errors
    /// The first pass after which the module breaks a rule.
    pub fn run_verified(&self, module: &mut Module) -> Result<(), PassError> {
        self.run_knowing(module, Known::checked(), |_, _| ())
    }

    /// Runs on a module, which it verifies and shows after each pass.
    ///
    /// # Errors
    /// The first pass after which the module breaks a rule.
    pub fn run_observed(
        &self,
        module: &mut Module,
        observe: impl FnMut(PassRun, &Module),
    ) -> Result<(), PassError> {
        self.run_knowing(module, Known::default(), observe)
    }

    fn run_knowing(
        &self,
        module: &mut Module,
        mut known: Known,
        mut observe: impl FnMut(PassRun, &Module),
    ) -> Result<(), PassError> {
        let mut phase = self.from;
        for &pass in self.passes {
            let start = Instant::now();
            let changed = pass.run_knowing(module, &mut known);
            let took = start.elapsed();
            phase = pass.leads_to(phase);
            verify(module, phase).map_err(|errors| PassError { pass, errors })?;
            if known.take_wrong() {
                return Err(PassError {
                    pass,
                    errors: vec![stale()],
                });
            }
            if let Some((func, message)) = known.take_fault() {
                let error = VerifyError {
                    rule: "result",
                    place: Location::Function(func),
                    message,
                };
                return Err(PassError {
                    pass,
                    errors: vec![error],
                });
            }
            let run = PassRun {
                pass,
                changed,
                took,
            };
            observe(run, module);
        }
        Ok(())
    }
}

/// A pass that did not say what it changed.
fn stale() -> VerifyError {
    VerifyError {
        rule: "analyses",
        place: Location::Module,
        message: "what was known of a function is not so".to_owned(),
    }
}

/// The module is wrong after a pass.
#[derive(Clone, Debug)]
pub struct PassError {
    pub pass: Pass,
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
