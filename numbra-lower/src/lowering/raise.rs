//! Exceptions: table entries, guards, and the blocks that leave the function.

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::model::is_object;
use numbra_abi::NativeId;
use numbra_ir::{Const, Expr, ObjRef, Rhs, StmtKind, Type, TypeKind, Var};
use numbra_lir::{
    Block, ConvertOp, Exception, ExceptionId, GuardKind, InstKind, IntCc, KEPT_ARG, Ty, Value,
};

/// Words that the error record has room for.
pub(super) const ERROR_ARGS: usize = numbra_abi::ERROR_RECORD.fields[3].size as usize / 8;

/// An exception without its place: class in `builtins`, message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Raise {
    pub(super) class: &'static str,
    /// `None` raises the class without arguments.
    pub(super) message: Option<&'static str>,
}

impl Raise {
    pub(super) const fn new(class: &'static str, message: &'static str) -> Raise {
        Raise {
            class,
            message: Some(message),
        }
    }

    pub(super) const fn value(message: &'static str) -> Raise {
        Raise::new("ValueError", message)
    }

    pub(super) const fn zero_division(message: &'static str) -> Raise {
        Raise::new("ZeroDivisionError", message)
    }
}

/// `repr` of a string, as Python reads it back.
pub(super) fn python_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Python literal text of a constant.
fn const_repr(value: &Const) -> String {
    match value {
        Const::Str(text) => python_repr(text),
        Const::Bytes(bytes) => format!("b'{}'", bytes.escape_ascii()),
        Const::Complex(re, im) => {
            format!(
                "complex({:?}, {:?})",
                f64::from_bits(*re),
                f64::from_bits(*im)
            )
        }
        Const::Tuple(items) => {
            let items: Vec<String> = items.iter().map(const_repr).collect();
            match items.as_slice() {
                [one] => format!("({one},)"),
                many => format!("({})", many.join(", ")),
            }
        }
        Const::None
        | Const::Ellipsis
        | Const::Bool(_)
        | Const::Int(_)
        | Const::BigInt(_)
        | Const::Float(_)
        | Const::Slice(_) => value.to_string(),
    }
}

impl Fx<'_, '_> {
    pub(super) fn exception(&mut self, class: String, args: Vec<Option<String>>) -> ExceptionId {
        let (function, span) = match self.site {
            Some(site) => (site.function.clone(), site.span),
            None => (self.typed.func.name.clone(), self.span),
        };
        self.mx.exception(Exception {
            class,
            args,
            function,
            span,
        })
    }

    /// Goes on when `cond` is true, else raises.
    pub(super) fn guard(&mut self, cond: Value, kind: GuardKind, raise: Raise) -> Res<()> {
        self.guard_text(cond, kind, raise.class, raise.message)
    }

    /// As [`Fx::guard`], with a message made for the types at hand.
    pub(super) fn guard_text(
        &mut self,
        cond: Value,
        kind: GuardKind,
        class: &str,
        message: Option<&str>,
    ) -> Res<()> {
        if self.const_of(cond).is_some_and(|c| c != 0) {
            return Ok(());
        }
        let args = message.map(|m| Some(python_repr(m))).into_iter().collect();
        let id = self.exception(format!("builtins.{class}"), args);
        let block = self.raise_block(id)?;
        self.guard_to(cond, kind, block);
        Ok(())
    }

    /// Goes on when the status is 0, else hands the pending exception on.
    pub(super) fn guard_status(&mut self, status: Value) -> Res<()> {
        let ok = self.icmp_imm(IntCc::Eq, status, 0);
        let block = self.pending_block()?;
        self.guard_to(ok, GuardKind::Status, block);
        Ok(())
    }

    /// Ends the block with the pending exception: to the handler, or out of the function.
    pub(super) fn leave(&mut self) -> Res<()> {
        match self.handler() {
            Some(handler) => {
                let args = self.phi_args(handler, true)?;
                let head = self.head(handler)?;
                self.jump(head, args);
            }
            None => self.fail(),
        }
        Ok(())
    }

    /// As [`Fx::leave`], but handlers do not see interrupts.
    fn leave_pending(&mut self) -> Res<()> {
        if self.handler().is_some() {
            let asked = InstKind::native(NativeId::IsInterrupt, Vec::new());
            let interrupt = self.one(asked, Ty::I32);
            let handled = self.icmp_imm(IntCc::Eq, interrupt, 0);
            let (there, out) = (self.new_block(), self.new_block());
            self.brif(handled, (there, Vec::new()), (out, Vec::new()));
            self.enter(out);
            self.fail();
            self.enter(there);
        }
        self.leave()
    }

    /// The block that sees exceptions here. A task gives those that a handler around it is for to its caller.
    pub(super) fn handler(&self) -> Option<numbra_ir::Block> {
        let block = self.typed.func.blocks[self.current?].handler?.block;
        (self.outer_handler != Some(block)).then_some(block)
    }

    /// A cold block that raises `id`. Shared in the function where exceptions leave it.
    fn raise_block(&mut self, id: ExceptionId) -> Res<Block> {
        let shared = self.handler().is_none();
        if shared && let Some(&known) = self.raise_blocks.get(&id) {
            return Ok(known);
        }
        let block = self.cold_block(|fx| {
            fx.inst(
                InstKind::SetError {
                    exception: id,
                    args: Vec::new(),
                },
                &[],
            );
            fx.leave()
        })?;
        if shared {
            self.raise_blocks.insert(id, block);
        }
        Ok(block)
    }

    /// A cold block that hands the pending exception on.
    fn pending_block(&mut self) -> Res<Block> {
        let shared = self.handler().is_none();
        if shared && let Some(known) = self.fail_block {
            return Ok(known);
        }
        let block = self.cold_block(|fx| fx.leave_pending())?;
        if shared {
            self.fail_block = Some(block);
        }
        Ok(block)
    }

    /// A block out of line; emission then goes on where it was.
    pub(super) fn cold_block(&mut self, fill: impl FnOnce(&mut Self) -> Res<()>) -> Res<Block> {
        let back = self.block;
        let block = self.new_block();
        self.func.blocks[block].cold = true;
        self.enter(block);
        fill(self)?;
        self.block = back;
        Ok(block)
    }

    /// `raise class(*args)`
    pub(super) fn raise_static(&mut self, class: ObjRef, args: &[Const]) -> Res<()> {
        let class = self.class_name(class)?;
        let args = args.iter().map(|arg| Some(const_repr(arg))).collect();
        self.raise_described(class, args, Vec::new())
    }

    /// `raise class(*args)` with run-time arguments.
    pub(super) fn raise_dynamic(&mut self, class: ObjRef, args: &[Var]) -> Res<()> {
        let class = self.class_name(class)?;
        self.raise_with(class, args)
    }

    fn raise_with(&mut self, class: String, args: &[Var]) -> Res<()> {
        let values = args.iter().map(|arg| self.var(*arg));
        let values = values.collect::<Res<Vec<Val>>>()?;
        self.raise_values(class, &values)
    }

    /// As [`Fx::guard`], with values as arguments of the exception.
    pub(super) fn guard_values(&mut self, cond: Value, class: &str, args: &[Val]) -> Res<()> {
        let block = self.cold_block(|fx| fx.raise_values(format!("builtins.{class}"), args))?;
        self.guard_to(cond, GuardKind::Check, block);
        Ok(())
    }

    fn raise_values(&mut self, class: String, values: &[Val]) -> Res<()> {
        let in_words: usize = values
            .iter()
            .filter(|value| self.fits_words(value))
            .map(|value| value.leaves.len())
            .sum();
        let mut texts = Vec::new();
        let mut words = Vec::new();
        let mut kept = 0;
        for value in values {
            match self.types.kind(value.ty) {
                TypeKind::Literal(constant) => texts.push(Some(const_repr(constant))),
                TypeKind::None => texts.push(Some("None".to_owned())),
                // The record has few words; and references in it would have no owner.
                _ if in_words > ERROR_ARGS || !self.fits_words(value) => {
                    texts.push(Some(KEPT_ARG.to_owned()));
                    words.push(self.kept(value, kept)?);
                    kept += 1;
                }
                _ => match self.mx.scalar(value.ty) {
                    Some(scalar) if scalar.is_signed_int() => {
                        texts.push(None);
                        words.push(self.int_to(value.leaves[0], Ty::I64, true));
                    }
                    _ => {
                        let count = value.leaves.len();
                        texts.push(Some(format!("={count}:{}", self.types.text(value.ty))));
                        for &leaf in &value.leaves {
                            words.push(self.word(leaf));
                        }
                    }
                },
            }
        }
        if words.len() > ERROR_ARGS {
            return Err(Fault::unsupported(format!(
                "an exception with more than {ERROR_ARGS} arguments that are not constants"
            )));
        }
        self.raise_described(class, texts, words)
    }

    /// True for values whose leaves can be words of the error record.
    fn fits_words(&self, value: &Val) -> bool {
        value.leaves.iter().all(|leaf| match self.ty(*leaf) {
            Ty::I1 | Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::F32 | Ty::F64 => true,
            Ty::I128 | Ty::F16 | Ty::Ptr(_) | Ty::Ref | Ty::Vec(..) => false,
        })
    }

    /// A leaf as a word of the error record.
    fn word(&mut self, leaf: Value) -> Value {
        match self.ty(leaf) {
            Ty::F64 => self.convert(ConvertOp::Bitcast, leaf, Ty::I64),
            Ty::F32 => {
                let bits = self.convert(ConvertOp::Bitcast, leaf, Ty::I32);
                self.int_to(bits, Ty::I64, false)
            }
            _ => self.int_to(leaf, Ty::I64, false),
        }
    }

    /// The number under which Python keeps a value as an object, until the next exception with such arguments.
    fn kept(&mut self, value: &Val, number: i128) -> Res<Value> {
        if !is_object(self.types, value.ty) {
            return Err(Fault::unsupported(format!(
                "an exception argument of type {} that is not a constant",
                self.show(value.ty)
            )));
        }
        let number = self.iconst(Ty::I64, number);
        self.object_call(NativeId::KeepValue, vec![number], value)?
            .ok_or_else(|| Fault::bug("`numbra_rt_keep_value` has a result"))
    }

    fn raise_described(
        &mut self,
        class: String,
        args: Vec<Option<String>>,
        words: Vec<Value>,
    ) -> Res<()> {
        let id = self.exception(class, args);
        self.inst(
            InstKind::SetError {
                exception: id,
                args: words,
            },
            &[],
        );
        self.leave()
    }

    /// The arguments of the call that made an exception, if its only definition is one.
    fn exception_args(&self, exception: Var) -> Res<Vec<Var>> {
        let func = &self.typed.func;
        let mut at = exception;
        // Copies do not form cycles; the bound is for wrong IR.
        for _ in 0..func.insts.len() + 1 {
            let mut value = None;
            for &block in &func.layout {
                for &inst in &func.blocks[block].insts {
                    if let StmtKind::Assign { target, value: rhs } = &func.insts[inst].kind
                        && *target == at
                    {
                        value = Some(rhs);
                    }
                }
            }
            match value {
                Some(Rhs::Var(next)) => at = *next,
                Some(Rhs::Expr(Expr::Call {
                    args, kws, vararg, ..
                })) if kws.is_empty() && vararg.is_none() => return Ok(args.clone()),
                Some(Rhs::Expr(Expr::Call { .. })) => {
                    return Err(Fault::unsupported(
                        "an exception with keyword or unpacked arguments",
                    ));
                }
                Some(Rhs::Expr(Expr::Phi(_))) => {
                    return Err(Fault::unsupported("raising one of several exceptions"));
                }
                _ => return Ok(Vec::new()),
            }
        }
        Ok(Vec::new())
    }

    /// `raise value`, where the value is an exception class or an instance; `None` raises again.
    pub(super) fn raise_value(&mut self, value: Option<Var>) -> Res<()> {
        let Some(var) = value else {
            return self.leave();
        };
        let ty = self.var_type(var).unwrap_or(Type::UNDEFINED);
        match self.types.kind(ty) {
            TypeKind::ExceptionClass(name) => {
                let name = name.clone();
                self.raise_described(name, Vec::new(), Vec::new())
            }
            TypeKind::ExceptionInstance(name) => {
                let name = name.clone();
                let args = self.exception_args(var)?;
                self.raise_with(name, &args)
            }
            _ => Err(Fault::unsupported(format!(
                "raising a value of type {}",
                self.show(ty)
            ))),
        }
    }

    /// `bytes` that own the pending exception. On a GPU an exception that is raised ends the thread.
    pub(super) fn keep_error(&mut self) -> Res<Vec<Value>> {
        let owner = match self.mx.options.device {
            true => self.one(InstKind::Null, Ty::Ref),
            false => self.native_value(NativeId::KeepError, Vec::new())?,
        };
        let data = self.one(InstKind::Null, Ty::PTR);
        Ok(vec![data, owner, self.i64(0), self.i64(1)])
    }

    /// What the runtime does with the exception that `bytes` own, or with none.
    pub(super) fn of_kept(&mut self, native: NativeId, args: &[Val]) -> Res<Vec<Value>> {
        let owner = match args {
            [kept] => kept.leaves.get(1).copied(),
            _ => Some(self.one(InstKind::Null, Ty::Ref)),
        };
        let owner = owner.ok_or_else(|| Fault::bug("an exception without an owner"))?;
        if !self.mx.options.device {
            self.native_call(native, vec![owner])?;
        }
        Ok(Vec::new())
    }

    fn class_name(&self, class: ObjRef) -> Res<String> {
        let desc = self
            .typed
            .func
            .objects
            .get(class)
            .ok_or_else(|| Fault::bug("a reference to an object that is not in the table"))?;
        if desc.name.contains('.') {
            return Ok(desc.name.clone());
        }
        Ok(format!("builtins.{}", desc.name))
    }
}
