"""Options as Numba's compiler has them: what a decorator was given, by name."""

from numbra._named import names_of


class ParallelOptions:
    """Which kinds of loops run in parallel: all for ``True``, or those that a dict does not turn off."""

    _NAMES = ("comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion", "prange")

    def __init__(self, value):
        if isinstance(value, ParallelOptions):
            self.enabled = value.enabled
            given = vars(value)
        elif isinstance(value, bool):
            self.enabled = value
            given = dict.fromkeys(self._NAMES, value)
        elif isinstance(value, dict):
            self.enabled = True
            given = value
            unknown = sorted(set(value) - set(self._NAMES))
            if unknown:
                raise NameError(f"Unrecognized parallel options: {', '.join(map(str, unknown))}")
        else:
            raise ValueError("Expect parallel option to be either a bool or a dict")
        for name in self._NAMES:
            setattr(self, name, given.get(name, True))

    def __bool__(self):
        return bool(self.enabled)

    def __repr__(self):
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in ("enabled", *self._NAMES))
        return f"ParallelOptions({shown})"


__getattr__ = names_of(__name__)
