//! Parser of instructions and terminators.

use super::TextError;
use super::lexer::Tok;
use super::names::{FACTS, FAST, Named, alias_from_name, device_from_name};
use super::parser::Parser;
use super::print::float_bits;
use crate::{
    AliasClass, Align, AtomicOp, BinaryOp, BlockCall, ConvertOp, ExceptionId, Facts, FastMath,
    InstKind, KEEP_ALIVE, MathFnName, MathLib, MemFlags, MemOrder, MemScope, OverflowOp, Slot,
    Terminator, Ty, UnaryOp, Value,
};

impl<'a> Parser<'_, 'a> {
    /// A terminator, or `None` if the line is an instruction.
    pub(super) fn terminator(&mut self) -> Result<Option<Terminator>, TextError> {
        let Tok::Ident(word) = self.peek() else {
            return Ok(None);
        };
        let term = match word {
            "jump" => {
                self.next();
                Terminator::Jump(self.target()?)
            }
            "brif" => {
                self.next();
                let cond = self.value()?;
                self.punct(',')?;
                let then = self.target()?;
                self.punct(',')?;
                let other = self.target()?;
                Terminator::Brif { cond, then, other }
            }
            "switch" => {
                self.next();
                let index = self.value()?;
                self.punct(',')?;
                let cases = self.list('[', ']', Parser::target)?;
                self.punct(',')?;
                let default = self.target()?;
                Terminator::Switch {
                    index,
                    cases,
                    default,
                }
            }
            "guard" => {
                self.next();
                let cond = self.value()?;
                let kind = self.named("a guard kind")?;
                self.punct(',')?;
                let ok = self.target()?;
                self.punct(',')?;
                let err = self.target()?;
                Terminator::Guard {
                    cond,
                    kind,
                    ok,
                    err,
                }
            }
            "return" => {
                self.next();
                Terminator::Return(self.values_or_none()?)
            }
            "fail" => {
                self.next();
                Terminator::Fail
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    fn target(&mut self) -> Result<BlockCall, TextError> {
        let block = self.block()?;
        let args = if self.peek() == Tok::Punct('(') {
            self.args()?
        } else {
            Vec::new()
        };
        Ok(BlockCall { block, args })
    }

    /// `(v1, v2)`
    fn args(&mut self) -> Result<Vec<Value>, TextError> {
        self.list('(', ')', Parser::value)
    }

    /// `v1, v2`
    fn values(&mut self) -> Result<Vec<Value>, TextError> {
        let mut out = vec![self.value()?];
        while self.eat(Tok::Punct(',')) {
            out.push(self.value()?);
        }
        Ok(out)
    }

    fn values_or_none(&mut self) -> Result<Vec<Value>, TextError> {
        match self.peek() {
            Tok::Ident(_) => self.values(),
            _ => Ok(Vec::new()),
        }
    }

    fn two(&mut self) -> Result<(Value, Value), TextError> {
        let first = self.value()?;
        self.punct(',')?;
        Ok((first, self.value()?))
    }

    fn three(&mut self) -> Result<(Value, Value, Value), TextError> {
        let (first, second) = self.two()?;
        self.punct(',')?;
        Ok((first, second, self.value()?))
    }

    fn alias(&mut self) -> Result<AliasClass, TextError> {
        let found = match self.peek() {
            Tok::Ident(word) => alias_from_name(word),
            _ => None,
        };
        match found {
            Some(alias) => {
                self.next();
                Ok(alias)
            }
            None => self.expected("an alias class"),
        }
    }

    /// `v1+8`
    fn address(&mut self) -> Result<(Value, i32), TextError> {
        let addr = self.value()?;
        let offset = match self.peek() {
            Tok::Number(text) if text.starts_with(['+', '-']) => self.integer("an offset")?,
            _ => 0,
        };
        Ok((addr, offset))
    }

    /// `array align 8 readonly volatile`
    fn mem_flags(&mut self) -> Result<MemFlags, TextError> {
        let alias = self.alias()?;
        if !self.eat_word("align") {
            return self.expected("`align`");
        }
        let align = Align(self.integer("an alignment up to 255")?);
        let readonly = self.eat_word("readonly");
        let volatile = self.eat_word("volatile");
        Ok(MemFlags {
            alias,
            align,
            readonly,
            volatile,
        })
    }

    fn ordering(&mut self) -> Result<(MemOrder, MemScope), TextError> {
        Ok((self.named("a memory order")?, self.named("a memory scope")?))
    }

    fn float(&mut self, ty: Option<Ty>) -> Result<u64, TextError> {
        if self.eat_word("bits") {
            return self.integer("bits");
        }
        if let Tok::Number(text) | Tok::Ident(text) = self.peek() {
            if ty.is_none() {
                return Err(self.error("write the type of this constant"));
            }
            if let Some(bits) = float_bits(text, ty) {
                self.next();
                return Ok(bits);
            }
        }
        self.expected("a float or `bits`")
    }

    /// The operation of an instruction with its flags; `results` give the type of constants.
    pub(super) fn instruction(
        &mut self,
        results: &[(Value, Option<Ty>)],
    ) -> Result<(InstKind, Facts, FastMath), TextError> {
        let kind = self.kind(results.first().and_then(|&(_, ty)| ty))?;
        let (mut facts, mut fast) = (Facts::empty(), FastMath::empty());
        while let Tok::Ident(word) = self.peek() {
            if let Some((flag, _)) = FACTS.iter().find(|(_, name)| *name == word) {
                facts |= *flag;
            } else if let Some((flag, _)) = FAST.iter().find(|(_, name)| *name == word) {
                fast |= *flag;
            } else {
                return self.expected("a flag or end of line");
            }
            self.next();
        }
        Ok((kind, facts, fast))
    }

    fn kind(&mut self, result: Option<Ty>) -> Result<InstKind, TextError> {
        let word = match self.peek() {
            Tok::Ident(word) => word,
            _ => return self.expected("an instruction"),
        };
        if let Some(op) = BinaryOp::from_name(word) {
            self.next();
            let (lhs, rhs) = self.two()?;
            return Ok(InstKind::Binary { op, lhs, rhs });
        }
        if let Some(op) = UnaryOp::from_name(word) {
            self.next();
            let arg = self.value()?;
            return Ok(InstKind::Unary { op, arg });
        }
        if let Some(op) = ConvertOp::from_name(word) {
            self.next();
            let arg = self.value()?;
            return Ok(InstKind::Convert { op, arg });
        }
        if let Some(op) = OverflowOp::from_name(word) {
            self.next();
            let (lhs, rhs) = self.two()?;
            return Ok(InstKind::Overflow { op, lhs, rhs });
        }
        if MathLib::ALL
            .iter()
            .any(|lib| word.split('.').next() == Some(lib.prefix()))
        {
            let Some(func) = MathFnName::from_name(word) else {
                return self.expected("a math function");
            };
            self.next();
            let args = self.values_or_none()?;
            return Ok(InstKind::Math { func, args });
        }
        self.other_kind(word, result)
    }

    fn other_kind(&mut self, word: &'a str, result: Option<Ty>) -> Result<InstKind, TextError> {
        let at_word = self.error(format!("unknown instruction `{word}`"));
        self.next();
        Ok(match word {
            "iconst" => InstKind::IConst(self.integer("an integer")?),
            "fconst" => InstKind::FConst(self.float(result)?),
            "null" => InstKind::Null,
            "icmp" => {
                let cc = self.named("an integer condition")?;
                let (lhs, rhs) = self.two()?;
                InstKind::Icmp { cc, lhs, rhs }
            }
            "fcmp" => {
                let cc = self.named("a float condition")?;
                let (lhs, rhs) = self.two()?;
                InstKind::Fcmp { cc, lhs, rhs }
            }
            "select" => {
                let (cond, then, other) = self.three()?;
                InstKind::Select { cond, then, other }
            }
            "fma" => {
                let (a, b, c) = self.three()?;
                InstKind::Fma { a, b, c }
            }
            "slot_addr" => {
                let count = self.slots;
                let before = self.error(format!("this function has {count} slots"));
                let slot = self.numbered("slot")?;
                if slot as usize >= count {
                    return Err(before);
                }
                InstKind::SlotAddr(Slot::from_u32(slot))
            }
            "stack_pointer" => InstKind::StackPointer,
            "data_addr" => InstKind::DataAddr(self.data_ref()?),
            "func_addr" => InstKind::FuncAddr(self.function_ref()?),
            "ptr_add" => {
                let (base, offset) = self.two()?;
                InstKind::PtrAdd { base, offset }
            }
            "load" => {
                let (addr, offset) = self.address()?;
                let flags = self.mem_flags()?;
                InstKind::Load {
                    addr,
                    offset,
                    flags,
                }
            }
            "store" => {
                let (addr, offset) = self.address()?;
                self.punct(',')?;
                let value = self.value()?;
                let flags = self.mem_flags()?;
                InstKind::Store {
                    addr,
                    offset,
                    value,
                    flags,
                }
            }
            "memcopy" => {
                let (dst, src, len) = self.three()?;
                let overlap = self.eat_word("overlap");
                let alias = self.alias()?;
                InstKind::MemCopy {
                    dst,
                    src,
                    len,
                    overlap,
                    alias,
                }
            }
            "memset" => {
                let (dst, byte, len) = self.three()?;
                let alias = self.alias()?;
                InstKind::MemSet {
                    dst,
                    byte,
                    len,
                    alias,
                }
            }
            "atomic_load" => {
                let addr = self.value()?;
                let (order, scope) = self.ordering()?;
                InstKind::AtomicLoad { addr, order, scope }
            }
            "atomic_store" => {
                let (addr, value) = self.two()?;
                let (order, scope) = self.ordering()?;
                InstKind::AtomicStore {
                    addr,
                    value,
                    order,
                    scope,
                }
            }
            "atomic_rmw" => {
                let op: AtomicOp = self.named("an atomic operation")?;
                let (addr, value) = self.two()?;
                let (order, scope) = self.ordering()?;
                InstKind::AtomicRmw {
                    op,
                    addr,
                    value,
                    order,
                    scope,
                }
            }
            "atomic_cas" => {
                let (addr, expected, value) = self.three()?;
                let (order, scope) = self.ordering()?;
                InstKind::AtomicCas {
                    addr,
                    expected,
                    value,
                    order,
                    scope,
                }
            }
            "fence" => {
                let (order, scope) = self.ordering()?;
                InstKind::Fence { order, scope }
            }
            "retain" => InstKind::Retain(self.value()?),
            "release" => InstKind::Release(self.value()?),
            "call" => {
                let func = self.function_ref()?;
                let args = self.args()?;
                InstKind::Call { func, args }
            }
            "call_indirect" => {
                let sig = self.numbered("sig")?;
                let callee = self.value()?;
                let args = self.args()?;
                InstKind::CallIndirect { sig, callee, args }
            }
            "call_native" => {
                let name = self.symbol()?;
                let args = self.args()?;
                InstKind::CallNative { name, args }
            }
            "set_error" => {
                let exception = ExceptionId::from_u32(self.numbered("exc")?);
                let args = self.args()?;
                InstKind::SetError { exception, args }
            }
            "keep" => InstKind::Safepoint {
                id: KEEP_ALIVE,
                live: self.values_or_none()?,
            },
            "safepoint" => {
                let id = self.integer("an id")?;
                let live = self.args()?;
                InstKind::Safepoint { id, live }
            }
            "device" => {
                let found = match self.peek() {
                    Tok::Ident(name) => device_from_name(name),
                    _ => None,
                };
                let Some(op) = found else {
                    return self.expected("a device operation");
                };
                self.next();
                let args = self.args()?;
                InstKind::Device { op, args }
            }
            "splat" => InstKind::Splat(self.value()?),
            "extract_lane" => {
                let vector = self.value()?;
                self.punct(',')?;
                let lane = self.integer("a lane")?;
                InstKind::ExtractLane { vector, lane }
            }
            "insert_lane" => {
                let vector = self.value()?;
                self.punct(',')?;
                let lane = self.integer("a lane")?;
                self.punct(',')?;
                let value = self.value()?;
                InstKind::InsertLane {
                    vector,
                    lane,
                    value,
                }
            }
            _ => return Err(at_word),
        })
    }
}
