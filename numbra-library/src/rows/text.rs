//! Methods of strings, bytes and char sequences.

use crate::row_macro::{native, rule};
use crate::rules::text;
use crate::{Effects, Op, Targets, TypePattern as P};

/// The characters to strip: `None` for blanks.
const CHARS: P = P::OneOf(&[P::AnyText, P::None]);

library! {
    /// True if all characters are below 128.
    method str.isascii(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], text::to_bool, "numbra_np_str_isascii")],
    }
    /// True if there are letters, none of which is lower case.
    method str.isupper(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], text::to_bool, "numbra_np_str_isupper")],
    }
    /// True if there are letters, none of which is upper case.
    method str.islower(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], text::to_bool, "numbra_np_str_islower")],
    }
    /// Position of the first `sub`, -1 if there is none.
    method str.find(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_position, "numbra_np_str_find")],
    }
    /// Position of the last `sub`, -1 if there is none.
    method str.rfind(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_position, "numbra_np_str_rfind")],
    }
    /// True if `s` starts with `prefix`.
    method str.startswith(s, prefix) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_bool, "numbra_np_str_startswith")],
    }
    /// True if `s` ends with `suffix`.
    method str.endswith(s, suffix) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_bool, "numbra_np_str_endswith")],
    }
    /// Without the given characters, by default blanks, at both ends.
    method str.strip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], text::strip, Op::TextStrip(true, true))],
    }
    /// Without the given characters, by default blanks, at the start.
    method str.lstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], text::strip, Op::TextStrip(true, false))],
    }
    /// Without the given characters, by default blanks, at the end.
    method str.rstrip(s, chars = None) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::AnyText, CHARS], text::strip, Op::TextStrip(false, true))],
    }
}
