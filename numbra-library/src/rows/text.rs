//! Methods of strings, bytes and char sequences.

use crate::row_macro::{native, rule};
use crate::rules::text;
use crate::{Effects, Op, Targets, TypePattern as P};

/// The characters to strip: `None` for blanks.
const CHARS: P = P::OneOf(&[P::AnyText, P::None]);

/// What making a string does.
pub(super) const MAKES: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);

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
    /// True if there are characters, all of them letters.
    method str.isalpha(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_bool, "numbra_np_str_isalpha")],
    }
    /// True if there are characters, all of them decimal digits.
    method str.isdecimal(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_bool, "numbra_np_str_isdecimal")],
    }
    /// True if there are characters, all of them blanks.
    method str.isspace(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText], text::to_bool, "numbra_np_str_isspace")],
    }
    /// True if `repr` writes all characters as they are.
    method str.isprintable(s) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_bool, "numbra_np_str_isprintable")],
    }
    /// With large letters.
    method str.upper(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_text, "numbra_np_str_upper")],
    }
    /// With small letters.
    method str.lower(s) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text], text::to_text, "numbra_np_str_lower")],
    }
    /// Number of places where `sub` stands, apart from each other.
    method str.count(s, sub) {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_position, "numbra_np_str_count")],
    }
    /// As `find`; ValueError if there is none.
    method str.index(s, sub) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_position, "numbra_np_str_index")],
    }
    /// As `rfind`; ValueError if there is none.
    method str.rindex(s, sub) {
        effects: Effects::READ.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[native(&[P::AnyText, P::AnyText], text::to_position, "numbra_np_str_rindex")],
    }
    /// With `new` where `old` stands: in the first `count` places if that is not negative.
    method str.replace(s, old, new, count = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Text, P::Text, P::Int], text::to_text, "numbra_np_str_replace")],
    }
    /// The parts between `sep`, or between blanks: at most `maxsplit` of them and the rest, if that is not negative.
    method str.split(s, sep = None, maxsplit = Int(-1)) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::OneOf(&[P::Text, P::None]), P::Int], text::to_texts, "numbra_np_str_split")],
    }
    /// The strings of a list or tuple, or the characters of a string, with `s` between each two.
    method str.join(s, parts) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::OneOf(&[P::List, P::Tuple, P::Text])], text::join, "numbra_np_str_join")],
    }
    /// At the left of `width` characters, the others `fillchar`.
    method str.ljust(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], text::to_text, "numbra_np_str_ljust")],
    }
    /// At the right of `width` characters, the others `fillchar`.
    method str.rjust(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], text::to_text, "numbra_np_str_rjust")],
    }
    /// In the middle of `width` characters, the others `fillchar`.
    method str.center(s, width, fillchar = Str(" ")) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int, P::Text], text::to_text, "numbra_np_str_center")],
    }
    /// With zeros behind a sign, to `width` characters.
    method str.zfill(s, width) {
        effects: MAKES, targets: Targets::Cpu,
        bodies: &[native(&[P::Text, P::Int], text::to_text, "numbra_np_str_zfill")],
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
