"""`str` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def center(s: Any, width: Any, fillchar: Any = " ") -> Any:
    r"""In the middle of `width` characters, the others `fillchar`."""

def count(s: Any, sub: Any) -> Any:
    r"""Number of places where `sub` stands, apart from each other."""

def endswith(s: Any, suffix: Any) -> Any:
    r"""True if `s` ends with `suffix`."""

def find(s: Any, sub: Any) -> Any:
    r"""Position of the first `sub`, -1 if there is none."""

def index(s: Any, sub: Any) -> Any:
    r"""As `find`; ValueError if there is none."""

def isalpha(s: Any) -> Any:
    r"""True if there are characters, all of them letters."""

def isascii(s: Any) -> Any:
    r"""True if all characters are below 128."""

def isdecimal(s: Any) -> Any:
    r"""True if there are characters, all of them decimal digits."""

def islower(s: Any) -> Any:
    r"""True if there are letters, none of which is upper case."""

def isprintable(s: Any) -> Any:
    r"""True if `repr` writes all characters as they are."""

def isspace(s: Any) -> Any:
    r"""True if there are characters, all of them blanks."""

def isupper(s: Any) -> Any:
    r"""True if there are letters, none of which is lower case."""

def join(s: Any, parts: Any) -> Any:
    r"""The strings of a list or tuple, or the characters of a string, with `s` between each two."""

def ljust(s: Any, width: Any, fillchar: Any = " ") -> Any:
    r"""At the left of `width` characters, the others `fillchar`."""

def lower(s: Any) -> Any:
    r"""With small letters."""

def lstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the start."""

def replace(s: Any, old: Any, new: Any, count: Any = -1) -> Any:
    r"""With `new` where `old` stands: in the first `count` places if that is not negative."""

def rfind(s: Any, sub: Any) -> Any:
    r"""Position of the last `sub`, -1 if there is none."""

def rindex(s: Any, sub: Any) -> Any:
    r"""As `rfind`; ValueError if there is none."""

def rjust(s: Any, width: Any, fillchar: Any = " ") -> Any:
    r"""At the right of `width` characters, the others `fillchar`."""

def rstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the end."""

def split(s: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    r"""The parts between `sep`, or between blanks: at most `maxsplit` of them and the rest, if that is not negative."""

def startswith(s: Any, prefix: Any) -> Any:
    r"""True if `s` starts with `prefix`."""

def strip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at both ends."""

def upper(s: Any) -> Any:
    r"""With large letters."""

def zfill(s: Any, width: Any) -> Any:
    r"""With zeros behind a sign, to `width` characters."""

