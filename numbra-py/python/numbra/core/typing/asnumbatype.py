"""Types for annotations."""

import typing as _py

from numbra._named import names_of


class AsNumbaTypeRegistry:
    """Python types, and the types that stand for them."""

    def __init__(self):
        self.lookup = {}
        self.functions = []

    def register(self, func_or_py_type, numba_type=None):
        """Registers a type for a Python type, or (also as a decorator) a function that finds one."""
        if numba_type is not None:
            self.lookup[func_or_py_type] = numba_type
        else:
            self.functions.append(func_or_py_type)
        return func_or_py_type

    def try_infer(self, py_type):
        """The type, or None."""
        from numbra.core import types

        builtin = {
            bool: types.boolean,
            int: types.int64,
            float: types.float64,
            complex: types.complex128,
            str: types.unicode_type,
            type(None): types.none,
        }
        if py_type in self.lookup:
            return self.lookup[py_type]
        if py_type in builtin:
            return builtin[py_type]
        for function in self.functions:
            found = function(py_type)
            if found is not None:
                return found
        return self._generic(py_type)

    def _generic(self, py_type):
        from numbra.core import types

        origin, args = _py.get_origin(py_type), _py.get_args(py_type)
        if origin is _py.Union and (type(None) not in args or len(args) != 2):
            from numbra.core.errors import TypingError

            raise TypingError(f"Cannot type Union that is not an Optional: {py_type}")
        if origin is _py.Union:
            (inner,) = (a for a in args if a is not type(None))
            inner = self.infer(inner)
            return types.Optional(inner)
        if origin is list:
            return types.ListType(self.infer(args[0]))
        if origin is dict:
            return types.DictType(self.infer(args[0]), self.infer(args[1]))
        if origin is set:
            return types.SetType(self.infer(args[0]))
        if origin is tuple:
            return types.Tuple([self.infer(a) for a in args])
        return None

    def infer(self, py_type):
        """The type, or a ``TypingError``."""
        found = self.try_infer(py_type)
        if found is None:
            from numbra.core.errors import TypingError

            raise TypingError(f"Cannot infer Numba type of Python type {py_type}")
        return found

    def __call__(self, py_type):
        return self.infer(py_type)


as_numba_type = AsNumbaTypeRegistry()

__getattr__ = names_of(__name__)
