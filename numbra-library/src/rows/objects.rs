//! Objects with fields: what types that Python code defines refer to.

use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Const, ExtField, ExtModel, ExtShape, Signature, Type, TypeKind, Types};
use std::sync::Arc;

library! {
    /// A new object of a type. Its fields are not set.
    fn numbra.experimental.structref.new(type) {
        effects: Effects::ALLOC.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], new, Op::ObjectNew)],
    }
    /// The field of an object or value that a constant names.
    step object.get(object, name) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::Any, P::LiteralStr], get, Op::FieldGet)],
    }
    /// Writes the field of an object that a constant names.
    step object.set(object, name, value) {
        effects: Effects::READ.and(Effects::WRITE).and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::LiteralStr, P::Any], set, Op::FieldSet)],
    }
}

fn new(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let TypeKind::TypeRef(ty) = cx.types.kind(cx.plain(0)) else {
        return Err(Mismatch::rejected("no type of objects"));
    };
    let model = cx.types.ext_model(*ty);
    match model.is_some_and(|model| model.shape == ExtShape::Object) {
        true => Ok(Signature {
            params: vec![cx.plain(0)],
            ret: *ty,
        }),
        false => {
            let shown = cx.show(*ty);
            Err(Mismatch::rejected(format!("{shown} is no type of objects")))
        }
    }
}

/// The field of argument 0, or of what that may be, that argument 1 names; the type of the object.
fn field(cx: &ResultCx<'_>) -> Result<(Type, Arc<ExtModel>, usize), Mismatch> {
    let object = match cx.types.kind(cx.plain(0)) {
        TypeKind::Optional(inner) => *inner,
        _ => cx.plain(0),
    };
    let model = cx.types.ext_model(object);
    let named = match (model, cx.types.kind(cx.arg(1))) {
        (Some(model), TypeKind::Literal(Const::Str(name))) => {
            let at = model.fields.iter().position(|field| field.name == *name);
            at.map(|at| (object, model, at))
        }
        _ => None,
    };
    named.ok_or_else(|| Mismatch::rejected("it has no such field"))
}

fn get(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (object, model, at) = field(cx)?;
    Ok(Signature {
        params: vec![object, cx.arg(1)],
        ret: model.fields[at].ty,
    })
}

fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (object, model, at) = field(cx)?;
    let ExtField { name, ty, .. } = &model.fields[at];
    let given = cx.plain(2);
    if cx.types.unreflected(given) == *ty {
        // A Python list or set is one thing, what the object holds another: it is copied.
        return Ok(Signature {
            params: vec![object, cx.arg(1), given],
            ret: Type::NONE,
        });
    }
    if cx.can_convert(given, *ty).is_none() {
        let (given, ty) = (cx.show(given), cx.show(*ty));
        let text =
            format!("the field '{name}' is of type {ty}, and {given} does not convert to it");
        return Err(Mismatch::error(text));
    }
    Ok(Signature {
        params: vec![object, cx.arg(1), *ty],
        ret: Type::NONE,
    })
}

/// Both are objects of one type, or may be.
pub(crate) fn of_one_type(types: &Types, args: &[Type]) -> bool {
    let object = |ty: &Type| {
        let ty = match types.kind(*ty) {
            TypeKind::Optional(inner) => *inner,
            _ => *ty,
        };
        let model = types.ext_model(ty)?;
        (model.shape == ExtShape::Object).then_some(ty)
    };
    match args {
        [a, b] => object(a).is_some_and(|a| object(b) == Some(a)),
        _ => false,
    }
}
