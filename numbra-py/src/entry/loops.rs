//! Inner loops of ufuncs: a compiled function of numbers as NumPy's `PyUFuncGenericFunction`.
//!
//! ```text
//! void loop(char **args, npy_intp const *dimensions, npy_intp const *steps, void *data)
//! ```
//!
//! One call works through `dimensions[0]` elements; operand `k` starts at `args[k]` and moves by `steps[k]` bytes, the
//! result comes last. Small functions get a loop for each pattern of strides that is common (all operands contiguous,
//! one operand or all but one a repeated scalar, a reduction into one element) before the loop for any strides, so that
//! a generator may vectorise them. A function that raises leaves its element as it was and the loop goes on, as in
//! Numba; NumPy sees the exception when the loop is done.

use super::builder::Entry;
use numbra_abi::NativeId;
use numbra_ir::{Type, Types};
use numbra_lir::{
    AliasClass, Align, BinaryOp, Block, BlockCall, ConvertOp, FuncDecl, FuncRef, InstBuilder,
    InstKind, IntCc, Linkage, MemFlags, Module, Signature, Terminator, Ty, Value,
};
use numbra_lower::lowering::leaves;

/// Functions of up to this many instructions get a loop for each common pattern of strides.
const SMALL: usize = 40;
/// Functions of up to this many get one for contiguous operands.
pub(super) const MEDIUM: usize = 300;

/// How an operand moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// From one element to the next.
    Contiguous,
    /// Not at all.
    Repeated,
    /// By whatever was given.
    Any,
}

/// An operand in memory.
struct Operand {
    leaves: Vec<Ty>,
    size: i64,
}

/// Adds the loop around `root` to `module` and returns its symbol name.
pub(crate) fn build(
    types: &Types,
    module: &mut Module,
    root: FuncRef,
    params: &[Type],
    ret: Type,
) -> Result<String, String> {
    let operands: Vec<Operand> = params
        .iter()
        .chain([&ret])
        .map(|ty| operand(types, *ty))
        .collect::<Result<_, _>>()?;
    let name = format!("{}.loop", module.functions[root].name);
    let mut b = start(types, module);
    let ps = b.params();
    let zero = b.iconst(Ty::I64, 0);
    let count = b.load(Ty::I64, ps[1], 0);
    let mut data = Vec::new();
    let mut steps = Vec::new();
    for k in 0..operands.len() as i32 {
        data.push(b.load(Ty::PTR, ps[0], 8 * k));
        steps.push(b.load(Ty::I64, ps[2], 8 * k));
    }
    let size = body_size(b.module, root);
    let decl = &mut b.module.functions[root];
    decl.linkage = Linkage::Local;
    decl.inline_always = size <= MEDIUM;
    let mut lp = Loop {
        b,
        root,
        operands,
        count,
        data,
        steps,
        zero,
    };
    for pattern in lp.patterns(size) {
        lp.versioned(&pattern);
    }
    if size <= SMALL {
        lp.reduction();
    }
    let any = vec![Step::Any; lp.operands.len()];
    lp.elements(&any);
    Ok(finish(lp.b, name))
}

/// The function under construction, with NumPy's four parameters. It fails when it is interrupted.
pub(super) fn start<'a>(types: &'a Types, module: &'a mut Module) -> Entry<'a> {
    Entry::new(types, module, Signature::new(&[Ty::PTR; 4], &[], true))
}

/// Ends the function and adds it to the module, behind one without status, which NumPy calls.
///
/// NumPy calls it with few elements at a time where operands do not coalesce, too few for a look at the interrupt word in
/// their loop, and once for each row of the array whatever comes of it. So that one looks first, and does nothing once the
/// ufunc is interrupted.
pub(super) fn finish(mut b: Entry<'_>, name: String) -> String {
    let last = b.block;
    b.term(last, Terminator::Return(Vec::new()));
    let Entry {
        types,
        module,
        func,
        ..
    } = b;
    let elements = module.functions.push(FuncDecl {
        name: format!("{name}.elements"),
        linkage: Linkage::Local,
        sig: func.sig.clone(),
        body: Some(func),
        inline_always: false,
        inline_never: false,
    });
    let mut b = Entry::new(types, module, Signature::new(&[Ty::PTR; 4], &[], false));
    let word = b.interrupt_word();
    let go_on = b.succeeded(word);
    let (then, asked) = b.branch(go_on, true);
    b.block = asked;
    let leaves = b.import_call("numbra_py_loop_leaves", &[], Some(Ty::I32));
    let leaves = leaves.expect("it has a result");
    let go_on = b.succeeded(leaves);
    let left = b.func.push_block();
    b.func.blocks[left].cold = true;
    let (to_then, to_left) = (b.jump_to(then), b.jump_to(left));
    b.term(
        asked,
        Terminator::Brif {
            cond: go_on,
            then: to_then,
            other: to_left,
        },
    );
    b.term(left, Terminator::Return(Vec::new()));
    b.block = then;
    let args = b.params();
    if let (Some(status), _) = b.call_root(elements, args) {
        let fine = b.succeeded(status);
        let (then, other) = b.branch(fine, true);
        b.block = other;
        b.import_call("numbra_py_loop_error", &[], None);
        b.term(other, Terminator::Return(Vec::new()));
        b.block = then;
    }
    let last = b.block;
    b.term(last, Terminator::Return(Vec::new()));
    b.finish(&name);
    name
}

pub(super) fn body_size(module: &Module, func: FuncRef) -> usize {
    let body = module.functions[func].body.as_ref();
    body.map_or(usize::MAX, |f| {
        f.layout.iter().map(|b| f.blocks[b].insts().len()).sum()
    })
}

fn operand(types: &Types, ty: Type) -> Result<Operand, String> {
    // A member of an enumeration is its value.
    let ty = types.as_enum(ty).map_or(ty, |(dtype, _)| dtype);
    let Some(scalar) = types.storage(ty) else {
        return Err(format!(
            "operands and results of a ufunc are numbers, not {}",
            types.display(ty)
        ));
    };
    Ok(Operand {
        leaves: leaves(types, ty)?,
        size: i64::from(scalar.size()),
    })
}

/// The type of a leaf in memory, and how far it lies from the one before it.
fn stored(leaf: Ty) -> (Ty, i32) {
    match leaf {
        Ty::I1 => (Ty::I8, 1),
        other => (other, other.size() as i32),
    }
}

fn element_flags(leaf: Ty) -> MemFlags {
    MemFlags {
        alias: AliasClass::ARRAY,
        align: Align(stored(leaf).1 as u8),
        readonly: false,
        volatile: false,
    }
}

impl Entry<'_> {
    /// The leaves of an element.
    pub(super) fn load_element(&mut self, shape: &[Ty], addr: Value) -> Vec<Value> {
        let mut out = Vec::new();
        let mut offset = 0;
        for &leaf in shape {
            let (ty, size) = stored(leaf);
            let flags = element_flags(leaf);
            let kind = InstKind::Load {
                addr,
                offset,
                flags,
            };
            let mut value = self.one(kind, ty);
            if leaf == Ty::I1 {
                let zero = self.iconst(Ty::I8, 0);
                value = self.icmp(IntCc::Ne, value, zero);
            }
            out.push(value);
            offset += size;
        }
        out
    }

    fn store_element(&mut self, shape: &[Ty], addr: Value, values: &[Value]) {
        let mut offset = 0;
        for (&leaf, &value) in shape.iter().zip(values) {
            let (ty, size) = stored(leaf);
            let value = self.convert(ConvertOp::ZExt, value, ty);
            let flags = element_flags(leaf);
            let kind = InstKind::Store {
                addr,
                offset,
                value,
                flags,
            };
            self.inst(kind, &[]);
            offset += size;
        }
    }

    pub(super) fn ptr_add(&mut self, base: Value, offset: Value) -> Value {
        self.one(InstKind::PtrAdd { base, offset }, Ty::PTR)
    }

    /// Calls the compiled function. On success goes on with its result leaves; a failure is reported to CPython and goes to
    /// `failed`, and an interrupt leaves the loop.
    pub(super) fn call_element(
        &mut self,
        root: FuncRef,
        args: Vec<Value>,
        failed: Block,
    ) -> Vec<Value> {
        let (status, results) = self.call_root(root, args);
        if let Some(status) = status {
            let fine = self.succeeded(status);
            let (then, other) = self.branch(fine, true);
            self.block = other;
            let asked = InstKind::native(NativeId::IsInterrupt, Vec::new());
            let interrupted = self.one(asked, Ty::I32);
            let goes_on = self.succeeded(interrupted);
            let (report, leave) = self.branch(goes_on, true);
            self.term(leave, Terminator::Fail);
            self.block = report;
            self.import_call("numbra_py_loop_error", &[], None);
            self.jump(report, failed, Vec::new());
            self.block = then;
        }
        results
    }
}

struct Loop<'a> {
    b: Entry<'a>,
    root: FuncRef,
    /// Inputs, then the result.
    operands: Vec<Operand>,
    count: Value,
    data: Vec<Value>,
    steps: Vec<Value>,
    zero: Value,
}

impl Loop<'_> {
    /// The patterns of strides that get a loop of their own, for a function of `size` instructions.
    fn patterns(&self, size: usize) -> Vec<Vec<Step>> {
        let inputs = self.operands.len() - 1;
        let contiguous = vec![Step::Contiguous; inputs + 1];
        let mut out = Vec::new();
        if size <= MEDIUM {
            out.push(contiguous.clone());
        }
        if size <= SMALL && inputs > 1 {
            for k in 0..inputs {
                let mut one_repeated = contiguous.clone();
                one_repeated[k] = Step::Repeated;
                let mut one_moving = vec![Step::Repeated; inputs];
                one_moving[k] = Step::Contiguous;
                one_moving.push(Step::Contiguous);
                for pattern in [one_repeated, one_moving] {
                    if !out.contains(&pattern) {
                        out.push(pattern);
                    }
                }
            }
        }
        out
    }

    /// Runs a loop of its own where the strides are those of the pattern, and goes on where they are not.
    fn versioned(&mut self, pattern: &[Step]) {
        let mut fits = self.b.iconst(Ty::I1, 1);
        for (k, step) in pattern.iter().enumerate() {
            let wanted = match step {
                Step::Contiguous => self.b.iconst(Ty::I64, i128::from(self.operands[k].size)),
                Step::Repeated => self.zero,
                Step::Any => continue,
            };
            let same = self.b.icmp(IntCc::Eq, self.steps[k], wanted);
            fits = self.b.binary(BinaryOp::And, fits, same);
        }
        let (own, others) = self.b.branch(fits, false);
        self.b.block = own;
        self.elements(pattern);
        let end = self.b.block;
        self.b.term(end, Terminator::Return(Vec::new()));
        self.b.block = others;
    }

    /// The loop over all elements. Vectorisers know it by its addresses, a constant times the index beside the start; at
    /// strides that are not known the addresses are added up.
    fn elements(&mut self, pattern: &[Step]) {
        let counted = !pattern.contains(&Step::Any);
        let mut repeated: Vec<Option<Vec<Value>>> = Vec::new();
        for (k, step) in pattern.iter().enumerate() {
            let shape = self.operands[k].leaves.clone();
            repeated.push(match step {
                Step::Repeated => Some(self.b.load_element(&shape, self.data[k])),
                Step::Contiguous | Step::Any => None,
            });
        }
        let result = pattern.len() - 1;
        let (body, next, done) = self.blocks();
        let head = self.b.func.push_block();
        let index = self.b.func.push_param(head, Ty::I64);
        let mut first = vec![self.zero];
        let mut at: Vec<Value> = Vec::new();
        if !counted {
            at.extend((0..pattern.len()).map(|_| self.b.func.push_param(head, Ty::PTR)));
            first.extend(&self.data);
        }
        let from = self.b.block;
        self.b.jump(from, head, first);
        self.enter_body(head, index, body, done);
        if counted {
            for k in 0..pattern.len() {
                at.push(self.element_address(k, index));
            }
        }

        let mut args = Vec::new();
        for k in 0..result {
            match &repeated[k] {
                Some(values) => args.extend(values),
                None => {
                    let shape = self.operands[k].leaves.clone();
                    args.extend(self.b.load_element(&shape, at[k]));
                }
            }
        }
        let values = self.b.call_element(self.root, args, next);
        let shape = self.operands[result].leaves.clone();
        self.b.store_element(&shape, at[result], &values);
        let from = self.b.block;
        self.b.jump(from, next, Vec::new());

        self.b.block = next;
        let one = self.b.iconst(Ty::I64, 1);
        let mut again = vec![self.b.binary(BinaryOp::IAdd, index, one)];
        if !counted {
            for (&addr, &step) in at.iter().zip(&self.steps) {
                again.push(self.b.ptr_add(addr, step));
            }
        }
        self.b.jump(next, head, again);
        self.b.block = done;
    }

    /// Where the element of a contiguous operand is.
    fn element_address(&mut self, operand: usize, index: Value) -> Value {
        let size = self
            .b
            .iconst(Ty::I64, i128::from(self.operands[operand].size));
        let offset = self.b.binary(BinaryOp::IMul, index, size);
        self.b.ptr_add(self.data[operand], offset)
    }

    /// A loop that keeps the result in registers, where the first of two operands and the result are one element, and
    /// the second is contiguous: `reduce`.
    fn reduction(&mut self) {
        let [first, second, result] = self.operands.as_slice() else {
            return;
        };
        if first.leaves != result.leaves {
            return;
        }
        let (kept, moving) = (result.leaves.clone(), second.leaves.clone());
        let mut fits = self.b.icmp(IntCc::Eq, self.data[0], self.data[2]);
        for k in [0, 2] {
            let still = self.b.icmp(IntCc::Eq, self.steps[k], self.zero);
            fits = self.b.binary(BinaryOp::And, fits, still);
        }
        let size = self.b.iconst(Ty::I64, i128::from(second.size));
        let contiguous = self.b.icmp(IntCc::Eq, self.steps[1], size);
        fits = self.b.binary(BinaryOp::And, fits, contiguous);
        let (own, others) = self.b.branch(fits, false);
        self.b.block = own;
        let start = self.b.load_element(&kept, self.data[0]);
        let (body, next, done) = self.blocks();
        let head = self.b.func.push_block();
        let index = self.b.func.push_param(head, Ty::I64);
        let so_far: Vec<Value> = kept
            .iter()
            .map(|&ty| self.b.func.push_param(head, ty))
            .collect();
        let updated: Vec<Value> = kept
            .iter()
            .map(|&ty| self.b.func.push_param(next, ty))
            .collect();
        let mut first = vec![self.zero];
        first.extend(start);
        let from = self.b.block;
        self.b.jump(from, head, first);
        self.enter_body(head, index, body, done);
        let at = self.element_address(1, index);
        let mut args = so_far.clone();
        args.extend(self.b.load_element(&moving, at));
        let failed = self.b.func.push_block();
        self.b.func.blocks[failed].cold = true;
        let values = self.b.call_element(self.root, args, failed);
        let from = self.b.block;
        self.b.jump(from, next, values);
        self.b.jump(failed, next, so_far.clone());
        self.b.block = next;
        let one = self.b.iconst(Ty::I64, 1);
        let mut again = vec![self.b.binary(BinaryOp::IAdd, index, one)];
        again.extend(updated);
        self.b.jump(next, head, again);
        self.b.block = done;
        self.b.store_element(&kept, self.data[2], &so_far);
        self.b.term(done, Terminator::Return(Vec::new()));
        self.b.block = others;
    }

    /// The blocks of a loop's body, its step, and what follows it.
    fn blocks(&mut self) -> (Block, Block, Block) {
        let f = &mut self.b.func;
        (f.push_block(), f.push_block(), f.push_block())
    }

    /// Ends the head of a loop: on to the body while elements are left.
    fn enter_body(&mut self, head: Block, index: Value, body: Block, done: Block) {
        self.b.block = head;
        let cond = self.b.icmp(IntCc::Slt, index, self.count);
        let call = |block| BlockCall {
            block,
            args: Vec::new(),
        };
        let term = Terminator::Brif {
            cond,
            then: call(body),
            other: call(done),
        };
        self.b.term(head, term);
        self.b.block = body;
    }
}
