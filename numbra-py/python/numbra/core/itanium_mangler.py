"""Names of compiled functions in C++'s Itanium scheme, so that debuggers and profilers can show them.

``module.function`` becomes the name ``function`` in the namespace ``module``; a type with parameters, such as an array,
is written as a template.
"""

import re

from numbra._named import names_of
from numbra.core import types

PREFIX = "_Z"

#: The letters of types that C++ has as well.
N2CODE = {
    types.void: "v",
    types.boolean: "b",
    types.uint8: "h",
    types.int8: "a",
    types.uint16: "t",
    types.int16: "s",
    types.uint32: "j",
    types.int32: "i",
    types.uint64: "y",
    types.int64: "x",
    types.float16: "Dh",
    types.float32: "f",
    types.float64: "d",
}


def escape_string(text: str) -> str:
    """The text in letters, digits and underscores: each byte of another character as ``_`` and two hex digits."""
    return re.sub(r"[^a-zA-Z0-9_]", lambda found: "".join(f"_{byte:02x}" for byte in found[0].encode()), text)


_escape_string = escape_string


def _counted(text: str) -> str:
    """The text behind its length; no name begins with a digit."""
    if text[:1].isdigit():
        text = f"_{text}"
    return f"{len(text)}{text}"


def mangle_abi_tag(abi_tag: str) -> str:
    """A tag that sets apart functions of one name."""
    return f"B{_counted(escape_string(abi_tag))}"


def mangle_identifier(ident: str, template_params: str = "", *, abi_tags=(), uid=None) -> str:
    """A name, whose dots part namespaces; `uid` becomes a tag."""
    tags = abi_tags if uid is None else (f"v{uid}", *abi_tags)
    parts = [_counted(escape_string(part)) for part in ident.split(".")]
    extras = template_params + "".join(map(mangle_abi_tag, tags))
    return f"N{''.join(parts)}{extras}E" if len(parts) > 1 else parts[0] + extras


def mangle_type_or_value(typ) -> str:
    """A type, or a value among the parameters of one."""
    if isinstance(typ, types.Type):
        return N2CODE.get(typ) or mangle_templated_ident(*typ.mangling_args)
    if isinstance(typ, int):
        return f"Li{int(typ)}E"
    if isinstance(typ, str):
        return mangle_identifier(typ)
    return _counted(escape_string(str(typ)))


mangle_type = mangle_value = mangle_type_or_value


def mangle_templated_ident(identifier: str, parameters) -> str:
    """A name with parameters."""
    return mangle_identifier(identifier, f"I{mangle_args(parameters)}E" if parameters else "")


def mangle_args(argtys) -> str:
    """Types one after the other."""
    return "".join(map(mangle_type_or_value, argtys))


def mangle(ident: str, argtys, *, abi_tags=(), uid=None) -> str:
    """The name of a function with arguments of these types."""
    return PREFIX + mangle_identifier(ident, abi_tags=abi_tags, uid=uid) + mangle_args(argtys)


def prepend_namespace(mangled: str, ns: str) -> str:
    """The mangled name inside one more namespace."""
    if not mangled.startswith(PREFIX):
        raise ValueError("input is not a mangled name")
    rest = mangled.removeprefix(PREFIX)
    outer = mangle_identifier(ns)
    if rest.startswith("N"):
        return f"{PREFIX}N{outer}{rest[1:]}"
    digits = re.match(r"\d+", rest)
    if digits is None:
        raise ValueError(f"no name in {mangled!r}")
    end = digits.end() + int(digits[0])
    return f"{PREFIX}N{outer}{rest[:end]}E{rest[end:]}"


__getattr__ = names_of(__name__)
