//! `stencil_loops`.

use super::{Distance, OUT, library};
use crate::{
    ArgKind, ArgSpec, BinOp, Block, Const, Expr, FreshNames, Func, ObjDesc, ObjKind, ObjRef, Rhs,
    StmtKind, Type, UnaryOp, Var, steps,
};
use numbra_base::{FxHashMap, Origin};

const NAME: &str = "stencil_loops";

/// What the loops of a stencil go over.
#[derive(Clone, Debug)]
pub struct StencilLoops<'a> {
    /// The kernel, as [`super::stencil_kernel`] leaves it.
    pub kernel: &'a Func,
    /// How far it reaches along each axis of the first array, down and up.
    pub reach: &'a [(Distance, Distance)],
    /// What is added to the place of the element along each axis; nothing where there are none.
    pub offsets: &'a [Distance],
    /// The parameters with relative subscripts.
    pub accessed: &'a [usize],
    /// The result is a parameter, `out`; else a new array of elements of this type.
    pub element: Option<Type>,
    /// Elements with neighbours outside of the array are set to a further parameter.
    pub fills: bool,
    /// How many distances are further parameters.
    pub given: u32,
    /// The outer loop may run in parallel.
    pub parallel: bool,
}

/// The function that calls a kernel for each element whose neighbours all are in the array.
///
/// ```text
/// function stencil.k(a, cval):
///   shape = a.shape
///   out = numpy.empty(shape, float64)
///   stencil.border(out, (1, 1), (shape[0] - 1, shape[1] - 1), cval)
///   for index0 in prange(1, shape[0] - 1):
///     for index1 in range(1, shape[1] - 1):
///       out[index0, index1] = k(a, index0, index1)
///   return out
/// ```
///
/// The kernel is a function in it. In SSA form.
pub fn stencil_loops(of: &StencilLoops<'_>) -> Func {
    let mut func = Func::new(format!("stencil.{}", of.kernel.name), of.kernel.span);
    func.qualname = format!("stencil.{}", of.kernel.qualname);
    func.module.clone_from(&of.kernel.module);
    let entry = func.push_block();
    let mut make = Maker {
        names: FreshNames::new(&func),
        objects: FxHashMap::default(),
        func,
        block: entry,
    };
    make.run(of);
    make.func
}

struct Maker {
    func: Func,
    names: FreshNames,
    /// Functions that are called, by name.
    objects: FxHashMap<&'static str, ObjRef>,
    block: Block,
}

impl Maker {
    fn run(&mut self, of: &StencilLoops<'_>) {
        let ndim = of.reach.len();
        let params = of.kernel.args.len() - ndim;
        let arrays: Vec<Var> = (of.kernel.args[..params].iter())
            .map(|spec| self.parameter(&spec.name))
            .collect();
        let given_out = of.element.is_none().then(|| self.parameter(OUT));
        let border = of.fills.then(|| self.parameter("cval"));
        let given: Vec<Var> = (0..of.given)
            .map(|n| self.parameter(&format!("distance{n}")))
            .collect();
        let kernel = self.kernel(of.kernel);

        let first = arrays[0];
        let shape = self.named(
            "shape",
            Rhs::Expr(Expr::GetAttr {
                value: first,
                attr: "shape".to_owned(),
            }),
        );
        let others = of.accessed.iter().filter(|n| **n != 0).map(|n| arrays[*n]);
        let others: Vec<Var> = others.collect();
        self.check(steps::STENCIL_SIZES, first, others);
        let out = match (given_out, of.element) {
            (Some(out), _) => {
                self.check(steps::STENCIL_OUT, first, vec![out]);
                out
            }
            (None, element) => self.new_array(shape, element.unwrap_or(Type::FLOAT64)),
        };
        let mut bounds = Vec::with_capacity(ndim);
        for (axis, (down, up)) in of.reach.iter().enumerate() {
            let start = self.start(*down, &given);
            let stop = self.stop(shape, axis, *up, &given);
            bounds.push((start, stop));
        }
        if let Some(border) = border {
            let starts = bounds.iter().map(|(start, _)| *start).collect();
            let stops = bounds.iter().map(|(_, stop)| *stop).collect();
            let starts = self.temp(Rhs::Expr(Expr::BuildTuple(starts)));
            let stops = self.temp(Rhs::Expr(Expr::BuildTuple(stops)));
            let args = vec![out, starts, stops, border];
            self.call_named(steps::STENCIL_BORDER, ObjKind::Function, args);
        }

        // Each loop's exit goes to the header of the one around it.
        let mut index = Vec::with_capacity(ndim);
        let mut exits = Vec::with_capacity(ndim);
        for (axis, (start, stop)) in bounds.into_iter().enumerate() {
            let range = match axis {
                0 if of.parallel => "numbra.prange",
                _ => "builtins.range",
            };
            let (item, exit) = self.enter_loop(range, axis, start, stop);
            index.push(item);
            exits.push(exit);
        }
        let mut args = arrays;
        for (axis, item) in index.iter().enumerate() {
            args.push(match of.offsets.get(axis) {
                None | Some(Distance::Known(0)) => *item,
                Some(by) => {
                    let by = self.distance(*by, &given);
                    self.binary(BinOp::Add, *item, by)
                }
            });
        }
        let value = self.call(kernel, args);
        let target = out;
        let index = match index.as_slice() {
            [only] => *only,
            _ => self.temp(Rhs::Expr(Expr::BuildTuple(index))),
        };
        self.push(StmtKind::SetItem {
            target,
            index,
            value,
        });
        for (header, exit) in exits.into_iter().rev() {
            self.push(StmtKind::Jump(header));
            self.func.layout.push(exit);
            self.block = exit;
        }
        let cast = Expr::Cast {
            value: out,
            to: None,
        };
        let result = self.temp(Rhs::Expr(cast));
        self.push(StmtKind::Return(result));
    }

    /// The kernel as a function in this one.
    fn kernel(&mut self, kernel: &Func) -> Var {
        let code = self.func.objects.push(ObjDesc {
            name: kernel.name.clone(),
            kind: ObjKind::Opaque {
                class: "<class 'code'>".to_owned(),
            },
            repr: format!("<code object {}>", kernel.name),
            digest: None,
        });
        self.func.nested.push((code, kernel.clone()));
        self.named(
            "kernel",
            Rhs::Expr(Expr::MakeFunction {
                name: kernel.name.clone(),
                code,
                closure: Vec::new(),
                defaults: Vec::new(),
                kwdefaults: Vec::new(),
            }),
        )
    }

    /// A call that raises where one of the arrays is smaller than the first.
    fn check(&mut self, step: &'static str, first: Var, others: Vec<Var>) {
        if others.is_empty() {
            return;
        }
        let args = std::iter::once(first).chain(others).collect();
        self.call_named(step, ObjKind::Function, args);
    }

    fn new_array(&mut self, shape: Var, element: Type) -> Var {
        let dtype = self.func.objects.push(ObjDesc {
            name: "dtype".to_owned(),
            kind: ObjKind::DType(element),
            repr: String::new(),
            digest: None,
        });
        let dtype = self.temp(Rhs::Global(dtype));
        let empty = self.function("numpy.empty", ObjKind::Function);
        let call = called(empty, vec![shape, dtype]);
        self.named(OUT, call)
    }

    /// The first index along an axis: so many below it are neighbours.
    fn start(&mut self, down: Distance, given: &[Var]) -> Var {
        match down {
            Distance::Known(down) => self.constant(down.min(0).checked_neg().unwrap_or(i64::MAX)),
            Distance::Given(n) => {
                let zero = self.constant(0);
                let below = self.temp(Rhs::Expr(Expr::Unary {
                    op: UnaryOp::Neg,
                    value: given[n as usize],
                }));
                // In this form it is seen never to be negative.
                self.call_named("builtins.max", ObjKind::Function, vec![zero, below])
            }
        }
    }

    /// The index along an axis behind the last one: so many above it are neighbours.
    fn stop(&mut self, shape: Var, axis: usize, up: Distance, given: &[Var]) -> Var {
        let extent = self.temp(Rhs::Expr(Expr::StaticGetItem {
            value: shape,
            index: Const::Int(axis as i64),
            index_var: None,
        }));
        let above = match up {
            Distance::Known(up) if up <= 0 => return extent,
            Distance::Known(up) => self.constant(up),
            Distance::Given(n) => {
                let zero = self.constant(0);
                let args = vec![zero, given[n as usize]];
                self.call_named("builtins.max", ObjKind::Function, args)
            }
        };
        self.binary(BinOp::Sub, extent, above)
    }

    fn distance(&mut self, distance: Distance, given: &[Var]) -> Var {
        match distance {
            Distance::Known(known) => self.constant(known),
            Distance::Given(n) => given[n as usize],
        }
    }

    /// Begins a loop over a range. Its item; its header and its exit, which is not in the layout yet.
    fn enter_loop(
        &mut self,
        range: &'static str,
        axis: usize,
        start: Var,
        stop: Var,
    ) -> (Var, (Block, Block)) {
        let range = self.call_named(range, ObjKind::Function, vec![start, stop]);
        let iterator = self.temp(Rhs::Expr(Expr::GetIter(range)));
        let header = self.func.push_block();
        self.push(StmtKind::Jump(header));
        self.block = header;
        let pair = self.temp(Rhs::Expr(Expr::IterNext(iterator)));
        let item = self.named(&format!("index{axis}"), Rhs::Expr(Expr::PairFirst(pair)));
        let cond = self.temp(Rhs::Expr(Expr::PairSecond(pair)));
        let then = self.func.push_block();
        let other = self.func.blocks.push(Default::default());
        self.push(StmtKind::Branch { cond, then, other });
        self.block = then;
        (item, (header, other))
    }

    fn parameter(&mut self, name: &str) -> Var {
        let n = self.func.args.len() as u32;
        let var = self.named(name, Rhs::Arg(n));
        self.func.args.push(ArgSpec {
            name: self.func.var_name(var).to_owned(),
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        });
        var
    }

    fn function(&mut self, name: &'static str, kind: ObjKind) -> Var {
        let objects = &mut self.func.objects;
        let obj = *(self.objects.entry(name)).or_insert_with(|| objects.push(library(name, kind)));
        self.temp(Rhs::Global(obj))
    }

    fn call_named(&mut self, name: &'static str, kind: ObjKind, args: Vec<Var>) -> Var {
        let func = self.function(name, kind);
        self.call(func, args)
    }

    fn call(&mut self, func: Var, args: Vec<Var>) -> Var {
        self.temp(called(func, args))
    }

    fn binary(&mut self, op: BinOp, lhs: Var, rhs: Var) -> Var {
        self.temp(Rhs::Expr(Expr::BinOp {
            op,
            lhs,
            rhs,
            static_rhs: None,
        }))
    }

    fn constant(&mut self, value: i64) -> Var {
        self.temp(Rhs::Const(Const::Int(value)))
    }

    fn temp(&mut self, value: Rhs) -> Var {
        let target = self.names.temp(&mut self.func);
        self.push(StmtKind::Assign { target, value });
        target
    }

    fn named(&mut self, name: &str, value: Rhs) -> Var {
        let target = self.names.named(&mut self.func, name);
        self.push(StmtKind::Assign { target, value });
        target
    }

    fn push(&mut self, kind: StmtKind) {
        let span = self.func.span;
        self.func
            .push_stmt(self.block, kind, span, Origin::Pass(NAME));
    }
}

fn called(func: Var, args: Vec<Var>) -> Rhs {
    Rhs::Expr(Expr::Call {
        func,
        args,
        kws: Vec::new(),
        vararg: None,
    })
}
