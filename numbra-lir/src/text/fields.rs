//! The text of each type of field that an instruction has.

use super::TextError;
use super::lexer::Tok;
use super::names::{Named, alias_from_name, alias_name, device_from_name, device_name};
use super::parser::Parser;
use super::print::{InstText, float_bits, float_text};
use crate::{
    AliasClass, Align, AtomicOp, BinaryOp, ConvertOp, DataId, DeviceOp, ExceptionId, FloatCc,
    FuncRef, IntCc, MathFnName, MemFlags, MemOrder, MemScope, NativeFn, OverflowOp, SigRef, Slot,
    UnaryOp, Value,
};
use std::borrow::Cow;

/// A field as it stands in text.
pub(crate) trait TextField: Sized {
    fn print(&self, to: &mut InstText<'_, '_>);

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError>;
}

/// What an instruction's text may begin with: a name for each member of a type.
pub(crate) trait Word: Sized {
    fn word(&self) -> Cow<'static, str>;

    fn from_word(word: &str) -> Option<Self>;
}

impl<T: Named> Word for T {
    fn word(&self) -> Cow<'static, str> {
        Cow::Borrowed(self.name())
    }

    fn from_word(word: &str) -> Option<Self> {
        T::from_name(word)
    }
}

/// `math.exp`
impl Word for MathFnName {
    fn word(&self) -> Cow<'static, str> {
        Cow::Owned(self.to_string())
    }

    fn from_word(word: &str) -> Option<Self> {
        MathFnName::from_name(word)
    }
}

/// Types that have a name for each member, as an error calls them.
macro_rules! named_fields {
    ($($ty:ident $what:literal)*) => {
        $(impl TextField for $ty {
            fn print(&self, to: &mut InstText<'_, '_>) {
                to.text(self.name());
            }

            fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
                parser.named($what)
            }
        })*
    };
}

named_fields! {
    BinaryOp "an operation"
    UnaryOp "an operation"
    ConvertOp "a conversion"
    OverflowOp "an operation"
    IntCc "an integer condition"
    FloatCc "a float condition"
    AtomicOp "an atomic operation"
    MemOrder "a memory order"
    MemScope "a memory scope"
}

/// Numbers as they are.
macro_rules! number_fields {
    ($($ty:ident $what:literal)*) => {
        $(impl TextField for $ty {
            fn print(&self, to: &mut InstText<'_, '_>) {
                to.text(&self.to_string());
            }

            fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
                parser.integer($what)
            }
        })*
    };
}

number_fields! {
    i128 "an integer"
    u8 "a lane"
}

/// `slot0`, `exc1`, `sig2`: entities by their number.
macro_rules! entity_fields {
    ($($ty:ident $prefix:literal)*) => {
        $(impl TextField for $ty {
            fn print(&self, to: &mut InstText<'_, '_>) {
                to.text(&self.to_string());
            }

            fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
                Ok($ty::from_u32(parser.numbered($prefix)?))
            }
        })*
    };
}

entity_fields! {
    ExceptionId "exc"
    SigRef "sig"
}

impl TextField for Slot {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.text(&self.to_string());
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        let count = parser.slots;
        let beyond = parser.error(format!("this function has {count} slots"));
        match parser.numbered("slot")? {
            slot if (slot as usize) < count => Ok(Slot::from_u32(slot)),
            _ => Err(beyond),
        }
    }
}

impl TextField for Value {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.value(*self);
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        parser.value()
    }
}

/// `v1, v2`
impl TextField for Vec<Value> {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.values(self);
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        parser.values_or_none()
    }
}

/// `@f`
impl TextField for FuncRef {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.function(*self);
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        parser.function_ref()
    }
}

/// `$data`
impl TextField for DataId {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.data(*self);
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        parser.data_ref()
    }
}

/// `@symbol`
impl TextField for NativeFn {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.symbol(self.symbol());
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        let unknown = parser.error("the runtime has no such function");
        NativeFn::named(&parser.symbol()?).ok_or(unknown)
    }
}

/// The bits of a float of the result's type: `1.5`, `nan`, `bits 0x7fc1`.
impl TextField for u64 {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.text(&float_text(*self, to.result));
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        if parser.eat_word("bits") {
            return parser.integer("bits");
        }
        if let Tok::Number(text) | Tok::Ident(text) = parser.peek() {
            if parser.result.is_none() {
                return Err(parser.error("write the type of this constant"));
            }
            if let Some(bits) = float_bits(text, parser.result) {
                parser.next();
                return Ok(bits);
            }
        }
        parser.expected("a float or `bits`")
    }
}

/// The offset behind an address: `+8`, or nothing.
impl TextField for i32 {
    fn print(&self, to: &mut InstText<'_, '_>) {
        if *self != 0 {
            to.text(&format!("{self:+}"));
        }
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        match parser.peek() {
            Tok::Number(text) if text.starts_with(['+', '-']) => parser.integer("an offset"),
            _ => Ok(0),
        }
    }
}

impl TextField for AliasClass {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.text(&alias_name(*self));
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        let found = match parser.peek() {
            Tok::Ident(word) => alias_from_name(word),
            _ => None,
        };
        match found {
            Some(alias) => {
                parser.next();
                Ok(alias)
            }
            None => parser.expected("an alias class"),
        }
    }
}

/// `array align 8 readonly volatile`
impl TextField for MemFlags {
    fn print(&self, to: &mut InstText<'_, '_>) {
        self.alias.print(to);
        to.text(&format!(" align {}", self.align.0));
        to.text(if self.readonly { " readonly" } else { "" });
        to.text(if self.volatile { " volatile" } else { "" });
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        let alias = AliasClass::parse(parser)?;
        if !parser.eat_word("align") {
            return parser.expected("`align`");
        }
        let align = Align(parser.integer("an alignment up to 255")?);
        let readonly = parser.eat_word("readonly");
        let volatile = parser.eat_word("volatile");
        Ok(MemFlags {
            alias,
            align,
            readonly,
            volatile,
        })
    }
}

/// `thread_idx.0`
impl TextField for DeviceOp {
    fn print(&self, to: &mut InstText<'_, '_>) {
        to.text(&device_name(*self));
    }

    fn parse(parser: &mut Parser<'_, '_>) -> Result<Self, TextError> {
        let found = match parser.peek() {
            Tok::Ident(name) => device_from_name(name),
            _ => None,
        };
        match found {
            Some(op) => {
                parser.next();
                Ok(op)
            }
            None => parser.expected("a device operation"),
        }
    }
}
