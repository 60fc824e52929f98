//! Types of constants and of described Python objects.

use crate::Host;
use crate::special::is_special;
use numbra_ir::lattice::Promotion;
use numbra_ir::{Const, Flavor, Func, ObjDesc, ObjKind, Scalar, TupleClass, Type, TypeKind, Types};
use numbra_library::Library;

/// The type of a constant in code: literal types for integers, booleans and strings, also inside tuples.
/// `None` for an integer wider than 64 bits.
pub(crate) fn type_of_const(types: &Types, promotion: Promotion, value: &Const) -> Option<Type> {
    let scalar = |scalar| {
        let flavor = match promotion {
            Promotion::Numba => Flavor::Numpy,
            Promotion::Nep50 => Flavor::Python,
        };
        types.intern(TypeKind::Scalar(scalar, flavor))
    };
    Some(match value {
        Const::None => Type::NONE,
        Const::Ellipsis => Type::ELLIPSIS,
        Const::Bool(_) | Const::Int(_) | Const::Str(_) => {
            types.intern(TypeKind::Literal(value.clone()))
        }
        Const::BigInt(wide) => {
            u64::try_from(wide).ok()?;
            Type::UINT64
        }
        Const::Float(_) => scalar(Scalar::Float64),
        Const::Complex(..) => scalar(Scalar::Complex128),
        Const::Bytes(_) => Type::BYTES,
        Const::Tuple(items) => {
            let items: Option<Vec<Type>> = items
                .iter()
                .map(|item| type_of_const(types, promotion, item))
                .collect();
            types.tuple(&items?)
        }
        Const::Slice(parts) => {
            let constant = |c: &Const| matches!(c, Const::None | Const::Int(_));
            if parts.iter().all(constant) {
                types.intern(TypeKind::SliceLiteral(parts.clone()))
            } else if parts[2] == Const::None {
                Type::SLICE2
            } else {
                Type::SLICE3
            }
        }
    })
}

/// The value that a type stands for, if it stands for exactly one that folding knows.
pub(crate) fn literal_value(types: &Types, ty: Type) -> Option<&Const> {
    match types.kind(ty) {
        TypeKind::Literal(value) => Some(value),
        TypeKind::None => Some(&Const::None),
        _ => None,
    }
}

/// What names mean to one compilation.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) types: &'a Types,
    pub(crate) lib: &'a Library,
    pub(crate) host: &'a dyn Host,
    pub(crate) promotion: Promotion,
    /// Whether the code is for a GPU.
    pub(crate) device: bool,
}

impl Names<'_> {
    /// The type of a resolved object used as a value; `None` if it has none.
    pub(crate) fn type_of_object(&self, func: &Func, desc: &ObjDesc) -> Option<Type> {
        self.type_of_nested(func, desc, 0)
    }

    /// `depth` bounds tuples within tuples, which a malformed table may make cyclic.
    fn type_of_nested(&self, func: &Func, desc: &ObjDesc, depth: u32) -> Option<Type> {
        let types = self.types;
        let callable = || {
            let row = self.lib.lookup(&desc.name).map(|id| self.lib.row(id));
            let known = row.is_some_and(|row| row.is_known_on(self.device))
                || is_special(&desc.name)
                || self.host.is_overloaded(&desc.name);
            known.then(|| {
                types.intern(TypeKind::Function {
                    name: desc.name.clone(),
                    repr: desc.repr.clone(),
                })
            })
        };
        match &desc.kind {
            ObjKind::Unresolved
            | ObjKind::Undefined
            | ObjKind::ObjectBlock(_)
            | ObjKind::Opaque { .. } => None,
            ObjKind::Module => Some(types.intern(TypeKind::Module(desc.name.clone()))),
            ObjKind::Function => callable(),
            ObjKind::Class => {
                if let Some(scalar) = numpy_scalar_class(&desc.name) {
                    return Some(types.intern(TypeKind::NumberClass(types.scalar(scalar))));
                }
                if self.host.is_exception(&desc.name) {
                    return Some(types.intern(TypeKind::ExceptionClass(desc.name.clone())));
                }
                if self.host.named_tuple(&desc.name).is_some() || self.host.is_enum(&desc.name) {
                    return Some(types.intern(TypeKind::Class(desc.name.clone())));
                }
                callable().or_else(|| {
                    // Classes without a row still are types for `isinstance`.
                    let is_type = match desc.name.strip_prefix("builtins.") {
                        Some(short) => BUILTIN_TYPES.contains(&short),
                        None => ABSTRACT_TYPES.contains(&desc.name.as_str()),
                    };
                    is_type.then(|| types.intern(TypeKind::Class(desc.name.clone())))
                })
            }
            ObjKind::DType(ty) => Some(types.intern(TypeKind::DType(*ty))),
            ObjKind::TypeObject(ty) => Some(match types.kind(*ty) {
                TypeKind::Scalar(..) => types.intern(TypeKind::NumberClass(*ty)),
                _ => types.intern(TypeKind::TypeRef(*ty)),
            }),
            ObjKind::Dispatcher(id) => Some(
                types.intern(TypeKind::Dispatcher {
                    id: *id,
                    name: self
                        .host
                        .dispatcher(*id)
                        .map_or_else(|| desc.name.clone(), |info| info.name),
                }),
            ),
            ObjKind::Value(value) => type_of_const(types, self.promotion, value),
            ObjKind::Typed(ty, _) => Some(*ty),
            ObjKind::Array { ty, .. } => Some(*ty),
            ObjKind::Tuple(items, class) => {
                let items: Option<Vec<Type>> = items
                    .iter()
                    .map(|obj| {
                        let item = func.objects.get(*obj).filter(|_| depth < 32)?;
                        self.type_of_nested(func, item, depth + 1)
                    })
                    .collect();
                Some(match class {
                    None => types.tuple(&items?),
                    Some(TupleClass { name, fields }) => {
                        let items = items?.iter().map(|ty| types.unliteral(*ty)).collect();
                        types.intern(TypeKind::NamedTuple(name.clone(), fields.clone(), items))
                    }
                })
            }
        }
    }
}

/// Classes that `isinstance` takes though nothing calls them.
const BUILTIN_TYPES: &[&str] = &[
    "bool", "bytes", "complex", "dict", "float", "int", "list", "object", "range", "set", "slice",
    "str", "tuple", "type",
];

/// Classes of numbers and arrays that `isinstance` takes though they are no types of values.
const ABSTRACT_TYPES: &[&str] = &[
    "numbers.Number",
    "numpy.complexfloating",
    "numpy.floating",
    "numpy.generic",
    "numpy.integer",
    "numpy.ndarray",
    "numpy.number",
    "numpy.signedinteger",
    "numpy.unsignedinteger",
    "types.NoneType",
];

/// The scalar of a NumPy (or numbra) scalar class by qualified name.
fn numpy_scalar_class(name: &str) -> Option<Scalar> {
    let module = name.split_once('.')?.0;
    matches!(module, "numpy" | "numbra" | "numba" | "ml_dtypes")
        .then(|| numbra_library::scalar_class(name))
        .flatten()
}

/// The exception classes of Python's builtins.
pub(crate) fn is_builtin_exception(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "BaseException",
        "Exception",
        "GeneratorExit",
        "KeyboardInterrupt",
        "StopAsyncIteration",
        "StopIteration",
        "SystemExit",
        "Warning",
    ];
    name.strip_prefix("builtins.").is_some_and(|short| {
        short.ends_with("Error") || short.ends_with("Warning") || OTHERS.contains(&short)
    })
}
