//! Attribute reads and writes.

use crate::calls::{apply, conclude, object_behind};
use crate::context::Cx;
use crate::enums;
use crate::eval::{Eval, types_of};
use crate::fold::{Actual, Actuals};
use crate::host::OverloadTarget;
use crate::network::Network;
use crate::report::{self, What};
use crate::resolve::{Resolution, resolve_name, resolve_overload, resolve_row};
use crate::subscripts::eval_setitem;
use numbra_ir::{CallArg, Const, Inst, ObjDesc, ObjKind, Type, TypeKind, Var};

/// `value.attr`
pub(crate) fn eval_getattr(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    value: Var,
    attr: &str,
) -> Eval {
    let ty = types_of!(net, value);
    net.facts[inst].call = None;
    match cx.types.kind(ty) {
        TypeKind::Module(name)
            if cx.lib.attribute(cx.types, ty, attr).is_none()
                && cx.lib.method(cx.types, ty, attr).is_none() =>
        {
            return module_attribute(net, cx, inst, ty, name, attr);
        }
        TypeKind::NamedTuple(_, fields, _) => {
            if let Some(at) = fields.iter().position(|field| field == attr) {
                return item(net, cx, inst, value, ty, Const::Int(at as i64));
            }
        }
        TypeKind::EnumMember { dtype, .. } if attr == "value" => {
            return enums::value(net, inst, value, *dtype);
        }
        TypeKind::Record(record) if record.field(attr).is_some() => {
            return item(net, cx, inst, value, ty, Const::Str(attr.to_owned()));
        }
        TypeKind::Ext { .. } | TypeKind::Optional(_) => {
            let object = object_behind(cx, ty).unwrap_or(ty);
            let model = cx.types.ext_model(object);
            let field = model.as_deref().and_then(|model| model.attribute(attr));
            if let Some((_, field)) = field {
                let name = Const::Str(field.name.clone());
                return named(net, cx, inst, GET_FIELD, value, object, name);
            }
        }
        // A class that the library knows, and a class method of it.
        TypeKind::Function { name, .. } if cx.lib.lookup(&format!("{name}.{attr}")).is_some() => {
            let desc = ObjDesc {
                name: format!("{name}.{attr}"),
                kind: ObjKind::Function,
                repr: format!("<function {attr}>"),
                digest: Some(0),
            };
            let ty = TypeKind::Function {
                name: desc.name.clone(),
                repr: desc.repr.clone(),
            };
            net.facts[inst].object = Some(Box::new(desc));
            return Eval::Typed(cx.types.intern(ty));
        }
        TypeKind::Class(name) | TypeKind::ExceptionClass(name) => {
            if let Some(eval) = object_attribute(net, cx, inst, name, attr) {
                return eval;
            }
        }
        _ => {}
    }
    let actuals = Actuals::of_positional(vec![Actual {
        arg: CallArg::Var(value),
        ty,
    }]);
    let target = OverloadTarget::Attribute(attr);
    let mut user = resolve_overload(net, cx, inst, target, &actuals);
    if user.is_none()
        && let Some(inner) = object_behind(cx, ty)
    {
        let unwrapped = Actuals::of_positional(vec![Actual {
            arg: CallArg::Var(value),
            ty: inner,
        }]);
        user = resolve_overload(net, cx, inst, target, &unwrapped);
    }
    if let Some(resolution) = user {
        return conclude(net, cx, inst, &What::builtin(attr), &actuals, resolution);
    }
    let receiver = match cx.types.kind(ty) {
        TypeKind::Optional(inner) => *inner,
        _ => ty,
    };
    if let Some(found) = cx.host.ext_attribute(ty, attr, cx.types) {
        return Eval::Typed(found);
    }
    if let Some(row) = cx.lib.attribute(cx.types, receiver, attr) {
        return match resolve_row(net, cx, inst, row, &actuals) {
            Resolution::NoMatch(_) => report::unknown_attribute(net, cx, inst, ty, attr).into(),
            resolution => conclude(net, cx, inst, &What::builtin(attr), &actuals, resolution),
        };
    }
    let is_method = cx.host.has_method(receiver, attr, cx.types)
        || cx.lib.method(cx.types, receiver, attr).is_some();
    if is_method {
        return Eval::Typed(cx.types.intern(TypeKind::BoundMethod {
            receiver: ty,
            method: attr.to_owned(),
        }));
    }
    if is_array_field(cx, ty, attr) {
        return item(net, cx, inst, value, ty, Const::Str(attr.to_owned()));
    }
    report::unknown_attribute(net, cx, inst, ty, attr).into()
}

/// True for the fields of an array of records.
fn is_array_field(cx: &Cx<'_>, ty: Type, attr: &str) -> bool {
    let array = cx.types.as_array(ty);
    let record = array.and_then(|array| cx.types.as_record(array.dtype));
    record.is_some_and(|record| record.field(attr).is_some())
}

/// An attribute of a module is an object of its own: the statement becomes a reference to it.
fn module_attribute(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    ty: Type,
    module: &str,
    attr: &str,
) -> Eval {
    match object_attribute(net, cx, inst, module, attr) {
        Some(eval) => eval,
        None if module == "numpy" || module.starts_with("numpy.") => {
            report::unsupported_numpy(net, cx, inst, module, attr).into()
        }
        None => report::unknown_attribute(net, cx, inst, ty, attr).into(),
    }
}

pub(crate) fn object_attribute(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    owner: &str,
    attr: &str,
) -> Option<Eval> {
    let desc = cx
        .host
        .attribute(owner, attr, net.reader.as_deref(), &mut net.func.objects)?;
    if matches!(desc.kind, ObjKind::Unresolved | ObjKind::Undefined) {
        return None;
    }
    let ty = cx.names().type_of_object(&net.func, &desc)?;
    net.facts[inst].object = Some(Box::new(desc));
    Some(Eval::Typed(ty))
}

/// The step of the library that reads a field of an object, and the one that writes it.
const GET_FIELD: &str = "object.get";
const SET_FIELD: &str = "object.set";

/// A field is an item: of a named tuple at a constant position, of a record by its name.
fn item(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    value: Var,
    ty: Type,
    index: Const,
) -> Eval {
    named(net, cx, inst, "operator.getitem", value, ty, index)
}

/// The part of a value that `function` of the library gives for a constant.
fn named(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    function: &str,
    value: Var,
    ty: Type,
    index: Const,
) -> Eval {
    let actuals = Actuals::of_positional(vec![
        Actual {
            arg: CallArg::Var(value),
            ty,
        },
        Actual {
            ty: cx.types.intern(TypeKind::Literal(index.clone())),
            arg: CallArg::Default(index),
        },
    ]);
    match resolve_name(net, cx, inst, function, &actuals) {
        Resolution::Found(resolved) => apply(net, cx, inst, *resolved),
        other => conclude(net, cx, inst, &What::builtin("getitem"), &actuals, other),
    }
}

/// `target.attr = value`
pub(crate) fn eval_setattr(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    target: Var,
    attr: &str,
    value: Var,
) -> Eval {
    let (ty, value_ty) = types_of!(net, target, value);
    let is_field = cx
        .types
        .as_record(ty)
        .is_some_and(|record| record.field(attr).is_some());
    if is_field || is_array_field(cx, ty, attr) {
        let name = Const::Str(attr.to_owned());
        let index = CallArg::Default(name.clone());
        return eval_setitem(net, cx, inst, target, index, Some(&name), value);
    }
    let ty = object_behind(cx, ty).unwrap_or(ty);
    let model = cx.types.ext_model(ty);
    let field = model.as_deref().and_then(|model| model.attribute(attr));
    if let Some((_, field)) = field.filter(|(_, field)| field.is_writable) {
        return set_field(net, cx, inst, (target, ty), &field.name, (value, value_ty));
    }
    let args = [(target, ty), (value, value_ty)];
    let actuals = Actuals::of_positional(
        args.into_iter()
            .map(|(var, ty)| Actual {
                arg: CallArg::Var(var),
                ty,
            })
            .collect(),
    );
    let name = format!("{attr}=");
    match resolve_overload(net, cx, inst, OverloadTarget::Attribute(&name), &actuals) {
        Some(Resolution::Found(resolved)) => {
            apply(net, cx, inst, *resolved);
            Eval::Done
        }
        Some(Resolution::Needs(at)) => Eval::Needs(at),
        Some(Resolution::Failed(failure)) => Eval::Fail(failure),
        Some(Resolution::Recursive | Resolution::NoMatch(_)) | None => {
            report::bad_setattr(net, cx, inst, ty, attr, value_ty).into()
        }
    }
}

/// `target.attr = value` of a field of an object.
fn set_field(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    (target, ty): (Var, Type),
    field: &str,
    (value, value_ty): (Var, Type),
) -> Eval {
    let name = Const::Str(field.to_owned());
    let name = Actual {
        ty: cx.types.intern(TypeKind::Literal(name.clone())),
        arg: CallArg::Default(name),
    };
    let of = |var, ty| Actual {
        arg: CallArg::Var(var),
        ty,
    };
    let actuals = Actuals::of_positional(vec![of(target, ty), name, of(value, value_ty)]);
    match resolve_name(net, cx, inst, SET_FIELD, &actuals) {
        Resolution::Found(resolved) => {
            apply(net, cx, inst, *resolved);
            Eval::Done
        }
        other => conclude(net, cx, inst, &What::builtin("setattr"), &actuals, other),
    }
}
