//! What the analysis knows of a function and of the program around it.

use numbra_ir::{Inst, RowId, Type, TypedFunc, TypedProgram, Types, Var};
use numbra_library::{Library, Op, Row};

/// A function, for questions.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) program: &'a TypedProgram,
    pub(crate) typed: &'a TypedFunc,
    pub(crate) types: &'a Types,
    pub(crate) library: &'a Library,
    /// No float is NaN.
    pub(crate) no_nans: bool,
}

impl Context<'_> {
    /// The operation that a statement's call is.
    pub(crate) fn intrinsic_of(&self, inst: Inst) -> Option<Op> {
        let site = self.typed.calls[inst].as_ref()?;
        self.library.operation(site.callee)
    }

    /// A row of the library.
    pub(crate) fn row(&self, row: RowId) -> Option<&'static Row> {
        self.library.row_checked(row)
    }

    /// The type of a variable; `None` for dead ones.
    pub(crate) fn var_type(&self, var: Var) -> Option<Type> {
        self.typed.var_types[var].filter(|ty| *ty != Type::UNDEFINED)
    }

    /// The name that the user gave a variable.
    pub(crate) fn source_name(&self, var: Var) -> String {
        crate::report::source_name(self.typed, var)
    }

    /// Text of a type, for messages.
    pub(crate) fn show(&self, ty: Type) -> String {
        self.types.display(ty).to_string()
    }

    /// True for numbers that may be NaN.
    pub(crate) fn has_nan(&self, ty: Type) -> bool {
        let number = self.types.as_scalar(ty);
        !self.no_nans && number.is_some_and(|kind| kind.is_float() || kind.is_complex())
    }

    /// True for numbers and arrays of numbers.
    pub(crate) fn is_reducible(&self, ty: Type) -> bool {
        let element = self.types.as_array(ty).map_or(ty, |array| array.dtype);
        let number = self.types.as_scalar(element);
        number.is_some_and(|kind| {
            kind.is_int() || kind.is_float() || kind.is_complex() || kind == numbra_ir::Scalar::Bool
        })
    }
}
