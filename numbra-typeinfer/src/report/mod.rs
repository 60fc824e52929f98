//! Diagnostics: our message, label and help, and Numba's wording for programs that match on it.

mod callees;
mod calls;
mod items;
mod mistakes;
mod names;
mod operands;
mod variables;

pub(crate) use callees::{
    closure_capture, host_error, in_callee, no_constant_name, require_literal, runaway,
    runaway_call, too_deep, type_too_large,
};
pub(crate) use calls::{
    What, cannot_bind, function_arguments, function_keywords, no_implementation, no_signature,
    not_callable, rejected, star_args,
};
pub(crate) use items::{
    bad_delitem, bad_getitem, bad_setattr, bad_setitem, cannot_unpack, delattr, not_iterable,
    readonly_setitem, returns_function, tuple_too_long, tuple_too_short, unknown_attribute,
    unsupported_numpy, wrong_tuple_length,
};
pub(crate) use names::{
    bad_except, bad_raise, int_too_large, no_item, non_precise_argument, nonlocal, unsupported,
    untyped_object,
};
pub(crate) use variables::{
    bad_return, cannot_unify, cannot_unify_phi, cannot_unify_return, cannot_unify_yield,
    declared_generator, imprecise, no_conversion, undetermined, unsettled, yields_nothing,
};

use crate::network::Network;
use numbra_ir::Var;

/// What messages call a value without a name.
const THIS_VALUE: &str = "this value";

/// A variable as users know it: its name in back quotes, or "this value" for a temporary.
pub(crate) fn subject(net: &Network, var: Var) -> String {
    let name = source_name(net, var);
    match name.split('$').next() {
        // A variable of a comprehension has its name before a mark.
        Some(written) if !written.is_empty() => format!("`{written}`"),
        _ => THIS_VALUE.to_owned(),
    }
}

/// The name of the source variable that a variable is a version of.
pub(crate) fn source_name(net: &Network, var: Var) -> &str {
    let mut data = &net.func.vars[var];
    let mut steps = 0;
    while let Some(of) = data.version_of.and_then(|v| net.func.vars.get(v)) {
        data = of;
        steps += 1;
        if steps > net.func.vars.len() {
            break;
        }
    }
    &data.name
}
