"""Reading signatures given as strings, tuples and objects."""

from difflib import get_close_matches

from numbra._named import names_of
from numbra.core.typing.templates import Signature


def is_signature(sig) -> bool:
    """True for what a decorator takes as a signature."""
    return isinstance(sig, (str, tuple, Signature))


def _parse_signature_string(text: str):
    from numbra.core import types

    known = vars(types)
    try:
        parsed = eval(text, {}, known)
    except NameError as error:
        near = get_close_matches(error.name, known, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise TypeError(f"invalid signature: {text!r}: no type is named {error.name!r}{hint}") from None
    except SyntaxError:
        raise TypeError(
            f"invalid signature: {text!r} is no Python expression; write it as 'int64(float64[:])' or '(float64[:],)'"
        ) from None
    # One type in parentheses is a signature of one argument.
    return (parsed,) if isinstance(parsed, types.Type) and text.lstrip().startswith("(") else parsed


def normalize_signature(sig):
    """``(argument types, return type or None)`` of a signature in any form."""
    from numbra.core.types import Type

    parsed = _parse_signature_string(sig) if isinstance(sig, str) else sig
    if isinstance(parsed, tuple):
        args, return_type = parsed, None
    elif isinstance(parsed, Signature):
        args, return_type = parsed.args, parsed.return_type
    else:
        raise TypeError(
            f"invalid signature: {sig!r} (type: {type(sig).__name__!r}) evaluates to {type(parsed).__name__!r} "
            "instead of tuple or Signature"
        )
    for ty in (*args, *([] if return_type is None else [return_type])):
        if not isinstance(ty, Type):
            raise TypeError(f"invalid type in signature: expected a type instance, got {ty!r}")
    return tuple(args), return_type


__getattr__ = names_of(__name__)
