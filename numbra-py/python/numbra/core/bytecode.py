"""Functions and their bytecode as Python shows it, for programs that look at them.

numbra reads code objects in Rust; nothing here is part of compiling a function.
"""

import dis
import inspect
import itertools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from numbra._named import names_of


def get_function_object(obj: Any) -> Any:
    """The Python function of a compiled one; another object as it is."""
    return getattr(obj, "py_func", obj)


def get_code_object(obj: Any) -> CodeType | None:
    """The code of a function."""
    return getattr(obj, "__code__", None)


class FunctionIdentity:
    """What a function is called and where it stands."""

    _unique_ids = itertools.count(1)

    func: FunctionType

    @classmethod
    def from_function(cls, pyfunc: Any) -> "FunctionIdentity":
        """That of a Python function."""
        func = get_function_object(pyfunc)
        code = get_code_object(func)
        if code is None:
            raise TypeError(f"{func!r} is no Python function")
        self = cls()
        self.func = func
        self.func_qualname = func.__qualname__
        self.func_name = func.__name__
        self.code = code
        self.module = inspect.getmodule(func)
        self.modname = func.__module__ or "<dynamic>"
        self.is_generator = inspect.isgeneratorfunction(func)
        self.pysig = inspect.signature(func)
        self.filename = code.co_filename
        self.firstlineno = code.co_firstlineno
        self.arg_names = list(self.pysig.parameters)
        self.arg_count = len(self.arg_names)
        self.unique_id = next(cls._unique_ids)
        self.unique_name = f"{self.func_qualname}${self.unique_id}"
        return self

    def derive(self) -> "FunctionIdentity":
        """The same function under a name of its own."""
        return self.from_function(self.func)


class ByteCodeInst:
    """An instruction."""

    __slots__ = ("arg", "is_jump", "is_terminator", "lineno", "next", "offset", "opcode", "opname", "target")

    def __init__(self, inst: dis.Instruction, following: int, line: int | None):
        self.offset, self.next = inst.offset, following
        self.opcode, self.opname, self.arg = inst.opcode, inst.opname, inst.arg
        self.lineno = line
        self.is_jump = inst.opcode in dis.hasjrel or inst.opcode in dis.hasjabs
        self.target = inst.argval if self.is_jump else None
        ends = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
        self.is_terminator = self.is_jump or self.opname in ends

    @property
    def falls_through(self) -> bool:
        """Whether the next instruction may follow."""
        return not self.is_terminator or (self.is_jump and not self.opname.startswith("JUMP_"))

    def get_jump_target(self) -> int:
        """Where a jump leads."""
        if self.target is None:
            raise ValueError(f"{self.opname} is no jump")
        return self.target

    def __repr__(self) -> str:
        return f"{self.opname}(arg={self.arg}, lineno={self.lineno})"


class ByteCode:
    """The instructions of a function, by offset."""

    def __init__(self, func_id: FunctionIdentity):
        code = func_id.code
        self.func_id = func_id
        self.co_names, self.co_consts = code.co_names, code.co_consts
        self.co_varnames, self.co_cellvars, self.co_freevars = code.co_varnames, code.co_cellvars, code.co_freevars
        lines = {offset: line for start, end, line in code.co_lines() for offset in range(start, end, 2)}
        found = [inst for inst in dis.get_instructions(code) if inst.opname not in ("CACHE", "EXTENDED_ARG")]
        ends = [inst.offset for inst in found[1:]] + [len(code.co_code)]
        self.table = {
            inst.offset: ByteCodeInst(inst, end, lines.get(inst.offset)) for inst, end in zip(found, ends, strict=True)
        }
        self.labels = sorted({0, *(inst.target for inst in self if inst.target is not None)})

    def __iter__(self) -> Iterator[ByteCodeInst]:
        return iter(self.table.values())

    def __getitem__(self, offset: int) -> ByteCodeInst:
        return self.table[offset]

    def __contains__(self, offset: object) -> bool:
        return offset in self.table

    def dump(self) -> str:
        """The instructions, one a line; jumps lead to lines with `>`."""
        marks = {label: ">" for label in self.labels}
        return "\n".join(f"{marks.get(at, ' ')}{at:10}  {inst}" for at, inst in self.table.items())


def _fix_LOAD_GLOBAL_arg(arg: int) -> int:
    """The number of the name that LOAD_GLOBAL reads; its lowest bit says something else."""
    return arg >> 1


__getattr__ = names_of(__name__)
