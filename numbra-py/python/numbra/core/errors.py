"""Exceptions and warnings, with Numba's names and bases."""

import contextlib

from numbra._named import names_of


class NumbaWarning(Warning):
    """Base of all warnings."""

    def __init__(self, msg: object = "", loc: object = None, highlighting: bool = True) -> None:
        self.msg = msg
        self.loc = loc
        super().__init__(f"{msg}\n{loc.strformat()}\n" if loc is not None and hasattr(loc, "strformat") else f"{msg}")


class NumbaPerformanceWarning(NumbaWarning):
    """A construct runs, but slowly."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """A feature will go away."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """A feature is expected to go away."""


class NumbaParallelSafetyWarning(NumbaWarning):
    """A parallel region may not be safe."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """A cast may lose information."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """An experimental feature is in use."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """An environment variable or configuration file is wrong."""


class NumbaPedanticWarning(NumbaWarning):
    """Of interest to compiler developers."""

    def __init__(self, msg: object = "", **kwargs: object) -> None:
        super().__init__(f"{msg}", **kwargs)


class NumbaIRAssumptionWarning(NumbaPedanticWarning):
    """A pass found IR that it did not expect."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Debug information is incomplete."""


class NumbaSystemWarning(NumbaWarning):
    """The system lacks something."""


class NumbaError(Exception):
    """Base of all errors."""

    def __init__(self, msg: object = "", loc: object = None, highlighting: bool = True) -> None:
        self.msg = msg
        self.loc = loc
        super().__init__(f"{msg}\n{loc.strformat()}\n" if loc is not None and hasattr(loc, "strformat") else f"{msg}")

    @property
    def contexts(self) -> list[str]:
        """What was being done when the error happened, innermost first."""
        try:
            return self._contexts
        except AttributeError:
            self._contexts: list[str] = []
            return self._contexts

    def add_context(self, msg: str) -> "NumbaError":
        """Adds a line to the context and to the message."""
        self.contexts.append(msg)
        self.args = (f"{self.args[0] if self.args else ''}\nDuring: {msg}", *self.args[1:])
        return self

    def patch_message(self, new_message: str) -> None:
        """Replaces the message."""
        self.args = (new_message, *self.args[1:])


class UnsupportedError(NumbaError):
    """A construct that the compiler does not support."""


class UnsupportedBytecodeError(NumbaError, NotImplementedError):
    """A bytecode that the compiler does not support."""

    def __init__(self, msg: object = "", loc: object = None) -> None:
        super().__init__(f"{msg}", loc=loc)


class UnsupportedRewriteError(UnsupportedError):
    """A rewrite is not supported."""


class IRError(NumbaError):
    """The IR is wrong."""


class RedefinedError(IRError):
    """A variable is defined twice."""


class NotDefinedError(IRError):
    """A variable is used before any definition."""

    def __init__(self, name: str = "", loc: object = None) -> None:
        self.name = name
        super().__init__(f"The compiler failed to analyze the bytecode. Variable '{name}' is not defined.", loc=loc)


class VerificationError(IRError):
    """A verifier rejected the IR."""


class DeprecationError(NumbaError):
    """A feature that is gone."""


class LoweringError(NumbaError):
    """Lowering failed."""


class UnsupportedParforsError(NumbaError):
    """A parallel construct that is not supported."""


class ForbiddenConstruct(LoweringError):
    """A construct that must not be used here."""


class TypingError(NumbaError):
    """Type inference failed."""


class UntypedAttributeError(TypingError):
    """An attribute that a type does not have."""


class ByteCodeSupportError(NumbaError):
    """The bytecode cannot be read."""


class CompilerError(NumbaError):
    """The compiler failed."""


class ConstantInferenceError(NumbaError):
    """A value that must be constant is not."""

    def __init__(self, value: object = "", loc: object = None) -> None:
        self.value = value
        super().__init__(f"{value}", loc=loc)


class InternalError(NumbaError):
    """A bug of the compiler."""


class InternalTargetMismatchError(InternalError):
    """A function for another target was called."""


class NonexistentTargetError(InternalError):
    """No such target."""


class RequireLiteralValue(TypingError):
    """An argument must be a literal."""


class ForceLiteralArg(NumbaError):
    """Asks the dispatcher to compile again with literal arguments."""

    def __init__(self, arg_indices: object = (), fold_arguments: object = None, loc: object = None) -> None:
        super().__init__("Pseudo-exception to force literal arguments in the dispatcher", loc=loc)
        self.requested_args = frozenset(arg_indices)
        self.fold_arguments = fold_arguments


class LiteralTypingError(TypingError):
    """A value cannot be a literal."""


class NumbaValueError(TypingError):
    """A value is wrong at compile time."""


class NumbaTypeError(TypingError):
    """A type is wrong at compile time."""


class NumbaAttributeError(TypingError):
    """An attribute is wrong at compile time."""


class NumbaAssertionError(TypingError):
    """An assertion fails at compile time."""


class NumbaNotImplementedError(TypingError):
    """Not implemented, found at compile time."""


class NumbaKeyError(TypingError):
    """A key is wrong at compile time."""


class NumbaIndexError(TypingError):
    """An index is wrong at compile time."""


class NumbaRuntimeError(NumbaError):
    """The runtime failed."""


def _format_msg(fmt: str, args: tuple, kwargs: dict) -> str:
    """``fmt`` with its fields filled in; braces mean nothing where there is nothing to fill in."""
    return fmt.format(*args, **kwargs) if args or kwargs else fmt


@contextlib.contextmanager
def new_error_context(fmt: str, *args: object, **kwargs: object):
    """An error inside becomes a ``NumbaError`` that says what was being done.

    ``errcls_`` is the class that other exceptions become.
    """
    errcls = kwargs.pop("errcls_", LoweringError)
    loc = kwargs.get("loc")
    try:
        yield
    except NumbaError as error:
        error.add_context(_format_msg(fmt, args, kwargs))
        raise
    except AssertionError:
        raise
    except Exception as error:
        wrapped = errcls(f"{error}", loc=loc)
        wrapped.add_context(_format_msg(fmt, args, kwargs))
        raise wrapped from error


def level_of_the_user() -> int:
    """The ``stacklevel`` at which the caller of this function warns of the first frame outside of numbra."""
    import sys

    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "numbra":
        level, frame = level + 1, frame.f_back
    return level


def deprecated(arg: str):
    """A decorator for a function that will go; ``arg`` is the replacement."""
    from functools import wraps

    def decorate(func):
        @wraps(func)
        def warned(*args, **kwargs):
            import warnings

            warnings.warn(
                f'Call to deprecated function "{func.__name__}"\n Use "{arg}" instead',
                category=NumbaDeprecationWarning,
                stacklevel=2,
            )
            return func(*args, **kwargs)

        return warned

    return decorate


class WarningsFixer:
    """Keeps warnings by place, to be given once each by :meth:`flush`."""

    def __init__(self, category):
        self._category = category
        self._warnings: dict[tuple, set[str]] = {}

    @contextlib.contextmanager
    def catch_warnings(self, filename=None, lineno=None):
        """Keeps the warnings of this category that the block gives."""
        import warnings

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for warning in caught:
            if issubclass(warning.category, self._category):
                place = filename or warning.filename, lineno or warning.lineno, warning.category
                self._warnings.setdefault(place, set()).add(str(warning.message))
            else:
                warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)

    def flush(self):
        """Gives what was kept."""
        import warnings

        for (filename, lineno, category), messages in sorted(self._warnings.items(), key=lambda item: str(item[0])):
            for message in sorted(messages):
                warnings.warn_explicit(message, category, filename, lineno)
        self._warnings.clear()


class _NoColors:
    """Marks up messages with nothing."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return str


def termcolor() -> _NoColors:
    """How messages are coloured: not at all."""
    return _NoColors()


error_extras = {
    "unsupported_error": "The reference documentation lists what is supported.",
    "typing": "The types of the values named above do not fit the code.",
    "reportable": "This is a bug of numbra: please report it.",
    "interpreter": "The function cannot be read as it is written.",
    "constant_inference": "A value that must be known at compile time is not.",
}


__all__ = [
    name
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, (NumbaError, NumbaWarning))
]

__getattr__ = names_of(__name__)
