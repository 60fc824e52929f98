//! What `NUMBA_DEBUG_TYPEINFER` prints.

use crate::context::Cx;
use crate::network::Network;
use numbra_ir::{EntityRef, Type, TypedFunc, Types, print_stmt};
use numbra_library::Library;
use std::fmt::Write;

/// A title in a line of 80 dashes.
fn banner(title: &str) -> String {
    format!("{title:-^80}\n")
}

/// The type variables when a function's network has settled. Numba prints them after each round; a worklist has no rounds.
pub(crate) fn variables(net: &Network, cx: &Cx<'_>) -> String {
    let mut rows: Vec<(String, Type)> = net
        .func
        .args
        .iter()
        .zip(&net.args)
        .map(|(spec, ty)| (format!("arg.{}", spec.name), *ty))
        .collect();
    for (var, data) in net.func.vars.iter() {
        if let Some(ty) = net.type_of(var) {
            rows.push((data.name.clone(), ty));
        }
    }
    rows.sort();
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, ty)| format!("{name} := {}", cx.show(*ty)))
        .collect();
    format!(
        "{}---- type variables ----\n[{}]\n",
        banner("propagate"),
        lines.join(",\n ")
    )
}

/// The final tables: variable types, return type, call types.
pub(crate) fn tables(typed: &TypedFunc, lib: &Library, types: &Types) -> String {
    let _ = lib;
    let mut out = banner("Variable types");
    let mut rows: Vec<(&str, Type)> = typed
        .func
        .vars
        .iter()
        .filter_map(|(var, data)| Some((data.name.as_str(), typed.var_types[var]?)))
        .collect();
    rows.sort();
    let lines: Vec<String> = rows
        .iter()
        .map(|(name, ty)| format!("'{name}': {}", types.display(*ty)))
        .collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{{{}}}", lines.join(",\n "));
    out.push_str(&banner("Return type"));
    let _ = writeln!(out, "{}", types.display(typed.ret));
    out.push_str(&banner("Call types"));
    let mut calls: Vec<(usize, String)> = typed
        .func
        .insts
        .keys()
        .filter_map(|inst| {
            let call = typed.calls[inst].as_ref()?;
            let stmt = print_stmt(&typed.func, inst, types);
            let operation = stmt.split_once(" = ").map_or(stmt.as_str(), |(_, rhs)| rhs);
            let params: Vec<String> = call
                .sig
                .params
                .iter()
                .map(|ty| types.display(*ty).to_string())
                .collect();
            let comma = if params.len() == 1 { "," } else { "" };
            let ret = types.display(call.sig.ret);
            Some((
                inst.index(),
                format!("{operation}: ({}{comma}) -> {ret}", params.join(", ")),
            ))
        })
        .collect();
    calls.sort();
    let lines: Vec<String> = calls.into_iter().map(|(_, line)| line).collect();
    let _ = writeln!(out, "{{{}}}", lines.join(",\n "));
    out
}
