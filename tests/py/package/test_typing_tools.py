"""What extensions ask of typing: conversions, unification, overloads; and mangled names, traces, gufunc schedules."""

import itertools
import logging

import pytest
from numbra.core import itanium_mangler, tracing, types
from numbra.core.registry import CPUDispatcher, cpu_target
from numbra.core.typeconv import Conversion, castgraph, rules
from numbra.core.typeconv.typeconv import TypeCastingRules, TypeManager
from numbra.core.typing import Context
from numbra.cuda.deviceufunc import (
    GUFuncEngine,
    select_gufunc_signature,
    select_signature,
)

i8, i16, i32, i64, u32 = types.int8, types.int16, types.int32, types.int64, types.uint32
f32, f64 = types.float32, types.float64


def test_unification_does_not_depend_on_the_order():
    context = Context()
    for chosen in itertools.combinations([i32, u32, i64, types.uint64, f32, f64, types.complex64], 3):
        found = {context.unify_types(*order) for order in itertools.permutations(chosen)}
        assert len(found) == 1
        assert None not in found
    assert context.unify_types(i32) == i32
    assert context.unify_pairs(types.Array(i32, 1, "C"), i32) is None
    assert context.unify_types(i32, types.none) == types.Optional(i32)


def test_the_best_overload():
    context = Context()
    cases = [i16(i16, i16), i32(i32, i32), f64(f64, f64)]
    assert context.resolve_overload("f", cases, (i16, i32), {}) is cases[1]
    assert context.resolve_overload("f", cases, (f32, i8), {}) is cases[2]
    assert context.resolve_overload("f", cases, (i8, i8), {}) is cases[0]
    assert context.resolve_overload("f", cases, (types.none, i8), {}) is None
    assert context.resolve_overload("f", cases, (i8,), {}) is None
    assert context.resolve_overload("f", cases, (i8, i8), {}, exact_match_required=True) is None
    assert context.resolve_overload("f", [i32(i32)], (i64,), {}, unsafe_casting=False) is None
    with pytest.raises(TypeError, match=r"Ambiguous overloading for f \(int8, int8\):\n\(int16, int16\) -> int16\n"):
        context.resolve_overload("f", cases, (i8, i8), {}, allow_ambiguous=False)


def test_conversions_that_follow_from_others():
    manager = TypeManager()
    made = types.Dummy("made")
    casting = TypeCastingRules(manager)
    casting.promote_unsafe(i32, i64)
    casting.safe(i64, f64)
    assert manager.check_compatible(i32, f64) == Conversion.safe
    assert manager.check_compatible(f64, i32) is None
    casting.promote(f64, made)
    assert manager.check_compatible(i32, made) == Conversion.safe
    assert manager.check_compatible(made, made) == Conversion.exact
    assert manager.select_overload((i32,), [(made,), (i64,)], False, False) == 1
    with pytest.raises(TypeError, match="No matching definition"):
        manager.select_overload((i64,), [(i32,)], False, False)
    with pytest.raises(TypeError, match="Ambiguous overloading"):
        manager.select_overload((i32,), [(i64,), (i64,)], False, False)
    with pytest.raises(ValueError, match="is not a Numba type"):
        manager.check_compatible(i32, "int32")
    assert castgraph.TypeGraph().get(i32) == {}
    assert rules.default_type_manager.check_compatible(i32, f32) == Conversion.unsafe


def test_the_target():
    assert CPUDispatcher.targetdescr is cpu_target
    assert isinstance(cpu_target.typing_context, Context)


@pytest.mark.parametrize(
    ("mangled", "ident", "arguments", "more"),
    [
        ("_Z1fif", "f", [i32, f32], {}),
        ("_ZN6module1fEx", "module.f", [i64], {}),
        ("_ZN1m1fB2v3Ex", "m.f", [i64], {"uid": 3}),
        ("_Z9_3clam_3eb", "<lam>", [types.boolean], {}),
        ("_Z1f5ArrayIfLi1E1C7mutable7alignedE", "f", [types.Array(f32, 1, "C")], {}),
    ],
)
def test_mangled_names(mangled, ident, arguments, more):
    assert itanium_mangler.mangle(ident, arguments, **more) == mangled


def test_namespaces():
    assert itanium_mangler.prepend_namespace("_Z1fif", "cudapy") == "_ZN6cudapy1fEif"
    assert itanium_mangler.prepend_namespace("_ZN1m1fEif", "cudapy") == "_ZN6cudapy1m1fEif"
    with pytest.raises(ValueError, match="input is not a mangled name"):
        itanium_mangler.prepend_namespace("f", "cudapy")


def test_traces(caplog):
    @tracing.dotrace
    def inner(x, y=2, *rest, **named):
        if x < 0:
            raise ValueError("negative")
        return x + y

    @tracing.dotrace("category")
    def outer(x):
        inner(x, z=1)

    with caplog.at_level(logging.INFO, "trace"):
        outer(3)
        with pytest.raises(ValueError, match="negative"):
            inner(-1)
        tracing.doevent("done")
    assert [message.replace(f"{__name__}.", "") for message in caplog.messages] == [
        ">> outer(x=3)",
        ">>  inner(x=3, y=2, z=1)",
        "<<  inner -> 5",
        "<< outer",
        ">> inner(x=-1, y=2)",
        "<< inner => exception thrown\n\traise builtins.ValueError('negative')",
        "== done",
    ]
    assert tracing.notrace(inner) is inner
    with pytest.raises(NotImplementedError):
        tracing.dotrace(recursive=True)


def test_gufunc_schedules():
    engine = GUFuncEngine.from_signature("(m,n),(n)->(m)")
    plan = engine.schedule([(5, 2, 3, 4), (4,)])
    assert (plan.ishapes, plan.oshapes, plan.output_shapes) == ([(3, 4), (4,)], [(3,)], [(5, 2, 3)])
    assert (plan.loopdims, plan.loopn, plan.pinned) == ((5, 2), 10, [False, True])
    for shapes, error, message in [
        ([(3, 4)], TypeError, "invalid number of input argument"),
        ([(4,), (4,)], ValueError, "arg #1: insufficient inner dimension"),
        ([(3, 4), (5,)], ValueError, r"arg #2: shape\[0\] mismatch argument"),
        ([(5, 3, 4), (2, 4)], ValueError, "arg #2: outer dimension mismatch"),
    ]:
        with pytest.raises(error, match=message):
            engine.schedule(shapes)


def test_signatures_of_device_ufuncs():
    import numpy as np

    single, double = np.dtype("f4"), np.dtype("f8")
    signatures = [(single, single), (double, double)]
    assert select_signature(signatures, (double, double), (None, None)) == (double, double)
    assert select_signature(signatures, (single, None), (None, 2)) == (single, single)
    assert select_signature(signatures, (None, None), (1.0, 2.0)) == (double, double)
    with pytest.raises(TypeError, match="No matching version"):
        select_signature(signatures, (single, double), (None, None))
    with pytest.raises(TypeError, match="ambiguous signature"):
        select_signature(signatures, (None, None), (1, 2))
    # Numba's choice: the first whose types could be cast to those of the arguments.
    assert select_gufunc_signature(signatures, (double, single)) == (single, single)
    with pytest.raises(TypeError, match="no matching signature"):
        select_gufunc_signature(signatures, (np.dtype("i4"), single))
