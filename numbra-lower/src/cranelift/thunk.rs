//! Thunks: one C signature for functions of any signature.

use numbra_base::{Origin, Span};
use numbra_lir::{
    AliasClass, Align, ConvertOp, Func, FuncDecl, InstKind, Linkage, MemFlags, Module, Signature,
    Terminator, Ty, Value,
};

/// Name of the function that [`thunk`] defines.
pub const THUNK: &str = "numbra.thunk";

/// A module that defines [`THUNK`], `i32 (void* results, const void* args)`: calls `target`, which has signature `sig`,
/// with leaf `i` of the arguments from byte `16 * i`, stores leaf `i` of the results at byte `16 * i`, and returns the
/// status, 0 for a function that does not raise. `i1` is a byte in memory.
pub fn thunk(target: &str, sig: &Signature) -> Module {
    let mut module = Module {
        name: format!("thunk of {target}"),
        ..Module::default()
    };
    let callee = module.functions.push(FuncDecl {
        name: target.to_owned(),
        linkage: Linkage::Import,
        sig: sig.clone(),
        body: None,
        inline_always: false,
        inline_never: false,
    });
    let own = Signature::new(&[Ty::PTR, Ty::PTR], &[Ty::I32], false);
    let mut func = Func::new(own.clone(), Span::NONE);
    let entry = func.entry();
    let (results, args) = (func.blocks[entry].params[0], func.blocks[entry].params[1]);
    let mut passed = Vec::with_capacity(sig.params.len());
    for (leaf, param) in sig.params.iter().enumerate() {
        passed.push(load_leaf(&mut func, args, leaf, param.ty));
    }
    let status = sig.raises.then_some(Ty::I32);
    let types: Vec<Ty> = status.iter().chain(&sig.results).copied().collect();
    let call = InstKind::Call {
        func: callee,
        args: passed,
    };
    let returned = append(&mut func, call, &types);
    let leaves = returned.iter().skip(usize::from(sig.raises));
    for (leaf, &value) in leaves.enumerate() {
        store_leaf(&mut func, results, leaf, value);
    }
    let status = match sig.raises {
        true => returned[0],
        false => append(&mut func, InstKind::IConst(0), &[Ty::I32])[0],
    };
    func.set_term(
        entry,
        Terminator::Return(vec![status]),
        Span::NONE,
        Origin::Compiler,
    );
    module.functions.push(FuncDecl {
        name: THUNK.to_owned(),
        linkage: Linkage::Export,
        sig: own,
        body: Some(func),
        inline_always: false,
        inline_never: false,
    });
    module
}

fn load_leaf(func: &mut Func, args: Value, leaf: usize, ty: Ty) -> Value {
    let stored = if ty == Ty::I1 { Ty::I8 } else { ty };
    let load = InstKind::Load {
        addr: args,
        offset: offset(leaf),
        flags: flags(true),
    };
    let value = append(func, load, &[stored])[0];
    if ty != Ty::I1 {
        return value;
    }
    let narrow = InstKind::Convert {
        op: ConvertOp::Trunc,
        arg: value,
    };
    append(func, narrow, &[Ty::I1])[0]
}

fn store_leaf(func: &mut Func, results: Value, leaf: usize, mut value: Value) {
    if func.ty(value) == Ty::I1 {
        let wide = InstKind::Convert {
            op: ConvertOp::ZExt,
            arg: value,
        };
        value = append(func, wide, &[Ty::I8])[0];
    }
    let store = InstKind::Store {
        addr: results,
        offset: offset(leaf),
        value,
        flags: flags(false),
    };
    append(func, store, &[]);
}

fn offset(leaf: usize) -> i32 {
    leaf as i32 * Signature::BLOCK_STRIDE as i32
}

fn flags(readonly: bool) -> MemFlags {
    MemFlags {
        alias: AliasClass::ARGS,
        align: Align(16),
        readonly,
        volatile: false,
    }
}

fn append(func: &mut Func, kind: InstKind, results: &[Ty]) -> Vec<Value> {
    let entry = func.entry();
    let inst = func.push_inst(entry, kind, results, Span::NONE, Origin::Compiler);
    func.insts[inst].results.to_vec()
}
