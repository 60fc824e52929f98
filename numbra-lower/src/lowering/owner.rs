//! Who owns what the leaves of a value point to: one answer for each type, which everything at the Python edge goes by (numbra-py's `convert`, `entry`, `lists`).
//!
//! | owner | types | as an argument | as an item of a container, or an output of object mode |
//! |---|---|---|---|
//! | nobody | numbers, times, `None`, functions, slices, dtypes | nothing to keep | nothing to keep |
//! | the object | arrays, records, `str`, `bytes`, random generators | a header in the wrapper's frame, which names the object | a header on the heap, which holds the object |
//! | the value | lists, sets, buffers, char sequences | an object of its own, which the wrapper releases | the same; the container releases it |
//! | both | generators, dictionaries, typed lists and sets, objects of classes | the object's frame, borrowed | the frame, with a reference more |
//! | the parts | tuples, optionals, polynomials, members of enumerations, values of types that Python code defines | as the parts | as the parts |
//!
//! A header in a frame may not outlive the call: compiled code exchanges it for one on the heap where it stores a
//! reference (`numbra_rt_ref_set`). From leaves to objects, every reference is borrowed: what boxes a value takes
//! references of its own, and who had the leaves releases theirs.

use super::model::{Model, leaves};
use numbra_ir::{Type, Types, with_kind};

/// Who owns what the leaves of a value point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// They point to nothing.
    Nobody,
    /// The Python object: this leaf is a header that names it, and leaf 0 the address of what is owned.
    Object { leaf: usize },
    /// An object that is made of the Python one: this leaf.
    Value { leaf: usize },
    /// The Python object and whoever else has a reference: leaf 0.
    Both,
    /// Each part by itself, one after the other.
    Parts(Vec<Type>),
    /// A truth value, and what follows if it is true.
    Optional(Type),
}

/// The owner of values of a type; `None` for types that no Python object has.
pub fn owner(types: &Types, ty: Type) -> Option<Owner> {
    let is_plain = || leaves(types, ty).is_ok_and(|leaves| leaves.is_empty());
    let owner = with_kind!(types.kind(ty), kind => kind.owner(types));
    owner.or_else(|| is_plain().then_some(Owner::Nobody))
}

/// The containers among the leaves of a value, by position, with their types.
pub fn containers(types: &Types, ty: Type) -> Vec<(usize, Type)> {
    fn walk(types: &Types, ty: Type, at: &mut usize, out: &mut Vec<(usize, Type)>) {
        match owner(types, ty) {
            Some(Owner::Parts(parts)) => {
                for part in parts {
                    walk(types, part, at, out);
                }
                return;
            }
            Some(Owner::Optional(inner)) => {
                *at += 1;
                return walk(types, inner, at, out);
            }
            Some(Owner::Value { .. }) if types.kind(ty).is_container() => out.push((*at, ty)),
            _ => {}
        }
        *at += leaves(types, ty).map_or(0, |leaves| leaves.len());
    }
    let mut out = Vec::new();
    walk(types, ty, &mut 0, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use numbra_lir::Ty;

    /// Every reference among the leaves of a type has an owner by the table, and nothing else has.
    #[test]
    fn owners_are_the_references_among_the_leaves() {
        fn owned(types: &Types, ty: Type) -> Vec<bool> {
            let mut out = vec![false; leaves(types, ty).expect("it has leaves").len()];
            match owner(types, ty).expect("it has an owner") {
                Owner::Nobody => {}
                Owner::Object { leaf } | Owner::Value { leaf } => out[leaf] = true,
                Owner::Both => out[0] = true,
                Owner::Parts(parts) => {
                    out = parts.iter().flat_map(|part| owned(types, *part)).collect();
                }
                Owner::Optional(inner) => {
                    out = vec![false];
                    out.extend(owned(types, inner));
                }
            }
            out
        }
        let types = Types::new();
        for text in [
            "int64",
            "complex64",
            "none",
            "array(float64, 2d, C)",
            "unicode_type",
            "bytes",
            "[char x 3]",
            "[unichr x 3]",
            "reflected list(array(float64, 1d, C))<iv=None>",
            "reflected set(int64)",
            "ListType[unicode_type]",
            "DictType[int64,unicode_type]<iv=None>",
            "Tuple(int64, array(float64, 1d, C), unicode_type)",
            "UniTuple(bytes x 3)",
            "OptionalType(array(float64, 1d, C))",
            "NumPyRandomGeneratorType",
            "slice<a:b>",
            "datetime64[s]",
        ] {
            let ty = types.parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let refs = leaves(&types, ty).expect("it has leaves");
            let refs: Vec<bool> = refs.iter().map(|leaf| *leaf == Ty::Ref).collect();
            assert_eq!(owned(&types, ty), refs, "{text}");
        }
    }
}
