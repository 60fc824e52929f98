"""NumPy dtypes and values as types, and back."""

import functools
import re
from collections import namedtuple

import numpy
from numbra._named import names_of
from numbra.core import errors, types

numpy_version = tuple(map(int, numpy.__version__.split(".")[:2]))

FROM_DTYPE = {
    numpy.dtype(name): getattr(types, name)
    for name in [
        "bool_",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
}
FROM_DTYPE[numpy.dtype(object)] = types.pyobject

re_typestr = re.compile(r"[<>=\|]([a-z])(\d+)?$", re.I)
re_datetimestr = re.compile(r"[<>=\|]([mM])8?(\[([a-z]+)\])?$", re.I)


def from_dtype(dtype):
    """The type of elements of a NumPy dtype.

    Parameters
    ----------
    dtype
        Of NumPy, or what it takes for one.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> nb.from_dtype(np.dtype("f4"))
    float32
    """
    if type(dtype) is type and issubclass(dtype, numpy.generic):
        dtype = numpy.dtype(dtype)
    elif dtype.fields is not None:
        return from_struct_dtype(dtype)
    if dtype.isnative:
        found = FROM_DTYPE.get(dtype)
        if found is not None:
            return found
        kind = dtype.kind
        if kind == "U":
            return types.UnicodeCharSeq(dtype.itemsize // 4)
        if kind == "S":
            return types.CharSeq(dtype.itemsize)
        if kind in "mM" and numpy.datetime_data(dtype)[1] == 1:
            unit = numpy.datetime_data(dtype)[0]
            text = "" if unit == "generic" else unit
            return types.NPTimedelta(text) if kind == "m" else types.NPDatetime(text)
        if is_bfloat16(dtype):
            return types.bfloat16
        if kind == "V" and dtype.subdtype is not None:
            element, shape = dtype.subdtype
            return types.NestedArray(from_dtype(element), shape)
        if kind in "iufcb":
            same = numpy.dtype(f"{kind}{dtype.itemsize}")
            if same in FROM_DTYPE:
                return FROM_DTYPE[same]
    raise errors.NumbaNotImplementedError(f"{dtype}")


def is_bfloat16(dtype):
    """Whether it is the ``bfloat16`` of ``ml_dtypes``, which NumPy does not have."""
    return dtype.kind == "V" and dtype.name == "bfloat16" and dtype.type.__module__.startswith("ml_dtypes")


def bfloat16_dtype():
    """The dtype of bfloat16, which needs ``ml_dtypes``."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise errors.NumbaNotImplementedError(
            "bfloat16 is no dtype of NumPy; install ml_dtypes, which has one: pip install ml_dtypes"
        ) from None
    return numpy.dtype(bfloat16)


def from_struct_dtype(dtype):
    """The record type of a structured dtype."""
    if dtype.hasobject:
        raise errors.NumbaNotImplementedError("dtypes that contain object are not supported.")
    fields = []
    for name, info in dtype.fields.items():
        element, offset = info[:2]
        title = info[2] if len(info) == 3 else None
        fields.append((name, {"type": from_dtype(element), "offset": offset, "title": title}))
    return types.Record(fields, dtype.itemsize, dtype.isalignedstruct)


def as_dtype(nbtype):
    """The NumPy dtype of a type."""
    nbtype = types.unliteral(nbtype)
    if isinstance(nbtype, (types.Complex, types.Integer, types.Float)):
        return numpy.dtype(str(nbtype))
    if isinstance(nbtype, types.Bfloat16):
        return bfloat16_dtype()
    if isinstance(nbtype, types.Boolean):
        return numpy.dtype("?")
    if isinstance(nbtype, (types.NPDatetime, types.NPTimedelta)):
        letter = "M8" if isinstance(nbtype, types.NPDatetime) else "m8"
        return numpy.dtype(f"{letter}[{nbtype.unit}]" if nbtype.unit else letter)
    if isinstance(nbtype, types.CharSeq):
        return numpy.dtype(f"S{nbtype.count}")
    if isinstance(nbtype, types.UnicodeCharSeq):
        return numpy.dtype(f"U{nbtype.count}")
    if isinstance(nbtype, types.Record):
        return as_struct_dtype(nbtype)
    if isinstance(nbtype, types.EnumMember):
        return as_dtype(nbtype.dtype)
    if isinstance(nbtype, types.DType):
        return as_dtype(nbtype.dtype)
    if isinstance(nbtype, types.NumberClass):
        return as_dtype(nbtype.dtype)
    if isinstance(nbtype, types.NestedArray):
        return numpy.dtype((as_dtype(nbtype.dtype), tuple(nbtype.shape)))
    if isinstance(nbtype, types.PyObject):
        return numpy.dtype(object)
    raise errors.NumbaNotImplementedError(f"{nbtype} cannot be represented as a NumPy dtype")


def as_struct_dtype(rec):
    """The structured dtype of a record type."""
    assert isinstance(rec, types.Record)
    names, formats, offsets, titles = [], [], [], []
    for name, ty in rec.members:
        if rec.is_title(name):
            continue
        names.append(name)
        formats.append(as_dtype(ty))
        offsets.append(rec.offset(name))
        titles.append(rec.fields[name].title)
    fields = {
        "names": names,
        "formats": formats,
        "offsets": offsets,
        "itemsize": rec.size,
        "titles": titles,
    }
    return numpy.dtype(fields, align=rec.aligned)


@functools.cache
def _record_dtype(rec):
    """The dtype of NumPy's record scalars for a record type."""
    return numpy.dtype((numpy.record, as_struct_dtype(rec)))


def is_arrayscalar(val) -> bool:
    """True for a NumPy scalar that has a type."""
    return isinstance(val, numpy.generic) and val.dtype in FROM_DTYPE


def map_arrayscalar_type(val):
    """The type of a NumPy scalar."""
    if isinstance(val, numpy.generic):
        dtype = val.dtype
    else:
        try:
            dtype = numpy.dtype(type(val))
        except TypeError:
            raise NotImplementedError(f"no corresponding numpy dtype for {type(val)!r}") from None
    return from_dtype(dtype)


def is_array(val) -> bool:
    """True for an array."""
    return isinstance(val, numpy.ndarray)


def map_layout(val) -> str:
    """C, F or A."""
    if val.flags["C_CONTIGUOUS"]:
        return "C"
    return "F" if val.flags["F_CONTIGUOUS"] else "A"


def is_contiguous(dims, strides, itemsize) -> bool:
    """True if an array of these dimensions and strides is contiguous either way."""
    return _ordered(dims[::-1], strides[::-1], itemsize) or _ordered(dims, strides, itemsize)


def _ordered(dims, strides, itemsize) -> bool:
    for dim, stride in zip(dims, strides, strict=True):
        if itemsize != stride:
            return False
        itemsize *= dim
    return True


def is_fortran(dims, strides, itemsize) -> bool:
    """True if the first axis is the one whose elements are adjacent."""
    return bool(dims) and strides[0] == itemsize


def type_can_asarray(arr) -> bool:
    """True if ``np.asarray`` takes a value of this type."""
    ok = (
        types.Array,
        types.Sequence,
        types.Tuple,
        types.StringLiteral,
        types.Number,
        types.Boolean,
        types.ListType,
    )
    return isinstance(arr, ok)


def type_is_scalar(typ) -> bool:
    """True if the type is a scalar to NumPy."""
    ok = (
        types.Boolean,
        types.Number,
        types.UnicodeType,
        types.StringLiteral,
        types.NPTimedelta,
        types.NPDatetime,
    )
    return isinstance(typ, ok)


def check_is_integer(v, name):
    """A ``TypingError`` unless ``v`` is an integer or an integer type."""
    if not isinstance(v, (int, types.Integer)):
        raise errors.TypingError(f"{name} must be an integer")


def lt_floats(a, b):
    """The order in which NumPy sorts floats: nan is last."""
    import math

    return a < b or (math.isnan(b) and not math.isnan(a))


def lt_complex(a, b):
    """The order in which NumPy sorts complex numbers."""
    import math

    if math.isnan(a.real):
        return math.isnan(b.real) and lt_floats(a.imag, b.imag)
    if math.isnan(b.real):
        return True
    if math.isnan(a.imag):
        return math.isnan(b.imag) and lt_floats(a.real, b.real)
    if math.isnan(b.imag):
        return True
    return (a.real, a.imag) < (b.real, b.imag)


def ufunc_can_cast(from_, to, has_mixed_inputs, casting="safe") -> bool:
    """``np.can_cast``; beside inexact operands an integer casts to any inexact type."""
    from_, to = numpy.dtype(from_), numpy.dtype(to)
    if has_mixed_inputs and from_.kind in "iu" and to.kind in "cf":
        return True
    return numpy.can_cast(from_, to, casting)


class UFuncLoopSpec(namedtuple("_UFuncLoopSpec", ("inputs", "outputs", "ufunc_sig"))):
    """A loop of a ufunc: types of inputs and outputs, and NumPy's letters for it."""

    __slots__ = ()

    @property
    def numpy_inputs(self):
        """Dtypes of the inputs."""
        return [as_dtype(x) for x in self.inputs]

    @property
    def numpy_outputs(self):
        """Dtypes of the outputs."""
        return [as_dtype(x) for x in self.outputs]


def ufunc_find_matching_loop(ufunc, arg_types):
    """The first loop of a ufunc that takes operands of these types, explicit outputs last; ``None`` without one."""
    inputs, outputs = list(arg_types[: ufunc.nin]), list(arg_types[ufunc.nin :])
    try:
        given_in = [as_dtype(x) for x in inputs]
        given_out = [as_dtype(x) for x in outputs]
    except errors.NumbaNotImplementedError:
        return None
    kinds = {dtype.kind for dtype in given_in}
    mixed = bool(kinds & set("iu")) and bool(kinds & set("cf"))
    for candidate in ufunc.types:
        ins, _, outs = candidate.partition("->")
        if "O" in candidate:
            continue
        takes = all(_casts_to_letter(a, letter, mixed, "safe") for a, letter in zip(given_in, ins, strict=False))
        gives = all(
            _casts_to_letter(numpy.dtype(letter), a.char, mixed, "same_kind")
            for a, letter in zip(given_out, outs, strict=False)
        )
        if takes and gives:
            return UFuncLoopSpec(_of_letters(inputs, ins), _of_letters(outputs, outs), candidate)
    return None


def _casts_to_letter(dtype, letter, mixed, casting):
    # Units are no matter of loops, and numbers do not become times.
    if dtype.kind in "mM" or letter in "mM":
        return dtype.kind == letter
    return ufunc_can_cast(dtype, letter, mixed, casting)


def _of_letters(given, letters):
    """The types of a loop's letters; times keep the units of the operands."""
    own = [*given, *[None] * (len(letters) - len(given))]
    return [
        ty if letter in "mM" and ty is not None else from_dtype(numpy.dtype(letter))
        for ty, letter in zip(own, letters, strict=False)
    ]


__getattr__ = names_of(__name__)
