"""`str` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def endswith(s: Any, suffix: Any) -> Any:
    r"""True if `s` ends with `suffix`."""

def find(s: Any, sub: Any) -> Any:
    r"""Position of the first `sub`, -1 if there is none."""

def isascii(s: Any) -> Any:
    r"""True if all characters are below 128."""

def islower(s: Any) -> Any:
    r"""True if there are letters, none of which is upper case."""

def isupper(s: Any) -> Any:
    r"""True if there are letters, none of which is lower case."""

def lstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the start."""

def rfind(s: Any, sub: Any) -> Any:
    r"""Position of the last `sub`, -1 if there is none."""

def rstrip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at the end."""

def startswith(s: Any, prefix: Any) -> Any:
    r"""True if `s` starts with `prefix`."""

def strip(s: Any, chars: Any = None) -> Any:
    r"""Without the given characters, by default blanks, at both ends."""

