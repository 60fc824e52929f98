"""Sorting by keys, and the functions that `numba.misc` makes sorts of."""

import math
import random

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError
from numbra.misc import mergesort, quicksort, timsort


def samples():
    rng = random.Random(3)
    for count in (0, 1, 2, 15, 64, 65, 200):
        for distinct in (1, 5, 10**6):
            items = [rng.randrange(distinct) for _ in range(count)]
            yield items
            yield sorted(items)
            yield sorted(items, reverse=True)
            yield sorted(items[: count // 2]) + items[count // 2 :]


def temporary(keys, n):
    return [keys[0]] * n


def temporary_array(keys, n):
    return np.empty(n, keys.dtype)


@pytest.mark.parametrize("compiled", [False, True])
def test_timsort(compiled):
    made = timsort.make_jit_timsort(temporary_array) if compiled else timsort.make_py_timsort(temporary)
    as_keys = (lambda items: np.array(items, np.int64)) if compiled else list
    for items in samples():
        keys = as_keys(items)
        made.run_timsort(keys)
        assert list(keys) == sorted(items)
        keys, values = as_keys(items), as_keys(range(len(items)))
        made.run_timsort_with_values(keys, values)
        assert list(values) == sorted(range(len(items)), key=items.__getitem__)


@pytest.mark.parametrize("make", [quicksort.make_py_quicksort, quicksort.make_jit_quicksort])
def test_quicksort(make):
    made, turned = make(), make(lt=lambda a, b: a > b)
    positions = make(is_argsort=True)
    for items in samples():
        array = np.array(items, np.float64)
        made.run_quicksort(array)
        assert array.tolist() == sorted(items)
        turned.run_quicksort(array)
        assert array.tolist() == sorted(items, reverse=True)
        found = positions.run_quicksort(np.array(items, np.float64))
        assert [items[i] for i in found] == sorted(items)
        if items:
            at = made.partition(array, array, 0, len(items) - 1)
            assert array[: at + 1].max() <= array[at] <= array[at:].min()
            low, high = made.partition3(array, 0, len(items) - 1)
            assert (array[low : high + 1] == array[low]).all()
            assert (array[:low] < array[low]).all() and (array[high + 1 :] > array[low]).all()
    # No order: every NaN comes behind all numbers.
    strange = make(lt=lambda a, b: math.isnan(b) or a < b)
    array = np.where(np.arange(200) % 7 == 3, np.nan, np.arange(200)[::-1])
    strange.run_quicksort(array)
    assert np.array_equal(array, np.sort(array), equal_nan=True)


def test_quicksort_along_the_last_axis():
    made = quicksort.make_jit_quicksort(is_np_array=True)
    for shape in ((40,), (3, 20), (2, 3, 20), (2, 0), (0,)):
        array = np.random.default_rng(1).random(shape)
        expected = np.sort(array)
        made.run_quicksort(array)
        assert np.array_equal(array, expected)


def test_mergesort():
    made, positions = mergesort.make_jit_mergesort(), mergesort.make_jit_mergesort(is_argsort=True)
    for items in samples():
        array = np.array(items, np.int64)
        assert np.array_equal(positions.run_mergesort(array), np.argsort(array, kind="stable"))
        assert made.run_mergesort(array).tolist() == sorted(items)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("key", [len, abs, math.sin, np.abs, max])
def test_keys_of_the_library(key, tier):
    def run(x):
        in_place = list(x)
        in_place.sort(key=key)
        return sorted(x, key=key, reverse=True), in_place, min(x, key=key)

    samples = {
        len: [["ccc", "", "bb", "a", "aa"], ["\u65e5\u672c", "abc"]],
        abs: [[3, -4, 0, -1, 4], [2.5, -0.0, -3.5, 0.0]],
        math.sin: [[3.0, 1.0, 2.0]],
        np.abs: [[3, -4, 0]],
        max: [[(1, 5), (3, 2), (2, 9)]],
    }
    compiled = nb.njit(tier=tier)(run)
    for items in samples[key]:
        assert repr(compiled(items)) == repr(run(items))


def test_keys_and_reverse_that_are_neither():
    @nb.njit
    def in_place(x, key, reverse):
        x.sort(key=key, reverse=reverse)

    @nb.njit
    def copied(x, key, reverse):
        return sorted(x, key=key, reverse=reverse)

    for call in (in_place, copied):
        for key, reverse, words in (
            ("no", False, "Key must be None or a Numba JIT compiled function"),
            (None, "no", "an integer is required for 'reverse'"),
        ):
            with pytest.raises(TypingError, match=words):
                call([2, 1], key, reverse)
