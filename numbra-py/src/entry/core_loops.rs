//! Inner loops of generalised ufuncs: a compiled kernel over arrays, once for each index of the outer axes.
//!
//! NumPy passes the number of outer elements and then the extent of each named axis in `dimensions`; in `steps` the
//! outer step of each operand and then the strides of its core axes, operand by operand. The kernel gets views of
//! the operands' memory; they have no owner, since NumPy keeps the memory for the length of the call.

use super::loops::{finish, start};
use numbra_ir::{Type, Types};
use numbra_lower::lir::{
    BinaryOp, BlockCall, FuncRef, InstKind, IntCc, Linkage, Module, Terminator, Ty, Value,
};
use numbra_lower::lowering::leaves;

/// The core axes of each operand, inputs first, as positions among the named axes.
pub(crate) type CoreAxes = Vec<Vec<usize>>;

/// What an operand is to the kernel.
enum Operand {
    Number(Vec<Ty>),
    /// Leaves of the view but for the data: owner, extents, strides.
    View(Vec<Value>),
}

/// Adds the loop around `root` to `module` and returns its symbol name.
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
    core: &CoreAxes,
) -> Result<String, String> {
    if ret != Type::NONE {
        return Err("gufunc kernel must have void return type".to_owned());
    }
    if params.len() != core.len() {
        return Err(format!(
            "the kernel takes {} arguments, its layout names {}",
            params.len(),
            core.len()
        ));
    }
    let name = format!("{}.loop", module.functions[root].name);
    let mut b = start(types, module);
    let ps = b.params();
    let count = b.load(Ty::I64, ps[1], 0);
    let mut operands = Vec::new();
    let mut data = Vec::new();
    let mut steps = Vec::new();
    let mut stride_at = params.len() as i32;
    for (k, (&ty, axes)) in params.iter().zip(core).enumerate() {
        data.push(b.load(Ty::PTR, ps[0], 8 * k as i32));
        steps.push(b.load(Ty::I64, ps[2], 8 * k as i32));
        let Some(array) = types.as_array(ty) else {
            if !axes.is_empty() {
                return Err(format!(
                    "scalar type {} given for non scalar argument #{}",
                    types.display(ty),
                    k + 1
                ));
            }
            operands.push(Operand::Number(leaves(types, ty)?));
            continue;
        };
        let Some(item) = types.storage(array.dtype) else {
            return Err(format!(
                "arrays of {} cannot be passed yet",
                types.display(array.dtype)
            ));
        };
        let mut view = vec![b.one(InstKind::Null, Ty::Ref)];
        if axes.is_empty() && array.ndim == 1 {
            view.push(b.iconst(Ty::I64, 1));
            view.push(b.iconst(Ty::I64, i128::from(item.size())));
        } else if axes.len() == usize::from(array.ndim) {
            for &axis in axes {
                view.push(b.load(Ty::I64, ps[1], 8 * (1 + axis as i32)));
            }
            for _ in axes {
                view.push(b.load(Ty::I64, ps[2], 8 * stride_at));
                stride_at += 1;
            }
        } else {
            return Err(format!(
                "type and shape signature mismatch for arg #{}",
                k + 1
            ));
        }
        operands.push(Operand::View(view));
    }
    b.module.functions[root].linkage = Linkage::Local;

    let (body, next, done) = (
        b.func.push_block(),
        b.func.push_block(),
        b.func.push_block(),
    );
    let head = b.func.push_block();
    let index = b.func.push_param(head, Ty::I64);
    let at: Vec<Value> = data
        .iter()
        .map(|_| b.func.push_param(head, Ty::PTR))
        .collect();
    let mut first = vec![b.iconst(Ty::I64, 0)];
    first.extend(&data);
    let from = b.block;
    b.jump(from, head, first);
    b.block = head;
    let cond = b.icmp(IntCc::Slt, index, count);
    let call = |block| BlockCall {
        block,
        args: Vec::new(),
    };
    let term = Terminator::Brif {
        cond,
        then: call(body),
        other: call(done),
    };
    b.term(head, term);
    b.block = body;
    let mut args = Vec::new();
    for (operand, &addr) in operands.iter().zip(&at) {
        match operand {
            Operand::Number(shape) => args.extend(b.load_element(shape, addr)),
            Operand::View(rest) => {
                args.push(addr);
                args.extend(rest);
            }
        }
    }
    b.call_element(root, args, next);
    let from = b.block;
    b.jump(from, next, Vec::new());
    b.block = next;
    let one = b.iconst(Ty::I64, 1);
    let mut again = vec![b.binary(BinaryOp::IAdd, index, one)];
    for (&addr, &step) in at.iter().zip(&steps) {
        again.push(b.ptr_add(addr, step));
    }
    b.jump(next, head, again);
    b.block = done;
    Ok(finish(b, name))
}
