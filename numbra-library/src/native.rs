//! The calling convention of [`crate::Code::Native`] bodies.
//!
//! Every symbol has one C signature:
//!
//! ```c
//! struct numbra_value { uint64_t kind; void *data; };
//! int32_t symbol(const struct numbra_value *args, const struct numbra_value *ret);
//! ```
//!
//! `args` has one entry for each parameter of the call's signature. The result is a status of `numbra_abi::status`; when it
//! is `RAISED` an exception is pending and `ret` is untouched. `kind` says what `data` points to ([`kind_word`]):
//!
//! - bits 0-7, the tag: 0 nothing (`none`, dtypes: `data` is null), 1 scalar, 2 array, 3 tuple, 4 slice, 5 ellipsis, 6 string,
//!   7 list, 8 `Generator` of NumPy;
//! - bits 8-15, the element: position in `Scalar::ALL` of a scalar, the elements of an array or of a list's items, or a dtype; one more
//!   for times, which [`crate::Takes::Ordered`] and [`crate::Takes::Any`] bodies take, and two more for elements that are so many bytes
//!   (bits 32-63), which only the latter take; 255 if there is none;
//! - bits 16-23, the rank of an array;
//! - bits 24-30, the layout of an array: 0 C, 1 F, 2 A;
//! - bit 31 ([`THREADS`]) of a result: the body may use several threads;
//! - bits 32-63, the length of a tuple; of a list the length of its items if they are tuples of one scalar.
//!
//! A scalar's `data` points to its memory form. An array's points to its leaves as 8-byte words: data pointer, owner
//! reference, shape, strides (`numbra_abi::ArrayLayout`). A tuple's points to an array of `numbra_value`, a slice's to start,
//! stop and step as `int64`, a string's to its leaves (`numbra_abi::TextLayout`). `*args` are one tuple.
//! A polynomial is a tuple of its three arrays, only as a result. A record or char sequence is an array of bytes without axes.
//! A list's points to words: the address of the list (`numbra_abi::LIST`), then [`item_kinds`]; a result list of arrays or strings is written as that
//! address, an owned reference. A `Generator`'s points to the address of its `bitgen_t`.
//! Arguments are borrowed. A result is written through `ret->data`; a result array's owner is an owned reference, which a native function
//! gets from `numbra_rt_alloc` or by retaining an argument's owner. A tuple is written item by item.
//!
//! Symbols are `numbra_np_*` (`numbra_abi::NATIVE_BODY_PREFIX`): a row names one, whose doc is its, and a module of the runtime has it
//! in its table of bodies.

use numbra_ir::{Layout, Scalar, Storage, Type, TypeKind, Types};

/// Bodies that operations of the compiler need beside the rows that name them.
pub mod bodies {
    /// `(things) -> array`: an array of nested sequences.
    pub const ARRAY: &str = "numbra_np_array";
    /// `(array, index, value)`: `array[index] = value`.
    pub const SET_INDEX: &str = "numbra_np_set_index";
    /// `(text, characters) -> (start, end)`: where the text lies that is left without these at both ends.
    pub const TEXT_AMONG: &str = "numbra_np_str_among";
    /// `(text) -> (start, end)`: where the text lies that is left without blanks at both ends.
    pub const TEXT_BLANKS: &str = "numbra_np_str_blanks";
    /// `(*texts) -> text`: all texts, one after another.
    pub const TEXT_JOINED: &str = "numbra_np_str_joined";
}

/// The kind words of what a list holds, from its items on inwards; none for numbers and tuples of these.
pub fn item_kinds(types: &Types, list: Type) -> Vec<u64> {
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

/// Of the kind of a result: the body may use several threads.
pub const THREADS: u64 = 1 << 31;

/// True for dates and durations, and arrays of them.
pub fn is_of_times(types: &Types, ty: Type) -> bool {
    let element = types.as_array(ty).map_or(ty, |array| array.dtype);
    types.as_time(element).is_some()
}

/// The kind word of a value of this type; `None` if native bodies do not take it.
pub fn kind_word(types: &Types, ty: Type) -> Option<u64> {
    const NO_ELEMENT: u64 = 255;
    const TIME: u64 = Scalar::ALL.len() as u64;
    const BYTES: u64 = TIME + 1;
    let element = |scalar: Scalar| {
        Scalar::ALL
            .iter()
            .position(|s| *s == scalar)
            .map_or(NO_ELEMENT, |i| i as u64)
    };
    if let Some(scalar) = types.as_scalar(ty) {
        return Some(1 | element(scalar) << 8);
    }
    // Bits 8-15 and 32-63 of elements.
    let stored = |ty: Type| match types.as_scalar(ty) {
        Some(scalar) => Some(element(scalar) << 8),
        None if types.as_time(ty).is_some() => Some(TIME << 8),
        None => match types.element(ty)? {
            Storage::Bytes(size) => Some(BYTES << 8 | u64::from(size) << 32),
            Storage::Scalar(scalar) => Some(element(scalar) << 8),
        },
    };
    if types.as_record(ty).is_some() || types.as_char_seq(ty).is_some() {
        return stored(ty).map(|word| 2 | word);
    }
    if types.as_time(ty).is_some() {
        return stored(ty).map(|word| 1 | word);
    }
    if let Some(items) = types.parts(ty) {
        return Some(3 | NO_ELEMENT << 8 | (items.len() as u64) << 32);
    }
    match types.kind(ty) {
        TypeKind::Array(array) => {
            let layout = match array.layout {
                Layout::C => 0,
                Layout::F => 1,
                Layout::A => 2,
            };
            let word = stored(array.dtype)?;
            Some(2 | word | u64::from(array.ndim) << 16 | layout << 24)
        }
        TypeKind::None | TypeKind::Omitted(_) => Some(NO_ELEMENT << 8),
        TypeKind::Slice2 | TypeKind::Slice3 => Some(4 | NO_ELEMENT << 8),
        TypeKind::List { dtype, .. } => {
            let flat = match types.uniform_tuple(*dtype) {
                Some((item, n)) => types.as_scalar(item).map(|s| (s, u64::from(n))),
                None => types.as_scalar(*dtype).map(|s| (s, 0)),
            };
            match flat {
                Some((scalar, n)) => Some(7 | element(scalar) << 8 | n << 32),
                None => {
                    let nested = types.as_list(*dtype).is_some()
                        || types.as_array(*dtype).is_some()
                        || *dtype == Type::UNICODE;
                    (nested && kind_word(types, *dtype).is_some()).then_some(7 | NO_ELEMENT << 8)
                }
            }
        }
        TypeKind::Ellipsis => Some(5 | NO_ELEMENT << 8),
        TypeKind::RandomGenerator => Some(8 | NO_ELEMENT << 8),
        TypeKind::Unicode => Some(6 | NO_ELEMENT << 8),
        _ => crate::named_dtype(types, ty)
            .and_then(|item| types.as_scalar(item))
            .map(|scalar| element(scalar) << 8),
    }
}
