//! Calls of users' ufuncs: the function at the element types of the operands, for each element.

use crate::calls::at_types;
use crate::context::Cx;
use crate::fold::Actuals;
use crate::host::DispatcherInfo;
use crate::network::Network;
use crate::resolve::{Rejection, Resolution, Target};
use numbra_ir::lattice::ufunc_can_cast;
use numbra_ir::{DispatcherId, Inst, Scalar, Signature, Type, Types};
use numbra_library::{Mismatch, broadcast_result};

/// `ufunc(x, ..[, out])`
pub(crate) fn call_ufunc(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    id: DispatcherId,
    name: &str,
    actuals: &Actuals,
) -> Resolution {
    let Some(info) = cx.host.dispatcher(id) else {
        return Resolution::NoMatch(Vec::new());
    };
    let reject = |reason: String| {
        Resolution::NoMatch(vec![Rejection {
            candidate: format!("{name}(..)"),
            reason,
            nearness: 1,
        }])
    };
    let nin = info.args.len();
    let given = actuals.positional.len();
    if !actuals.keyword.is_empty() {
        return reject("a ufunc takes its operands and its output by position".to_owned());
    }
    if given != nin && given != nin + 1 {
        return reject(format!("takes {nin} operands and an output, {given} given"));
    }
    let params: Vec<Type> = actuals
        .positional_types()
        .into_iter()
        .map(|ty| numbra_library::plain(cx.types, ty))
        .collect();
    let elements: Vec<Type> = params[..nin]
        .iter()
        .map(|ty| element(cx.types, *ty))
        .collect();
    let (elements, declared) = match chosen(cx.types, &info, &elements) {
        Ok(chosen) => chosen,
        Err(reason) => return reject(reason),
    };
    let entry = at_types(net, cx, inst, id, name, Vec::new(), elements);
    let Resolution::Found(mut resolved) = entry else {
        return entry;
    };
    let result = declared.unwrap_or(resolved.sig.ret);
    let ret = match broadcast_result(cx.types, &params, nin, &[result]) {
        Ok(ret) => ret,
        Err(Mismatch::Rejected(reason) | Mismatch::Error(reason)) => {
            return reject(reason.replace("{name}", name));
        }
    };
    if let Target::Entry(at) = resolved.target {
        resolved.target = Target::Map(at);
    }
    resolved.sig = Signature { params, ret };
    resolved.args = actuals.positional.iter().map(|a| a.arg.clone()).collect();
    Resolution::Found(resolved)
}

/// The type of an array's elements, or of a number.
fn element(types: &Types, ty: Type) -> Type {
    types.as_array(ty).map_or(ty, |array| array.dtype)
}

/// The types that the function is called at, and its result type where a signature says it. Frozen ufuncs convert
/// operands to the first loop that takes them.
fn chosen(
    types: &Types,
    info: &DispatcherInfo,
    elements: &[Type],
) -> Result<(Vec<Type>, Option<Type>), String> {
    let Some(frozen) = &info.frozen else {
        return Ok((elements.to_vec(), None));
    };
    let scalars = |tys: &[Type]| -> Option<Vec<Scalar>> {
        tys.iter().map(|ty| types.as_scalar(*ty)).collect()
    };
    let takes = |sig: &&Signature| {
        if sig.params == elements {
            return true;
        }
        let (Some(from), Some(to)) = (scalars(elements), scalars(&sig.params)) else {
            return false;
        };
        let inexact = |s: &Scalar| s.is_float() || s.is_complex();
        let mixed = from.iter().any(inexact) && from.iter().any(|s| s.is_int());
        from.len() == to.len()
            && from
                .iter()
                .zip(&to)
                .all(|(from, to)| ufunc_can_cast(*from, *to, mixed))
    };
    match frozen.iter().find(takes) {
        Some(sig) => Ok((sig.params.clone(), Some(sig.ret))),
        None => {
            let shown: Vec<String> = elements
                .iter()
                .map(|ty| types.display(*ty).to_string())
                .collect();
            let list = shown.join(", ");
            Err(format!(
                "compilation is disabled and no loop takes ({list})"
            ))
        }
    }
}
