"""Reading signatures given as strings, tuples and objects."""

from numbra.core.typing.templates import Signature


def is_signature(sig) -> bool:
    """True for what a decorator takes as a signature."""
    return isinstance(sig, (str, tuple, Signature))


def _parse_signature_string(text: str):
    from numbra.core import types

    return eval(text, {}, vars(types))


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
