//! Universal functions: a scalar operation over broadcast operands.
//!
//! Operands that all have the result's shape and are contiguous in its order are walked by one loop; others by a loop
//! nest in which an axis of one element has stride 0. Scalars are converted once, before the loop.

use super::super::error::{Fault, Res};
use super::super::function::{Fx, Val};
use super::element::ArrayRef;
use super::nest::Walk;
use numbra_base::{FxHashMap, FxHashSet, Origin, Span};
use numbra_ir::{Inst, Instance, Layout, Type};
use numbra_library::{Elementwise, LoopMatch, Op, ScalarCode};
use numbra_lir::{IntCc, Value};

/// An operand of a loop.
pub(super) enum Operand {
    /// Already of the loop's type.
    Scalar(Val),
    Array(ArrayRef),
    /// Computed element by element.
    Inner(Box<Node>),
}

/// A scalar operation and what it works on.
pub(in super::super) struct Node {
    pub(super) kernel: Kernel,
    pub(super) operands: Vec<Operand>,
    /// The statement that the operation is part of another one for.
    pub(super) inst: Option<Inst>,
    /// The element type of the array that the operation would make; `None` where its results are stored.
    pub(super) dtype: Option<Type>,
    pub(super) span: Span,
    pub(super) origin: Origin,
}

/// The arrays among operands, also of inner operations, in the order in which the loop reads them. What is computed once for
/// several readers reads its operands once.
fn arrays(operands: &[Operand]) -> Vec<&ArrayRef> {
    let mut out = Vec::new();
    let mut seen = FxHashSet::default();
    let mut work: Vec<&Operand> = operands.iter().rev().collect();
    while let Some(operand) = work.pop() {
        match operand {
            Operand::Scalar(_) => {}
            Operand::Array(array) => out.push(array),
            Operand::Inner(node) => {
                if node.inst.is_none_or(|inst| seen.insert(inst)) {
                    work.extend(node.operands.iter().rev());
                }
            }
        }
    }
    out
}

/// What is known of one element's computation.
#[derive(Default)]
struct Progress {
    /// Arrays read so far.
    next: usize,
    /// Results of statements whose arrays several others read.
    known: FxHashMap<Inst, Val>,
}

/// What runs for each element, and at which types.
pub(super) struct Kernel {
    pub(super) ins: Vec<Type>,
    outs: Vec<Type>,
    code: KernelCode,
}

/// What the error says of operands whose shapes do not fit together.
const MISMATCH: &str = "operands could not be broadcast together";

impl Kernel {
    /// As [`MISMATCH`], in NumPy's words for `where`, which is no ufunc there.
    fn mismatch(&self) -> &'static str {
        match self.code {
            KernelCode::Library(ScalarCode::Op(Op::Choose)) => {
                "shape mismatch: objects cannot be broadcast to a single shape"
            }
            _ => MISMATCH,
        }
    }
}

/// The largest power of floats that is a product, as `x[i] ** n` is.
const MOST_FACTORS: f64 = 16.0;

/// What a power with a constant exponent is.
enum Power {
    Op(Op),
    Product(i64),
}

impl From<LoopMatch> for Kernel {
    fn from(chosen: LoopMatch) -> Kernel {
        Kernel {
            ins: chosen.ins,
            outs: chosen.outs,
            code: KernelCode::Library(chosen.code),
        }
    }
}

#[derive(Clone, Copy)]
enum KernelCode {
    /// A loop of the library.
    Library(ScalarCode),
    /// A function of the program.
    Function(Instance),
}

impl Fx<'_, '_> {
    /// Applies a ufunc. `in_place`: the first operand is also the output.
    pub(in super::super) fn elementwise(
        &mut self,
        ufunc: &Elementwise,
        args: &[Val],
        ret: Type,
        in_place: bool,
    ) -> Res<Vec<Value>> {
        let nin = usize::from(ufunc.nin);
        if args.len() < nin {
            return Err(Fault::bug("a ufunc with too few operands"));
        }
        let tys: Vec<Type> = args.iter().map(|a| a.ty).collect();
        let kernel = self.kernel_of_ufunc(ufunc, &tys)?;
        self.apply(kernel, args, ret, in_place)
    }

    /// The loop of a ufunc of the library for operands of these types.
    pub(super) fn kernel_of_ufunc(&self, ufunc: &Elementwise, operands: &[Type]) -> Res<Kernel> {
        let chosen = ufunc.select(self.types, operands);
        chosen
            .map(Kernel::from)
            .ok_or_else(|| Fault::bug("a ufunc without a loop for its operands"))
    }

    /// The loop of a function of the program.
    pub(super) fn kernel_of_function(&self, instance: Instance) -> Res<Kernel> {
        let Some((_, callee)) = self.mx.program.functions.get(instance) else {
            return Err(Fault::bug("a call of a function that the program lacks"));
        };
        Ok(Kernel {
            ins: callee.args.clone(),
            outs: vec![callee.ret],
            code: KernelCode::Function(instance),
        })
    }

    /// Applies a function of the program to each element of the operands.
    pub(in super::super) fn map_instance(
        &mut self,
        instance: Instance,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let kernel = self.kernel_of_function(instance)?;
        if args.len() < kernel.ins.len() {
            return Err(Fault::bug("a ufunc with too few operands"));
        }
        self.apply(kernel, args, ret, false)
    }

    fn apply(
        &mut self,
        kernel: Kernel,
        args: &[Val],
        ret: Type,
        in_place: bool,
    ) -> Res<Vec<Value>> {
        let nin = kernel.ins.len();
        let mut operands = Vec::with_capacity(nin);
        for (arg, kind) in args[..nin].iter().zip(&kernel.ins) {
            operands.push(self.operand(arg, *kind)?);
        }
        let given: Vec<Val> = if in_place {
            vec![args[0].clone()]
        } else {
            args[nin..].to_vec()
        };
        let mut owners = Vec::new();
        let of_numbers = operands.iter().all(|o| matches!(o, Operand::Scalar(_)));
        let gives_numbers = {
            let items = self.types.tuple_items(ret);
            let first = items.map_or(Some(ret), |items| items.first().copied());
            first.is_none_or(|ty| self.types.as_array(ty).is_none())
        };
        if of_numbers && gives_numbers {
            return self.scalar_loop(&kernel, &operands, ret);
        }
        let outs = if given.is_empty() {
            self.new_outputs(&kernel, &operands, ret)?
        } else {
            let outs: Vec<ArrayRef> = given.iter().map(|o| self.array(o)).collect::<Res<_>>()?;
            self.check_fits(&mut operands, &outs)?;
            // As NumPy does: what is written must not change what is still to be read.
            for operand in &mut operands {
                if let Operand::Array(array) = operand {
                    for out in &outs {
                        *array = self.apart_from(out, array)?;
                    }
                    owners.push(array.owner);
                }
            }
            outs
        };
        let node = Node {
            kernel,
            operands,
            inst: None,
            dtype: None,
            span: self.span,
            origin: self.origin,
        };
        self.run_loops(&node, &outs)?;
        self.keep(owners);
        if given.is_empty() {
            return Ok(outs.iter().flat_map(ArrayRef::leaves).collect());
        }
        Ok(given
            .iter()
            .flat_map(|o| o.leaves.iter().copied())
            .collect())
    }

    /// Applies ufuncs to each other's results in one loop.
    pub(in super::super) fn run_expression(&mut self, node: &Node, ret: Type) -> Res<Vec<Value>> {
        let outs = self.new_outputs(&node.kernel, &node.operands, ret)?;
        self.run_loops(node, &outs)?;
        Ok(outs.iter().flat_map(ArrayRef::leaves).collect())
    }

    /// An operand of a loop that takes this type. The element of an array without axes is a number.
    pub(super) fn operand(&mut self, arg: &Val, ty: Type) -> Res<Operand> {
        let array = match self.types.as_array(arg.ty) {
            None => return Ok(Operand::Scalar(self.element_as(arg, ty)?)),
            Some(_) => self.array(arg)?,
        };
        if array.ty.ndim > 0 {
            return Ok(Operand::Array(array));
        }
        let element = self.load_element(&array, array.data)?;
        Ok(Operand::Scalar(self.element_as(&element, ty)?))
    }

    /// A number as the type that a loop takes.
    pub(in super::super) fn element_as(&mut self, value: &Val, ty: Type) -> Res<Val> {
        let leaves = match self.types.as_scalar(ty) {
            Some(_) => self.num_as(value, ty)?.leaves(),
            None => self.cast(value, ty)?,
        };
        Ok(Val::new(ty, leaves))
    }

    fn kernel_code(&mut self, kernel: &Kernel, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        match kernel.code {
            KernelCode::Library(code) => self.scalar_code(code, args, ret),
            KernelCode::Function(instance) => self.call_instance(instance, args, ret),
        }
    }

    /// The type of what the scalar code gives.
    fn loop_result(&self, kernel: &Kernel) -> Type {
        self.types.tuple_or_one(&kernel.outs)
    }

    fn scalar_loop(&mut self, kernel: &Kernel, operands: &[Operand], ret: Type) -> Res<Vec<Value>> {
        let args: Vec<Val> = operands
            .iter()
            .filter_map(|o| match o {
                Operand::Scalar(value) => Some(value.clone()),
                Operand::Array(_) | Operand::Inner(_) => None,
            })
            .collect();
        let result = self.loop_result(kernel);
        let leaves = self.kernel_code(kernel, &args, result)?;
        self.cast(&Val::new(result, leaves), ret)
    }

    /// New arrays of the broadcast shape.
    fn new_outputs(
        &mut self,
        kernel: &Kernel,
        operands: &[Operand],
        ret: Type,
    ) -> Res<Vec<ArrayRef>> {
        let shapes: Vec<Vec<Value>> = arrays(operands).iter().map(|a| a.shape.clone()).collect();
        let shape = self.broadcast_to_one(&shapes, kernel.mismatch())?;
        let tys = match self.types.tuple_items(ret) {
            Some(items) => items,
            None => vec![ret],
        };
        let mut outs = Vec::with_capacity(tys.len());
        for ty in tys {
            let ty = self.result_array(ty)?;
            outs.push(self.new_array(ty, shape.clone(), false)?);
        }
        Ok(outs)
    }

    /// The shape that arrays of these shapes broadcast to; ValueError when there is none.
    pub(in super::super) fn broadcast_shapes(&mut self, shapes: &[Vec<Value>]) -> Res<Vec<Value>> {
        self.broadcast_to_one(shapes, MISMATCH)
    }

    fn broadcast_to_one(
        &mut self,
        shapes: &[Vec<Value>],
        mismatch: &'static str,
    ) -> Res<Vec<Value>> {
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = Vec::with_capacity(rank);
        let mut fits = self.bool(true);
        for axis in 0..rank {
            let mut extent: Option<Value> = None;
            for shape in shapes {
                let Some(at) = (axis + shape.len()).checked_sub(rank) else {
                    continue;
                };
                let own = shape[at];
                extent = Some(match extent {
                    None => own,
                    Some(known) if known == own => known,
                    Some(known) => {
                        let same = self.icmp(IntCc::Eq, known, own);
                        let known_one = self.icmp_imm(IntCc::Eq, known, 1);
                        let own_one = self.icmp_imm(IntCc::Eq, own, 1);
                        let either = self.or(known_one, own_one);
                        let fine = self.or(same, either);
                        fits = self.and(fits, fine);
                        self.select(known_one, own, known)
                    }
                });
            }
            match extent {
                Some(extent) => out.push(extent),
                None => return Err(Fault::bug("an axis that no operand has")),
            }
        }
        let before = if mismatch == MISMATCH {
            " with shapes"
        } else {
            ": shapes"
        };
        self.guard_shapes(fits, mismatch, before, shapes)?;
        Ok(out)
    }

    /// ValueError unless every operand broadcasts to the given outputs, whose shape stays as it is: an operand with more axes
    /// never does, and loses them for the loop, which does not run.
    fn check_fits(&mut self, operands: &mut [Operand], outs: &[ArrayRef]) -> Res<()> {
        let Some((first, others)) = outs.split_first() else {
            return Err(Fault::bug("a ufunc without output"));
        };
        // With all axes, as the message says them.
        let ins = arrays(operands)
            .into_iter()
            .map(|array| array.shape.clone());
        let shapes: Vec<Vec<Value>> = ins
            .chain(outs.iter().map(|out| out.shape.clone()))
            .collect();
        let mut fits = self.bool(true);
        for other in others {
            for (a, b) in first.shape.iter().zip(&other.shape) {
                let same = self.icmp(IntCc::Eq, *a, *b);
                fits = self.and(fits, same);
            }
        }
        for operand in operands {
            let Operand::Array(array) = operand else {
                continue;
            };
            if let Some(surplus) = array.shape.len().checked_sub(first.shape.len())
                && surplus > 0
            {
                fits = self.bool(false);
                *array = array.without_leading(surplus);
            }
            let skip = first.shape.len() - array.shape.len();
            for (own, out) in array.shape.iter().zip(&first.shape[skip..]) {
                if own == out {
                    continue;
                }
                let same = self.icmp(IntCc::Eq, *own, *out);
                let single = self.icmp_imm(IntCc::Eq, *own, 1);
                let fine = self.or(same, single);
                fits = self.and(fits, fine);
            }
        }
        self.guard_shapes(fits, MISMATCH, " with shapes", &shapes)
    }

    /// The value of an operation for one element.
    fn element(&mut self, node: &Node, at: &[Value], progress: &mut Progress) -> Res<Val> {
        if let Some(known) = node.inst.and_then(|inst| progress.known.get(&inst)) {
            return Ok(known.clone());
        }
        let mut args = Vec::with_capacity(node.operands.len());
        for (operand, ty) in node.operands.iter().zip(&node.kernel.ins) {
            let item = match operand {
                Operand::Scalar(value) => {
                    args.push(value.clone());
                    continue;
                }
                Operand::Array(array) => {
                    progress.next += 1;
                    self.load_element(array, at[progress.next - 1])?
                }
                Operand::Inner(inner) => {
                    let (span, origin) = (self.span, self.origin);
                    (self.span, self.origin) = (inner.span, inner.origin);
                    let value = self.element(inner, at, progress)?;
                    (self.span, self.origin) = (span, origin);
                    value
                }
            };
            args.push(self.element_as(&item, *ty)?);
        }
        let result = self.loop_result(&node.kernel);
        let leaves = match self.simple_power(node) {
            Some(Power::Op(op)) => self.scalar_code(ScalarCode::Op(op), &args[..1], result)?,
            Some(Power::Product(n)) => {
                let x = self.num(&args[0])?;
                self.power_static(x, n)?.leaves()
            }
            None => self.kernel_code(&node.kernel, &args, result)?,
        };
        let mut value = Val::new(result, leaves);
        if let Some(dtype) = node.dtype {
            value = Val::new(dtype, self.cast(&value, dtype)?);
        }
        if let Some(inst) = node.inst {
            progress.known.insert(inst, value.clone());
        }
        Ok(value)
    }

    /// What `x ** y` is for a constant `y`.
    fn simple_power(&self, node: &Node) -> Option<Power> {
        let KernelCode::Library(ScalarCode::Op(Op::PowElement)) = node.kernel.code else {
            return None;
        };
        let [_, Operand::Scalar(exponent)] = node.operands.as_slice() else {
            return None;
        };
        let float = self.types.as_scalar(exponent.ty)?.is_float();
        let parts: Vec<Option<f64>> = exponent.leaves.iter().map(|v| self.number_of(*v)).collect();
        match parts[..] {
            [Some(2.0)] | [Some(2.0), Some(0.0)] => Some(Power::Op(Op::Square)),
            [Some(0.5)] if float => Some(Power::Op(Op::Sqrt)),
            [Some(0.5), Some(0.0)] => Some(Power::Op(Op::Sqrt)),
            [Some(-1.0)] if float => Some(Power::Op(Op::Reciprocal)),
            [Some(-1.0), Some(0.0)] => Some(Power::Op(Op::Reciprocal)),
            [Some(n)] if float && n.fract() == 0.0 && (3.0..=MOST_FACTORS).contains(&n) => {
                Some(Power::Product(n as i64))
            }
            _ => None,
        }
    }

    fn run_loops(&mut self, node: &Node, outs: &[ArrayRef]) -> Res<()> {
        let shape = outs[0].shape.clone();
        self.note_elements(&shape);
        let arrays = arrays(&node.operands);
        let all = || arrays.iter().copied().chain(outs.iter());
        let layout = outs[0].ty.layout;
        let one_order = layout != Layout::A
            && all().all(|a| a.ty.layout == layout && a.shape.len() == shape.len());
        let mut body = |fx: &mut Self, at: &[Value]| -> Res<()> {
            let mut progress = Progress::default();
            let values = fx.element(node, at, &mut progress)?;
            let values = if outs.len() == 1 {
                vec![values]
            } else {
                fx.items(&values)?
            };
            for (out, (value, at)) in outs
                .iter()
                .zip(values.into_iter().zip(&at[progress.next..]))
            {
                let item = fx.cast(&value, out.ty.dtype)?;
                fx.store_element(out, *at, &item);
            }
            Ok(())
        };
        let axes: Vec<usize> = match layout {
            Layout::F => (0..shape.len()).rev().collect(),
            Layout::C | Layout::A => (0..shape.len()).collect(),
        };
        if !one_order {
            let walks = self.walks(&arrays, outs, &shape);
            return self.nest_spread(&shape, &axes, &walks, &mut body);
        }
        // Every operand has the result's shape?
        let mut equal = self.bool(true);
        for array in &arrays {
            for (own, out) in array.shape.iter().zip(&shape) {
                if own != out {
                    let same = self.icmp(IntCc::Eq, *own, *out);
                    equal = self.and(equal, same);
                }
            }
        }
        let flat: Vec<(Value, i64)> = all().map(|a| (a.data, a.item_size())).collect();
        if self.const_of(equal) == Some(1) {
            let count = self.product(&shape);
            return self.flat_spread(count, &flat, &mut body);
        }
        let (fast, slow, done) = (self.new_block(), self.new_block(), self.new_block());
        self.brif(equal, (fast, Vec::new()), (slow, Vec::new()));
        self.enter(fast);
        let count = self.product(&shape);
        self.flat_spread(count, &flat, &mut body)?;
        self.jump(done, Vec::new());
        self.enter(slow);
        let walks = self.walks(&arrays, outs, &shape);
        self.nest_spread(&shape, &axes, &walks, &mut body)?;
        self.jump(done, Vec::new());
        self.enter(done);
        Ok(())
    }

    /// Operands and outputs as memory over the axes of the result.
    fn walks(&mut self, arrays: &[&ArrayRef], outs: &[ArrayRef], shape: &[Value]) -> Vec<Walk> {
        let zero = self.i64(0);
        let mut walks = Vec::with_capacity(arrays.len() + outs.len());
        for array in arrays.iter().copied().chain(outs) {
            let skip = shape.len().saturating_sub(array.shape.len());
            let mut strides = vec![zero; skip];
            for (axis, own) in array.shape.iter().enumerate() {
                let stride = array.strides[axis];
                if *own == shape[skip + axis] {
                    strides.push(stride);
                    continue;
                }
                let single = self.icmp_imm(IntCc::Eq, *own, 1);
                let stride = self.select(single, zero, stride);
                strides.push(stride);
            }
            walks.push(Walk {
                data: array.data,
                strides,
            });
        }
        walks
    }
}
