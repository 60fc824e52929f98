//! Stencils: a call of one is a call of the loops that [`numbra_ir::stencil`] makes for these argument types.
//!
//! The kernel is a function of the program like any other. It is inferred first, as its result type is that of the elements.

use crate::closures::open_body;
use crate::codes;
use crate::context::Cx;
use crate::eval::Eval;
use crate::failure::Failure;
use crate::fold::{Actual, Actuals, fold_specs};
use crate::network::Network;
use crate::program::{Key, Source};
use crate::report;
use crate::resolve::{Callee, Resolution, call_entry};
use crate::values::type_of_const;
use numbra_base::{Diagnostic, ErrorClass};
use numbra_ir::lattice::can_convert_with;
use numbra_ir::passes::PassContext;
use numbra_ir::stencil::{
    Distance, Kernel, STENCIL_FUNC, Stencil, StencilLoops, out_parameter, stencil_kernel,
    stencil_loops,
};
use numbra_ir::{
    CallArg, Const, DispatcherId, Expr, Func, Inst, InstanceOrigin, ObjDesc, ObjKind, Rhs, Type,
    TypeKind, Var,
};

/// A stencil that is called.
struct Called {
    name: String,
    /// The function that the user wrote, before the untyped passes.
    kernel: Func,
    /// Variables of the caller that the kernel reads, as its last parameters.
    captured: Vec<Var>,
    /// How far it reaches along each axis.
    reach: Option<Vec<(Bound, Bound)>>,
    /// What is added to the place of an element.
    offsets: Vec<Bound>,
    standard_indexing: Vec<String>,
    cval: Option<Actual>,
}

/// A distance as a call says it.
#[derive(Clone, Copy)]
enum Bound {
    Known(i64),
    /// A variable of the caller.
    Var(Var),
}

fn bad(net: &Network, inst: Inst, message: impl Into<String>) -> Diagnostic {
    let class = ErrorClass::NumbaValueError;
    Diagnostic::error(codes::BAD_STENCIL, class, message, net.span(inst))
}

fn failed(diagnostic: Diagnostic) -> Resolution {
    Resolution::Failed(diagnostic.into())
}

/// `stencil(kernel, **options)` in compiled code: a value without a form at run time, whose calls come back to this one.
pub(crate) fn make(net: &mut Network, cx: &Cx<'_>, inst: Inst, actuals: &Actuals) -> Eval {
    const OPTIONS: [&str; 4] = ["neighborhood", "standard_indexing", "cval", "index_offsets"];
    let [kernel] = actuals.positional.as_slice() else {
        let phrase = "As a minimum Stencil requires a kernel as an argument";
        let message = "stencil() takes a kernel, and options by name";
        return bad(net, inst, message).with_numba_phrase(phrase).into();
    };
    if !matches!(cx.types.kind(kernel.ty), TypeKind::Closure { .. }) {
        let message = format!(
            "stencil() takes a local function, not {}",
            cx.plain(kernel.ty)
        );
        let help = "write the kernel as a lambda or a function in this one";
        return bad(net, inst, message).with_help(help).into();
    }
    let unknown = |(name, _): &&(String, Actual)| !OPTIONS.contains(&name.as_str());
    if let Some((name, _)) = actuals.keyword.iter().find(unknown) {
        let message = format!("Unknown stencil option {name}");
        let help = format!("options are {}", OPTIONS[..3].join(", "));
        return bad(net, inst, message).with_help(help).into();
    }
    let repr = format!("<class '{STENCIL_FUNC}'>");
    net.facts[inst].call = None;
    net.facts[inst].object = Some(Box::new(ObjDesc {
        name: STENCIL_FUNC.to_owned(),
        kind: ObjKind::Function,
        repr: repr.clone(),
        digest: None,
    }));
    Eval::Typed(cx.types.intern(TypeKind::Function {
        name: STENCIL_FUNC.to_owned(),
        repr,
    }))
}

/// A call of what [`make`] made.
pub(crate) fn call_made(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    actuals: &Actuals,
) -> Resolution {
    let Some((_, Rhs::Expr(Expr::Call { args, kws, .. }))) = net.source(func) else {
        let help = "call it in each branch";
        return failed(report::unsupported(
            net.span(inst),
            "stencil chosen at run time",
            help,
        ));
    };
    let (Some(&kernel), kws) = (args.first(), kws.clone()) else {
        return Resolution::NoMatch(Vec::new());
    };
    let (name, body, captured) = match open_body(net, cx, inst, kernel) {
        Ok(open) => open,
        Err(resolution) => return resolution,
    };
    let mut called = Called {
        name,
        kernel: body,
        captured,
        reach: None,
        offsets: Vec::new(),
        standard_indexing: Vec::new(),
        cval: None,
    };
    for (name, var) in &kws {
        let Some(ty) = net.type_of(*var) else {
            return Resolution::Recursive;
        };
        let understood = match name.as_str() {
            "neighborhood" => pairs(net, cx, *var)
                .map(|reach| called.reach = Some(reach))
                .ok_or("stencil neighborhood option should be a tuple with constant structure such as ((-w, w),)"),
            "index_offsets" => items(net, cx, *var)
                .map(|offsets| called.offsets = offsets)
                .ok_or("stencil index_offsets option should be a tuple with constant structure such as (offset, )"),
            "standard_indexing" => names(net, cx, *var)
                .map(|names| called.standard_indexing = names)
                .ok_or("stencil standard_indexing option should be a tuple or list of constant names"),
            _ => {
                let arg = match net.constant(cx, *var) {
                    Some(constant) => CallArg::Default(constant),
                    None => CallArg::Var(*var),
                };
                called.cval = Some(Actual { arg, ty: cx.types.unliteral(ty) });
                Ok(())
            }
        };
        if let Err(phrase) = understood {
            return failed(bad(net, inst, phrase));
        }
    }
    call(net, cx, inst, func, called, actuals)
}

/// A call of a stencil that Python made.
pub(crate) fn call_dispatcher(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    id: DispatcherId,
    name: &str,
    actuals: &Actuals,
) -> Resolution {
    let (stencil, kernel) = match cx.host.stencil(id) {
        Ok(found) => found,
        Err(error) => {
            return Resolution::Failed(report::host_error(&error, name, net.span(inst)));
        }
    };
    let Stencil {
        neighborhood,
        standard_indexing,
        cval,
    } = stencil;
    let known = |(down, up): (i64, i64)| (Bound::Known(down), Bound::Known(up));
    let cval = cval.and_then(|border| {
        let own = || type_of_const(cx.types, cx.opts.promotion, &border.value);
        let ty = border.ty.or_else(own)?;
        Some(Actual {
            ty: cx.types.unliteral(ty),
            arg: CallArg::Default(border.value),
        })
    });
    let called = Called {
        name: name.to_owned(),
        kernel,
        captured: Vec::new(),
        reach: neighborhood.map(|all| all.into_iter().map(known).collect()),
        offsets: Vec::new(),
        standard_indexing,
        cval,
    };
    call(net, cx, inst, func, called, actuals)
}

/// The parts of a tuple that is a constant or built here.
fn parts(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Vec<Result<Const, Var>>> {
    if let Some(constant) = net.constant(cx, var) {
        return match constant {
            Const::Tuple(items) => Some(items.into_iter().map(Ok).collect()),
            _ => None,
        };
    }
    match net.source(var)?.1 {
        Rhs::Expr(Expr::BuildTuple(items) | Expr::BuildList(items)) => {
            Some(items.iter().map(|item| Err(*item)).collect())
        }
        _ => None,
    }
}

fn bound(net: &Network, cx: &Cx<'_>, part: Result<Const, Var>) -> Option<Bound> {
    let is_int = |var: Var| {
        let scalar = cx.types.as_scalar(cx.types.unliteral(net.type_of(var)?));
        scalar.filter(|scalar| scalar.is_int())
    };
    match part {
        Ok(constant) => constant.as_int().map(Bound::Known),
        Err(var) => match net.constant(cx, var) {
            Some(constant) => constant.as_int().map(Bound::Known),
            None => is_int(var).map(|_| Bound::Var(var)),
        },
    }
}

/// `(offset, ..)`
fn items(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Vec<Bound>> {
    let parts = parts(net, cx, var)?.into_iter();
    parts.map(|part| bound(net, cx, part)).collect()
}

/// `((down, up), ..)`
fn pairs(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Vec<(Bound, Bound)>> {
    let pair = |part: Result<Const, Var>| {
        let ends = match part {
            Ok(Const::Tuple(ends)) => ends.into_iter().map(Ok).collect(),
            Ok(_) => return None,
            Err(var) => self::parts(net, cx, var)?,
        };
        match <[Result<Const, Var>; 2]>::try_from(ends) {
            Ok([down, up]) => Some((bound(net, cx, down)?, bound(net, cx, up)?)),
            Err(_) => None,
        }
    };
    parts(net, cx, var)?.into_iter().map(pair).collect()
}

/// `("name", ..)`
fn names(net: &Network, cx: &Cx<'_>, var: Var) -> Option<Vec<String>> {
    let name = |part: Result<Const, Var>| match part {
        Ok(Const::Str(name)) => Some(name),
        Ok(_) => None,
        Err(var) => match net.constant(cx, var)? {
            Const::Str(name) => Some(name),
            _ => None,
        },
    };
    match net.constant(cx, var) {
        Some(Const::Str(one)) => Some(vec![one]),
        _ => parts(net, cx, var)?.into_iter().map(name).collect(),
    }
}

fn call(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    called: Called,
    actuals: &Actuals,
) -> Resolution {
    let name = called.name.clone();
    let origin = InstanceOrigin::Closure(name.clone());
    let in_kernel = |net: &Network, cx: &Cx<'_>, diagnostic: Diagnostic| {
        let failure = Failure::new(diagnostic);
        Resolution::Failed(report::in_callee(net, cx, inst, &origin, &name, &failure))
    };

    let mut specs = called.kernel.args.clone();
    specs.truncate(specs.len() - called.captured.len());
    specs.push(out_parameter());
    let mut args = match fold_specs(cx.types, &specs, actuals) {
        Ok(folded) => folded,
        Err(error) => {
            let callee = net.type_of(func).unwrap_or(Type::UNDEFINED);
            let failure =
                report::cannot_bind(net, cx, inst, callee, &name, &specs, actuals, &error);
            return failed(failure);
        }
    };
    let out = args.pop().filter(|out| !is_none(cx, out.ty));
    let parallel = (cx.program).has_parallel_stencils(cx.host, cx.opts.parallel_stencils);
    // As in Numba, which looks at the values of arguments where it makes the loops parallel.
    let constant = |arg: &Actual| match cx.types.kind(arg.ty) {
        TypeKind::Literal(value @ Const::Int(_)) if parallel => Some(value.clone()),
        _ => None,
    };
    let constants: Vec<Option<Const>> = args.iter().map(constant).collect();
    for arg in &mut args {
        if let TypeKind::Omitted(default) = cx.types.kind(arg.ty)
            && let Some(ty) = type_of_const(cx.types, cx.opts.promotion, default)
        {
            arg.ty = ty;
        }
        arg.ty = cx.types.unliteral(arg.ty);
    }
    for var in &called.captured {
        let ty = net.type_of(*var).map(|ty| cx.types.unliteral(ty));
        args.push(Actual {
            arg: CallArg::Var(*var),
            ty: ty.unwrap_or(Type::UNDEFINED),
        });
    }

    let arrays: Vec<_> = args.iter().map(|arg| cx.types.as_array(arg.ty)).collect();
    let Some(first) = arrays
        .first()
        .copied()
        .flatten()
        .filter(|first| first.ndim > 0)
    else {
        let given = args
            .first()
            .map_or_else(|| "nothing".to_owned(), |arg| cx.plain(arg.ty));
        let message = format!("the first argument of a stencil is an array with axes, not {given}");
        let phrase = "The first argument to a stencil kernel must be the primary input array.";
        return failed(bad(net, inst, message).with_numba_phrase(phrase));
    };
    let ndim = usize::from(first.ndim);
    if parallel
        && args
            .iter()
            .any(|arg| cx.types.tuple_items(arg.ty).is_some())
    {
        let message =
            "Tuple parameters are not supported for stencil kernels in parallel=True mode.";
        let help = "give the kernel the items of the tuple";
        return failed(bad(net, inst, message).with_help(help));
    }
    if let Some(diagnostic) = unfit(net, inst, &called, ndim) {
        return failed(diagnostic);
    }

    let is_relative = |n: usize| {
        let name = called.kernel.args.get(n).map(|spec| &spec.name);
        arrays[n].is_some() && name.is_none_or(|name| !called.standard_indexing.contains(name))
    };
    let relative: Vec<bool> = (0..args.len()).map(is_relative).collect();
    let mut kernel = called.kernel;
    let params: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
    let shape = Kernel {
        arrays: &arrays.iter().map(Option::is_some).collect::<Vec<bool>>(),
        relative: &relative,
        constants: &constants,
        ndim,
    };
    let reach = match stencil_kernel(&mut kernel, &shape, &PassContext::new(cx.types, &params)) {
        Ok(reach) => reach,
        Err(errors) => {
            let first = errors.into_iter().next();
            let first = first.unwrap_or_else(|| bad(net, inst, "the kernel is none"));
            return in_kernel(net, cx, first);
        }
    };
    let other = |n: &&usize| arrays[**n].is_some_and(|array| usize::from(array.ndim) != ndim);
    if let Some(n) = reach.accessed.iter().find(other) {
        let name = &kernel.args[*n].name;
        let message = format!("`{name}` has not as many axes as the first array of the stencil");
        let phrase = "Secondary stencil array does not have same number  of dimensions as the first stencil input.";
        let help = format!(
            "name it in standard_indexing=(\"{name}\",) if its subscripts count from its start"
        );
        return failed(
            bad(net, inst, message)
                .with_numba_phrase(phrase)
                .with_help(help),
        );
    }
    let mut given = Vec::new();
    let mut distance = |bound: Bound| match bound {
        Bound::Known(known) => Distance::Known(known),
        Bound::Var(var) => {
            given.push(var);
            Distance::Given(given.len() as u32 - 1)
        }
    };
    let offsets: Vec<Distance> = called.offsets.iter().map(|by| distance(*by)).collect();
    let distances: Vec<(Distance, Distance)> = match (called.reach, reach.distances) {
        (Some(reach), _) => {
            let both = |(down, up)| (distance(down), distance(up));
            reach.into_iter().map(both).collect()
        }
        (None, Err(unknown)) => return in_kernel(net, cx, *unknown),
        (None, Ok(distances)) => {
            let mut moved = Vec::with_capacity(ndim);
            for (axis, (down, up)) in distances.into_iter().enumerate() {
                match offsets.get(axis) {
                    None => moved.push((Distance::Known(down), Distance::Known(up))),
                    Some(Distance::Known(by)) => moved.push((
                        Distance::Known(down.saturating_add(*by)),
                        Distance::Known(up.saturating_add(*by)),
                    )),
                    Some(Distance::Given(_)) => {
                        let phrase =
                            "stencil kernel index is not constant, 'neighborhood' option required";
                        let message = "the offsets of the stencil's subscripts are not constant";
                        return failed(bad(net, inst, message).with_numba_phrase(phrase));
                    }
                }
            }
            moved
        }
    };

    let ret = match kernel_result(net, cx, inst, &kernel, &params, ndim, &name) {
        Ok(ret) => ret,
        Err(resolution) => return resolution,
    };
    if let Some(diagnostic) = no_element(net, cx, inst, ret, called.cval.as_ref()) {
        return failed(diagnostic);
    }
    let out_array = match &out {
        None => None,
        Some(out) => match cx.types.as_array(out.ty) {
            Some(array) if usize::from(array.ndim) == ndim && array.mutable => Some(array),
            _ => return failed(bad_out(net, cx, inst, out.ty, ndim)),
        },
    };

    // What the loops are given: arguments of the kernel, the result, the border, distances.
    let fills = out.is_none() || called.cval.is_some();
    let loops = stencil_loops(&StencilLoops {
        kernel: &kernel,
        parallel,
        reach: &distances,
        offsets: &offsets,
        accessed: &reach.accessed,
        element: out.is_none().then_some(ret),
        fills,
        given: given.len() as u32,
    });
    args.extend(out);
    if fills {
        let cval = called.cval.map(|cval| cval.arg);
        args.push(Actual {
            arg: cval.unwrap_or(CallArg::Default(Const::Int(0))),
            ty: out_array.map_or(ret, |out| out.dtype),
        });
    }
    args.extend(given.into_iter().map(|var| Actual {
        arg: CallArg::Var(var),
        ty: Type::INT64,
    }));
    let name = loops.name.clone();
    let callee = Callee {
        key: Key {
            source: Source::Closure(cx.program.closure(loops.clone(), None)),
            args: args.iter().map(|arg| arg.ty).collect(),
        },
        origin: InstanceOrigin::Closure(name.clone()),
        name: &name,
    };
    let args = args.into_iter().map(|arg| arg.arg).collect();
    call_entry(net, cx, inst, callee, args, move |_, _| Ok(loops))
}

fn is_none(cx: &Cx<'_>, ty: Type) -> bool {
    matches!(
        cx.types.kind(ty),
        TypeKind::None | TypeKind::Omitted(Const::None)
    )
}

/// What of a stencil does not fit its kernel, or the axes of its first array.
fn unfit(net: &Network, inst: Inst, called: &Called, ndim: usize) -> Option<Diagnostic> {
    let neighborhood = called.reach.as_ref().map(Vec::len);
    let offsets = Some(called.offsets.len()).filter(|n| *n > 0);
    let named = [("neighborhood", neighborhood), ("index_offsets", offsets)];
    for (what, count) in named {
        if let Some(count) = count.filter(|count| *count != ndim) {
            let message =
                format!("{count} dimensional {what} specified for {ndim} dimensional input array");
            return Some(bad(net, inst, message));
        }
    }
    let params = &called.kernel.args;
    let standard = &called.standard_indexing;
    if params
        .first()
        .is_some_and(|first| standard.contains(&first.name))
    {
        let message = "The first argument to a stencil kernel must use relative indexing, not standard indexing.";
        return Some(bad(net, inst, message));
    }
    let is_param = |name: &&String| params.iter().any(|spec| spec.name == **name);
    let unknown = standard.iter().find(|name| !is_param(name))?;
    let message = format!("standard_indexing names `{unknown}`, which the kernel has not");
    let phrase = "Standard indexing requested for an array name not present in the stencil kernel definition.";
    Some(bad(net, inst, message).with_numba_phrase(phrase))
}

/// The result type of a kernel, or what must happen before it is known.
fn kernel_result(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    kernel: &Func,
    params: &[Type],
    ndim: usize,
    name: &str,
) -> Result<Type, Resolution> {
    let places = std::iter::repeat_n(Type::INT64, ndim);
    let callee = Callee {
        key: Key {
            source: Source::Closure(cx.program.closure(kernel.clone(), net.reader.clone())),
            args: params.iter().copied().chain(places).collect(),
        },
        origin: InstanceOrigin::Closure(name.to_owned()),
        name,
    };
    let body = kernel.clone();
    let found = call_entry(net, cx, inst, callee, Vec::new(), move |cx, types| {
        cx.host.prepare(body, types, cx.types)
    });
    match found {
        Resolution::Found(found) => Ok(cx.types.unliteral(found.sig.ret)),
        other => Err(other),
    }
}

/// Why what a kernel returns is no element of the result, or the border's number none.
fn no_element(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    ret: Type,
    cval: Option<&Actual>,
) -> Option<Diagnostic> {
    let is_number = cx.types.as_scalar(ret).is_some() || cx.types.as_time(ret).is_some();
    if !is_number {
        let message = format!("a kernel returns one number, not {}", cx.plain(ret));
        let phrase = "Stencil kernel must return a scalar and not a numpy array.";
        return Some(bad(net, inst, message).with_numba_phrase(phrase));
    }
    let cval = cval
        .filter(|cval| can_convert_with(cx.types, cx.host.ext_rules(), cval.ty, ret).is_none())?;
    let message = format!(
        "cval is {}, the stencil's elements are {}",
        cx.plain(cval.ty),
        cx.plain(ret)
    );
    let phrase = "cval type does not match stencil return type.";
    Some(bad(net, inst, message).with_numba_phrase(phrase))
}

/// A result that is not an array to be written, of as many axes as the first one.
fn bad_out(net: &Network, cx: &Cx<'_>, inst: Inst, out: Type, ndim: usize) -> Diagnostic {
    let shown = cx.plain(out);
    let axes = if ndim == 1 { "axis" } else { "axes" };
    let message = format!("out is an array of {ndim} {axes} that may be written, not {shown}");
    match cx.types.as_array(out) {
        Some(array) if !array.mutable => bad(net, inst, message).with_numba_phrase(format!(
            "Cannot modify readonly array of type: {}",
            cx.show(out)
        )),
        _ => bad(net, inst, message),
    }
}
