//! Functions by which code for a GPU is entered: kernels, and device functions for callers in other languages.
//!
//! Their parameters are Numba's, which programs that launch kernels themselves rely on:
//!
//! | type | parameters |
//! |---|---|
//! | arrays | two addresses that are not looked at, `i64` elements, `i64` bytes of an element, `ptr` data, `i64` shape and stride in bytes per axis |
//! | records | `ptr` |
//! | tuples | those of the items |
//! | numbers, times, pointers | their leaves |
//! | `none`, literals | none |

use super::item::item_layout;
use super::model::leaves;
use numbra_abi::{ArrayLayout, DeviceThread};
use numbra_base::{Origin, Span};
use numbra_ir::{Type, TypeKind, Types};
use numbra_lir::{
    AliasClass, Align, ConvertOp, Func, FuncDecl, FuncRef, Inst, InstBuilder, InstKind, Linkage,
    MemFlags, Module, Signature, Terminator, Ty, Value,
};

/// How a function for a GPU is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeviceAbi {
    /// By a launch.
    Kernel,
    /// By a launch on the CPU: `(parameters, thread)`, eight bytes a parameter and a `numbra_abi::DeviceThread`, in which
    /// the status is left.
    HostKernel,
    /// `int32_t name(result *, parameters..)`: 0, or not if an exception ended it.
    Numba,
    /// `result name(parameters..)`
    C,
}

/// Machine types of the parameters of a device entry for an argument. An error names what cannot be passed.
pub fn device_params(types: &Types, ty: Type) -> Result<Vec<Ty>, String> {
    let mut out = Vec::new();
    push_params(types, ty, &mut out)?;
    Ok(out)
}

fn push_params(types: &Types, ty: Type, out: &mut Vec<Ty>) -> Result<(), String> {
    match types.kind(ty) {
        TypeKind::Array(array) => {
            out.extend([Ty::PTR, Ty::PTR, Ty::I64, Ty::I64, Ty::PTR]);
            out.resize(out.len() + 2 * usize::from(array.ndim), Ty::I64);
        }
        TypeKind::Record(_) => out.push(Ty::PTR),
        TypeKind::Scalar(..)
        | TypeKind::EnumMember { .. }
        | TypeKind::Datetime(_)
        | TypeKind::Timedelta(_)
        | TypeKind::Pointer(_)
        | TypeKind::None
        | TypeKind::Literal(_)
        | TypeKind::Omitted(_) => out.extend(leaves(types, ty)?),
        _ => match types.tuple_items(ty) {
            Some(items) => {
                for item in items {
                    push_params(types, item, out)?;
                }
            }
            None => return Err(no_device_argument(types, ty)),
        },
    }
    Ok(())
}

/// The text of the TypeError about an argument of a kernel that no kernel takes.
pub fn no_device_argument(types: &Types, ty: Type) -> String {
    format!(
        "an argument of type {} cannot be passed to a GPU: pass numbers, arrays, records, or tuples of these",
        types.display(ty)
    )
}

/// Adds the entry `name` of `root`, which becomes a part of it. An error is the text of a TypeError.
pub fn add_device_entry(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    (args, ret): (&[Type], Type),
    name: &str,
    abi: DeviceAbi,
) -> Result<FuncRef, String> {
    let mut params = Vec::new();
    for ty in args {
        push_params(types, *ty, &mut params)?;
    }
    let results = leaves(types, ret)?;
    let returned = match abi {
        DeviceAbi::Kernel | DeviceAbi::HostKernel if ret != Type::NONE => {
            return Err("CUDA kernel must have void return type.".to_owned());
        }
        DeviceAbi::Kernel => Vec::new(),
        DeviceAbi::HostKernel => Vec::new(),
        DeviceAbi::Numba => {
            params.insert(0, Ty::PTR);
            vec![Ty::I32]
        }
        DeviceAbi::C if results.len() > 1 => {
            return Err(format!(
                "a result of type {} cannot be returned by the C ABI",
                types.display(ret)
            ));
        }
        DeviceAbi::C => results.clone(),
    };
    let span = module.functions[root]
        .body
        .as_ref()
        .map_or(Span::NONE, |b| b.span);
    let words = std::mem::take(&mut params);
    if abi == DeviceAbi::HostKernel {
        params = vec![Ty::PTR, Ty::PTR];
    } else {
        params.clone_from(&words);
    }
    let mut entry = Entry {
        func: Func::new(Signature::new(&params, &returned, false), span),
        span,
    };
    let block = entry.func.entry();
    let own = entry.func.blocks[block].params.clone();
    let given = match abi {
        DeviceAbi::HostKernel => entry.load_words(own[0], &words),
        _ => own.clone(),
    };
    let mut given = given.into_iter();
    let result_at = (abi == DeviceAbi::Numba).then(|| given.next()).flatten();
    let mut operands = Vec::new();
    for ty in args {
        entry.leaves_of(types, *ty, &mut given, &mut operands)?;
    }
    let sig = module.functions[root].sig.clone();
    let mut tys = results.clone();
    if sig.raises {
        tys.insert(0, Ty::I32);
    }
    let call = InstKind::Call {
        func: root,
        args: operands,
    };
    let mut values = entry.inst(call, &tys);
    let status = sig.raises.then(|| values.remove(0));
    if let Some(at) = result_at {
        entry.store_result(types, ret, at, &values)?;
    }
    if let (DeviceAbi::HostKernel, Some(status)) = (abi, status) {
        let offset = std::mem::offset_of!(DeviceThread, status) as i32;
        let store = InstKind::Store {
            addr: own[1],
            offset,
            value: status,
            flags: argument(4),
        };
        entry.inst(store, &[]);
    }
    let returns = match abi {
        DeviceAbi::Kernel | DeviceAbi::HostKernel => Vec::new(),
        DeviceAbi::Numba => vec![match status {
            Some(status) => status,
            None => entry.inst(InstKind::IConst(0), &[Ty::I32])[0],
        }],
        DeviceAbi::C => values,
    };
    entry
        .func
        .set_term(block, Terminator::Return(returns), span, Origin::Compiler);
    let inner = &mut module.functions[root];
    inner.linkage = Linkage::Local;
    inner.inline_always = true;
    if inner.name == name {
        inner.name = format!("{name}.body");
    }
    Ok(module.functions.push(FuncDecl {
        name: name.to_owned(),
        linkage: match abi {
            DeviceAbi::Kernel | DeviceAbi::HostKernel => Linkage::Kernel,
            DeviceAbi::Numba | DeviceAbi::C => Linkage::Device,
        },
        sig: entry.func.sig.clone(),
        body: Some(entry.func),
        inline_always: false,
        inline_never: false,
    }))
}

/// An access to what a launch hands over.
fn argument(align: u8) -> MemFlags {
    MemFlags {
        alias: AliasClass::ARGS,
        align: Align(align),
        readonly: false,
        volatile: false,
    }
}

/// An entry in the making.
struct Entry {
    func: Func,
    span: Span,
}

impl InstBuilder for Entry {
    fn func(&self) -> &Func {
        &self.func
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let block = self.func.entry();
        self.func
            .push_inst(block, kind, results, self.span, Origin::Compiler)
    }
}

impl Entry {
    /// Parameters of these types from memory, in the low bytes of eight each.
    fn load_words(&mut self, words: Value, types: &[Ty]) -> Vec<Value> {
        let load = |entry: &mut Entry, (n, &ty): (usize, &Ty)| {
            let in_memory = if ty == Ty::I1 { Ty::I8 } else { ty };
            let load = InstKind::Load {
                addr: words,
                offset: 8 * n as i32,
                flags: MemFlags {
                    readonly: true,
                    ..argument(in_memory.size() as u8)
                },
            };
            let value = entry.inst(load, &[in_memory])[0];
            match ty {
                Ty::I1 => {
                    let (op, arg) = (ConvertOp::Trunc, value);
                    entry.inst(InstKind::Convert { op, arg }, &[Ty::I1])[0]
                }
                _ => value,
            }
        };
        types.iter().enumerate().map(|at| load(self, at)).collect()
    }

    /// The leaves of an argument, from its parameters.
    fn leaves_of(
        &mut self,
        types: &Types,
        ty: Type,
        given: &mut impl Iterator<Item = Value>,
        out: &mut Vec<Value>,
    ) -> Result<(), String> {
        let count = device_params(types, ty)?.len();
        match types.kind(ty) {
            TypeKind::Array(array) => {
                let params: Vec<Value> = given.take(count).collect();
                let layout = ArrayLayout {
                    ndim: u32::from(array.ndim),
                };
                let owner = self.inst(InstKind::Null, &[Ty::Ref])[0];
                out.extend([params[4], owner]);
                out.extend(&params[5..3 + layout.leaves()]);
            }
            TypeKind::Record(_) => {
                let owner = self.inst(InstKind::Null, &[Ty::Ref])[0];
                out.extend(given.take(count));
                out.push(owner);
            }
            _ => match types.tuple_items(ty) {
                Some(items) => {
                    for item in items {
                        self.leaves_of(types, item, given, out)?;
                    }
                }
                None => out.extend(given.take(count)),
            },
        }
        Ok(())
    }

    fn store_result(
        &mut self,
        types: &Types,
        ret: Type,
        at: Value,
        values: &[Value],
    ) -> Result<(), String> {
        let layout = item_layout(types, ret)?;
        for (&(ty, offset), &value) in layout.leaves.iter().zip(values) {
            let (ty, value) = match ty {
                Ty::I1 => {
                    let op = ConvertOp::ZExt;
                    let byte = self.inst(InstKind::Convert { op, arg: value }, &[Ty::I8])[0];
                    (Ty::I8, byte)
                }
                _ => (ty, value),
            };
            let flags = MemFlags {
                alias: AliasClass::ANY,
                align: Align(ty.size() as u8),
                readonly: false,
                volatile: false,
            };
            let store = InstKind::Store {
                addr: at,
                offset: offset as i32,
                value,
                flags,
            };
            self.inst(store, &[]);
        }
        Ok(())
    }
}
