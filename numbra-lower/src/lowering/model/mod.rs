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
//! | `zip` | the leaves of the inner iterators, then `i1`: they must have as many items |
//! | displays of lists and dictionaries whose types say their items | the leaves of the items |
//! | lists and sets | `ref` to the object ([`numbra_abi::LIST`]) |
//! | dictionaries and their views | `ref` to the object ([`numbra_abi::DICT`]) |
//! | iterators over them | `ptr` to the next position and the number of entries at the start, then the dictionary |
//! | `iter(list)`, `iter(set)` | `ptr` to the next index (`i64`), and behind it, for sets and typed lists, the length at the start; then the container |
//! | pointers | `ptr` |
//! | functions of one signature | `ptr` to the code, `i64` (1: it is compiled, and has a status; 0: a function of C), `ref` owner: what keeps the function |
//! | one of several jitted functions | `i64`: which one |
//! | types that Python code defines | the leaves of the fields, or `ref` to an object of them ([`super::fields`]) |
//! | generators | `ref` to the frame ([`numbra_abi::FRAME`]) |
//! | `slice<a:b>` | `i64` start, stop |
//! | `slice<a:b:c>` | `i64` start, stop, step |
//! | `unicode_type` | `ptr` data, `i64` length, `i32` kind (1, 2, 4 bytes a character), `i32` is ASCII, `i64` hash (-1: not known), `ref` owner |
//! | `PolynomialType` | leaves of coefficients, domain and window |
//! | `NumPyRandomGeneratorType` | `ptr` to the object, `ptr` to its `bitgen_t`, `ref` owner: what keeps the object |
//! | bound methods, `array.flags`, `array.flat` | the leaves of the receiver |
//!
//! The state of an iterator lives in a stack slot of the function that made it.
//!
//! [`Model`] is what lowering knows of a kind of types; each family has a file here, named as in numbra-ir's `types`.

mod array;
mod callable;
mod constant;
mod dict;
mod ext;
mod initial;
mod iterator;
mod list;
mod numpy;
mod object;
mod optional;
mod range;
mod scalar;
mod set;
mod text;
mod tuple;

pub(super) use scalar::part;

use super::error::{Fault, Res};
use super::function::{Fx, Val};
use super::owner::Owner;
use numbra_abi::ArrayLayout;
use numbra_ir::{Type, TypeKind, TypedFunc, Types, with_kind};
use numbra_lir::{Signature, Ty, Value};

/// Most leaves that a type may have.
pub(super) const MAX_LEAVES: usize = 4096;

/// The leaf of a generator of random numbers that is its `bitgen_t`, by position.
pub(super) const GENERATOR_BITS: usize = 1;

/// What lowering knows of the types of one kind.
pub(super) trait Model: Sized {
    /// Adds the leaves of such a value. An error names what has no data model.
    fn leaves(&self, leaves: &mut Leaves<'_>) -> Result<(), String>;

    /// Who owns what the leaves point to; `None` for what no Python object stands for. Values without leaves need no answer.
    fn owner(&self, _: &Types) -> Option<Owner> {
        None
    }

    /// True for values whose leaves are all that Python needs to make an object of them.
    fn is_object(&self, _types: &Types) -> bool {
        false
    }

    /// `bool(value)`
    fn truth(&self, fx: &mut Fx<'_, '_>, value: &Val) -> Res<Value> {
        let shown = fx.show(value.ty);
        Err(Fault::unsupported(format!("the truth of a {shown}")))
    }

    /// `iter(value)`, whose type is `ret`.
    fn iterate(&self, fx: &mut Fx<'_, '_>, value: &Val, _ret: Type) -> Res<Vec<Value>> {
        match fx.types.kind(value.ty).is_iterator() {
            true => Ok(value.leaves.clone()),
            false => Err(not_iterable(fx, value)),
        }
    }

    /// A step of an iterator: the leaves of the item, then whether there was one.
    fn next(&self, fx: &mut Fx<'_, '_>, iter: &Val) -> Res<Vec<Value>> {
        Err(not_iterable(fx, iter))
    }
}

fn not_iterable(fx: &Fx<'_, '_>, value: &Val) -> Fault {
    Fault::unsupported(format!("iterating {}", fx.show(value.ty)))
}

/// The leaves of a value so far.
pub(super) struct Leaves<'a> {
    pub(super) types: &'a Types,
    out: &'a mut Vec<Ty>,
}

impl Leaves<'_> {
    /// Adds one.
    pub(super) fn push(&mut self, leaf: Ty) {
        self.out.push(leaf);
    }

    /// Adds as many as there are.
    pub(super) fn extend(&mut self, leaves: impl IntoIterator<Item = Ty>) {
        self.out.extend(leaves);
    }

    /// Adds those of a type.
    pub(super) fn push_type(&mut self, ty: Type) -> Result<(), String> {
        if self.out.len() > MAX_LEAVES {
            return Err("a value of more than 4096 machine words is not supported".to_owned());
        }
        with_kind!(self.types.kind(ty), kind => kind.leaves(self))
    }

    /// Adds those of several types.
    pub(super) fn push_types(&mut self, types: &[Type]) -> Result<(), String> {
        types.iter().try_for_each(|ty| self.push_type(*ty))
    }
}

/// The error for a type whose values have no native form.
fn no_model(leaves: &Leaves<'_>, kind: &TypeKind) -> String {
    let ty = leaves.types.intern(kind.clone());
    format!(
        "values of type {} have no native form",
        leaves.types.display(ty)
    )
}

impl Fx<'_, '_> {
    /// `bool(value)`
    pub(super) fn truth(&mut self, value: &Val) -> Res<Value> {
        with_kind!(self.types.kind(value.ty), kind => kind.truth(self, value))
    }

    /// `iter(value)`
    pub(super) fn get_iter(&mut self, value: &Val, ret: Type) -> Res<Vec<Value>> {
        with_kind!(self.types.kind(value.ty), kind => kind.iterate(self, value, ret))
    }

    /// A step of an iterator: the leaves of the item, then whether there was one.
    pub(super) fn iter_next(&mut self, iter: &Val) -> Res<Vec<Value>> {
        with_kind!(self.types.kind(iter.ty), kind => kind.next(self, iter))
    }

    /// A new state, which counts from 0, before these leaves: the iterator over what they stand for.
    fn counted_from_zero(&mut self, leaves: &[Value]) -> Vec<Value> {
        let zero = self.i64(0);
        let mut out = vec![self.state(&[zero])];
        out.extend(leaves);
        out
    }
}

/// True for values whose leaves are all that Python needs to make an object of them.
pub(super) fn is_object(types: &Types, ty: Type) -> bool {
    with_kind!(types.kind(ty), kind => kind.is_object(types))
}

/// The leaves of a type, in order. An error names what has no data model.
pub fn leaves(types: &Types, ty: Type) -> Result<Vec<Ty>, String> {
    let mut out = Vec::new();
    Leaves {
        types,
        out: &mut out,
    }
    .push_type(ty)?;
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
        Leaves {
            types,
            out: &mut flat,
        }
        .push_type(ty)?;
    }
    let mut sig = Signature::new(&flat, &leaves(types, ret)?, raises);
    for (leaf, bytes) in extents {
        sig.params[leaf].extent = bytes;
    }
    Ok(sig)
}
