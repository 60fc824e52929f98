"""What compiled code may do with ufuncs of ours beside calling them: calls of generalised ufuncs, methods, attributes.

The implementations are Python functions put together for the ranks of the arguments (:mod:`numbra.np.ufunc.composed`),
and are compiled where they are used.
"""

import functools
import itertools
import warnings

import numpy as np
from numbra import _numbra
from numbra.core import errors, types
from numbra.core.decorators import njit
from numbra.core.extending import overload_attribute, overload_method
from numbra.np import numpy_support
from numbra.np.ufunc.composed import concatenated, nested, stretched
from numbra.np.ufunc.loops import LoopDispatcher


def _ufunc(ty):
    """The ufunc object behind a type, or ``None``."""
    dispatcher = ty.dispatcher
    return dispatcher.ufunc_object() if isinstance(dispatcher, LoopDispatcher) else None


def _none(ty):
    if isinstance(ty, types.Omitted):
        return ty.value is None
    return ty is None or isinstance(ty, types.NoneType)


# --- calls of generalised ufuncs


@overload_method(types.Dispatcher, "__call__", strict=False)
def _call(ufunc, *args):
    gufunc = _ufunc(ufunc)
    if gufunc is None:
        return None
    builder = gufunc.gufunc_builder
    core = [*builder.sin, *builder.sout]
    if len(args) != len(core):
        raise errors.TypingError(f"{gufunc.__name__}: takes {len(core)} operands, {len(args)} given")
    for k, (ty, axes) in enumerate(zip(args, core, strict=True)):
        if isinstance(ty, types.Array) and ty.ndim < len(axes):
            output = k >= len(builder.sin)
            raise errors.TypingError(
                f"{gufunc.__name__}: {'Output' if output else 'Input'} operand {k - len(builder.sin) * output} does "
                f"not have enough dimensions (has {ty.ndim}, gufunc core with signature {builder.signature} requires "
                f"{len(axes)})"
            )
    elements = gufunc._get_ewise_dtypes(args)
    signature, _ = gufunc.find_ewise_function(elements)
    if signature is None:
        if gufunc._frozen or not gufunc.is_dynamic:
            raise errors.TypingError(f"cannot call {gufunc} with types {args}")
        gufunc._compile_for_argtys(elements)
        signature, _ = gufunc.find_ewise_function(elements)
    kernel = njit(error_model="numpy")(builder.py_func)
    _numbra._share_names(kernel, gufunc._dispatcher, list(signature.args))
    return _outer_loop(core, len(builder.sin), args, signature.args, kernel)


def _outer_loop(core, nin, args, params, kernel):
    """The loop over the outer axes, which broadcast to those of the outputs."""
    ranks = [ty.ndim - len(axes) if isinstance(ty, types.Array) else 0 for ty, axes in zip(args, core, strict=True)]
    rank = max(ranks)
    # The outputs say how far the loops go.
    says = next((k for k in range(nin, len(args)) if ranks[k] == rank), ranks.index(rank))
    is_short = rank > 0 and any(own != rank for own in ranks[nin:])
    core_rules, outer_rules = _extent_rules(core, nin, ranks, says)
    has_core_rules, has_outer_rules = bool(core_rules), bool(outer_rules)
    extents = concatenated((_shape, k) for k in range(len(args)))
    items = concatenated(
        (_item(own, rank - own, k < nin, isinstance(ty, types.Array), bool(axes), isinstance(param, types.Array)), k)
        for k, (ty, own, axes, param) in enumerate(zip(args, ranks, core, params, strict=True))
    )

    @njit
    def body(operands, shape, at):
        kernel(*items(operands, at))

    loops = nested(rank, body)

    def call(ufunc, *operands):
        extent = extents(operands, None)
        if has_core_rules:
            for own, wanted in core_rules:
                if extent[own] != extent[wanted]:
                    raise ValueError("Operand has a mismatch in one of its core dimensions")
        if is_short:
            raise ValueError("Loop and array shapes are incompatible")
        if has_outer_rules:
            for own, wanted, may_be_one in outer_rules:
                if extent[own] != extent[wanted] and not (may_be_one and extent[own] == 1):
                    raise ValueError("Loop and array shapes are incompatible")
        loops(operands, np.shape(operands[says])[:rank], ())

    return call


def _extent_rules(core, nin, ranks, says):
    """Which of the extents of all operands in a row are to be equal.

    First the pairs of core axes, then those of outer axes with 1 where the first of the pair may have one place.
    """
    starts = [0, *itertools.accumulate(own + len(axes) for own, axes in zip(ranks, core, strict=True))]
    first, core_rules, outer_rules = {}, [], []
    for k, (own, axes) in enumerate(zip(ranks, core, strict=True)):
        for position, axis in enumerate(axes, starts[k] + own):
            if first.setdefault(axis, position) != position:
                core_rules.append((position, first[axis]))
        if k != says:
            wanted = starts[says] + ranks[says] - own
            outer_rules += [(starts[k] + axis, wanted + axis, int(k < nin)) for axis in range(own)]
    return tuple(core_rules), tuple(outer_rules)


@njit
def _shape(operand, at):
    return np.shape(operand)


@functools.cache
def _item(own, outer, is_input, is_array, has_core, wants_array):
    """``function(operand, at)``: what the kernel gets of an operand with ``own`` outer axes, as a tuple of one."""
    place = stretched(own, outer) if is_input else _last(outer)
    if not is_array:

        def item(operand, at):
            return (np.full(1, operand) if wants_array else operand,)
    elif wants_array and not has_core and own:
        # One element as an array of one item.
        def item(operand, at):
            index = place(operand.shape, at)
            return (operand[(*index[:-1], slice(index[-1], index[-1] + 1))],)
    elif wants_array and not own:

        def item(operand, at):
            return (operand if has_core else operand.reshape(1),)
    else:

        def item(operand, at):
            return (operand[place(operand.shape, at)],)

    return njit(item)


@functools.cache
def _last(outer):
    @njit
    def last(shape, at):
        return at[outer:]

    return last


# --- attributes of ufuncs


def _attribute(name):
    @overload_attribute(types.Dispatcher, name)
    def attribute(ufunc):
        of = _ufunc(ufunc)
        if of is None:
            return None
        value = getattr(of, name)
        return lambda ufunc: value


for _name in ("nin", "nout", "nargs", "identity", "signature"):
    _attribute(_name)


# --- reductions


def _experimental(name):
    text = f"ufunc.{name} feature is experimental"
    warnings.warn(text, errors.NumbaExperimentalFeatureWarning, stacklevel=3)


@overload_method(types.Dispatcher, "reduce")
def _reduce(ufunc, array, axis=0, dtype=None, initial=None):
    of = _ufunc(ufunc)
    if of is None:
        return None
    _experimental("reduce")
    if not isinstance(array, types.Array):
        raise errors.NumbaTypeError('The first argument "array" must be array-like')
    if isinstance(axis, types.BaseTuple):
        return _reduce_axes(of, array.ndim, len(axis))
    if _none(axis):
        axes = tuple(range(array.ndim))

        def reduce(ufunc, array, axis=0, dtype=None, initial=None):
            return ufunc.reduce(array, axes, dtype, initial)

        return reduce
    return _reduce_axis(of, array.ndim, _none(dtype), _none(initial))


def _reduce_axes(of, ndim, count):
    if count == 0:
        return lambda ufunc, array, axis=0, dtype=None, initial=None: array
    if count > 1 and not of.reorderable:
        raise errors.NumbaTypeError(
            f"reduction operation '{of.__name__}' is not reorderable, so at most one axis may be specified"
        )
    along = _along_axes(count)

    def reduce(ufunc, array, axis=0, dtype=None, initial=None):
        axes = np.array(axis)
        for k in range(count):
            if axes[k] < 0:
                axes[k] += ndim
            if axes[k] < 0 or axes[k] >= ndim:
                raise ValueError("Invalid axis")
        # From the last axis on, so that the numbers of the others stay.
        axes.sort()
        for k in range(1, count):
            if axes[k] == axes[k - 1]:
                raise ValueError("duplicate value in 'axis'")
        return along(ufunc, array, axes, dtype, initial)

    return reduce


@functools.cache
def _along_axes(count):
    """Reduces along the last ``count`` of the axes given in order, the greatest first."""
    if count == 1:

        def along(ufunc, array, axes, dtype, initial):
            return ufunc.reduce(array, axes[-1], dtype, initial)
    else:
        before = _along_axes(count - 1)

        def along(ufunc, array, axes, dtype, initial):
            return ufunc.reduce(before(ufunc, array, axes, dtype, initial), axes[-count], dtype)

    return njit(along)


def _reduce_axis(of, ndim, has_own_dtype, has_own_start):
    identity, rank = of.identity, ndim - 1
    takes_first = has_own_start and identity is None
    taken = int(takes_first)
    empty = f"zero-size array to reduction operation {of.__name__} which has no identity"
    fill = nested(rank, _reduced(taken))

    def reduce(ufunc, array, axis=0, dtype=None, initial=None):
        at = axis + ndim if axis < 0 else axis
        if at < 0 or at >= ndim:
            raise ValueError("Invalid axis")
        moved = array if ndim == 1 else np.moveaxis(array, at, 0)
        if takes_first and moved.shape[0] == 0:
            raise ValueError(empty)
        start = identity if has_own_start else initial
        if rank:
            # An array of the results keeps their type; a number takes that of the function.
            out = np.empty(moved.shape[1:], array.dtype if has_own_dtype else dtype)
            fill((ufunc, out, moved, start), out.shape, ())
            return out
        value = moved[0] if takes_first else start
        for j in range(taken, moved.shape[0]):
            value = ufunc(value, moved[j])
        return value

    return reduce


@functools.cache
def _reduced(taken):
    """One result of a reduction along the first axis. It begins with the first element if ``taken`` is 1."""

    @njit
    def reduced(operands, shape, at):
        ufunc, out, moved, start = operands
        if taken:
            out[at] = moved[(0, *at)]
        else:
            out[at] = start
        for j in range(taken, moved.shape[0]):
            out[at] = ufunc(out[at], moved[(j, *at)])

    return reduced


@overload_method(types.Dispatcher, "reduceat")
def _reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    of = _ufunc(ufunc)
    if of is None:
        return None
    _experimental("reduceat")
    if of.nin != 2:
        raise errors.NumbaTypeError("reduceat only supported for binary functions")
    if not numpy_support.type_can_asarray(array):
        raise errors.NumbaTypeError('The first argument "array" must be array-like')
    if not numpy_support.type_can_asarray(indices):
        raise errors.NumbaTypeError('The second argument "indices" must be array-like')
    if not isinstance(
        types.unliteral(axis) if isinstance(axis, types.Type) else axis, (types.Integer, types.Omitted, int)
    ):
        raise errors.NumbaTypeError('"axis" must be an integer')
    if not _none(out) and not isinstance(out, types.Array):
        raise errors.NumbaTypeError("output must be an array")
    if not (isinstance(array, types.Array) and isinstance(indices, types.Array)):

        def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
            return ufunc.reduceat(np.asarray(array), np.asarray(indices), axis, dtype, out)

        return reduceat
    if indices.ndim != 1:
        raise errors.NumbaValueError(f'Expect "indices" array to have at most 1 dimension. Got {indices.ndim}')
    return _reduceat_arrays(array.ndim, _none(dtype), _none(out))


def _reduceat_arrays(ndim, has_own_dtype, is_new):
    fill = nested(ndim - 1, _reduced_part)
    replaced = concatenated((_replaced(axis), axis) for axis in range(ndim))

    def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
        at = axis + ndim if axis < 0 else axis
        if at < 0 or at >= ndim:
            raise np.exceptions.AxisError(axis, ndim)
        source = array if ndim == 1 else np.moveaxis(array, at, 0)
        count = indices.shape[0]
        shape = replaced(array.shape, (at, count))
        if is_new:
            result = np.zeros(shape, array.dtype if has_own_dtype else dtype)
        else:
            if out.shape != shape:
                raise ValueError("operands could not be broadcast together with remmaped shapes")
            result = out
        target = result if ndim == 1 else np.moveaxis(result, at, 0)
        for k in range(count):
            first = indices[k]
            last = indices[k + 1] if k + 1 < count else source.shape[0]
            if first < 0 or first >= source.shape[0]:
                raise ValueError("Invalid value for indices")
            fill((ufunc, target, source, k, first, last), source.shape[1:], ())
        return result

    return reduceat


@functools.cache
def _replaced(axis):
    """The extent of an axis, or the one given for it, as a tuple of one."""

    @njit
    def replaced(extent, given):
        return (given[1] if given[0] == axis else extent,)

    return replaced


@njit
def _reduced_part(operands, shape, at):
    """One result of the part of a reduction that is from ``first`` to before ``last``."""
    ufunc, target, source, k, first, last = operands
    target[(k, *at)] = source[(first, *at)]
    for j in range(first + 1, last):
        target[(k, *at)] = ufunc(target[(k, *at)], source[(j, *at)])


# --- at


@overload_method(types.Dispatcher, "at")
def _at(ufunc, a, indices, b=None):
    of = _ufunc(ufunc)
    if of is None:
        return None
    _experimental("at")
    if not isinstance(a, types.Array):
        raise errors.NumbaTypeError('The first argument "a" must be array-like')
    if of.nin == 2 and _none(b):
        raise errors.TypingError("second operand needed for ufunc")
    if of.nin == 1 and not _none(b):
        raise errors.TypingError("second operand provided when ufunc is unary")
    if not isinstance(indices, types.BaseTuple):
        return lambda ufunc, a, indices, b=None: ufunc.at(a, (indices,), b)
    parts = [indices[k] for k in range(len(indices))] if len(indices) else []
    return _at_parts(a, parts, b)


def _at_parts(a, parts, b):
    """Loops over the index: the axes of arrays first broadcast, then those of slices and whole axes."""
    if len(parts) > a.ndim:
        raise errors.TypingError(f"too many indices for array: array is {a.ndim}-dimensional")
    kinds = [_kind(ty) for ty in parts]
    arrays = [k for k, kind in enumerate(kinds) if kind in _ARRAYS]
    # The loops over slices, and one over all arrays: each by the parts that it has places of.
    loops = [k for k, kind in enumerate(kinds) if kind == "slice"]
    if arrays:
        where = _array_axis(kinds, loops)
        loops.insert(where, arrays[0])
    loop_of = {k: loops.index(arrays[0] if k in arrays else k) for k in [*arrays, *loops]}
    count, whole, several_arrays = len(parts), len(loops), len(arrays) > 1
    rank = whole + a.ndim - count
    prepared = concatenated((_prepared(kind, k), k) for k, kind in enumerate(kinds))
    extents = concatenated((_part_extent(kinds[k]), k) for k in loops)
    lengths = concatenated((_part_extent(kinds[k]), k) for k in arrays)
    places = concatenated((_part_place(kind, loop_of.get(k)), k) for k, kind in enumerate(kinds))
    is_unary = _none(b)
    is_listed = isinstance(b, (types.List, types.Sequence, types.BaseTuple)) and not isinstance(b, types.Array)
    own = 1 if is_listed else b.ndim if isinstance(b, types.Array) else None
    is_number, has_axes = own is None, bool(own)
    if own is not None and own > rank:
        raise errors.TypingError("ufunc.at: the second operand has too many dimensions")
    second = stretched(own or 0, rank - (own or 0))

    @njit
    def change(operands, shape, at):
        ufunc, a, index_parts, b = operands
        index = places(index_parts, at) + at[whole:]
        if is_unary:
            a[index] = ufunc(a[index])
        elif is_number:
            a[index] = ufunc(a[index], b)
        else:
            a[index] = ufunc(a[index], b[second(b.shape, at)])

    change_all = nested(rank, change)

    def at(ufunc, a, indices, b=None):
        index_parts = prepared(indices, a.shape)
        if several_arrays:
            length = lengths(index_parts, None)
            for other in length[1:]:
                if other != length[0]:
                    raise IndexError("shape mismatch of indices")
        shape = extents(index_parts, None) + a.shape[count:]
        values = np.asarray(b) if is_listed else b
        if has_axes:
            for k in range(own):
                if values.shape[k] != 1 and values.shape[k] != shape[rank - own + k]:
                    raise ValueError("operands could not be broadcast together with remapped shapes")
        change_all((ufunc, a, index_parts, values), shape, ())

    return at


#: Kinds of parts of an index that are arrays, or become such.
_ARRAYS = ("array", "mask", "list", "mask list")


def _kind(ty):
    """What a part of an index is."""
    if isinstance(ty, types.SliceType):
        return "slice"
    if isinstance(ty, types.Integer):
        return "integer"
    if not isinstance(ty, (types.Array, types.List, types.Sequence)):
        raise errors.TypingError(f"Unsupported array index type {ty} in ufunc.at")
    if isinstance(ty, types.Array) and ty.ndim != 1:
        raise errors.TypingError("ufunc.at with an index array of several dimensions is not supported")
    of = "array" if isinstance(ty, types.Array) else "list"
    return {"array": "mask", "list": "mask list"}[of] if isinstance(ty.dtype, types.Boolean) else of


def _array_axis(kinds, slices):
    """Which loop is that over the index arrays: in their place if they are together, else first."""
    advanced = [k for k, kind in enumerate(kinds) if kind != "slice"]
    together = all(b - a == 1 for a, b in itertools.pairwise(advanced))
    return sum(1 for k in slices if k < advanced[0]) if together else 0


@functools.cache
def _prepared(kind, axis):
    """``function(part, shape)``: a part of an index with what the loops need of it, as a tuple of one."""
    if kind == "slice":

        def prepared(part, shape):
            start, stop, step = part.indices(shape[axis])
            return ((start, step, len(range(start, stop, step))),)
    elif kind == "mask":

        def prepared(part, shape):
            return (np.flatnonzero(part),)
    elif kind == "list":

        def prepared(part, shape):
            return (np.asarray(part),)
    elif kind == "mask list":

        def prepared(part, shape):
            return (np.flatnonzero(np.asarray(part)),)
    else:

        def prepared(part, shape):
            return (part,)

    return njit(prepared)


@functools.cache
def _part_extent(kind):
    """``function(part, at)``: how many places a prepared part has, as a tuple of one."""
    if kind == "slice":

        def extent(part, at):
            return (part[2],)
    else:

        def extent(part, at):
            return (part.shape[0],)

    return njit(extent)


@functools.cache
def _part_place(kind, loop):
    """``function(part, at)``: the index along the axis of a prepared part, as a tuple of one."""
    if kind == "slice":

        def place(part, at):
            return (part[0] + at[loop] * part[1],)
    elif kind == "integer":

        def place(part, at):
            return (part,)
    else:

        def place(part, at):
            return (part[at[loop]],)

    return njit(place)
