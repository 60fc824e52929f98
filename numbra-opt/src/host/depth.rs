//! Functions of kernels that may call themselves: they ask the runtime for room on the stack as they begin.
//!
//! ```text
//! before                       after
//! function @f(i32) {           function @f(i32) {
//! block0(v0: i32):             block0(v0: i32):
//!                                v9 = data_addr $name.f
//!                                call_native "numbra_rt_device_enter"(v9)
//! ```
//!
//! The runtime does not come back where the stack is full. A function may call itself if it is in a cycle of calls; calls of
//! addresses may be of any function whose address is taken.

use cranelift_entity::SecondaryMap;
use numbra_abi::NativeId;
use numbra_base::Origin;
use numbra_lir::analysis::kinds;
use numbra_lir::{Data, Func, FuncRef, InstKind, Module, Ty};

const ORIGIN: Origin = Origin::Pass("host_threads");

/// The functions that may call themselves.
pub(crate) fn recursive(module: &Module) -> Vec<FuncRef> {
    let taken: Vec<FuncRef> = bodies(module)
        .flat_map(|(_, func)| kinds(func))
        .filter_map(|kind| match kind {
            InstKind::FuncAddr(func) => Some(*func),
            _ => None,
        })
        .collect();
    let mut calls: SecondaryMap<FuncRef, Vec<FuncRef>> = SecondaryMap::new();
    for (id, func) in bodies(module) {
        for kind in kinds(func) {
            match kind {
                InstKind::Call { func, .. } => calls[id].push(*func),
                InstKind::CallIndirect { .. } => calls[id].extend(&taken),
                _ => {}
            }
        }
        calls[id].sort_unstable();
        calls[id].dedup();
    }
    let reaches_itself = |id: FuncRef| {
        let mut seen: SecondaryMap<FuncRef, bool> = SecondaryMap::new();
        let mut todo = calls[id].clone();
        while let Some(next) = todo.pop() {
            if next == id {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                todo.extend(&calls[next]);
            }
        }
        false
    };
    let ids = bodies(module).map(|(id, _)| id);
    ids.filter(|&id| reaches_itself(id)).collect()
}

fn bodies(module: &Module) -> impl Iterator<Item = (FuncRef, &Func)> {
    let functions = module.functions.iter();
    functions.filter_map(|(id, f)| Some((id, f.body.as_ref()?)))
}

/// Has them ask for room.
pub(crate) fn ask_for_room(module: &mut Module) -> bool {
    let functions = recursive(module);
    for &id in &functions {
        let called = &module.functions[id].name;
        let text = Data::c_string(format!("name.{called}"), called);
        let name = module.data.push(text);
        let Some(func) = &mut module.functions[id].body else {
            continue;
        };
        let name = func.make_inst(InstKind::DataAddr(name), &[Ty::PTR], func.span, ORIGIN);
        let call = InstKind::native(NativeId::DeviceEnter, func.insts[name].results.to_vec());
        let call = func.make_inst(call, &[], func.span, ORIGIN);
        let entry = func.entry();
        func.insert_insts(entry, 0, [name, call]);
    }
    !functions.is_empty()
}
