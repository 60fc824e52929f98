"""Between values of numba types as extension code sees them and their leaves in LIR."""

from numbra.core import types
from numbra.core.datamodel import models  # noqa: F401  (fills the manager)
from numbra.core.datamodel.registry import default_manager
from numbra.core.errors import LoweringError
from numbra.core.recorder.llvmir import Value


def leaf_types(typ):
    """Machine types of the leaves of a type."""
    return default_manager.lookup(typ).leaf_types()


def value_type(typ):
    """The LLVM type of values of a type."""
    return default_manager.lookup(typ).get_value_type()


def receive(builder, typ, leaves):
    """The value of leaves, by name."""
    return default_manager.lookup(typ).from_leaves(builder, list(leaves))


def give(builder, typ, value):
    """Names of the leaves of a value of a type; None stands for the value of types that have only one."""
    model = default_manager.lookup(typ)
    if value is None and not model.leaf_types():
        return []
    if not isinstance(value, Value):
        raise LoweringError(f"a value of type {typ} is wanted, not {value!r}")
    if value.type != model.get_value_type():
        raise LoweringError(f"{value!r} is no value of type {typ}, whose LLVM type is {model.get_value_type()}")
    return model.as_leaves(builder, value)


def is_nothing(typ):
    """True for the types of functions without a result."""
    return typ in (types.none, types.void)
