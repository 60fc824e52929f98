//! `stencil_kernel`.

use super::{OUT, library};
use crate::analysis::DefUse;
use crate::passes::{PassContext, const_eval::infer_constant, inline_closure_likes, known};
use crate::{
    ArgKind, ArgSpec, BinOp, Block, Const, Expr, FreshNames, Func, Inst, ObjKind, ObjRef, Rhs,
    StmtKind, UnaryOp, Var,
};
use numbra_base::{Diagnostic, ErrorClass, Origin, Span};

const NAME: &str = "stencil_kernel";
/// A kernel that is none: what it does with its arrays, or how it names them.
const BAD_KERNEL: &str = "I011";

/// What the parameters of a kernel are.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// Which are arrays.
    pub arrays: &'a [bool],
    /// Which are arrays whose subscripts count from the element that is computed.
    pub relative: &'a [bool],
    /// What is known of the values of parameters, for subscripts that are made of them.
    pub constants: &'a [Option<Const>],
    /// Axes of the first array.
    pub ndim: usize,
}

/// What the subscripts of a kernel say.
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    /// The least and the largest index along each axis; why it is not known.
    pub distances: Result<Vec<(i64, i64)>, Box<Diagnostic>>,
    /// The parameters with relative subscripts, in order.
    pub accessed: Vec<usize>,
}

/// Makes subscripts that count from an element count from the start of the array: the element's place is in new parameters.
///
/// ```text
///   before                          after
///   function k(a):                  function k(a, index0, index1):
///                                     index0 = arg(1)
///                                     index1 = arg(2)
///     a = arg(0)                      a = arg(0)
///     $0 = const(tuple, (-1, 0))      $0 = const(tuple, (-1, 0))
///                                     $2 = const(int, -1)
///                                     $3 = index0 + $2
///                                     $4 = (index0, index1)  ; ($3, index1)
///     $1 = getitem(a, $0)             $1 = getitem(a, $4)
/// ```
///
/// Runs before all other passes; local functions that the kernel calls are inlined first. Linear.
///
/// # Errors
/// What no kernel may do, in the order of the text; the function is then of no use.
pub fn stencil_kernel(
    func: &mut Func,
    kernel: &Kernel<'_>,
    cx: &PassContext<'_>,
) -> Result<Reach, Vec<Diagnostic>> {
    if let Some((_, reserved)) = func.vars.iter().find(|(_, var)| var.name == OUT) {
        let message = format!(
            "the name `{}` is what a stencil's result has",
            reserved.name
        );
        return Err(vec![
            bad(message, func.span)
                .with_numba_phrase("Cannot use the reserved word 'out' in stencil kernels.")
                .with_help("give the variable of the kernel another name"),
        ]);
    }
    inline_closure_likes(func, cx)?;
    let defs = DefUse::new(func);
    let mut rewriter = Rewriter {
        kernel: *kernel,
        names: FreshNames::new(func),
        index: Vec::new(),
        slice: None,
        lows: vec![i64::MAX; kernel.ndim],
        highs: vec![i64::MIN; kernel.ndim],
        unknown: None,
        accessed: Vec::new(),
    };
    for axis in 0..kernel.ndim {
        let var = rewriter.names.named(func, &format!("index{axis}"));
        rewriter.index.push(var);
    }
    for block in func.layout.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        for inst in insts {
            rewriter
                .statement(func, &defs, block, inst)
                .map_err(|error| vec![*error])?;
            func.blocks[block].insts.push(inst);
        }
    }
    rewriter.add_parameters(func);
    Ok(rewriter.reach(func.span))
}

fn bad(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(BAD_KERNEL, ErrorClass::NumbaValueError, message, span)
}

struct Rewriter<'a> {
    kernel: Kernel<'a>,
    names: FreshNames,
    /// The place of the element along each axis.
    index: Vec<Var>,
    /// `builtins.slice` among the function's objects.
    slice: Option<ObjRef>,
    lows: Vec<i64>,
    highs: Vec<i64>,
    /// Why the distances are not known.
    unknown: Option<Box<Diagnostic>>,
    accessed: Vec<usize>,
}

/// A subscript along one axis.
enum Part {
    Constant(Const),
    Var(Var),
}

impl Rewriter<'_> {
    fn statement(
        &mut self,
        func: &mut Func,
        defs: &DefUse,
        block: Block,
        inst: Inst,
    ) -> Result<(), Box<Diagnostic>> {
        let span = func.insts[inst].span;
        let (value, index) = match &func.insts[inst].kind {
            StmtKind::SetItem { target, .. } | StmtKind::StaticSetItem { target, .. } => {
                let assigns = parameter(func, defs, *target)
                    .is_some_and(|n| self.kernel.arrays.get(n).copied().unwrap_or(false));
                return match assigns {
                    true => Err(Box::new(
                        bad("a kernel assigns to an array that it is given", span)
                            .with_numba_phrase(
                                "Assignments to arrays passed to stencil kernels is not allowed.",
                            )
                            .with_help("return the element: the stencil puts it into the result"),
                    )),
                    false => Ok(()),
                };
            }
            StmtKind::Assign {
                value: Rhs::Expr(Expr::GetItem { value, index }),
                ..
            } => (*value, self.constant(func, defs, *index, 0).ok_or(*index)),
            StmtKind::Assign {
                value: Rhs::Expr(Expr::StaticGetItem { value, index, .. }),
                ..
            } => (*value, Ok(index.clone())),
            _ => return Ok(()),
        };
        let Some(n) = parameter(func, defs, value)
            .filter(|n| self.kernel.relative.get(*n).copied().unwrap_or(false))
        else {
            return Ok(());
        };
        if !self.accessed.contains(&n) {
            self.accessed.push(n);
        }
        let parts = self.parts(func, defs, block, span, index)?;
        let mut places = Vec::with_capacity(parts.len());
        for (axis, part) in parts.into_iter().enumerate() {
            places.push(self.place(func, defs, block, span, axis, part)?);
        }
        let index = match places.as_slice() {
            [only] => *only,
            _ => self.emit(func, block, span, Rhs::Expr(Expr::BuildTuple(places))),
        };
        if let StmtKind::Assign { value: rhs, .. } = &mut func.insts[inst].kind {
            *rhs = Rhs::Expr(Expr::GetItem { value, index });
        }
        Ok(())
    }

    /// The constant that a variable always holds: also a sum, difference or product of such, or of parameters whose values
    /// are known.
    fn constant(&self, func: &Func, defs: &DefUse, var: Var, depth: u32) -> Option<Const> {
        if depth > 32 {
            return None;
        }
        let int = |var: Var| self.constant(func, defs, var, depth + 1)?.as_int();
        let folded = match defs.definition(func, var)? {
            Rhs::Arg(n) => return self.kernel.constants.get(*n as usize)?.clone(),
            Rhs::Expr(Expr::Unary { op, value }) => match op {
                UnaryOp::Neg => int(*value)?.checked_neg(),
                UnaryOp::Pos => int(*value),
                UnaryOp::Invert | UnaryOp::Not => None,
            },
            Rhs::Expr(Expr::BinOp { op, lhs, rhs, .. }) => {
                let (lhs, rhs) = (int(*lhs)?, int(*rhs)?);
                match op {
                    BinOp::Add => lhs.checked_add(rhs),
                    BinOp::Sub => lhs.checked_sub(rhs),
                    BinOp::Mul => lhs.checked_mul(rhs),
                    _ => None,
                }
            }
            _ => return infer_constant(func, defs, var),
        };
        folded.map(Const::Int)
    }

    /// What a subscript says along each axis.
    fn parts(
        &mut self,
        func: &mut Func,
        defs: &DefUse,
        block: Block,
        span: Span,
        index: Result<Const, Var>,
    ) -> Result<Vec<Part>, Box<Diagnostic>> {
        let ndim = self.kernel.ndim;
        let parts: Vec<Part> = match index {
            Ok(Const::Tuple(items)) => items.into_iter().map(Part::Constant).collect(),
            Ok(constant) => vec![Part::Constant(constant)],
            Err(var) => match defs.definition(func, var) {
                Some(Rhs::Expr(Expr::BuildTuple(items))) => {
                    let part = |item: &Var| match self.constant(func, defs, *item, 0) {
                        Some(constant) => Part::Constant(constant),
                        None => Part::Var(*item),
                    };
                    items.iter().map(part).collect()
                }
                _ if ndim == 1 => vec![Part::Var(var)],
                _ => {
                    let item = |axis: usize| {
                        let index = Const::Int(axis as i64);
                        Rhs::Expr(Expr::StaticGetItem {
                            value: var,
                            index,
                            index_var: None,
                        })
                    };
                    let items = (0..ndim).map(item);
                    items
                        .map(|item| Part::Var(self.emit(func, block, span, item)))
                        .collect()
                }
            },
        };
        if parts.len() != ndim {
            let message = format!(
                "a subscript has {} indices, the array {ndim} axes",
                parts.len()
            );
            let phrase = "Stencil index does not match array dimensionality.";
            return Err(Box::new(bad(message, span).with_numba_phrase(phrase)));
        }
        Ok(parts)
    }

    /// The subscript along an axis, from the start of the array.
    fn place(
        &mut self,
        func: &mut Func,
        defs: &DefUse,
        block: Block,
        span: Span,
        axis: usize,
        part: Part,
    ) -> Result<Var, Box<Diagnostic>> {
        match part {
            Part::Constant(Const::Int(distance)) => {
                self.lows[axis] = self.lows[axis].min(distance);
                self.highs[axis] = self.highs[axis].max(distance);
                Ok(self.shifted(func, block, span, axis, Const::Int(distance)))
            }
            Part::Constant(Const::Slice(parts)) => {
                self.not_constant(span);
                let [start, stop, step] = *parts;
                if start == Const::None || stop == Const::None {
                    return Err(Box::new(open_slice(span)));
                }
                let mut bounds = vec![
                    self.shifted(func, block, span, axis, start),
                    self.shifted(func, block, span, axis, stop),
                ];
                if step != Const::None {
                    bounds.push(self.emit(func, block, span, Rhs::Const(step)));
                }
                Ok(self.sliced(func, block, span, bounds))
            }
            Part::Constant(other) => {
                let message = format!("the subscript `{other}` counts from no element");
                let phrase = "Non-tuple or non-integer used as stencil index.";
                Err(Box::new(bad(message, span).with_numba_phrase(phrase)))
            }
            Part::Var(var) => {
                self.not_constant(span);
                let Some((mut bounds, is_open)) = slice_parts(func, defs, var) else {
                    return Ok(self.added(func, block, span, axis, var));
                };
                if is_open {
                    return Err(Box::new(open_slice(span)));
                }
                for bound in bounds.iter_mut().take(2) {
                    *bound = self.added(func, block, span, axis, *bound);
                }
                Ok(self.sliced(func, block, span, bounds))
            }
        }
    }

    /// Notes that the distances cannot be read from the subscripts.
    fn not_constant(&mut self, span: Span) {
        self.unknown.get_or_insert_with(|| {
            Box::new(
                bad("a subscript of the kernel is not constant", span)
                    .with_numba_phrase(
                        "stencil kernel index is not constant, 'neighborhood' option required",
                    )
                    .with_help(
                        "say how far the kernel reaches along each axis: neighborhood=((-1, 1),)",
                    ),
            )
        });
    }

    /// The element's place along an axis and a constant.
    fn shifted(
        &mut self,
        func: &mut Func,
        block: Block,
        span: Span,
        axis: usize,
        by: Const,
    ) -> Var {
        if by == Const::Int(0) {
            return self.index[axis];
        }
        let by = self.emit(func, block, span, Rhs::Const(by));
        self.added(func, block, span, axis, by)
    }

    /// The element's place along an axis and a distance.
    fn added(&mut self, func: &mut Func, block: Block, span: Span, axis: usize, by: Var) -> Var {
        let sum = Expr::BinOp {
            op: BinOp::Add,
            lhs: self.index[axis],
            rhs: by,
            static_rhs: None,
        };
        self.emit(func, block, span, Rhs::Expr(sum))
    }

    fn sliced(&mut self, func: &mut Func, block: Block, span: Span, bounds: Vec<Var>) -> Var {
        let slice = *self
            .slice
            .get_or_insert_with(|| func.objects.push(library("builtins.slice", ObjKind::Class)));
        let callee = self.emit(func, block, span, Rhs::Global(slice));
        let call = Expr::Call {
            func: callee,
            args: bounds,
            kws: Vec::new(),
            vararg: None,
        };
        self.emit(func, block, span, Rhs::Expr(call))
    }

    fn emit(&mut self, func: &mut Func, block: Block, span: Span, value: Rhs) -> Var {
        let target = self.names.temp(func);
        let kind = StmtKind::Assign { target, value };
        func.push_stmt(block, kind, span, Origin::Pass(NAME));
        target
    }

    /// The place of the element as the last parameters. All are given by position.
    fn add_parameters(&self, func: &mut Func) {
        for spec in &mut func.args {
            spec.kind = ArgKind::PositionalOrKeyword;
            spec.default = None;
        }
        let Some(entry) = func.entry() else { return };
        let rest = std::mem::take(&mut func.blocks[entry].insts);
        for &target in &self.index {
            let value = Rhs::Arg(func.args.len() as u32);
            func.args.push(ArgSpec {
                name: func.var_name(target).to_owned(),
                kind: ArgKind::PositionalOrKeyword,
                default: None,
            });
            let kind = StmtKind::Assign { target, value };
            func.push_stmt(entry, kind, func.span, Origin::Pass(NAME));
        }
        func.blocks[entry].insts.extend(rest);
    }

    fn reach(mut self, span: Span) -> Reach {
        if self.accessed.is_empty() {
            self.unknown.get_or_insert_with(|| {
                let message = "the kernel reads no element of an array by its distance";
                let phrase = "Stencil kernel with no accesses to relatively indexed arrays.";
                Box::new(bad(message, span).with_numba_phrase(phrase))
            });
        }
        self.accessed.sort_unstable();
        let distances = self.lows.iter().copied().zip(self.highs.iter().copied());
        Reach {
            distances: match self.unknown {
                Some(unknown) => Err(unknown),
                None => Ok(distances.collect()),
            },
            accessed: self.accessed,
        }
    }
}

fn open_slice(span: Span) -> Diagnostic {
    bad("a slice of neighbours without start or stop", span)
        .with_help("write both: a[-1:2] are the element and one at each side")
}

/// The bounds and step of a slice that is made here, and whether it lacks one of the bounds; `None` for anything else.
fn slice_parts(func: &Func, defs: &DefUse, var: Var) -> Option<(Vec<Var>, bool)> {
    let Some(Rhs::Expr(Expr::Call {
        func: callee,
        args,
        kws,
        vararg: None,
    })) = defs.definition(func, var)
    else {
        return None;
    };
    if !kws.is_empty() || !known::is_object(func, defs, *callee, known::SLICE) {
        return None;
    }
    let is_none = |var: &Var| infer_constant(func, defs, *var) == Some(Const::None);
    let is_open = args.len() < 2 || args.iter().take(2).any(is_none);
    let mut parts = args.clone();
    if parts.len() == 3 && is_none(&parts[2]) {
        parts.pop();
    }
    Some((parts, is_open))
}

/// The parameter that a variable always is.
fn parameter(func: &Func, defs: &DefUse, var: Var) -> Option<usize> {
    match defs.definition(func, var)? {
        Rhs::Arg(n) => Some(*n as usize),
        _ => None,
    }
}
