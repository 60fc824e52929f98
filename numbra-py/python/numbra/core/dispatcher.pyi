"""What ``jit`` makes."""

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Generic, Literal, ParamSpec, TextIO, TypeVar, overload

from numbra.core.loop_remarks import LoopRemark
from numbra.core.types.abstract import Type
from numbra.core.typing.templates import Signature

_P = ParamSpec("_P")
_R = TypeVar("_R", covariant=True)
_Sig = str | Signature | tuple[Type, ...]

#: Stages that ``inspect`` prints, in pipeline order.
STAGES: tuple[str, ...]

class Dispatcher(Generic[_P, _R]):
    """A jitted function. Calling it runs the compiled code for the argument types, compiling at the first call."""

    # It binds as functions do, but is shown without ``__get__``: mypy would bind what is in a `staticmethod`, too.

    __name__: str
    __qualname__: str
    __module__: str
    __code__: CodeType
    __defaults__: tuple[Any, ...] | None
    targetoptions: dict[str, Any]
    targetdescr: Any
    def __init__(
        self, py_func: Callable[_P, _R], targetoptions: Mapping[str, Any] | None = None, loop: str | None = None
    ) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R: ...
    @property
    def py_func(self) -> Callable[_P, _R]:
        """The Python function."""

    @property
    def __wrapped__(self) -> Callable[_P, _R]: ...
    @property
    def locals(self) -> dict[str, Any]:
        """Types that the user gave to variables."""

    @property
    def signatures(self) -> list[tuple[Any, ...]]:
        """Argument types of the compiled signatures, in order of compilation."""

    @property
    def nopython_signatures(self) -> list[Signature]:
        """Compiled signatures with their return types."""

    @property
    def overloads(self) -> dict[tuple[Any, ...], Overload]:
        """Compiled signatures by argument types."""

    @property
    def stats(self) -> Any:
        """Cache statistics: (cache_path, cache_hits, cache_misses), and ``reasons`` of the misses by signature."""

    def enable_caching(self) -> None: ...
    def compile(self, sig: _Sig) -> Overload:
        """Compiles a signature, or finds it compiled."""

    def recompile(self) -> None:
        """Compiles all known signatures again, with the present values of globals."""

    def disable_compile(self, val: bool = True) -> None:
        """Freezes the compiled signatures."""

    def typeof_pyval(self, val: object) -> Type: ...
    def get_call_template(self, args: Any, kws: Any) -> Any: ...
    def get_overload(self, sig: _Sig) -> Any: ...
    def get_compile_result(self, sig: _Sig) -> Any: ...
    def get_annotation_info(self, signature: _Sig | None = None) -> dict[Any, Any]: ...
    def dump(self, tab: str = "") -> None: ...
    def inspect(self, stage: str, signature: _Sig | None = None) -> str:
        """Text of one stage (see ``numbra.STAGES``); of the first signature unless one is given."""

    @overload
    def inspect_asm(self, signature: None = None) -> dict[tuple[Any, ...], str]: ...
    @overload
    def inspect_asm(self, signature: _Sig) -> str:
        """Assembly of one signature, or a dict of all."""

    @overload
    def inspect_llvm(self, signature: None = None) -> dict[tuple[Any, ...], str]: ...
    @overload
    def inspect_llvm(self, signature: _Sig) -> str:
        """LLVM IR after its passes of one signature, or a dict of all; whoever made the machine code."""

    @overload
    def inspect_remarks(self, signature: None = None) -> dict[tuple[Any, ...], str]: ...
    @overload
    def inspect_remarks(self, signature: _Sig) -> str:
        """Which loops of one signature LLVM vectorises, and why not others, as text, or a dict of all."""

    @overload
    def loop_remarks(self, signature: None = None) -> dict[tuple[Any, ...], list[LoopRemark]]: ...
    @overload
    def loop_remarks(self, signature: _Sig) -> list[LoopRemark]:
        """As :meth:`inspect_remarks`: a ``LoopRemark`` for each loop, or a dict of lists."""

    @overload
    def inspect_cfg(self, signature: None = None, show_wrapper: Any = None, **kwargs: Any) -> dict[Any, CfgDisplay]: ...
    @overload
    def inspect_cfg(self, signature: _Sig, show_wrapper: Any = None, **kwargs: Any) -> CfgDisplay:
        """Control-flow graph of one signature as a :class:`CfgDisplay`, or a dict of all."""

    def inspect_disasm_cfg(self, signature: _Sig | None = None) -> Any: ...
    @overload
    def inspect_types(
        self,
        file: TextIO | None = None,
        signature: _Sig | None = None,
        pretty: Literal[False] = False,
        style: str = "default",
        **kwargs: Any,
    ) -> None: ...
    @overload
    def inspect_types(
        self, file: None = None, signature: _Sig | None = None, *, pretty: Literal[True], style: str = "default"
    ) -> Annotation:
        """Prints the source annotated with IR and types."""

    def parallel_diagnostics(self, signature: _Sig | None = None, level: int = 1) -> None:
        """Prints which loops of one signature, or of all, run in parallel, and why others do not."""

    def get_metadata(self, signature: _Sig | None = None) -> dict[Any, Any]:
        """Times of the pipeline of one signature and who made its code, or a dict of all."""

class CPUDispatcher(Dispatcher[_P, _R]):
    """The same class, by the name that objects show."""

class Annotation(str):
    """Source annotated with IR and types; notebooks show it as it is."""

    style: str

class CfgDisplay:
    """A control-flow graph in DOT."""

    dot: str
    def __init__(self, dot: str) -> None: ...
    def display(self, filename: str | None = None, format: str = "pdf", view: bool = False) -> None:
        """Writes the graph to ``filename``; drawing it is the business of Graphviz."""

class Overload:
    """One compiled signature: Numba's ``CompileResult`` as far as programs read it."""

    signature: Signature
    objectmode: bool
    def __init__(
        self, dispatcher: Dispatcher[..., Any], index: int, args: tuple[Type, ...], return_type: Type
    ) -> None: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    @property
    def type_annotation(self) -> str: ...
    @property
    def library(self) -> Overload: ...
    @property
    def has_dynamic_globals(self) -> bool: ...
    @property
    def entry_point(self) -> Dispatcher[..., Any]: ...
    @property
    def fndesc(self) -> Any: ...
    def get_asm_str(self) -> str: ...
    def get_llvm_str(self) -> str: ...
    def __call__(self, *args: Any) -> Any: ...

def __getattr__(name: str) -> Any: ...
