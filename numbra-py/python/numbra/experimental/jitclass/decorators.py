"""The decorator ``jitclass``."""

from numbra._named import names_of
from numbra.core import types
from numbra.experimental.jitclass.base import register_class_type


def jitclass(cls_or_spec=None, spec=None):
    """Compiles a class: its objects have fields of fixed types, which Python and compiled code share.

    Parameters
    ----------
    cls_or_spec
        The class, or the specification of its fields.
    spec
        Types of the fields by name, as a mapping or as pairs; fields that it does not name have the types of their
        annotations.

    Raises
    ------
    TypeError
        The class has members that no object can have, or the specification is none.
    NameError
        A method has the name of a field.

    Examples
    --------
    >>> import numbra as nb
    >>> from numbra.experimental import jitclass
    >>> @jitclass
    ... class Counter:
    ...     count: int
    ...     def __init__(self, start=0):
    ...         self.count = start
    ...     def step(self, by):
    ...         self.count += by
    ...         return self.count
    >>> Counter(3).step(4)
    7
    """
    if cls_or_spec is not None and spec is None and not isinstance(cls_or_spec, type):
        spec, cls_or_spec = cls_or_spec, None

    def wrap(cls):
        return register_class_type(cls, spec if spec is not None else {}, types.ClassType)

    return wrap if cls_or_spec is None else wrap(cls_or_spec)


__getattr__ = names_of(__name__)
