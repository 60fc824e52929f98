"""Functions as plain data, so that jitted functions can be pickled.

A function that can be imported travels by name; any other one as its code object, the globals it uses, its defaults
and the contents of its closure.
"""

import marshal
import sys
from types import CellType, CodeType, FunctionType, ModuleType

from numbra._named import names_of


def reduce_function(func: FunctionType) -> tuple:
    """What :func:`rebuild_function` takes."""
    module = sys.modules.get(func.__module__)
    found = module
    for name in func.__qualname__.split("."):
        found = getattr(found, name, None)
    if (found is func or getattr(found, "py_func", None) is func) and func.__module__ != "__main__":
        return ("import", func.__module__, func.__qualname__)
    cells = tuple(cell.cell_contents for cell in func.__closure__ or ())
    used = {name: func.__globals__[name] for name in _names(func.__code__) if name in func.__globals__}
    modules = {k: v.__name__ for k, v in used.items() if isinstance(v, ModuleType)}
    values = {k: v for k, v in used.items() if k not in modules and not _is_itself(v, func)}
    own = [k for k, v in used.items() if _is_itself(v, func)]
    return (
        "code",
        marshal.dumps(func.__code__),
        func.__module__,
        func.__qualname__,
        func.__defaults__,
        func.__kwdefaults__,
        cells,
        modules,
        values,
        own,
    )


def rebuild_function(parts: tuple) -> FunctionType:
    """The function that :func:`reduce_function` took apart."""
    import importlib

    if parts[0] == "import":
        found = importlib.import_module(parts[1])
        for name in parts[2].split("."):
            found = getattr(found, name)
        return getattr(found, "py_func", found)
    _, code, module, qualname, defaults, kwdefaults, cells, modules, values, own = parts
    scope = {k: importlib.import_module(name) for k, name in modules.items()}
    scope.update(values, __name__=module, __builtins__=__builtins__)
    code = marshal.loads(code)
    func = FunctionType(code, scope, code.co_name, defaults, tuple(map(CellType, cells)) or None)
    func.__kwdefaults__, func.__qualname__, func.__module__ = kwdefaults, qualname, module
    for name in own:
        scope[name] = func
    return func


def _is_itself(value: object, func: FunctionType) -> bool:
    return value is func or getattr(value, "py_func", None) is func


def _names(code: CodeType) -> set[str]:
    out = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, CodeType):
            out |= _names(const)
    return out


_unpickled: dict = {}


def _numba_unpickle(address, bytedata, hashed):
    """The object, the same one each time that an object of this address and hash is unpickled."""
    import pickle

    key = (address, hashed)
    if key not in _unpickled:
        _unpickled[key] = pickle.loads(bytedata)
    return _unpickled[key]


def is_serializable(obj) -> bool:
    """True if ``obj`` can be pickled."""
    import pickle

    try:
        pickle.dumps(obj)
    except Exception:
        return False
    return True


__getattr__ = names_of(__name__)
