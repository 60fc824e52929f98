//! What characters are, by Unicode's tables; of bytes only those of ASCII are something.

use super::{Text, flag, one};
use crate::elements::Wide;
use crate::value::{Arg, Failure, Ret};
use unicode_properties::{
    GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory as _,
};

bodies! {
    str_ascii_flag = ascii_flag, 1;
    str_isalnum = is_alnum, 1;
    str_isalpha = is_alpha, 1;
    str_isascii = is_ascii, 1;
    str_isdecimal = is_decimal, 1;
    str_isdigit = is_digit, 1;
    str_isidentifier = is_identifier, 1;
    str_islower = is_lower, 1;
    str_isnumeric = is_numeric, 1;
    str_isprintable = is_printable_text, 1;
    str_isspace = is_space, 1;
    str_istitle = is_title_text, 1;
    str_isupper = is_upper, 1;
}

/// Digits that are not decimal, from the first to the last of each range: Unicode's numeric type `Digit`.
const DIGITS: [(u32, u32); 20] = [
    (0xb2, 0xb3),
    (0xb9, 0xb9),
    (0x1369, 0x1371),
    (0x19da, 0x19da),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247c),
    (0x2488, 0x2490),
    (0x24ea, 0x24ea),
    (0x24f5, 0x24fd),
    (0x24ff, 0x24ff),
    (0x2776, 0x277e),
    (0x2780, 0x2788),
    (0x278a, 0x2792),
    (0x10a40, 0x10a43),
    (0x10e60, 0x10e68),
    (0x11052, 0x1105a),
    (0x1f100, 0x1f10a),
];

/// Letters that are numbers, from the first to the last of each range: `kPrimaryNumeric` and the like of Unihan.
const NUMBERS: [(u32, u32); 82] = [
    (0x3405, 0x3405),
    (0x3483, 0x3483),
    (0x382a, 0x382a),
    (0x3b4d, 0x3b4d),
    (0x4e00, 0x4e00),
    (0x4e03, 0x4e03),
    (0x4e07, 0x4e07),
    (0x4e09, 0x4e09),
    (0x4e24, 0x4e24),
    (0x4e5d, 0x4e5d),
    (0x4e8c, 0x4e8c),
    (0x4e94, 0x4e94),
    (0x4e96, 0x4e96),
    (0x4eac, 0x4eac),
    (0x4ebf, 0x4ec0),
    (0x4edf, 0x4edf),
    (0x4ee8, 0x4ee8),
    (0x4f0d, 0x4f0d),
    (0x4f70, 0x4f70),
    (0x4fe9, 0x4fe9),
    (0x5006, 0x5006),
    (0x5104, 0x5104),
    (0x5146, 0x5146),
    (0x5169, 0x5169),
    (0x516b, 0x516b),
    (0x516d, 0x516d),
    (0x5341, 0x5341),
    (0x5343, 0x5345),
    (0x534c, 0x534c),
    (0x53c1, 0x53c4),
    (0x56db, 0x56db),
    (0x58f1, 0x58f1),
    (0x58f9, 0x58f9),
    (0x5e7a, 0x5e7a),
    (0x5efe, 0x5eff),
    (0x5f0c, 0x5f0e),
    (0x5f10, 0x5f10),
    (0x62d0, 0x62d0),
    (0x62fe, 0x62fe),
    (0x634c, 0x634c),
    (0x67d2, 0x67d2),
    (0x6d1e, 0x6d1e),
    (0x6f06, 0x6f06),
    (0x7396, 0x7396),
    (0x767e, 0x767e),
    (0x7695, 0x7695),
    (0x79ed, 0x79ed),
    (0x8086, 0x8086),
    (0x842c, 0x842c),
    (0x8cae, 0x8cae),
    (0x8cb3, 0x8cb3),
    (0x8d30, 0x8d30),
    (0x920e, 0x920e),
    (0x94a9, 0x94a9),
    (0x9621, 0x9621),
    (0x9646, 0x9646),
    (0x964c, 0x964c),
    (0x9678, 0x9678),
    (0x96f6, 0x96f6),
    (0xf96b, 0xf96b),
    (0xf973, 0xf973),
    (0xf978, 0xf978),
    (0xf9b2, 0xf9b2),
    (0xf9d1, 0xf9d1),
    (0xf9d3, 0xf9d3),
    (0xf9fd, 0xf9fd),
    (0x20001, 0x20001),
    (0x20064, 0x20064),
    (0x200e2, 0x200e2),
    (0x20121, 0x20121),
    (0x2092a, 0x2092a),
    (0x20983, 0x20983),
    (0x2098c, 0x2098c),
    (0x2099c, 0x2099c),
    (0x20aea, 0x20aea),
    (0x20afd, 0x20afd),
    (0x20b19, 0x20b19),
    (0x22390, 0x22390),
    (0x22998, 0x22998),
    (0x23b1b, 0x23b1b),
    (0x2626d, 0x2626d),
    (0x2f890, 0x2f890),
];

fn is_in(ranges: &[(u32, u32)], code: u32) -> bool {
    let at = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(at).is_some_and(|(first, _)| *first <= code)
}

/// A lone surrogate is nothing.
fn known(code: u32, test: impl Fn(char) -> bool) -> bool {
    char::from_u32(code).is_some_and(test)
}

/// What Python's `repr` writes as it is: all but controls, formats, surrogates, what is for private use or not assigned, and
/// blanks other than the space.
pub(super) fn is_printable(code: u32) -> bool {
    known(code, |c| {
        let group = c.general_category_group();
        c == ' ' || !matches!(group, Group::Other | Group::Separator)
    })
}

/// True for the blanks that Python strips and splits at.
pub(super) fn is_blank(code: u32) -> bool {
    match code {
        0..0x80 => matches!(code, 0x09..=0x0d | 0x1c..=0x20),
        _ => known(code, char::is_whitespace),
    }
}

/// True for letters that are large at the front and small behind, as `\u{1c5}`.
pub(super) fn is_title(c: char) -> bool {
    c.general_category() == Category::TitlecaseLetter
}

/// True for letters that are large, small, or both.
pub(super) fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase() || is_title(c)
}

/// The value of a decimal digit.
pub(super) fn decimal_digit(code: u32) -> Option<u32> {
    match code {
        0..0x80 => char::from(code as u8).to_digit(10),
        _ if is_decimal_digit(code) => {
            // Decimal digits stand ten in a row, each row behind what is no such digit or behind another row.
            let mut first = code;
            while is_decimal_digit(first - 1) {
                first -= 1;
            }
            Some((code - first) % 10)
        }
        _ => None,
    }
}

fn is_decimal_digit(code: u32) -> bool {
    known(code, |c| c.general_category() == Category::DecimalNumber)
}

fn is_any_digit(code: u32) -> bool {
    is_decimal_digit(code) || is_in(&DIGITS, code)
}

fn is_number(code: u32) -> bool {
    known(code, |c| c.general_category_group() == Group::Number) || is_in(&NUMBERS, code)
}

fn is_letter(code: u32) -> bool {
    match u8::try_from(code).ok().filter(u8::is_ascii) {
        Some(byte) => byte.is_ascii_alphabetic(),
        None => known(code, |c| c.general_category_group() == Group::Letter),
    }
}

impl Text {
    /// True for a blank of this text.
    pub(super) fn is_blank(&self, code: u32) -> bool {
        match self.is_bytes {
            true => matches!(code, 0x09..=0x0d | 0x20),
            false => is_blank(code),
        }
    }
}

/// True if there are characters and a test holds for all: one for bytes of ASCII, and one for characters.
fn all(
    args: &[Arg],
    ret: Ret,
    byte: impl Fn(&u8) -> bool,
    character: impl Fn(u32) -> bool,
) -> Result<(), Failure> {
    let text = one(args)?;
    let holds = match text
        .bytes()
        .filter(|bytes| text.is_bytes || bytes.is_ascii())
    {
        Some(bytes) => bytes.iter().all(byte),
        None => text.codes().all(character),
    };
    flag(ret, text.len > 0 && holds)
}

/// `(string) -> bool`: letters and digits only.
fn is_alnum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, u8::is_ascii_alphanumeric, |code| {
        is_letter(code) || is_any_digit(code) || is_number(code)
    })
}

/// `(string) -> bool`: letters only.
fn is_alpha(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, u8::is_ascii_alphabetic, is_letter)
}

/// `(string) -> bool`: decimal digits only.
fn is_decimal(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, u8::is_ascii_digit, is_decimal_digit)
}

/// `(string) -> bool`: digits only, also small ones above and below, and such in circles.
fn is_digit(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, u8::is_ascii_digit, is_any_digit)
}

/// `(string) -> bool`: numbers only, also fractions and words for numbers.
fn is_numeric(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    all(args, ret, u8::is_ascii_digit, is_number)
}

/// `(string) -> bool`: blanks only.
fn is_space(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let blank = |code| text.is_blank(code);
    flag(ret, text.len > 0 && text.codes().all(blank))
}

/// `(string) -> bool`: what `repr` writes as it is, if anything.
fn is_printable_text(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flag(ret, one(args)?.codes().all(is_printable))
}

/// `(string) -> bool`: what may be a name in Python.
fn is_identifier(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let mut codes = text.codes();
    let starts = codes
        .next()
        .is_some_and(|code| known(code, |c| c == '_' || unicode_ident::is_xid_start(c)));
    flag(
        ret,
        starts && codes.all(|code| known(code, unicode_ident::is_xid_continue)),
    )
}

fn has_ascii_only(text: &Text) -> bool {
    match text.bytes() {
        Some(bytes) => bytes.is_ascii(),
        None => text.codes().all(|code| code < 128),
    }
}

/// `(string) -> bool`
fn is_ascii(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flag(ret, has_ascii_only(&one(args)?))
}

/// `(string) -> uint32`: 1 if all characters are of ASCII.
fn ascii_flag(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Int(has_ascii_only(&one(args)?).into()))
}

/// The case of a character in this text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
    Title,
    None,
}

fn case_in(text: &Text, code: u32) -> Case {
    match char::from_u32(code).filter(|c| !text.is_bytes || c.is_ascii()) {
        Some(c) if c.is_uppercase() => Case::Upper,
        Some(c) if c.is_lowercase() => Case::Lower,
        Some(c) if is_title(c) => Case::Title,
        Some(_) | None => Case::None,
    }
}

/// Whether there are letters with case, all of which are of one.
fn has_case(args: &[Arg], ret: Ret, wanted: Case) -> Result<(), Failure> {
    let text = one(args)?;
    let mut found = false;
    for code in text.codes() {
        match case_in(&text, code) {
            Case::None => {}
            case if case == wanted => found = true,
            Case::Upper | Case::Lower | Case::Title => return flag(ret, false),
        }
    }
    flag(ret, found)
}

/// `(string) -> bool`: there are letters with case, and none is of the other case, or the first letter of a title.
fn is_upper(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    has_case(args, ret, Case::Upper)
}

/// See [`is_upper`].
fn is_lower(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    has_case(args, ret, Case::Lower)
}

/// `(string) -> bool`: there are letters with case, of which those behind others are small and no others are.
fn is_title_text(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let text = one(args)?;
    let (mut found, mut inside) = (false, false);
    for code in text.codes() {
        let case = case_in(&text, code);
        if case == Case::None {
            inside = false;
            continue;
        }
        if inside != (case == Case::Lower) {
            return flag(ret, false);
        }
        (found, inside) = (true, true);
    }
    flag(ret, found)
}
