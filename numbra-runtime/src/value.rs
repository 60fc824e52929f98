//! Arguments and results of native bodies: the convention is documented in `numbra_abi::KindWord` and `numbra_library::native`.

use crate::array::{Axes, View, axes_of, c_strides, per_axis};
use crate::elements::{Element, Kind, Wide, with_element};
use crate::error::{raise, raise_axis, raise_with};
use crate::list::{self, List};
use crate::object::{self, Header};
use crate::parallel::Threads;
use crate::random::BitGenerator;
use crate::stack::with_room;
use crate::strided::{Owned, copy, run_of, to_vec};
use crate::text::Text;
use numbra_abi::{ArrayLayout, KindWord, Tag, TextLayout, ValueLayout, status};
use numbra_memory::{Gather, filled, gathered_or, is_refusal, room};
use smallvec::smallvec;
use std::borrow::Cow;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `struct numbra_value`
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawValue {
    pub(crate) kind: KindWord,
    pub(crate) data: *mut u8,
}

const _: () = assert!(size_of::<RawValue>() == ValueLayout::SIZE);
const _: () = assert!(std::mem::offset_of!(RawValue, data) == ValueLayout::DATA);

impl RawValue {
    /// Of a result: whether its body may use several threads.
    pub(crate) fn threads(&self) -> Threads {
        match self.kind.has_threads() {
            false => Threads::One,
            true => Threads::Many,
        }
    }

    /// The type of a scalar or of an array's elements.
    pub(crate) fn element(&self) -> Option<Kind> {
        self.kind.element()
    }

    /// The number of axes of an array.
    pub(crate) fn array_rank(&self) -> Option<u32> {
        let is_array = self.kind.tag() == Some(Tag::Array);
        is_array.then_some(self.kind.ndim() as u32)
    }

    /// A string.
    ///
    /// # Safety
    /// The value is one of the convention, for which the caller keeps what it points to while the text is used.
    pub(crate) unsafe fn as_text(&self) -> Option<Text> {
        if self.kind.tag() != Some(Tag::Text) {
            return None;
        }
        // SAFETY: a string's data is its leaves.
        Some(unsafe { text_at(self.data) })
    }

    /// The strings of a list of such.
    ///
    /// # Safety
    /// As for [`RawValue::as_text`].
    pub(crate) unsafe fn as_texts(&self) -> Option<impl ExactSizeIterator<Item = Text> + Clone> {
        if self.kind.tag() != Some(Tag::List) || self.element().is_some() {
            return None;
        }
        // SAFETY: the value is a list.
        let kind = unsafe { self.item_kind() };
        if kind.tag() != Some(Tag::Text) {
            return None;
        }
        // SAFETY: the first word is the address of the list.
        let address = unsafe { self.data.cast::<u64>().read_unaligned() };
        let list = std::ptr::with_exposed_provenance::<List>(address as usize);
        // SAFETY: the list is borrowed from the caller for this call.
        let list = unsafe { &*list };
        Some((0..list.len()).map(|index| {
            // SAFETY: the items are the leaves of strings.
            unsafe { text_at(list.item(index)) }
        }))
    }

    /// The kind of the items of a list.
    ///
    /// # Safety
    /// The value is a list: the kinds of its items and of what they hold follow its address.
    unsafe fn item_kind(&self) -> KindWord {
        // SAFETY: the caller's promise.
        unsafe { self.kinds().read_unaligned() }
    }

    /// Where the kinds of the items of a list and of what they hold are.
    fn kinds(&self) -> *const KindWord {
        self.data.cast::<KindWord>().wrapping_add(1)
    }
}

/// The string whose leaves are at an address.
///
/// # Safety
/// They are, and the caller keeps what they point to.
#[inline(always)]
unsafe fn text_at(leaves: *const u8) -> Text {
    let word = |i: usize| {
        // SAFETY: by contract.
        unsafe { leaves.cast::<u64>().add(i).read_unaligned() }
    };
    let data = std::ptr::with_exposed_provenance(word(0) as usize);
    let owner = std::ptr::with_exposed_provenance_mut(word(TextLayout::OWNER / 8) as usize);
    // SAFETY: so many characters are at `data`, which the caller keeps.
    unsafe { Text::new(data, word(1) as i64, word(2) as i32, owner) }
}

/// An argument.
#[derive(Clone, Debug)]
pub(crate) enum Arg {
    /// `None`, a dtype.
    Nothing,
    Scalar(Wide),
    /// An array and who owns its memory.
    Array(View, *mut Header),
    Tuple(Vec<Arg>),
    /// Start, stop and step.
    Slice([i64; 3]),
    Ellipsis,
    Text(Text),
    /// The bits of a NumPy `Generator`.
    Generator(BitGenerator),
}

/// Where the result goes.
#[derive(Clone, Copy)]
pub(crate) struct Ret {
    raw: RawValue,
}

/// Why a native body raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// Class and message.
    Error(&'static str, Cow<'static, str>),
    /// Class, and arguments as [`raise_with`] takes them.
    Literals(&'static str, String),
    /// NumPy's AxisError: an axis that an array of so many axes has not. Its message starts with `prefix`.
    Axis {
        axis: i64,
        ndim: usize,
        prefix: Option<&'static str>,
    },
}

impl Failure {
    pub(crate) fn new(class: &'static str, message: impl Into<Cow<'static, str>>) -> Failure {
        Failure::Error(class, message.into())
    }

    /// Makes it the thread's pending exception.
    pub(crate) fn raise(self) {
        match self {
            Failure::Error(class, message) => raise(class, &message),
            Failure::Literals(class, args) => raise_with(class, &args),
            Failure::Axis { axis, ndim, prefix } => raise_axis(axis, ndim, prefix),
        }
    }
}

pub(crate) fn value_error(message: impl Into<Cow<'static, str>>) -> Failure {
    Failure::new("builtins.ValueError", message)
}

pub(crate) fn index_error(message: impl Into<Cow<'static, str>>) -> Failure {
    Failure::new("builtins.IndexError", message)
}

pub(crate) fn linalg_error(message: impl Into<Cow<'static, str>>) -> Failure {
    Failure::new("numpy.linalg.LinAlgError", message)
}

pub(crate) fn type_error(message: impl Into<Cow<'static, str>>) -> Failure {
    Failure::new("builtins.TypeError", message)
}

/// What only a caller with the wrong signature meets.
pub(crate) fn bad_call() -> Failure {
    let message = "bad arguments of a native function";
    Failure::new("builtins.SystemError", message)
}

pub(crate) fn no_memory() -> Failure {
    Failure::new("builtins.MemoryError", "Allocation failed")
}

/// An integer where only one of `int64` has a meaning.
pub(crate) fn too_large() -> Failure {
    let message = "Python int too large to convert to C ssize_t";
    Failure::new("builtins.OverflowError", message)
}

/// An array whose size in bytes no integer of 64 bits holds.
pub(crate) fn too_big() -> Failure {
    value_error(
        "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
    )
}

/// Bytes of an array, also of a view that repeats its elements: what works with arrays counts elements without a check. As in
/// NumPy, an extent of 0 hides no overflow of the others.
fn checked_bytes(shape: &[usize], kind: Kind) -> Result<i64, Failure> {
    let times = |n: usize, extent: &usize| n.checked_mul((*extent).max(1));
    let bytes = shape.iter().try_fold(kind.size(), times);
    let bytes = bytes.and_then(|n| i64::try_from(n).ok());
    let bytes = bytes.ok_or_else(too_big)?;
    Ok(if shape.contains(&0) { 0 } else { bytes })
}

/// The sum of extents.
pub(crate) fn checked_sum(extents: impl IntoIterator<Item = usize>) -> Result<usize, Failure> {
    let mut extents = extents.into_iter();
    let sum = extents.try_fold(0, |sum: usize, n| sum.checked_add(n));
    let sum = sum.filter(|n| i64::try_from(*n).is_ok());
    sum.ok_or_else(too_big)
}

/// Runs a native body: arguments decoded, a failure or panic made the pending exception.
///
/// # Safety
/// `args` points to `N` values and `ret` to one, as the convention says.
pub(crate) unsafe fn enter<const N: usize>(
    args: *const RawValue,
    ret: *const RawValue,
    body: fn(&[Arg], Ret) -> Result<(), Failure>,
) -> i32 {
    // SAFETY: the caller passes a result.
    let raw = unsafe { ret.read() };
    let ret = Ret { raw };
    ret.own_nothing();
    let run = || {
        let mut decoded = [const { Arg::Nothing }; N];
        for (index, place) in decoded.iter_mut().enumerate() {
            // SAFETY: the caller passes `N` values.
            let raw = unsafe { args.add(index).read() };
            // SAFETY: the value is one of the convention.
            unsafe { decode_to(raw, place) };
        }
        body(&decoded, ret)
    };
    let failure = match with_room(|| catch_unwind(AssertUnwindSafe(run))) {
        Some(Ok(Ok(()))) => return status::OK,
        Some(Ok(Err(failure))) => failure,
        None => no_memory(),
        Some(Err(caught)) if is_refusal(&*caught) => no_memory(),
        Some(Err(_)) => Failure::new("builtins.SystemError", "a native function failed"),
    };
    ret.give_up();
    failure.raise();
    status::RAISED
}

/// Decodes an argument.
///
/// # Safety
/// `raw.data` points to what `raw.kind` says.
unsafe fn decode(raw: RawValue) -> Arg {
    let mut place = Arg::Nothing;
    // SAFETY: the caller's promise is the same.
    unsafe { decode_to(raw, &mut place) };
    place
}

/// Decodes an argument to its place, where that was nothing: arrays are made there, not copied.
///
/// # Safety
/// `raw.data` points to what `raw.kind` says.
unsafe fn decode_to(raw: RawValue, place: &mut Arg) {
    debug_assert!(place.is_nothing(), "a place that holds something");
    *place = match raw.kind.tag() {
        Some(Tag::Array) => {
            if let Some(kind) = raw.kind.element() {
                // SAFETY: an array's data is its leaves.
                let (view, owner) = unsafe { decode_array(raw, kind) };
                // SAFETY: nothing was there that needs to be dropped.
                unsafe { std::ptr::write(place, Arg::Array(view, owner)) };
            }
            return;
        }
        Some(Tag::Scalar) => match raw.kind.element() {
            // As an array without axes: its kind says that it is a time.
            Some(Kind::Time) => Arg::Array(
                View {
                    kind: Kind::Time,
                    data: raw.data,
                    shape: Axes::new(),
                    strides: Axes::new(),
                },
                std::ptr::null_mut(),
            ),
            // SAFETY: a scalar's data is its memory form.
            Some(kind) => Arg::Scalar(with_element!(kind, T => unsafe {
                raw.data.cast::<T>().read_unaligned()
            }
            .wide())),
            None => Arg::Nothing,
        },
        Some(Tag::Tuple) => {
            let len = raw.kind.length() as usize;
            let mut items = filled(len, Arg::Nothing);
            for (index, place) in items.iter_mut().enumerate() {
                // SAFETY: a tuple's data is an array of that many values.
                let item = unsafe { raw.data.cast::<RawValue>().add(index).read() };
                // SAFETY: items are values of the convention.
                unsafe { decode_to(item, place) };
            }
            Arg::Tuple(items)
        }
        Some(Tag::Slice) => {
            let word = |i: usize| {
                // SAFETY: a slice's data is three integers.
                unsafe { raw.data.cast::<i64>().add(i).read_unaligned() }
            };
            Arg::Slice([word(0), word(1), word(2)])
        }
        Some(Tag::Ellipsis) => Arg::Ellipsis,
        // SAFETY: the caller's promise is the same.
        Some(Tag::Text) => unsafe { raw.as_text() }.map_or(Arg::Nothing, Arg::Text),
        // SAFETY: a list's data is what the convention says.
        Some(Tag::List) => unsafe { decode_list(raw) },
        Some(Tag::Generator) => {
            // SAFETY: a generator's data is the address of its `bitgen_t`.
            let address = unsafe { raw.data.cast::<u64>().read_unaligned() };
            let bits = std::ptr::with_exposed_provenance(address as usize);
            // SAFETY: the caller borrows us the generator for this call.
            Arg::Generator(unsafe { BitGenerator::new(bits) })
        }
        Some(Tag::Nothing) | None => Arg::Nothing,
    };
}

/// A list as an argument: items that are numbers are the elements of an array over its memory.
///
/// # Safety
/// `raw.data` points to the words of a list.
unsafe fn decode_list(raw: RawValue) -> Arg {
    // SAFETY: the first word is the address of the list.
    let address = unsafe { raw.data.cast::<u64>().read_unaligned() };
    let list = std::ptr::with_exposed_provenance_mut::<Header>(address as usize);
    // SAFETY: the list is borrowed from the caller for this call.
    let items = unsafe { &*list.cast::<List>() };
    let count = items.len();
    if let Some(kind) = raw.element() {
        let (mut shape, mut strides): (Axes<usize>, Axes<isize>) =
            (smallvec![count], smallvec![items.size() as isize]);
        let width = raw.kind.length() as usize;
        if width > 0 {
            shape.push(width);
            strides.push(kind.size() as isize);
        }
        let data = items.item(0);
        let view = View {
            kind,
            data,
            shape,
            strides,
        };
        // The list may grow and move: results are no views of it.
        return Arg::Array(view, std::ptr::null_mut());
    }
    // SAFETY: the value is a list.
    let kind = unsafe { raw.item_kind() };
    if count == 0 && kind.tag() != Some(Tag::Text) {
        // SAFETY: as above.
        return unsafe { empty(raw.kinds()) };
    }
    let item = |index: usize| {
        let data = items.item(index);
        if kind.tag() != Some(Tag::List) {
            // SAFETY: the items are the leaves of arrays.
            return unsafe { decode(RawValue { kind, data }) };
        }
        let mut inner = vec![0_u64; 2];
        // SAFETY: the items are references to lists.
        inner[0] = unsafe { data.cast::<u64>().read_unaligned() };
        let mut kinds = raw.kinds();
        // SAFETY: kinds follow up to the first that is no list of lists or arrays.
        while holds_more(unsafe { kinds.read_unaligned() }) {
            kinds = kinds.wrapping_add(1);
            // SAFETY: as above.
            let next = unsafe { kinds.read_unaligned() };
            inner.insert(inner.len() - 1, next.bits());
        }
        let data = inner.as_mut_ptr().cast();
        // SAFETY: the words of the inner list.
        unsafe { decode(RawValue { kind, data }) }
    };
    Arg::Tuple((0..count).map(item).gathered())
}

/// True for lists whose items are no numbers: the kind of these follows.
fn holds_more(kind: KindWord) -> bool {
    kind.tag() == Some(Tag::List) && kind.element().is_none()
}

/// An array without elements, of the rank that a list of items of these kinds has.
///
/// # Safety
/// `kinds` points to the kinds of the items of a list and of what they hold.
unsafe fn empty(kinds: *const KindWord) -> Arg {
    let mut ndim = 1;
    let mut at = kinds;
    loop {
        // SAFETY: the last kind is no list of lists or arrays.
        let kind = unsafe { at.read_unaligned() };
        ndim += match kind.tag() {
            Some(Tag::Text) => return Arg::Tuple(Vec::new()),
            Some(Tag::List) => 1 + usize::from(kind.length() != 0),
            _ => kind.ndim(),
        };
        if let Some(kind) = kind.element() {
            let view = View {
                kind,
                data: std::ptr::null_mut(),
                shape: smallvec![0; ndim],
                strides: smallvec![kind.size() as isize; ndim],
            };
            return Arg::Array(view, std::ptr::null_mut());
        }
        at = at.wrapping_add(1);
    }
}

/// # Safety
/// `raw.data` points to the leaves of an array.
#[inline(always)]
unsafe fn decode_array(raw: RawValue, kind: Kind) -> (View, *mut Header) {
    let ndim = raw.kind.ndim();
    let layout = ArrayLayout { ndim: ndim as u32 };
    let word = |leaf: usize| {
        // SAFETY: `leaf` is below the number of leaves of the array.
        unsafe { raw.data.cast::<u64>().add(leaf).read_unaligned() }
    };
    let extent = |axis| usize::try_from(word(layout.shape(axis as u32)) as i64).unwrap_or(0);
    let view = View {
        kind,
        data: std::ptr::with_exposed_provenance_mut(word(ArrayLayout::DATA) as usize),
        shape: per_axis(ndim, extent),
        strides: per_axis(ndim, |axis| word(layout.stride(axis as u32)) as isize),
    };
    let owner = std::ptr::with_exposed_provenance_mut(word(ArrayLayout::OWNER) as usize);
    (view, owner)
}

impl Arg {
    pub(crate) fn array(&self) -> Result<&View, Failure> {
        self.owned_array().map(|(view, _)| view)
    }

    /// An array and who owns it.
    pub(crate) fn owned_array(&self) -> Result<(&View, *mut Header), Failure> {
        match self {
            Arg::Array(view, owner) => Ok((view, *owner)),
            Arg::Nothing
            | Arg::Scalar(_)
            | Arg::Tuple(_)
            | Arg::Slice(_)
            | Arg::Ellipsis
            | Arg::Text(_)
            | Arg::Generator(_) => Err(bad_call()),
        }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        matches!(self, Arg::Nothing)
    }

    pub(crate) fn items(&self) -> Result<&[Arg], Failure> {
        match self {
            Arg::Tuple(items) => Ok(items),
            Arg::Nothing
            | Arg::Scalar(_)
            | Arg::Array(..)
            | Arg::Slice(_)
            | Arg::Ellipsis
            | Arg::Text(_)
            | Arg::Generator(_) => Err(bad_call()),
        }
    }

    pub(crate) fn number(&self) -> Result<Wide, Failure> {
        match self {
            Arg::Scalar(x) => Ok(*x),
            Arg::Nothing
            | Arg::Tuple(_)
            | Arg::Array(..)
            | Arg::Slice(_)
            | Arg::Ellipsis
            | Arg::Text(_)
            | Arg::Generator(_) => Err(bad_call()),
        }
    }

    /// An integer; an unsigned one beyond `int64` is its maximum.
    pub(crate) fn int(&self) -> Result<i64, Failure> {
        match self.number()? {
            Wide::Int(x) => Ok(x),
            Wide::UInt(x) => Ok(i64::try_from(x).unwrap_or(i64::MAX)),
            Wide::Float(_) | Wide::Complex(..) => Err(bad_call()),
        }
    }

    /// An integer; OverflowError of an unsigned one beyond `int64`.
    pub(crate) fn int_checked(&self) -> Result<i64, Failure> {
        match self.number()? {
            Wide::UInt(x) => i64::try_from(x).map_err(|_| too_large()),
            _ => self.int(),
        }
    }

    /// An integer modulo `n`, which is not 0.
    pub(crate) fn remainder(&self, n: usize) -> Result<usize, Failure> {
        match self.number()? {
            Wide::UInt(x) => Ok((x % n as u64) as usize),
            _ => Ok(self.int()?.rem_euclid(n as i64) as usize),
        }
    }

    pub(crate) fn float(&self) -> Result<f64, Failure> {
        Ok(f64::from_wide(self.number()?))
    }

    /// A string.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        Ok(self.characters()?.decoded())
    }

    /// A string, or bytes, as they lie.
    pub(crate) fn characters(&self) -> Result<Text, Failure> {
        match self {
            Arg::Text(text) => Ok(*text),
            Arg::Array(view, owner) => Text::of_bytes(view, *owner).ok_or_else(bad_call),
            _ => Err(bad_call()),
        }
    }

    /// A NumPy `Generator`.
    pub(crate) fn generator(&self) -> Result<BitGenerator, Failure> {
        match self {
            Arg::Generator(bits) => Ok(*bits),
            _ => Err(bad_call()),
        }
    }

    pub(crate) fn flag(&self) -> Result<bool, Failure> {
        Ok(!self.number()?.is_zero())
    }

    /// `None` or an integer.
    pub(crate) fn optional_int(&self) -> Result<Option<i64>, Failure> {
        if self.is_nothing() {
            return Ok(None);
        }
        self.int().map(Some)
    }

    /// Extents or axes: an integer or a tuple of integers.
    pub(crate) fn ints(&self) -> Result<Vec<i64>, Failure> {
        match self {
            Arg::Tuple(items) => gathered_or(items.iter().map(Arg::int)),
            one => Ok(filled(1, one.int()?)),
        }
    }

    /// An axis: `None`, or one that counts from the end when negative; NumPy's AxisError when out of
    /// range.
    pub(crate) fn axis(&self, ndim: usize) -> Result<Option<usize>, Failure> {
        let Some(axis) = self.optional_int()? else {
            return Ok(None);
        };
        axis_in(axis, ndim).map(Some)
    }

    /// The argument as an array: a number is one without axes, a tuple stacks its items. Such arrays are of the widest type
    /// of their kind of number.
    pub(crate) fn like(&self) -> Result<Source<'_>, Failure> {
        match self {
            Arg::Array(view, _) => Ok(Source::Borrowed(view)),
            Arg::Scalar(_) | Arg::Tuple(_) => {
                let (shape, kind) = form(self)?;
                let own = Owned::new(&shape, kind);
                fill(self, &own.view);
                Ok(Source::Own(own))
            }
            Arg::Nothing | Arg::Slice(_) | Arg::Ellipsis | Arg::Text(_) | Arg::Generator(_) => {
                Err(bad_call())
            }
        }
    }
}

/// An axis; NumPy's AxisError when out of range.
pub(crate) fn axis_in(axis: i64, ndim: usize) -> Result<usize, Failure> {
    axis_named(axis, ndim, None)
}

/// As [`axis_in`], with words before the error's message.
pub(crate) fn axis_named(
    axis: i64,
    ndim: usize,
    prefix: Option<&'static str>,
) -> Result<usize, Failure> {
    place_of(axis, ndim).ok_or(Failure::Axis { axis, ndim, prefix })
}

/// Position of an axis or index that counts from the end when negative.
pub(crate) fn place_of(at: i64, n: usize) -> Option<usize> {
    let n = i64::try_from(n).ok()?;
    let from_start = if at < 0 { at.wrapping_add(n) } else { at };
    (0..n).contains(&from_start).then_some(from_start as usize)
}

/// Positions in an array; the error `outside` of an unsigned one beyond `int64`, which does not count from the end.
pub(crate) fn positions(
    at: &View,
    outside: impl Fn(&dyn Display) -> Failure,
) -> Result<Vec<i64>, Failure> {
    if at.kind == Kind::UInt64
        && let Some(beyond) = run_of::<u64>(at)
            .iter()
            .find(|at| i64::try_from(**at).is_err())
    {
        return Err(outside(beyond));
    }
    Ok(to_vec::<i64>(at))
}

/// IndexError of a position on an axis of so many elements.
pub(crate) fn out_of_bounds(at: &dyn Display, axis: usize, n: usize) -> Failure {
    index_error(format!(
        "index {at} is out of bounds for axis {axis} with size {n}"
    ))
}

/// An argument's array: borrowed from the caller, a view of that, or made from numbers.
pub(crate) enum Source<'a> {
    Borrowed(&'a View),
    View(View),
    Own(Owned),
}

impl Source<'_> {
    pub(crate) fn view(&self) -> &View {
        match self {
            Source::Borrowed(view) => view,
            Source::View(view) => view,
            Source::Own(own) => &own.view,
        }
    }
}

/// The widest type of a number's kind.
fn natural(x: Wide) -> Kind {
    match x {
        Wide::Int(_) => Kind::Int64,
        Wide::UInt(_) => Kind::UInt64,
        Wide::Float(_) => Kind::Float64,
        Wide::Complex(..) => Kind::Complex128,
    }
}

/// The common type of two widest ones, as NumPy promotes them.
fn wider(a: Kind, b: Kind) -> Kind {
    if a == b {
        a
    } else if a == Kind::Complex128 || b == Kind::Complex128 {
        Kind::Complex128
    } else {
        Kind::Float64
    }
}

/// Shape and common type of the numbers in an argument.
fn form(arg: &Arg) -> Result<(Axes<usize>, Kind), Failure> {
    match arg {
        Arg::Scalar(x) => Ok((Axes::new(), natural(*x))),
        Arg::Array(view, _) => {
            let widest = match view.kind {
                kept @ (Kind::Time | Kind::Bytes(_)) => kept,
                kind => with_element!(kind, T => natural(T::default().wide())),
            };
            Ok((view.shape.clone(), widest))
        }
        Arg::Tuple(items) => {
            let Some((first, rest)) = items.split_first() else {
                return Ok((smallvec![0], Kind::Float64));
            };
            let (mut shape, mut kind) = form(first)?;
            for item in rest {
                let other = form(item)?;
                if other.0 != shape {
                    return Err(value_error(format!(
                        "incompatible sequence shape: items of shapes {}",
                        crate::numpy::operand_shapes(&[&shape, &other.0])
                    )));
                }
                kind = wider(kind, other.1);
            }
            shape.insert(0, items.len());
            Ok((shape, kind))
        }
        Arg::Nothing | Arg::Slice(_) | Arg::Ellipsis | Arg::Text(_) | Arg::Generator(_) => {
            Err(bad_call())
        }
    }
}

/// Writes the numbers of an argument to an array of its shape.
fn fill(arg: &Arg, to: &View) {
    match arg {
        Arg::Scalar(x) => with_element!(to.kind, T => {
            // SAFETY: the only element of the array.
            unsafe { to.write::<T>(0, T::from_wide(*x)) };
        }),
        Arg::Array(view, _) => copy(view, to),
        Arg::Tuple(items) if to.ndim() == 1 && !matches!(to.kind, Kind::Bytes(_)) => {
            with_element!(to.kind, T => {
                for (i, item) in items.iter().enumerate() {
                    if let Arg::Scalar(x) = item {
                        let at = to.strides[0].wrapping_mul(i as isize);
                        // SAFETY: element `i` of the array, which has one for each item.
                        unsafe { to.write::<T>(at, T::from_wide(*x)) };
                    } else {
                        fill(item, &to.at(0, i));
                    }
                }
            })
        }
        Arg::Tuple(items) => {
            for (i, item) in items.iter().enumerate() {
                fill(item, &to.at(0, i));
            }
        }
        Arg::Nothing | Arg::Slice(_) | Arg::Ellipsis | Arg::Text(_) | Arg::Generator(_) => {}
    }
}

impl Ret {
    /// The result of a call, for what runs in place of its body.
    pub(crate) fn of(raw: RawValue) -> Ret {
        Ret { raw }
    }

    /// Writes that no part of the result owns anything yet.
    fn own_nothing(self) {
        self.each_owner(&mut |owner| *owner = 0);
    }

    /// Releases what a body that fails has already made of the result: nobody reads it.
    fn give_up(self) {
        self.each_owner(&mut |owner| {
            let object = std::ptr::with_exposed_provenance_mut(*owner as usize);
            *owner = 0;
            // SAFETY: null, or what the body wrote together with a reference of the result's.
            unsafe { object::release(object) };
        });
    }

    /// Shows the words of a result that own objects.
    fn each_owner(self, show: &mut dyn FnMut(&mut u64)) {
        let leaf = match self.raw.kind.tag() {
            Some(Tag::Array) => ArrayLayout::OWNER,
            Some(Tag::Text) => TextLayout::OWNER / 8,
            Some(Tag::List) => 0,
            Some(Tag::Tuple) => {
                for i in 0..self.len() {
                    if let Ok(item) = self.item(i) {
                        item.each_owner(show);
                    }
                }
                return;
            }
            _ => return,
        };
        // SAFETY: an array or string result has room for its leaves, a list result for the address of the list.
        let place = unsafe { self.raw.data.cast::<u64>().add(leaf) };
        // SAFETY: as above; any bits are a word.
        let mut word = unsafe { place.read_unaligned() };
        show(&mut word);
        // SAFETY: as above.
        unsafe { place.write_unaligned(word) };
    }

    fn is(self, tag: Tag) -> bool {
        self.raw.kind.tag() == Some(tag)
    }

    /// Whether the body may use several threads.
    pub(crate) fn threads(self) -> Threads {
        self.raw.threads()
    }

    /// Element type of the result.
    pub(crate) fn kind(self) -> Result<Kind, Failure> {
        self.raw.element().ok_or_else(bad_call)
    }

    pub(crate) fn is_array(self) -> bool {
        self.is(Tag::Array)
    }

    /// Number of axes of a result array.
    pub(crate) fn ndim(self) -> usize {
        self.raw.kind.ndim()
    }

    /// Where item `i` of a result tuple goes.
    pub(crate) fn item(self, i: usize) -> Result<Ret, Failure> {
        if !self.is(Tag::Tuple) || i >= self.len() {
            return Err(bad_call());
        }
        // SAFETY: a tuple's data is an array of that many values.
        let raw = unsafe { self.raw.data.cast::<RawValue>().add(i).read() };
        Ok(Ret { raw })
    }

    /// Number of items of a result tuple.
    pub(crate) fn len(self) -> usize {
        self.raw.kind.length() as usize
    }

    /// The result is this view of memory of `owner`.
    pub(crate) fn view(self, view: &View, owner: *mut Header) -> Result<(), Failure> {
        if !self.is_array() || self.ndim() != view.shape.len() || self.kind()? != view.kind {
            return Err(bad_call());
        }
        checked_bytes(&view.shape, view.kind)?;
        // SAFETY: the caller of the native function keeps its arguments, of which `owner` is one, alive.
        unsafe { object::retain(owner) };
        self.write_leaves(view, owner);
        Ok(())
    }

    /// The result is a list of these views of memory of `owner`.
    pub(crate) fn list_of(self, views: &[View], owner: *mut Header) -> Result<(), Failure> {
        if !self.is(Tag::List) {
            return Err(bad_call());
        }
        // SAFETY: the result is a list.
        let kind = unsafe { self.raw.item_kind() };
        if kind.tag() != Some(Tag::Array) || views.iter().any(|v| v.ndim() != kind.ndim()) {
            return Err(bad_call());
        }
        let leaves = ArrayLayout {
            ndim: kind.ndim() as u32,
        };
        let size = 8 * leaves.leaves();
        self.list(views.len(), size, 1 << ArrayLayout::OWNER, |i, item| {
            item.view(&views[i], owner)
        })
    }

    /// The place of the leaves, if the result is a string.
    pub(crate) fn text_place(self) -> Option<*mut u8> {
        self.is(Tag::Text).then_some(self.raw.data)
    }

    /// The place of the leaves, if the result is bytes.
    pub(crate) fn bytes_place(self) -> Option<*mut u8> {
        let is_bytes = self.is_array() && self.raw.element() == Some(Kind::UInt8);
        (is_bytes && self.ndim() == 1).then_some(self.raw.data)
    }

    /// The result is a list of so many items, of which `put` writes each; what has been written is released if it fails.
    fn list(
        self,
        count: usize,
        item_size: usize,
        refs: u64,
        mut put: impl FnMut(usize, Ret) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.is(Tag::List) {
            return Err(bad_call());
        }
        // SAFETY: the result is a list.
        let kind = unsafe { self.raw.item_kind() };
        let object = list::new_list(count, item_size, refs);
        // SAFETY: null, or a list made just now.
        let Some(made) = (unsafe { object.as_mut() }) else {
            return Err(no_memory());
        };
        for i in 0..count {
            let data = made.item(i);
            let raw = RawValue { kind, data };
            if let Err(failure) = put(i, Ret { raw }) {
                // SAFETY: the reference of a list that nobody else knows.
                unsafe { object::release(object.cast()) };
                return Err(failure);
            }
            // SAFETY: item `i` has been written, and there is room for it.
            unsafe { made.set_len(i + 1) };
        }
        let place = self.raw.data.cast::<u64>();
        // SAFETY: a list result has room for the address of the list.
        unsafe { place.write_unaligned(object.expose_provenance() as u64) };
        Ok(())
    }

    /// The result is a list of these strings, or bytes, whose owners may outlive the call.
    pub(crate) fn list_of_texts(self, texts: &[Text]) -> Result<(), Failure> {
        if !self.is(Tag::List) {
            return Err(bad_call());
        }
        // SAFETY: the result is a list.
        let kind = unsafe { self.raw.item_kind() };
        let (size, owner) = match kind.tag() {
            Some(Tag::Array) => (8 * ArrayLayout { ndim: 1 }.leaves(), ArrayLayout::OWNER),
            _ => (TextLayout::SIZE, TextLayout::OWNER / 8),
        };
        self.list(texts.len(), size, 1 << owner, |i, item| texts[i].give(item))
    }

    /// Element type of the arrays of a result list.
    pub(crate) fn item_kind(self) -> Result<Kind, Failure> {
        if !self.is(Tag::List) {
            return Err(bad_call());
        }
        // SAFETY: the result is a list.
        let kind = unsafe { self.raw.item_kind() };
        kind.element().ok_or_else(bad_call)
    }

    /// The result is a list of arrays with one axis, whose elements are of the result's type.
    pub(crate) fn list_of_vectors<T: Element>(self, vectors: &[Vec<T>]) -> Result<(), Failure> {
        let kind = self.item_kind()?;
        let count: usize = vectors.iter().map(Vec::len).sum();
        let bytes = count
            .checked_mul(kind.size())
            .and_then(|n| i64::try_from(n).ok());
        let mut views = room(vectors.len());
        // One block holds the elements of all. Nothing behind it unwinds: it would be lost.
        let owner = object::numbra_rt_alloc_zeroed(bytes.ok_or_else(no_memory)?, 64);
        if owner.is_null() {
            return Err(no_memory());
        }
        let mut at = 0;
        for vector in vectors {
            let shape: Axes<usize> = smallvec![vector.len()];
            let view = View {
                kind,
                data: object::data_of(owner).wrapping_add(at * kind.size()),
                strides: c_strides(&shape, kind.size(), false),
                shape,
            };
            copy(&View::of(vector, &view.shape), &view);
            at += vector.len();
            views.push(view);
        }
        let listed = self.list_of(&views, owner);
        // SAFETY: the block was made just now; the items of the list hold references of their own.
        unsafe { object::release(owner) };
        listed
    }

    /// The result is a copy of this array in the result's element type.
    pub(crate) fn copy_of(self, view: &View) -> Result<(), Failure> {
        let out = self.new_room(&view.shape)?;
        copy(view, &out);
        Ok(())
    }

    /// The result is an array of these elements in C order, in the result's element type.
    pub(crate) fn array<T: Element>(self, shape: &[usize], values: &[T]) -> Result<(), Failure> {
        debug_assert_eq!(shape.iter().product::<usize>(), values.len());
        self.copy_of(&View::of(values, shape))
    }

    /// The result is an array with one axis.
    pub(crate) fn vector<T: Element>(self, values: &[T]) -> Result<(), Failure> {
        self.array(&[values.len()], values)
    }

    /// The result is one number, or an array without axes that holds it.
    pub(crate) fn number(self, value: Wide) -> Result<(), Failure> {
        if !self.is_array() {
            return self.scalar(value);
        }
        let out = self.new_array(&[])?;
        with_element!(out.kind, T => {
            // SAFETY: the only element of the result.
            unsafe { out.write::<T>(0, T::from_wide(value)) };
        });
        Ok(())
    }

    /// Writes a scalar result, converted to its type.
    pub(crate) fn scalar(self, value: Wide) -> Result<(), Failure> {
        if !self.is(Tag::Scalar) {
            return Err(bad_call());
        }
        with_element!(self.kind()?, T => {
            let value = T::from_wide(value);
            // SAFETY: a scalar result has room for its memory form.
            unsafe { self.raw.data.cast::<T>().write_unaligned(value) };
        });
        Ok(())
    }

    /// Writes a truth value.
    pub(crate) fn bool(self, value: bool) -> Result<(), Failure> {
        self.scalar(Wide::Int(value.into()))
    }

    /// A new zeroed array of the result's element type and this shape, in C or Fortran order; it is the result.
    pub(crate) fn new_array(self, shape: &[usize]) -> Result<View, Failure> {
        self.new_array_in(shape, self.is_fortran())
    }

    /// The type of the result says that it is in Fortran order.
    pub(crate) fn is_fortran(self) -> bool {
        self.raw.kind.is_fortran()
    }

    /// As [`Ret::new_array`], in Fortran or C order: for results whose type leaves it open.
    pub(crate) fn new_array_in(self, shape: &[usize], fortran: bool) -> Result<View, Failure> {
        self.allocated(shape, fortran, object::numbra_rt_alloc_zeroed)
    }

    /// As [`Ret::new_array`], for bodies that write every element and read none before.
    pub(crate) fn new_room(self, shape: &[usize]) -> Result<View, Failure> {
        self.allocated(shape, self.is_fortran(), object::numbra_rt_alloc)
    }

    fn allocated(
        self,
        shape: &[usize],
        fortran: bool,
        allocate: extern "C" fn(i64, i64) -> *mut Header,
    ) -> Result<View, Failure> {
        let kind = self.kind()?;
        if !self.is_array() || self.ndim() != shape.len() {
            return Err(bad_call());
        }
        let owner = allocate(checked_bytes(shape, kind)?, 64);
        if owner.is_null() {
            return Err(no_memory());
        }
        let view = View {
            kind,
            data: object::data_of(owner),
            shape: axes_of(shape),
            strides: c_strides(shape, kind.size(), fortran),
        };
        self.write_leaves(&view, owner);
        Ok(view)
    }

    fn write_leaves(self, view: &View, owner: *mut Header) {
        let layout = ArrayLayout {
            ndim: view.shape.len() as u32,
        };
        let put = |leaf: usize, word: u64| {
            // SAFETY: an array result has room for its leaves, and `leaf` is one of them.
            unsafe { self.raw.data.cast::<u64>().add(leaf).write_unaligned(word) };
        };
        put(ArrayLayout::DATA, view.data.expose_provenance() as u64);
        put(ArrayLayout::OWNER, owner.expose_provenance() as u64);
        for (axis, (&extent, &stride)) in view.shape.iter().zip(&view.strides).enumerate() {
            put(layout.shape(axis as u32), extent as u64);
            put(layout.stride(axis as u32), stride as u64);
        }
    }
}
