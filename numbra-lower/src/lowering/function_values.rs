//! Functions as values: one of several jitted functions by its number, functions of one signature by their address.
//!
//! What is compiled has the internal ABI with a status, whether it can raise or not; what is a function of C has the
//! platform's convention. A call of a value of which neither is known tests which of the two it is.
//!
//! A jitted function becomes a function of one signature by a cell of the module with the address of its leaves, which
//! whoever loads the code fills in: see [`Mx::function_value`].

use super::emit::flags;
use super::error::{Fault, Res};
use super::function::{Fx, Val};
use numbra_ir::{DispatcherId, Type, TypeKind};
use numbra_lir::{
    AliasClass, ConvertOp, GuardKind, InstKind, IntCc, MemFlags, Signature, Ty, Value, ValueDef,
};

impl Fx<'_, '_> {
    /// One of several jitted functions, or the one that `value` is, as one of those of the type `to`: its number there.
    pub(super) fn as_choice(&mut self, value: &Val, to: Type) -> Res<Vec<Value>> {
        let all = self.types.jitted_functions(to);
        let mut numbers = Vec::new();
        for member in self.types.jitted_functions(value.ty) {
            let number = all.iter().position(|one| *one == member);
            numbers.push(number.ok_or_else(|| {
                Fault::bug(format!(
                    "{} is none of {}",
                    self.show(member),
                    self.show(to)
                ))
            })?);
        }
        let numbers: Vec<Value> = numbers.iter().map(|n| self.i64(*n as i64)).collect();
        Ok(vec![self.of_function(value, &numbers)?])
    }

    /// The one of these values, one a function, that belongs to the function that `value` is.
    fn of_function(&mut self, value: &Val, values: &[Value]) -> Res<Value> {
        let Some((last, others)) = values.split_last() else {
            return Err(Fault::bug("a choice of no function"));
        };
        let mut found = *last;
        for (number, one) in others.iter().enumerate().rev() {
            let is_it = self.icmp_imm(IntCc::Eq, value.leaves[0], number as i64);
            found = self.select(is_it, *one, found);
        }
        Ok(found)
    }

    /// A jitted function, or one of several, as a function of the signature of `to`.
    pub(super) fn as_function(&mut self, value: &Val, to: Type) -> Res<Vec<Value>> {
        let readonly = MemFlags {
            readonly: true,
            ..flags(AliasClass::CONST, 8)
        };
        let mut blocks = Vec::new();
        for member in self.types.jitted_functions(value.ty) {
            let TypeKind::Dispatcher { id, .. } = self.types.kind(member) else {
                return Err(Fault::bug("a choice of what is no jitted function"));
            };
            let cell = self.mx.function_value(*id, to);
            let cell = self.one(InstKind::DataAddr(cell), Ty::PTR);
            blocks.push(self.load(Ty::PTR, cell, 0, readonly));
        }
        let block = self.of_function(value, &blocks)?;
        // A function that becomes a value while it is compiled has its address later.
        let once = flags(AliasClass::ANY, 8);
        let tys = self.leaf_types(to)?;
        let leaves = tys.into_iter().enumerate();
        Ok(leaves
            .map(|(i, ty)| self.load(ty, block, 16 * i as i32, once))
            .collect())
    }

    /// A constant function: its address, whether it is compiled, and where it has one, what keeps it.
    pub(super) fn constant_function(
        &mut self,
        address: i64,
        compiled: i64,
        handle: Option<u64>,
    ) -> Res<Vec<Value>> {
        let address = self.i64(address);
        let address = self.convert(ConvertOp::IntToPtr, address, Ty::PTR);
        let owner = match handle {
            Some(handle) => self.constant_owner(handle),
            None => self.zero(Ty::Ref),
        };
        Ok(vec![address, self.i64(compiled), owner])
    }

    fn constant_owner(&mut self, handle: u64) -> Value {
        let readonly = MemFlags {
            readonly: true,
            ..flags(AliasClass::CONST, 8)
        };
        let cell = self.mx.constant_array(handle);
        let cell = self.one(InstKind::DataAddr(cell), Ty::PTR);
        let block = self.load(Ty::PTR, cell, 0, readonly);
        self.load(Ty::Ref, block, 16 * 2, readonly)
    }

    /// Calls a function of one signature.
    pub(super) fn call_value(&mut self, callee: &Val, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let &[address, _, owner] = callee.leaves.as_slice() else {
            return Err(Fault::bug("a function value without its leaves"));
        };
        let of_c = self.c_signature(args, ret)?;
        if self.mx.options.device {
            let Some(sig) = of_c else {
                let what = format!("a call of {}", self.show(callee.ty));
                return Err(Fault::unsupported(what));
            };
            return self.call_address(address, sig, args);
        }
        let results = match of_c {
            Some(sig) => self.call_either(callee, sig, args, ret)?,
            None => self.call_compiled(address, args, ret)?,
        };
        // Its object keeps the code.
        self.keep(vec![owner]);
        Ok(results)
    }

    /// Calls code that is compiled, or of C.
    fn call_either(
        &mut self,
        callee: &Val,
        sig: Signature,
        args: &[Val],
        ret: Type,
    ) -> Res<Vec<Value>> {
        let (address, compiled) = (callee.leaves[0], callee.leaves[1]);
        let compiled = match self.const_of(compiled) {
            Some(known) => self.bool(known != 0),
            None => self.icmp_imm(IntCc::Ne, compiled, 0),
        };
        let tys = self.leaf_types(ret)?;
        let shown = self.show(callee.ty);
        self.if_else(
            compiled,
            &tys,
            |fx| fx.call_compiled(address, args, ret),
            |fx| {
                if !fx.is_known_address(address) {
                    let null = fx.zero(Ty::PTR);
                    let given = fx.icmp(IntCc::Ne, address, null);
                    let message = format!("{shown} function address is null");
                    fx.guard_text(given, GuardKind::Null, "RuntimeError", Some(&message))?;
                }
                fx.call_address(address, sig, args)
            },
        )
    }

    /// True for a constant that is not null.
    fn is_known_address(&self, value: Value) -> bool {
        let ValueDef::Result(inst, _) = self.func.values[value].def else {
            return false;
        };
        match self.func.insts[inst].kind {
            InstKind::Convert { arg, .. } => self.const_of(arg).is_some_and(|known| known != 0),
            _ => false,
        }
    }

    /// The signature in the platform's C convention, where every argument and the result are one leaf: that is the internal
    /// ABI of a function that does not raise.
    fn c_signature(&mut self, args: &[Val], ret: Type) -> Res<Option<Signature>> {
        let simple = |fx: &Self, ty: Type| fx.leaf_count(ty).is_ok_and(|n| n == 1);
        if !args.iter().all(|arg| simple(self, arg.ty)) || !(ret == Type::NONE || simple(self, ret))
        {
            return Ok(None);
        }
        let params: Vec<Ty> = args.iter().map(|arg| self.ty(arg.leaves[0])).collect();
        let results = self.leaf_types(ret)?;
        if params.contains(&Ty::Ref) || results.contains(&Ty::Ref) {
            return Ok(None);
        }
        let sig = Signature::new(&params, &results, false);
        let fits = !(sig.has_argument_block() || sig.has_result_block());
        Ok(fits.then_some(sig))
    }

    fn call_address(&mut self, callee: Value, sig: Signature, args: &[Val]) -> Res<Vec<Value>> {
        let results = sig.results.clone();
        let sig = self.mx.signature(sig);
        let args = args.iter().map(|arg| arg.leaves[0]).collect();
        Ok(self.inst(InstKind::CallIndirect { sig, callee, args }, &results))
    }

    fn call_compiled(&mut self, callee: Value, args: &[Val], ret: Type) -> Res<Vec<Value>> {
        let args: Vec<Value> = args.iter().flat_map(|arg| arg.leaves.clone()).collect();
        let params: Vec<Ty> = args.iter().map(|arg| self.ty(*arg)).collect();
        let sig = Signature::new(&params, &self.leaf_types(ret)?, true);
        let mut tys = vec![Ty::I32];
        tys.extend(&sig.results);
        let sig = self.mx.signature(sig);
        let mut results = self.inst(InstKind::CallIndirect { sig, callee, args }, &tys);
        let status = results.remove(0);
        self.guard_status(status)?;
        Ok(results)
    }

    /// `a is b` of functions of one type.
    pub(super) fn is_same_function(&mut self, a: &Val, b: &Val) -> Res<Value> {
        match (a.leaves.first(), b.leaves.first()) {
            (Some(a), Some(b)) if self.ty(*a) == self.ty(*b) => Ok(self.icmp(IntCc::Eq, *a, *b)),
            (None, None) => Ok(self.bool(true)),
            _ => Err(Fault::bug("functions of two types are compared")),
        }
    }
}

/// The symbol behind which are the leaves of a jitted function as a function of one signature, one every 16 bytes.
/// Digits, then the text of the type in letters, digits and `$28` for other bytes.
pub(super) fn symbol(id: DispatcherId, ty: &str) -> String {
    let mut name = format!("{FUNCTION_VALUE}{}_", id.0);
    for byte in ty.bytes() {
        match byte.is_ascii_alphanumeric() {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("${byte:02x}")),
        }
    }
    name
}

/// Start of the symbols of jitted functions as functions of one signature: see [`Mx::function_value`].
///
/// [`Mx::function_value`]: super::module::Mx::function_value
pub const FUNCTION_VALUE: &str = "numbra_value_";
