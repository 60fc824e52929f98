//! `print`. Pieces of one call gather in the thread's buffer, which goes out at a newline.

use crate::repr::{complex_str, float_repr};
use std::cell::RefCell;
use std::io::Write;
use std::sync::{PoisonError, RwLock};

/// Where lines go. Called without any lock of this module held.
type Hook = fn(&str);

/// The `str` of a value, or its `repr` inside another: text of its type, address of its leaves.
type ValueHook = fn(&str, *const [u64; 2], inside: bool) -> Option<String>;

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);
static VALUE_HOOK: RwLock<Option<ValueHook>> = RwLock::new(None);

/// A buffer longer than this goes out without waiting for a newline.
const MAX_BUFFER: usize = 1 << 16;

thread_local! {
    static BUFFER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sends printed text to `hook` (Python's `sys.stdout`), or with `None` to standard output.
pub fn set_print_hook(hook: Option<Hook>) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// Has `hook` write the values that only Python can, such as arrays.
pub fn set_print_value_hook(hook: Option<ValueHook>) {
    *VALUE_HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// Sends what this thread has gathered.
pub fn flush_print() {
    let text = BUFFER.try_with(|buffer| buffer.take()).unwrap_or_default();
    if text.is_empty() {
        return;
    }
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    match hook {
        Some(hook) => hook(&text),
        None => {
            // A closed output is no reason to stop a computation.
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
    }
}

pub(crate) fn gather(text: &str) {
    let full = BUFFER.try_with(|buffer| {
        let mut buffer = buffer.borrow_mut();
        buffer.push_str(text);
        buffer.ends_with('\n') || buffer.len() > MAX_BUFFER
    });
    if full.unwrap_or(false) {
        flush_print();
    }
}

/// `print_str(data, length, kind)`: `length` characters of `kind` bytes each.
///
/// # Safety
/// `data` points to `length * kind` bytes.
pub(crate) unsafe extern "C" fn numbra_rt_print_str(data: *const u8, length: i64, kind: i32) {
    /// Characters that are decoded at once: a long string takes no memory of its length.
    const PIECE: i64 = 4096;
    let width = i64::from(kind);
    for at in (0..length).step_by(PIECE as usize) {
        let piece = data.wrapping_offset((at * width) as isize);
        // SAFETY: the caller's promise is the same for a part of the characters.
        gather(&unsafe { text(piece, PIECE.min(length - at), kind) });
    }
}

/// Characters of 1, 2 or 4 bytes each.
///
/// # Safety
/// `length` characters of `kind` bytes are at `data`, or one of the three is 0.
pub(crate) unsafe fn text(data: *const u8, length: i64, kind: i32) -> String {
    let length = usize::try_from(length).unwrap_or(0);
    let width = match kind {
        1 | 2 | 4 => kind as usize,
        _ => return String::new(),
    };
    if data.is_null() || length == 0 {
        return String::new();
    }
    // SAFETY: the caller says that so many bytes are there.
    let bytes = unsafe { std::slice::from_raw_parts(data, length * width) };
    bytes
        .chunks_exact(width)
        .map(|unit| {
            let code = unit
                .iter()
                .rev()
                .fold(0, |code, &b| code << 8 | u32::from(b));
            // A lone surrogate has no UTF-8.
            char::from_u32(code).unwrap_or('?')
        })
        .collect()
}

pub(crate) extern "C" fn numbra_rt_print_i64(x: i64) {
    gather(&x.to_string());
}

pub(crate) extern "C" fn numbra_rt_print_u64(x: u64) {
    gather(&x.to_string());
}

pub(crate) extern "C" fn numbra_rt_print_f64(x: f64) {
    gather(&float_repr(x));
}

pub(crate) extern "C" fn numbra_rt_print_bool(x: i8) {
    gather(if x != 0 { "True" } else { "False" });
}

pub(crate) extern "C" fn numbra_rt_print_complex(re: f64, im: f64) {
    gather(&complex_str(re, im));
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
    match hook.and_then(|hook| hook(&ty, leaves, inside != 0)) {
        Some(text) => gather(&text),
        None => gather(&format!("<{ty}>")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static SEEN: Mutex<String> = Mutex::new(String::new());

    fn keep(text: &str) {
        SEEN.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_str(text);
    }

    #[test]
    fn lines_go_out_whole() {
        set_print_hook(Some(keep));
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
        assert_eq!(SEEN.lock().map(|s| s.clone()).ok(), Some(String::new()));
        print(&[10, 0, 0, 0], 1, 4);
        set_print_hook(None);
        assert_eq!(
            SEEN.lock().map(|s| s.clone()).ok().as_deref(),
            Some("-3 1e+16 True \u{3b1}\n")
        );
    }
}
