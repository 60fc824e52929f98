//! Functions for GPUs that other code defines, which is linked to ours: Numba's `declare_device`.
//!
//! Code sees the address of a function that takes and gives values, as it sees C functions on the processor; what is added
//! here is that function, which calls the other by its symbol and in its ABI.

use super::error::{Fault, Res};
use super::item::item_layout;
use super::model::leaves;
use super::module::Mx;
use numbra_base::{Origin, Span};
use numbra_ir::Type;
use numbra_lir::{
    AliasClass, Align, Func, FuncDecl, FuncRef, Inst, InstBuilder, InstKind, IntCc, Linkage,
    MemFlags, Signature, SlotData, Terminator, Ty, Value,
};

/// How the other function is called, and its symbol: `numba:name` or `c:name`.
fn parsed(text: &str) -> Option<(bool, &str)> {
    match text.split_once(':')? {
        ("numba", name) => Some((true, name)),
        ("c", name) => Some((false, name)),
        _ => None,
    }
}

impl Mx<'_> {
    /// A function that calls the one that `text` names at these types; one for each.
    pub(super) fn extern_function(
        &mut self,
        text: &str,
        ret: Type,
        params: &[Type],
    ) -> Res<FuncRef> {
        let (numba, name) =
            parsed(text).ok_or_else(|| Fault::bug(format!("no function is called {text}")))?;
        let types = self.types;
        let one = |ty: Type| -> Res<Ty> {
            match leaves(types, ty).as_deref() {
                Ok([leaf]) => Ok(*leaf),
                _ => Err(Fault::unsupported(format!(
                    "{} in the signature of the declared function `{name}`: pass a pointer (types.CPointer)",
                    types.display(ty)
                ))),
            }
        };
        let own: Vec<Ty> = params.iter().map(|ty| one(*ty)).collect::<Res<_>>()?;
        let result = if ret == Type::NONE {
            None
        } else {
            Some(one(ret)?)
        };
        let results: Vec<Ty> = result.into_iter().collect();
        let foreign = if numba {
            let with_result: Vec<Ty> = std::iter::once(Ty::PTR).chain(own.clone()).collect();
            Signature::new(&with_result, &[Ty::I32], false)
        } else {
            Signature::new(&own, &results, false)
        };
        let sig = Signature::new(&own, &results, false);
        if [&sig, &foreign]
            .iter()
            .any(|sig| sig.has_argument_block() || sig.has_result_block())
        {
            return Err(Fault::unsupported(format!(
                "the signature of the declared function `{name}`: it has too many parameters, or half floats"
            )));
        }
        let wrapper = format!("{name}.declared");
        for (func, decl) in self.module.functions.iter() {
            if decl.name == wrapper && decl.sig == sig {
                return Ok(func);
            }
        }
        let callee = self.import(name, foreign)?;
        let mut body = Body(Func::new(sig.clone(), Span::NONE));
        let block = body.0.entry();
        let mut args = body.0.blocks[block].params.clone();
        let returned = if numba {
            let (size, align) = match result {
                Some(leaf) => {
                    let layout = item_layout(types, ret).map_err(Fault::unsupported)?;
                    (layout.size, leaf.size())
                }
                None => (8, 8),
            };
            let slot = body.0.slots.push(SlotData {
                size,
                align,
                refs: Vec::new(),
                undefined: false,
            });
            let at = body.inst(InstKind::SlotAddr(slot), &[Ty::PTR])[0];
            args.insert(0, at);
            body.inst(InstKind::Call { func: callee, args }, &[Ty::I32]);
            results.iter().map(|ty| body.load(at, *ty)).collect()
        } else {
            body.inst(InstKind::Call { func: callee, args }, &results)
        };
        body.0.set_term(
            block,
            Terminator::Return(returned),
            Span::NONE,
            Origin::Compiler,
        );
        Ok(self.module.functions.push(FuncDecl {
            name: wrapper,
            linkage: Linkage::Local,
            sig,
            body: Some(body.0),
            inline_always: true,
            inline_never: false,
        }))
    }

    /// The declaration of a symbol, which has one signature.
    fn import(&mut self, name: &str, sig: Signature) -> Res<FuncRef> {
        for (func, decl) in self.module.functions.iter() {
            if decl.name == name {
                return if decl.linkage == Linkage::Import && decl.sig == sig {
                    Ok(func)
                } else {
                    Err(Fault::unsupported(format!(
                        "`{name}` is declared with two signatures in one kernel"
                    )))
                };
            }
        }
        Ok(self.module.functions.push(FuncDecl {
            name: name.to_owned(),
            linkage: Linkage::Import,
            sig,
            body: None,
            inline_always: false,
            inline_never: false,
        }))
    }
}

/// A function of one block in the making.
struct Body(Func);

impl InstBuilder for Body {
    fn func(&self) -> &Func {
        &self.0
    }

    fn build(&mut self, kind: InstKind, results: &[Ty]) -> Inst {
        let block = self.0.entry();
        self.0
            .push_inst(block, kind, results, Span::NONE, Origin::Compiler)
    }
}

impl Body {
    fn load(&mut self, addr: Value, ty: Ty) -> Value {
        let stored = if ty == Ty::I1 { Ty::I8 } else { ty };
        let flags = MemFlags {
            alias: AliasClass::ANY,
            align: Align(stored.size() as u8),
            readonly: false,
            volatile: false,
        };
        let load = InstKind::Load {
            addr,
            offset: 0,
            flags,
        };
        let value = self.inst(load, &[stored])[0];
        if ty != Ty::I1 {
            return value;
        }
        let zero = self.inst(InstKind::IConst(0), &[Ty::I8])[0];
        let test = InstKind::Icmp {
            cc: IntCc::Ne,
            lhs: value,
            rhs: zero,
        };
        self.inst(test, &[Ty::I1])[0]
    }
}
