//! The names that code of one module refers to, as Cranelift wants them: pairs of numbers.

use cranelift_codegen::ir::UserExternalName;
use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use numbra_lir::{DataId, ExceptionId, FuncRef};
use rustc_hash::FxBuildHasher;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    Func(FuncRef),
    Data(DataId),
    /// A runtime or C library symbol: index into [`Imports`].
    Import(u32),
    Exception(ExceptionId),
}

impl Name {
    pub(super) fn external(self) -> UserExternalName {
        let (namespace, index) = match self {
            Name::Func(func) => (0, func.as_u32()),
            Name::Data(data) => (1, data.as_u32()),
            Name::Import(index) => (2, index),
            Name::Exception(exception) => (3, exception.as_u32()),
        };
        UserExternalName { namespace, index }
    }

    pub(super) fn from_external(name: &UserExternalName) -> Option<Name> {
        let index = name.index as usize;
        match name.namespace {
            0 => Some(Name::Func(FuncRef::new(index))),
            1 => Some(Name::Data(DataId::new(index))),
            2 => Some(Name::Import(name.index)),
            3 => Some(Name::Exception(ExceptionId::new(index))),
            _ => None,
        }
    }
}

/// Symbols from outside the module, in order of first use.
#[derive(Default)]
pub(super) struct Imports(IndexSet<String, FxBuildHasher>);

impl Imports {
    pub(super) fn intern(&mut self, symbol: &str) -> Name {
        let index = match self.0.get_index_of(symbol) {
            Some(index) => index,
            None => self.0.insert_full(symbol.to_owned()).0,
        };
        Name::Import(index as u32)
    }

    pub(super) fn symbol(&self, index: u32) -> Option<&str> {
        self.0.get_index(index as usize).map(String::as_str)
    }
}
