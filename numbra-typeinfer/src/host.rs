//! What inference asks of the world outside: Python objects, jitted functions, user overloads, extension types.

use numbra_base::Diagnostic;
use numbra_ir::lattice::{ExtRules, NoExt};
use numbra_ir::passes::{self, PassContext};
use numbra_ir::stencil::Stencil;
use numbra_ir::{
    ArgSpec, Const, DispatcherId, Func, ObjDesc, ObjKind, ObjRef, PrimaryMap, Signature, Type,
    Types,
};

/// A named tuple class.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedTupleClass {
    /// The name that types of its instances carry.
    pub name: String,
    /// Fields in order, with their defaults.
    pub fields: Vec<ArgSpec>,
}

/// A jitted function, or the implementation of an overload, at argument types: what the Host gave the code of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reader {
    /// The function; of an overload what [`Overload::id`] numbers.
    pub id: DispatcherId,
    /// One type a parameter.
    pub args: Vec<Type>,
}

/// All knowledge of Python that inference needs. numbra-py implements it with CPython; tests with [`crate::TestHost`].
///
/// Answers must not change during one inference.
pub trait Host {
    /// Describes a global or free variable that the builder left [`ObjKind::Unresolved`].
    fn resolve(&self, func: &Func, obj: ObjRef) -> ObjDesc {
        let desc = &func.objects[obj];
        match desc.kind {
            ObjKind::Unresolved => ObjDesc {
                kind: ObjKind::Undefined,
                ..desc.clone()
            },
            _ => desc.clone(),
        }
    }

    /// Attribute `attr` of the module or class `owner` (a qualified name); `None` if it has none. What a tuple is made
    /// of is added to `objects`. `reader` is whose code reads it, where that is no function of the library.
    fn attribute(
        &self,
        owner: &str,
        attr: &str,
        reader: Option<&Reader>,
        objects: &mut PrimaryMap<ObjRef, ObjDesc>,
    ) -> Option<ObjDesc> {
        let _ = (owner, attr, reader, objects);
        None
    }

    /// Names of the attributes of a module, for messages.
    fn members(&self, owner: &str) -> Vec<String> {
        let _ = owner;
        Vec::new()
    }

    /// Name and parameters of a jitted function.
    fn dispatcher(&self, id: DispatcherId) -> Option<DispatcherInfo> {
        let _ = id;
        None
    }

    /// Its function after the untyped passes, for these argument types (one per parameter).
    fn dispatcher_func(
        &self,
        id: DispatcherId,
        args: &[Type],
        types: &Types,
    ) -> Result<Func, HostError> {
        let _ = (args, types);
        Err(HostError::Failed(format!(
            "no function for dispatcher {}",
            id.0
        )))
    }

    /// What a decorator said of a stencil, and its kernel before the untyped passes.
    fn stencil(&self, id: DispatcherId) -> Result<(Stencil, Func), HostError> {
        let id = id.0;
        Err(HostError::Failed(format!("dispatcher {id} is no stencil")))
    }

    /// True if a function has a user's overload, so that its name is a value of function type.
    fn is_overloaded(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// True if a type has a method by a user's overload.
    fn has_method(&self, receiver: Type, name: &str, types: &Types) -> bool {
        let _ = (receiver, name, types);
        false
    }

    /// True if a class, by qualified name, is an exception class.
    fn is_exception(&self, name: &str) -> bool {
        crate::values::is_builtin_exception(name)
    }

    /// True if a class, by qualified name, is an enumeration.
    fn is_enum(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// A named tuple class, by qualified name; `None` for any other class.
    fn named_tuple(&self, name: &str) -> Option<NamedTupleClass> {
        let _ = name;
        None
    }

    /// A user's `@overload`, `@overload_method`, `@overload_attribute` or `@intrinsic` for a call.
    ///
    /// Each overload is tried with plain argument types and, where these differ, with literal ones; it says in which
    /// order. Asked again with a larger [`OverloadQuery::skip`] for as long as what it gives does not compile.
    fn overload(
        &self,
        query: &OverloadQuery<'_>,
        types: &Types,
    ) -> Result<Option<Overload>, HostError> {
        let _ = (query, types);
        Ok(None)
    }

    /// The jitted function behind the [`Overload::id`] of a user's overload.
    fn overload_dispatcher(&self, id: u64) -> Option<DispatcherInfo> {
        let _ = id;
        None
    }

    /// The code behind the [`Overload::id`] of an [`OverloadBody::External`]: the text of a module of LIR that exports one
    /// function, whose parameters and results are the leaves of the signature.
    fn external_code(&self, id: u64) -> Option<String> {
        let _ = id;
        None
    }

    /// The type of an attribute of an extension type, when it needs no code (a constant type-level attribute).
    fn ext_attribute(&self, receiver: Type, attr: &str, types: &Types) -> Option<Type> {
        let _ = (receiver, attr, types);
        None
    }

    /// Major and minor number of the NumPy whose results are wanted, where they differ between versions.
    fn numpy_version(&self) -> (u32, u32) {
        (2, 0)
    }

    /// Conversion and unification of extension types.
    fn ext_rules(&self) -> &dyn ExtRules {
        &NoExt
    }

    /// Runs the untyped passes on a library's prelude body or a closure, for these argument types.
    fn prepare(&self, mut func: Func, args: &[Type], types: &Types) -> Result<Func, HostError> {
        let cx = PassContext::new(types, args);
        for pass in [
            passes::ir_processing,
            passes::inline_closure_likes,
            passes::rewrite_semantic_constants,
            passes::dead_branch_prune,
            passes::generic_rewrites,
            passes::rewrite_dynamic_raises,
            passes::check_assigned,
            passes::reconstruct_ssa,
        ] {
            pass(&mut func, &cx).map_err(|errors| match errors.into_iter().next() {
                Some(first) => HostError::Diagnostic(Box::new(first)),
                None => HostError::Failed("a pass failed".to_owned()),
            })?;
        }
        Ok(func)
    }
}

/// A jitted function as its callers see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DispatcherInfo {
    /// `__name__`
    pub name: String,
    /// Parameters with constant defaults.
    pub args: Vec<ArgSpec>,
    /// With explicit signatures and compilation disabled: the only ones it takes.
    pub frozen: Option<Vec<Signature>>,
    /// Signatures whose result type was declared: what the body returns is converted to it.
    pub declared: Vec<Signature>,
    /// What a call of it means.
    pub form: DispatcherForm,
    /// It divides by zero as NumPy does, or as Python does, whoever calls it; `None`: as its caller does.
    pub numpy_errors: Option<bool>,
    /// Relaxations of its float operations, as the bits of LIR's flags; `None`: its caller's.
    pub fastmath: Option<u8>,
    /// Its array indices are checked, whoever calls it.
    pub boundscheck: bool,
    /// Types of its variables by name, in all their versions.
    pub locals: Vec<(String, Type)>,
    /// Its `prange` loops run in parallel.
    pub parallel: bool,
    /// The stencils that it calls run in parallel.
    pub parallel_stencils: bool,
    /// Its code counts as its callers': its loops run in parallel where theirs do.
    pub inline_always: bool,
}

impl DispatcherInfo {
    /// The result type that was declared for these argument types.
    pub fn declared_result(&self, args: &[Type]) -> Option<Type> {
        let of_these = self.declared.iter().find(|sig| sig.params == args);
        of_these.map(|sig| sig.ret)
    }
}

/// What a call of a jitted function means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DispatcherForm {
    /// A call.
    Function,
    /// A ufunc: a call for each element of the broadcast operands.
    Ufunc,
    /// A generalised ufunc: what the Host's overload of its method `__call__` does.
    CoreUfunc,
    /// A stencil: a call of loops around the function.
    Stencil,
}

/// A call that a user's overload may implement.
#[derive(Clone, Copy, Debug)]
pub struct OverloadQuery<'a> {
    /// What is called.
    pub target: OverloadTarget<'a>,
    /// Positional argument types; a receiver comes first. Literal where they are.
    pub args: &'a [Type],
    /// Keyword argument types.
    pub kws: &'a [(String, Type)],
    /// Answers and errors of this many attempts are not wanted: they did not compile.
    pub skip: usize,
}

/// What a user's overload is registered on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverloadTarget<'a> {
    /// A function or operator by qualified name.
    Function(&'a str),
    /// A method of the first argument's type.
    Method(&'a str),
    /// An attribute of the first argument's type.
    Attribute(&'a str),
}

/// What a user's overload gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Overload {
    /// A number that the Host gives out once for each implementation.
    pub id: u64,
    /// Parameters of the implementation, for keywords and defaults.
    pub args: Vec<ArgSpec>,
    /// It is for the literal types of the call; else for plain ones.
    pub literal: bool,
    /// What runs.
    pub body: OverloadBody,
}

/// The implementation of a user's overload.
#[derive(Clone, PartialEq, Debug)]
pub enum OverloadBody {
    /// A function in Numba IR, after the untyped passes.
    Func(Box<Func>),
    /// Code that the Host has recorded (`@intrinsic`): types only. The program then holds a function without blocks.
    External(Signature),
}

/// Why a Host could not answer.
#[derive(Clone, PartialEq, Debug)]
pub enum HostError {
    /// These arguments must be literals (`literally`, literal-only overloads).
    ForceLiteral(Vec<usize>),
    /// A finished diagnostic, such as an unsupported construct in a callee.
    Diagnostic(Box<Diagnostic>),
    /// A plain message.
    Failed(String),
}

/// The class of an object without a type, as Python prints it: what "Cannot determine Numba type of" quotes.
pub(crate) fn python_class(desc: &ObjDesc) -> &str {
    match &desc.kind {
        ObjKind::Opaque { class } => class,
        ObjKind::Class => "<class 'type'>",
        ObjKind::Module => "<class 'module'>",
        ObjKind::Function if desc.repr.starts_with("<built-in ") => {
            "<class 'builtin_function_or_method'>"
        }
        ObjKind::Function if desc.repr.starts_with("<class ") => "<class 'type'>",
        ObjKind::Function if desc.repr.starts_with("<ufunc ") => "<class 'numpy.ufunc'>",
        ObjKind::Function => "<class 'function'>",
        ObjKind::DType(_) => "<class 'numpy.dtype'>",
        ObjKind::TypeObject(_) => "<class 'numba.core.types.Type'>",
        ObjKind::Dispatcher(_) => "<class 'numba.core.registry.CPUDispatcher'>",
        ObjKind::Array { .. } => "<class 'numpy.ndarray'>",
        ObjKind::Tuple(..) => "<class 'tuple'>",
        ObjKind::Value(value) | ObjKind::Typed(_, value) => const_class(value),
        ObjKind::Unresolved | ObjKind::Undefined | ObjKind::ObjectBlock(_) => "<class 'object'>",
    }
}

fn const_class(value: &Const) -> &'static str {
    match value {
        Const::None => "<class 'NoneType'>",
        Const::Ellipsis => "<class 'ellipsis'>",
        Const::Bool(_) => "<class 'bool'>",
        Const::Int(_) | Const::BigInt(_) => "<class 'int'>",
        Const::Float(_) => "<class 'float'>",
        Const::Complex(..) => "<class 'complex'>",
        Const::Str(_) => "<class 'str'>",
        Const::Bytes(_) => "<class 'bytes'>",
        Const::Tuple(_) => "<class 'tuple'>",
        Const::Slice(_) => "<class 'slice'>",
    }
}
