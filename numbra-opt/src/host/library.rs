//! Functions of libdevice in kernels on the CPU: numbra's mathematical functions, or calls of the runtime.
//!
//! ```text
//! before                                after
//!   v1 = device libdevice.sin(v0)         v1 = math.sin v0
//!   v2 = device libdevice.rsqrt(v1)       store v8, v1 stack       (v8: a word for each operand)
//!                                         call_native "numbra_rt_device_library"(v9, v8, v10)
//!                                         v2 = load v10 stack      (v10: a word for each result)
//! ```

use crate::host::threads::Writer;
use numbra_abi::libdevice::{FUNCTIONS, Function, NATIVE};
use numbra_abi::{CType, NativeId};
use numbra_lir::{
    AliasClass, Align, DeviceOp, InstBuilder, InstKind, MathFn, MathFnName, MathLib, MemFlags, Ty,
    Value,
};

/// Bytes of an operand or result.
const WORD: i32 = 8;

/// numbra's function of the same name, without the `f` of single precision. What is fast on a GPU is exact here.
fn math(function: &Function) -> Option<MathFn> {
    let single = function.params.first() == Some(&CType::F32);
    let name = function.name.strip_prefix("fast_").unwrap_or(function.name);
    let base = if single {
        name.strip_suffix('f')?
    } else {
        name
    };
    let found = MathFn::ALL.into_iter().find(|f| f.name() == base)?;
    let same = function.params.iter().all(|p| *p == function.ret);
    (same && function.outs.is_empty() && found.arity() == function.params.len()).then_some(found)
}

fn is_native(function: &Function) -> bool {
    NATIVE.binary_search(&function.name).is_ok()
}

/// Whether kernels on the CPU have the function.
pub(crate) fn has(function: &Function) -> bool {
    math(function).is_some() || is_native(function)
}

/// Writes a call of a function that [`has`] knows.
pub(crate) fn call(writer: &mut Writer<'_>, op: DeviceOp, function: &Function, args: &[Value]) {
    if let Some(func) = math(function) {
        let lib = MathLib::default();
        let func = MathFnName { func, lib };
        let args = args.to_vec();
        writer.become_(InstKind::Math { func, args });
        return;
    }
    let position = FUNCTIONS.iter().position(|f| f.name == function.name);
    let position = writer.iconst(Ty::I32, position.unwrap_or(usize::MAX) as i128);
    let results = op.results();
    let operands_at = writer.slot(WORD as u32 * args.len().max(1) as u32);
    let results_at = writer.slot(WORD as u32 * results.len().max(1) as u32);
    for (n, &value) in args.iter().enumerate() {
        let store = InstKind::Store {
            addr: operands_at,
            offset: WORD * n as i32,
            value,
            flags: word(writer.ty(value)),
        };
        writer.inst(store, &[]);
    }
    let args = vec![position, operands_at, results_at];
    writer.inst(InstKind::native(NativeId::DeviceLibrary, args), &[]);
    let load = |(n, &ty): (usize, &Ty)| InstKind::Load {
        addr: results_at,
        offset: WORD * n as i32,
        flags: word(ty),
    };
    writer.become_all(results.iter().enumerate().map(load).collect());
}

fn word(ty: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::STACK,
        align: Align(ty.size() as u8),
        readonly: false,
        volatile: false,
    }
}
