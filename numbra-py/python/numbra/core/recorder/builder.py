"""``IRBuilder`` as llvmlite has it, which records LIR.

Most methods are rows of tables: the name of a method, the operation of LIR, the types that it takes. What LIR has no
operation for is composed of others here; what is not supported raises ``UnsupportedError`` with the method's name.
"""

import contextlib

from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import module as recorded
from numbra.core.recorder.llvmir import (
    Aggregate,
    Constant,
    FloatType,
    FunctionType,
    IntType,
    LiteralStructType,
    PointerType,
    ReferenceType,
    Type,
    Value,
    VoidType,
    _Float,
    _Scalar,
    where,
)

_BIT, _BYTE, _LONG = IntType(1), IntType(8), IntType(64)
#: Values of more leaves are set to zero as bytes.
_MANY = 16

#: Operations on two integers.
_INTEGER = {
    "add": "iadd",
    "sub": "isub",
    "mul": "imul",
    "sdiv": "sdiv",
    "udiv": "udiv",
    "srem": "srem",
    "urem": "urem",
    "shl": "shl",
    "lshr": "lshr",
    "ashr": "ashr",
    "and_": "and",
    "or_": "or",
    "xor": "xor",
}
#: The same on bits.
_BITWISE = {"iadd": "xor", "isub": "xor", "imul": "and", "and": "and", "or": "or", "xor": "xor"}
#: Operations on two floats.
_FLOAT = {"fadd": "fadd", "fsub": "fsub", "fmul": "fmul", "fdiv": "fdiv"}
_OVERFLOW = ("sadd", "ssub", "smul", "uadd", "usub", "umul")
#: Conversions: types from and to, and whether the result is wider (1), narrower (-1) or any (0).
_CONVERSIONS = {
    "zext": (IntType, IntType, 1),
    "sext": (IntType, IntType, 1),
    "trunc": (IntType, IntType, -1),
    "fpext": (_Float, _Float, 1),
    "fptrunc": (_Float, _Float, -1),
    "sitofp": (IntType, _Float, 0),
    "uitofp": (IntType, _Float, 0),
    "fptosi": (_Float, IntType, 0),
    "fptoui": (_Float, IntType, 0),
}
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}
#: Operations of LIR of one or more operands of one type: the types that they take.
_TAKES_FLOATS = {"fneg", "fabs", "sqrt", "floor", "ceil", "ftrunc", "nearest", "fcopysign", "fmin", "fmax", "fma"}
_ATOMIC = {
    "xchg": "exchange",
    "max": "smax",
    "min": "smin",
    "umax": "umax",
    "umin": "umin",
    **{name: name for name in ("add", "sub", "and", "or", "xor", "fadd")},
}
_ORDERS = {
    "monotonic": "relaxed",
    "acquire": "acquire",
    "release": "release",
    "acq_rel": "acq_rel",
    "seq_cst": "seq_cst",
}


class IRBuilder:
    """Records instructions at a place in a function."""

    def __init__(self, block=None):
        self._block, self._at = block, None
        self.debug_metadata = None

    # Places.

    @property
    def block(self):
        """The block that is being filled."""
        return self._block

    basic_block = block

    @property
    def function(self):
        """Its function."""
        if self._block is None:
            raise LoweringError("the builder has no place")
        return self._block.parent

    @property
    def module(self):
        """Its module."""
        return self.function.module

    def position_at_end(self, block):
        """What follows is recorded at the end of a block."""
        if not isinstance(block, recorded.Block):
            raise LoweringError(f"a builder is placed in a block, not in {block!r}")
        self._block, self._at = block, None

    def position_at_start(self, block):
        """What follows is recorded at the start of a block."""
        self.position_at_end(block)
        self._at = 0

    def position_before(self, instr):
        """What follows is recorded before an instruction."""
        self._position(instr, 0)

    def position_after(self, instr):
        """What follows is recorded behind an instruction."""
        self._position(instr, 1)

    def position_behind_lines(self):
        """What follows is recorded before the terminator."""
        self._at = len(self._block.lines)

    def _position(self, instr, behind):
        if isinstance(instr, recorded.Terminator):
            raise UnsupportedError("IRBuilder: a place beside a terminator")
        if instr.line is None:
            raise LoweringError(f"{instr!r} is no instruction that a builder can be placed at")
        self._block, self._at = instr.parent, instr.parent.lines.index(instr.line) + behind

    def append_basic_block(self, name=""):
        """A new block at the end of the function."""
        return self.function.append_basic_block(name)

    @contextlib.contextmanager
    def goto_block(self, block):
        """Records in another block, before its terminator if it has one; goes back to the end of this one."""
        before = self._block
        self.position_at_end(block)
        if block.is_terminated:
            self.position_behind_lines()
        try:
            yield
        finally:
            self.position_at_end(before)

    def goto_entry_block(self):
        """Records in the function's first block."""
        return self.goto_block(self.function.entry_basic_block)

    @contextlib.contextmanager
    def _branch_to(self, block, end):
        self.position_at_end(block)
        yield end
        if not self._block.is_terminated:
            self.branch(end)

    @contextlib.contextmanager
    def if_then(self, pred, likely=None):
        """Records what is done where a condition holds."""
        then, end = self.append_basic_block("if"), self.append_basic_block("endif")
        branch = self.cbranch(pred, then, end)
        if likely is not None:
            branch.set_weights([99, 1] if likely else [1, 99])
        # The way past it is what comes next, however rare.
        end.cold = False
        with self._branch_to(then, end):
            yield end
        self.position_at_end(end)

    @contextlib.contextmanager
    def if_else(self, pred, likely=None):
        """Records what is done where a condition holds, and where it does not: two context managers."""
        then, other = self.append_basic_block("if"), self.append_basic_block("else")
        end = self.append_basic_block("endif")
        branch = self.cbranch(pred, then, other)
        if likely is not None:
            branch.set_weights([99, 1] if likely else [1, 99])
        yield self._branch_to(then, end), self._branch_to(other, end)
        self.position_at_end(end)

    # Recording.

    def _line(self, text, *results):
        """Adds an instruction with results of these machine types; its line and the names of the results."""
        function = self.function
        if self._at is None and self._block.is_terminated:
            block = self._block.name or self._block.label
            raise LoweringError(f"`{text.split()[0]}` behind the terminator of block {block}")
        names = [function.fresh() for _ in results]
        line = recorded.Line(list(zip(names, results, strict=True)), text)
        if names:
            function.places.update(dict.fromkeys(names, where()))
        if self._at is None:
            self._block.lines.append(line)
        else:
            self._block.lines.insert(self._at, line)
            self._at += 1
        return line, names

    def _one(self, kind, text):
        """Adds an instruction with one result; its name."""
        return self._line(text, kind)[1][0]

    def _value(self, ty, leaves, name="", first=None):
        """The value of these leaves; ``first`` is how many lines the block had before them."""
        value = Value(ty, leaves, self.function, name)
        value.parent = self._block
        if first is not None and first < len(self._block.lines):
            value.line = self._block.lines[first]
        return value

    def _here(self):
        return len(self._block.lines) if self._at is None else self._at

    def _check(self, value, what="an operand"):
        if not isinstance(value, Value):
            raise LoweringError(f"{what} is a value, not {value!r}")
        if value.function is not None and value.function is not self.function:
            raise LoweringError(f"{value!r} belongs to function `{value.function.name}`, not `{self.function.name}`")
        return value

    def leaves(self, value):
        """Names of the leaves of a value."""
        self._check(value)
        if not isinstance(value, Constant):
            if isinstance(value, recorded.Block) or isinstance(value.type, VoidType):
                raise LoweringError(f"{value!r} is used as a value")
            return value.leaves
        return [self.function.constant_leaf(*pair) for pair in zip(value.type.kinds, value.literals(), strict=True)]

    def leaf(self, value):
        """The name of a value of one leaf."""
        if not isinstance(value, Value) or not isinstance(value.type, _Scalar):
            raise LoweringError(f"a scalar is wanted, not {value!r}")
        return self.leaves(value)[0]

    def leaves_as(self, value, ty, what="a value"):
        """Names of the leaves of a value that must be of a type; references become pointers and back."""
        self._check(value, what)
        if value.type != ty:
            raise LoweringError(f"{what} of type {value.type} where {ty} is wanted ({value!r})")
        pairs = zip(self.leaves(value), value.type.kinds, ty.kinds, strict=True)
        return [name if kind == wanted else self._convert_reference(name, wanted) for name, kind, wanted in pairs]

    def _convert_reference(self, name, wanted):
        return self._one(wanted, f"{'ref_to_ptr' if wanted == 'ptr' else 'bitcast'} {name}")

    def _pointer(self, value, what):
        """The name of an address."""
        if not isinstance(value, Value) or not isinstance(value.type, PointerType):
            raise LoweringError(f"{what} takes a pointer, not {value!r}")
        return self.leaves_as(value, PointerType(value.type.pointee))[0]

    # Arithmetic.

    def _same_types(self, method, lhs, rhs, wanted):
        self._check(lhs), self._check(rhs)
        if lhs.type != rhs.type or not isinstance(lhs.type, wanted):
            raise LoweringError(f"{method} of {lhs!r} and {rhs!r}")

    def _integers(self, method, lhs, rhs, name=""):
        self._same_types(method, lhs, rhs, IntType)
        op = _INTEGER[method]
        if lhs.type == _BIT:
            if op not in _BITWISE:
                raise UnsupportedError(f"IRBuilder.{method} of bits is not supported")
            op = _BITWISE[op]
        return self.operation(op, [lhs, rhs], name)

    def _floats(self, method, lhs, rhs, name=""):
        self._same_types(method, lhs, rhs, _Float)
        return self.operation(_FLOAT[method], [lhs, rhs], name)

    def operation(self, op, args, name=""):
        """An operation of LIR whose operands and result are of one type."""
        ty = self._check(args[0]).type
        floats = op in _TAKES_FLOATS or op in _FLOAT.values() or op.startswith("math.")
        if not isinstance(ty, _Float if floats else IntType):
            raise LoweringError(f"{op} of {args[0]!r}")
        if (op == "bswap" and ty.width < 16) or (ty == _BIT and op not in ("and", "or", "xor", "inot")):
            raise LoweringError(f"{op} of a value of type {ty}")
        if op.startswith("math.") and ty.kind == "f16":
            raise UnsupportedError(f"{op} of a value of type {ty}")
        first = self._here()
        leaves = [self.leaves_as(arg, ty, f"an operand of {op}")[0] for arg in args]
        return self._value(ty, [self._one(ty.kind, f"{op} {', '.join(leaves)}")], name, first)

    def overflow_operation(self, op, lhs, rhs, name=""):
        """Result and whether it overflowed, as a struct."""
        self._same_types(f"{op}_with_overflow", lhs, rhs, IntType)
        ty = lhs.type
        if not 8 <= ty.width <= 64:
            raise UnsupportedError(f"IRBuilder.{op}_with_overflow of {ty} is not supported")
        first = self._here()
        text = f"{op}_overflow {self.leaf(lhs)}, {self.leaf(rhs)}"
        return self._value(LiteralStructType([ty, _BIT]), self._line(text, ty.kind, "i1")[1], name, first)

    def frem(self, lhs, rhs, name="", flags=()):
        """C's ``fmod``."""
        self._same_types("frem", lhs, rhs, _Float)
        if lhs.type.kind == "f16":
            wide = FloatType()
            result = self.operation("math.fmod", [self.fpext(lhs, wide), self.fpext(rhs, wide)])
            return self.fptrunc(result, lhs.type, name)
        return self.operation("math.fmod", [lhs, rhs], name)

    def not_(self, value, name=""):
        """All bits the other way round."""
        return self.operation("inot", [value], name)

    def neg(self, value, name=""):
        """``0 - value``"""
        if self._check(value).type == _BIT:
            return value
        return self.operation("ineg", [value], name)

    def fneg(self, arg, name="", flags=()):
        """The other sign."""
        return self.operation("fneg", [arg], name)

    def fma(self, a, b, c, name=""):
        """``a * b + c``, rounded once."""
        return self.operation("fma", [a, b, c], name)

    def ctlz(self, value, flag=None, name=""):
        """Zero bits in front."""
        return self.operation("clz", [value], name)

    def cttz(self, value, flag=None, name=""):
        """Zero bits at the end."""
        return self.operation("ctz", [value], name)

    def ctpop(self, value, name=""):
        """Bits that are set."""
        return self.operation("popcnt", [value], name)

    def bswap(self, value, name=""):
        """The bytes the other way round."""
        return self.operation("bswap", [value], name)

    # Comparisons.

    def _compare_integers(self, method, cmpop, lhs, rhs, name, sign):
        self._same_types(method, lhs, rhs, (IntType, PointerType))
        if cmpop not in _COMPARISONS:
            raise LoweringError(f"{method}: no comparison {cmpop!r}")
        cc = _COMPARISONS[cmpop]
        first = self._here()
        if cc not in ("eq", "ne"):
            if lhs.type == _BIT:
                lhs, rhs = ((self.sext if sign == "s" else self.zext)(side, _BYTE) for side in (lhs, rhs))
            elif lhs.type.is_pointer and sign == "s":
                lhs, rhs = (self.ptrtoint(side, _LONG) for side in (lhs, rhs))
            cc = sign + cc
        ty = PointerType(lhs.type.pointee) if lhs.type.is_pointer else lhs.type
        sides = ", ".join(self.leaves_as(side, ty)[0] for side in (lhs, rhs))
        return self._value(_BIT, [self._one("i1", f"icmp {cc} {sides}")], name, first)

    def icmp_signed(self, cmpop, lhs, rhs, name=""):
        """Compares signed integers or pointers."""
        return self._compare_integers("icmp_signed", cmpop, lhs, rhs, name, "s")

    def icmp_unsigned(self, cmpop, lhs, rhs, name=""):
        """Compares unsigned integers or pointers."""
        return self._compare_integers("icmp_unsigned", cmpop, lhs, rhs, name, "u")

    def _compare_floats(self, method, cmpop, lhs, rhs, name, ordered):
        self._same_types(method, lhs, rhs, _Float)
        if cmpop not in (*_COMPARISONS, "ord", "uno"):
            raise LoweringError(f"{method}: no comparison {cmpop!r}")
        sides = f"{self.leaf(lhs)}, {self.leaf(rhs)}"
        first = self._here()

        def compare(cc):
            return self._one("i1", f"fcmp {cc} {sides}")

        cc = _COMPARISONS.get(cmpop, cmpop)
        # LIR's comparisons are false for NaN, but for `ne`.
        if cc in ("ord", "uno") or (cc != "ne" and ordered) or (cc == "ne" and not ordered):
            found = compare(cc)
        elif cc == "ne":
            found = self._one("i1", f"and {compare('ne')}, {compare('ord')}")
        elif cc == "eq":
            found = self._one("i1", f"or {compare('eq')}, {compare('uno')}")
        else:
            found = self._one("i1", f"inot {compare(_OPPOSITE[cc])}")
        return self._value(_BIT, [found], name, first)

    def fcmp_ordered(self, cmpop, lhs, rhs, name="", flags=()):
        """Compares floats; false if one is NaN."""
        return self._compare_floats("fcmp_ordered", cmpop, lhs, rhs, name, True)

    def fcmp_unordered(self, cmpop, lhs, rhs, name="", flags=()):
        """Compares floats; true if one is NaN."""
        return self._compare_floats("fcmp_unordered", cmpop, lhs, rhs, name, False)

    def select(self, cond, lhs, rhs, name="", flags=()):
        """One of two values."""
        condition = self.leaves_as(cond, _BIT, "a condition")[0]
        self._check(lhs), self._check(rhs)
        first = self._here()
        pairs = zip(lhs.type.kinds, self.leaves(lhs), self.leaves_as(rhs, lhs.type, "a choice"), strict=True)
        leaves = [self._one(kind, f"select {condition}, {then}, {other}") for kind, then, other in pairs]
        return self._value(lhs.type, leaves, name, first)

    # Conversions.

    def _convert(self, method, value, typ, name=""):
        self._check(value)
        if value.type == typ:
            return value
        source, target, direction = _CONVERSIONS[method]
        fits = isinstance(value.type, source) and isinstance(typ, target)
        if not fits or direction * (_bits(typ) - _bits(value.type)) < 0:
            raise LoweringError(f"{method} of {value!r} to {typ}")
        if value.type == _BIT and method == "sitofp":
            value = self.sext(value, _BYTE)
        if typ == _BIT and method in ("fptosi", "fptoui"):
            return self.trunc(self._convert(method, value, _BYTE), typ, name)
        first = self._here()
        return self._value(typ, [self._one(typ.kind, f"{method} {self.leaf(value)}")], name, first)

    def bitcast(self, value, typ, name=""):
        """The same bits as another type."""
        self._check(value)
        if not isinstance(typ, Type):
            raise LoweringError(f"bitcast to {typ!r}, which is no type")
        if value.type == typ:
            return value
        if isinstance(value, Constant) and value.address() is not None and typ.is_pointer:
            return value.bitcast(typ)
        if value.type.is_pointer and typ.is_pointer:
            return self._value(typ, [self._pointer(value, "bitcast")], name)
        plain = all(isinstance(ty, (IntType, _Float)) and ty != _BIT for ty in (value.type, typ))
        if not plain or value.type.size != typ.size:
            raise LoweringError(f"bitcast of {value!r} to {typ}")
        first = self._here()
        return self._value(typ, [self._one(typ.kind, f"bitcast {self.leaf(value)}")], name, first)

    def addrspacecast(self, value, typ, name=""):
        """There is one address space."""
        return self.bitcast(value, typ, name)

    def ptrtoint(self, value, typ, name=""):
        """An address as a number."""
        if not isinstance(typ, IntType):
            raise LoweringError(f"ptrtoint of {value!r} to {typ}")
        first = self._here()
        number = self._one("i64", f"ptrtoint {self._pointer(value, 'ptrtoint')}")
        return self._resize(self._value(_LONG, [number], name, first), typ)

    def inttoptr(self, value, typ, name=""):
        """A number as an address."""
        if not isinstance(self._check(value).type, IntType) or not isinstance(typ, PointerType):
            raise LoweringError(f"inttoptr of {value!r} to {typ}")
        first = self._here()
        number = self.leaf(self._resize(value, _LONG))
        return self._value(typ, [self._one("ptr", f"inttoptr {number}")], name, first)

    def _resize(self, value, typ):
        return self.trunc(value, typ) if typ.width < value.type.width else self.zext(value, typ)

    # Memory.

    def alloca(self, typ, size=None, name=""):
        """Memory for values of a type, as long as the call of the function lasts."""
        count = 1
        if size is not None:
            if not isinstance(size, (int, Constant)):
                raise UnsupportedError("IRBuilder.alloca of a size that is not constant is not supported")
            count = size if isinstance(size, int) else size.literals()[0]
        if not isinstance(typ, Type) or not typ.align:
            raise LoweringError(f"alloca of {typ!r}, which has no size")
        if count < 0 or typ.size * count > 1 << 24:
            raise UnsupportedError(f"IRBuilder.alloca of {count} values of type {typ} is not supported")
        pointer = self._value(typ.as_pointer(), [self.function.slot(typ, count)], name)
        return pointer

    def load(self, ptr, name="", align=None, typ=None):
        """The value at an address."""
        address = self._pointer(ptr, "load")
        ty = typ or ptr.type.pointee
        if not ty.align:
            raise LoweringError(f"load of a value of type {ty}")
        first = self._here()
        leaves = []
        for kind, offset in ty.leaves:
            memory, access = _access(address, kind, offset, ty, align)
            leaf = self._one(memory, f"load {access}")
            if kind == "i1":
                leaf = self._one("i1", f"icmp ne {leaf}, {self.function.constant_leaf('i8', 0)}")
            leaves.append(leaf)
        return self._value(ty, leaves, name, first)

    def store(self, value, ptr, align=None):
        """Puts a value at an address."""
        address = self._pointer(ptr, "store")
        ty = ptr.type.pointee
        self._check(value, "what is stored")
        is_large = isinstance(ty, Aggregate) and ty.size > 8 * _MANY and not ty.references()
        if is_large and value.type == ty and isinstance(value, Constant) and value.is_zero:
            return self.memory_set(ptr, Constant(_BYTE, 0), Constant(_LONG, ty.size))
        first = self._here()
        for (kind, offset), leaf in zip(ty.leaves, self.leaves_as(value, ty, "what is stored"), strict=True):
            memory, access = _access(address, kind, offset, ty, align, f", {leaf}")
            if kind == "i1":
                access = _access(address, kind, offset, ty, align, f", {self._one(memory, f'zext {leaf}')}")[1]
            self._line(f"store {access}")
        return self._value(VoidType(), (), first=first)

    def memory_copy(self, target, source, size, overlap=False):
        """Copies bytes."""
        pair = f"{self._pointer(target, 'memcpy')}, {self._pointer(source, 'memcpy')}"
        overlap = " overlap" * overlap
        self._line(f"memcopy {pair}, {self.leaf(self._resize(size, _LONG))}{overlap} any")
        return recorded.nothing()

    def memory_set(self, target, byte, size):
        """Fills bytes."""
        size = self.leaf(self._resize(size, _LONG))
        self._line(f"memset {self._pointer(target, 'memset')}, {self.leaves_as(byte, _BYTE)[0]}, {size} any")
        return recorded.nothing()

    def gep(self, ptr, indices, inbounds=False, name="", source_etype=None):
        """The address of a part of what a pointer points to."""
        self._check(ptr, "what gep takes")
        indices = [self._check(each, "an index") for each in indices]
        if isinstance(ptr, Constant) and all(isinstance(each, Constant) for each in indices) and not source_etype:
            return ptr.gep(indices)
        address = self._pointer(ptr, "gep")
        ty, fixed, first = source_etype or ptr.type.pointee, 0, self._here()
        for n, position in enumerate(indices):
            if not isinstance(position.type, IntType):
                raise LoweringError(f"gep: an index is an integer, not {position!r}")
            if n and isinstance(ty, LiteralStructType):
                if not isinstance(position, Constant):
                    raise LoweringError(f"gep: an index of {ty} is a constant, not {position!r}")
                ty, offset, _ = ty.part(position.literals()[0])
                fixed += offset
                continue
            if n:
                if not isinstance(ty, Aggregate):
                    raise LoweringError(f"gep: {ty} has no parts")
                ty = ty.element
            if isinstance(position, Constant):
                fixed += position.literals()[0] * ty.size
                continue
            wide = self.leaf(self.trunc(position, _LONG) if position.type.width > 64 else self.sext(position, _LONG))
            if ty.size != 1:
                wide = self._one("i64", f"imul {wide}, {self.function.constant_leaf('i64', ty.size)}")
            address = self._one("ptr", f"ptr_add {address}, {wide}")
        if fixed:
            address = self._one("ptr", f"ptr_add {address}, {self.function.constant_leaf('i64', fixed)}")
        return self._value(ty.as_pointer(), [address], name, first)

    def atomic_rmw(self, op, ptr, val, ordering, name=""):
        """Changes what is at an address at once; what was there."""
        if op not in _ATOMIC:
            raise UnsupportedError(f"IRBuilder.atomic_rmw {op} is not supported")
        address, ty = self._pointer(ptr, "atomic_rmw"), ptr.type.pointee
        value = self.leaves_as(val, ty, "an operand of atomic_rmw")[0]
        text = f"atomic_rmw {_ATOMIC[op]} {address}, {value} {_order(ordering)} system"
        return self._value(ty, [self._one(ty.kind, text)], name)

    def cmpxchg(self, ptr, cmp, val, ordering, failordering=None, name=""):
        """Puts a value at an address if another one is there: what was there, and whether it was that."""
        address, ty = self._pointer(ptr, "cmpxchg"), ptr.type.pointee
        expected, value = (self.leaves_as(each, ty, "an operand of cmpxchg")[0] for each in (cmp, val))
        old = self._one(ty.kind, f"atomic_cas {address}, {expected}, {value} {_order(ordering)} system")
        return self._value(LiteralStructType([ty, _BIT]), [old, self._one("i1", f"icmp eq {old}, {expected}")], name)

    def load_atomic(self, ptr, ordering, align, name="", typ=None):
        """The value at an address, at once."""
        address, ty = self._pointer(ptr, "load_atomic"), ptr.type.pointee
        return self._value(ty, [self._one(ty.kind, f"atomic_load {address} {_order(ordering)} system")], name)

    def store_atomic(self, value, ptr, ordering, align):
        """Puts a value at an address, at once."""
        address = self._pointer(ptr, "store_atomic")
        leaf = self.leaves_as(value, ptr.type.pointee, "what is stored")[0]
        self._line(f"atomic_store {address}, {leaf} {_order(ordering)} system")

    def fence(self, ordering, targetscope=None, name=""):
        """Orders accesses of memory."""
        self._line(f"fence {_order(ordering)} system")

    # Aggregates.

    def _part(self, ty, path, what):
        """Type of a part, and which leaves it has."""
        first = 0
        for position in [path] if isinstance(path, int) else path:
            if not isinstance(ty, Aggregate):
                raise LoweringError(f"{what}: a value of type {ty} has no parts")
            ty, _, at = ty.part(position)
            first += at
        return ty, slice(first, first + len(ty.leaves))

    def extract_value(self, agg, idx, name=""):
        """A part of an aggregate."""
        leaves = self.leaves(agg)
        ty, part = self._part(agg.type, idx, "extract_value")
        return self._value(ty, leaves[part], name)

    def insert_value(self, agg, value, idx, name=""):
        """An aggregate with another part."""
        leaves = list(self.leaves(agg))
        ty, part = self._part(agg.type, idx, "insert_value")
        leaves[part] = self.leaves_as(value, ty, "what is inserted")
        return self._value(agg.type, leaves, name)

    # Control.

    def _end(self, terminator):
        function = self.function
        if self._block.is_terminated:
            raise LoweringError(f"a second terminator of block {self._block.name or self._block.label}")
        for target in terminator.targets:
            if not isinstance(target, recorded.Block) or target.parent is not function:
                raise LoweringError(f"a branch to {target!r}, which is no block of this function")
        self._block.terminator = terminator
        return terminator

    def branch(self, target):
        """Goes on in a block."""
        return self._end(recorded.Jump(target))

    def cbranch(self, cond, truebr, falsebr):
        """Goes on in one of two blocks."""
        return self._end(recorded.Branch(self.leaves_as(cond, _BIT, "a condition")[0], truebr, falsebr))

    def switch(self, value, default):
        """Goes on in the block of a value."""
        if not isinstance(self._check(value).type, IntType):
            raise LoweringError(f"a switch over {value!r}")
        return self._end(recorded.Switch(value, self.leaf(value), default))

    def ret(self, value):
        """Returns a value."""
        function = self.function
        if self._block.is_terminated:
            raise LoweringError(f"a second terminator of block {self._block.name or self._block.label}")
        self._check(value, "what is returned")
        if value.type != function.return_type:
            raise LoweringError(
                f"function `{function.name}` returns {value!r}, not a value of type {function.return_type}"
            )
        leaves = function.give(self, value) if function.give else self.leaves_as(value, function.return_type)
        return self._end(recorded.Return(leaves))

    def ret_void(self):
        """Returns nothing."""
        if self.function.results:
            raise LoweringError(
                f"function `{self.function.name}` returns no value, not one of {self.function.return_type}"
            )
        return self._end(recorded.Return([]))

    def unreachable(self):
        """Control does not come here."""
        return self._end(recorded.Unreachable())

    def fail(self, number):
        """Raises an exception of the module."""
        self._line(f"set_error exc{number}()")
        self.function.raises = True
        return self._end(recorded.Fail())

    def fail_again(self):
        """Ends the function where one that it has called has failed."""
        self.function.raises = True
        return self._end(recorded.Fail())

    def call_compiled(self, address, params, args, results):
        """Calls compiled code of these machine types by its address and fails where it does; names of the results."""
        number = self.module.signature(params, results, raises=True)
        pointer = self.leaf(Constant(IntType(64), address).inttoptr(PointerType(IntType(8))))
        _, (status, *names) = self._line(f"call_indirect sig{number} {pointer}({', '.join(args)})", "i32", *results)
        failed = self.icmp_signed("!=", self._value(IntType(32), [status]), Constant(IntType(32), 0))
        with self.if_then(failed, likely=False):
            self.fail_again()
        return names

    def load_leaves(self, block, kinds):
        """Names of the leaves in a block of them."""
        stored = ["i8" if kind == "i1" else kind for kind in kinds]
        names = []
        for n, (kind, memory) in enumerate(zip(kinds, stored, strict=True)):
            name = self._one(memory, f"load {block}+{16 * n} any align {_bytes(memory)}")
            if kind == "i1":
                zero = self.function.constant_leaf("i8", 0)
                name = self._one("i1", f"icmp ne {name}, {zero}")
            names.append(name)
        return names

    def store_leaves(self, block, kinds, names):
        """Stores leaves into a block of them."""
        for n, (kind, name) in enumerate(zip(kinds, names, strict=True)):
            if kind == "i1":
                kind, name = "i8", self._one("i8", f"zext {name}")
            self._line(f"store {block}+{16 * n}, {name} any align {_bytes(kind)}")

    def phi(self, typ, name="", flags=()):
        """A value that depends on where control came from."""
        if not isinstance(typ, Type) or isinstance(typ, VoidType):
            raise LoweringError(f"a phi has a type, not {typ!r}")
        phi = recorded.Phi(typ, self._block, name)
        self.function.places.update(dict.fromkeys(phi.leaves, phi.where))
        self._block.phis.append(phi)
        return phi

    # Calls.

    def call(self, fn, args, name="", cconv=None, tail=False, fastmath=(), attrs=(), arg_attrs=None):
        """Calls a function or what a pointer points to."""
        ty = self._check(fn, "what is called").type
        if not ty.is_pointer or not isinstance(ty.pointee, FunctionType):
            raise LoweringError(f"{fn!r} is called, which is no function")
        ftype, args, first = ty.pointee, list(args), self._here()
        known = getattr(fn, "name", "") or "?"
        more = ftype.var_arg and len(args) > len(ftype.args)
        if len(args) != len(ftype.args) and not more:
            raise LoweringError(f"{len(args)} arguments for `{known}` of type {ftype}")
        if isinstance(fn, recorded.Function) and fn.intrinsic:
            for arg, wanted in zip(args, ftype.args, strict=True):
                self.leaves_as(arg, wanted, f"an argument of `{known}`")
            return fn.intrinsic(self, args)
        wanted = [*ftype.args, *(self._check(arg, "an argument").type for arg in args[len(ftype.args) :])]
        wanted = [PointerType(each.pointee) if isinstance(each, ReferenceType) and more else each for each in wanted]
        if more and any(isinstance(each, _Float) for each in wanted):
            raise UnsupportedError(f"a float among the further arguments of `{known}`")
        leaves = [
            leaf
            for arg, each in zip(args, wanted, strict=True)
            for leaf in self.leaves_as(arg, each, f"an argument of `{known}`")
        ]
        kinds, results = [kind for each in wanted for kind in each.kinds], list(ftype.return_type.kinds)
        if not isinstance(fn, recorded.Function) or fn.is_declaration:
            recorded.check_c(known, FunctionType(ftype.return_type, wanted))
        arguments = f"({', '.join(leaves)})"
        if isinstance(fn, recorded.Function) and not ftype.var_arg:
            if fn.raises:
                raise UnsupportedError(f"a call of `{known}`, which may raise")
            _, names = self._line(f"call {recorded.symbol('@', fn.name)}{arguments}", *results)
        else:
            number = self.module.signature(kinds, results)
            address = self.leaves_as(fn, ty)[0]
            _, names = self._line(f"call_indirect sig{number} {address}{arguments}", *results)
        return self._value(ftype.return_type, names, name, first)

    def native(self, symbol, args, kind):
        """Calls a function of the runtime with these leaves; the name of its result."""
        return self._one(kind, f"call_native @{symbol}({', '.join(args)})")

    def comment(self, text):
        """Leaves a note in the text."""
        self._line("; " + " ".join(text.split()))

    def assume(self, cond):
        """A hint for LLVM."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise UnsupportedError(f"IRBuilder.{name} is not supported")


def _bytes(kind):
    """How large a leaf is, by the name of its machine type."""
    return int(kind[1:]) // 8 if kind[1:].isdigit() else 8


def _bits(ty):
    return ty.width if isinstance(ty, IntType) else 8 * ty.size


def _order(name):
    if name not in _ORDERS:
        raise LoweringError(f"no memory order {name!r}")
    return _ORDERS[name]


def _access(address, kind, offset, ty, align, value=""):
    """The machine type in memory, and the text of an access."""
    memory = "i8" if kind == "i1" else kind
    natural = 8 if memory in ("ptr", "ref") else int(memory[1:]) // 8
    align = min(align or ty.align, natural) or 1
    plus = f"+{offset}" if offset else ""
    return memory, f"{address}{plus}{value} any align {align}"


def _row(record, method, document):
    """A method of the table."""

    def recording(self, lhs, rhs, name="", flags=()):
        return record(self, method, lhs, rhs, name)

    recording.__name__, recording.__doc__ = method, document
    setattr(IRBuilder, method, recording)


for _method, _op in _INTEGER.items():
    _row(IRBuilder._integers, _method, f"LIR's ``{_op}`` of integers.")
for _method, _op in _FLOAT.items():
    _row(IRBuilder._floats, _method, f"LIR's ``{_op}`` of floats.")
for _method in _CONVERSIONS:
    _row(IRBuilder._convert, _method, f"LIR's ``{_method}``.")
for _op in _OVERFLOW:
    _row(
        lambda self, method, lhs, rhs, name: self.overflow_operation(method.split("_")[0], lhs, rhs, name),
        f"{_op}_with_overflow",
        f"LIR's ``{_op}_overflow``.",
    )
