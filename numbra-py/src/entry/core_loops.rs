//! Inner loops of generalised ufuncs: a compiled kernel over arrays, once for each index of the outer axes.
//!
//! NumPy passes the number of outer elements and then the extent of each named axis in `dimensions`; in `steps` the
//! outer step of each operand and then the strides of its core axes, operand by operand. The kernel gets views of
//! the operands' memory; they have no owner, since NumPy keeps the memory for the length of the call.
//!
//! Core axes are of any stride. Kernels that are not large get a loop of their own for operands whose last core axes are
//! contiguous, as those of most arrays are: what a generator does not know it steps through one by one.

use super::builder::Entry;
use super::loops::{MEDIUM, body_size, finish, start};
use numbra_ir::{Type, Types};
use numbra_lir::{
    BinaryOp, BlockCall, FuncRef, InstBuilder, InstKind, IntCc, Linkage, Module, Terminator, Ty,
    Value,
};
use numbra_lower::lowering::leaves;

/// The core axes of each operand, inputs first, as positions among the named axes.
pub(crate) type CoreAxes = Vec<Vec<usize>>;

/// What an operand is to the kernel.
enum Operand {
    Number(Vec<Ty>),
    View(View),
}

/// An array of the kernel, but for its data.
struct View {
    /// Owner, extents, strides.
    leaves: Vec<Value>,
    /// The size of an element, for arrays with core axes.
    item: Option<i128>,
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
        let mut leaves = vec![b.one(InstKind::Null, Ty::Ref)];
        let size = i128::from(item.size());
        if axes.is_empty() && array.ndim == 1 {
            leaves.push(b.iconst(Ty::I64, 1));
            leaves.push(b.iconst(Ty::I64, size));
        } else if axes.len() == usize::from(array.ndim) {
            for &axis in axes {
                leaves.push(b.load(Ty::I64, ps[1], 8 * (1 + axis as i32)));
            }
            for _ in axes {
                leaves.push(b.load(Ty::I64, ps[2], 8 * stride_at));
                stride_at += 1;
            }
        } else {
            return Err(format!(
                "type and shape signature mismatch for arg #{}",
                k + 1
            ));
        }
        let item = (!axes.is_empty()).then_some(size);
        operands.push(Operand::View(View { leaves, item }));
    }
    let small = body_size(b.module, root) <= MEDIUM;
    let decl = &mut b.module.functions[root];
    decl.linkage = Linkage::Local;
    decl.inline_always = small;
    let mut rows = Rows {
        b,
        root,
        operands,
        count,
        data,
        steps,
    };
    if small {
        rows.versioned();
    }
    rows.elements(false);
    Ok(finish(rows.b, name))
}

struct Rows<'a> {
    b: Entry<'a>,
    root: FuncRef,
    operands: Vec<Operand>,
    count: Value,
    data: Vec<Value>,
    steps: Vec<Value>,
}

impl Rows<'_> {
    /// Runs a loop of its own where the last core axis of every operand is contiguous, and goes on where one is not.
    fn versioned(&mut self) {
        let mut fits = None;
        for operand in &self.operands {
            let Operand::View(View {
                leaves,
                item: Some(size),
            }) = operand
            else {
                continue;
            };
            let size = self.b.iconst(Ty::I64, *size);
            let same = self.b.icmp(IntCc::Eq, leaves[leaves.len() - 1], size);
            fits = Some(match fits {
                None => same,
                Some(all) => self.b.binary(BinaryOp::And, all, same),
            });
        }
        let Some(fits) = fits else { return };
        let (own, others) = self.b.branch(fits, false);
        self.b.block = own;
        self.elements(true);
        let end = self.b.block;
        self.b.term(end, Terminator::Return(Vec::new()));
        self.b.block = others;
    }

    /// The loop over the outer elements. The strides of last axes are constants where they are `contiguous`.
    fn elements(&mut self, contiguous: bool) {
        let b = &mut self.b;

        let (body, next, done) = (
            b.func.push_block(),
            b.func.push_block(),
            b.func.push_block(),
        );
        let head = b.func.push_block();
        let index = b.func.push_param(head, Ty::I64);
        let at: Vec<Value> = (self.data)
            .iter()
            .map(|_| b.func.push_param(head, Ty::PTR))
            .collect();
        let mut first = vec![b.iconst(Ty::I64, 0)];
        first.extend(&self.data);
        let from = b.block;
        b.jump(from, head, first);
        b.block = head;
        let cond = b.icmp(IntCc::Slt, index, self.count);
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
        for (operand, &addr) in self.operands.iter().zip(&at) {
            match operand {
                Operand::Number(shape) => args.extend(b.load_element(shape, addr)),
                Operand::View(View { leaves, item }) => {
                    args.push(addr);
                    args.extend(leaves);
                    if let (true, Some(size), Some(last)) = (contiguous, item, args.last_mut()) {
                        *last = b.iconst(Ty::I64, *size);
                    }
                }
            }
        }
        b.call_element(self.root, args, next);
        let from = b.block;
        b.jump(from, next, Vec::new());
        b.block = next;
        let one = b.iconst(Ty::I64, 1);
        let mut again = vec![b.binary(BinaryOp::IAdd, index, one)];
        for (&addr, &step) in at.iter().zip(&self.steps) {
            again.push(b.ptr_add(addr, step));
        }
        b.jump(next, head, again);
        b.block = done;
    }
}
