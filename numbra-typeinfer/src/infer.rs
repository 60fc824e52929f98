//! The entry point.

use crate::context::Cx;
use crate::network::Network;
use crate::program::{Key, Program, Source, State, first_error, solve};
use crate::trace;
use crate::{Host, codes};
use numbra_base::{Diagnostic, ErrorClass};
use numbra_ir::lattice::Promotion;
use numbra_ir::{
    ArgKind, Callee, EntityRef, Func, Instance, InstanceOrigin, PrimaryMap, Type, TypeKind,
    TypedProgram, Types,
};
use numbra_library::Library;

/// What a compilation asks of inference.
#[derive(Clone)]
pub struct Options<'a> {
    /// Whose rules promote scalars.
    pub promotion: Promotion,
    /// `locals={'x': float64}`: types of variables by name, in all their versions.
    pub locals: Vec<(String, Type)>,
    /// The code is for a GPU: bodies of the library that are for it come first.
    pub device: bool,
    /// The stencils that the function calls run in parallel.
    pub parallel_stencils: bool,
    /// The declared return type.
    pub ret: Option<Type>,
    /// What the function is, so that calls of itself are recognised.
    pub origin: Option<InstanceOrigin>,
    /// Receives the text of `NUMBA_DEBUG_TYPEINFER`.
    pub trace: Option<&'a dyn Fn(&str)>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            promotion: Promotion::Numba,
            locals: Vec::new(),
            device: false,
            parallel_stencils: false,
            ret: None,
            origin: None,
            trace: None,
        }
    }
}

/// The outcome of [`infer_full`].
#[derive(Clone, PartialEq, Debug)]
pub struct Inference {
    /// The typed program, when there is no error.
    pub program: Option<TypedProgram>,
    /// Errors: the cause first.
    pub diagnostics: Vec<Diagnostic>,
    /// Parameters that must be literals for the function to compile: try again with literal types of their values.
    pub force_literal: Vec<usize>,
    /// Evaluations of statements: the work done, for tests of how it grows.
    pub steps: u64,
}

/// Infers the types of a function called with `args` (one per parameter), and of every function that it calls.
///
/// The result is a program of which every operation has a callee by id, or diagnostics. It never panics.
///
/// ```text
/// function f(n):                            function f(n: int64) -> float64:
///   n = arg(0, name=n)                        n: int64 = arg(0, name=n)
///   $1 = const(float, 0.5)             =>     $1: float64 = const(float, 0.5)
///   $2 = n * $1                               $2: float64 = n * $1 ; calls operator.mul#0 (float64, float64) -> float64
///   return $2                                 return $2
/// ```
///
/// Branches on conditions that follow from types alone are gone from the result, as are blocks that only they reach.
pub fn infer(
    func: Func,
    args: &[Type],
    lib: &Library,
    host: &dyn Host,
    types: &Types,
    opts: &Options<'_>,
) -> (Option<TypedProgram>, Vec<Diagnostic>) {
    let inference = infer_full(func, args, lib, host, types, opts);
    (inference.program, inference.diagnostics)
}

/// [`infer`], with literal requests.
pub fn infer_full(
    func: Func,
    args: &[Type],
    lib: &Library,
    host: &dyn Host,
    types: &Types,
    opts: &Options<'_>,
) -> Inference {
    let failed = |diagnostic: Diagnostic| Inference {
        program: None,
        diagnostics: vec![diagnostic],
        force_literal: Vec::new(),
        steps: 0,
    };
    if let Some(bad) = Network::malformed(&func) {
        return failed(bad);
    }
    let args = match fit_arguments(&func, args, types) {
        Ok(args) => args,
        Err(diagnostic) => return failed(*diagnostic),
    };
    let mut cx = Cx {
        types,
        lib,
        host,
        opts,
        program: Program::default(),
    };
    let origin = opts
        .origin
        .clone()
        .unwrap_or_else(|| InstanceOrigin::Text(func.name.clone()));
    let source = match &origin {
        InstanceOrigin::Dispatcher(id) => Source::Dispatcher(*id),
        InstanceOrigin::Overload(id) => Source::Overload(*id),
        InstanceOrigin::Prelude(row, body) => Source::Prelude(*row, *body),
        InstanceOrigin::Closure(_) | InstanceOrigin::Text(_) => Source::Root,
    };
    let name = func.name.clone();
    let root = cx
        .program
        .entry(Key { source, args }, origin, &name, || Ok(func));
    solve(&mut cx, root);
    if let Some(diagnostic) = first_error(&cx, root) {
        let force_literal = match &cx.program.entries[root].state {
            State::Failed(failure) => failure.force_literal.clone(),
            State::New | State::Active(_) | State::Provisional(_) | State::Done => Vec::new(),
        };
        return Inference {
            force_literal,
            steps: cx.program.steps,
            ..failed(diagnostic)
        };
    }
    match assemble(&mut cx, root) {
        Some(program) => {
            if let Some(trace) = opts.trace {
                trace(&trace::tables(
                    &program.functions[program.root].1,
                    lib,
                    types,
                ));
            }
            Inference {
                program: Some(program),
                diagnostics: Vec::new(),
                force_literal: Vec::new(),
                steps: cx.program.steps,
            }
        }
        None => failed(Diagnostic::error(
            codes::INTERNAL,
            ErrorClass::InternalError,
            format!("inference of `{name}` ended without a result"),
            numbra_base::Span::NONE,
        )),
    }
}

/// One type per parameter: missing trailing ones take their defaults.
fn fit_arguments(func: &Func, args: &[Type], types: &Types) -> Result<Vec<Type>, Box<Diagnostic>> {
    let mut fitted = args.to_vec();
    for spec in func.args.iter().skip(args.len()) {
        match (&spec.default, spec.kind) {
            (Some(default), _) => fitted.push(types.intern(TypeKind::Omitted(default.clone()))),
            (None, ArgKind::VarPositional) => {
                fitted.push(types.intern(TypeKind::StarArgTuple(Vec::new())));
            }
            (None, _) => break,
        }
    }
    let (expected, got) = (func.args.len(), args.len());
    if fitted.len() == expected {
        return Ok(fitted);
    }
    let few = got < expected;
    Err(Box::new(
        Diagnostic::error(
            codes::BAD_ARGUMENTS,
            ErrorClass::TypeError,
            format!("`{}` takes {expected} arguments, {got} given", func.name),
            func.span,
        )
        .with_numba_phrase(if few {
            format!("not enough arguments: expected {expected}, got {got}")
        } else {
            format!("too many arguments: expected {expected}, got {got}")
        }),
    ))
}

/// Numbers the functions that the root needs and points calls at them.
fn assemble(cx: &mut Cx<'_>, root: usize) -> Option<TypedProgram> {
    let order = cx.program.reachable(root);
    let mut number = vec![None; cx.program.entries.len()];
    for (i, at) in order.iter().enumerate() {
        number[*at] = Some(Instance::new(i));
    }
    let mut functions = PrimaryMap::with_capacity(order.len());
    for at in order {
        let entry = &mut cx.program.entries[at];
        let mut typed = *entry.typed.take()?;
        for inst in typed.func.insts.keys() {
            if let Some(call) = &mut typed.calls[inst]
                && let Callee::Instance(callee) | Callee::Map(callee) = &mut call.callee
            {
                *callee = number.get(callee.index()).copied().flatten()?;
            }
        }
        let mut origin = entry.origin.clone();
        if let InstanceOrigin::Text(name) = &mut origin {
            name.clone_from(&entry.name);
        }
        functions.push((origin, typed));
    }
    Some(TypedProgram {
        functions,
        root: number[root]?,
    })
}
