"""Context managers for ``with`` statements in jitted functions."""

from numbra._named import names_of


class _ObjectMode:
    """``with objmode(y="float64[:]"):`` in a jitted function has the interpreter run the block.

    Keyword arguments name the variables that the code behind the block reads from it, with their types: strings, or
    global variables and variables of enclosing functions that hold types. In a function that is not jitted it does
    nothing.
    """

    is_callable = True

    def __call__(self, *args, **kwargs):
        return self

    def __enter__(self):
        return None

    def __exit__(self, typ, val, tb):
        return None


objmode_context = _ObjectMode()
objmode = objmode_context

__getattr__ = names_of(__name__)
