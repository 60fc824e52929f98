"""Random expressions of each kind of number, over the names in scope.

Kinds are `int` (signed of any width, computing as int64), `uint` (computing as uint64), `float`,
`single` (float32), `complex` and `bool`.
"""

MODULUS = 2147483629  # below 2**31: integer variables stay below it
LARGE = 2**62
KINDS = ["int", "uint", "float", "single", "complex", "bool"]

#: Types of the items of arrays, by kind.
ITEMS = {
    "int": ["int8", "int16", "int32", "int64"],
    "uint": ["uint8", "uint16", "uint32", "uint64"],
    "float": ["float64"],
    "single": ["float32"],
    "complex": ["complex128"],
    "bool": ["bool_"],
}


class Scope:
    """What a function's statements can name."""

    def __init__(self):
        self.numbers = {kind: [] for kind in KINDS}
        self.fixed = set()  # numbers that no statement assigns
        self.arrays = {}  # name: (kind, rank)
        self.tuples = {}  # name: kinds of the items
        self.callees = []  # functions
        self.constants = {kind: [] for kind in KINDS}  # global names


class Expressions:
    """Draws expressions over a scope."""

    def __init__(self, rng, scope):
        self.rng, self.scope = rng, scope
        self.inside = 0  # indices and arguments being drawn

    def of(self, kind, depth):
        """An expression of a kind; integers are reduced below MODULUS."""
        if kind == "int":
            return self.small(depth)
        return getattr(self, "bool" if kind == "bool" else kind)(depth)

    def small(self, depth, modulus=MODULUS):
        text, bound = self.int(depth)
        return text if bound < modulus else f"({text}) % {modulus}"

    def names(self, kind):
        return self.scope.numbers[kind] + self.scope.constants[kind]

    def leaf(self, kind):
        """A name, an item or the result of a call of this kind, or None; and a bound for integers."""
        rng, found = self.rng, []
        if self.names(kind):
            found += ["name"] * 4
        arrays = tuples = callees = []
        if self.inside == 0:
            arrays = [name for name, (of, _) in self.scope.arrays.items() if of == kind]
            tuples = [name for name, kinds in self.scope.tuples.items() if kind in kinds]
            callees = [callee for callee in self.scope.callees if callee.kind == kind]
        found += ["array"] * (2 * bool(arrays)) + ["tuple"] * bool(tuples)
        found += ["call"] * bool(callees)
        if not found:
            return None
        match rng.choice(found):
            case "name":
                return rng.choice(self.names(kind)), MODULUS
            case "array":
                return self.item(rng.choice(arrays)), 2**63
            case "tuple":
                name = rng.choice(tuples)
                kinds = self.scope.tuples[name]
                if set(kinds) == {kind} and rng.random() < 0.5:
                    return f"{name}[{self.index()} % {len(kinds)}]", MODULUS
                return f"{name}[{rng.choice([i for i, k in enumerate(kinds) if k == kind])}]", MODULUS
            case "call":
                return self.call(rng.choice(callees)), MODULUS

    def index(self):
        self.inside += 1
        text = self.small(1)
        self.inside -= 1
        return text

    def item(self, name):
        """An item within the bounds, now and then counted from the end."""
        rng, rank = self.rng, self.scope.arrays[name][1]
        index = [f"{self.index()} % {name}.shape[{axis}]" for axis in range(rank)]
        if rng.random() < 0.2:
            index[0] += f" - {name}.shape[0]"
        if rank == 2 and rng.random() < 0.2:
            return f"{name}[{index[0]}][{index[1]}]"
        return f"{name}[{', '.join(index)}]"

    def call(self, callee):
        given = [self.argument(kind) for kind in callee.kinds]
        if callee.defaults and self.rng.random() < 0.5:
            given = given[: -self.rng.randrange(1, callee.defaults + 1)]
        elif callee.defaults and self.rng.random() < 0.3:
            given[-1] = f"{callee.parameters[-1]}={given[-1]}"
        return f"{callee.name}({', '.join(given)})"

    def argument(self, kind):
        self.inside += 1
        text = self.small(1, 1009) if kind == "int" else self.of(kind, 1)
        self.inside -= 1
        return text

    # ------------------------------------------------------------------------------------ integers

    def int(self, depth):
        """Text, and a bound on the magnitude."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            leaf = self.leaf("int") if rng.random() < 0.6 else None
            if leaf:
                return leaf
            value = rng.choice([0, 1, 2, 3, 7, 10, 255, -1, -5, rng.randrange(-1000, 1000)])
            return (f"({value})" if value < 0 else str(value)), abs(value)
        a, bound_a = self.int(depth - 1)
        b, bound_b = self.int(depth - 1)
        a, bound_a = self.reduced(a, bound_a, LARGE // 4)
        b, bound_b = self.reduced(b, bound_b, LARGE // 4)
        match rng.randrange(15):
            case 0 | 1:
                return f"({a} {rng.choice('+-')} {b})", bound_a + bound_b
            case 2:
                if bound_a * bound_b >= LARGE:
                    a, b, bound_a, bound_b = f"({a} % 65521)", f"({b} % 65521)", 65521, 65521
                return f"({a} * {b})", bound_a * bound_b
            case 3:
                divisor = rng.choice(["3", "-7", "10", f"({b} % 5)", f"({b} % 9 + 1)"])
                return f"({a} {rng.choice(['//', '%'])} {divisor})", bound_a + 10
            case 4:
                bound = 2 ** (max(bound_a, bound_b) + 1).bit_length()
                return f"({a} {rng.choice('&|^')} {b})", bound
            case 5:
                return f"({a} >> {rng.randrange(9)})", bound_a
            case 6:
                a, bound_a = self.reduced(a, bound_a, 2**50)
                return f"({a} << {rng.randrange(9)})", bound_a * 512
            case 7:
                c, bound_c = self.reduced(*self.int(0), LARGE)
                name, bound = rng.choice(["min", "max"]), max(bound_a, bound_b, bound_c)
                three = rng.random() < 0.3
                return f"{name}({a}, {b}, {c})" if three else f"{name}({a}, {b})", bound
            case 8:
                operator = rng.choice(["-", "~", "abs"])
                # The least of a narrow type has no negative in it.
                return f"{operator}({'0 + ' * (operator != '~')}{a})", bound_a + 1
            case 9:
                return f"({a} if {self.bool(depth - 1)} else {b})", max(bound_a, bound_b)
            case 10:
                kind = rng.choice(["int8", "int16", "int32"])
                return f"np.{kind}({a})", 2**31
            case 11:
                return f"(np.int64({self.uint(depth - 1)}) % {MODULUS})", MODULUS
            case 12:
                a, bound_a = self.reduced(a, bound_a, 2**15)
                power = rng.randrange(4)
                return f"({a} ** {power})", max(1, bound_a**power)
            case 13:
                return self.count(depth)
        x = self.float(depth - 1)
        name = rng.choice(["int", "math.floor", "math.ceil", "round", "math.trunc"])
        return f"({name}({x}) if -1e6 < {x} < 1e6 else {rng.randrange(9)})", 10**6 + 1

    def reduced(self, text, bound, limit):
        if bound < limit:
            return text, bound
        modulus = MODULUS if limit > MODULUS else limit - 19
        return f"({text} % {modulus})", modulus

    def count(self, depth):
        """Integers that are not numbers in the program."""
        rng = self.rng
        found = [f"int({self.bool(depth - 1)})"]
        for name, (_, rank) in self.scope.arrays.items():
            found += [f"len({name})", f"{name}.size", f"{name}.shape[{rank - 1}]", f"{name}.ndim"]
        found += [f"len({name})" for name in self.scope.tuples]
        found.append(f"divmod({self.small(0)}, {rng.choice(['7', '-3', '11'])})[{rng.randrange(2)}]")
        return rng.choice(found), MODULUS

    def uint(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            leaf = self.leaf("uint") if rng.random() < 0.7 else None
            if leaf:
                return leaf[0]
            return f"np.uint64({self.small(max(depth, 0))})"
        a, b = self.uint(depth - 1), self.uint(depth - 1)
        match rng.randrange(8):
            case 0 | 1 | 2:
                return f"({a} {rng.choice('+-*')} {b})"
            case 3:
                return f"({a} {rng.choice('&|^')} {b})"
            case 4:
                return f"({a} {rng.choice(['//', '%'])} ({b} | np.uint64(1)))"
            case 5:
                return f"(np.uint64({a}) {rng.choice(['<<', '>>'])} {rng.randrange(60)})"
            case 6:
                return f"np.{rng.choice(ITEMS['uint'])}({a})"
        return f"({a} if {self.bool(depth - 1)} else {b})"

    # -------------------------------------------------------------------------------------- floats

    def float(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            leaf = self.leaf("float") if rng.random() < 0.7 else None
            if leaf:
                return leaf[0]
            return repr(rng.choice([0.0, 0.5, 1.0, 3.0, 0.1, 1e10, round(rng.uniform(-9, 9), 3)]))
        a, b = self.float(depth - 1), self.float(depth - 1)
        match rng.randrange(16):
            case 0 | 1 | 2 | 3:
                return f"({a} {rng.choice('+-*')} {b})"
            case 4:
                return f"({a} / {rng.choice([b, '4.0', '0.3'])})"
            case 5:
                return f"({self.small(depth - 1)} {rng.choice('+-*/')} {a})"
            case 6:
                return f"({a} {rng.choice(['//', '%'])} {rng.choice(['2.5', '-0.75', '3.0'])})"
            case 7:
                name = rng.choice(["sin", "cos", "exp", "atan", "tanh", "tan", "sinh", "erf", "expm1"])
                return f"(math.{name}({a}) if -50.0 < {a} < 50.0 else {b})"
            case 8:
                return rng.choice([f"math.sqrt(abs({a}))", f"abs({a})", f"(-{a})", f"float({a})", f"math.fabs({a})"])
            case 9:
                name = rng.choice(["log", "log2", "log10", "log1p"])
                return f"(math.{name}({a}) if 1e-300 < {a} < 1e300 else {b})"
            case 10:
                if rng.choice(["copysign", "atan2"]) == "atan2":
                    return f"(math.atan2({a}, {b}))"
                # The sign of NaN is not defined.
                return f"(math.copysign({a}, (0.0 if math.isnan({b}) else {b})))"
            case 11:
                power = rng.choice(["0.5", "-1.5", "2.5", "0.25"])  # Numba multiplies for 2 and 3
                return f"({a} ** {power} if 1e-3 < {a} < 1e3 else {b})"
            case 12:
                return f"({self.complex(depth - 1)}).{rng.choice(['real', 'imag'])}"
            case 13:
                return f"np.float64({self.single(depth - 1)})"
            case 14:
                return f"({self.single(depth - 1)} {rng.choice('+-*')} {a})"
        return f"({a} if {self.bool(depth - 1)} else {b})"

    def single(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            leaf = self.leaf("single") if rng.random() < 0.7 else None
            if leaf:
                return leaf[0]
            return f"np.float32({self.float(0)})"
        a, b = self.single(depth - 1), self.single(depth - 1)
        match rng.randrange(6):
            case 0 | 1 | 2:
                return f"({a} {rng.choice('+-*')} {b})"
            case 3:
                return f"({a} / {b})"
            case 4:
                return rng.choice([f"(-{a})", f"abs({a})", f"np.float32({self.float(depth - 1)})"])
        return f"({a} if {self.bool(depth - 1)} else {b})"

    def complex(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            leaf = self.leaf("complex") if rng.random() < 0.7 else None
            if leaf:
                return leaf[0]
            return rng.choice(["2.5j", "(1.0-0.5j)", f"complex({self.float(0)}, {self.float(0)})"])
        a, b = self.complex(depth - 1), self.complex(depth - 1)
        match rng.randrange(8):
            case 0 | 1 | 2:
                return f"({a} {rng.choice('+-*')} {b})"
            case 3:
                return f"({a} {rng.choice('+-*')} {self.float(depth - 1)})"
            case 4:
                return f"({a} / {b})"
            case 5:
                return rng.choice([f"(-{a})", f"({a}).conjugate()"])
            case 6:
                return f"complex({self.float(depth - 1)}, {self.float(depth - 1)})"
        return f"({a} if {self.bool(depth - 1)} else {b})"

    # --------------------------------------------------------------------------------------- truth

    def bool(self, depth):
        rng = self.rng
        if depth > 0 and rng.random() < 0.4:
            a, b = self.bool(depth - 1), self.bool(depth - 1)
            return rng.choice([f"({a} and {b})", f"({a} or {b})", f"(not {a})", f"({a} == {b})"])
        op = rng.choice(["<", "<=", "==", "!=", ">", ">="])
        match rng.randrange(10):
            case 0 | 1 | 2 | 3:
                return f"({self.small(1)} {op} {self.small(1)})"
            case 4:
                leaf = self.leaf("bool")
                if leaf:
                    return leaf[0]
            case 5:
                return f"({self.uint(1)} {op} {self.uint(1)})"
            case 6:
                return f"({self.complex(1)} {rng.choice(['==', '!='])} {self.complex(1)})"
            case 7:
                return f"({self.single(1)} {op} {self.single(1)})"
            case 8:
                name = rng.choice(["isnan", "isinf", "isfinite"])
                return f"math.{name}({self.float(1)})"
        if rng.random() < 0.2:
            return f"({self.float(1)} < {self.float(0)} <= {self.float(1)})"
        return f"({self.float(1)} {op} {self.float(1)})"
