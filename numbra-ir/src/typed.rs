//! The typed function: a [`Func`] plus side tables of types and callees. Lowering reads it; inference makes it.

use crate::{Const, DispatcherId, Func, Inst, Type, Var};
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use serde::{Deserialize, Serialize};

/// A row of the function library, by position. Only numbra-library knows what it means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowId(u32);
entity_impl!(RowId, "row");

/// Which body of a row was chosen, by position in the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct BodyIx(pub u16);

/// A function of a [`TypedProgram`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instance(u32);
entity_impl!(Instance, "fn");

/// Parameter types and result type of one call. The caller converts arguments to `params`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Signature {
    /// After folding keywords, defaults and star-args: one per formal parameter.
    pub params: Vec<Type>,
    /// The result.
    pub ret: Type,
}

/// Where a formal parameter's value comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CallArg {
    /// A variable of the caller.
    Var(Var),
    /// Item `index` of a tuple variable of the caller (`f(*args)`).
    Item(Var, u32),
    /// The callee's default.
    Default(Const),
    /// A tuple of values, for a callee's `*args`.
    Tuple(Vec<CallArg>),
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A library row whose chosen body is an intrinsic or native function.
    Row(RowId, BodyIx),
    /// Another function of the program: a prelude body, a jitted callee, a closure, an overload.
    Instance(Instance),
    /// A function of numbers of the program, for each element of broadcast operands: a user's ufunc. With one more
    /// argument than the function has parameters, the last is the output.
    Map(Instance),
}

impl Callee {
    /// The function of the program that runs.
    pub fn instance(self) -> Option<Instance> {
        match self {
            Callee::Row(..) => None,
            Callee::Instance(instance) | Callee::Map(instance) => Some(instance),
        }
    }
}

/// A resolved call, operator, subscript, attribute or iteration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    /// What runs.
    pub callee: Callee,
    /// At which types.
    pub sig: Signature,
    /// One per parameter of `sig`.
    pub args: Vec<CallArg>,
}

/// A function whose variables have types and whose operations have callees.
///
/// Statements without a [`CallSite`] mean what their types say (copies, constants, tuples, control flow, casts).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TypedFunc {
    /// The function, in SSA form.
    pub func: Func,
    /// Parameter types.
    pub args: Vec<Type>,
    /// Result type.
    pub ret: Type,
    /// Type of each variable; `undefined` for dead ones.
    #[serde(with = "crate::side_table")]
    pub var_types: SecondaryMap<Var, Option<Type>>,
    /// The resolved call of a statement.
    #[serde(with = "crate::side_table")]
    pub calls: SecondaryMap<Inst, Option<CallSite>>,
}

/// Why a function is in a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum InstanceOrigin {
    /// The function that was asked for, or a jitted function that it calls.
    Dispatcher(DispatcherId),
    /// A prelude body of a row.
    Prelude(RowId, BodyIx),
    /// A user's overload.
    Overload(u64),
    /// A local function with a constant closure.
    Closure(String),
    /// Read from text.
    Text(String),
}

/// A function and every function it calls that is not an intrinsic or native: the input of lowering.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TypedProgram {
    /// All functions; mutual recursion is allowed.
    pub functions: PrimaryMap<Instance, (InstanceOrigin, TypedFunc)>,
    /// The one that was asked for.
    pub root: Instance,
}
