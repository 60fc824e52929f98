"""Logging of calls: with ``NUMBA_TRACE=1``, functions under `trace` tell the log ``trace`` when they begin and end."""

import functools
import inspect
import logging
import threading

from numbra._named import names_of
from numbra.core import config

_logger = logging.getLogger("trace")
_MAX_CHARACTERS = 320


class _State(threading.local):
    depth = 0
    writing = False  # a message is being made: what that calls is not logged


_state = _State()


def _short(value) -> str:
    text = repr(value)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}...{text[-1]}"


def _name(function, parameters, args) -> str:
    """The function's name behind those of its module and its class."""
    owner = ""
    if parameters[:1] == ["self"] and args:
        owner = type(args[0]).__name__
    elif parameters[:1] == ["cls"] and args:
        owner = args[0].__name__
    module = "" if function.__module__ == "__main__" else function.__module__
    return ".".join(filter(None, [module, owner, function.__name__]))


def _arguments(spec, args, kwds) -> str:
    values = dict(zip(spec.args[-len(spec.defaults) :], spec.defaults, strict=True)) if spec.defaults else {}
    values |= kwds | dict(zip(spec.args, args, strict=False))
    named = [f"{name}={values.pop(name)!r}" for name in spec.args if name in values]
    further = [str(arg) for arg in args[len(spec.args) :]]
    return ", ".join(named + further + [f"{name}={values[name]!r}" for name in sorted(values)])


def _end(error) -> str:
    module = "" if type(error).__module__ == "__main__" else f"{type(error).__module__}."
    arguments = ", ".join(map(_short, error.args))
    return f" => exception thrown\n\traise {module}{type(error).__name__}({arguments})"


def _traced(function):
    spec = inspect.getfullargspec(function)

    @functools.wraps(function)
    def wrapper(*args, **kwds):
        if _state.writing or not _logger.isEnabledFor(logging.INFO):
            return function(*args, **kwds)
        indent = " " * _state.depth

        def log(make):
            _state.writing = True
            try:
                _logger.info("%s", make())
            finally:
                _state.writing = False

        name = _name(function, spec.args, args)
        log(lambda: f">> {indent}{name}({_arguments(spec, args, kwds)})")
        _state.depth += 1
        try:
            result = function(*args, **kwds)
        except BaseException as error:
            end = error
            log(lambda: f"<< {indent}{name}{_end(end)}")
            raise
        finally:
            _state.depth -= 1
        log(lambda: f"<< {indent}{name}" + ("" if result is None else f" -> {_short(result)}"))
        return result

    return wrapper


def dotrace(*args, **kwds):
    """Logs the calls of a function, a method or a property: ``@dotrace`` or ``@dotrace("category")``."""
    if kwds.get("recursive"):
        raise NotImplementedError("recursive tracing")

    def decorate(target):
        if isinstance(target, (classmethod, staticmethod)):
            return type(target)(_traced(target.__func__))
        if isinstance(target, property):
            return property(*(each and _traced(each) for each in (target.fget, target.fset, target.fdel)))
        return _traced(target)

    if args and (callable(args[0]) or isinstance(args[0], (classmethod, staticmethod, property))):
        return decorate(args[0])
    return decorate


def notrace(*args, **kwds):
    """`dotrace` where tracing is off: the function itself."""
    if args and (callable(args[0]) or isinstance(args[0], (classmethod, staticmethod, property))):
        return args[0]
    return lambda target: target


def doevent(msg):
    """Logs a message."""
    _logger.info("== %s%s", " " * _state.depth, msg)


def noevent(msg):
    """`doevent` where tracing is off."""


if config.TRACE:
    _logger.setLevel(logging.INFO)
    _logger.handlers = [logging.StreamHandler()]
    trace, event = dotrace, doevent
else:
    trace, event = notrace, noevent

__getattr__ = names_of(__name__)
