//! Data models: which machine values, called leaves, stand for a value of a type.
//!
//! | type | leaves, in order |
//! |---|---|
//! | bool | `i1` (memory, argument blocks and result blocks hold `i8`) |
//! | integers, floats | one, of the same width |
//! | complex | real part, imaginary part |
//! | dates, durations | `i64` count of the unit; the least one is NaT |
//! | none, literals, omitted arguments, functions, classes, modules, dtypes, ellipsis, literal slices | none |
//! | `OptionalType(T)` | `i1` (1: there is a value), then the leaves of T (zero bits for None) |
//! | tuples of every kind, `pair` | the leaves of the items, one after the other |
//! | arrays, buffers, `bytes` | `ptr` data, `ref` owner, `i64` shape per axis, `i64` stride in bytes per axis ([`ArrayLayout`]) |
//! | records | `ptr` to the record, `ref` owner: the memory of the array or object that it is part of |
//! | char sequences | `ptr` to the bytes, `ref` owner: memory of their own, never written again |
//! | `range` | start, stop, step |
//! | `range_iter` | `ptr` to the state (next item, items left), stop, step |
//! | `iter(array)`, `iter(UniTuple)` | `ptr` to the next index (`i64`), then the leaves of what is iterated |
//! | `flat_iter`, `ndenumerate` of arrays that are not C-contiguous | `ptr` to the state (next index on the last axis, offset of the row, rows behind it, its index), then the array |
//! | `nditer` | the leaves of an iterator over the indices of the common shape, then for each operand `ptr` data, `ref` owner, `i64` stride per axis |
//! | `enumerate` | `ptr` to the count (`i64`), then the leaves of the inner iterator |
//! | `zip` | the leaves of the inner iterators |
//! | lists and sets | `ref` to the object ([`numbra_abi::LIST`]) |
//! | `iter(list)`, `iter(set)` | `ptr` to the next index (`i64`), then the container |
//! | pointers, addresses of functions | `ptr` |
//! | generators | `ref` to the frame ([`numbra_abi::FRAME`]) |
//! | `slice<a:b>` | `i64` start, stop |
//! | `slice<a:b:c>` | `i64` start, stop, step |
//! | `unicode_type` | `ptr` data, `i64` length, `i32` kind (1, 2, 4 bytes a character), `i32` is ASCII, `i64` hash (-1: not known), `ref` owner |
//! | `PolynomialType` | leaves of coefficients, domain and window |
//! | `NumPyRandomGeneratorType` | `ptr` to the object, `ptr` to its `bitgen_t`, `ref` owner: what keeps the object |
//! | bound methods, `array.flags`, `array.flat` | the leaves of the receiver |
//!
//! The state of an iterator lives in a stack slot of the function that made it.

use numbra_abi::ArrayLayout;
use numbra_ir::{Scalar, Type, TypeKind, TypedFunc, Types};
use numbra_lir::{Signature, Ty};

/// Most leaves that a type may have.
pub(super) const MAX_LEAVES: usize = 4096;

/// The leaf of a generator of random numbers that is its `bitgen_t`, by position.
pub(super) const GENERATOR_BITS: usize = 1;

/// The leaf of a string that is its length, by position.
pub(super) const STR_LENGTH: usize = 1;

/// The leaves of a type, in order. An error names what has no data model.
pub fn leaves(types: &Types, ty: Type) -> Result<Vec<Ty>, String> {
    let mut out = Vec::new();
    push_leaves(types, ty, &mut out)?;
    Ok(out)
}

/// Number of leaves of a type.
pub(super) fn count(types: &Types, ty: Type) -> Result<usize, String> {
    leaves(types, ty).map(|l| l.len())
}

/// The LIR signature of a function at these types: leaves of the parameters and of the result.
/// `raises` must say what the exported root's own signature says.
pub fn root_signature(types: &Types, func: &TypedFunc, raises: bool) -> Result<Signature, String> {
    signature(types, &func.args, func.ret, raises)
}

/// See [`root_signature`].
pub(super) fn signature(
    types: &Types,
    params: &[Type],
    ret: Type,
    raises: bool,
) -> Result<Signature, String> {
    let mut flat = Vec::new();
    let mut extents: Vec<(usize, u32)> = Vec::new();
    for &ty in params {
        if let TypeKind::Array(array) | TypeKind::Buffer { array, .. } = types.kind(ty) {
            let bytes = types.element(array.dtype).map_or(1, |item| item.size());
            let layout = ArrayLayout {
                ndim: u32::from(array.ndim),
            };
            let axes = (0..layout.ndim).map(|axis| flat.len() + layout.shape(axis));
            extents.extend(axes.map(|leaf| (leaf, bytes.max(1))));
        }
        push_leaves(types, ty, &mut flat)?;
    }
    let mut sig = Signature::new(&flat, &leaves(types, ret)?, raises);
    for (leaf, bytes) in extents {
        sig.params[leaf].extent = bytes;
    }
    Ok(sig)
}

fn push_leaves(types: &Types, ty: Type, out: &mut Vec<Ty>) -> Result<(), String> {
    if out.len() > MAX_LEAVES {
        return Err("a value of more than 4096 machine words is not supported".to_owned());
    }
    match types.kind(ty) {
        TypeKind::None
        | TypeKind::Ellipsis
        | TypeKind::Literal(_)
        | TypeKind::Omitted(_)
        | TypeKind::SliceLiteral(_)
        | TypeKind::Function { .. }
        | TypeKind::Module(_)
        | TypeKind::NumberClass(_)
        | TypeKind::DType(_)
        | TypeKind::TypeRef(_)
        | TypeKind::Class(_)
        | TypeKind::ExceptionClass(_)
        | TypeKind::ExceptionInstance(_)
        | TypeKind::Dispatcher { .. }
        | TypeKind::Closure { .. } => {}
        TypeKind::Scalar(scalar, _) => push_scalar(*scalar, out),
        TypeKind::EnumMember { dtype, .. } => push_leaves(types, *dtype, out)?,
        TypeKind::Datetime(_) | TypeKind::Timedelta(_) => out.push(Ty::I64),
        TypeKind::Optional(inner) => {
            out.push(Ty::I1);
            push_leaves(types, *inner, out)?;
        }
        TypeKind::UniTuple(item, n) => {
            let each = leaves(types, *item)?;
            if each.len().saturating_mul(*n as usize) > MAX_LEAVES {
                return Err("a tuple of more than 4096 machine words is not supported".to_owned());
            }
            for _ in 0..*n {
                out.extend_from_slice(&each);
            }
        }
        TypeKind::Tuple(items)
        | TypeKind::StarArgTuple(items)
        | TypeKind::NamedTuple(_, _, items)
        | TypeKind::LiteralList(items)
        | TypeKind::Zip(items) => {
            for item in items {
                push_leaves(types, *item, out)?;
            }
        }
        TypeKind::Polynomial(parts) => {
            for part in parts {
                push_leaves(types, *part, out)?;
            }
        }
        TypeKind::Pair(first, second) => {
            push_leaves(types, *first, out)?;
            push_leaves(types, *second, out)?;
        }
        TypeKind::Array(array) | TypeKind::Buffer { array, .. } => {
            push_array(u32::from(array.ndim), out);
        }
        TypeKind::Bytes => push_array(1, out),
        TypeKind::Range(item) => {
            for _ in 0..3 {
                push_leaves(types, *item, out)?;
            }
        }
        TypeKind::RangeIter(item) => {
            out.push(Ty::PTR);
            push_leaves(types, *item, out)?;
            push_leaves(types, *item, out)?;
        }
        TypeKind::NdIter { ndim, items } => {
            let ndim = usize::from(*ndim);
            out.push(Ty::PTR);
            out.resize(out.len() + 2 * ndim, Ty::I64);
            for _ in items {
                out.extend([Ty::PTR, Ty::Ref]);
                out.resize(out.len() + ndim, Ty::I64);
            }
        }
        TypeKind::Enumerate(inner) => {
            out.push(Ty::PTR);
            push_leaves(types, *inner, out)?;
        }
        TypeKind::ArrayIter(inner)
        | TypeKind::FlatIter { array: inner, .. }
        | TypeKind::UniTupleIter(inner) => {
            out.push(Ty::PTR);
            push_leaves(types, *inner, out)?;
        }
        TypeKind::List { .. } | TypeKind::Set { .. } | TypeKind::Generator { .. } => {
            out.push(Ty::Ref);
        }
        TypeKind::Record(_) | TypeKind::CharSeq(_) | TypeKind::UnicodeCharSeq(_) => {
            out.extend([Ty::PTR, Ty::Ref]);
        }
        TypeKind::ListIter(_) | TypeKind::SetIter(_) => out.extend([Ty::PTR, Ty::Ref]),
        TypeKind::TextIter => {
            out.push(Ty::PTR);
            push_leaves(types, Type::UNICODE, out)?;
        }
        TypeKind::FunctionType { .. } | TypeKind::Pointer(_) => out.push(Ty::PTR),
        TypeKind::ObjectBlock(_) => out.push(Ty::I64),
        TypeKind::Slice2 => out.extend([Ty::I64; 2]),
        TypeKind::Slice3 => out.extend([Ty::I64; 3]),
        TypeKind::Unicode => {
            out.extend([Ty::PTR, Ty::I64, Ty::I32, Ty::I32, Ty::I64, Ty::Ref]);
        }
        TypeKind::RandomGenerator => out.extend([Ty::PTR, Ty::PTR, Ty::Ref]),
        TypeKind::BoundMethod { receiver, .. } => push_leaves(types, *receiver, out)?,
        TypeKind::Undefined
        | TypeKind::PyObject
        | TypeKind::NestedArray { .. }
        | TypeKind::Ext { .. } => {
            return Err(no_model(types, ty));
        }
    }
    Ok(())
}

fn no_model(types: &Types, ty: Type) -> String {
    format!("values of type {} have no native form", types.display(ty))
}

/// The machine type of a real scalar, or of one part of a complex one.
pub(super) fn part(scalar: Scalar) -> Ty {
    match scalar {
        Scalar::Bool => Ty::I1,
        Scalar::Int8 | Scalar::UInt8 => Ty::I8,
        // Its bits: it computes in single precision.
        Scalar::Int16 | Scalar::UInt16 | Scalar::BFloat16 => Ty::I16,
        Scalar::Int32 | Scalar::UInt32 => Ty::I32,
        Scalar::Int64 | Scalar::UInt64 => Ty::I64,
        Scalar::Float16 => Ty::F16,
        Scalar::Float32 | Scalar::Complex64 => Ty::F32,
        Scalar::Float64 | Scalar::Complex128 => Ty::F64,
    }
}

fn push_scalar(scalar: Scalar, out: &mut Vec<Ty>) {
    out.push(part(scalar));
    if scalar.is_complex() {
        out.push(part(scalar));
    }
}

fn push_array(ndim: u32, out: &mut Vec<Ty>) {
    let layout = ArrayLayout { ndim };
    out.push(Ty::PTR);
    out.push(Ty::Ref);
    out.resize(out.len() + layout.leaves() - 2, Ty::I64);
}
