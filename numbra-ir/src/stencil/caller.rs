//! `stencil_caller`.

use super::OUT;
use crate::{
    ArgKind, ArgSpec, Const, DispatcherId, Expr, Func, ObjDesc, ObjKind, Rhs, StmtKind, Var,
};
use numbra_base::Origin;

const NAME: &str = "stencil_caller";

/// The function that a call of a stencil from Python runs: it calls the stencil.
///
/// ```text
/// function k(a, b):          function k(a, b, *, out=None):
///   ..                  =>     $0 = global(k)
///                              $1 = call $0(a, b, out=out)
///                              $2 = cast($1)
///                              return $2
/// ```
pub fn stencil_caller(kernel: &Func, id: DispatcherId) -> Func {
    let span = kernel.span;
    let mut func = Func::new(kernel.name.clone(), span);
    func.qualname.clone_from(&kernel.qualname);
    func.module.clone_from(&kernel.module);
    func.args.clone_from(&kernel.args);
    if !has_out(&func.args) {
        func.args.push(out_parameter());
    }
    let block = func.push_block();
    let assign = |func: &mut Func, target: Var, value: Rhs| {
        let kind = StmtKind::Assign { target, value };
        func.push_stmt(block, kind, span, Origin::Pass(NAME));
    };
    let (mut args, mut kws, mut vararg) = (Vec::new(), Vec::new(), None);
    for (n, spec) in func.args.clone().into_iter().enumerate() {
        let var = func.push_var(spec.name.clone());
        assign(&mut func, var, Rhs::Arg(n as u32));
        match spec.kind {
            ArgKind::PositionalOnly | ArgKind::PositionalOrKeyword => args.push(var),
            ArgKind::VarPositional => vararg = Some(var),
            ArgKind::KeywordOnly | ArgKind::VarKeyword => kws.push((spec.name, var)),
        }
    }
    let this = func.objects.push(ObjDesc {
        name: kernel.name.clone(),
        kind: ObjKind::Dispatcher(id),
        repr: format!("<stencil {}>", kernel.name),
        digest: None,
    });
    let stencil = func.push_temp();
    assign(&mut func, stencil, Rhs::Global(this));
    let called = func.push_temp();
    let call = Expr::Call {
        func: stencil,
        args,
        kws,
        vararg,
    };
    assign(&mut func, called, Rhs::Expr(call));
    let result = func.push_temp();
    let cast = Expr::Cast {
        value: called,
        to: None,
    };
    assign(&mut func, result, Rhs::Expr(cast));
    func.push_stmt(block, StmtKind::Return(result), span, Origin::Pass(NAME));
    func
}

/// True if a kernel has a parameter of the name that the result has, which is an error once it is called.
fn has_out(args: &[ArgSpec]) -> bool {
    args.iter().any(|spec| spec.name == OUT)
}

/// `out=None`, by keyword only.
pub fn out_parameter() -> ArgSpec {
    ArgSpec {
        name: OUT.to_owned(),
        kind: ArgKind::KeywordOnly,
        default: Some(Const::None),
    }
}
