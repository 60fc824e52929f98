//! Python objects that a function refers to (globals, free variables, classes), as descriptions.
//!
//! IR never holds a Python object. It holds an [`ObjRef`] into the function's table of [`ObjDesc`]s; a `Host`
//! (CPython in numbra-py, a table in tests) fills the table in and resolves it again when a handle is needed.

use crate::{Const, Type};
use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

/// A reference to a described Python object of one [`crate::Func`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjRef(u32);
entity_impl!(ObjRef, "obj");

/// A dispatcher (jitted function) known to the Host, by a number that the Host gives out once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct DispatcherId(pub u32);

/// One described object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjDesc {
    /// Fully qualified name where there is one (`numpy.sin`, `builtins.range`, `operator.add`), else the variable's name.
    pub name: String,
    /// What it is.
    pub kind: ObjKind,
    /// Python's `repr`, as error messages and dumps quote it (addresses removed).
    pub repr: String,
    /// Content digest; `None` when the object has no stable one, which makes the function uncacheable.
    pub digest: Option<u64>,
}

/// The class of a named tuple.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TupleClass {
    /// The name that its type has.
    pub name: String,
    /// Its fields.
    pub fields: Vec<String>,
}

/// What a described object is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ObjKind {
    /// A global or free variable that the Host has not been asked about yet.
    Unresolved,
    /// A name that does not exist: `NameError` at inference. Its `repr` is a name that exists and was probably meant, or empty.
    Undefined,
    /// A module; attributes of it are resolved through the Host.
    Module,
    /// A function or class that the library may have a row for, by qualified name.
    Function,
    /// A class: builtin type, NumPy scalar class or exception class, by qualified name.
    Class,
    /// A NumPy dtype instance or numbra type object used as a value.
    DType(Type),
    /// A numbra type object (`numbra.int64`) used as a value or callable.
    TypeObject(Type),
    /// A jitted function.
    Dispatcher(DispatcherId),
    /// A scalar, string, tuple or None that is baked into the code.
    Value(Const),
    /// A typed constant whose Python type is not that of a plain [`Const`], such as `np.float32(1.5)`.
    Typed(Type, Const),
    /// A constant array or record. The Host keeps the data; `handle` finds it.
    Array {
        /// Its type; of an array, read-only.
        ty: Type,
        /// Host's number for the object.
        handle: u64,
    },
    /// A tuple of described objects that is not a plain constant, and its class where that names its items.
    Tuple(Vec<ObjRef>, Option<TupleClass>),
    /// The body of a `with objmode` statement, by position in the function's `Dfg::object_blocks`, which the Host has not
    /// been asked about yet.
    ObjectBlock(u32),
    /// Anything else; the Python class name says what.
    Opaque {
        /// `type(obj)` as Python prints it: `<class 'dict'>`.
        class: String,
    },
}
