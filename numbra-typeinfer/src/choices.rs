//! Calls of one of several jitted functions: each is called at the types of the arguments, and the results have a common
//! type, as those of a function with a branch a function have.

use crate::context::Cx;
use crate::fold::{Actual, Actuals};
use crate::network::Network;
use crate::program::{Key, Source};
use crate::resolve::{Callee, Resolution, call_entry};
use numbra_base::{Origin, Span};
use numbra_ir::{
    ArgKind, ArgSpec, BinOp, Block, CallArg, Expr, Func, Inst, InstanceOrigin, ObjDesc, ObjKind,
    Rhs, StmtKind, Type, TypeKind, Var,
};

/// What messages and dumps call the function that chooses.
const NAME: &str = "call_chosen";

/// Calls the function that `func`, of this type, holds: one of `members`.
pub(crate) fn call_choice(
    net: &mut Network,
    cx: &mut Cx<'_>,
    inst: Inst,
    func: Var,
    (choice, members): (Type, &[Type]),
    actuals: &Actuals,
) -> Resolution {
    let span = net.span(inst);
    let names: Vec<&str> = actuals
        .keyword
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    let body = chooser(cx, members, actuals.positional.len(), &names, span);
    let at = cx.program.closure(body.clone(), None);
    let this = Actual {
        arg: CallArg::Var(func),
        ty: choice,
    };
    let given = actuals
        .positional
        .iter()
        .chain(actuals.keyword.iter().map(|(_, given)| given));
    let given: Vec<&Actual> = std::iter::once(&this).chain(given).collect();
    let callee = Callee {
        key: Key {
            source: Source::Closure(at),
            args: given.iter().map(|one| cx.types.unliteral(one.ty)).collect(),
        },
        origin: InstanceOrigin::Closure(NAME.to_owned()),
        name: NAME,
    };
    let args = given.into_iter().map(|one| one.arg.clone()).collect();
    call_entry(net, cx, inst, callee, args, move |cx, types| {
        cx.host.prepare(body, types, cx.types)
    })
}

/// A function of the choice and the arguments:
///
/// ```text
/// def call_chosen(chosen, a, b):
///     if chosen is f:
///         return f(a, key=b)
///     return g(a, key=b)
/// ```
fn chooser(cx: &Cx<'_>, members: &[Type], positional: usize, names: &[&str], span: Span) -> Func {
    let mut made = Chooser {
        func: Func::new(NAME, span),
        span,
    };
    let mut at = made.func.push_block();
    let function = made.parameter(at, "chosen".to_owned());
    let given: Vec<Var> = (0..positional + names.len())
        .map(|n| made.parameter(at, format!("argument{n}")))
        .collect();
    let (args, named) = given.split_at(positional);
    let kws: Vec<(String, Var)> = names
        .iter()
        .zip(named)
        .map(|(name, var)| ((*name).to_owned(), *var))
        .collect();
    for (n, member) in members.iter().enumerate() {
        let callee = made.object(cx, at, *member);
        if n + 1 < members.len() {
            let is_it = Expr::BinOp {
                op: BinOp::Is,
                lhs: function,
                rhs: callee,
                static_rhs: None,
            };
            let cond = made.assign(at, Rhs::Expr(is_it));
            let (then, other) = (made.func.push_block(), made.func.push_block());
            made.push(at, StmtKind::Branch { cond, then, other });
            made.call(then, callee, args, &kws);
            at = other;
        } else {
            made.call(at, callee, args, &kws);
        }
    }
    made.func
}

/// The function as far as it is made.
struct Chooser {
    func: Func,
    span: Span,
}

impl Chooser {
    fn push(&mut self, block: Block, kind: StmtKind) {
        let origin = Origin::Pass("nopython_type_inference");
        self.func.push_stmt(block, kind, self.span, origin);
    }

    fn assign(&mut self, block: Block, value: Rhs) -> Var {
        let target = self.func.push_temp();
        self.push(block, StmtKind::Assign { target, value });
        target
    }

    fn parameter(&mut self, block: Block, name: String) -> Var {
        let n = self.func.args.len() as u32;
        let target = self.func.push_var(name.clone());
        self.func.args.push(ArgSpec {
            name,
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        });
        let value = Rhs::Arg(n);
        self.push(block, StmtKind::Assign { target, value });
        target
    }

    /// The jitted function of a type.
    fn object(&mut self, cx: &Cx<'_>, block: Block, ty: Type) -> Var {
        let (kind, name) = match cx.types.kind(ty) {
            TypeKind::Dispatcher { id, name } => (ObjKind::Dispatcher(*id), name.clone()),
            _ => (ObjKind::Undefined, cx.show(ty)),
        };
        let object = self.func.objects.push(ObjDesc {
            repr: name.clone(),
            name,
            kind,
            digest: None,
        });
        self.assign(block, Rhs::Global(object))
    }

    fn call(&mut self, block: Block, func: Var, args: &[Var], kws: &[(String, Var)]) {
        let call = Expr::Call {
            func,
            args: args.to_vec(),
            kws: kws.to_vec(),
            vararg: None,
        };
        let result = self.assign(block, Rhs::Expr(call));
        self.push(block, StmtKind::Return(result));
    }
}
