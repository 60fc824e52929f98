"""A recorded module: functions, the C symbols that they call, constant data, exceptions; and its text as LIR."""

import re

from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import intrinsics
from numbra.core.recorder.llvmir import Address, Constant, FunctionType, LabelType, Value, VoidType, _Ignored

#: More leaves are not passed in C's registers and on its stack; see "Internal ABI" in docs/lir.md.
MOST_C_ARGUMENTS = 12
_NOT_IN_C = {"i128", "f16"}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")


class Module:
    """Functions, and what they need."""

    def __init__(self, name="", context=None):
        self.name = name
        #: Functions and data, by name.
        self.globals = {}
        #: Descriptions of exceptions, each with its number.
        self.exceptions = {}
        #: Signatures of calls through pointers, each with its number.
        self.signatures = {}
        #: Python objects whose addresses are constants here: the module's code needs them alive.
        self.objects = []
        #: Addresses of constant bytes, by contents.
        self.strings = {}
        self.data_layout = self.triple = ""

    @property
    def functions(self):
        """The functions, declared ones included."""
        return [each for each in self.globals.values() if isinstance(each, Function)]

    def get_global(self, name):
        """The function or data of a name; KeyError if there is none."""
        return self.globals[name]

    def get_unique_name(self, name=""):
        """A name that is free."""
        unique, n = name, 0
        while unique in self.globals:
            n += 1
            unique = f"{name}.{n}"
        return unique

    def add_global(self, one):
        """Gives it its name."""
        if not isinstance(one.name, str) or not one.name:
            raise LoweringError(f"a global has a name, not {one.name!r}")
        if one.name in self.globals:
            raise LoweringError(f"the module has two globals `{one.name}`")
        self.globals[one.name] = one

    def declare_intrinsic(self, intrinsic, tys=(), fnty=None):
        """One of LLVM's intrinsic functions."""
        name = ".".join([intrinsic, *(_suffix(ty) for ty in tys)])
        if name in self.globals:
            return self.globals[name]
        return Function(self, fnty or intrinsics.signature(intrinsic, list(tys)), name)

    def exception(self, cls, args, function):
        """The number of an exception of this class and with these constants, raised in a function."""
        key = f"{cls.__module__}.{cls.__qualname__}", tuple(map(repr, args)), function
        return self.exceptions.setdefault(key, len(self.exceptions))

    def signature(self, params, results, raises=False):
        """The number of a signature for calls through pointers."""
        text = f"({', '.join(params)}) -> ({', '.join(results)}){' raises' if raises else ''}"
        return self.signatures.setdefault(text, len(self.signatures))

    def keep(self, thing):
        """Keeps a Python object as long as the module's code; its address."""
        if all(thing is not kept for kept in self.objects):
            self.objects.append(thing)
        return id(thing)

    def text(self, name=None):
        """The module as LIR, with one exported function."""
        for function in self.functions:
            if function.raises and function.name != name:
                raise UnsupportedError(f"function `{function.name}` raises, which only the recorded function may do")
        bodies = [function.text(name) for function in self.functions if not function.intrinsic]
        lines = [f"module {quoted(self.name)}"] if self.name else []
        lines += [f"signature sig{n} = {text}" for text, n in self.signatures.items()]
        lines += [each.text() for each in self.globals.values() if isinstance(each, GlobalVariable)]
        for (cls, args, function), n in self.exceptions.items():
            lines.append(f"exception exc{n} = {quoted(cls)}({', '.join(map(quoted, args))}) in {quoted(function)}")
        return "\n".join([*lines, *bodies]) + "\n"


def _suffix(ty):
    """A type in the name of an intrinsic."""
    names = {"half": "f16", "float": "f32", "double": "f64"}
    return f"p0{_suffix(ty.pointee)}" if ty.is_pointer else names.get(str(ty), str(ty))


def quoted(text):
    """Text between quotes, as LIR reads it."""
    special = {'"': '\\"', "\\": "\\\\"}
    return '"' + "".join(special.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text) + '"'


def symbol(sigil, name):
    """The name of a function or of data in text."""
    return sigil + (name if _PLAIN.fullmatch(name) else quoted(name))


class GlobalVariable(Address):
    """Data of the module; its value is its address."""

    def __init__(self, module, typ, name, addrspace=0):
        super().__init__(typ.as_pointer(addrspace), self)
        self.name, self.module, self.value_type = name, module, typ
        self.initializer = None
        self.global_constant = False
        self.linkage = ""
        self.unnamed_addr = False
        self.align = None
        module.add_global(self)

    is_zero = False

    def text(self):
        """The line that defines it."""
        if self.initializer is None and self.linkage != "internal":
            raise UnsupportedError(f"data `{self.name}` of another module")
        initializer = self.initializer or Constant(self.value_type, None)
        if not isinstance(initializer, Constant) or initializer.type != self.value_type:
            raise LoweringError(f"data `{self.name}` of type {self.value_type} begins as {initializer!r}")
        image, bases = initializer.image()
        if any(isinstance(base, GlobalVariable) for _, base in bases):
            raise UnsupportedError(f"addresses of other data in data `{self.name}`")
        relocs = "".join(f" reloc {at} {symbol('@', base.name)}" for at, base in bases)
        # An address is patched when the code is loaded.
        writable = "" if self.global_constant and not bases else " writable"
        align = max(self.align or 1, self.value_type.align, 1)
        return f'data {symbol("$", self.name)} align {align}{writable} = "{image.hex()}"{relocs}'


class Function(Address):
    """A function: declared, or with blocks. Its value is its address.

    ``params`` and ``results`` are machine types where they are not those of the LLVM types: functions of numba types
    have their leaves. ``give`` makes of the value that is returned the names of the results.
    """

    def __init__(self, module, ftype, name, params=None, results=None, give=None):
        if not isinstance(ftype, FunctionType):
            raise LoweringError(f"a function's type is a FunctionType, not {ftype!r}")
        super().__init__(ftype.as_pointer(), self)
        self.module, self.ftype, self.name = module, ftype, name
        self.function_type, self.return_type = ftype, ftype.return_type
        self.intrinsic = intrinsics.find(name) if name.startswith("llvm.") else None
        self.blocks = []
        self.raises = False
        self.give = give
        self.linkage, self.calling_convention, self.attributes = "", "", _Ignored()
        self.params = [kind for ty in ftype.args for kind in ty.kinds] if params is None else list(params)
        self.results = list(ftype.return_type.kinds) if results is None else list(results)
        self._names = 0
        self.leaves_in = [self.fresh() for _ in self.params]
        #: What the constants and addresses of slots are called, and the lines that make them.
        self._constants, self._prelude, self._slots = {}, [], []
        #: Python line of each value.
        self.places = {}
        self.args = []
        if params is None:
            rest = iter(self.leaves_in)
            self.args = [Value(ty, [next(rest) for _ in ty.kinds], self) for ty in ftype.args]
        module.add_global(self)

    is_zero = False
    is_declaration = property(lambda self: not self.blocks)

    @property
    def entry_basic_block(self):
        """The first block."""
        return self.blocks[0]

    def append_basic_block(self, name=""):
        """A new block at the end."""
        block = Block(self, name)
        block.label = f"b{len(self.blocks)}"
        self.blocks.append(block)
        return block

    def fresh(self):
        """A new name of a value."""
        self._names += 1
        return f"v{self._names - 1}"

    def constant_leaf(self, kind, literal):
        """The name of a constant leaf, which the entry makes."""
        key = kind, literal
        if key not in self._constants:
            self._constants[key] = self._make_constant(kind, literal)
        return self._constants[key]

    def _make_constant(self, kind, literal):
        if kind[0] == "i":
            return self._first(kind, f"iconst {literal}")
        if kind[0] == "f":
            return self._first(kind, f"fconst {literal}")
        base, offset = literal
        if base is None and offset == 0:
            return self._first(kind, "null")
        if kind == "ref":
            return self._first(kind, f"bitcast {self.constant_leaf('ptr', literal)}")
        if base is None:
            return self._first(kind, f"inttoptr {self.constant_leaf('i64', offset)}")
        if offset:
            return self._first(
                kind, f"ptr_add {self.constant_leaf('ptr', (base, 0))}, {self.constant_leaf('i64', offset)}"
            )
        name = (
            f"func_addr {symbol('@', base.name)}"
            if isinstance(base, Function)
            else f"data_addr {symbol('$', base.name)}"
        )
        return self._first(kind, name)

    def slot(self, ty, count):
        """The name of the address of memory that lives as long as a call."""
        size = max(ty.size * count, 1)
        refs = [n * ty.size + offset for n in range(count) for offset in ty.references()] if ty.references() else []
        fields = f" refs {', '.join(map(str, refs))}" if refs else ""
        n = len(self._slots)
        self._slots.append(f"slot{n} = slot {size} align {max(ty.align, 8 if refs else 1)}{fields}")
        return self._first("ptr", f"slot_addr slot{n}")

    def leaf_block(self, kinds):
        """The name of the address of a block of leaves, one every 16 bytes, as the runtime takes and gives values."""
        refs = [str(16 * n) for n, kind in enumerate(kinds) if kind == "ref"]
        fields = f" refs {', '.join(refs)}" if refs else ""
        n = len(self._slots)
        self._slots.append(f"slot{n} = slot {max(16 * len(kinds), 16)} align 16{fields}")
        return self._first("ptr", f"slot_addr slot{n}")

    def _first(self, kind, text):
        name = self.fresh()
        self._prelude.append(Line([(name, kind)], text))
        return name

    def check_c(self):
        """Refuses what C does not pass as LIR does."""
        check_c(self.name, self.ftype)

    def text(self, exported=None):
        """The function as LIR."""
        results = f" -> ({', '.join(self.results)})" if self.results else ""
        head = f"{symbol('@', self.name)}({', '.join(self.params)}){results}"
        if not self.blocks:
            return f"function import {head}\n"
        from numbra.core.recorder import checks

        blocks = checks.reachable(self)
        entry = blocks[0]
        params = ", ".join(f"{name}: {kind}" for name, kind in zip(self.leaves_in, self.params, strict=True))
        lines = [f"  {slot}" for slot in self._slots]
        # The arguments of targets may take conversions.
        ends = [block.terminator.text(block) for block in blocks]
        bodies = [list(block.lines) for block in blocks]
        checks.dominance(self, blocks, ends)
        bodies[0] = self._prelude + bodies[0]
        for block, body, end in zip(blocks, bodies, ends, strict=True):
            inside = params if block is entry else ", ".join(f"{name}: {kind}" for name, kind in block.params)
            comment = f" ; {block.name}" if block.name else ""
            lines.append(f"{block.label}{f'({inside})' if inside else ''}{' cold' * block.cold}:{comment}")
            lines += [f"  {line}" for line in body]
            lines += [f"  {line}" for line in end]
        raises = " raises" if self.raises else ""
        linkage = "export" if self.name == exported else "local"
        return "\n".join([f"function {linkage} {head}{raises} {{", *lines, "}"]) + "\n"


def check_c(name, ftype):
    """Refuses a function that C calls in another way than LIR does."""
    kinds = [kind for ty in ftype.args for kind in ty.kinds]
    results = ftype.return_type.kinds
    if len(kinds) > MOST_C_ARGUMENTS or len(results) > 1 or _NOT_IN_C & {*kinds, *results}:
        raise UnsupportedError(f"a call of the C function `{name}` of type {ftype}")


class Line:
    """An instruction: what it defines, and its text."""

    def __init__(self, results, text):
        self.results, self.body = results, text

    def __str__(self):
        results = ", ".join(f"{name}: {kind}" for name, kind in self.results)
        return f"{results} = {self.body}" if results else self.body


class Block(Value):
    """A block; phis are its parameters."""

    def __init__(self, parent, name=""):
        super().__init__(LabelType(), name="".join(c if c.isprintable() else " " for c in name))
        self.parent = self.function = parent
        self.lines, self.phis = [], []
        self.terminator = None
        self.cold = False
        self.label = "?"

    is_terminated = property(lambda self: self.terminator is not None)
    instructions = property(lambda self: [*self.phis, *self.lines])

    @property
    def params(self):
        """Names and machine types of its parameters."""
        return [pair for phi in self.phis for pair in zip(phi.leaves, phi.type.kinds, strict=True)]

    def __repr__(self):
        return f"<block {self.name or self.label}>"


class Phi(Value):
    """A value for each block that comes here."""

    def __init__(self, ty, block, name=""):
        function = block.parent
        super().__init__(ty, [function.fresh() for _ in ty.kinds], function, name)
        self.parent = block
        self.incomings = []
        self._from = {}

    def add_incoming(self, value, block):
        """What the value is when control comes from a block."""
        if not isinstance(value, Value) or value.type != self.type:
            raise LoweringError(f"a phi of type {self.type} gets {value!r}")
        if not isinstance(block, Block) or block.parent is not self.function:
            raise LoweringError(f"a phi gets a value from {block!r}, which is no block of its function")
        self.incomings.append((value, block))

    def from_block(self, block):
        """Names of the leaves when control comes from a block."""
        if block not in self._from:
            self._from[block] = self._find_from(block)
        return self._from[block]

    def _find_from(self, block):
        for value, source in self.incomings:
            if source is block:
                from numbra.core.recorder.builder import IRBuilder

                builder = IRBuilder(block)
                builder.position_behind_lines()
                return builder.leaves_as(value, self.type)
        raise LoweringError(
            f"the phi of {self.where} has no value for control that comes from block {block.name or block.label}"
        )


class Terminator:
    """How a block ends: ``word`` before the targets."""

    def __init__(self, *targets):
        self.targets = list(targets)

    def set_weights(self, weights):
        """A side that is much rarer than the other is cold."""
        if len(weights) == len(self.targets) == 2 and max(weights) >= 32 * max(1, min(weights)):
            rare = self.targets[weights.index(min(weights))]
            rare.cold = True

    def set_metadata(self, *args):
        """Nothing."""

    def call(self, block, target):
        """A target with its arguments, in text."""
        args = [leaf for phi in target.phis for leaf in phi.from_block(block)]
        return f"{target.label}({', '.join(args)})" if args else target.label

    def text(self, block):
        """Its lines."""
        raise NotImplementedError


class Jump(Terminator):
    """To one block."""

    def text(self, block):
        return [f"jump {self.call(block, self.targets[0])}"]


class Branch(Terminator):
    """To one of two blocks."""

    def __init__(self, condition, then, other):
        super().__init__(then, other)
        self.condition = condition

    def text(self, block):
        then, other = (self.call(block, target) for target in self.targets)
        return [f"brif {self.condition}, {then}, {other}"]


class Switch(Terminator):
    """To the block of a value, or the default one."""

    def __init__(self, value, leaf, default):
        super().__init__(default)
        self.value, self.leaf, self.default, self.cases = value, leaf, default, []

    def add_case(self, value, block):
        """Where a value leads."""
        value = value if isinstance(value, Constant) else Constant(self.value.type, value)
        if value.type != self.value.type:
            raise LoweringError(f"a case of type {value.type} of a switch over {self.value.type}")
        self.cases.append((value.literals()[0], block))
        self.targets.append(block)

    def text(self, block):
        kind = self.value.type.kind
        cases = {}
        for value, target in self.cases:
            if value in cases:
                raise LoweringError(f"the switch of {self.value.where} has two cases {value}")
            cases[value] = target
        default = self.call(block, self.default)
        if kind in ("i8", "i16", "i32", "i64") and all(0 <= value < 2 * len(cases) + 8 for value in cases):
            table = [self.call(block, cases.get(n, self.default)) for n in range(max(cases, default=-1) + 1)]
            return [f"switch {self.leaf}, [{', '.join(table)}], {default}"]
        # One comparison behind the other, each in a block of its own.
        lines, function = [], block.parent
        for n, (value, target) in enumerate(cases.items()):
            found = function.fresh()
            other = f"{block.label}.{n + 1}" if n + 1 < len(cases) else default
            lines.append(f"{found}: i1 = icmp eq {self.leaf}, {function.constant_leaf(kind, value)}")
            lines.append(f"brif {found}, {self.call(block, target)}, {other}")
            if n + 1 < len(cases):
                lines.append(f"{other}:")
        return lines or [f"jump {default}"]


class Return(Terminator):
    """The function's results."""

    def __init__(self, leaves):
        super().__init__()
        self.leaves = leaves

    def text(self, block):
        return [f"return {', '.join(self.leaves)}".rstrip()]


class Fail(Terminator):
    """An exception is pending."""

    def text(self, block):
        return ["fail"]


class Unreachable(Terminator):
    """Control never comes here. LIR has results for everything: zeros."""

    def text(self, block):
        function = block.parent
        if function.raises:
            return ["fail"]
        zeros = {"ptr": (None, 0), "ref": (None, 0)}
        leaves = [function.constant_leaf(k, zeros.get(k, 0 if k[0] == "i" else "0.0")) for k in function.results]
        return [f"return {', '.join(leaves)}".rstrip()]


def nothing():
    """What a call without result gives."""
    return Value(VoidType())
