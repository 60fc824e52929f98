//! The thread's error record.

use crate::kept::Kept;
use crate::print::drop_texts;
use numbra_abi::ERROR_RECORD;
use smallvec::SmallVec;
use std::cell::RefCell;

/// Words of run-time arguments that a record holds.
const MAX_ARGS: usize = 64;
const _: () = assert!(ERROR_RECORD.fields[3].size as usize == 8 * MAX_ARGS);

/// An exception that compiled code or the runtime left pending.
#[derive(Debug, Default)]
pub struct PendingError {
    description: Vec<u8>,
    /// Where compiled code keeps the description; 0 for the runtime's own.
    address: usize,
    /// Few have more words than two shapes.
    args: SmallVec<[u64; 8]>,
    line: i64,
    /// Most exceptions are raised where nothing is handled.
    links: Option<Box<Links>>,
}

/// The exceptions that an exception leads to.
#[derive(Debug, Default)]
struct Links {
    /// What was handled when it left handlers, the innermost first. They have no contexts of their own.
    contexts: Vec<Handled>,
    cause: Cause,
}

/// What an exception was raised from.
#[derive(Debug, Default)]
pub enum Cause {
    #[default]
    Unsaid,
    /// `from None`
    None,
    Exception(Box<Handled>),
}

impl PendingError {
    /// JSON: class, arguments as Python literals, types of run-time words, function, file, line.
    pub fn description(&self) -> &[u8] {
        &self.description
    }

    /// Where compiled code keeps the description; 0 for exceptions of the runtime itself.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Run-time argument words, in order.
    pub fn args(&self) -> &[u64] {
        &self.args
    }

    /// Line that raised it; 0 when unknown.
    pub fn line(&self) -> i64 {
        self.line
    }

    /// What was handled when it was raised, then what was handled when that was raised, and so on: they are its no more.
    pub fn take_contexts(&mut self) -> Vec<Handled> {
        let links = self.links.as_mut();
        links.map_or_else(Vec::new, |links| std::mem::take(&mut links.contexts))
    }

    /// What it was raised from, which is said of it no more.
    pub fn take_cause(&mut self) -> Cause {
        let links = self.links.as_mut();
        links.map_or_else(Cause::default, |links| std::mem::take(&mut links.cause))
    }

    /// Where there is no memory for it, the exception has one context less.
    fn add_context(&mut self, mut handled: Handled) -> Option<Handled> {
        let further = handled.error.take_contexts();
        let contexts = &mut self.links.get_or_insert_default().contexts;
        if contexts.try_reserve(1 + further.len()).is_err() {
            return Some(handled);
        }
        contexts.push(handled);
        contexts.extend(further);
        None
    }
}

/// An exception that a handler handles, and what Python keeps of it.
pub struct Handled {
    pub error: PendingError,
    pub kept: Option<Kept>,
}

impl std::fmt::Debug for Handled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.error.fmt(f)
    }
}

thread_local! {
    static PENDING: RefCell<Option<PendingError>> = const { RefCell::new(None) };
}

/// The pending exception of this thread, which is then no longer pending.
pub fn take_error() -> Option<PendingError> {
    PENDING.with_borrow_mut(Option::take)
}

/// True if an exception is pending in this thread.
pub fn is_error_pending() -> bool {
    PENDING.with_borrow(Option::is_some)
}

/// Adds a context to the pending exception of this thread; what is handled goes where there is none.
pub(crate) fn add_context(handled: Handled) {
    // What has no place goes when nothing is borrowed: Python may run then.
    let left = PENDING.with_borrow_mut(|pending| match pending {
        Some(pending) => pending.add_context(handled),
        None => Some(handled),
    });
    drop(left);
}

/// Says what the pending exception of this thread was raised from.
pub(crate) fn set_cause(cause: Cause) {
    // What was said before goes when nothing is borrowed: Python may run then.
    let before = PENDING.with_borrow_mut(|pending| match pending {
        Some(pending) => std::mem::replace(&mut pending.links.get_or_insert_default().cause, cause),
        None => cause,
    });
    drop(before);
}

/// What `look` says about the pending exception of this thread.
pub(crate) fn with_error<R>(look: impl FnOnce(&PendingError) -> R) -> Option<R> {
    PENDING.with_borrow(|pending| pending.as_ref().map(look))
}

/// `raise(description, line)`
///
/// # Safety
/// `description` is null or points to a u64 length and that many bytes.
pub(crate) unsafe extern "C" fn numbra_rt_raise(description: *const u8, line: i64) {
    // SAFETY: the caller's promise is the same; there are no words.
    unsafe { numbra_rt_raise_args(description, line, 0, std::ptr::null()) }
}

/// `raise_args(description, line, count, words)`; at most 64 words are kept.
///
/// # Safety
/// As for [`numbra_rt_raise`]; `words` points to `count` words, or `count` is 0.
pub(crate) unsafe extern "C" fn numbra_rt_raise_args(
    description: *const u8,
    line: i64,
    count: i64,
    words: *const u64,
) {
    let count = usize::try_from(count).unwrap_or(0).min(MAX_ARGS);
    // SAFETY: `words` points to `count` words.
    let words = (0..count).map(|index| unsafe { words.add(index).read_unaligned() });
    drop_texts();
    // SAFETY: the caller says what `description` points to.
    let (address, description) = (description.addr(), unsafe { described(description) });
    // The slot is gone only while the thread ends.
    let before = PENDING.try_with(|pending| {
        let mut pending = pending.borrow_mut();
        // Where a handler left one, as in a loop that raises often, its memory is used again.
        let error = pending.get_or_insert_with(PendingError::default);
        error.description.clear();
        error.description.extend_from_slice(description);
        error.args.clear();
        error.args.extend(words);
        error.address = address;
        error.line = line;
        error.links.take()
    });
    // What they kept goes when nothing is borrowed: Python may run then.
    drop(before);
}

/// # Safety
/// As for [`numbra_rt_raise`]; the text is used while the description is there.
unsafe fn described<'a>(description: *const u8) -> &'a [u8] {
    if description.is_null() {
        return &[];
    }
    // SAFETY: a description starts with its length.
    let len = unsafe { description.cast::<u64>().read_unaligned() } as usize;
    // SAFETY: the text follows the length.
    unsafe { std::slice::from_raw_parts(description.add(8), len) }
}

/// Makes `class(message)` pending. For the runtime itself: `class` and `message` have no control characters but new lines.
pub(crate) fn raise(class: &str, message: &str) {
    raise_with(class, &text_arg(message));
}

/// Makes NumPy's AxisError pending: an axis that an array of so many axes has not. Its message starts with `prefix`.
pub(crate) fn raise_axis(axis: i64, ndim: usize, prefix: Option<&str>) {
    let prefix = prefix.map_or(String::new(), |prefix| format!(",{}", text_arg(prefix)));
    let args = format!("\"{axis}\",\"{ndim}\"{prefix}");
    raise_with(numbra_abi::AXIS_ERROR, &args);
}

/// A text as an argument of an exception: a Python literal in JSON, which knows no control characters.
fn text_arg(text: &str) -> String {
    format!("\"{}\"", escape(&format!("\"{}\"", escape(text))))
}

/// A Python literal without control characters as an argument of an exception.
pub(crate) fn literal_arg(literal: &str) -> String {
    format!("\"{}\"", escape(literal))
}

/// Makes an exception pending. `args` are Python literals as JSON's strings, with commas between.
pub(crate) fn raise_with(class: &str, args: &str) {
    let description = format!(
        "{{\"class\":\"{class}\",\"args\":[{args}],\"words\":[],\"function\":\"\",\"file\":\"\",\"line\":0}}"
    );
    set(PendingError {
        description: description.into_bytes(),
        address: 0,
        args: SmallVec::new(),
        line: 0,
        links: None,
    });
}

/// Backslashes before quotes and backslashes, and in the place of control characters: right for Python, and, of what has no
/// such characters but new lines, for JSON.
fn escape(text: &str) -> String {
    let mut text = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    while let Some(control) = text.chars().find(|c| c.is_control()) {
        text = text.replace(control, &format!("\\x{:02x}", u32::from(control)));
    }
    text
}

/// Makes an exception of another thread pending in this one.
pub fn put_error(error: PendingError) {
    set(error);
}

fn set(error: PendingError) {
    drop_texts();
    // The slot is gone only while the thread ends.
    let _ = PENDING.try_with(|pending| pending.replace(Some(error)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_is_pending() {
        let text = b"{\"class\":\"builtins.IndexError\"}";
        let mut blob = (text.len() as u64).to_le_bytes().to_vec();
        blob.extend_from_slice(text);
        raise("builtins.ValueError", "first");
        let words = [3, 4];
        // SAFETY: the blob is a description, and there are two words.
        unsafe { numbra_rt_raise_args(blob.as_ptr(), 7, 2, words.as_ptr()) };
        assert!(is_error_pending());
        let error = take_error().expect("one is pending");
        assert_eq!(error.description(), text);
        assert_eq!((error.args(), error.line()), (&words[..], 7));
        assert!(!is_error_pending());
    }

    #[test]
    fn messages_are_python_literals_in_json() {
        raise("builtins.ValueError", "'axis' is \"bad\"");
        let error = take_error().expect("one is pending");
        assert_eq!(
            String::from_utf8_lossy(error.description()),
            r#"{"class":"builtins.ValueError","args":["\"'axis' is \\\"bad\\\"\""],"words":[],"function":"","file":"","line":0}"#
        );
        raise_axis(-3, 2, Some("axis1"));
        let error = take_error().expect("one is pending");
        assert_eq!(
            String::from_utf8_lossy(error.description()),
            r#"{"class":"numpy.exceptions.AxisError","args":["-3","2","\"axis1\""],"words":[],"function":"","file":"","line":0}"#
        );
    }
}
