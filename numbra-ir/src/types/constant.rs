//! Types of one value: literals, defaults, slices of constants, and `...`.

use super::kind::Kind;
use super::kinds;
use super::text::{Reader, Writer};
use crate::text::{Parse, parse_const};
use crate::{Const, Type, TypeKind, Types};
use std::fmt::{self, Write};

impl Kind for kinds::Literal<'_> {
    fn is_word(word: &str) -> bool {
        word == "Literal"
    }

    /// `[int](1)`, `[str](a)`, `[str]("a")`, `[slice](slice(0, 1, None))`
    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let c = &mut *r.c;
        c.expect("[")?;
        let start = c.clone();
        let class = c.word().unwrap_or("");
        c.expect("]")?;
        c.expect("(")?;
        if class == "str" && !c.peek("\"") {
            let text = c.until_balanced(')')?.to_owned();
            c.expect(")")?;
            return Ok(TypeKind::Literal(Const::Str(text)));
        }
        let value = parse_const(c)?;
        c.expect(")")?;
        if value.type_name() != class {
            return start.error(format!("a {} is not a literal {class}", value.type_name()));
        }
        Ok(match value {
            Const::Slice(parts) => TypeKind::SliceLiteral(parts),
            value => TypeKind::Literal(value),
        })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match self.value {
            Const::Str(text) if w.exact => write!(w, "Literal[str]({text:?})"),
            Const::Str(text) => write!(w, "Literal[str]({text})"),
            value => write!(w, "Literal[{}]({value})", value.type_name()),
        }
    }

    fn unliteral(&self, _: &Types) -> Option<Type> {
        match self.value {
            Const::Int(_) => Some(Type::INT64),
            Const::Bool(_) => Some(Type::BOOL),
            Const::Str(_) => Some(Type::UNICODE),
            _ => None,
        }
    }

    fn iterator(&self, types: &Types, ty: Type) -> Option<Type> {
        types.iterator(self.unliteral(types).filter(|plain| *plain != ty)?)
    }

    fn has_truth(&self) -> bool {
        true
    }
}

impl Kind for kinds::Omitted<'_> {
    fn is_word(word: &str) -> bool {
        word == "omitted"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        for token in ["(", "default", "="] {
            r.c.expect(token)?;
        }
        let value = parse_const(r.c)?;
        r.c.expect(")")?;
        Ok(TypeKind::Omitted(value))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        write!(w, "omitted(default={})", self.value)
    }

    fn has_truth(&self) -> bool {
        true
    }
}

impl Kind for kinds::SliceLiteral<'_> {
    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let [start, stop, step] = &**self.parts;
        write!(w, "Literal[slice](slice({start}, {stop}, {step}))")
    }

    fn unliteral(&self, _: &Types) -> Option<Type> {
        Some(match self.parts[2] {
            Const::None => Type::SLICE2,
            _ => Type::SLICE3,
        })
    }
}

impl Kind for kinds::Ellipsis<'_> {
    word_alone!(Ellipsis, "ellipsis");
}
