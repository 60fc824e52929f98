"""LLVM's intrinsic functions as operations of LIR."""

from numbra.core.errors import UnsupportedError
from numbra.core.recorder.llvmir import FunctionType, IntType, LiteralStructType, Value, VoidType

#: Operations of one, two and three operands of one type.
_OPERATIONS = {
    "bswap": "bswap",
    "ceil": "ceil",
    "copysign": "fcopysign",
    "ctpop": "popcnt",
    "exp": "math.exp",
    "exp2": "math.exp2",
    "fabs": "fabs",
    "floor": "floor",
    "fma": "fma",
    "fmuladd": "fma",
    "log": "math.log",
    "log10": "math.log10",
    "log2": "math.log2",
    "maximum": "fmax",
    "minimum": "fmin",
    "nearbyint": "nearest",
    "pow": "math.pow",
    "rint": "nearest",
    "roundeven": "nearest",
    "cos": "math.cos",
    "sin": "math.sin",
    "smax": "smax",
    "smin": "smin",
    "sqrt": "sqrt",
    "trunc": "ftrunc",
    "umax": "umax",
    "umin": "umin",
}
_OPERANDS = {"copysign": 2, "maximum": 2, "minimum": 2, "pow": 2, "smax": 2, "smin": 2, "umax": 2, "umin": 2}
_OPERANDS |= {"fma": 3, "fmuladd": 3}


def _operation(op):
    return lambda builder, args: builder.operation(op, args)


def _zeros(op):
    return lambda builder, args: builder.operation(op, args[:1])


def _overflow(op):
    return lambda builder, args: builder.overflow_operation(op, *args)


def _copy(overlap):
    def emit(builder, args):
        target, source, size = args[:3]
        return builder.memory_copy(target, source, size, overlap)

    return emit


def _set(builder, args):
    target, byte, size = args[:3]
    return builder.memory_set(target, byte, size)


def _nothing(builder, args):
    return Value(VoidType())


_TABLE = {f"llvm.{name}": _operation(op) for name, op in _OPERATIONS.items()}
_TABLE |= {f"llvm.{op}.with.overflow": _overflow(op) for op in ("sadd", "ssub", "smul", "uadd", "usub", "umul")}
_TABLE |= {"llvm.ctlz": _zeros("clz"), "llvm.cttz": _zeros("ctz")}
_TABLE |= {"llvm.memcpy": _copy(False), "llvm.memmove": _copy(True), "llvm.memset": _set}
_TABLE |= {"llvm.expect": lambda builder, args: args[0]}
_TABLE |= dict.fromkeys(("llvm.assume", "llvm.donothing", "llvm.lifetime.start", "llvm.lifetime.end"), _nothing)


def _base(name):
    """The name without types."""
    while name and name not in _TABLE:
        name = name.rpartition(".")[0]
    return name


def find(name):
    """What records a call of an intrinsic, from the builder and the arguments."""
    base = _base(name)
    if not base:
        raise UnsupportedError(f"the intrinsic function {name} is not supported")
    return _TABLE[base]


def signature(name, types):
    """The type of an intrinsic at these types."""
    base = _base(name)
    short = base.removeprefix("llvm.")
    bit = IntType(1)
    if short in ("memcpy", "memmove"):
        return FunctionType(VoidType(), [*types, bit])
    if short == "memset":
        return FunctionType(VoidType(), [types[0], IntType(8), types[1], bit])
    if short in ("ctlz", "cttz"):
        return FunctionType(types[0], [types[0], bit])
    if short.endswith(".with.overflow"):
        return FunctionType(LiteralStructType([types[0], bit]), [types[0]] * 2)
    if short in _OPERATIONS:
        return FunctionType(types[0], [types[0]] * _OPERANDS.get(short, 1))
    raise UnsupportedError(f"the type of the intrinsic function {name} must be given")
