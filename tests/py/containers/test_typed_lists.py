"""`typed.List`, from Python and in compiled code, as CPython's list with items of one type."""

import copy
import gc
import pickle
import sys
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError
from numbra.typed import Dict, List

SLICES = (
    slice(None),
    slice(1, 3),
    slice(None, None, 2),
    slice(None, None, -1),
    slice(4, 1, -2),
    slice(-3, None),
    slice(5, 5),
    slice(3, 1),
    slice(-100, 100),
    slice(100, None),
)


def of(*items):
    made = List()
    for item in items:
        made.append(item)
    return made


def numbers(n):
    return of(*range(n))


def same(found, expected):
    assert type(found) is List
    assert list(found) == expected
    assert len(found) == len(expected)


# From Python


def test_reads_as_a_list_does():
    made, twin = numbers(6), list(range(6))
    same(made, twin)
    assert made[0] == 0 and made[-1] == 5 and made[np.int64(2)] == 2 and made[True] == 1
    assert 3 in made and 9 not in made and "x" not in made
    assert made.index(4) == 4 and made.count(2) == 1
    assert list(reversed(made)) == twin[::-1]
    for index in SLICES:
        same(made[index], twin[index])
    for index in (6, -7, 2**70, -(2**70)):
        with pytest.raises(IndexError, match="list index out of range"):
            made[index]
    for index in ("a", 1.5, None):
        with pytest.raises(TypingError, match="list indices must be integers or slices"):
            made[index]
    with pytest.raises(ValueError):
        made.index(99)


def test_changes_as_a_list_does():
    made, twin = numbers(6), list(range(6))
    for both in (made, twin):
        both[1] = -1
        both[-1] = -5
        both.insert(0, 7)
        both.insert(-1, 8)
        both.insert(100, 9)
        both.insert(-100, 10)
        both.extend([1, 2])
        both += (3,)
        both.remove(-1)
        assert both.pop() == 3
        assert both.pop(0) == 10
        assert both.pop(-2) == 1
        del both[0]
        del both[-1]
    same(made, twin)
    made.reverse()
    twin.reverse()
    same(made, twin)
    made.extend(made)
    twin.extend(twin)
    same(made, twin)
    for index, wrong in ((99, made.pop), (-99, made.pop)):
        with pytest.raises(IndexError, match="pop index out of range"):
            wrong(index)
    with pytest.raises(IndexError):
        made[99] = 1
    with pytest.raises(IndexError):
        del made[-99]
    with pytest.raises(ValueError, match="x not in list"):
        made.remove(99)
    same(made, twin)
    made.clear()
    same(made, [])
    with pytest.raises(IndexError, match="pop from empty list"):
        made.pop()


def test_slices_change_as_a_lists_do():
    for index in SLICES:
        made, twin = numbers(6), list(range(6))
        count = len(twin[index])
        made[index] = [-n for n in range(count)]
        twin[index] = [-n for n in range(count)]
        same(made, twin)
        if index.step in (None, 1):
            made[index] = of(11, 12, 13)
            twin[index] = [11, 12, 13]
            same(made, twin)
        elif count:
            with pytest.raises(ValueError, match="extended"):
                made[index] = [1] * (count + 1)
            same(made, twin)
        del made[index]
        del twin[index]
        same(made, twin)
    made = numbers(4)
    made[1:3] = made
    same(made, [0, 0, 1, 2, 3, 3])


def test_type_follows_from_the_first_item():
    made = List()
    assert not made._typed and len(made) == 0 and repr(made) == "ListType[Undefined]([])"
    with pytest.raises(IndexError):
        made[0]
    with pytest.raises(TypeError, match="no type yet"):
        nb.typeof(made)
    made.append(1)
    assert made._numba_type_ == types.ListType(types.int64)
    assert made._dtype == types.int64
    assert repr(made) == "ListType[int64]([1])" and str(made) == "[1]"
    made.append(True)
    made.append(np.int8(-2))
    same(made, [1, 1, -2])
    for item, shown in ((2.9, "float64"), ("text", "unicode_type")):
        with pytest.raises(TypingError, match=f"cannot safely cast {shown} to int64. Please cast explicitly"):
            made.append(item)
    with pytest.raises(OverflowError):
        made.append(2**63)
    same(made, [1, 1, -2])


@pytest.mark.parametrize(
    ("item_type", "items", "error"),
    [
        (types.boolean, (2, 1.5), TypingError),
        (types.UniTuple(types.int64, 2), ((1, 1.5),), TypingError),
        (types.uint8, (-1,), OverflowError),
    ],
)
def test_items_that_would_lose_their_value(item_type, items, error):
    made = List.empty_list(item_type)
    for item in items:
        with pytest.raises(error):
            made.append(item)
    same(made, [])


def test_types_and_constructors():
    made = List.empty_list(types.float32, allocated=10)
    assert made._allocated() >= 10 and made._dtype == types.float32
    made.append(0.1)
    assert made[0] == np.float32(0.1)
    same(List([1, 2]), [1, 2])
    same(List(range(3)), [0, 1, 2])
    same(List("ab"), ["a", "b"])
    same(List(x * x for x in range(3)), [0, 1, 4])
    same(List(np.arange(3)), [0, 1, 2])
    same(List(lsttype=types.ListType(types.int8)), [])
    same(List[int]([4]), [4])
    assert types.ListType(types.int64) == types.ListType(types.int64)
    assert types.ListType(types.int64).item_type == types.ListType(types.int64).dtype == types.int64
    assert types.ListType(types.int64) != types.List(types.int64)
    assert str(types.ListType(types.int64[::1])) == "ListType[array(int64, 1d, C)]"
    with pytest.raises(TypeError, match="at most 1"):
        List(1, 2)
    with pytest.raises(TypeError, match="iterable"):
        List(23)
    with pytest.raises(TypeError):
        hash(List([1]))


def test_compares_copies_and_pickles():
    made = numbers(4)
    assert made == numbers(4) and made == [0, 1, 2, 3] and made != numbers(3)
    assert made != (0, 1, 2, 3)
    assert made < of(0, 2) and made <= made and of(9) > made and made >= numbers(4)
    for again in (copy.copy(made), copy.deepcopy(made), made.copy(), pickle.loads(pickle.dumps(made))):
        same(again, [0, 1, 2, 3])
        assert again._numba_type_ == made._numba_type_
        again.append(1)
        assert len(made) == 4
    empty = pickle.loads(pickle.dumps(List.empty_list(types.complex64)))
    assert empty._dtype == types.complex64
    assert not copy.copy(List())._typed and not pickle.loads(pickle.dumps(List()))._typed
    nested = of(of(1, 2), of(3))
    assert pickle.loads(pickle.dumps(nested)) == [[1, 2], [3]]


def test_items_of_every_kind():
    for items in (
        [1.5, float("inf"), -0.0],
        [True, False],
        [1j, 2 + 1j],
        ["a", "bc", "\U0001f600"],
        [(1, 2.5), (3, 4.5)],
        [(1, ("a", 2)), (2, ("b", 3))],
        [np.datetime64("2020-01-01"), np.datetime64("2021-01-01")],
        [np.float32(1.5)],
        [np.int8(-3)],
        [None, None, None],
        [[1, 2], [3]],
        [{1, 2}, {3}],
    ):
        made = of(*items)
        same(made, items)
        same(made[::-1], items[::-1])
        same(pickle.loads(pickle.dumps(made)), items)
    arrays = of(np.arange(3.0), np.ones(2))
    assert arrays[0].sum() == 3.0
    arrays[1][:] = 7
    assert arrays[1][0] == 7.0
    dicts = of(Dict.empty(types.int64, types.float64))
    dicts[0][1] = 2.5
    assert dicts[0][1] == 2.5


def test_optional_items_are_refused():
    with pytest.raises(TypingError, match=r"List\.item_type cannot be of type"):
        types.ListType(types.optional(types.int64))

    @nb.njit
    def optional(x):
        made = List()
        made.append(x if x > 0 else None)
        return made

    with pytest.raises(TypingError):
        optional(1)


def test_sort():
    made = of(3, 1, 2)
    made.sort()
    same(made, [1, 2, 3])
    made.sort(reverse=True)
    same(made, [3, 2, 1])
    made.sort(key=lambda x: -x, reverse=True)
    same(made, [1, 2, 3])
    List().sort()
    texts = of("b", "a", "c")
    texts.sort()
    same(texts, ["a", "b", "c"])


def test_converting_an_item_may_change_the_list():
    made = numbers(4)

    class Index:
        def __index__(self):
            made.clear()
            return 1

    for change in (
        lambda: made.__setitem__(2, Index()),
        lambda: made[Index()],
        lambda: made.pop(Index()),
    ):
        made.extend(range(4))
        with pytest.raises((IndexError, TypeError, TypingError)):
            change()
    made.clear()
    made.extend(range(4))
    items = iter(made)
    seen = [next(items)]
    made.clear()
    assert seen + list(items) == [0]


class Shrinks:
    """An index that changes the list before it is a number."""

    def __init__(self, change, value=0):
        self.change, self.value = change, value

    def __index__(self):
        self.change()
        return self.value


def test_bounds_of_slices_may_change_the_list():
    for count in (4, 1000):
        made = List(range(count))
        same(made[Shrinks(made.clear) :], [])
        made.extend(range(count))
        same(made[Shrinks(lambda made=made: made.append(7), -2) :], [count - 1, 7])
        made = List(range(count))
        made[Shrinks(made.clear) : count] = [7]
        same(made, [7])
        made.append(1)
        same(made, [7, 1])
        del made[Shrinks(made.clear) :]
        same(made, [])
        made.extend(range(count))
        del made[:: Shrinks(made.clear, 2)]
        same(made, [])
    nested = List([List([1])] * 4)
    same(nested[Shrinks(nested.clear) :], [])

    def fails():
        raise ZeroDivisionError

    for use in (numbers(3).__getitem__, numbers(3).__delitem__):
        with pytest.raises(ZeroDivisionError):
            use(Shrinks(fails))


class Owner:
    """Memory of an array, and what is done when nobody has it any more."""

    def __init__(self, then):
        self.array, self.then = np.ones(3), then

    @property
    def __array_interface__(self):
        return self.array.__array_interface__

    def __del__(self):
        self.then()


@nb.njit
def assign_each_other(items, others):
    items[::2] = others


@pytest.mark.parametrize("compiled", [False, True])
def test_finalizers_change_the_list_that_is_assigned_to(compiled):
    for change in (
        lambda made: made.clear(),
        lambda made: made.extend([np.zeros(2)] * 1000),
        lambda made: made.pop(),
    ):
        made = List()
        weakly = weakref.ref(made)
        for _ in range(4):
            made.append(np.asarray(Owner(lambda change=change, made=weakly: made() and change(made()))))
        others = of(np.full(2, 5.0), np.full(2, 6.0))
        if compiled:
            assign_each_other(made, others)
        else:
            made[::2] = others
        assert all(len(item) in (2, 3) for item in made)
        del made[::2]
        assert all(len(item) in (2, 3) for item in made)
        made.clear()


def test_slices_of_many_items_go_in_one_pass():
    made, twin = List(range(100_000)), list(range(100_000))
    for index in (slice(None, None, 2), slice(None, None, -3), slice(10, -10, 7), slice(5, 5, 2)):
        del made[index]
        del twin[index]
        same(made, twin)


def test_no_items_are_repeated_often():
    @nb.njit
    def repeated(n):
        items = [1]
        items.pop()
        return len(items * n)

    assert repeated(2**62) == 0


def test_what_items_refer_to():
    array = np.arange(4.0)
    gone = weakref.ref(array)
    count = sys.getrefcount(array)
    made = of(array, array)
    twin = made.copy()
    made[0] = np.ones(1)
    del made[1]
    made.append(array)
    made[0:1] = [array, array]
    made.clear()
    del twin, made
    gc.collect()
    assert sys.getrefcount(array) == count
    made = of(array)
    del array
    assert gone() is not None and made[0].sum() == 6.0
    del made
    gc.collect()
    assert gone() is None


# Compiled code

POSITIONS = types.ListType(types.int64)


@nb.njit
def summed(items):
    total = items[0]
    for i in range(1, len(items)):
        total += items[i]
    return total


@nb.njit
def grown(items, n):
    for i in range(n):
        items.append(i)
    return items


def test_compiled_code_shares_the_list():
    made = numbers(3)
    back = grown(made, 2)
    same(made, [0, 1, 2, 0, 1])
    same(back, [0, 1, 2, 0, 1])
    back.append(9)
    assert made[-1] == 9
    assert summed(made) == 13
    assert summed(of(0.5, 1.0)) == 1.5
    assert summed(of("a", "b")) == "ab"
    assert summed.signatures[0] == (types.ListType(types.int64),)
    with pytest.raises(IndexError):
        summed(List.empty_list(types.int64))
    with pytest.raises(TypeError, match="no type yet"):
        summed(List())


def methods(items):
    items.append(5)
    items.insert(0, 7)
    items.extend(items[1:3])
    items.remove(5)
    first = items.pop(0)
    last = items.pop()
    items[0] = 3
    items[1:2] = items[:2]
    del items[-1]
    other = items.copy()
    items.reverse()
    items += other
    n = items.count(3)
    other.clear()
    return first, last, n, items.index(3), 3 in items, 99 in items, len(other), len(items)


def test_methods_in_compiled_code():
    made, twin = numbers(6), list(range(6))
    assert nb.njit(methods)(made) == methods(twin)
    same(made, twin)


@nb.njit
def made_inside(n):
    items = List()
    for i in range(n):
        items.append(i * 0.5)
    return items


@nb.njit
def made_of_type(n):
    items = List.empty_list(types.int32, n)
    items.append(n)
    return items


@nb.njit
def made_of(values):
    return List(values)


@nb.njit
def of_nones(n):
    items = List()
    for _ in range(n):
        items.append(None)
    return items


@nb.njit
def of_lists(n):
    items = List()
    for i in range(n):
        items.append([i])
    return items


@nb.njit
def nested(n):
    rows = List()
    for i in range(n):
        row = List()
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


def test_lists_of_compiled_code():
    same(made_inside(3), [0.0, 0.5, 1.0])
    assert made_of_type(4)._dtype == types.int32
    same(made_of(numbers(3)), [0, 1, 2])
    same(made_of((1, 2)), [1, 2])
    same(made_of(np.arange(3)), [0, 1, 2])
    same(made_of("ab"), ["a", "b"])
    for made, expected in ((of_nones(3), [None] * 3), (of_lists(2), [[0], [1]])):
        same(made, expected)
    rows = nested(4)
    assert [list(row) for row in rows] == [[], [0], [0, 1], [0, 1, 2]]
    rows[1].append(5)
    assert list(rows[1]) == [0, 5]


@nb.njit
def kinds(a, b):
    return a is b, a == b, a != b, a < b, a <= b, isinstance(a, List), isinstance(a, list)


def test_identity_and_order_in_compiled_code():
    a, b = numbers(3), numbers(3)
    assert kinds(a, a) == (True, True, False, False, True, True, False)
    assert kinds(a, b) == (False, True, False, False, True, True, False)
    b.append(1)
    assert kinds(a, b) == (False, False, True, True, True, True, False)


def test_an_item_that_is_not_there():
    @nb.njit
    def unchecked(items, i):
        return items.getitem_unchecked(i)

    made = numbers(3)
    assert unchecked(made, 2) == made.getitem_unchecked(2) == 2
    for get in (unchecked, List.getitem_unchecked):
        with pytest.raises(IndexError):
            get(made, 3)


def test_in_tuples_dicts_closures_and_loops():
    @nb.njit
    def unpack(pair, n):
        items, scale = pair
        total = 0.0
        for i, item in enumerate(items):
            total += item * scale * i
        return total, [x for x in items if x > n], sorted(items), sum(items), max(items), min(items)

    assert unpack((of(3, 1, 2), 2.0), 1) == (10.0, [3, 2], [1, 2, 3], 6, 3, 1)

    @nb.njit
    def grouped(keys):
        groups = Dict.empty(types.int64, POSITIONS)
        for i in range(len(keys)):
            k = keys[i]
            if k not in groups:
                groups[k] = List.empty_list(types.int64)
            groups[k].append(i)
        return groups

    groups = grouped(np.array([1, 2, 1, 1]))
    assert {k: list(v) for k, v in groups.items()} == {1: [0, 2, 3], 2: [1]}

    @nb.njit(parallel=True)
    def rows(items):
        out = np.zeros(len(items))
        for i in nb.prange(len(items)):
            out[i] = items[i].sum()
        return out

    assert list(rows(of(*(np.full(3, float(n)) for n in range(5))))) == [0, 3, 6, 9, 12]


def test_signatures_and_refused_uses():
    @nb.njit("int64(ListType(int64))")
    def said(items):
        return len(items)

    assert said(numbers(3)) == 3
    with pytest.raises(TypeError):
        said(of(1.5))

    @nb.njit
    def mixed():
        items = List()
        items.append(1)
        items.append("a")
        return items

    with pytest.raises(TypingError):
        mixed()

    @nb.njit
    def untyped():
        List()
        return 1

    with pytest.raises(TypingError):
        untyped()
    with pytest.raises(TypingError):
        made_of(3)


def test_references_balance_in_compiled_code():
    @nb.njit
    def shuffled(items):
        other = items.copy()
        other.extend(items)
        other[0] = other[-1]
        kept = other[1:]
        kept.pop()
        kept.reverse()
        del other[0]
        return kept

    array = np.arange(3.0)
    items = of(array, np.ones(2))
    count = sys.getrefcount(array)
    for _ in range(20):
        shuffled(items)
    gc.collect()
    assert sys.getrefcount(array) == count
    kept = shuffled(items)
    del items, array
    gc.collect()
    assert sorted(float(a.sum()) for a in kept) == [2.0, 2.0, 3.0][: len(kept)] or len(kept) == 2


def test_copies_share_what_was_shared():
    inner = List([1, 2])
    outer = List([inner, inner, List([3])])
    for copied in (copy.deepcopy(outer), copy.deepcopy([outer, outer])[1]):
        assert copied == outer
        copied[0].append(9)
        assert list(copied[1]) == [1, 2, 9] and list(copied[2]) == [3] and list(inner) == [1, 2]
    by_name = nb.typed.Dict()
    by_name["a"] = by_name["b"] = inner
    copied = copy.deepcopy(by_name)
    copied["a"].append(9)
    assert list(copied["b"]) == [1, 2, 9] and list(inner) == [1, 2]


def test_made_again():
    items = List([1, 2])
    items.__init__([3])
    assert list(items) == [3]


CHANGES = [
    "items.append(0)",
    "items[0] = 0",
    "items.pop()",
    "items.pop(0)",
    "del items[0]",
    "del items[0:1]",
    "items.extend((0,))",
    "items.extend(other)",
    "items += other",
    "items.insert(0, 0)",
    "items.clear()",
    "items.reverse()",
    "items.sort()",
    "items[0:1] = other",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_list_that_may_not_be_changed(change):
    made = {}
    exec(f"def f(items, other):\n    {change}\n    return len(items)\n", made)
    for run in (made["f"], nb.njit(made["f"])):
        items = List([1, 2])
        items._make_immutable()
        with pytest.raises(ValueError, match="list is immutable"):
            run(items, List([7]))
        assert list(items) == [1, 2] and not items._is_mutable() and items.copy()._is_mutable()
        items._make_mutable()
        run(items, List([7]))

    @nb.njit
    def inside():
        items = List([1])
        items._make_immutable()
        frozen = items._is_mutable()
        items._make_mutable()
        return frozen, items._is_mutable(), List.empty_list(nb.int32, 5)._allocated()

    assert inside() == (False, True, 5)


def test_changes_during_iteration_are_noticed():
    @nb.njit
    def grows(items):
        for x in items:
            items.append(x)

    with pytest.raises(RuntimeError, match="list was mutated during iteration"):
        grows(List([1, 2]))


def test_lists_of_typed_lists_are_arguments():
    @nb.njit
    def total(rows):
        out = 0
        for row in rows:
            row.append(len(row))
            for x in row:
                out += x
        return out

    rows = [List([1, 2]), List([3])]
    assert total(rows) == 9 and [list(row) for row in rows] == [[1, 2, 2], [3, 1]]


def test_only_containers_of_the_type_are_shared():
    class Mine(List):
        pass

    class Other(Dict):
        pass

    @nb.njit
    def size(x):
        return len(x)

    @nb.njit
    def through(x):
        return x

    mine, other = Mine([1, 2, 3]), Other()
    other["a"] = 1.5
    before = sys.getrefcount(mine), sys.getrefcount(other)
    for _ in range(3):
        # Each call meets the entry of the one before.
        assert size(List([1, 2])) == 2 and size(mine) == 3
        assert size(List([1.5])) == 1 and size([1, 2]) == 2
        assert size(other) == 1 and size((mine, other)) == 2
        assert through((mine, 1))[0]._address == mine._address
        for untyped in (List(), Mine(), Dict()):
            with pytest.raises(TypeError, match="has no type yet"):
                size(untyped)
    assert (sys.getrefcount(mine), sys.getrefcount(other)) == before
    assert len(size.signatures) == 5


@pytest.mark.parametrize("item_type", [types.int64, types.float64, types.int32, types.unicode_type], ids=str)
def test_items_from_python_through_every_door(item_type):
    class Mine(List):
        def __getitem__(self, index):
            return "mine", super().__getitem__(index)

    values = ["a", "b"] if item_type == types.unicode_type else [item_type(v) for v in (1, -(2**31), 2**30, -3)]
    if item_type == types.int64:
        values += [2**62, -(2**63)]
    for made in (List.empty_list(item_type), Mine(lsttype=types.ListType(item_type))):
        for value in values:
            made.append(value)
        made.append(item=values[0])
        List.append(made, values[1])
        assert super(List, made).append(values[0]) is None
        twin = [*values, values[0], values[1], values[0]]
        for i in range(-len(twin), len(twin)):
            assert List.__getitem__(made, i) == twin[i]
            assert made[i] == (("mine", twin[i]) if type(made) is Mine else twin[i])
            made[i] = twin[(i - 1) % len(twin)]
            assert List.__getitem__(made, i) == twin[(i - 1) % len(twin)]
            made[i] = twin[i]
        for args, names in (((), {}), ((1, 2), {}), ((), {"x": 1})):
            with pytest.raises(TypeError, match="append"):
                made.append(*args, **names)
        with pytest.raises(TypeError, match=r"descriptor 'append' for '.*List' objects doesn't apply"):
            List.append([], 1)
        for index in (len(twin), -len(twin) - 1, 2**70):
            with pytest.raises(IndexError, match="list index out of range"):
                made[index]
            with pytest.raises(IndexError, match="list index out of range"):
                made[index] = twin[0]
        with pytest.raises(TypingError):
            made.append(None)
        with pytest.raises(TypingError):
            made[0] = 1j
        made._make_immutable()
        with pytest.raises(ValueError, match="list is immutable"):
            made.append(values[0])
        with pytest.raises(ValueError, match="list is immutable"):
            made[0] = values[0]
        assert len(made) == len(twin)
