//! Functions of every kind, methods, and addresses.

use super::kind::{Kind, Unified};
use super::kinds;
use super::text::{Reader, Writer};
use crate::lattice::Lattice;
use crate::text::Parse;
use crate::{DispatcherId, Type, TypeKind, Types};
use std::fmt::{self, Write};

/// `f` of `<function f>` and `<built-in function f>`.
fn name_in_repr(repr: &str) -> String {
    let inner = repr.trim_start_matches('<').trim_end_matches('>');
    let last = inner.split_whitespace().next_back().unwrap_or(inner);
    last.trim_matches('\'').to_owned()
}

impl Kind for kinds::Function<'_> {
    fn is_word(word: &str) -> bool {
        word == "Function"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        let c = &mut *r.c;
        c.expect("(")?;
        if c.peek("<") {
            // Numba's form says no name; the object's printed form stands in for it.
            let repr = c.until_balanced(')')?.trim().to_owned();
            c.expect(")")?;
            let name = name_in_repr(&repr);
            return Ok(TypeKind::Function { name, repr });
        }
        let name = c.name("a function name")?;
        let repr = if c.eat(",") {
            c.quoted('"')?
        } else {
            format!("<function {name}>")
        };
        c.expect(")")?;
        Ok(TypeKind::Function { name, repr })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if !w.exact {
            return write!(w, "Function({})", self.repr);
        }
        w.write_str("Function(")?;
        w.name(self.name)?;
        write!(w, ", {:?})", self.repr)
    }
}

impl Kind for kinds::BoundMethod<'_> {
    fn is_word(word: &str) -> bool {
        word == "BoundFunction"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let method = r.c.name("a method name")?;
        r.c.expect("for")?;
        let receiver = r.ty()?;
        r.c.expect(")")?;
        Ok(TypeKind::BoundMethod { receiver, method })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        w.write_str("BoundFunction(")?;
        w.name(self.method)?;
        let receiver = w.show(*self.receiver);
        write!(w, " for {receiver})")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.receiver);
    }

    /// `array.flat`, over the elements in C order.
    fn iterator(&self, types: &Types, _: Type) -> Option<Type> {
        let array = types.as_array(*self.receiver)?;
        (self.method == "flat").then(|| array.elements(types, false))
    }

    fn unify(&self, other: &Self, lattice: &Lattice<'_>) -> Unified {
        if self.method != other.method {
            return Unified::ByConversion;
        }
        let method = |receiver| TypeKind::BoundMethod {
            receiver,
            method: self.method.clone(),
        };
        let receiver = lattice.unify(*self.receiver, *other.receiver);
        Unified::To(receiver.map(|receiver| lattice.types.intern(method(receiver))))
    }

    /// `array.flags`, `array.flat` and `array.ctypes` are the array bound to the name.
    fn family(&self) -> Option<&'static str> {
        ["flags", "flat", "ctypes"]
            .into_iter()
            .find(|name| self.method == name)
    }

    fn view_of(&self) -> Option<Type> {
        Some(*self.receiver)
    }
}

impl Kind for kinds::Dispatcher<'_> {
    fn is_word(word: &str) -> bool {
        word == "dispatcher"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let id = DispatcherId(r.c.number("a dispatcher number")?);
        r.c.expect(",")?;
        let name = r.c.name("a function name")?;
        r.c.expect(")")?;
        Ok(TypeKind::Dispatcher { id, name })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if !w.exact {
            return write!(w, "type(CPUDispatcher(<function {}>))", self.name);
        }
        write!(w, "dispatcher({}, ", self.id.0)?;
        w.name(self.name)?;
        w.write_str(")")
    }
}

impl Kind for kinds::Closure<'_> {
    fn is_word(word: &str) -> bool {
        matches!(word, "make_function" | "closure")
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("(")?;
        let name = r.c.name("a function name")?;
        r.c.expect(",")?;
        let index = r.c.number("a number")?;
        r.c.expect(")")?;
        let whole = word == "closure";
        Ok(TypeKind::Closure { name, index, whole })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        if !w.exact {
            return write!(w, "make_function({})", self.name);
        }
        w.write_str(match self.whole {
            true => "closure(",
            false => "make_function(",
        })?;
        w.name(self.name)?;
        write!(w, ", {})", self.index)
    }
}

impl Kind for kinds::FunctionType<'_> {
    fn is_word(word: &str) -> bool {
        word == "FunctionType"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        r.c.expect("[")?;
        let ret = r.ty()?;
        let params = r.many()?;
        r.c.expect("]")?;
        Ok(TypeKind::FunctionType { ret, params })
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let ret = w.show(*self.ret);
        write!(w, "FunctionType[{ret}(")?;
        w.list(self.params)?;
        w.write_str(")]")
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.ret);
        self.params.iter().for_each(|ty| each(*ty));
    }
}

impl Kind for kinds::FunctionChoice<'_> {
    many_parts!(FunctionChoice, "UndefinedFunctionType", members);
}

impl Kind for kinds::ObjectBlock<'_> {
    fn is_word(word: &str) -> bool {
        word == "ObjModeLiftedWith"
    }

    fn read(_: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::ObjectBlock(r.one()?))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        let outputs = w.show(*self.outputs);
        match w.exact {
            true => write!(w, "ObjModeLiftedWith({outputs})"),
            false => write!(w, "type(ObjModeLiftedWith({outputs}))"),
        }
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        each(*self.outputs);
    }
}

impl Kind for kinds::Pointer<'_> {
    fn is_word(word: &str) -> bool {
        matches!(word, "pointer" | "voidptr")
    }

    fn read(word: &str, r: &mut Reader<'_, '_>) -> Parse<TypeKind> {
        Ok(TypeKind::Pointer(match word {
            "pointer" => Some(r.one()?),
            _ => None,
        }))
    }

    fn write(&self, w: &mut Writer<'_, '_>) -> fmt::Result {
        match (*self.to, w.exact) {
            (Some(to), true) => w.one("pointer", to),
            (Some(to), false) => {
                let to = w.show(to);
                write!(w, "{to}*")
            }
            (None, true) => w.write_str("voidptr"),
            (None, false) => w.write_str("void*"),
        }
    }

    fn for_each_part(&self, each: &mut dyn FnMut(Type)) {
        if let Some(to) = self.to {
            each(*to);
        }
    }
}
