"""What compiled code may do with ufuncs of ours beside calling them: calls of generalised ufuncs, methods, attributes.

The implementations are Python functions made for the ranks of the arguments, and are compiled where they are used.
"""

import itertools
import linecache
import warnings

from numbra.core import errors, types
from numbra.core.extending import overload_attribute, overload_method
from numbra.np import numpy_support
from numbra.np.ufunc.loops import LoopDispatcher


def _function(name, lines, **names):
    """A function from the lines of its source, whose free names are ``names``."""
    import numpy

    text = "\n".join(lines) + "\n"
    file = f"<numbra {name} {abs(hash(text))}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope = {"np": numpy, **names}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


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
    from numbra.core.decorators import njit

    kernel = njit(error_model="numpy")(builder.py_func)
    return _outer_loop(gufunc.__name__, core, len(builder.sin), args, signature.args, kernel)


def _outer_loop(name, core, nin, args, params, kernel):
    """The loop over the outer axes, which broadcast to those of the outputs."""
    ranks = [ty.ndim - len(axes) if isinstance(ty, types.Array) else 0 for ty, axes in zip(args, core, strict=True)]
    rank = max(ranks)
    operands = [f"a{k}" for k in range(len(args))]
    lines = [f"def call(ufunc, {', '.join(operands)}):"]
    first = {}
    for k, axes in enumerate(core):
        for position, axis in enumerate(axes):
            extent = f"a{k}.shape[{ranks[k] + position}]"
            if axis in first:
                lines.append(f"    if {extent} != {first[axis]}:")
                lines.append("        raise ValueError('Operand has a mismatch in one of its core dimensions')")
            else:
                first[axis] = extent
    # The outputs say how far the loops go.
    outputs = [k for k in range(nin, len(args)) if ranks[k] == rank] or [ranks.index(rank)]
    shape = [f"a{outputs[0]}.shape[{axis}]" for axis in range(rank)]
    short = rank > 0 and any(ranks[k] != rank for k in range(nin, len(args)))
    if short:
        lines.append("    raise ValueError('Loop and array shapes are incompatible')")
    for k, own in enumerate(ranks):
        for axis in range(own):
            wanted = shape[rank - own + axis]
            extent = f"a{k}.shape[{axis}]"
            if extent != wanted:
                one = "" if k >= nin else f"{extent} != 1 and "
                lines.append(f"    if {one}{extent} != {wanted}:")
                lines.append("        raise ValueError('Loop and array shapes are incompatible')")
    indent = "    "
    for axis in range(rank):
        lines.append(f"{indent}for i{axis} in range({shape[axis]}):")
        indent += "    "
    given = []
    for k, (ty, axes, param) in enumerate(zip(args, core, params, strict=True)):
        own = ranks[k]
        index = [
            f"(i{rank - own + axis} if a{k}.shape[{axis}] != 1 else 0)" if k < nin else f"i{rank - own + axis}"
            for axis in range(own)
        ]
        wants_array = isinstance(param, types.Array)
        if not isinstance(ty, types.Array):
            lines.append(f"{indent}v{k} = np.full(1, a{k})" if wants_array else f"{indent}v{k} = a{k}")
        elif axes:
            lines.append(f"{indent}v{k} = a{k}[{', '.join([*index, *[':'] * len(axes)])}]")
        elif not wants_array:
            lines.append(f"{indent}v{k} = a{k}[{', '.join(index) or '()'}]")
        elif own:
            # One element as an array of one item.
            index[-1:] = [f"({index[-1]}):({index[-1]}) + 1"]
            lines.append(f"{indent}v{k} = a{k}[{', '.join(index)}]")
        else:
            lines.append(f"{indent}v{k} = a{k}.reshape(1)")
        given.append(f"v{k}")
    lines.append(f"{indent}kernel({', '.join(given)})")
    return _function("call", lines, kernel=kernel)


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


def _start(identity, initial):
    """The source of the first value of a reduction, and how many elements it takes."""
    if not _none(initial):
        return "initial", 0
    return ("{first}", 1) if identity is None else (repr(identity), 0)


@overload_method(types.Dispatcher, "reduce")
def _reduce(ufunc, array, axis=0, dtype=None, initial=None):
    of = _ufunc(ufunc)
    if of is None:
        return None
    _experimental("reduce")
    if not isinstance(array, types.Array):
        raise errors.NumbaTypeError('The first argument "array" must be array-like')
    head = "def reduce(ufunc, array, axis=0, dtype=None, initial=None):"
    if isinstance(axis, types.BaseTuple):
        return _reduce_axes(of, head, array, axis, initial)
    if _none(axis):
        return _function(
            "reduce", [head, f"    return ufunc.reduce(array, {tuple(range(array.ndim))}, dtype, initial)"]
        )
    return _reduce_axis(of, head, array, initial, dtype)


def _reduce_axes(of, head, array, axis, initial):
    count = len(axis)
    if count == 0:
        return _function("reduce", [head, "    return array"])
    if count > 1 and not of.reorderable:
        raise errors.NumbaTypeError(
            f"reduction operation '{of.__name__}' is not reorderable, so at most one axis may be specified"
        )
    ndim = array.ndim
    lines = [head]
    for k in range(count):
        lines += [
            f"    x{k} = axis[{k}] + {ndim} if axis[{k}] < 0 else axis[{k}]",
            f"    if x{k} < 0 or x{k} >= {ndim}:",
            "        raise ValueError('Invalid axis')",
        ]
    lines += [
        f"    if x{a} == x{b}:\n        raise ValueError(\"duplicate value in 'axis'\")"
        for a in range(count)
        for b in range(a)
    ]
    # From the last axis on, so that the numbers of the others stay.
    for a in range(count):
        lines += [f"    if x{b} > x{a}:\n        x{a}, x{b} = x{b}, x{a}" for b in range(a + 1, count)]
    lines.append("    r0 = ufunc.reduce(array, x0, dtype, initial)")
    lines += [f"    r{k} = ufunc.reduce(r{k - 1}, x{k}, dtype)" for k in range(1, count)]
    lines.append(f"    return r{count - 1}")
    return _function("reduce", lines)


def _reduce_axis(of, head, array, initial, dtype):
    ndim = array.ndim
    start, taken = _start(of.identity, initial)
    empty = f"zero-size array to reduction operation {of.__name__} which has no identity"
    lines = [head, f"    at = axis + {ndim} if axis < 0 else axis"]
    lines += [f"    if at < 0 or at >= {ndim}:", "        raise ValueError('Invalid axis')"]
    if ndim == 1:
        lines.append("    moved = array")
    else:
        for axis in range(ndim):
            order = (axis, *(k for k in range(ndim) if k != axis))
            test = "if" if axis == 0 else "elif"
            lines.append(f"    {test + f' at == {axis}' if axis < ndim - 1 else 'else'}:")
            lines.append(f"        moved = array.transpose({order})")
    if taken:
        lines += ["    if moved.shape[0] == 0:", f"        raise ValueError({empty!r})"]
    outer = [f"i{k}" for k in range(ndim - 1)]
    indent = "    "
    if outer:
        shape = ", ".join(f"moved.shape[{k + 1}]" for k in range(ndim - 1))
        kind = "array.dtype" if _none(dtype) else "dtype"
        lines.append(f"    out = np.empty(({shape},), {kind})")
        for k, name in enumerate(outer):
            lines.append(f"{indent}for {name} in range(moved.shape[{k + 1}]):")
            indent += "    "
    value = start.format(first=f"moved[{', '.join(['0', *outer])}]")
    result = f"out[{', '.join(outer)}]" if outer else "value"
    # An array of the results keeps their type; a number takes that of the function.
    lines.append(f"{indent}{result} = {value}")
    lines.append(f"{indent}for j in range({taken}, moved.shape[0]):")
    lines.append(f"{indent}    {result} = ufunc({result}, moved[{', '.join(['j', *outer])}])")
    lines.append("    return out" if outer else "    return value")
    return _function("reduce", lines)


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
    head = "def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):"
    if not (isinstance(array, types.Array) and isinstance(indices, types.Array)):
        call = "    return ufunc.reduceat(np.asarray(array), np.asarray(indices), axis, dtype, out)"
        return _function("reduceat", [head, call])
    if indices.ndim != 1:
        raise errors.NumbaValueError(f'Expect "indices" array to have at most 1 dimension. Got {indices.ndim}')
    return _reduceat_arrays(head, array.ndim, _none(dtype), _none(out))


def _reduceat_arrays(head, ndim, own_dtype, new):
    lines = [head, f"    at = axis + {ndim} if axis < 0 else axis"]
    lines += [
        f"    if at < 0 or at >= {ndim}:",
        f"        raise np.exceptions.AxisError(axis, {ndim})",
    ]
    kind = "array.dtype" if own_dtype else "dtype"
    shape = ", ".join(f"(indices.shape[0] if at == {k} else array.shape[{k}])" for k in range(ndim))
    if new:
        lines.append(f"    result = np.zeros(({shape},), {kind})")
    else:
        lines += [
            f"    if out.shape != ({shape},):",
            "        raise ValueError('operands could not be broadcast together with remmaped shapes')",
            "    result = out",
        ]
    for name, of in (("source", "array"), ("target", "result")):
        if ndim == 1:
            lines.append(f"    {name} = {of}")
            continue
        for axis in range(ndim):
            order = (axis, *(k for k in range(ndim) if k != axis))
            test = f"if at == {axis}" if axis == 0 else f"elif at == {axis}" if axis < ndim - 1 else "else"
            lines += [f"    {test}:", f"        {name} = {of}.transpose({order})"]
    lines.append("    count = indices.shape[0]")
    lines.append("    for k in range(count):")
    lines.append("        first = indices[k]")
    lines.append("        last = indices[k + 1] if k + 1 < count else source.shape[0]")
    lines.append("        if first < 0 or first >= source.shape[0]:")
    lines.append("            raise ValueError('Invalid value for indices')")
    indent = "        "
    outer = [f"i{k}" for k in range(ndim - 1)]
    for k, name in enumerate(outer):
        lines.append(f"{indent}for {name} in range(source.shape[{k + 1}]):")
        indent += "    "
    element = f"target[{', '.join(['k', *outer])}]"
    lines.append(f"{indent}{element} = source[{', '.join(['first', *outer])}]")
    lines.append(f"{indent}for j in range(first + 1, last):")
    lines.append(f"{indent}    {element} = ufunc({element}, source[{', '.join(['j', *outer])}])")
    lines.append("    return result")
    return _function("reduceat", lines)


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
    if isinstance(indices, types.BaseTuple):
        parts = [indices[k] for k in range(len(indices))] if len(indices) else []
    else:
        parts = [indices]
    return _at_parts(a, indices, parts, b)


def _at_parts(a, indices, parts, b):
    """Loops over the index: the axes of arrays first broadcast, then those of slices and whole axes."""
    head = "def at(ufunc, a, indices, b=None):"
    if len(parts) > a.ndim:
        raise errors.TypingError(f"too many indices for array: array is {a.ndim}-dimensional")
    lines, axes = [head], []
    loops, arrays = [], 0
    several = isinstance(indices, types.BaseTuple)
    for k in range(a.ndim):
        if k >= len(parts):
            loops.append((f"r{k}", f"a.shape[{k}]"))
            axes.append(f"r{k}")
            continue
        part = f"indices[{k}]" if several else "indices"
        ty = parts[k]
        if isinstance(ty, types.SliceType):
            lines.append(f"    lo{k}, hi{k}, st{k} = {part}.indices(a.shape[{k}])")
            lines.append(f"    n{k} = len(range(lo{k}, hi{k}, st{k}))")
            loops.append((f"r{k}", f"n{k}"))
            axes.append(f"lo{k} + r{k} * st{k}")
        elif isinstance(ty, (types.Array, types.List, types.Sequence)):
            arrays += 1
            dtype = ty.dtype
            lines.append(f"    x{k} = np.asarray({part})" if not isinstance(ty, types.Array) else f"    x{k} = {part}")
            if isinstance(dtype, types.Boolean):
                lines.append(f"    y{k} = np.flatnonzero(x{k})")
                name = f"y{k}"
            else:
                name = f"x{k}"
            if isinstance(ty, types.Array) and ty.ndim != 1:
                raise errors.TypingError("ufunc.at with an index array of several dimensions is not supported")
            axes.append((name, k))
        elif isinstance(ty, types.Integer):
            lines.append(f"    x{k} = {part}")
            axes.append(f"x{k}")
        else:
            raise errors.TypingError(f"Unsupported array index type {ty} in ufunc.at")
    if arrays:
        name = next(axis[0] for axis in axes if isinstance(axis, tuple))
        where = _array_axis(parts, loops)
        loops.insert(where, ("q", f"{name}.shape[0]"))
        lines += [
            f"    if {axis[0]}.shape[0] != {name}.shape[0]:\n        raise IndexError('shape mismatch of indices')"
            for axis in axes
            if isinstance(axis, tuple) and axis[0] != name
        ]
        axes = [f"{axis[0]}[q]" if isinstance(axis, tuple) else axis for axis in axes]
    indent = "    "
    operand = None
    if not _none(b):
        operand = "b"
        if isinstance(b, (types.List, types.Sequence, types.BaseTuple)) and not isinstance(b, types.Array):
            lines.append("    c = np.asarray(b)")
            operand, rank = "c", 1
        else:
            rank = b.ndim if isinstance(b, types.Array) else None
        if rank is not None:
            if rank > len(loops):
                raise errors.TypingError("ufunc.at: the second operand has too many dimensions")
            own = loops[len(loops) - rank :]
            for k, (_, extent) in enumerate(own):
                lines.append(f"    if {operand}.shape[{k}] != 1 and {operand}.shape[{k}] != {extent}:")
                lines.append(
                    "        raise ValueError('operands could not be broadcast together with remapped shapes')"
                )
            index = [f"({name} if {operand}.shape[{k}] != 1 else 0)" for k, (name, _) in enumerate(own)]
            operand = f"{operand}[{', '.join(index) or '()'}]"
    for name, extent in loops:
        lines.append(f"{indent}for {name} in range({extent}):")
        indent += "    "
    element = f"a[{', '.join(axes) or '()'}]"
    call = f"ufunc({element}, {operand})" if operand else f"ufunc({element})"
    lines.append(f"{indent}{element} = {call}")
    return _function("at", lines)


def _array_axis(parts, loops):
    """Where the axis of the index arrays stands: in their place if they are together, else first."""
    is_array = [isinstance(ty, (types.Array, types.List, types.Sequence)) for ty in parts]
    advanced = [k for k, ty in enumerate(parts) if is_array[k] or isinstance(ty, types.Integer)]
    together = all(b - a == 1 for a, b in itertools.pairwise(advanced))
    if not together:
        return 0
    return sum(1 for name, _ in loops if int(name[1:]) < advanced[0])
