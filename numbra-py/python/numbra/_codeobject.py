"""Code objects as plain data: the JSON form that ``numbra-bytecode`` reads without Python.

``export(code)`` gives a dict; as a command: ``python -m numbra._codeobject file.py func -o func.json``.
Works on CPython 3.11 to 3.15 and imports nothing but the standard library.
"""

from __future__ import annotations

import struct
import sys
from types import CodeType
from typing import Any

_I64 = range(-(2**63), 2**63)


def _bits(value: float) -> str:
    """The IEEE bits of ``value`` in 16 hexadecimal digits."""
    return struct.pack(">d", value).hex()


def export_const(value: Any) -> Any:
    """One constant in the externally tagged form of ``numbra_bytecode::Const``."""
    kind = type(value)
    if value is None:
        return "None"
    if value is ...:
        return "Ellipsis"
    if kind is bool:
        return {"Bool": value}
    if kind is int:
        return {"Int": value} if value in _I64 else {"BigInt": str(value)}
    if kind is float:
        return {"Float": _bits(value)}
    if kind is complex:
        return {"Complex": [_bits(value.real), _bits(value.imag)]}
    if kind is str:
        try:
            value.encode()
        except UnicodeEncodeError:
            return {"Opaque": "str with lone surrogates"}
        return {"Str": value}
    if kind is bytes:
        return {"Bytes": value.hex()}
    if kind is tuple:
        return {"Tuple": [export_const(item) for item in value]}
    if kind is frozenset:
        # A frozenset has no order: sorting makes the file reproducible.
        return {"FrozenSet": [export_const(item) for item in sorted(value, key=repr)]}
    if kind is slice:
        return {"Slice": [export_const(item) for item in (value.start, value.stop, value.step)]}
    if kind is CodeType:
        return {"Code": export(value)}
    return {"Opaque": kind.__name__}


def _positions(code: CodeType) -> list[list[int]]:
    """Runs ``[units, line, end_line, col, end_col]``; -1 where CPython has no number."""
    runs: list[list[int]] = []
    for position in code.co_positions():
        line, end_line, col, end_col = (-1 if n is None else n for n in position)
        if runs and runs[-1][1:] == [line, end_line, col, end_col]:
            runs[-1][0] += 1
        else:
            runs.append([1, line, end_line, col, end_col])
    return runs


def export(code: CodeType) -> dict[str, Any]:
    """``code`` as the JSON-ready dict that ``numbra_bytecode::CodeObject`` deserialises."""
    return {
        "version": list(sys.version_info[:2]),
        "name": code.co_name,
        "qualname": code.co_qualname,
        "filename": code.co_filename,
        "firstlineno": code.co_firstlineno,
        "argcount": code.co_argcount,
        "posonlyargcount": code.co_posonlyargcount,
        "kwonlyargcount": code.co_kwonlyargcount,
        "flags": code.co_flags,
        "stacksize": code.co_stacksize,
        "code": code.co_code.hex(),
        "consts": [export_const(const) for const in code.co_consts],
        "names": list(code.co_names),
        "varnames": list(code.co_varnames),
        "cellvars": list(code.co_cellvars),
        "freevars": list(code.co_freevars),
        "exceptiontable": code.co_exceptiontable.hex(),
        "positions": _positions(code),
    }


def find_function(code: CodeType, path: str) -> CodeType:
    """The code object of ``outer.inner`` (dotted function names) inside a module's code."""
    for name in path.split("."):
        for const in code.co_consts:
            if isinstance(const, CodeType) and const.co_name == name:
                code = const
                break
        else:
            raise LookupError(f"no function {name!r} in {code.co_name!r}")
    return code


def main(argv: list[str]) -> int:
    import argparse
    import json

    parser = argparse.ArgumentParser(description="Write the code object of one function as JSON.")
    parser.add_argument("file", help="Python source file; it is compiled, not run")
    parser.add_argument("function", help="function name, dotted for inner functions")
    parser.add_argument("-o", "--output", help="JSON file to write (default: standard output)")
    args = parser.parse_args(argv)
    with open(args.file, encoding="utf-8") as source:
        module = compile(source.read(), args.file, "exec", dont_inherit=True)
    text = json.dumps(export(find_function(module, args.function)), indent=1) + "\n"
    if args.output:
        with open(args.output, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
