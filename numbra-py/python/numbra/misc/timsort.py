"""Makes the functions of Timsort, as CPython's ``listsort.txt`` describes it: Numba's ``numba.misc.timsort``.

All of them sort ``keys`` and permute ``values`` alike; where ``values`` is ``keys`` there are no values.
"""

from typing import NamedTuple

from numbra._named import names_of

# Runs of a stack: each is longer than the two above it together, so this is enough for any length.
MAX_MERGE_PENDING = 85
# So many items in a row from one run, and a merge looks for longer stretches.
MIN_GALLOP = 7
# Items there is room for at first beside what is sorted.
MERGESTATE_TEMP_SIZE = 256


class MergeRun(NamedTuple):
    """A sorted stretch."""

    start: int
    size: int


class MergeState(NamedTuple):
    """What merging goes on with: ``pending`` is a stack of ``n`` runs, ``keys`` and ``values`` are room."""

    min_gallop: int
    keys: object
    values: object
    pending: list
    n: int


class TimsortImplementation(NamedTuple):
    """The functions of a Timsort: ``compile`` made each of the others."""

    compile: object
    count_run: object
    binarysort: object
    gallop_left: object
    gallop_right: object
    merge_init: object
    merge_append: object
    merge_pop: object
    merge_compute_minrun: object
    merge_lo: object
    merge_hi: object
    merge_at: object
    merge_force_collapse: object
    merge_collapse: object
    run_timsort: object
    run_timsort_with_values: object


def make_timsort_impl(wrap, make_temp_area):
    """The functions of a Timsort.

    Parameters
    ----------
    wrap : callable
        What each of them goes through: a decorator that compiles it, or the identity.
    make_temp_area : callable
        ``make_temp_area(keys, n)`` gives room for ``n`` items such as those of ``keys``.
    """
    make_temp_area = wrap(make_temp_area)

    @wrap
    def merge_init(keys):
        """The state before the first merge, without values."""
        room = make_temp_area(keys, min(len(keys) // 2 + 1, MERGESTATE_TEMP_SIZE))
        return MergeState(MIN_GALLOP, room, room, [MergeRun(0, 0)] * MAX_MERGE_PENDING, 0)

    @wrap
    def merge_init_with_values(keys, values):
        """The state before the first merge."""
        size = min(len(keys) // 2 + 1, MERGESTATE_TEMP_SIZE)
        room = make_temp_area(keys, size)
        beside = make_temp_area(values, size)
        return MergeState(MIN_GALLOP, room, beside, [MergeRun(0, 0)] * MAX_MERGE_PENDING, 0)

    @wrap
    def merge_append(ms, run):
        """The state with a run on top of the stack."""
        ms.pending[ms.n] = run
        return MergeState(ms.min_gallop, ms.keys, ms.values, ms.pending, ms.n + 1)

    @wrap
    def merge_pop(ms):
        """The state without the run on top."""
        return MergeState(ms.min_gallop, ms.keys, ms.values, ms.pending, ms.n - 1)

    @wrap
    def with_room(ms, count):
        """The state with room for so many items."""
        if len(ms.keys) >= count:
            return ms
        room = make_temp_area(ms.keys, count)
        # Where there are no values they are the keys.
        beside = make_temp_area(ms.values, count) if ms.values is not ms.keys else room
        return MergeState(ms.min_gallop, room, beside, ms.pending, ms.n)

    @wrap
    def with_gallop(ms, min_gallop):
        return MergeState(min_gallop, ms.keys, ms.values, ms.pending, ms.n)

    @wrap
    def merge_compute_minrun(n):
        """The least length of runs: ``n`` divided by it is a power of two, or just below one."""
        odd = 0
        while n >= 64:
            odd |= n & 1
            n >>= 1
        return n + odd

    @wrap
    def count_run(keys, lo, hi):
        """The length of the run that begins at ``lo``, and whether it descends; ``hi`` is behind the last item."""
        if lo + 1 >= hi:
            return hi - lo, False
        i = lo + 2
        if keys[lo + 1] < keys[lo]:
            while i < hi and keys[i] < keys[i - 1]:
                i += 1
            return i - lo, True
        while i < hi and not keys[i] < keys[i - 1]:
            i += 1
        return i - lo, False

    @wrap
    def binarysort(keys, values, lo, hi, start):
        """Sorts from ``lo`` on by insertion; what stands before ``start`` is sorted."""
        has_values = values is not keys
        first = start
        if first <= lo:
            first = lo + 1
        for i in range(first, hi):
            key = keys[i]
            value = values[i]
            left = lo
            right = i
            while left < right:
                middle = (left + right) >> 1
                if key < keys[middle]:
                    right = middle
                else:
                    left = middle + 1
            for j in range(i, left, -1):
                keys[j] = keys[j - 1]
            keys[left] = key
            if has_values:
                for j in range(i, left, -1):
                    values[j] = values[j - 1]
                values[left] = value

    @wrap
    def gallop_left(key, a, start, stop, hint):
        """The first position where ``key`` may stand among the sorted items from ``start`` on, from ``hint``."""
        low = start
        high = stop
        step = 1
        if a[hint] < key:
            low = hint + 1
            while low < stop:
                at = hint + step
                if at >= stop:
                    break
                if not a[at] < key:
                    high = at
                    break
                low = at + 1
                step = 2 * step + 1
        else:
            high = hint
            while high > start:
                at = hint - step
                if at < start:
                    break
                if a[at] < key:
                    low = at + 1
                    break
                high = at
                step = 2 * step + 1
        while low < high:
            middle = (low + high) >> 1
            if a[middle] < key:
                low = middle + 1
            else:
                high = middle
        return low

    @wrap
    def gallop_right(key, a, start, stop, hint):
        """As :func:`gallop_left`, the last such position."""
        low = start
        high = stop
        step = 1
        if key < a[hint]:
            high = hint
            while high > start:
                at = hint - step
                if at < start:
                    break
                if not key < a[at]:
                    low = at + 1
                    break
                high = at
                step = 2 * step + 1
        else:
            low = hint + 1
            while low < stop:
                at = hint + step
                if at >= stop:
                    break
                if key < a[at]:
                    high = at
                    break
                low = at + 1
                step = 2 * step + 1
        while low < high:
            middle = (low + high) >> 1
            if key < a[middle]:
                high = middle
            else:
                low = middle + 1
        return low

    @wrap
    def copy_up(to, at, of, start, count):
        """Copies items, the first one first."""
        for i in range(count):
            to[at + i] = of[start + i]

    @wrap
    def copy_down(to, at, of, start, count):
        """Copies items, the last one first."""
        for i in range(count - 1, -1, -1):
            to[at + i] = of[start + i]

    @wrap
    def merge_lo(ms, keys, values, ssa, na, ssb, nb):
        """Merges ``na`` items from ``ssa`` on with the ``nb`` behind them, from the left; the former go to the room."""
        has_values = values is not keys
        ms = with_room(ms, na)
        a_keys = ms.keys
        a_values = ms.values
        copy_up(a_keys, 0, keys, ssa, na)
        if has_values:
            copy_up(a_values, 0, values, ssa, na)
        min_gallop = ms.min_gallop
        a = 0
        b = ssb
        to = ssa
        while na > 0 and nb > 0:
            from_a = 0
            from_b = 0
            while na > 0 and nb > 0 and from_a < min_gallop and from_b < min_gallop:
                if keys[b] < a_keys[a]:
                    keys[to] = keys[b]
                    if has_values:
                        values[to] = values[b]
                    b += 1
                    nb -= 1
                    from_b += 1
                    from_a = 0
                else:
                    keys[to] = a_keys[a]
                    if has_values:
                        values[to] = a_values[a]
                    a += 1
                    na -= 1
                    from_a += 1
                    from_b = 0
                to += 1
            while na > 0 and nb > 0:
                # What of each comes before the other's next item, with that.
                from_a = gallop_right(keys[b], a_keys, a, a + na, a) - a
                copy_up(keys, to, a_keys, a, from_a)
                if has_values:
                    copy_up(values, to, a_values, a, from_a)
                a += from_a
                to += from_a
                na -= from_a
                if na == 0:
                    break
                from_b = gallop_left(a_keys[a], keys, b, b + nb, b) - b
                copy_up(keys, to, keys, b, from_b)
                if has_values:
                    copy_up(values, to, values, b, from_b)
                b += from_b
                to += from_b
                nb -= from_b
                if from_a < MIN_GALLOP and from_b < MIN_GALLOP:
                    break
                min_gallop = max(min_gallop - 1, 1)
            min_gallop += 1
        copy_up(keys, to, a_keys, a, na)
        if has_values:
            copy_up(values, to, a_values, a, na)
        return with_gallop(ms, min_gallop)

    @wrap
    def merge_hi(ms, keys, values, ssa, na, ssb, nb):
        """As :func:`merge_lo` from the right; the latter go to the room."""
        has_values = values is not keys
        ms = with_room(ms, nb)
        b_keys = ms.keys
        b_values = ms.values
        copy_up(b_keys, 0, keys, ssb, nb)
        if has_values:
            copy_up(b_values, 0, values, ssb, nb)
        min_gallop = ms.min_gallop
        # Items that are left of each stand at its start, and go to the end of what is left of all.
        while na > 0 and nb > 0:
            from_a = 0
            from_b = 0
            while na > 0 and nb > 0 and from_a < min_gallop and from_b < min_gallop:
                to = ssa + na + nb - 1
                if b_keys[nb - 1] < keys[ssa + na - 1]:
                    keys[to] = keys[ssa + na - 1]
                    if has_values:
                        values[to] = values[ssa + na - 1]
                    na -= 1
                    from_a += 1
                    from_b = 0
                else:
                    keys[to] = b_keys[nb - 1]
                    if has_values:
                        values[to] = b_values[nb - 1]
                    nb -= 1
                    from_b += 1
                    from_a = 0
            while na > 0 and nb > 0:
                left = gallop_right(b_keys[nb - 1], keys, ssa, ssa + na, ssa + na - 1)
                from_a = ssa + na - left
                copy_down(keys, left + nb, keys, left, from_a)
                if has_values:
                    copy_down(values, left + nb, values, left, from_a)
                na -= from_a
                if na == 0:
                    break
                left = gallop_left(keys[ssa + na - 1], b_keys, 0, nb, nb - 1)
                from_b = nb - left
                copy_up(keys, ssa + na + left, b_keys, left, from_b)
                if has_values:
                    copy_up(values, ssa + na + left, b_values, left, from_b)
                nb -= from_b
                if from_a < MIN_GALLOP and from_b < MIN_GALLOP:
                    break
                min_gallop = max(min_gallop - 1, 1)
            min_gallop += 1
        copy_up(keys, ssa, b_keys, 0, nb)
        if has_values:
            copy_up(values, ssa, b_values, 0, nb)
        return with_gallop(ms, min_gallop)

    @wrap
    def merge_at(ms, keys, values, i):
        """Merges run ``i`` of the stack with the one above it; at most one more stands above these."""
        ssa, na = ms.pending[i]
        ssb, nb = ms.pending[i + 1]
        ms.pending[i] = MergeRun(ssa, na + nb)
        if i == ms.n - 3:
            ms.pending[i + 1] = ms.pending[i + 2]
        ms = merge_pop(ms)
        # What is in place at both ends stays.
        first = gallop_right(keys[ssb], keys, ssa, ssa + na, ssa)
        na -= first - ssa
        ssa = first
        if na == 0:
            return ms
        nb = gallop_left(keys[ssa + na - 1], keys, ssb, ssb + nb, ssb + nb - 1) - ssb
        if na <= nb:
            return merge_lo(ms, keys, values, ssa, na, ssb, nb)
        return merge_hi(ms, keys, values, ssa, na, ssb, nb)

    @wrap
    def merge_collapse(ms, keys, values):
        """Merges until each run of the stack is longer than the two above it together."""
        while ms.n > 1:
            pending = ms.pending
            at = ms.n - 2
            third = at > 0 and pending[at - 1].size <= pending[at].size + pending[at + 1].size
            fourth = at > 1 and pending[at - 2].size <= pending[at - 1].size + pending[at].size
            if third or fourth:
                if pending[at - 1].size < pending[at + 1].size:
                    at -= 1
            elif pending[at].size > pending[at + 1].size:
                break
            ms = merge_at(ms, keys, values, at)
        return ms

    @wrap
    def merge_force_collapse(ms, keys, values):
        """Merges all runs of the stack."""
        while ms.n > 1:
            at = ms.n - 2
            if at > 0 and ms.pending[at - 1].size < ms.pending[at + 1].size:
                at -= 1
            ms = merge_at(ms, keys, values, at)
        return ms

    @wrap
    def turn(items, lo, hi):
        hi -= 1
        while lo < hi:
            kept = items[lo]
            items[lo] = items[hi]
            items[hi] = kept
            lo += 1
            hi -= 1

    @wrap
    def sort(ms, keys, values):
        lo = 0
        hi = len(keys)
        least = merge_compute_minrun(hi)
        while lo < hi:
            size, descends = count_run(keys, lo, hi)
            if descends:
                turn(keys, lo, lo + size)
                if values is not keys:
                    turn(values, lo, lo + size)
            if size < least:
                longer = min(least, hi - lo)
                binarysort(keys, values, lo, lo + longer, lo + size)
                size = longer
            ms = merge_append(ms, MergeRun(lo, size))
            ms = merge_collapse(ms, keys, values)
            lo += size
        merge_force_collapse(ms, keys, values)

    @wrap
    def run_timsort(keys):
        """Sorts in place."""
        if len(keys) > 1:
            sort(merge_init(keys), keys, keys)

    @wrap
    def run_timsort_with_values(keys, values):
        """Sorts ``keys`` in place, and permutes ``values`` alike."""
        if len(keys) > 1:
            sort(merge_init_with_values(keys, values), keys, values)

    return TimsortImplementation(
        wrap,
        count_run,
        binarysort,
        gallop_left,
        gallop_right,
        merge_init,
        merge_append,
        merge_pop,
        merge_compute_minrun,
        merge_lo,
        merge_hi,
        merge_at,
        merge_force_collapse,
        merge_collapse,
        run_timsort,
        run_timsort_with_values,
    )


def make_py_timsort(*args):
    """As :func:`make_timsort_impl`, as functions of Python."""
    return make_timsort_impl((lambda function: function), *args)


def make_jit_timsort(*args):
    """As :func:`make_timsort_impl`, compiled."""
    from numbra.core.decorators import njit

    return make_timsort_impl(njit, *args)


__getattr__ = names_of(__name__)
