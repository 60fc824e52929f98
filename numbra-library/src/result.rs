//! How the types of a call follow from its argument types.

use crate::pattern;
use numbra_ir::lattice::{Conversion, ExtRules, can_convert_with, unify_with};
use numbra_ir::{DispatcherId, Scalar, Signature, Type, Types};

/// Parameter and result types of a body.
#[derive(Clone, Copy, Debug)]
pub enum ResultRule {
    /// The best of these signatures by conversion weights, as Numba's overload resolution ranks them
    /// (fewest unsafe, then safe, then promoting conversions). Arguments are converted to its parameters.
    Cases(&'static [Case]),
    /// The first loop of the body's [`crate::Elementwise`] that the operands convert to, and NumPy's broadcast shape.
    /// Parameters are the argument types themselves, unliteraled: see [`crate::Elementwise::signature`].
    Loops,
    /// A function of the argument types.
    Fn(fn(&ResultCx<'_>) -> Result<Signature, Mismatch>),
    /// Whatever inference finds for the prelude body at these argument types.
    Infer,
}

/// One signature over scalars. `bool` results of comparisons are `Scalar::Bool`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    /// Parameters.
    pub params: &'static [Scalar],
    /// Result.
    pub ret: Scalar,
}

/// What a [`ResultRule::Fn`] may look at.
pub struct ResultCx<'a> {
    /// Name of the row, for messages.
    pub row: &'static str,
    /// The Session's types.
    pub types: &'a Types,
    /// One per entry of the signature, after folding keywords and defaults: literal types where the argument is
    /// a constant, `omitted(default=..)` where the default is taken; receivers come first.
    pub args: &'a [Type],
    /// Rules of extension types.
    pub ext: &'a dyn ExtRules,
    /// The body moves elements of any type: [`crate::Takes::Any`].
    pub moves: bool,
    /// The body takes times as it takes numbers: [`crate::Takes::Ordered`].
    pub times: bool,
}

impl ResultCx<'_> {
    /// The common type of two.
    pub fn unify(&self, a: Type, b: Type) -> Option<Type> {
        unify_with(self.types, self.ext, a, b)
    }

    /// The cost of an implicit conversion.
    /// The type of the objects that a class makes, whose constructor is a jitted function.
    pub fn made_by(&self, constructor: DispatcherId) -> Option<Type> {
        self.ext.made_by(constructor)
    }

    /// The cost of the implicit conversion.
    pub fn can_convert(&self, from: Type, to: Type) -> Option<Conversion> {
        can_convert_with(self.types, self.ext, from, to)
    }

    /// Argument `i` as written, `undefined` when there is none.
    pub fn arg(&self, i: usize) -> Type {
        self.args.get(i).copied().unwrap_or(Type::UNDEFINED)
    }

    /// Argument `i` without its literal value or omitted mark.
    pub fn plain(&self, i: usize) -> Type {
        pattern::plain(self.types, self.arg(i))
    }

    /// The type that argument `i`, an integer, is passed as where it counts or says where: see [`pattern::count`].
    pub fn count(&self, i: usize) -> Type {
        pattern::count(self.types, self.arg(i))
    }

    /// The text of a type.
    pub fn show(&self, ty: Type) -> String {
        self.types.display(ty).to_string()
    }

    /// A signature whose parameters are the unliteraled arguments.
    pub fn returns(&self, ret: Type) -> Result<Signature, Mismatch> {
        Ok(Signature {
            params: self
                .args
                .iter()
                .map(|ty| pattern::plain(self.types, *ty))
                .collect(),
            ret,
        })
    }
}

/// Why a body does not take these arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// The types do not fit; the next body is tried. The text says which one, for the list of candidates.
    Rejected(String),
    /// The types fit but the call is wrong: reported as the error, Numba's text where it has one. `{name}` stands for the
    /// name of the row.
    Error(String),
}

impl Mismatch {
    /// Not this body.
    pub fn rejected(text: impl Into<String>) -> Mismatch {
        Mismatch::Rejected(text.into())
    }

    /// A wrong call.
    pub fn error(text: impl Into<String>) -> Mismatch {
        Mismatch::Error(text.into())
    }

    /// The message.
    pub fn text(&self) -> &str {
        match self {
            Mismatch::Rejected(text) | Mismatch::Error(text) => text,
        }
    }
}
