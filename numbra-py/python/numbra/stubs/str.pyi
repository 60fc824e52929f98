"""`str` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def __contains__(a: Any, b: Any) -> Any:
    r"""`b in a`; note the order. For ranges, containers and text."""

def __hash__(x: Any) -> Any:
    r"""CPython's hash of a number, of text, or of a tuple of these; that of a NaN is 0."""

def __len__(x: Any) -> Any:
    r"""Number of items."""

def __repr__(x: Any) -> Any:
    r"""A value as Python writes it in a program."""

def __str__(x: Any, encoding: Any = ..., errors: Any = ...) -> Any:
    r"""The text of a string or char sequence; other values as Python writes them."""

_is_ascii: Any
r"""1 if all characters are below 128."""

def capitalize(s: Any) -> Any:
    r"""With a large letter at the start and small ones behind it."""

def casefold(s: Any) -> Any:
    r"""As texts are made that compare without regard to case."""

def center(s: Any, width: Any, fillchar: Any = None) -> Any:
    r"""In the middle of `width` characters, the others `fillchar`."""

def count(s: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    r"""Number of places where `sub` stands between `start` and `end`, apart from each other."""

def decode(s: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    r"""The text that bytes in UTF-8, ASCII or Latin-1 are; `errors` says what becomes of other bytes."""

def encode(s: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    r"""The bytes of a text in UTF-8, ASCII or Latin-1; `errors` says what becomes of characters that those have not."""

def endswith(s: Any, suffix: Any, start: Any = None, end: Any = None) -> Any:
    r"""True if what is between `start` and `end` ends with `suffix`, or with one of a tuple of such."""

def expandtabs(s: Any, tabsize: Any = 8) -> Any:
    r"""With blanks for each tab, up to the next multiple of `tabsize` characters."""

def find(s: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    r"""Position of the first `sub` between `start` and `end`, -1 if there is none."""

def format(s: Any, *args: Any) -> Any:
    r"""The text, which is a constant, with the arguments in place of its fields: `"{:>8.2f} {name}"`."""

def hex(s: Any) -> Any:
    r"""Two digits for each of the bytes."""

def index(s: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    r"""As `find`; ValueError if there is none."""

def isalnum(s: Any) -> Any:
    r"""True if there are characters, all of them letters, digits or numbers."""

def isalpha(s: Any) -> Any:
    r"""True if there are characters, all of them letters."""

def isascii(s: Any) -> Any:
    r"""True if all characters are below 128."""

def isdecimal(s: Any) -> Any:
    r"""True if there are characters, all of them decimal digits."""

def isdigit(s: Any) -> Any:
    r"""True if there are characters, all of them digits."""

def isidentifier(s: Any) -> Any:
    r"""True if it may be a name in Python."""

def islower(s: Any) -> Any:
    r"""True if there are letters, none of which is upper case."""

def isnumeric(s: Any) -> Any:
    r"""True if there are characters, all of them numbers."""

def isprintable(s: Any) -> Any:
    r"""True if `repr` writes all characters as they are."""

def isspace(s: Any) -> Any:
    r"""True if there are characters, all of them blanks."""

def istitle(s: Any) -> Any:
    r"""True if there are letters, of which those behind others are lower case and no others are."""

def isupper(s: Any) -> Any:
    r"""True if there are letters, none of which is lower case."""

def join(s: Any, parts: Any) -> Any:
    r"""The strings of a list, a tuple or an array, or the characters of a string, with `s` between each two."""

def ljust(s: Any, width: Any, fillchar: Any = None) -> Any:
    r"""At the left of `width` characters, the others `fillchar`."""

def lower(s: Any) -> Any:
    r"""With small letters."""

def lstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the start."""

def partition(s: Any, sep: Any) -> Any:
    r"""What stands before the first `sep`, that, and what stands behind it."""

def removeprefix(s: Any, prefix: Any) -> Any:
    r"""Without `prefix`, if it starts with that."""

def removesuffix(s: Any, suffix: Any) -> Any:
    r"""Without `suffix`, if it ends with that."""

def replace(s: Any, old: Any, new: Any, count: Any = -1) -> Any:
    r"""With `new` where `old` stands: in the first `count` places if that is not negative."""

def rfind(s: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    r"""Position of the last `sub` between `start` and `end`, -1 if there is none."""

def rindex(s: Any, sub: Any, start: Any = None, end: Any = None) -> Any:
    r"""As `rfind`; ValueError if there is none."""

def rjust(s: Any, width: Any, fillchar: Any = None) -> Any:
    r"""At the right of `width` characters, the others `fillchar`."""

def rpartition(s: Any, sep: Any) -> Any:
    r"""What stands before the last `sep`, that, and what stands behind it."""

def rsplit(s: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    r"""As `split`, from the end on."""

def rstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the end."""

def split(s: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    r"""The parts between `sep`, or between blanks: at most `maxsplit` of them and the rest, if that is not negative."""

def splitlines(s: Any, keepends: Any = False) -> Any:
    r"""The lines, with what ends them if `keepends`."""

def startswith(s: Any, prefix: Any, start: Any = None, end: Any = None) -> Any:
    r"""True if what is between `start` and `end` starts with `prefix`, or with one of a tuple of such."""

def strip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at both ends."""

def swapcase(s: Any) -> Any:
    r"""With small letters for large ones and large ones for small ones."""

def title(s: Any) -> Any:
    r"""With large letters at the start of words and small ones behind them."""

def upper(s: Any) -> Any:
    r"""With large letters."""

def zfill(s: Any, width: Any) -> Any:
    r"""With zeros behind a sign, to `width` characters."""

