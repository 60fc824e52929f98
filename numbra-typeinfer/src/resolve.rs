//! Overload resolution: which body of which row, user overload or function a call runs, and at which types.

use crate::closures;
use crate::context::{Cx, is_too_large};
use crate::failure::Failure;
use crate::fold::{Actual, Actuals, fold_row, fold_specs};
use crate::host::{HostError, OverloadBody, OverloadQuery, OverloadTarget};
use crate::initial::with_initial;
use crate::network::Network;
use crate::program::{Key, Lookup, Source, join};
use crate::report;
use numbra_ir::lattice::{Operand, Promotion, Rating, operand, rate, weak_result_type};
use numbra_ir::{
    BodyIx, CallArg, Const, Flavor, Func, Inst, InstanceOrigin, RowId, Scalar, Signature, Type,
    TypeKind,
};
use numbra_library::{
    Body, Case, Code, Mismatch, ResultCx, ResultRule, Row, ScalarCode, Takes, native,
};

/// What a call runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Row(RowId, BodyIx),
    /// An entry of the program.
    Entry(usize),
    /// An entry of the program, for each element of the operands.
    Map(usize),
}

/// A resolved call.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Resolved {
    pub(crate) target: Target,
    pub(crate) sig: Signature,
    pub(crate) args: Vec<CallArg>,
    /// Entries that must be in the program beside the target.
    pub(crate) needs: Vec<usize>,
    /// The call may be dropped when its result is a constant.
    pub(crate) removable: bool,
}

/// Why one candidate does not take the arguments.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Rejection {
    /// The candidate, for readers: `add(int64, int64) -> int64`.
    pub(crate) candidate: String,
    /// Why not; empty when the types just do not match.
    pub(crate) reason: String,
    /// How near it was: conversions that fit. More is nearer.
    pub(crate) nearness: usize,
}

/// The outcome of resolution.
pub(crate) enum Resolution {
    Found(Box<Resolved>),
    /// This entry must be inferred first.
    Needs(usize),
    /// The callee is in recursion and its result is not known yet.
    Recursive,
    /// No candidate fits.
    NoMatch(Vec<Rejection>),
    /// The call is wrong in a way that needs no list of candidates.
    Failed(Box<Failure>),
}

/// Resolves a call of a function by qualified name: users' overloads first, then the library.
pub(crate) fn resolve_name(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    name: &str,
    actuals: &Actuals,
) -> Resolution {
    let user = resolve_overload(net, cx, inst, OverloadTarget::Function(name), actuals);
    if let Some(resolution) = user {
        return resolution;
    }
    match cx.lib.lookup(name) {
        Some(row) => resolve_row(net, cx, inst, row, actuals),
        None => Resolution::NoMatch(Vec::new()),
    }
}

/// Resolves a call of a row of the library. Optional arguments are unwrapped when no body takes them as they are.
pub(crate) fn resolve_row(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    id: RowId,
    actuals: &Actuals,
) -> Resolution {
    let row = cx.lib.row(id);
    let folded = match fold_row(cx.types, row.params, actuals) {
        Ok(folded) => folded,
        Err(error) => {
            return Resolution::NoMatch(vec![Rejection {
                candidate: row.signature_text(),
                reason: error.signature_text(),
                nearness: 0,
            }]);
        }
    };
    let given: Vec<Type> = folded.iter().map(|a| a.ty).collect();
    let first = try_bodies(net, cx, inst, id, row, &folded, &given);
    let Resolution::NoMatch(rejections) = first else {
        return first;
    };
    let unwrapped: Vec<Type> = given.iter().map(|ty| unwrap_optional(cx, *ty)).collect();
    if unwrapped != given {
        let second = try_bodies(net, cx, inst, id, row, &folded, &unwrapped);
        if !matches!(second, Resolution::NoMatch(_)) {
            return second;
        }
    }
    Resolution::NoMatch(rejections)
}

fn unwrap_optional(cx: &Cx<'_>, ty: Type) -> Type {
    match cx.types.kind(ty) {
        TypeKind::Optional(inner) => *inner,
        _ => ty,
    }
}

fn try_bodies(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    id: RowId,
    row: &'static Row,
    folded: &[Actual],
    given: &[Type],
) -> Resolution {
    let mut rejections = Vec::new();
    if let Some(found) = nep50_body(cx, id, row, folded, given) {
        return Resolution::Found(Box::new(found));
    }
    for (i, body) in row.bodies.iter().enumerate() {
        let ix = BodyIx(i as u16);
        if !body.runs_on(cx.opts.device) || body.since > cx.host.numpy_version() {
            continue;
        }
        if !body.applies(cx.types, given) {
            if !matches!(body.result, ResultRule::Cases(_)) {
                continue;
            }
            reject_cases(cx, row, body, given, &mut rejections);
            continue;
        }
        let found = match body_signature(cx, row, body, given) {
            Ok(sig) => found_body(net, cx, inst, (id, ix), row, body, folded, sig),
            Err(Mismatch::Rejected(reason)) => {
                if matches!(body.result, ResultRule::Cases(_)) {
                    reject_cases(cx, row, body, given, &mut rejections);
                } else {
                    rejections.push(Rejection {
                        candidate: row.signature_text(),
                        reason,
                        nearness: 1,
                    });
                }
                continue;
            }
            Err(Mismatch::Error(text)) => {
                let short = row.name.rsplit('.').next().unwrap_or(row.name);
                let text = text.replace("{name}", short);
                return Resolution::Failed(
                    report::rejected(net, cx, inst, row, given, &text).into(),
                );
            }
        };
        return found;
    }
    if rejections.is_empty() {
        rejections.push(Rejection {
            candidate: row.signature_text(),
            reason: String::new(),
            nearness: 0,
        });
    }
    Resolution::NoMatch(rejections)
}

/// The signature of a body; `None` in the result type's place is not possible: [`ResultRule::Infer`] gives `undefined`.
fn body_signature(
    cx: &Cx<'_>,
    row: &Row,
    body: &Body,
    given: &[Type],
) -> Result<Signature, Mismatch> {
    match body.result {
        ResultRule::Cases(cases) => match best_case(cx, cases, given) {
            Some(case) => Ok(Signature {
                params: case.params.iter().map(|s| cx.types.scalar(*s)).collect(),
                ret: cx.types.scalar(case.ret),
            }),
            None => Err(Mismatch::Rejected(String::new())),
        },
        ResultRule::Loops => match body.code {
            Code::Elementwise(ufunc) | Code::ElementwiseInPlace(ufunc) => {
                ufunc.signature(cx.types, given)
            }
            Code::Intrinsic(_) | Code::Native(_) | Code::Prelude(_) => {
                Err(Mismatch::Rejected("the row has no loops".to_owned()))
            }
        },
        ResultRule::Fn(rule) => {
            let takes = body.code.native().map(|native| native.takes);
            let signature = rule(&ResultCx {
                row: row.name,
                types: cx.types,
                args: given,
                ext: cx.host.ext_rules(),
                moves: takes == Some(Takes::Any),
                times: takes == Some(Takes::Ordered),
            })?;
            match takes {
                Some(Takes::Numbers) => numbers_only(cx, &signature, |_| false)?,
                Some(Takes::Ordered) => {
                    numbers_only(cx, &signature, |ty| native::is_of_times(cx.types, ty))?;
                }
                Some(Takes::Any) | None => {}
            }
            Ok(signature)
        }
        ResultRule::Infer => Ok(Signature {
            params: (given.iter().enumerate())
                .map(|(i, ty)| match body.when.get(i) {
                    Some(pattern) => pattern.as_passed(cx.types, *ty),
                    None => cx.types.unliteral(*ty),
                })
                .collect(),
            ret: Type::UNDEFINED,
        }),
    }
}

/// Refuses elements that native bodies do not compute with, but for those that this one knows.
fn numbers_only(
    cx: &Cx<'_>,
    signature: &Signature,
    knows: impl Fn(Type) -> bool,
) -> Result<(), Mismatch> {
    let bad = signature
        .params
        .iter()
        .chain([&signature.ret])
        .find(|ty| native::moves_only(cx.types, **ty) && !knows(**ty));
    match bad {
        Some(ty) => Err(Mismatch::rejected(format!(
            "the elements of {} are no numbers",
            cx.show(*ty)
        ))),
        None => Ok(()),
    }
}

/// The case with the cheapest conversions; the first of equals, as Numba's stable sort.
fn best_case(cx: &Cx<'_>, cases: &'static [Case], given: &[Type]) -> Option<&'static Case> {
    let actual: Vec<Type> = given
        .iter()
        .map(|ty| numbra_library::plain(cx.types, *ty))
        .collect();
    let mut best: Option<(Rating, &Case)> = None;
    for case in cases {
        let formal: Vec<Type> = case.params.iter().map(|s| cx.types.scalar(*s)).collect();
        let Some(rating) = rate(cx.types, cx.host.ext_rules(), &actual, &formal) else {
            continue;
        };
        if best.as_ref().is_none_or(|(least, _)| rating < *least) {
            best = Some((rating, case));
        }
    }
    best.map(|(_, case)| case)
}

/// Adds the cases of a body to the list of candidates.
fn reject_cases(
    cx: &Cx<'_>,
    row: &Row,
    body: &Body,
    given: &[Type],
    rejections: &mut Vec<Rejection>,
) {
    let ResultRule::Cases(cases) = body.result else {
        return;
    };
    let short = row.name.rsplit('.').next().unwrap_or(row.name);
    for case in cases {
        let formal: Vec<Type> = case.params.iter().map(|s| cx.types.scalar(*s)).collect();
        let bad = given
            .iter()
            .zip(&formal)
            .position(|(from, to)| !cx.converts(*from, *to));
        let reason = match bad {
            Some(i) => format!(
                "argument {} is {}, not {}",
                i + 1,
                cx.plain(given[i]),
                cx.plain(formal[i])
            ),
            None if formal.len() != given.len() => format!("takes {} arguments", formal.len()),
            None => String::new(),
        };
        let fitting = given
            .iter()
            .zip(&formal)
            .filter(|(from, to)| cx.converts(**from, **to))
            .count();
        rejections.push(Rejection {
            candidate: format!(
                "{short}({}) -> {}",
                cx.show_all(&formal),
                cx.show(cx.types.scalar(case.ret))
            ),
            reason,
            nearness: 2 + fitting * 2 + usize::from(formal.len() == given.len()),
        });
    }
}

/// Under NEP 50 an operator or ufunc on scalars, of which one at least is NumPy's, runs the loop of their common
/// type, not Numba's 64-bit case. Weak operands are converted first.
fn nep50_body(
    cx: &Cx<'_>,
    id: RowId,
    row: &'static Row,
    folded: &[Actual],
    given: &[Type],
) -> Option<Resolved> {
    if cx.opts.promotion != Promotion::Nep50 {
        return None;
    }
    let operands: Vec<Operand> = given
        .iter()
        .map(|ty| {
            let literal = matches!(cx.types.kind(*ty), TypeKind::Literal(_));
            operand(cx.types, *ty).map(|o| Operand {
                weak: o.weak || literal,
                ..o
            })
        })
        .collect::<Option<_>>()?;
    if operands.iter().all(|o| o.weak) {
        return None;
    }
    let common = cx.types.scalar(weak_result_type(&operands)?);
    let (i, ufunc) = row
        .bodies
        .iter()
        .enumerate()
        .find_map(|(i, body)| Some((i, body.code.elementwise()?)))?;
    // A weak operand takes the common type; an array keeps its own, which decides rank and layout.
    let strong: Vec<Type> = given
        .iter()
        .zip(&operands)
        .map(|(ty, o)| if o.weak { common } else { *ty })
        .collect();
    let sig = ufunc.signature(cx.types, &strong).ok()?;
    Some(Resolved {
        target: Target::Row(id, BodyIx(i as u16)),
        sig,
        args: folded.iter().map(|a| a.arg.clone()).collect(),
        needs: Vec::new(),
        removable: row.effects.is_removable(),
    })
}

#[expect(
    clippy::too_many_arguments,
    reason = "one step of try_bodies, split for length"
)]
fn found_body(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    (id, ix): (RowId, BodyIx),
    row: &'static Row,
    body: &'static Body,
    folded: &[Actual],
    mut sig: Signature,
) -> Resolution {
    let args: Vec<CallArg> = folded.iter().map(|a| a.arg.clone()).collect();
    match body.code {
        Code::Intrinsic(_) | Code::Native(_) => {
            if cx.opts.promotion == Promotion::Nep50 {
                sig.ret = weak_result(cx, body, folded, sig.ret);
            }
            Resolution::Found(Box::new(Resolved {
                target: Target::Row(id, ix),
                sig,
                args,
                needs: Vec::new(),
                removable: row.effects.is_removable(),
            }))
        }
        Code::Prelude(name) => {
            // What a row takes as `*args` its body may take as a tuple.
            let args = match (sig.params.as_slice(), args.len()) {
                ([tuple], 2..) if cx.types.tuple_items(*tuple).is_some() => {
                    vec![CallArg::Tuple(args)]
                }
                _ => args,
            };
            let callee = Callee {
                key: Key {
                    source: Source::Prelude(id, ix),
                    args: sig.params.clone(),
                },
                origin: InstanceOrigin::Prelude(id, ix),
                name: row.name,
            };
            call_entry(net, cx, inst, callee, args, |cx, types| {
                prelude_func(cx, name, types)
            })
        }
        Code::Elementwise(ufunc) | Code::ElementwiseInPlace(ufunc) => {
            let mut needs = Vec::new();
            if let Some(chosen) = ufunc.select(cx.types, &sig.params)
                && let ScalarCode::Prelude(name) = chosen.code
            {
                let callee = Callee {
                    key: Key {
                        source: Source::Prelude(id, ix),
                        args: chosen.ins,
                    },
                    origin: InstanceOrigin::Prelude(id, ix),
                    name: row.name,
                };
                let func = |cx: &Cx<'_>, types: &[Type]| prelude_func(cx, name, types);
                match call_entry(net, cx, inst, callee, Vec::new(), func) {
                    Resolution::Found(scalar) => {
                        if let Target::Entry(at) = scalar.target {
                            needs.push(at);
                        }
                    }
                    other => return other,
                }
            }
            Resolution::Found(Box::new(Resolved {
                target: Target::Row(id, ix),
                sig,
                args,
                needs,
                removable: row.effects.is_removable(),
            }))
        }
    }
}

/// Under NEP 50 an operation on Python scalars only gives a Python scalar.
fn weak_result(cx: &Cx<'_>, body: &Body, folded: &[Actual], ret: Type) -> Type {
    let all_weak = folded.iter().all(|a| {
        matches!(
            cx.types.kind(a.ty),
            TypeKind::Literal(_) | TypeKind::Scalar(_, Flavor::Python)
        )
    });
    match cx.types.kind(ret) {
        TypeKind::Scalar(scalar, _) if all_weak && matches!(body.result, ResultRule::Cases(_)) => {
            let is_python = matches!(
                scalar,
                Scalar::Bool | Scalar::Int64 | Scalar::Float64 | Scalar::Complex128
            );
            if is_python {
                cx.types.intern(TypeKind::Scalar(*scalar, Flavor::Python))
            } else {
                ret
            }
        }
        _ => ret,
    }
}

/// The IR of a prelude function, for these argument types.
fn prelude_func(cx: &Cx<'_>, name: &str, args: &[Type]) -> Result<Func, HostError> {
    let Some(func) = numbra_library::prelude::prelude_func(name, cx.types) else {
        return Err(HostError::Failed(format!(
            "the prelude has no function `{name}`"
        )));
    };
    cx.host.prepare(func, args, cx.types)
}

/// A function of the program as a callee.
pub(crate) struct Callee<'a> {
    pub(crate) key: Key,
    pub(crate) origin: InstanceOrigin,
    pub(crate) name: &'a str,
}

/// Resolves a call of a function at the argument types of its key.
pub(crate) fn call_entry(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    callee: Callee<'_>,
    args: Vec<CallArg>,
    func: impl FnOnce(&Cx<'_>, &[Type]) -> Result<Func, HostError>,
) -> Resolution {
    let params = callee.key.args.clone();
    let span = net.span(inst);
    if let Some(resolution) = closures::check_escape(net, cx, inst, &args) {
        return resolution;
    }
    if params.iter().any(|ty| is_too_large(cx.types, *ty)) {
        return Resolution::Failed(report::type_too_large(span).into());
    }
    // The program is moved out while the Host builds the function, which may not look at it.
    let mut program = std::mem::take(&mut cx.program);
    let at = program.entry(callee.key, callee.origin.clone(), callee.name, || {
        func(cx, &params).map_err(|error| report::host_error(&error, callee.name, span))
    });
    cx.program = program;
    let is_current = cx.program.is_current(at);
    let own_returns = if is_current {
        net.note_recursive_call(inst);
        let so_far = net.return_type(cx).ok().flatten();
        join(cx, so_far, cx.program.entries[at].ret)
    } else {
        None
    };
    match cx.program.look_up(at, own_returns) {
        Lookup::Known(ret) => Resolution::Found(Box::new(Resolved {
            target: Target::Entry(at),
            sig: Signature { params, ret },
            args,
            needs: Vec::new(),
            removable: false,
        })),
        Lookup::Unknown => Resolution::Needs(at),
        Lookup::InRecursion => Resolution::Recursive,
        Lookup::Failed(failure) => Resolution::Failed(report::in_callee(
            net,
            cx,
            inst,
            &callee.origin,
            callee.name,
            &failure,
        )),
    }
}

/// Asks the Host for users' overloads until one compiles. `None` if there is none.
pub(crate) fn resolve_overload(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    target: OverloadTarget<'_>,
    actuals: &Actuals,
) -> Option<Resolution> {
    let actuals = &with_initial(net, cx, actuals);
    let plain = actuals.map_types(|ty| cx.types.unliteral(ty));
    let (args, kws) = (actuals.positional_types(), actuals.keyword_types());
    let span = net.span(inst);
    let (mut failed, mut wanted) = (None, None);
    for skip in 0.. {
        let query = OverloadQuery {
            target,
            args: &args,
            kws: &kws,
            skip,
        };
        let overload = match cx.host.overload(&query, cx.types) {
            Ok(Some(overload)) => overload,
            Ok(None) => break,
            Err(HostError::ForceLiteral(positions)) => {
                wanted.get_or_insert(positions);
                continue;
            }
            Err(error) => {
                failed.get_or_insert_with(|| {
                    Resolution::Failed(report::host_error(&error, "overload", span))
                });
                continue;
            }
        };
        let attempt = if overload.literal { actuals } else { &plain };
        let folded = match fold_specs(cx.types, &overload.args, attempt) {
            Ok(folded) => folded,
            Err(error) => {
                failed.get_or_insert_with(|| {
                    Resolution::NoMatch(vec![Rejection {
                        candidate: "a user's overload".to_owned(),
                        reason: error.signature_text(),
                        nearness: 1,
                    }])
                });
                continue;
            }
        };
        let name = match target {
            OverloadTarget::Function(name)
            | OverloadTarget::Method(name)
            | OverloadTarget::Attribute(name) => name,
        };
        let args: Vec<CallArg> = folded.iter().map(|a| a.arg.clone()).collect();
        let key = Key {
            source: Source::Overload(overload.id),
            args: folded.iter().map(|a| a.ty).collect(),
        };
        let resolution = match overload.body {
            OverloadBody::External(sig) => {
                let at = cx.program.external(key, overload.id, name, &sig);
                Resolution::Found(Box::new(Resolved {
                    target: Target::Entry(at),
                    sig,
                    args,
                    needs: Vec::new(),
                    removable: false,
                }))
            }
            OverloadBody::Func(func) => {
                let callee = Callee {
                    key,
                    origin: InstanceOrigin::Overload(overload.id),
                    name,
                };
                call_entry(net, cx, inst, callee, args, |_, _| Ok(*func))
            }
        };
        if let Resolution::Failed(_) = resolution {
            failed.get_or_insert(resolution);
            continue;
        }
        return Some(resolution);
    }
    match wanted {
        Some(positions) => Some(require_literals(net, cx, inst, actuals, &positions)),
        None => failed,
    }
}

/// A callee wants literals. Arguments that are parameters of this function pass the wish on to its caller.
pub(crate) fn require_literals(
    net: &Network,
    cx: &Cx<'_>,
    inst: Inst,
    actuals: &Actuals,
    positions: &[usize],
) -> Resolution {
    let mut own = Vec::new();
    for position in positions {
        let Some(actual) = actuals.positional.get(*position) else {
            continue;
        };
        if let TypeKind::Literal(_) | TypeKind::Initial { .. } = cx.types.kind(actual.ty) {
            continue;
        }
        match parameter_of(net, &actual.arg) {
            Some(parameter) => own.push(parameter),
            None => {
                return Resolution::Failed(
                    report::require_literal(net, cx, inst, *position, actual.ty).into(),
                );
            }
        }
    }
    let mut failure = Failure::new(report::require_literal(
        net,
        cx,
        inst,
        positions.first().copied().unwrap_or(0),
        actuals.positional.first().map_or(Type::UNDEFINED, |a| a.ty),
    ));
    failure.force_literal = own;
    Resolution::Failed(Box::new(failure))
}

/// The parameter of the enclosing function that an argument is.
fn parameter_of(net: &Network, arg: &CallArg) -> Option<usize> {
    let CallArg::Var(var) = arg else { return None };
    match net.source(*var)?.1 {
        numbra_ir::Rhs::Arg(n) => Some(*n as usize),
        _ => None,
    }
}

/// The arguments of a literal position as a constant, for calls whose index is not a variable.
pub(crate) fn literal_actual(cx: &Cx<'_>, value: &Const) -> Option<Actual> {
    Some(Actual {
        arg: CallArg::Default(value.clone()),
        ty: crate::values::type_of_const(cx.types, cx.opts.promotion, value)?,
    })
}
