//! `print`. Pieces of one call gather in the thread's buffer, which goes out at a newline.

use crate::error::raise;
use crate::object_mode::PYTHON_EXCEPTION;
use crate::repr::{complex_str, float_repr};
use crate::text::{Text, repr_chars};
use numbra_abi::status;
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::sync::{PoisonError, RwLock};

/// Where lines go, in UTF-8 with lone surrogates as they are. Called without any lock of this module held. False when that
/// raised and the hook keeps the exception, as it may be asked to; else it reports it.
type Hook = fn(text: &[u8], keep: bool) -> bool;

/// The `str` of a value, or its `repr` inside another: text of its type, address of its leaves.
type ValueHook = fn(&str, *const [u64; 2], inside: bool) -> Option<String>;

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);
static VALUE_HOOK: RwLock<Option<ValueHook>> = RwLock::new(None);

/// A buffer longer than this goes out without waiting for a newline.
const MAX_BUFFER: usize = 1 << 16;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The texts that are made of what is printed, the innermost last.
    static TEXTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    /// The hook keeps an exception, which the end of the line raises.
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Sends printed text to `hook` (Python's `sys.stdout`), or with `None` to standard output.
pub fn set_print_hook(hook: Option<Hook>) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// Has `hook` write the values that only Python can, such as arrays.
pub fn set_print_value_hook(hook: Option<ValueHook>) {
    *VALUE_HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// Sends what this thread has gathered; an error there is reported.
pub fn flush_print() {
    send(false);
}

fn send(keep: bool) -> bool {
    let text = BUFFER.try_with(|buffer| buffer.take()).unwrap_or_default();
    if text.is_empty() {
        return true;
    }
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    match hook {
        Some(hook) => hook(&text, keep),
        None => {
            // A closed output is no reason to stop a computation.
            let _ = std::io::stdout().write_all(&text);
            true
        }
    }
}

/// Adds to the buffer; true if it is to go out.
fn put(text: &[u8]) -> bool {
    let full = BUFFER.try_with(|buffer| {
        let mut buffer = buffer.borrow_mut();
        buffer.extend_from_slice(text);
        buffer.ends_with(b"\n") || buffer.len() > MAX_BUFFER
    });
    full.unwrap_or(false)
}

/// Prints where nothing can be raised.
pub(crate) fn gather(text: &str) {
    if put(text.as_bytes()) {
        flush_print();
    }
}

/// A piece of a text that is made, or of a line, whose end raises what goes wrong.
fn piece(text: &[u8]) {
    let is_kept = TEXTS.with_borrow_mut(|texts| {
        let last = texts.last_mut();
        last.map(|last| last.extend_from_slice(text)).is_some()
    });
    if !is_kept && put(text) && !send(true) {
        FAILED.set(true);
    }
}

/// A text begins: what is printed goes to it.
pub(crate) extern "C" fn numbra_rt_print_begin() {
    TEXTS.with_borrow_mut(|texts| texts.push(Vec::new()));
}

/// What has been printed since the text began, in UTF-8 with lone surrogates as they are.
pub(crate) fn printed() -> Vec<u8> {
    TEXTS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Texts that an exception leaves are not made.
pub(crate) fn drop_texts() {
    // The slot is gone only while the thread ends.
    let _ = TEXTS.try_with(|texts| texts.try_borrow_mut().map(|mut texts| texts.clear()));
}

/// `print_repr(data, length, kind)`: as [`numbra_rt_print_str`], as Python writes it in a program.
///
/// # Safety
/// As for [`numbra_rt_print_str`].
pub(crate) unsafe extern "C" fn numbra_rt_print_repr(data: *const u8, length: i64, kind: i32) {
    // SAFETY: the caller's promise is the same.
    let text = unsafe { Text::new(data, length, kind, std::ptr::null_mut()) };
    piece(repr_chars(&text).as_bytes());
}

/// `print_str(data, length, kind)`: `length` characters of `kind` bytes each.
///
/// # Safety
/// `data` points to `length * kind` bytes.
pub(crate) unsafe extern "C" fn numbra_rt_print_str(data: *const u8, length: i64, kind: i32) {
    /// Characters that are decoded at once: a long string takes no memory of its length.
    const PIECE: i64 = 4096;
    let width = i64::from(kind);
    let mut text = Vec::new();
    for at in (0..length).step_by(PIECE as usize) {
        let start = data.wrapping_offset((at * width) as isize);
        text.clear();
        // SAFETY: the caller's promise is the same for a part of the characters.
        for code in unsafe { codes(start, PIECE.min(length - at), kind) } {
            match char::from_u32(code) {
                Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                // As UTF-8 would write it.
                None if code < 0x1_0000 => text.extend_from_slice(&[
                    0xe0 | (code >> 12) as u8,
                    0x80 | (code >> 6 & 0x3f) as u8,
                    0x80 | (code & 0x3f) as u8,
                ]),
                None => text.push(b'?'),
            }
        }
        piece(&text);
    }
}

/// As [`numbra_rt_print_str`], of the last piece of a line, which ends with a newline. A status: what writing raised.
///
/// # Safety
/// As for [`numbra_rt_print_str`].
pub(crate) unsafe extern "C" fn numbra_rt_print_line(
    data: *const u8,
    length: i64,
    kind: i32,
) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { numbra_rt_print_str(data, length, kind) };
    if !FAILED.take() {
        return status::OK;
    }
    raise(PYTHON_EXCEPTION, "");
    status::RAISED
}

/// The numbers of characters of 1, 2 or 4 bytes each; none of other widths.
///
/// # Safety
/// `length` characters of `kind` bytes are at `data`, or one of the three is 0.
unsafe fn codes<'a>(data: *const u8, length: i64, kind: i32) -> impl Iterator<Item = u32> + 'a {
    let width = usize::try_from(kind)
        .ok()
        .filter(|kind| [1, 2, 4].contains(kind));
    let length = usize::try_from(length).ok().filter(|_| !data.is_null());
    let bytes = match (width, length) {
        // SAFETY: the caller says that so many bytes are there.
        (Some(width), Some(length)) => unsafe { std::slice::from_raw_parts(data, length * width) },
        _ => &[],
    };
    bytes.chunks_exact(width.unwrap_or(1)).map(|unit| {
        let bytes = unit.iter().rev();
        bytes.fold(0, |code, &b| code << 8 | u32::from(b))
    })
}

/// Characters of 1, 2 or 4 bytes each.
///
/// # Safety
/// As for [`codes`].
pub(crate) unsafe fn text(data: *const u8, length: i64, kind: i32) -> String {
    // SAFETY: the caller's promise is the same.
    let codes = unsafe { codes(data, length, kind) };
    // A lone surrogate has no UTF-8.
    codes
        .map(|code| char::from_u32(code).unwrap_or('?'))
        .collect()
}

pub(crate) extern "C" fn numbra_rt_print_i64(x: i64) {
    piece(x.to_string().as_bytes());
}

pub(crate) extern "C" fn numbra_rt_print_u64(x: u64) {
    piece(x.to_string().as_bytes());
}

pub(crate) extern "C" fn numbra_rt_print_f64(x: f64) {
    piece(float_repr(x).as_bytes());
}

pub(crate) extern "C" fn numbra_rt_print_bool(x: i8) {
    piece(if x != 0 { b"True" } else { b"False" });
}

pub(crate) extern "C" fn numbra_rt_print_complex(re: f64, im: f64) {
    piece(complex_str(re, im).as_bytes());
}

/// `print_value(inside, type, length, kind, leaves)`. Without a hook the type stands for the value.
///
/// # Safety
/// The type is as for [`numbra_rt_print_str`]; `leaves` are those of a value of it, one every 16 bytes.
pub(crate) unsafe extern "C" fn numbra_rt_print_value(
    inside: i32,
    ty: *const u8,
    length: i64,
    kind: i32,
    leaves: *const [u64; 2],
) {
    // SAFETY: the caller's promise is the same.
    let ty = unsafe { text(ty, length, kind) };
    let hook = *VALUE_HOOK.read().unwrap_or_else(PoisonError::into_inner);
    // Python may run code that prints, and that raises.
    let texts = TEXTS.take();
    let text = hook.and_then(|hook| hook(&ty, leaves, inside != 0));
    TEXTS.set(texts);
    match text {
        Some(text) => piece(text.as_bytes()),
        None => piece(format!("<{ty}>").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static SEEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());

    /// Takes all but what has a `!`.
    fn take(text: &[u8], keep: bool) -> bool {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        seen.extend_from_slice(text);
        !(keep && text.contains(&b'!'))
    }

    #[test]
    fn lines_go_out_whole() {
        set_print_hook(Some(take));
        let seen = || std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner));
        let print = |bytes: &[u8], n, kind| {
            // SAFETY: `n` characters of `kind` bytes are there.
            unsafe { numbra_rt_print_str(bytes.as_ptr(), n, kind) }
        };
        numbra_rt_print_i64(-3);
        print(b" ", 1, 1);
        numbra_rt_print_f64(1e16);
        print(b" ", 1, 1);
        numbra_rt_print_bool(1);
        print(&[0x20, 0, 0xb1, 0x03], 2, 2);
        assert_eq!(seen(), b"");
        print(&[10, 0, 0, 0], 1, 4);
        assert_eq!(seen(), "-3 1e+16 True \u{3b1}\n".as_bytes());
        let end = |bytes: &[u8], n, kind| {
            // SAFETY: as above.
            unsafe { numbra_rt_print_line(bytes.as_ptr(), n, kind) }
        };
        print(&[0x00, 0xd8], 1, 2);
        assert_eq!(end(b"\n", 1, 1), status::OK);
        assert_eq!(seen(), b"\xed\xa0\x80\n", "a lone surrogate");
        print(&[b'!'; MAX_BUFFER + 1], MAX_BUFFER as i64 + 1, 1);
        assert_eq!(end(b"\n", 1, 1), status::RAISED, "of an earlier piece");
        crate::take_error();
        assert_eq!(end(b"\n", 1, 1), status::OK);
        set_print_hook(None);
    }
}
