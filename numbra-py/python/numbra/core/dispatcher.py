"""The dispatcher class: Numba's methods over the compiled type of the extension module."""

from collections import deque
from types import GenericAlias
from weakref import WeakValueDictionary

from numbra import _numbra
from numbra._named import names_of
from numbra.core.cached import Cached, LikeFunction
from numbra.core.descriptors import cpu_target

#: Stages that ``inspect`` prints, in pipeline order.
STAGES = _numbra.STAGES

_KNOWN_OPTIONS = [
    "boundscheck",
    "cache",
    "debug",
    "error_model",
    "fastmath",
    "forceinline",
    "forceobj",
    "inline",
    "locals",
    "looplift",
    "math",
    "nogil",
    "no_cfunc_wrapper",
    "no_cpython_wrapper",
    "no_rewrites",
    "nopython",
    "parallel",
    "pipeline_class",
    "target",
    "target_backend",
    "tier",
    "writable_args",
    "_nrt",
    "_dbg_extend_lifetimes",
    "_dbg_optnone",
    "_target",
]
_FASTMATH = frozenset({"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"})
# Accepted and without effect here: what they switch does not exist in numbra.
_NO_EFFECT = frozenset(
    [
        "looplift",
        "forceinline",
        "no_cfunc_wrapper",
        "no_cpython_wrapper",
        "target_backend",
        "_dbg_extend_lifetimes",
        "_dbg_optnone",
    ]
)


def _fastmath(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, dict):
        flags = [name for name, on in value.items() if on]
        known = set(value)
    elif isinstance(value, (set, frozenset)):
        flags = known = set(value)
    else:
        raise ValueError("Expected fastmath option(s) to be either a bool, dict or set")
    unknown = known - _FASTMATH
    if unknown:
        raise ValueError(f"Unrecognized fastmath flags: {unknown}")
    return sorted(flags)


def _compiler_options(options: dict) -> dict:
    """The options that the compiler reads, checked."""
    from numbra.core import config

    unknown = {name: value for name, value in options.items() if name not in _KNOWN_OPTIONS}
    if unknown:
        raise KeyError(f"Unrecognized options: {unknown}. Known options are {sorted(_KNOWN_OPTIONS)}")
    out: dict = {}
    debug = bool(options.get("debug", config.DEBUGINFO_DEFAULT))
    boundscheck = options.get("boundscheck")
    if config.BOUNDSCHECK is not None:
        boundscheck = bool(config.BOUNDSCHECK)
    if boundscheck or (boundscheck is None and debug):
        out["boundscheck"] = True
    if debug:
        out["debug"] = True
    tier = options.get("tier", config.TIER)
    if tier != "cranelift":  # the compiler's own default
        out["tier"] = tier
    math = options.get("math", config.MATH)
    if math is not None:
        out["math"] = math
    for name in ("nogil", "no_rewrites"):
        if options.get(name):
            out[name] = True
    # Said or not makes a difference where other compiled code calls the function: unset ones are the caller's.
    if "error_model" in options:
        out["error_model"] = options["error_model"]
    if "fastmath" in options:
        out["fastmath"] = _fastmath(options["fastmath"])
    if options.get("locals"):
        out["locals"] = dict(options["locals"])
    inline = options.get("inline", "never")
    if inline not in ("always", "never") and not callable(inline):
        raise ValueError(
            "kwarg 'inline' must be one of the strings 'always' or 'never', or it can be a callable that returns "
            f"True/False. Found value {inline}"
        )
    if inline == "always":
        out["inline"] = "always"
    # Said when the function is compiled: modules that define such functions can be imported.
    for name in ("forceobj", "pipeline_class"):
        if options.get(name):
            out["unsupported"] = name
    parallel = options.get("parallel", False)
    if _is_parallel(parallel):
        out["parallel"] = True
        if parallel is True or parallel.get("stencil", True):
            out["parallel_stencils"] = True
    return out


_PARALLEL = frozenset(
    ["comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion", "prange"]
)


def _is_parallel(value) -> bool:
    """Whether ``prange`` loops run in parallel: ``parallel=True``, or a dict that does not turn ``prange`` off."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        raise ValueError("Expect parallel option to be either a bool or a dict")
    unknown = sorted(set(value) - _PARALLEL)
    if unknown:
        raise NameError(f"Unrecognized parallel options: {', '.join(map(str, unknown))}")
    return bool(value.get("prange", True))


#: Unpickled dispatchers by the identity of what was pickled: the same one comes back as one object.
_MEMO: WeakValueDictionary = WeakValueDictionary()
_RECENT: deque = deque(maxlen=128)


class CPUDispatcher(LikeFunction, Cached, _numbra.Dispatcher):
    """A jitted function. Calling it runs the compiled code for the argument types, compiling at the first call."""

    __class_getitem__ = classmethod(GenericAlias)
    targetdescr = cpu_target
    _memo, _recent = _MEMO, _RECENT

    def __new__(cls, py_func, targetoptions=None, loop=None, stencil=None):
        targetoptions = {} if targetoptions is None else targetoptions
        compiler = _compiler_options(targetoptions)
        if loop is not None:
            compiler["loop"] = loop
        if stencil is not None:
            compiler["stencil"] = stencil
        self = super().__new__(cls, py_func, compiler)
        self.targetoptions = targetoptions
        for name in ("__module__", "__name__", "__qualname__", "__doc__", "__code__", "__defaults__"):
            setattr(self, name, getattr(py_func, name))
        self.__wrapped__ = py_func
        return self

    @property
    def py_func(self):
        """The Python function."""
        return _numbra._py_func(self)

    @property
    def locals(self):
        """Types that the user gave to variables."""
        return self.targetoptions.get("locals", {})

    @property
    def _numba_type_(self):
        from numbra.core import types

        return types.Dispatcher(self)

    _type = _numba_type_

    def __reduce__(self):
        from numbra.core.serialize import reduce_function

        sigs = [] if self._can_compile else [(s.return_type, s.args) for s in self.nopython_signatures]
        # What the cache would keep goes along, and is used where all that it depends on is the same.
        code = _numbra._cache_entries(self)
        return _rebuild, (type(self), self._identity(), reduce_function(self.py_func), self.targetoptions, sigs, code)

    def _identity(self):
        known = getattr(self, "_pickled_as", None)
        if known is None:
            import uuid

            known = self._pickled_as = str(uuid.uuid1())
            _MEMO[known] = self
            _RECENT.append(self)
        return known

    def typeof_pyval(self, val):
        """The type of an argument; ``pyobject`` where it has none."""
        from numbra.core import types
        from numbra.core.typing.typeof import typeof

        try:
            return typeof(val)
        except ValueError:
            return types.pyobject

    def get_call_template(self, args, kws):
        """Numba's: a template that gives the compiled signature, name, arguments and keywords."""
        signature = _python_signature(self.py_func)
        bound = signature.bind(*args, **kws)
        args = tuple(bound.arguments[name] for name in signature.parameters if name in bound.arguments)
        compiled = self.compile(args).signature
        template = type(f"CallTemplate({self.__name__})", (), {"key": self, "cases": [compiled]})
        return template, signature, args, {}

    def get_overload(self, sig):
        """What runs for a signature."""
        from numbra.core.sigutils import normalize_signature

        return self.overloads[tuple(normalize_signature(sig)[0])].entry_point

    def get_compile_result(self, sig):
        """The compiled signature, compiled now if it is not yet."""
        return self.compile(sig)

    def get_annotation_info(self, signature=None):
        """Where the function is, and its source annotated with types, for each signature."""
        from collections import OrderedDict

        out = OrderedDict()
        for args in [tuple(signature)] if signature is not None else self.signatures:
            code = self.__code__
            key = f"{code.co_filename}:{code.co_firstlineno}", args
            out[key] = {"annotation": self.inspect("annotation", args), "python_lines": code.co_firstlineno}
        return out

    def dump(self, tab=""):
        """Prints name and signatures."""
        print(f"{tab}DUMP {type(self).__name__}[{self.__name__}]")
        for signature in self.nopython_signatures:
            print(f"{tab}  {signature}")

    def __repr__(self):
        return f"{type(self).__name__}({self.py_func})"

    @property
    def signatures(self):
        """Argument types of the compiled signatures, in order of compilation."""
        return [args for args, _ in _numbra._signatures(self)]

    @property
    def nopython_signatures(self):
        """Compiled signatures with their return types."""
        from numbra.core.typing.templates import Signature

        known = dict(_numbra._value_signatures(self))
        known.update(_numbra._signatures(self))
        return [Signature(ret, args) for args, ret in known.items()]

    @property
    def overloads(self):
        """Compiled signatures by argument types."""
        return {args: Overload(self, index, args, ret) for index, (args, ret) in enumerate(_numbra._signatures(self))}

    def compile(self, sig):
        """Compiles a signature, or finds it compiled."""
        from numbra.core.sigutils import normalize_signature

        args, return_type = normalize_signature(sig)
        index, (args, ret) = _numbra._compile(self, list(args), return_type)
        return Overload(self, index, args, ret)

    def disable_compile(self, val=True):
        """Freezes the compiled signatures."""
        if val:
            assert self.signatures
        _numbra._disable_compile(self, val)

    @property
    def _can_compile(self):
        return _numbra._can_compile(self)

    def recompile(self):
        """Compiles all known signatures again, with the present values of globals."""
        sigs = [args for args, _ in _numbra._signatures(self)]
        frozen = not self._can_compile
        _numbra._disable_compile(self, False)
        _numbra._reset(self)
        _numbra._flush_cache(self)
        for args in sigs:
            _numbra._compile(self, list(args), None)
        _numbra._disable_compile(self, frozen)

    def inspect(self, stage, signature=None):
        """Text of one stage (see ``numbra.STAGES``); of the first signature unless one is given."""
        signatures = self.signatures
        if not signatures:
            raise ValueError("the function has not been compiled yet: call it or `compile` it first")
        index = 0 if signature is None else _position(signatures, signature)
        return _numbra._inspect(self, index, stage)

    def _inspect_all(self, stage, signature):
        if signature is not None:
            return self.inspect(stage, signature)
        return {sig: self.inspect(stage, sig) for sig in self.signatures}

    def inspect_asm(self, signature=None):
        """Assembly of one signature, or a dict of all."""
        return self._inspect_all("asm", signature)

    def inspect_llvm(self, signature=None):
        """LLVM IR after its passes of one signature, or a dict of all; whoever made the machine code."""
        code = self.py_func.__code__
        # LLVM's parameters are the leaves of these.
        head = f"; {self.__name__}({', '.join(code.co_varnames[: code.co_argcount])})\n"
        found = self._inspect_all("llvm-opt", signature)
        if isinstance(found, str):
            return found and head + found
        return {args: text and head + text for args, text in found.items()}

    def inspect_remarks(self, signature=None):
        """Which loops of one signature LLVM vectorises, and why not others, as text, or a dict of all."""
        return self._inspect_all("remarks", signature)

    def loop_remarks(self, signature=None):
        """As :meth:`inspect_remarks`: a ``LoopRemark`` for each loop, or a dict of lists."""
        if signature is None:
            return {sig: self.loop_remarks(sig) for sig in self.signatures}
        from numbra.core.loop_remarks import loop_remarks

        return loop_remarks(_numbra._loop_remarks(self, _position(self.signatures, signature)))

    def inspect_cfg(self, signature=None, show_wrapper=None, **kwargs):
        """Control-flow graph of one signature as a :class:`CfgDisplay`, or a dict of all."""
        if signature is not None:
            return CfgDisplay(self.inspect("cfg-dot", signature))
        return {sig: self.inspect_cfg(sig) for sig in self.signatures}

    def inspect_disasm_cfg(self, signature=None):
        """Control-flow graph of the machine code: numbra shows that of the bytecode, see :meth:`inspect_cfg`."""
        return self.inspect_cfg(signature)

    def inspect_types(self, file=None, signature=None, pretty=False, style="default", **kwargs):
        """Prints the source annotated with IR and types."""
        if pretty:
            if file is not None:
                raise ValueError("`file` must be None if `pretty=True`")
            return Annotation(self.inspect("annotation", signature), style)
        for args in [signature] if signature is not None else self.signatures:
            print(f"{self.__name__} {args}", file=file)
            print("-" * 80, file=file)
            print(self.inspect("annotation", args), file=file)
            print("=" * 80, file=file)
        return None

    def parallel_diagnostics(self, signature=None, level=1):
        """Prints which loops of one signature, or of all, run in parallel, and why others do not."""
        from numbra.core.parallel_diagnostics import report

        if not _is_parallel(self.targetoptions.get("parallel", False)):
            raise ValueError("No parfors diagnostic available, is 'parallel=True' set?")
        signatures = self.signatures
        for sig in [signature] if signature is not None else signatures:
            loops = _numbra._parallel_loops(self, _position(signatures, sig))
            print(report(self, loops, level))

    def get_metadata(self, signature=None):
        """Times of the pipeline of one signature and who made its code, or a dict of all."""
        signatures = self.signatures

        def one(sig):
            position = _position(signatures, sig)
            times = dict(_numbra._timings(self, position))
            tier = _numbra._tier(self, position)
            return {"pipeline_times": {"nopython": times}, "parfors": {}, "timers": times, "tier": tier}

        if signature is not None:
            return one(signature)
        return {sig: one(sig) for sig in signatures}


def _position(signatures, signature):
    """Number of a compiled signature, given in any form; ``KeyError`` where there is none."""
    from numbra.core.sigutils import normalize_signature

    try:
        args = signature if isinstance(signature, tuple) else normalize_signature(signature)[0]
        return signatures.index(args)
    except ValueError:
        known = ", ".join(f"({', '.join(map(str, sig))})" for sig in signatures) or "none"
        raise KeyError(f"no compiled signature {signature}; there are: {known}") from None


def _python_signature(function):
    import inspect

    return inspect.signature(function)


def _rebuild(cls, identity, function, options, signatures, code=()):
    """A dispatcher from its pickled form; fixed signatures are compiled again, unless their code came along."""
    from numbra.core.serialize import rebuild_function
    from numbra.core.typing.templates import Signature

    known = _MEMO.get(identity)
    if known is not None:
        return known
    self = cls(rebuild_function(function), options)
    self._pickled_as = identity
    _MEMO[identity] = self
    _RECENT.append(self)
    if code:
        _numbra._carry_cache(self, code)
    for ret, args in signatures:
        self.compile(Signature(ret, args))
    if signatures:
        self.disable_compile()
    return self


class Annotation(str):
    """Source annotated with IR and types; notebooks show it as it is."""

    def __new__(cls, text, style="default"):
        self = super().__new__(cls, text)
        self.style = style
        return self

    def _repr_html_(self):
        import html

        return f"<pre>{html.escape(self)}</pre>"


class CfgDisplay:
    """A control-flow graph in DOT."""

    def __init__(self, dot):
        self.dot = dot

    def __repr__(self):
        return self.dot

    def display(self, filename=None, format="pdf", view=False):
        """Writes the graph to ``filename``; drawing it is the business of Graphviz."""
        if view or filename is None:
            from numbra.core.errors import UnsupportedError

            raise UnsupportedError("numbra does not draw graphs: give a filename, then run `dot` on it")
        with open(f"{filename}.dot", "w") as out:
            out.write(self.dot)


class Overload:
    """One compiled signature: Numba's ``CompileResult`` as far as programs read it."""

    def __init__(self, dispatcher, index, args, return_type):
        from numbra.core.typing.templates import Signature

        self._dispatcher, self._index = dispatcher, index
        self.signature = Signature(return_type, args)
        self.objectmode = False

    @property
    def metadata(self):
        """Times of the pipeline."""
        return self._dispatcher.get_metadata(self.signature.args)

    @property
    def type_annotation(self):
        """The source annotated with IR and types."""
        return self._dispatcher.inspect("annotation", self.signature.args)

    @property
    def library(self):
        """Texts of the generated code."""
        return self

    @property
    def has_dynamic_globals(self):
        """Whether the code depends on addresses of this process or on large arrays."""
        return _numbra._has_dynamic_globals(self._dispatcher, self._index)

    def get_asm_str(self):
        """Assembly."""
        return self._dispatcher.inspect("asm", self.signature.args)

    def get_llvm_str(self):
        """LLVM IR."""
        return self._dispatcher.inspect("llvm", self.signature.args)

    def __call__(self, *args):
        return self._dispatcher(*args)

    @property
    def entry_point(self):
        """What runs: the dispatcher."""
        return self._dispatcher

    @property
    def fndesc(self):
        """Names of the compiled function."""
        from types import SimpleNamespace

        d = self._dispatcher
        return SimpleNamespace(qualname=d.__qualname__, modname=d.__module__, restype=self.signature.return_type)


_numbra._enable_vectorcall(CPUDispatcher)

#: Numba's name for the class.
Dispatcher = CPUDispatcher

__getattr__ = names_of(__name__)
