"""Every name that Numba programs import is there; what numbra lacks says so where it is used, and not before."""

import importlib
import importlib.util
import subprocess
import sys
import textwrap

import numbra as nb
import pytest
from folders import ROOT
from numbra._named import extension, table
from numbra.core.errors import NumbaWarning, TypingError, UnsupportedError


def run(text):
    """What a program prints, or its last line of error."""
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_every_name_of_numbas_modules_is_there():
    missing = []
    for module in table.modules():
        found = importlib.import_module(module)
        for name, what in table.names(module).items():
            gone = what.startswith("m(") and importlib.util.find_spec(what[2:-1]) is None
            if not gone and not hasattr(found, name):
                missing.append(f"{module}.{name}")
    assert missing == []
    assert len(table.modules()) > 200


def test_a_name_is_one_object_wherever_it_is_imported_from():
    from numbra.core.extending import intrinsic
    from numbra.core.imputils import lower_builtin
    from numbra.experimental import structref

    assert nb.extending.intrinsic is intrinsic
    assert nb.extending.lower_builtin is lower_builtin
    assert structref.imputils is importlib.import_module("numbra.core.imputils")
    assert nb.extending.models is nb.core.datamodel.models
    assert nb.typed.typedlist.List is nb.typed.List


def test_submodules_are_attributes_and_load_alone():
    said = run("""
        import numbra, sys
        assert "numbra._named.table" not in sys.modules
        before = set(sys.modules)
        numbra.core.errors.NumbaPerformanceWarning
        print(sorted(name for name in set(sys.modules) - before if name.startswith("numbra")))
        for name in "types errors typing extending registry caching runtime pythonapi serialize bytecode".split():
            assert getattr(numbra.core, name).__name__ == f"numbra.core.{name}"
        numbra.np.numpy_support.from_dtype, numbra.np.ufunc.vectorize, numbra.cpython.unsafe.tuple.tuple_setitem
        numbra.np.linalg._LAPACK, numbra.parfors.parfor, numbra.stencils.stencil, numbra.pycc.CC
    """)
    assert said == "['numbra.core.errors']\n"


EXTENSION = """
    import numbra
    numbra.install_as_numba()
    import operator
    import numba
    from numba import types, njit
    from numba.core import cgutils, typing
    from numba.core.datamodel.registry import register_default
    from numba.core.imputils import Registry, RefType, impl_ret_borrowed, iternext_impl
    from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, infer_getattr, signature
    from numba.experimental import structref, jitclass
    from numba.extending import (NativeValue, box, intrinsic, lower_builtin, lower_cast, make_attribute_wrapper, models,
        overload, overload_method, register_model, type_callable, typeof_impl, unbox)
    from numba.typed import Dict, List, Set
    from numba.typed.typedlist import List as TypedList

    class Interval:
        def __init__(self, low, high):
            self.low, self.high = low, high

    class IntervalType(types.Type):
        def __init__(self):
            super().__init__(name="Interval")

    interval = IntervalType()

    @typeof_impl.register(Interval)
    def typeof_interval(value, c):
        return interval

    @type_callable(Interval)
    def type_interval(context):
        def typer(low, high):
            return interval
        return typer

    @register_model(IntervalType)
    class IntervalModel(models.StructModel):
        def __init__(self, dmm, fe_type):
            models.StructModel.__init__(self, dmm, fe_type, [("low", types.float64), ("high", types.float64)])

    make_attribute_wrapper(IntervalType, "low", "low")

    @lower_builtin(Interval, types.Float, types.Float)
    def make(context, builder, sig, args):
        return cgutils.create_struct_proxy(interval)(context, builder)._getvalue()

    @unbox(IntervalType)
    def unbox_interval(typ, obj, c):
        return NativeValue(None)

    @box(IntervalType)
    def box_interval(typ, val, c):
        return None

    @infer_global(operator.add)
    class Add(AbstractTemplate):
        def generic(self, args, kws):
            return signature(interval, *args)

    @infer_getattr
    class Attributes(AttributeTemplate):
        key = IntervalType

    @intrinsic
    def popcount(typingctx, x):
        "Number of ones."
        return x(x), lambda context, builder, sig, args: builder.ctpop(args[0])

    @intrinsic(prefer_literal=True)
    def other(typingctx, x):
        return x(x), None

    registry = Registry("mine")
    lower = registry.lower

    @lower(len, IntervalType)
    def length(context, builder, sig, args):
        return None

    @iternext_impl(RefType.BORROWED)
    def step(context, builder, sig, args, result):
        return None

    @structref.register
    class TreeType(types.Type):
        pass

    class Tree(structref.StructRefProxy):
        pass

    structref.define_proxy(Tree, TreeType, ["data"])

    @numba.stencil
    def mean(a):
        return 0.5 * (a[-1] + a[1])

    def annotated(x: List[int], y: Dict[int, float]) -> TypedList[float]:
        return x

    cache = Dict.empty(types.int64, types.float64)
    items = List.empty_list(types.int64)
    flags = Set.empty(types.int64)
    assert popcount.__name__ == "popcount" and popcount.__doc__ == "Number of ones."
    assert typeof_interval(None, None) is interval and IntervalModel.__mro__[1] is models.StructModel
"""


def test_an_extension_loads():
    run(EXTENSION)


def test_what_numbra_lacks_says_so_where_it_is_called():
    run(
        EXTENSION
        + """
    uses = [lambda: numba.core.optional.any_to_optional(None), lambda: RefType(),
        lambda: numba.core.ir.Expr.binop(1, 2), lambda: numba.pycc.CC("m")]
    for use in uses:
        try:
            use()
        except numba.core.errors.UnsupportedError as error:
            assert "numbra does not have" in str(error), error
        else:
            raise AssertionError("no error")
    """
    )


def test_compiled_code_says_what_it_lacks():
    from numbra.core import optional

    def calls(lacks):
        return nb.njit(lambda x: lacks(x))

    lacks = "numbra does not have `numbra.core.optional.any_to_optional` in compiled code yet"
    with pytest.raises(UnsupportedError, match=lacks):
        calls(optional.any_to_optional)(1)


def test_signatures_stop_no_module_from_loading():
    from numbra.core import optional

    def lacks(x):
        return optional.any_to_optional(x)

    with pytest.warns(NumbaWarning, match="lacks is not compiled before it is called"):
        f = nb.njit(["int64(int64)", "float64(float64)"])(lacks)
    for x in (1, 2.0):
        with pytest.raises(UnsupportedError, match="any_to_optional"):
            f(x)
    with pytest.raises(TypingError):
        nb.njit("int64(int64)")(lambda x: x.nothing)


def test_signatures_of_types_without_values_stop_no_module():
    either = nb.types.UnionType([nb.float32, nb.int64])

    def grow(items, x):
        items.add(x)

    with pytest.warns(NumbaWarning, match="grow is not compiled before it is called"):
        nb.njit(nb.void(either, nb.float32))(grow)
    with pytest.raises(UnsupportedError, match="numbra has no values of type Union"):
        nb.njit(grow).compile((either, nb.float32))


def test_types_of_functions_that_templates_describe():
    class Template(nb.core.typing.templates.AbstractTemplate):
        key = len

    kind = nb.types.Function(Template)
    assert kind.typing_key is len and kind.templates == (Template,) and kind is nb.types.Function(Template)
    pointer = nb.types.ExternalFunctionPointer(nb.float64(nb.float64), int)
    assert pointer.typing_key is None and pointer.key[2] is int


def test_decorators_keep_what_they_are_given():
    before = len(extension.registered)

    class Mine(nb.types.Type):
        pass

    @nb.extending.lower_cast(Mine, nb.types.Integer)
    def rule(context, builder, fromty, toty, val):
        return None

    assert extension.registered[before:] == [("numbra.extending.lower_cast", ((Mine, nb.types.Integer), {}), rule)]
    with pytest.raises(UnsupportedError):
        nb.core.optional.any_to_optional()


def test_no_other_names():
    with pytest.raises(ModuleNotFoundError, match=r"numbra\.core\.nonsense"):
        importlib.import_module("numbra.core.nonsense")
    with pytest.raises(AttributeError, match=r"module 'numbra\.core\.cgutils' has no attribute 'nonsense'"):
        _ = nb.core.cgutils.nonsense
    with pytest.raises(ImportError):
        from numbra.extending import nonsense  # noqa: F401
    for name in ("__path__", "__wrapped__"):
        assert not hasattr(nb.extending, name)


def test_a_caches_locators_are_a_list():
    from numbra.core.caching import CacheImpl, _CacheLocator

    class Mine(_CacheLocator):
        @classmethod
        def from_function(cls, py_func, py_file):
            return None

    CacheImpl._locator_classes.insert(0, Mine)
    try:
        assert nb.njit(cache=True)(lambda x: x + 1)(1) == 2
    finally:
        CacheImpl._locator_classes.remove(Mine)


def test_the_document_is_new():
    path = ROOT / "tools" / "numba_names.py"
    spec = importlib.util.spec_from_file_location("numba_names", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    document = tool.document()
    only = next(
        line for line in document.split("## `numba.core.optional`")[1].splitlines() if line.startswith("Named only")
    )
    assert "`any_to_optional`" in only and "`optional_to_any`" in only
    with open(ROOT / "docs" / "names.md", encoding="utf-8") as file:
        assert document == file.read(), "stale: .venv/bin/python tools/numba_names.py doc docs/names.md"


def test_a_module_that_is_loaded_may_call_what_there_is_not(tmp_path, monkeypatch):
    (tmp_path / "loads_anyway.py").write_text(
        textwrap.dedent("""
            from numbra.core import compiler
            from numbra.core.runtime import nrtdynmod
            flags = compiler.StateDict()
            flags.enable_looplift = True
            pair = [*flags.items(), *nrtdynmod._word_type]
            class Mine(nrtdynmod._word_type): pass
            @flags.decorated(1)
            def function(): return 1
            def later(): return compiler.StateDict()
            if flags > 3 or flags: raise AssertionError
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded = importlib.import_module("loads_anyway")
    for use in (loaded.later, loaded.flags, lambda: list(loaded.flags), lambda: bool(loaded.flags), loaded.Mine):
        with pytest.raises(UnsupportedError, match="numbra does not have"):
            use()
    assert loaded.pair == [] and "StateDict" in repr(loaded.flags)
