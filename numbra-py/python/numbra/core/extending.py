"""Registering implementations written in Python for functions, methods and attributes."""

import inspect
from itertools import islice
from types import MappingProxyType

from numbra import _numbra
from numbra._named import names_of
from numbra.core.typing.asnumbatype import as_numba_type
from numbra.core.typing.typeof import typeof_impl

#: (kind, name) -> list of (overload function, options, class of the receiver or None); options say the target too
_overloads: dict[tuple[str, str], list[tuple]] = {}
#: (overload function, identity of its options, argument types) -> jitted implementation
_implementations: dict[tuple, object] = {}


def overload(func, jit_options=MappingProxyType({}), strict=True, inline="never", prefer_literal=False, **kwargs):
    """Decorates a function that gives, for argument types, an implementation of ``func``.

    It is called with types, keywords included, and returns a Python function to compile, or None.

    Parameters
    ----------
    func
        What compiled code calls.
    jit_options : dict
        Options of :func:`numbra.njit` for the implementation.
    strict : bool
        Both functions must have the same parameters.
    inline : {"never", "always"}
        Whether callers take the implementation in.
    prefer_literal : bool
        Asks with literal types first and then with plain ones, where they differ, and not the other way round.

    Examples
    --------
    >>> import numbra as nb
    >>> def length(x):
    ...     return len(x)
    >>> @nb.extending.overload(length)
    ... def length_of_arrays(x):
    ...     if isinstance(x, nb.types.Array):
    ...         return lambda x: x.size
    """
    if is_jitted(func):
        raise TypeError(f"cannot overload {func}: a jitted function is its own implementation")
    options = _jit_options(jit_options, strict, inline, prefer_literal, kwargs.get("target", "generic"))
    # Asked only where an argument is of a type that Python code defines.
    name = _numbra._overload_function(func, _implementation, kwargs.get("for_objects", False))

    def decorate(overload_func):
        _overloads.setdefault(("function", name), []).append((overload_func, options, None))
        return overload_func

    return decorate


def overload_method(typ, attr, **kwargs):
    """As :func:`overload`, for a method.

    Parameters
    ----------
    typ
        A class of types, or a type.
    attr : str
        The method's name.
    **kwargs
        As of :func:`overload`.
    """
    return _overload_member("method", typ, attr, kwargs)


def overload_attribute(typ, attr, **kwargs):
    """As :func:`overload`, for an attribute.

    Parameters
    ----------
    typ
        A class of types, or a type.
    attr : str
        The attribute's name.
    **kwargs
        As of :func:`overload`.
    """
    return _overload_member("attribute", typ, attr, kwargs)


def _overload_member(kind, typ, attr, kwargs):
    jit_options = kwargs.pop("jit_options", {})
    strict, inline = kwargs.pop("strict", True), kwargs.pop("inline", "never")
    prefer_literal, target = kwargs.pop("prefer_literal", False), kwargs.pop("target", "generic")
    options = _jit_options(jit_options, strict, inline, prefer_literal, target)
    _numbra._overload_member(kind, attr, _implementation)

    def decorate(overload_func):
        _overloads.setdefault((kind, attr), []).append((overload_func, options, typ))
        return overload_func

    return decorate


def register_jitable(*args, **kwargs):
    """A function that compiled code may call; called from Python it stays the Python function.

    Parameters
    ----------
    *args
        The function.
    **kwargs
        Options of :func:`numbra.njit` instead.
    """

    def decorate(function):
        from numbra.core.decorators import njit

        _numbra._register_jitable(function, njit(**kwargs)(function))
        return function

    if kwargs or not args:
        if args:
            raise TypeError("register_jitable takes either a function or keyword options")
        return decorate
    return decorate(*args)


def is_jitted(function) -> bool:
    """True for a jitted function."""
    return isinstance(function, _numbra.Dispatcher)


def sentry_literal_args(pysig, literal_args, args, kwargs):
    """Asks for literal types of the named arguments, unless they are literals already."""
    from numbra.core import errors, types

    bound = pysig.bind(*args, **kwargs)
    missing = set()
    for index, name in enumerate(pysig.parameters):
        ty = bound.arguments.get(name)
        if name in literal_args and isinstance(ty, types.Type) and not isinstance(ty, types.Literal):
            missing.add(index)
    if missing:
        raise errors.ForceLiteralArg(missing)


def include_path() -> str:
    """Numba's C headers are not part of numbra."""
    from numbra.core.errors import UnsupportedError

    raise UnsupportedError("numbra has no C headers")


def get_cython_function_address(module_name, function_name) -> int:
    """Address of a Cython function that its module exports."""
    import ctypes
    import importlib

    capsule = importlib.import_module(module_name).__pyx_capi__.get(function_name)
    if capsule is None:
        raise ValueError(f"No function '{function_name}' found in __pyx_capi__ of '{module_name}'")
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype = ctypes.c_char_p
    api.PyCapsule_GetName.argtypes = [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))


def _jit_options(jit_options, strict, inline, prefer_literal=False, target="generic") -> dict:
    return {
        "jit": dict(jit_options),
        "strict": strict,
        "inline": inline,
        "prefer_literal": prefer_literal,
        "target": target,
    }


def _has_method(receiver, name) -> bool:
    """True if an overload of the method is registered for a class of the receiver's type."""
    return any(_fits(typ, receiver) for _, _, typ in _overloads.get(("method", name), ()))


def _fits(typ, receiver) -> bool:
    from numbra.core import types

    if typ is None:
        return True
    return isinstance(receiver, typ) if isinstance(typ, type) else isinstance(typ, types.Type) and typ == receiver


def _order(known, receiver, device) -> list[tuple]:
    """Overloads for this target, as they are asked: those for it alone before those for all; those of members from the
    receiver's class to its bases; those that were registered first.
    """
    own = "cuda" if device else "cpu"
    bases = type(receiver).__mro__

    def place(one):
        _, options, typ = one
        return options["target"].lower() == "generic", bases.index(typ) if typ in bases else 0

    return sorted((one for one in known if one[1]["target"].lower() in (own, "generic")), key=place)


def _implementation(kind, name, literal, plain, skip, device=False):
    """The jitted implementation that fitting overloads give for a call, and whether it is for literal types; or None.

    ``literal`` and ``plain`` are positional and keyword argument types; ``device``: on a GPU. Each overload is asked
    for both. Of those that give an implementation or raise, ``skip`` are passed over.
    """
    found = next(islice(_attempts(kind, name, literal, plain, device), skip, None), None)
    if found is not None and isinstance(found[0], Exception):
        raise found[0]
    return found


def _attempts(kind, name, literal, plain, device):
    """What the overloads give or raise, and whether it is for literal types."""
    from numbra.core.errors import NumbaError, TypingError

    unbound = None
    receiver = plain[0][0] if plain[0] else None
    for overload_func, options, typ in _order(_overloads.get((kind, name), ()), receiver, device):
        choices = [(plain, False), (literal, True)]
        if plain == literal:
            choices.pop()
        elif options["prefer_literal"]:
            choices.reverse()
        for (args, kws), is_literal in choices:
            if args and not _fits(typ, args[0]):
                continue
            try:
                found = _ask(overload_func, options, args, kws, _launch() if device else None)
            except Exception as error:
                # The overload may take other arguments.
                if isinstance(error, TypeError) and not _binds(overload_func, args, kws):
                    unbound = error
                    continue
                found = error
            if found is not None:
                yield found, is_literal
            if isinstance(found, Exception) and not isinstance(found, NumbaError):
                # A mistake in the overload, which no other one hides.
                return
    if unbound is not None:
        yield TypingError(str(unbound)), False


def _binds(function, args, kws) -> bool:
    try:
        inspect.signature(function).bind(*args, **kws)
    except TypeError:
        return False
    return True


def _launch():
    """The launch that a kernel is compiled for on this thread, if any."""
    from numbra.cuda import launchconfig

    return launchconfig.current_launch_config()


#: Overloads that marked a dispatcher as sensitive to launches: their answers are good for one size each.
_launch_sensitive = set()


def _ask(overload_func, options, args, kws, launch=None):
    key = (overload_func, id(options), args, tuple(sorted(kws.items())))
    if launch is not None and overload_func in _launch_sensitive:
        key += launch.sizes
    if key in _implementations:
        if len(key) > 4:
            launch.dispatcher.mark_launch_config_sensitive()
        return _implementations[key]
    implementation = overload_func(*args, **kws)
    if launch is not None and len(key) == 4 and launch.dispatcher._launch_config_sensitive:
        _launch_sensitive.add(overload_func)
        key += launch.sizes
    if implementation is None:
        return None
    if isinstance(implementation, tuple):
        _, implementation = implementation
    if options["strict"] and not getattr(implementation, "is_recorded", False):
        _check_parameters(overload_func, implementation)
    from numbra.core.decorators import njit

    if getattr(implementation, "is_recorded", False):
        return _implementations.setdefault(key, implementation)
    if not is_jitted(implementation):
        inline = {"inline": "always"} if options["inline"] == "always" else {}
        implementation = njit(**inline | options["jit"])(implementation)
    return _implementations.setdefault(key, implementation)


def _check_parameters(overload_func, implementation) -> None:
    """Overload and implementation have parameters of the same names, kinds and defaults; Numba's words."""
    implementation = getattr(implementation, "py_func", implementation)
    typing = list(inspect.signature(overload_func).parameters.values())
    body = list(inspect.signature(implementation).parameters.values())
    head = f"Typing and implementation arguments differ in function '{overload_func.__name__}'"
    for param in typing + body:
        if param.kind == param.VAR_KEYWORD:
            _refuse(
                f"{head}: use of VAR_KEYWORD (e.g. **kwargs) is unsupported. (offending argument name is '{param}')"
            )
    stars = [p for p in typing if p.kind == p.VAR_POSITIONAL]
    if stars:
        if len(body) < len(typing) or all(p.kind != p.VAR_POSITIONAL for p in body):
            _refuse(
                f"{head}: a VAR_POSITIONAL (e.g. *args) argument kind (offending argument name is "
                f"'{stars[0]}') found in the typing, but none in the implementation."
            )
        return
    for what, keyword in (("argument names", False), ("keyword argument names", True)):
        ours = [p for p in typing if (p.default is not p.empty) == keyword]
        theirs = [p for p in body if (p.default is not p.empty) == keyword]
        takes_rest = [i for i, p in enumerate(theirs) if p.kind == p.VAR_POSITIONAL]
        if takes_rest:
            # ``*args`` of the implementation are all arguments behind the named ones.
            theirs = theirs[: takes_rest[0]]
            names = [p.name for p in ours]
            if theirs and theirs[-1].name not in names:
                _refuse(f"{head}: {what} differ. First difference: '{theirs[-1]}'")
            ours = ours[: len(theirs)]
        if [p.name for p in ours] != [p.name for p in theirs]:
            _refuse(f"{head}: {what} differ: {ours} in the typing, {theirs} in the implementation")
    by_name = {p.name: p for p in body}
    for ours in typing:
        theirs = by_name.get(ours.name)
        if theirs is not None and not _same_default(ours.default, theirs.default):
            _refuse(f"{head}: keyword argument default values differ: {ours!r} and {theirs!r}")


def _same_default(a, b) -> bool:
    try:
        return a is b or bool(a == b)
    except Exception:
        return False


def _refuse(message: str) -> None:
    from numbra.core.errors import TypingError

    raise TypingError(message)


class SentryLiteralArgs:
    """Asks that the named arguments of functions be literals."""

    def __init__(self, literal_args):
        self.literal_args = frozenset(literal_args)

    def for_function(self, func):
        """The check for one function."""
        return self.for_pysig(inspect.signature(func))

    def for_pysig(self, pysig):
        """The check for one signature."""
        return BoundLiteralArgs(pysig, self.literal_args)


class BoundLiteralArgs:
    """See :class:`SentryLiteralArgs`."""

    def __init__(self, pysig, literal_args):
        self.pysig, self.literal_args = pysig, literal_args

    def bind(self, *args, **kwargs):
        """Raises ``ForceLiteralArg`` for arguments that are no literals."""
        return sentry_literal_args(self.pysig, self.literal_args, args, kwargs)


class Intrinsic:
    """What :func:`intrinsic` makes: compiled code calls it."""

    def __init__(self, func, prefer_literal=False):
        self.__wrapped__ = func
        self.__name__, self.__doc__, self.__module__ = func.__name__, func.__doc__, func.__module__
        self.__qualname__ = func.__qualname__
        from numbra.core.lowering_api import recorded_intrinsic

        _overload_recorded(self, recorded_intrinsic(self, func), prefer_literal)

    def __repr__(self):
        return f"<intrinsic {self.__name__}>"

    def __call__(self, *args, **kwargs):
        raise NotImplementedError("intrinsic functions are not called from Python")


def _overload_recorded(func, typed, prefer_literal=False):
    """As :func:`overload`, with a typing function that gives recorded code."""
    name = _numbra._overload_function(func, _implementation, False)
    options = _jit_options({}, False, "never", prefer_literal)
    _overloads.setdefault(("function", name), []).append((typed, options, None))


def intrinsic(*args, prefer_literal=False, **kwargs):
    """Decorates a function that says the types of a call and writes its code.

    It is called with the typing context and the types of the arguments, and returns a signature and a function
    ``codegen(context, builder, sig, args)``, which writes the code with llvmlite's names; or None where it does not
    take these types.

    Parameters
    ----------
    prefer_literal : bool
        Asks with literal types first.

    Examples
    --------
    >>> import numbra as nb
    >>> @nb.extending.intrinsic
    ... def ones(typingctx, x):
    ...     def codegen(context, builder, sig, args):
    ...         return builder.ctpop(args[0])
    ...     return x(x), codegen
    >>> nb.njit(lambda x: ones(x))(7)
    3
    """
    if args:
        return Intrinsic(args[0], prefer_literal)
    return lambda func: Intrinsic(func, prefer_literal)


def __getattr__(name: str):
    if name in _LOWERING:
        import importlib

        value = getattr(importlib.import_module(f"numbra.core.{_LOWERING[name]}"), name)
        globals()[name] = value
        return value
    return _others(name)


#: What the low-level extension API is, by module.
_LOWERING = {
    "type_callable": "lowering_api",
    "lower_builtin": "lowering_api",
    "infer_global": "lowering_api",
    "NativeValue": "recorder.pyapi",
    "box": "recorder.pyapi",
    "unbox": "recorder.pyapi",
    "register_model": "datamodel.registry",
    "make_attribute_wrapper": "datamodel.registry",
}


__all__ = [
    "BoundLiteralArgs",
    "SentryLiteralArgs",
    "as_numba_type",
    "get_cython_function_address",
    "include_path",
    "intrinsic",
    "is_jitted",
    "overload",
    "overload_attribute",
    "overload_method",
    "register_jitable",
    "sentry_literal_args",
    "typeof_impl",
]

_others = names_of(__name__)
