"""Random programs whose every step is well defined, in CPython and in 64-bit arithmetic alike.

Signed integers never overflow: each expression carries a bound on its magnitude, and is reduced
where the bound grows too large. What may be out of range for a function (`int(nan)`,
`math.sin(inf)`) is guarded in the program itself. Zero divisors and `raise` are left in: they raise
in every implementation.
"""

import random

from expressions import ITEMS, KINDS, MODULUS, Expressions, Scope

ARGUMENTS = 3
CONSTANTS = {"int": ["K0"], "float": ["K1"], "complex": ["K2"], "bool": ["K3"]}


class Program:
    """`source` defines `helpers` and `main(n, x, a, m)`; `arguments` are calls to make.

    The source uses the names `math` and `np`, which whoever runs it provides.
    """

    def __init__(self, seed):
        rng = random.Random(seed)
        texts = [
            f"K0 = {rng.randrange(-99, 99)}\nK1 = {rng.uniform(-4, 4)!r}\n"
            f"K2 = {rng.choice(['1.5j', '(2-0.5j)'])}\nK3 = {rng.random() < 0.5}"
        ]
        helpers = []
        for number in range(rng.randrange(4)):
            form = rng.choice([Function, Function, Recursive, Recurrence, Maybe])
            helper = form(rng, f"helper{number}", helpers)
            texts.append(helper.text())
            helpers.append(helper)
        texts.append(Main(rng, helpers).text())
        self.seed = seed
        self.helpers = [helper.name for helper in helpers]
        self.source = "\n\n\n".join(texts) + "\n"
        self.arguments = [
            (
                rng.randrange(-9, 40),
                rng.choice([0.0, -0.0, 1.5, -3.25, 1e3, rng.uniform(-10, 10)]),
                [rng.choice([0.0, 1.0, -2.5, rng.uniform(-5, 5)]) for _ in range(6)],
                [[rng.randrange(-99, 99) for _ in range(3)] for _ in range(2)],
            )
            for _ in range(ARGUMENTS)
        ]


class Function:
    """A function of an integer and other numbers that gives a number."""

    def __init__(self, rng, name, helpers):
        self.rng, self.name = rng, name
        self.scope = Scope()
        self.scope.constants.update(CONSTANTS)
        self.scope.callees = [helper for helper in helpers if helper.kind != "maybe"]
        self.maybes = [helper for helper in helpers if helper.kind == "maybe"]
        self.draw = Expressions(rng, self.scope)
        self.kind = rng.choice(KINDS)
        self.kinds = ["int", "float", *rng.choices(KINDS, k=rng.randrange(2))]
        self.parameters = ["p", "q", "r"][: len(self.kinds)]
        self.defaults = rng.randrange(2) if self.kinds[-1] in ("int", "float") else 0
        self.loops = self.counter = 0
        self.allowed = 24  # statements
        for parameter, kind in zip(self.parameters, self.kinds, strict=True):
            self.scope.numbers[kind].append(parameter)
        self.scope.fixed.add(self.parameters[0])
        self.unknown = self.parameters[0]

    def text(self):
        body = self.start() + self.block(self.rng.randrange(2, 5), 1) + self.finish()
        return "\n".join([self.head(), *body])

    def head(self):
        given = list(self.parameters)
        if self.defaults:
            given[-1] += "=3" if self.kinds[-1] == "int" else "=0.5"
        return f"def {self.name}({', '.join(given)}):"

    def start(self):
        body = []
        for kind, letters in [("int", "ij"), ("float", "uv"), ("complex", "c"), ("bool", "b")]:
            for name in letters if kind in ("int", "float") or self.rng.random() < 0.4 else "":
                body.append(f"    {name} = {self.value(kind, 2)}")
                self.scope.numbers[kind].append(name)
        for kind, name in [("uint", "h"), ("single", "s")]:
            if self.rng.random() < 0.3:
                body.append(f"    {name} = {self.value(kind, 1)}")
                self.scope.numbers[kind].append(name)
        if self.rng.random() < 0.4:
            kinds = self.rng.choices(["int", "float", "complex", "bool"], k=self.rng.randrange(1, 4))
            if self.rng.random() < 0.5:
                kinds = [kinds[0]] * 3
            body.append(f"    t = {self.tuple(kinds)}")
            self.scope.tuples["t"] = kinds
        return body

    def value(self, kind, depth):
        """An expression to assign: of the one type that variables of the kind have."""
        if kind == "int":
            text, bound = self.draw.int(depth)
            return f"np.int64({text})" if bound < MODULUS else f"({text}) % {MODULUS}"
        if kind == "uint":
            return f"np.uint64({self.draw.uint(depth)})"
        return self.draw.of(kind, depth)

    def tuple(self, kinds):
        return "(" + "".join(self.value(kind, 1) + ", " for kind in kinds) + ")"

    def finish(self):
        return [f"    return {self.value(self.kind, 2)}"]

    # -------------------------------------------------------------------------------- statements

    def block(self, size, depth):
        lines = []
        for _ in range(size):
            lines += self.statement(depth)
        return lines

    def statement(self, depth):
        pad = "    " * depth
        kinds = ["assign", "assign", "float", "augmented", "swap"]
        kinds += ["store", "store"] * bool(self.scope.arrays)
        kinds += ["pack"] * any(rank == 1 for _, rank in self.scope.arrays.values())
        kinds += ["tuple", "unpack"] * bool(self.scope.tuples)
        kinds += ["maybe"] * bool(self.maybes)
        self.allowed -= 1
        if depth < 4 and self.allowed > 0:
            kinds += ["if", "if", "for", "each", "while"]
        if self.loops:
            kinds += ["leave"]
        if self.rng.random() < 0.04:
            kinds = ["raise", "assert"]
        return getattr(self, "do_" + self.rng.choice(kinds))(pad, depth)

    def targets(self, kind):
        return [name for name in self.scope.numbers[kind] if name not in self.scope.fixed]

    def do_assign(self, pad, depth):
        kind = self.rng.choice([kind for kind in KINDS if self.targets(kind)])
        return [f"{pad}{self.rng.choice(self.targets(kind))} = {self.value(kind, 3)}"]

    def do_float(self, pad, depth):
        return [f"{pad}{self.rng.choice(self.targets('float'))} = {self.draw.float(3)}"]

    def do_augmented(self, pad, depth):
        if self.rng.random() < 0.5:
            op = self.rng.choice(["+", "-", "*"])
            return [f"{pad}{self.rng.choice(self.targets('float'))} {op}= {self.draw.float(2)}"]
        name = self.rng.choice(self.targets("int"))
        op = self.rng.choice(["+", "-", "*", "^", "|", "&"])
        return [
            f"{pad}{name} {op}= {self.draw.small(2)}",
            f"{pad}{name} %= {self.rng.randrange(2, MODULUS)}",
        ]

    def do_swap(self, pad, depth):
        names = self.rng.choice([self.targets("int"), self.targets("float")])
        a, b = self.rng.choice(names), self.rng.choice(names)
        return [f"{pad}{a}, {b} = {b}, {a}"]

    def do_store(self, pad, depth):
        name = self.rng.choice(list(self.scope.arrays))
        kind, _ = self.scope.arrays[name]
        op = self.rng.choice(["=", "+=", "*="]) if kind in ("float", "complex", "single") else "="
        return [f"{pad}{self.draw.item(name)} {op} {self.draw.of(kind, 2)}"]

    def do_pack(self, pad, depth):
        """Stores the items that pass a test one behind the other, in the array itself or in another."""
        rng = self.rng
        source, kind = rng.choice([(name, kind) for name, (kind, rank) in self.scope.arrays.items() if rank == 1])
        place, item, n, target, last = [self.fresh(letter) for letter in "kwzgl"]
        lines = [f"{pad}{place} = 0"]
        form = rng.choice(["swap", "self", "copy", "copy", "split"])
        if form == "split":
            lines.append(f"{pad}{last} = {source}.size - 1")
        if form in ("copy", "split"):
            lines.append(f"{pad}{target} = np.zeros_like({source})")
        else:
            target = source
        lines += [f"{pad}for {n} in range({source}.size):", f"{pad}    {item} = {source}[{n}]"]
        known = [f"{item} != {item}", f"{n} % 2 == 1", f"{item} == {source}[0]", f"{item} != {target}[{place}]"]
        if kind == "complex":
            known += [f"{item}.real < {item}.imag", f"not {item}.real <= 1.5"]
        elif kind == "uint":
            known += [f"{item} > np.uint64(1)", f"{item} < {source}[0]"]
        elif kind != "bool":
            known += [f"{item} > 0", f"{item} < 1", f"not {item} <= 1", f"{item} == {item}"]
        lines.append(f"{pad}    if {rng.choice([*known, self.draw.bool(1)])}:")
        if form == "swap":
            lines += [f"{pad}        {target}[{n}] = {target}[{place}]"]
        lines += [f"{pad}        {target}[{place}] = {item}", f"{pad}        {place} += 1"]
        if form == "split":
            lines += [f"{pad}    else:", f"{pad}        {target}[{last}] = {item}", f"{pad}        {last} -= 1"]
        lines.append(f"{pad}{rng.choice(self.targets('int'))} = {place}")
        if form in ("copy", "split"):
            lines += [f"{pad}for {n} in range({source}.size):", f"{pad}    {source}[{n}] = {target}[{n}]"]
        return lines

    def do_tuple(self, pad, depth):
        name = self.rng.choice(list(self.scope.tuples))
        return [f"{pad}{name} = {self.tuple(self.scope.tuples[name])}"]

    def do_unpack(self, pad, depth):
        name = self.rng.choice(list(self.scope.tuples))
        names, after = [], []
        for kind in self.scope.tuples[name]:
            targets = self.targets(kind)
            names.append(self.rng.choice(targets) if targets else "_")
        return [f"{pad}{', '.join(names)}, = {name}", *after]

    def do_maybe(self, pad, depth):
        name, callee = self.fresh("o"), self.rng.choice(self.maybes)
        target = self.rng.choice(self.targets("float"))
        return [
            f"{pad}{name} = {self.draw.call(callee)}",
            f"{pad}if {name} is not None:",
            f"{pad}    {target} = {name} + {self.draw.float(1)}",
        ]

    def do_if(self, pad, depth):
        lines = [f"{pad}if {self.draw.bool(2)}:", *self.block(self.rng.randrange(1, 3), depth + 1)]
        if self.rng.random() < 0.3:
            lines += [f"{pad}elif {self.draw.bool(1)}:", *self.block(1, depth + 1)]
        if self.rng.random() < 0.5:
            lines += [f"{pad}else:", *self.block(self.rng.randrange(1, 3), depth + 1)]
        return lines

    def do_for(self, pad, depth):
        stop = self.rng.choice(["3", "5", f"{self.rng.choice(self.scope.numbers['int'])} % 6"])
        bounds = self.rng.choice([stop, f"1, {stop}", f"{stop}, -2, -1", f"0, {stop}, 2"])
        name = self.fresh("k")
        return self.loop(pad, depth, [(name, "int")], name, f"range({bounds})")

    def do_each(self, pad, depth):
        """Over the items of arrays and tuples."""
        sources = [(name, kind) for name, (kind, rank) in self.scope.arrays.items() if rank == 1]
        sources += [(n, kinds[0]) for n, kinds in self.scope.tuples.items() if len(set(kinds)) == 1]
        sources.append(("(0.5, 1.25, -3.0)", "float"))
        source, kind = self.rng.choice(sources)
        item, other = self.fresh("w"), self.fresh("w")
        if self.rng.random() < 0.4:
            name = self.fresh("k")
            over = f"enumerate({source})"
            return self.loop(pad, depth, [(name, "int"), (item, kind)], f"{name}, {item}", over)
        if self.rng.random() < 0.3:
            second, of = self.rng.choice(sources)
            over = f"zip({source}, {second})"
            return self.loop(pad, depth, [(item, kind), (other, of)], f"{item}, {other}", over)
        return self.loop(pad, depth, [(item, kind)], item, source)

    def loop(self, pad, depth, names, target, over):
        # An integer item may be of any size; as a number of the program it is reduced first.
        lines = [f"{pad}for {target} in {over}:"]
        for name, kind in names:
            if kind == "int":
                lines.append(f"{pad}    {name}n = {name} % {MODULUS}")
        names = [(name + "n" * (kind == "int"), kind) for name, kind in names]
        for name, kind in names:
            self.scope.numbers[kind].append(name)
            self.scope.fixed.add(name)
        self.loops += 1
        lines += self.block(self.rng.randrange(1, 4), depth + 1)
        self.loops -= 1
        for name, kind in names:
            self.scope.numbers[kind].remove(name)
        if self.rng.random() < 0.2:
            lines += [f"{pad}else:", *self.block(1, depth + 1)]
        return lines

    def do_while(self, pad, depth):
        name = self.fresh("c")
        lines = [
            f"{pad}{name} = 0",
            f"{pad}while {name} < {self.rng.randrange(1, 6)} and {self.draw.bool(1)}:",
            f"{pad}    {name} += 1",
        ]
        self.loops += 1
        lines += self.block(self.rng.randrange(1, 4), depth + 1)
        self.loops -= 1
        return lines

    def do_leave(self, pad, depth):
        word = self.rng.choice(["break", "continue"])
        return [f"{pad}if {self.draw.bool(1)}:", f"{pad}    {word}"]

    def do_raise(self, pad, depth):
        what = self.rng.choice(["ValueError('bad')", "IndexError", "ZeroDivisionError('no')", "KeyError('k', 3, 2.5)"])
        # A test of constants alone is decided while compiling: a function that always raises has no result.
        test = f"{self.draw.bool(2)} and {self.draw.bool(2)} and {self.unknown} > -100"
        return [f"{pad}if {test}:", f"{pad}    raise {what}"]

    def do_assert(self, pad, depth):
        return [f"{pad}assert {self.draw.bool(1)} or {self.draw.bool(1)} or {self.unknown} < -100, 'wrong'"]

    def fresh(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}"


class Recursive(Function):
    """Calls itself, at most nine deep."""

    def start(self):
        lines = super().start()
        stop = f"    if p <= 0:\n        return {self.value(self.kind, 1)}"
        others = [self.draw.of(kind, 1) for kind in self.kinds[1:]]
        again = f"{self.name}({', '.join(['p % 9 - 1', *others])})"
        name = {"int": "i", "float": "u"}.get(self.kind, "again")
        value = f"({again}) % {MODULUS}" if self.kind == "int" else again
        if name == "again":
            self.scope.numbers[self.kind].append(name)
        return [*lines, stop, f"    {name} = {value}"]


class Recurrence(Function):
    """Computes from numbers alone and calls itself up to three times: equal calls meet where their steps overlap."""

    def __init__(self, rng, name, helpers):
        super().__init__(rng, name, helpers)
        self.kind = rng.choice(["int", "float"])
        self.parameters, self.kinds, self.defaults = ["p", "q"], ["int", "int"], 0

    def text(self):
        rng = self.rng
        leaf = rng.choice(["p", "q", "p - q", "q % 5", "p * 3 + q % 7", "K0", "p ^ (q & 15)"])
        calls = [
            f"{self.name}(p - {rng.choice([1, 1, 2, 2, 3])}, {rng.choice(['q', 'q', 'q + 1', 'q - 2', 'p', 'K0'])})"
            for _ in range(rng.randrange(1, 4))
        ]
        terms = [*calls, rng.choice(["p", "q", "K0"])]
        if self.kind == "int":
            again = f"({rng.choice([' + ', ' - ']).join(terms)}) % {rng.randrange(2, MODULUS)}"
            leaf = f"({leaf}) % {MODULUS}"
        else:
            again = f"{rng.choice([' + ', ' - ']).join(terms)} * {rng.choice(['0.5', 'K1', '-1.25'])}"
            leaf = f"({leaf}) * 0.75"
        return "\n".join([self.head(), "    if p <= 0 or p > 9:", f"        return {leaf}", f"    return {again}"])


class Maybe(Function):
    """Gives a float or None."""

    def __init__(self, rng, name, helpers):
        super().__init__(rng, name, helpers)
        self.kind = "float"

    def text(self):
        text = super().text()
        self.kind = "maybe"
        return text

    def finish(self):
        return [f"    if {self.draw.bool(1)}:", "        return None", *super().finish()]


class Main(Function):
    """The entry: an integer, a float and two arrays; gives what it computed."""

    def __init__(self, rng, helpers):
        super().__init__(rng, "main", helpers)
        for kind in KINDS:
            self.scope.numbers[kind].clear()
        self.parameters, self.kinds, self.defaults = ["n", "x", "a", "m"], ["int", "float"], 0
        self.scope.numbers["int"].append("n")
        self.scope.numbers["float"].append("x")
        self.scope.fixed = {"n"}
        self.unknown = "n"
        self.scope.arrays.update(a=("float", 1), m=("int", 2))

    def start(self):
        rng = self.rng
        body = super().start()
        size = rng.randrange(1, 7)
        made = rng.choice([f"np.zeros({size})", f"np.empty({size})", "a[1:]", "a[::2]", "a[::-1]"])
        body.append(f"    b0 = {made}")
        if "empty" in made:
            body += ["    for z in range(b0.size):", "        b0[z] = z * 0.5"]
        self.scope.arrays["b0"] = ("float", 1)
        if rng.random() < 0.6:
            kind = rng.choice(KINDS)
            rank = rng.randrange(1, 3)
            shape = rng.choice(["3", "4"]) if rank == 1 else rng.choice(["(2, 3)", "(3, 1)"])
            body.append(f"    d = np.zeros({shape}, np.{rng.choice(ITEMS[kind])})")
            self.scope.arrays["d"] = (kind, rank)
        views = {"e": ["m.T", "m[:, 1:]", "m[::-1]"], "f": [f"m[{self.draw.small(0)} % 2]", "m[1]"]}
        for name, made in views.items():
            if rng.random() < 0.4:
                body.append(f"    {name} = {rng.choice(made)}")
                self.scope.arrays[name] = ("int", 2 if name == "e" else 1)
        return body

    def statement(self, depth):
        if self.rng.random() < 0.04:
            return ["    " * depth + "a, b0 = b0, a"]
        return super().statement(depth)

    def finish(self):
        numbers = [name for kind in KINDS for name in self.targets(kind)]
        others = [name for name in self.scope.arrays if name not in ("a", "m")]
        return [f"    return {', '.join([*numbers, *self.scope.tuples, 'a', *others])}"]
