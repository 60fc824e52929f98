//! Calls: arguments, library rows, functions of the program, natives.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::module::Site;
use numbra_ir::{
    BodyIx, CallArg, CallSite, Callee, Instance, InstanceOrigin, RowId, Type, TypeKind,
};
use numbra_library::{Code, Inline, NativeBody, Op, ParamKind, ScalarCode, Threads};
use numbra_lir::{InstKind, Ty, Value};
use numbra_parallel::LoopKind;

impl Fx<'_, '_> {
    /// Runs a resolved call; the result has the type `sig.ret`.
    pub(super) fn call(&mut self, site: &CallSite) -> Res<Val> {
        if let Some(item) = self.spilled_item(site)? {
            return Ok(item);
        }
        if let Some(node) = self.array_expression(site)? {
            let leaves = self.run_expression(&node, site.sig.ret)?;
            return Ok(Val::new(site.sig.ret, leaves));
        }
        let mut args = Vec::with_capacity(site.args.len());
        if site.args.len() != site.sig.params.len() {
            return Err(Fault::bug(
                "a call with another number of arguments than parameters",
            ));
        }
        let counts = self.counts(site.callee);
        for (arg, ty) in site.args.iter().zip(&site.sig.params) {
            args.push(match counts {
                true => self.count_argument(arg, *ty)?,
                false => self.argument(arg, *ty)?,
            });
        }
        let ret = site.sig.ret;
        let leaves = match site.callee {
            Callee::Instance(instance) => self.call_instance(instance, &args, ret)?,
            Callee::Map(instance) => self.map_instance(instance, &args, ret)?,
            Callee::Row(row, body) => {
                if let (Some(CallArg::Var(var)), TypeKind::Pair(..)) =
                    (site.args.first(), self.types.kind(ret))
                    && self.direct.contains(var)
                {
                    self.iter_next_direct(&args[0])?
                } else {
                    self.call_row(row, body, &args, ret)?
                }
            }
        };
        Ok(Val::new(ret, leaves))
    }

    /// An argument as its parameter's type.
    pub(super) fn argument(&mut self, arg: &CallArg, ty: Type) -> Res<Val> {
        let leaves = match arg {
            CallArg::Var(var) => {
                let value = self.var(*var)?;
                self.cast(&value, ty)?
            }
            CallArg::Item(var, index) => {
                let value = self.var(*var)?;
                let item = self.tuple_item(&value, i64::from(*index))?;
                self.cast(&item, ty)?
            }
            CallArg::Default(value) => self.constant(value, ty)?,
            CallArg::Tuple(items) => {
                let tys = self.types.tuple_items(ty).unwrap_or_default();
                if tys.len() != items.len() {
                    return Err(Fault::bug(
                        "a tuple of arguments of another length than its type",
                    ));
                }
                let mut out = Vec::new();
                for (item, ty) in items.iter().zip(tys) {
                    out.extend(self.argument(item, ty)?.leaves);
                }
                out
            }
        };
        Ok(Val::new(ty, leaves))
    }

    /// Whether what a callee takes as `int64` counts or says where: a body of the prelude, of the runtime, some operations.
    fn counts(&self, callee: Callee) -> bool {
        match callee {
            Callee::Instance(instance) => {
                let found = self.mx.program.functions.get(instance);
                matches!(found, Some((InstanceOrigin::Prelude(..), _)))
            }
            Callee::Map(_) => false,
            Callee::Row(row, body) => {
                let row = self.mx.library.row_checked(row);
                match row.and_then(|row| Some(row.bodies.get(usize::from(body.0))?.code)) {
                    Some(Code::Native(_)) => true,
                    Some(Code::Intrinsic(op)) => {
                        matches!(op, Op::Draw(_) | Op::RoundDigits | Op::Ldexp)
                    }
                    _ => false,
                }
            }
        }
    }

    /// An argument of such a callee: a `uint64` for an `int64` has to be one.
    fn count_argument(&mut self, arg: &CallArg, ty: Type) -> Res<Val> {
        if let CallArg::Var(var) = arg
            && ty == Type::INT64
            && self.var_type(*var) == Some(Type::UINT64)
        {
            let value = self.var(*var)?;
            return Ok(Val::new(ty, vec![self.index_value(&value)?]));
        }
        self.argument(arg, ty)
    }

    fn call_row(&mut self, row: RowId, body: BodyIx, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let row = self.mx.library.row_checked(row);
        let body = row.and_then(|row| Some((row, row.bodies.get(usize::from(body.0))?)));
        let Some((row, body)) = body else {
            return Err(Fault::bug("a call of a row or body that the library lacks"));
        };
        match body.code {
            Code::Intrinsic(op) => self.intrinsic(op, args, ret),
            Code::Native(native) => {
                match row.params.iter().position(|p| p.kind == ParamKind::VarArgs) {
                    Some(at) => {
                        let packed = self.packed(args, at);
                        self.native(native.symbol, &packed, ret)
                    }
                    None => self.native_body(&native, args, ret),
                }
            }
            Code::Prelude(name) => Err(Fault::bug(format!(
                "library body `{name}` is not in the program"
            ))),
            Code::Elementwise(ufunc) => self.elementwise(ufunc, args, ret, false),
            Code::ElementwiseInPlace(ufunc) => self.elementwise(ufunc, args, ret, true),
        }
    }

    /// Runs a native body, or what the library says may run in its place.
    fn native_body(&mut self, native: &NativeBody, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let inlined = match native.inline {
            Some(Inline::Take) => self.picked_elements(native, args, ret)?,
            Some(Inline::Join(how)) => self.joined_arrays((how, native), args, ret)?,
            Some(Inline::Few(_)) | None => None,
        };
        if let Some(leaves) = inlined {
            return Ok(leaves);
        }
        let kind = match native.threads {
            Threads::One => None,
            Threads::Elements => Some(LoopKind::Elements),
            Threads::Reduction => Some(LoopKind::Reduction),
            Threads::Number => {
                let is_number = self.types.as_scalar(ret).is_some();
                is_number.then_some(LoopKind::Reduction)
            }
        };
        let kind = kind.filter(|_| self.is_spread());
        if let Some(kind) = kind {
            self.note_spread(kind);
        }
        match native.inline {
            Some(Inline::Few(made)) => {
                self.native_or_few((made, native), args, ret, kind.is_some())
            }
            _ => self.native_in(native.symbol, args, ret, kind.is_some()),
        }
    }

    /// The arguments with those from `at` on as one tuple: native bodies take `*args` so.
    fn packed(&self, args: &[Val], at: usize) -> Vec<Val> {
        let (first, rest) = args.split_at(at.min(args.len()));
        let tys: Vec<Type> = rest.iter().map(|a| a.ty).collect();
        let leaves = rest.iter().flat_map(|a| a.leaves.iter().copied()).collect();
        let mut out = first.to_vec();
        out.push(Val::new(self.types.tuple(&tys), leaves));
        out
    }

    /// Calls a function of the program.
    pub(super) fn call_instance(
        &mut self,
        instance: Instance,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let Some((_, callee)) = self.mx.program.functions.get(instance) else {
            return Err(Fault::bug("a call of a function that the program lacks"));
        };
        if callee.args.len() != args.len() {
            return Err(Fault::bug(format!(
                "`{}` takes {} arguments, not {}",
                callee.func.name,
                callee.args.len(),
                args.len()
            )));
        }
        let callee_ret = callee.ret;
        let params = &callee.args;
        let mut flat = Vec::new();
        for (arg, ty) in args.iter().zip(params) {
            flat.extend(self.cast(arg, *ty)?);
        }
        let site = match self.site {
            Some(site) => site.clone(),
            None => Site {
                span: self.span,
                function: self.typed.func.name.clone(),
            },
        };
        let func = self.mx.callee(instance, site).map_err(Fault::Inside)?;
        let raises = self.mx.module.functions[func].sig.raises;
        let mut tys = self.leaf_types(callee_ret)?;
        if raises {
            tys.insert(0, Ty::I32);
        }
        let mut results = self.inst(InstKind::Call { func, args: flat }, &tys);
        if raises {
            let status = results.remove(0);
            self.guard_status(status)?;
        }
        self.cast(&Val::new(callee_ret, results), ret)
    }

    /// Calls the scalar body of a ufunc loop.
    pub(super) fn scalar_code(
        &mut self,
        code: ScalarCode,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        match code {
            ScalarCode::Op(op) => self.intrinsic(op, args, ret),
            ScalarCode::Prelude(name) => {
                let tys: Vec<Type> = args.iter().map(|a| a.ty).collect();
                let found = self
                    .mx
                    .program
                    .functions
                    .iter()
                    .find(|(_, (origin, typed))| {
                        matches!(origin, InstanceOrigin::Prelude(..))
                            && typed.func.name == name
                            && typed.args == tys
                    });
                match found {
                    Some((instance, _)) => self.call_instance(instance, args, ret),
                    None => Err(Fault::bug(format!(
                        "library body `{name}` is not in the program"
                    ))),
                }
            }
        }
    }

    /// An item of a tuple that was stored where it was defined.
    fn spilled_item(&mut self, site: &CallSite) -> Res<Option<Val>> {
        let [CallArg::Var(var), index] = site.args.as_slice() else {
            return Ok(None);
        };
        let Some(Some(address)) = self.spilled.get(var).copied() else {
            return Ok(None);
        };
        if self.types.uniform_tuple(site.sig.params[0]).is_none() {
            return Ok(None);
        }
        if self.var_type(*var) != Some(site.sig.params[0]) || !self.is_item_at(site) {
            return Ok(None);
        }
        let index = self.argument(index, site.sig.params[1])?;
        let leaves = self.tuple_item_at(site.sig.params[0], address, &index)?;
        Ok(Some(Val::new(site.sig.ret, leaves)))
    }

    fn is_item_at(&self, site: &CallSite) -> bool {
        let Callee::Row(row, body) = site.callee else {
            return false;
        };
        let body = self
            .mx
            .library
            .row_checked(row)
            .and_then(|r| r.bodies.get(usize::from(body.0)));
        matches!(body.map(|b| b.code), Some(Code::Intrinsic(Op::TupleItemAt)))
    }
}
