//! Generators: a call makes a frame, `iternext` runs one step.
//!
//! A generator function becomes two functions of the module. The one under its name makes the frame
//! ([`numbra_abi::FRAME`]) and puts the arguments there; the other, `name.next`, is the body cut into steps by
//! [`split_generator`]. The frame knows the address of the step, so that whoever has a generator can run it.

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::module::{Mx, Site};
use super::raise::Raise;
use numbra_abi::{FRAME, HEADER, NativeId};
use numbra_base::Diagnostic;
use numbra_ir::{Type, TypeKind, TypedFunc, Types, Var};
use numbra_lir::{
    AliasClass, ConvertOp, Func, FuncDecl, FuncRef, GuardKind, InstKind, IntCc, Linkage, Signature,
    Ty, Value,
};
use numbra_opt::{FrameLayout, split_generator};

/// Fields of [`FRAME`] and [`HEADER`].
const RESUME: usize = 1;
const DATA: usize = 3;

/// The signature of a step: see [`FRAME`].
fn step_signature(types: &Types, params: &[Ty], yields: Type) -> Res<Signature> {
    let mut results = super::model::leaves(types, yields).map_err(Fault::unsupported)?;
    results.extend([Ty::I1; 2]);
    Ok(Signature::new(params, &results, true))
}

/// What the generator of a generator function yields.
fn yields(types: &Types, generator: Type) -> Res<Type> {
    match types.kind(generator) {
        TypeKind::Generator { yields, .. } => Ok(*yields),
        _ => Err(Fault::bug("a generator function that makes no generator")),
    }
}

/// Lowers a generator function: adds its step to the module and gives the function that makes the frame.
pub(super) fn lower<'a, 'm>(
    mx: &'a mut Mx<'m>,
    typed: &'m TypedFunc,
    sig: Signature,
    site: Option<&'a Site>,
) -> Result<(Func, bool), Box<Diagnostic>> {
    let name = &typed.func.name;
    let params: Vec<Ty> = sig.params.iter().map(|p| p.ty).collect();
    let wanted = yields(mx.types, typed.ret)
        .and_then(|yields| step_signature(mx.types, &params, yields))
        .map_err(|fault| fault.at(typed.func.span, name))?;
    let mut fx = Fx::new(mx, typed, wanted, site);
    if let Err(fault) = fx.body() {
        return Err(fault.at(fx.span, name));
    }
    let (mut step, resumes) = (fx.func, fx.resumes);
    let layout = split_generator(&mut step, &mx.module, &resumes)
        .map_err(|what| Fault::unsupported(what).at(typed.func.span, name))?;
    let step = FuncDecl {
        name: mx.unique_name(&format!("{name}.next")),
        linkage: Linkage::Local,
        sig: step.sig.clone(),
        body: Some(step),
        inline_always: false,
        inline_never: false,
    };
    let step = mx.module.functions.push(step);
    let mut fx = Fx::new(mx, typed, sig, site);
    match fx.make_frame(&layout, step) {
        Ok(()) => Ok((fx.func, fx.can_fail)),
        Err(fault) => Err(fault.at(fx.span, name)),
    }
}

impl Fx<'_, '_> {
    /// The body of the function under a generator's name.
    fn make_frame(&mut self, layout: &FrameLayout, step: FuncRef) -> Res<()> {
        let size = self.i64(i64::from(layout.size));
        let refs = self.i64(i64::from(layout.refs));
        let frame = self.native_value(NativeId::FrameNew, vec![size, refs])?;
        let header = self.convert(ConvertOp::RefToPtr, frame, Ty::PTR);
        let null = self.zero(Ty::PTR);
        let some = self.icmp(IntCc::Ne, header, null);
        let raise = Raise::new("MemoryError", "cannot allocate generator");
        self.guard(some, GuardKind::Null, raise)?;
        let data = self.frame_data(frame);
        let address = self.one(InstKind::FuncAddr(step), Ty::PTR);
        let resume = FRAME.offset(RESUME) as i32;
        self.store(data, resume, address, flags(AliasClass::ANY, 8));
        let entry = self.func.entry();
        let params = self.func.blocks[entry].params.clone();
        for (&param, &at) in params.iter().zip(&layout.params) {
            let ty = self.ty(param);
            if ty == Ty::Ref {
                let offset = self.i64(i64::from(at));
                let place = self.ptr_add(data, offset);
                self.native_call(NativeId::RefSet, vec![place, param])?;
            } else {
                self.store(
                    data,
                    at as i32,
                    param,
                    flags(AliasClass::ANY, ty.size().min(8)),
                );
            }
        }
        self.ret(vec![frame]);
        self.finish();
        Ok(())
    }

    /// The address of a frame's data.
    fn frame_data(&mut self, frame: Value) -> Value {
        let header = self.convert(ConvertOp::RefToPtr, frame, Ty::PTR);
        let at = HEADER.offset(DATA) as i32;
        self.load(Ty::PTR, header, at, flags(AliasClass::HEADER, 8))
    }

    /// `yield value`: its own value is None.
    pub(super) fn yield_value(&mut self, value: Var, ty: Type) -> Res<Vec<Value>> {
        let yields = yields(self.types, self.typed.ret)?;
        let value = self.var(value)?;
        let leaves = self.cast(&value, yields)?;
        let resume = self.new_block();
        for leaf in &leaves {
            let leaf = self.ty(*leaf);
            self.func.push_param(resume, leaf);
        }
        self.jump(resume, leaves);
        self.enter(resume);
        self.resumes.push(resume);
        self.zeros(ty)
    }

    /// `return` in a generator: there is nothing more.
    pub(super) fn end_generator(&mut self) -> Res<()> {
        let mut results = self.zeros(yields(self.types, self.typed.ret)?)?;
        results.extend([self.bool(false), self.bool(false)]);
        self.ret(results);
        Ok(())
    }

    /// A step of a generator: the leaves of the item, then whether there was one.
    pub(super) fn generator_next(&mut self, iter: &Val, yields: Type) -> Res<Vec<Value>> {
        let &[frame] = iter.leaves.as_slice() else {
            return Err(Fault::bug("a generator is one reference"));
        };
        let sig = step_signature(self.types, &[Ty::Ref], yields)?;
        let mut tys = vec![Ty::I32];
        tys.extend(&sig.results);
        let sig = self.mx.signature(sig);
        let data = self.frame_data(frame);
        let resume = FRAME.offset(RESUME) as i32;
        let callee = self.load(Ty::PTR, data, resume, flags(AliasClass::ANY, 8));
        let kind = InstKind::CallIndirect {
            sig,
            callee,
            args: vec![frame],
        };
        let mut results = self.inst(kind, &tys);
        let status = results.remove(0);
        self.guard_status(status)?;
        results.pop();
        Ok(results)
    }
}
