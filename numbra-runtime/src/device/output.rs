//! What kernels print: gathered while threads run on their small stacks, and written from the launch's own.

use std::cell::RefCell;
use std::ffi::CStr;
use std::fmt::Write as _;

thread_local! {
    static OUTPUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What this thread of the operating system has gathered.
pub(super) fn take() -> String {
    OUTPUT.with_borrow_mut(std::mem::take)
}

/// Writes text to where `print` does.
pub(super) fn write(text: &str) {
    if !text.is_empty() {
        crate::print::gather(text);
        crate::print::flush_print();
    }
}

/// Adds what C's `vprintf` writes, for the conversions of lowering: `%lld`, `%llu`, `%f`, `%+f`, `%s`, `%%`. Returns the
/// number of arguments.
///
/// # Safety
/// `format` is a C string; `arguments` has eight bytes for each of its conversions, and those of `%s` are C strings.
pub(super) unsafe fn print(format: *const std::ffi::c_char, arguments: *const u64) -> i32 {
    // SAFETY: the caller says so.
    let format = unsafe { CStr::from_ptr(format) }.to_string_lossy();
    let mut count = 0;
    let mut next = || {
        // SAFETY: the caller says that there is a word for each conversion.
        let word = unsafe { arguments.add(count).read_unaligned() };
        count += 1;
        word
    };
    OUTPUT.with_borrow_mut(|out| {
        let mut rest = &*format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let conversion = &rest[at..];
            let known = ["%lld", "%llu", "%+f", "%f", "%s", "%%"];
            let Some(&found) = known.iter().find(|known| conversion.starts_with(**known)) else {
                out.push('%');
                rest = &conversion[1..];
                continue;
            };
            rest = &conversion[found.len()..];
            // Writing to a string never fails.
            let _ = match found {
                "%lld" => write!(out, "{}", next() as i64),
                "%llu" => write!(out, "{}", next()),
                "%f" => write_float(out, f64::from_bits(next()), false),
                "%+f" => write_float(out, f64::from_bits(next()), true),
                "%s" => {
                    let at = next() as *const std::ffi::c_char;
                    // SAFETY: the caller says that it is a C string.
                    let text = unsafe { CStr::from_ptr(at) };
                    out.push_str(&text.to_string_lossy());
                    Ok(())
                }
                _ => {
                    out.push('%');
                    Ok(())
                }
            };
        }
        out.push_str(rest);
    });
    count as i32
}

/// As `%f` of C.
fn write_float(out: &mut String, x: f64, sign: bool) -> std::fmt::Result {
    if sign && !x.is_sign_negative() {
        out.push('+');
    }
    if x.is_nan() {
        out.push_str(if x.is_sign_negative() { "-nan" } else { "nan" });
        Ok(())
    } else if x.is_infinite() {
        out.push_str(if x < 0.0 { "-inf" } else { "inf" });
        Ok(())
    } else {
        write!(out, "{x:.6}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_those_of_c() {
        let text = c"yes";
        let words = [
            (-3_i64) as u64,
            u64::MAX,
            1.5_f64.to_bits(),
            (-0.0_f64).to_bits(),
            f64::INFINITY.to_bits(),
            text.as_ptr() as u64,
        ];
        // SAFETY: a word for each conversion.
        let count = unsafe { print(c"%lld %llu (%f%+fj) %f %s 100%%\n".as_ptr(), words.as_ptr()) };
        assert_eq!(count, 6);
        let out = OUTPUT.with_borrow_mut(std::mem::take);
        assert_eq!(
            out,
            "-3 18446744073709551615 (1.500000-0.000000j) inf yes 100%\n"
        );
    }
}
