//! The calling convention of [`crate::Code::Native`] bodies.
//!
//! `args` of a symbol has one described value for each parameter of the call's signature (`numbra_abi::KindWord` says how,
//! [`kind_word`] which). The result is a status of `numbra_abi::status`; when it is `RAISED` an exception is pending and `ret` is
//! untouched. Times are elements that only [`crate::Takes::Ordered`] and [`crate::Takes::Any`] bodies take, bytes such that only
//! the latter take.
//!
//! A scalar's `data` points to its memory form. An array's points to its leaves as 8-byte words: data pointer, owner
//! reference, shape, strides (`numbra_abi::ArrayLayout`). A tuple's points to an array of `numbra_value`, a slice's to start,
//! stop and step as `int64`, a string's to its leaves (`numbra_abi::TextLayout`). `*args` are one tuple.
//! A polynomial is a tuple of its three arrays, only as a result. A record or char sequence is an array of bytes without axes.
//! A list's points to words: the address of the list (`numbra_abi::LIST`), then [`item_kinds`]; a result list of arrays or strings is written as that
//! address, an owned reference. A `Generator`'s points to the address of its `bitgen_t`. `bytes` are an array of them; an
//! optional argument is what it holds, or `None`.
//! Arguments are borrowed. A result is written through `ret->data`; a result array's owner is an owned reference, which a native function
//! gets from `numbra_rt_alloc` or by retaining an argument's owner. A tuple is written item by item.
//!
//! Symbols are `numbra_np_*` (`numbra_abi::NATIVE_BODY_PREFIX`): a row names one, whose doc is its, and a module of the runtime has it
//! in its table of bodies.

use numbra_abi::{Kind, KindWord, Order, Tag};
use numbra_ir::{Layout, Scalar, Storage, Type, TypeKind, Types};

/// Bodies that operations of the compiler need beside the rows that name them.
pub mod bodies {
    /// `(things) -> array`: an array of nested sequences.
    pub const ARRAY: &str = "numbra_np_array";
    /// `(array, index, value)`: `array[index] = value`.
    pub const SET_INDEX: &str = "numbra_np_set_index";
    /// `(text, characters or none) -> (start, end)`: how much is cut off at both ends if these characters, or blanks, are.
    pub const TEXT_AMONG: &str = "numbra_np_str_among";
    /// `(number or text, specification or none) -> text`: `format(x, spec)`.
    pub const TEXT_FORMAT: &str = "numbra_np_str_format";
    /// As `TEXT_FORMAT`, of a truth value.
    pub const TEXT_FORMAT_BOOL: &str = "numbra_np_str_format_bool";
    /// As `TEXT_FORMAT`, of a number that `%` writes: floats as integers where those are asked for.
    pub const TEXT_PERCENT: &str = "numbra_np_str_percent";
    /// As `TEXT_FORMAT`, of the character with a number.
    pub const TEXT_CHARACTER: &str = "numbra_np_str_percent_character";
    /// `(bool) -> text`
    pub const TEXT_OF_BOOL: &str = "numbra_np_str_of_bool";
    /// `(float32 or complex64) -> text`
    pub const TEXT_OF_NARROW: &str = "numbra_np_str_of_narrow_number";
    /// `(number) -> text`
    pub const TEXT_OF_NUMBER: &str = "numbra_np_str_of_number";
    /// How the symbols of all bodies that work on text begin.
    pub const TEXT_PREFIX: &str = "numbra_np_str_";
    /// `() -> text`: what has been printed since `print_begin`.
    pub const TEXT_PRINTED: &str = "numbra_np_str_printed";
    /// `(*texts) -> text`: all texts, one after another.
    pub const TEXT_JOINED: &str = "numbra_np_str_joined";
}

/// The kind words of what a list holds, from its items on inwards; none for numbers and tuples of these.
pub fn item_kinds(types: &Types, list: Type) -> Vec<KindWord> {
    let mut kinds = Vec::new();
    let mut at = list;
    while let Some((dtype, _)) = types.as_list(at)
        && types.as_scalar(dtype).is_none()
        && types.tuple_items(dtype).is_none()
    {
        kinds.extend(kind_word(types, dtype));
        at = dtype;
    }
    kinds
}

/// True for types whose elements are no numbers and that [`crate::Takes::Any`] bodies only take.
pub fn moves_only(types: &Types, ty: Type) -> bool {
    if let Some(items) = types.tuple_items(ty) {
        return items.iter().any(|item| moves_only(types, *item));
    }
    let element = types.as_array(ty).map_or(ty, |array| array.dtype);
    types.as_scalar(element).is_none() && types.element(element).is_some()
}

/// True for dates and durations, and arrays of them.
pub fn is_of_times(types: &Types, ty: Type) -> bool {
    let element = types.as_array(ty).map_or(ty, |array| array.dtype);
    types.as_time(element).is_some()
}

/// The element that a number is; none for those that only kernels know.
pub fn element(scalar: Scalar) -> Option<Kind> {
    Some(match scalar {
        Scalar::Bool => Kind::Bool,
        Scalar::Int8 => Kind::Int8,
        Scalar::Int16 => Kind::Int16,
        Scalar::Int32 => Kind::Int32,
        Scalar::Int64 => Kind::Int64,
        Scalar::UInt8 => Kind::UInt8,
        Scalar::UInt16 => Kind::UInt16,
        Scalar::UInt32 => Kind::UInt32,
        Scalar::UInt64 => Kind::UInt64,
        Scalar::Float16 => Kind::Float16,
        Scalar::Float32 => Kind::Float32,
        Scalar::Float64 => Kind::Float64,
        Scalar::Complex64 => Kind::Complex64,
        Scalar::Complex128 => Kind::Complex128,
        Scalar::BFloat16 => return None,
    })
}

/// The element that a stored value is: a number, a time, or bytes.
fn stored(types: &Types, ty: Type) -> Option<Option<Kind>> {
    match types.as_scalar(ty) {
        Some(scalar) => Some(element(scalar)),
        None if types.as_time(ty).is_some() => Some(Some(Kind::Time)),
        None => Some(match types.element(ty)? {
            Storage::Bytes(size) => Some(Kind::Bytes(size)),
            Storage::Scalar(scalar) => element(scalar),
        }),
    }
}

/// The kind word of a value of this type; `None` if native bodies do not take it.
pub fn kind_word(types: &Types, ty: Type) -> Option<KindWord> {
    let plain = |tag: Tag| KindWord::new(tag, None);
    if types.as_scalar(ty).is_some() || types.as_time(ty).is_some() {
        return Some(KindWord::new(Tag::Scalar, stored(types, ty)?));
    }
    if types.as_record(ty).is_some() || types.as_char_seq(ty).is_some() {
        return Some(KindWord::new(Tag::Array, stored(types, ty)?));
    }
    if let Some(items) = types.parts(ty) {
        let length = u32::try_from(items.len()).ok()?;
        return Some(plain(Tag::Tuple).with_length(length));
    }
    match types.kind(ty) {
        TypeKind::Array(array) => {
            let order = match array.layout {
                Layout::C => Order::C,
                Layout::F => Order::Fortran,
                Layout::A => Order::Any,
            };
            let word = KindWord::new(Tag::Array, stored(types, array.dtype)?);
            Some(word.with_axes(array.ndim, order))
        }
        TypeKind::None | TypeKind::Omitted(_) => Some(plain(Tag::Nothing)),
        TypeKind::Slice2 | TypeKind::Slice3 => Some(plain(Tag::Slice)),
        TypeKind::List { dtype, .. } => {
            let flat = match types.uniform_tuple(*dtype) {
                Some((item, n)) => types.as_scalar(item).map(|s| (s, n)),
                None => types.as_scalar(*dtype).map(|s| (s, 0)),
            };
            match flat {
                Some((scalar, n)) => Some(KindWord::new(Tag::List, element(scalar)).with_length(n)),
                None => {
                    let nested = types.as_list(*dtype).is_some()
                        || types.as_array(*dtype).is_some()
                        || matches!(*dtype, Type::UNICODE | Type::BYTES)
                        || types.as_char_seq(*dtype).is_some();
                    (nested && kind_word(types, *dtype).is_some()).then_some(plain(Tag::List))
                }
            }
        }
        TypeKind::Ellipsis => Some(plain(Tag::Ellipsis)),
        TypeKind::RandomGenerator => Some(plain(Tag::Generator)),
        TypeKind::Unicode => Some(plain(Tag::Text)),
        TypeKind::Bytes => {
            Some(KindWord::new(Tag::Array, Some(Kind::UInt8)).with_axes(1, Order::C))
        }
        _ => crate::named_dtype(types, ty)
            .and_then(|item| types.as_scalar(item))
            .map(|scalar| KindWord::new(Tag::Nothing, element(scalar))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_the_numbers_in_their_order() {
        let elements = Scalar::ALL.into_iter().filter_map(element);
        let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Time);
        assert!(elements.eq(kinds));
    }
}
