"""Compiling a function at given types without a decorator: Numba's ``compile_extra`` and the flags that it takes."""

from numbra._named import names_of

_FLAGS = {
    "auto_parallel": False,
    "boundscheck": False,
    "debuginfo": False,
    "enable_looplift": False,
    "enable_pyobject": False,
    "error_model": "python",
    "fastmath": False,
    "force_pyobject": False,
    "inline": "never",
    "no_cpython_wrapper": False,
    "no_cfunc_wrapper": False,
    "no_rewrites": False,
    "noalias": False,
    "nrt": False,
    "release_gil": False,
}


class Flags:
    """What a compilation is to do, by Numba's names. Those that numbra knows nothing of can be set, too."""

    def __init__(self):
        self.__dict__.update(_FLAGS)

    def copy(self):
        """Flags of their own with the same values."""
        copy = type(self)()
        vars(copy).update(vars(self))
        return copy

    def __repr__(self):
        changed = {name: value for name, value in vars(self).items() if value != _FLAGS.get(name, False)}
        return f"Flags({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def _options(self):
        """As the decorator's options."""
        from numbra.core.cpu_options import ParallelOptions

        parallel = ParallelOptions(self.auto_parallel)
        kinds = {name: getattr(parallel, name) for name in ParallelOptions._NAMES}
        options = {
            "boundscheck": self.boundscheck,
            "debug": self.debuginfo,
            "error_model": self.error_model,
            "fastmath": self.fastmath,
            "inline": self.inline,
            "nogil": self.release_gil,
            "no_rewrites": self.no_rewrites,
            "parallel": kinds if parallel else False,
        }
        if self.force_pyobject:
            options["forceobj"] = True
        return options


DEFAULT_FLAGS = Flags()
DEFAULT_FLAGS.nrt = True


def compile_extra(typingctx, targetctx, func, args, return_type, flags, locals, library=None, pipeline_class=None):
    """Compiles a function for argument types.

    Parameters
    ----------
    typingctx, targetctx, library
        Not used: numbra has one compiler.
    func
        The Python function.
    args : tuple of types
    return_type
        The type of the result, or ``None``.
    flags : Flags
    locals : dict
        Types of variables by their names.
    pipeline_class
        As the option of ``jit``, which says that there is none yet.

    Returns
    -------
    Overload
        Its ``entry_point`` is called with arguments of these types.
    """
    from numbra.core.dispatcher import CPUDispatcher
    from numbra.core.typing.templates import Signature

    options = flags._options()
    if locals:
        options["locals"] = locals
    if pipeline_class is not None:
        options["pipeline_class"] = pipeline_class
    dispatcher = CPUDispatcher(func, options)
    args = tuple(args)
    compiled = dispatcher.compile(args if return_type is None else Signature(return_type, args))
    dispatcher.disable_compile()
    return compiled


__getattr__ = names_of(__name__)
