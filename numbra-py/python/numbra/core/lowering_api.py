"""Types and code that programs give functions: ``type_callable``, ``infer_global``, ``lower_builtin``, ``intrinsic``.

What types a call has comes from typers, its code from lowerings, functions that write it with a builder. Both of a
function are registered as one overload of it, whose implementation is :class:`Recorded` code.
"""

import functools
import inspect

from numbra import _numbra
from numbra.core import errors, types

#: function -> what gives a typer, a callable of the argument types
_typers: dict[int, list] = {}
#: function -> (types or classes of types of the arguments, lowering)
_lowerings: dict[int, list] = {}
#: What is a key above stays.
_kept: dict[int, object] = {}


class Recorded:
    """Code for a call at given types, recorded when it is wanted."""

    is_recorded = True

    def __init__(self, implementation, signature, names, name):
        self.implementation, self.signature, self.names, self.name = implementation, signature, names, name
        self._described = None

    def described(self):
        """Number of the code, names and types of the parameters, type of the result."""
        if self._described is None:
            from numbra.core.recorder.record import record_call

            module = record_call(self.implementation, self.signature, self.name)
            number = _numbra._register_code(module.text(self.name))
            _objects.extend(module.objects)
            self._described = number, list(self.names), list(self.signature.args), self.signature.return_type
        return self._described


#: Python objects whose addresses stand in recorded code.
_objects: list = []


def type_callable(func):
    """Decorates a function that gives the typer of ``func``: types of the arguments -> type of the result.

    Parameters
    ----------
    func
        What compiled code calls.

    Examples
    --------
    >>> from numbra import types
    >>> from numbra.core.extending import type_callable
    >>> def twice(x): ...
    >>> @type_callable(twice)
    ... def type_twice(context):
    ...     def typer(x):
    ...         return x
    ...     return typer
    """

    def decorate(typing_func):
        _add(_typers, func, functools.cache(lambda: typing_func(_context())))
        return typing_func

    return decorate


def lower_builtin(func, *argtypes):
    """Decorates the code of calls of ``func`` at these types: ``implementation(context, builder, sig, args)``.

    Parameters
    ----------
    func
        What compiled code calls.
    *argtypes
        Types of the arguments, or classes of types; ``types.VarArg(T)`` at the end for any number.
    """

    def decorate(implementation):
        _add(_lowerings, func, (argtypes, implementation))
        return implementation

    return decorate


def infer_global(func, typ=None, **kwargs):
    """Decorates a template of ``func``: a class with ``generic(self, args, kws)`` or with ``cases``."""

    def decorate(template):
        _add(_typers, func, lambda: functools.partial(_by_template, template, func))
        return template

    return decorate if typ is None else None


def _by_template(template, func, *args, **kws):
    cases = getattr(template, "cases", None)
    if cases is not None:
        return _best_case(cases, args)
    made = template.__new__(template)
    made.context, made.key = _context(), getattr(template, "key", func)
    found = made._typer(args, kws) if hasattr(template, "_typer") else made.generic(args, kws)
    return found(*args, **kws) if callable(found) and not hasattr(found, "return_type") else found


def _best_case(cases, args):
    fitting = [case for case in cases if len(case.args) == len(args)]
    for exact in (True, False):
        for case in fitting:
            pairs = list(zip(args, case.args, strict=True))
            if all(a == b or (not exact and _numbra._can_convert(a, b) is not None) for a, b in pairs):
                return case
    return None


@functools.cache
def _context():
    from numbra.core.typing.context import Context

    return Context()


def _add(table, func, value):
    from numbra.core.extending import _overload_recorded

    key = id(func)
    if key not in _kept:
        _kept[key] = func
        # A text names a step of Numba's own compiler, which no program calls.
        if callable(func):
            _overload_recorded(func, lambda *args, **kws: _resolve(func, args, kws))
    table.setdefault(key, []).append(value)


def _resolve(func, args, kws):
    """The code of a call; None where no typer takes the arguments."""
    for typer in reversed(_typers.get(id(func), ())):
        typer = typer()
        if not callable(typer):
            raise errors.TypingError(f"the typing function of {_name(func)} gives no typer, but {typer!r}")
        try:
            names, ordered = _bound(typer, args, kws)
        except TypeError:
            continue
        found = typer(*args, **kws)
        if found is None:
            continue
        signature = found if hasattr(found, "return_type") else found(*ordered)
        implementation = _lowering(func, signature.args)
        if implementation is None:
            shown = ", ".join(map(str, signature.args))
            raise errors.LoweringError(f"no code is registered for {_name(func)}({shown})")
        if len(names) != len(signature.args):
            names = [f"arg{n}" for n in range(len(signature.args))]
        return Recorded(implementation, signature, names, _name(func))
    return None


def _bound(typer, args, kws):
    """Names of the parameters and the arguments in their order."""
    signature = inspect.signature(typer)
    bound = signature.bind(*args, **kws)
    names, ordered = [], []
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{name}{n}" for n in range(len(value))]
            ordered += value
        elif kind is inspect.Parameter.VAR_KEYWORD:
            names += value
            ordered += value.values()
        else:
            names.append(name)
            ordered.append(value)
    return names, ordered


def _lowering(func, args):
    """The code that fits best: types before classes, nearer classes before others, what came last before the rest."""
    best, least = None, None
    for argtypes, implementation in _lowerings.get(id(func), ()):
        cost = _cost(argtypes, args)
        if cost is not None and (least is None or cost <= least):
            best, least = implementation, cost
    return best


def _cost(argtypes, args):
    if argtypes and isinstance(argtypes[-1], types.VarArg):
        *argtypes, rest = argtypes
        argtypes = [*argtypes, *[rest.dtype] * (len(args) - len(argtypes))]
    if len(argtypes) != len(args):
        return None
    costs = [_distance(wanted, given) for wanted, given in zip(argtypes, args, strict=True)]
    return None if None in costs else sum(costs)


def _distance(wanted, given):
    if isinstance(wanted, types.Type):
        return 0 if wanted == given or wanted == types.unliteral(given) else None
    if wanted is types.Any:
        return 100
    mro = type(given).__mro__
    return 1 + mro.index(wanted) if wanted in mro else None


def conversion_code(ty, boxes):
    """The code that makes objects of values of a type, or values of objects; None where nobody registered any."""
    from numbra.core.recorder import pyapi, record

    registry = pyapi.boxers if boxes else pyapi.unboxers
    function = registry.lookup(type(ty))
    if function is None:
        return None
    name = "box" if boxes else "unbox"
    module = (record.record_box if boxes else record.record_unbox)(ty, function, name)
    _objects.extend(module.objects)
    return module.text(name)


def _name(func):
    return getattr(func, "__name__", str(func))


def recorded_intrinsic(intrinsic, func):
    """The typing function of an intrinsic: its answer is (signature, code)."""

    def typed(*args, **kws):
        found = func(_context(), *args, **kws)
        if found is None:
            return None
        signature, implementation = found
        if not callable(implementation):
            raise errors.TypingError(
                f"the code of the intrinsic {func.__name__} is no function, but {implementation!r}"
            )
        names = list(inspect.signature(func).parameters)[1:]
        if len(names) != len(signature.args):
            names = [f"arg{n}" for n in range(len(signature.args))]
        return Recorded(implementation, signature, names, func.__name__)

    return typed
