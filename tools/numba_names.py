"""Numba's names: the table that numbra's modules answer to, and the document that says what each stands for.

usage: numba_names.py table FILE    `numbra-py/python/numbra/_named/names.txt`; Python has Numba and numba-cuda
       numba_names.py doc FILE      `docs/names.md`; Python has numbra

One line of the table is a module, `numba.` left out: its name, then its names in the order of the alphabet. One that
another module defines stands as `name=module.name`. What a name is comes after a colon: `c` a class with its public
members in brackets, `f` a function, `m` a module of Python's, `v` another value. Modules of tests are left out, and
those of the simulator, which numbra has itself.
"""

import importlib
import inspect
import pathlib
import pkgutil
import sys
import types
import warnings

LEFT_OUT = ("numba.tests", "numba.testing", "numba.misc.help", "numba.runtests")
LEFT_OUT += ("numba.cuda.simulator", "numba.cuda.testing", "numba.cuda.tests")


def modules():
    """Numba's modules that can be imported, by name."""
    import numba

    found = {"numba": numba}
    packages = [info.name for info in pkgutil.walk_packages(numba.__path__, "numba.")]
    for name in [*packages, *cuda_modules()]:
        if not name.startswith(LEFT_OUT):
            try:
                found[name] = importlib.import_module(name)
            except ImportError:
                continue
    return found


def cuda_modules():
    """Names of the modules of numba-cuda, which stands in the place of `numba.cuda`; some folders are no packages."""
    (root,) = importlib.import_module("numba.cuda").__path__
    for path in sorted(pathlib.Path(root).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        yield ".".join(["numba.cuda", *parts]).removesuffix(".__init__")


def kind(value):
    """What a name is."""
    if inspect.isclass(value):
        members = sorted(name for name in vars(value) if not name.startswith("_"))
        return "c(" + ",".join(members) + ")" if members else "c"
    return "f" if inspect.isroutine(value) else "v"


def entry(module, name, value, known):
    """The word for one name of a module, or None where a program would find it elsewhere."""
    if name.startswith("__") or not name.isidentifier():
        return None
    is_plain = name[0] != "_" and not isinstance(value, types.ModuleType)
    if module in ("numba", "numba.core.config", "numba.cuda.core.config") and not is_plain:
        return None
    if isinstance(value, types.ModuleType):
        if value.__name__ in sys.stdlib_module_names:
            return f"{name}:m({value.__name__})"
        elsewhere = value.__name__ in known and value.__name__ != f"{module}.{name}"
        return f"{name}={value.__name__[6:]}" if elsewhere else None
    home = getattr(value, "__module__", None)
    if (inspect.isclass(value) or inspect.isroutine(value)) and isinstance(home, str) and home != module:
        if home in known and getattr(known[home], value.__name__, None) is value:
            return f"{name}={home[6:]}.{value.__name__}"
        if not home.startswith("numba"):
            return None
    elif name.startswith("_") and not callable(value):
        return None
    return f"{name}:{kind(value)}"


def write_table(path):
    """Writes the table."""
    warnings.simplefilter("ignore")
    known = modules()
    lines = []
    for name in sorted(known):
        words = [entry(name, key, value, known) for key, value in sorted(vars(known[name]).items())]
        lines.append(" ".join([name[6:] or ".", *filter(None, words)]))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


HEAD = """# Numba's names

Every public name that a module of Numba 0.68.1 or of numba-cuda 0.30.4 defines, and what `numbra`, or `numba` after
`install_as_numba()`, has for it (kernels have [documents](cuda/) of their own). *Real* names do what Numba's do. *Kept*
ones take what they are given, so that a program loads, and compiled code does not have it yet. What is *named only* can
be imported and inherited from; calling it raises `UnsupportedError`, and compiled code that uses it is refused with its
name.

`tools/numba_names.py` writes this file.
"""


def document():
    """The document."""
    from numbra._named import extension, table

    kept = {id(value) for value in (*extension.MEANINGS.values(), *extension.SHARED.values())}
    kept |= {id(getattr(importlib.import_module("numbra.typed"), name)) for name in ("Dict", "List", "Set")}
    kept.add(id(importlib.import_module("numbra.experimental").jitclass))
    parts = [HEAD]
    for module in table.modules():
        groups = {"Real": [], "Kept": [], "Named only": []}
        for name, what in table.names(module).items():
            if not name.startswith("_") and what[0] not in "=m":
                value = getattr(importlib.import_module(module), name)
                only = "_numbra_lacks" in getattr(value, "__dict__", {})
                groups["Kept" if id(value) in kept else "Named only" if only else "Real"].append(f"`{name}`")
        if any(groups.values()):
            parts.append(f"## `{module.replace('numbra', 'numba', 1)}`\n")
            parts += [f"{kind}: {', '.join(names)}\n" for kind, names in groups.items() if names]
    return "\n".join(parts)


def main():
    if sys.argv[1:2] == ["table"]:
        write_table(sys.argv[2])
    else:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(document())


if __name__ == "__main__":
    main()
