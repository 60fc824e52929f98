"""Random programs whose every step is well defined, in CPython and in 64-bit arithmetic alike.

Integers never overflow: each expression carries a bound on its magnitude, and is reduced where the
bound grows too large. What may be out of range for a function (`int(nan)`, `math.sin(inf)`) is
guarded in the program itself. Zero divisors and `raise` are left in: they raise in every
implementation.
"""

import random

MODULUS = 2147483629  # below 2**31: integer variables stay below it
LARGE = 2**62
ARGUMENTS = 3


class Program:
    """`source` defines `helpers` and `main(n, x, a)`; `arguments` are calls to make.

    The source uses the names `math` and `np`, which whoever runs it provides.
    """

    def __init__(self, seed):
        rng = random.Random(seed)
        helpers = [Function(rng, f"helper{k}", ["p", "q"]) for k in range(rng.randrange(3))]
        texts = [helper.text() for helper in helpers]
        texts.append(Main(rng, helpers).text())
        self.seed = seed
        self.helpers = [helper.name for helper in helpers]
        self.source = "\n\n\n".join(texts) + "\n"
        self.arguments = [
            (
                rng.randrange(-9, 40),
                rng.choice([0.0, -0.0, 1.5, -3.25, 1e3, rng.uniform(-10, 10)]),
                [rng.choice([0.0, 1.0, -2.5, rng.uniform(-5, 5)]) for _ in range(6)],
            )
            for _ in range(ARGUMENTS)
        ]


class Function:
    """A function of an integer and a float that gives a float."""

    def __init__(self, rng, name, parameters):
        self.rng, self.name = rng, name
        self.parameters = parameters
        self.ints, self.floats, self.arrays = [parameters[0]], [parameters[1]], []
        self.fixed = {parameters[0]}  # integers that no statement assigns
        self.callees = []
        self.loops = 0
        self.counter = 0

    def text(self):
        body = self.start() + self.block(self.rng.randrange(2, 5), 1) + self.finish()
        return "\n".join([f"def {self.name}({', '.join(self.parameters)}):", *body])

    def start(self):
        body = []
        for name in ("i", "j"):
            body.append(f"    {name} = {self.int(2)[0]} % 1009")
            self.ints.append(name)
        for name in ("u", "v"):
            body.append(f"    {name} = {self.float(2)}")
            self.floats.append(name)
        return body

    def finish(self):
        return [f"    return {self.float(2)}"]

    # -------------------------------------------------------------------------------- statements

    def block(self, size, depth):
        lines = []
        for _ in range(size):
            lines += self.statement(depth)
        return lines

    def statement(self, depth):
        pad = "    " * depth
        kinds = ["int", "float", "float", "augmented", "swap"]
        if self.arrays:
            kinds += ["store", "store"]
        if depth < 4:
            kinds += ["if", "if", "for", "while"]
        if self.loops:
            kinds += ["leave"]
        if self.rng.random() < 0.04:
            kinds = ["raise"]
        return getattr(self, "do_" + self.rng.choice(kinds))(pad, depth)

    def targets(self):
        return [name for name in self.ints if name not in self.fixed]

    def do_int(self, pad, depth):
        text, bound = self.int(3)
        reduced = text if bound < MODULUS else f"({text}) % {MODULUS}"
        return [f"{pad}{self.rng.choice(self.targets())} = {reduced}"]

    def do_float(self, pad, depth):
        return [f"{pad}{self.rng.choice(self.floats)} = {self.float(3)}"]

    def do_augmented(self, pad, depth):
        if self.rng.random() < 0.5:
            op = self.rng.choice(["+", "-", "*"])
            return [f"{pad}{self.rng.choice(self.floats)} {op}= {self.float(2)}"]
        name, (text, bound) = self.rng.choice(self.targets()), self.int(2)
        reduced = text if bound < MODULUS else f"({text}) % {MODULUS}"
        op = self.rng.choice(["+", "-", "*", "^", "|", "&"])
        return [f"{pad}{name} {op}= {reduced}", f"{pad}{name} %= {self.rng.randrange(2, MODULUS)}"]

    def do_swap(self, pad, depth):
        names = self.rng.choice([self.targets(), self.floats])
        a, b = self.rng.choice(names), self.rng.choice(names)
        return [f"{pad}{a}, {b} = {b}, {a}"]

    def do_store(self, pad, depth):
        array = self.rng.choice(self.arrays)
        op = self.rng.choice(["=", "=", "+=", "*="])
        return [f"{pad}{array}[{self.index(array)}] {op} {self.float(2)}"]

    def do_if(self, pad, depth):
        lines = [f"{pad}if {self.condition(2)}:", *self.block(self.rng.randrange(1, 3), depth + 1)]
        if self.rng.random() < 0.3:
            lines += [f"{pad}elif {self.condition(1)}:", *self.block(1, depth + 1)]
        if self.rng.random() < 0.5:
            lines += [f"{pad}else:", *self.block(self.rng.randrange(1, 3), depth + 1)]
        return lines

    def do_for(self, pad, depth):
        name = self.fresh("k")
        stop = self.rng.choice(["3", "5", f"{self.rng.choice(self.ints)} % 6"])
        bounds = self.rng.choice([stop, f"1, {stop}", f"{stop}, -2, -1", f"0, {stop}, 2"])
        self.ints.append(name)
        self.fixed.add(name)
        over = f"range({bounds})"
        if self.rng.random() < 0.2:
            item = self.fresh("w")
            source = self.rng.choice([*self.arrays, "(0.5, 1.25, -3.0)"])
            lines = [f"{pad}for {name}, {item} in enumerate({source}):"]
            self.floats.append(item)
        else:
            item = None
            lines = [f"{pad}for {name} in {over}:"]
        self.loops += 1
        lines += self.block(self.rng.randrange(1, 4), depth + 1)
        self.loops -= 1
        self.ints.remove(name)
        if item:
            self.floats.remove(item)
        if self.rng.random() < 0.2:
            lines += [f"{pad}else:", *self.block(1, depth + 1)]
        return lines

    def do_while(self, pad, depth):
        name = self.fresh("c")
        lines = [
            f"{pad}{name} = 0",
            f"{pad}while {name} < {self.rng.randrange(1, 6)} and {self.condition(1)}:",
            f"{pad}    {name} += 1",
        ]
        self.loops += 1
        lines += self.block(self.rng.randrange(1, 4), depth + 1)
        self.loops -= 1
        return lines

    def do_leave(self, pad, depth):
        word = self.rng.choice(["break", "continue"])
        return [f"{pad}if {self.condition(1)}:", f"{pad}    {word}"]

    def do_raise(self, pad, depth):
        what = self.rng.choice(["ValueError('bad')", "IndexError", "ZeroDivisionError('no')"])
        return [f"{pad}if {self.condition(2)} and {self.condition(2)}:", f"{pad}    raise {what}"]

    def fresh(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}"

    # ------------------------------------------------------------------------------- expressions

    def int(self, depth):
        """Text, and a bound on the magnitude."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            if rng.random() < 0.5:
                return rng.choice(self.ints), MODULUS
            value = rng.choice([0, 1, 2, 3, 7, 10, 255, -1, -5, rng.randrange(-1000, 1000)])
            return (f"({value})" if value < 0 else str(value)), abs(value)
        a, bound_a = self.int(depth - 1)
        b, bound_b = self.int(depth - 1)
        kind = rng.randrange(11)
        if kind < 2:
            return f"({a} {rng.choice('+-')} {b})", bound_a + bound_b
        if kind == 2:
            if bound_a * bound_b >= LARGE:
                a, b = f"({a} % 65521)", f"({b} % 65521)"
                bound_a = bound_b = 65521
            return f"({a} * {b})", bound_a * bound_b
        if kind == 3:
            divisor = rng.choice(["3", "-7", "10", f"({b} % 5)", f"({b} % 9 + 1)"])
            return f"({a} {rng.choice(['//', '%'])} {divisor})", bound_a + 10
        if kind == 4:
            bound = 2 ** (max(bound_a, bound_b) + 1).bit_length()
            return f"({a} {rng.choice('&|^')} {b})", bound
        if kind == 5:
            return f"({a} >> {rng.randrange(9)})", bound_a
        if kind == 6:
            if bound_a >= 2**50:
                a, bound_a = f"({a} % 8191)", 8191
            return f"({a} << {rng.randrange(9)})", bound_a * 512
        if kind == 7:
            bound = max(bound_a, bound_b)
            return f"{rng.choice(['min', 'max'])}({a}, {b})", bound
        if kind == 8:
            return f"{rng.choice(['-', '~', 'abs'])}({a})", bound_a + 1
        if kind == 9:
            return f"({a} if {self.condition(depth - 1)} else {b})", max(bound_a, bound_b)
        x = self.float(depth - 1)
        name = rng.choice(["int", "math.floor", "math.ceil", "round"])
        return f"({name}({x}) if -1e6 < {x} < 1e6 else {rng.randrange(9)})", 10**6 + 1

    def float(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            if self.arrays and rng.random() < 0.3:
                array = rng.choice(self.arrays)
                return f"{array}[{self.index(array)}]"
            if rng.random() < 0.6:
                return rng.choice(self.floats)
            return repr(rng.choice([0.0, 0.5, 1.0, 3.0, 0.1, 1e10, round(rng.uniform(-9, 9), 3)]))
        a, b = self.float(depth - 1), self.float(depth - 1)
        kind = rng.randrange(10)
        if kind < 4:
            return f"({a} {rng.choice('+-*')} {b})"
        if kind == 4:
            return f"({a} / {rng.choice([b, '4.0', '0.3'])})"
        if kind == 5:
            number, bound = self.int(depth - 1)
            small = number if bound < 2**52 else f"({number} % {MODULUS})"
            return f"({small} {rng.choice('+-*/')} {a})"
        if kind == 6:
            return f"({a} {rng.choice(['//', '%'])} {rng.choice(['2.5', '-0.75', '3.0'])})"
        if kind == 7:
            name = rng.choice(["math.sin", "math.cos", "math.exp", "math.atan", "math.tanh"])
            return f"({name}({a}) if -50.0 < {a} < 50.0 else {b})"
        if kind == 8:
            return rng.choice([f"math.sqrt(abs({a}))", f"abs({a})", f"(-{a})", f"float({a})"])
        if self.callees and rng.random() < 0.7:
            number, bound = self.int(depth - 1)
            small = number if bound < MODULUS else f"({number} % {MODULUS})"
            return f"{rng.choice(self.callees).name}({small}, {a})"
        return f"({a} if {self.condition(depth - 1)} else {b})"

    def condition(self, depth):
        rng = self.rng
        if depth > 0 and rng.random() < 0.4:
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return rng.choice([f"({a} and {b})", f"({a} or {b})", f"(not {a})"])
        op = rng.choice(["<", "<=", "==", "!=", ">", ">="])
        if rng.random() < 0.5:
            return f"({self.int(1)[0]} {op} {self.int(1)[0]})"
        if rng.random() < 0.2:
            return f"({self.float(1)} < {self.float(0)} <= {self.float(1)})"
        return f"({self.float(1)} {op} {self.float(1)})"

    def index(self, array):
        """An index within the array, now and then from its end."""
        index = f"{self.rng.choice(self.ints)} % {array}.size"
        return f"{index} - {array}.size" if self.rng.random() < 0.2 else index


class Main(Function):
    """The entry: an integer, a float and an array; gives what it computed."""

    def __init__(self, rng, helpers):
        super().__init__(rng, "main", ["n", "x", "a"])
        self.arrays.append("a")
        self.callees = helpers

    def start(self):
        size = self.rng.randrange(1, 7)
        made = self.rng.choice([f"np.zeros({size})", f"np.empty({size})", "a[1:]", "a[::2]"])
        body = [*super().start(), f"    b = {made}"]
        if "empty" in made:
            body += ["    for z in range(b.size):", "        b[z] = z * 0.5"]
        self.arrays.append("b")
        return body

    def finish(self):
        return ["    return i, j, u, v, b.size, b[0], b"]
