"""Random programs over text and containers, with exceptions that are raised, caught and left.

Each step means the same in CPython and in compiled code: integers stay far below 64 bits, texts and containers
are bounded, and no result depends on the order in which a set or a hash of text is laid out.
"""

import random
import re

# Kinds of values: their letter in placeholders, and the variables of a program that have them.
KINDS = {
    "i": ["i", "j", "n"],
    "x": ["u", "x"],
    "b": ["c"],
    "t": ["s", "t", "w"],
    "y": ["y"],
    "p": ["p"],  # a text and an integer
    "I": ["e", "e2"],  # lists of integers
    "X": ["f"],  # of floats
    "T": ["k", "k2"],  # of texts
    "P": ["q"],  # of pairs
    "L": ["ll"],  # of lists of integers
    "D": ["d"],  # from text to integer
    "N": ["m"],  # from integer to text
    "G": ["g"],  # from integer to lists of integers
    "K": ["kk"],  # from pairs to floats
    "S": ["r"],  # sets of integers
    "W": ["v"],  # of texts
}
# The lists that the caller gives, and sees changed: no container takes them, as they are.
GIVEN = {"A": ["a"], "H": ["h"]}
ARGUMENTS = ["n", "x", "s", "a", "h"]

TEXTS = [
    "",
    "a",
    "b",
    "ab",
    "abcab",
    " b c ",
    "A,b,,C",
    "12",
    "-7",
    "3.5",
    "x=1;y=2",
    "line\nnext\r\n",
    "\tt",
    "n\xe9e",
    "\u65e5\u672c",
    "\U0001f600x",
    "Stra\xdfe",
    "0",
]

# What gives a value of each kind. A placeholder names a kind and is drawn anew; `<k>` is a small literal and
# `<lit>` a text. A row's own variables are `z` and `z2`.
VALUES = {
    "i": """
<k>
<i> + <i>
<i> - <i>
<i> * <k>
<i> // <i>
<i> % <i>
<i> & <i>
-<i>
abs(<i>)
len(<t>)
len(<I>)
len(<T>)
len(<D>)
len(<N>)
len(<G>)
len(<S>)
len(<W>)
len(<y>)
ord(<t>)
ord(<t>[<i>])
len(<A>)
<A>[<i>]
len(<H>)
sum(<A>)
max(<A>)
int(<t>)
int(<lit>, 16)
int(<b>)
int(<x>)
<I>[<i>]
<y>[<i>]
<L>[<i>][<i>]
<D>[<t>]
<D>.get(<t>, <i>)
<D>.pop(<t>, <i>)
<D>.setdefault(<t>, <i>)
<G>[<i>][<k>]
<p>[1]
<P>[<i>][1]
sum(<I>)
sum(<I>, <i>)
min(<I>)
max(<I>)
min(<I>, default=<i>)
max(<i>, <i>)
sum(sorted(<S>))
min(<S>)
max(<S>)
<I>.index(<i>)
<I>.count(<i>)
<I>.pop()
<I>.pop(<i>)
<t>.find(<t>)
<t>.rfind(<t>)
<t>.index(<t>)
<t>.count(<t>)
<T>.index(<t>)
<T>.count(<t>)
len(<T>[<i>])
<i> if <b> else <i>
max(<D>.values())
len(<t>.split())
hash(<i>)
len(str(<i>))
(lambda z: z + <k>)(<i>)
""",
    "x": """
<i> * 0.5
<i> / <i>
<x> + <k>
<x> * 0.25
-<x>
float(<t>)
float(<i>)
abs(<x>)
<X>[<i>]
sum(<X>)
min(<X>)
max(<X>)
round(<x>, 1)
<K>[<p>]
<K>.get(<p>, <x>)
<x> if <b> else <x>
max(<x>, <x>)
""",
    "b": """
True
<i> < <i>
<i> == <i>
<x> <= <x>
<t> == <t>
<t> < <t>
<t> != <t>
<t> in <t>
<t> in <T>
<t> in <D>
<i> in <I>
<i> not in <N>
<i> in <S>
<t> in <W>
<p> in <P>
<p> in <K>
<t>.startswith(<t>)
<t>.endswith(<t>)
<t>.isdigit()
<t>.isalpha()
<t>.isspace()
<t>.isupper()
<I> == <I>
<T> == <T>
<D> == <D>
<N> != <N>
<S> == <S>
<S> <= <S>
<S>.isdisjoint(<S>)
<W> == <W>
<p> < <p>
<p> == <p>
not <b>
<b> and <b>
<b> or <b>
bool(<t>)
bool(<I>)
bool(<D>)
any([z > <k> for z in <I>])
all([z != <t> for z in <T>])
<y> == <y>
<I> < <I>
isinstance(<i>, int)
""",
    "t": """
<lit>
<lit>
<t> + <t>
<t> * <k>
<t>[<i>]
<t>[<i>:]
<t>[:<i>]
<t>[<i>:<i>]
<t>[::-1]
<t>[<k>:<i>:2]
<t>.upper()
<t>.lower()
<t>.title()
<t>.capitalize()
<t>.swapcase()
<t>.strip()
<t>.lstrip(<t>)
<t>.rstrip(<t>)
<t>.replace(<t>, <t>)
<t>.replace(<t>, <t>, <k>)
<t>.zfill(<k>)
<t>.ljust(<k>, "*")
<t>.rjust(<k>)
<t>.center(<k>, "-")
<t>.removeprefix(<t>)
<t>.join(<T>)
<t>.join(<t>)
",".join(sorted(<W>))
<t>.split(<t>)[<k>]
<t>.partition(<t>)[2]
<t>.expandtabs(<k>)
str(<i>)
str(<x>)
str(<b>)
str(<I>)
str(<T>)
str(<D>)
str(<N>)
str(<p>)
str(<X>)
repr(<t>)
repr(<T>)
chr(<i>)
chr(97 + <i> % 26)
hex(<i>)
bin(<i>)
f"{<i>}:{<t>}"
f"{<x>:.3f}|{<i>:>5}|{<t>!r:*^9}"
f"{<i>:04x}{<i>:+,d}{<x>:e}"
"%d-%s" % (<i>, <t>)
"{}/{:>4}".format(<t>, <i>)
<T>[<i>]
<H>[<i>]
<H>.pop()
min(<H>)
<T>.pop()
<N>[<i>]
<N>.get(<i>, <t>)
<N>.pop(<i>)
<N>.setdefault(<i>, <t>)
<p>[0]
<P>[<i>][0]
min(<T>)
max(<T>, key=len)
max(<T>, default=<t>)
min(<t>, <t>)
<y>.decode()
<t> if <b> else <t>
"".join([z for z in <t> if z.isalpha()])
""",
    "y": """
<lit>.encode()
<t>.encode()
<y> + <y>
<y>[<i>:]
<y>[::-1]
<y>.upper()
b"ab,c".replace(b"b", <y>)
b"-".join([<y>, <y>])
""",
    "p": """
(<t>, <i>)
<P>[<i>]
<P>.pop()
max(<P>)
""",
    "I": """
[<i>, <i>, <i>]
[<i>]
list(range(<k>))
[z * <k> for z in <I>]
[z for z in <I> if z > <i>]
[z for z in <A>]
sorted(<A>)[:6]
[len(z) for z in <T>]
[ord(z) for z in <t>]
<I> + <I>
<I> * <k>
<I>[<i>:]
<I>[::-1]
<I>[<i>:<i>]
<I>.copy()
sorted(<I>)
sorted(<I>, reverse=True)
sorted(<I>, key=lambda z: (z % 3, z))
sorted(<S>)
list(<N>)
list(<D>.values())
<L>[<i>]
<G>[<i>]
<G>.pop(<i>)
[z[1] for z in <P>]
[z2 for z in <L> for z2 in z]
[z + 0 for z in <y>]
""",
    "X": """
[<x>, <x>]
[z / 2 for z in <I>]
sorted(<X>)
<X>[<i>:]
list(<K>.values())
<X> + <X>
""",
    "T": """
[<t>, <t>]
[<t>]
<t>.split()
<t>.split(",")
<t>.split(<t>, <k>)
<t>.rsplit(<t>)
<t>.splitlines()
list(<t>)
[z + <t> for z in <T>]
[str(z) for z in <I>]
[z for z in <T> if <t> in z]
<T> + <T>
<T>[<i>:]
<T>[::-1]
sorted(<T>)
[z for z in <H>]
sorted(<T>, key=len)
sorted(<T>, reverse=True)
sorted(<W>)
list(<D>)
list(<N>.values())
list(<D>.keys())
[z[0] for z in <P>]
""",
    "P": """
[<p>, <p>]
sorted(<P>)
[(z, len(z)) for z in <T>]
list(zip(<T>, <I>))
list(<D>.items())
sorted(<D>.items())
<P>[<i>:]
<P> + <P>
sorted(<P>, key=lambda z: z[1])
list(<K>)
""",
    "L": """
[<I>, <I>]
[[z, z + 1] for z in <I>]
sorted(<L>)
list(<G>.values())
<L>[<i>:]
""",
    "D": """
{<t>: <i>, <t>: <i>}
{z: len(z) for z in <T>}
dict(<P>)
<D>.copy()
{z: z2 for z2, z in <N>.items()}
dict(zip(<T>, <I>))
""",
    "N": """
{<i>: <t>, <i>: <t>}
{z: str(z) for z in <I>}
<N>.copy()
{len(z): z for z in <T>}
""",
    "G": """
{<i>: <I>, <i>: <I>}
{z: [z, <i>] for z in <I>}
""",
    "K": """
{<p>: <x>}
{z: <x> for z in <P>}
""",
    "S": """
{<i>, <i>}
set(<I>)
{z % 5 for z in <I>}
<S> | <S>
<S> & <S>
<S> - <S>
<S> ^ <S>
<S>.union(<S>)
<S>.copy()
""",
    "W": """
{<t>, <t>}
set(<T>)
{z.lower() for z in <T>}
<W> | <W>
<W> - <W>
set(<t>)
""",
}

# Statements that change what a name holds.
CHANGES = """
<A=>.append(<i>)
<A=>[<i>] = <i>
<A=>.pop()
<H=>.append(<t>)
<H=>[<i>] += <t>
<H=>.sort()
<I=>.append(<i>)
<I=>.insert(<i>, <i>)
<I=>.extend(<I>)
<I=>.remove(<i>)
<I=>.sort()
<I=>.sort(reverse=True)
<I=>.reverse()
<I=>.clear()
<I=>[<i>] = <i>
<I=>[<i>] += <i>
<I=>[<i>:<i>] = <I>
<I=> += <I>
del <I=>[<i>]
del <I=>[<i>:]
<T=>.append(<t>)
<T=>.insert(<k>, <t>)
<T=>.extend(<t>.split())
<T=>.remove(<t>)
<T=>.sort()
<T=>.sort(key=len)
<T=>.reverse()
<T=>[<i>] = <t>
<T=>[<i>] += <t>
<T=> += <T>
del <T=>[<i>]
<X=>.append(<x>)
<X=>[<i>] *= 2
<P=>.append(<p>)
<P=>.sort()
<P=>[<i>] = <p>
<L=>.append(<I>)
<L=>[<i>].append(<i>)
<L=>[<i>] = <I>
<D=>[<t>] = <i>
<D=>[<t>] += <i>
<D=>.update(<D>)
<D=>.clear()
del <D=>[<t>]
<D=>.pop(<t>)
<N=>[<i>] = <t>
<N=>[<i>] += <t>
<N=>.update(<N>)
del <N=>[<i>]
<N=>.popitem()
<D=>.popitem()
<G=>[<i>] = <I>
<G=>[<i>].append(<i>)
<G=>.setdefault(<i>, <I>).append(<k>)
<K=>[<p>] = <x>
<K=>[<p>] += <x>
<S=>.add(<i>)
<S=>.discard(<i>)
<S=>.remove(<i>)
<S=>.update(<S>)
<S=> |= <S>
<S=> -= <S>
<W=>.add(<t>)
<W=>.discard(<t>)
<W=>.remove(<t>)
<t=> += <t>
<i=> += <i>
<i=> *= <k>
""".strip().splitlines()

# What loops run over, with the kinds of what they bind.
LOOPS = [
    ("i", "range(<k>)"),
    ("i", "range(<i> % 7)"),
    ("i", "<I>"),
    ("t", "<T>"),
    ("t", "<t>"),
    ("x", "<X>"),
    ("t", "<D>"),
    ("i", "<N>"),
    ("i", "<D>.values()"),
    ("ti", "<D>.items()"),
    ("it", "<N>.items()"),
    ("iI", "<G>.items()"),
    ("ti", "<P>"),
    ("it", "enumerate(<T>)"),
    ("it", "enumerate(<t>)"),
    ("ti", "zip(<T>, <I>)"),
    ("tt", "zip(<t>, <t>)"),
    ("i", "sorted(<S>)"),
    ("t", "sorted(<W>)"),
    ("i", "reversed(<I>)"),
    ("I", "<L>"),
    ("i", "<y>"),
]

# What is raised begins with MARK, unlike what the runtime raises, whose words may be Numba's.
MARK = "!"
RAISED = [
    'ValueError("!", <t>)',
    'KeyError("!", <i>, <t>)',
    "IndexError",
    'RuntimeError(f"!{<i>} of {<t>}")',
    'TypeError("!" + <t> + str(<i>))',
]
CAUGHT = ["except Exception:", "except:"]

# How values are kept small when they are assigned.
BOUNDED = {
    "i": "({}) % 1009 - 40",
    "x": "({}) % 1000.0",
    "t": "({})[:24]",
    "y": "({})[:24]",
    "I": "({})[:9]",
    "X": "({})[:9]",
    "T": "({})[:9]",
    "P": "({})[:9]",
    "L": "({})[:6]",
}
SIZED = "ITXPLDNGKSWAH"
PLACEHOLDER = re.compile("<([a-zA-Z]+=?)>")


class Program:
    """`source` defines `helpers` and `main(n, x, s, a, h)`; `arguments` are calls to make."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.seed = seed
        self.helpers = []
        self.callees = {}
        self.counter = self.loops = 0
        self.allowed = 16
        self.fixed = {"n"}
        self.names = {kind: list(names) for kind, names in (KINDS | GIVEN).items()}
        texts = []
        for number in range(rng.randrange(3)):
            texts.append(self.helper(f"helper{number}"))
        texts.append(self.main())
        self.source = "\n\n\n".join(texts) + "\n"
        self.arguments = [
            (
                rng.randrange(-9, 40),
                rng.choice([0.0, 1.5, -3.25, 100.0, 0.1]),
                rng.choice(TEXTS),
                [rng.randrange(-20, 30) for _ in range(rng.randrange(1, 6))],
                [rng.choice(TEXTS) for _ in range(rng.randrange(1, 5))],
            )
            for _ in range(3)
        ]

    # ------------------------------------------------------------------------------- expressions

    def literal(self):
        return repr(self.rng.choice(TEXTS))

    def value(self, kind, depth):
        rng, names = self.rng, self.names[kind]
        if names and (depth <= 0 or kind in GIVEN or rng.random() < 0.3):
            return rng.choice(names)
        if depth <= 0:
            return self.simplest(kind)
        callees = [name for name, (_, ret) in self.callees.items() if ret == kind]
        if callees and rng.random() < 0.2:
            name = rng.choice(callees)
            return f"{name}({', '.join(self.value(of, 0) for of in self.callees[name][0])})"
        rows = VALUES[kind].strip().splitlines()
        row = rng.choice([row for row in rows if all(self.names[given] for given in re.findall("<([AH])>", row))])
        # An expression is well typed by its row, and a part of another is in parentheses.
        return self.filled(row, depth - 1)

    def simplest(self, kind):
        simple = {"i": self.small(), "x": "0.5", "b": "False", "t": self.literal(), "y": 'b"ab"', "p": '("a", 1)'}
        simple |= {"I": "[3, 1]", "X": "[0.5]", "T": '["b", "a"]', "P": '[("a", 1)]', "L": "[[1, 2]]"}
        simple |= {"D": '{"a": 1}', "N": '{1: "a"}', "G": "{1: [2]}", "K": '{("a", 1): 0.5}', "S": "{1, 2}"}
        return (simple | {"W": '{"a"}'})[kind]

    def small(self):
        return str(self.rng.choice([0, 1, 2, 3, 5, 7]))

    def filled(self, row, depth):
        """A row with its placeholders drawn."""
        # Quotes and braces do not nest in f-strings before Python 3.12.
        in_format = 'f"' in row

        def drawn(placeholder):
            name = placeholder[1]
            if name == "k":
                return self.small()
            if name == "lit":
                return self.literal()
            if name.endswith("="):
                return self.rng.choice(self.free(name[0]))
            text = self.value(name, 0 if in_format else depth)
            if in_format and not text.isidentifier():
                return "7"
            return text if text.isidentifier() or text.isdigit() else f"({text})"

        return PLACEHOLDER.sub(drawn, row)

    def free(self, kind):
        """Names of a kind that statements may assign."""
        return [name for name in self.names[kind] if name not in self.fixed]

    # --------------------------------------------------------------------------------- statements

    def assigned(self, kind, depth):
        return BOUNDED.get(kind, "{}").format(self.value(kind, depth))

    def block(self, size, depth):
        lines = []
        for _ in range(size):
            lines += self.statement(depth)
        return lines

    def statement(self, depth):
        pad = "    " * depth
        kinds = ["assign"] * 4 + ["change"] * 5
        self.allowed -= 1
        if depth < 4 and self.allowed > 0:
            kinds += ["if", "if", "loop", "loop", "while", "attempt", "attempt"]
        if self.loops:
            kinds += ["leave"]
        if self.rng.random() < 0.06:
            kinds = ["raise", "check"]
        return getattr(self, "do_" + self.rng.choice(kinds))(pad, depth)

    def do_assign(self, pad, depth):
        kind = self.rng.choice(list(KINDS))
        return [f"{pad}{self.rng.choice(self.free(kind))} = {self.assigned(kind, 3)}"]

    def do_change(self, pad, depth):
        rng = self.rng
        row = rng.choice(CHANGES)
        [kind] = re.findall("<(.)=>", row)
        name = rng.choice(self.free(kind))
        lines = [pad + self.filled(row.replace(f"<{kind}=>", name), 2)]
        if kind == "i":
            return [*lines, f"{pad}{name} %= 1009"]
        if kind in BOUNDED and " += " in row and "] +=" not in row:
            return [*lines, f"{pad}{name} = {name}[:30]"]
        if kind in SIZED:
            return [f"{pad}if len({name}) < 20:", *["    " + line for line in lines]]
        return lines

    def do_if(self, pad, depth):
        rng = self.rng
        lines = [f"{pad}if {self.value('b', 2)}:", *self.block(rng.randrange(1, 3), depth + 1)]
        if rng.random() < 0.4:
            lines += [f"{pad}else:", *self.block(rng.randrange(1, 3), depth + 1)]
        return lines

    def do_loop(self, pad, depth):
        kinds, over = self.rng.choice(LOOPS)
        names = [self.fresh(kind.lower()) for kind in kinds]
        lines = [f"{pad}for {', '.join(names)} in {self.filled(over, 1)}:"]
        return lines + self.looped(depth, list(zip(kinds, names, strict=True)))

    def looped(self, depth, bound):
        for kind, name in bound:
            self.names[kind].append(name)
            self.fixed.add(name)
        self.loops += 1
        # A loop may lengthen what it runs over.
        pad = "    " * (depth + 1)
        lines = [f"{pad}steps += 1", f"{pad}if steps > 300:", f"{pad}    break"]
        lines += self.block(self.rng.randrange(1, 4), depth + 1)
        self.loops -= 1
        for kind, name in bound:
            self.names[kind].remove(name)
        return lines

    def do_while(self, pad, depth):
        name = self.fresh("o")
        lines = [f"{pad}{name} = 0", f"{pad}while {name} < {self.rng.randrange(1, 6)} and {self.value('b', 1)}:"]
        return [*lines, f"{pad}    {name} += 1", *self.looped(depth, [])]

    def do_attempt(self, pad, depth):
        rng = self.rng
        caught = rng.choice(CAUGHT)
        lines = [f"{pad}try:", *self.block(rng.randrange(1, 3), depth + 1)]
        lines += [pad + caught, *self.block(1, depth + 1)]
        if rng.random() < 0.2:
            lines += [f"{pad}finally:", f"{pad}    i = {self.assigned('i', 0)}"]
        return lines

    def do_leave(self, pad, depth):
        return [f"{pad}if {self.value('b', 1)}:", f"{pad}    {self.rng.choice(['break', 'continue'])}"]

    def do_raise(self, pad, depth):
        return [
            f"{pad}if {self.value('b', 1)} and n > {self.small()}:",
            f"{pad}    raise {self.filled(self.rng.choice(RAISED), 1)}",
        ]

    def do_check(self, pad, depth):
        return [f"{pad}assert {self.value('b', 1)} or n < 20, '!' + {self.value('t', 0)}"]

    def fresh(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}"

    # ---------------------------------------------------------------------------------- functions

    def starts(self, given):
        """A value for every name that no parameter gives."""
        lines, kept = [], {kind: list(names) for kind, names in self.names.items()}
        for kind in self.names:
            self.names[kind] = [name for name in kept[kind] if name in given]
        for kind, names in kept.items():
            for name in names:
                if name not in given:
                    lines.append(f"    {name} = {self.simplest(kind)}")
                    self.names[kind].append(name)
        return lines

    def helper(self, name):
        """A function of a few values that gives another."""
        rng = self.rng
        taken = rng.choices(list(KINDS), k=rng.randrange(1, 4))
        ret = rng.choice(list(KINDS))
        kept, self.names = self.names, {kind: [] for kind in KINDS | GIVEN}
        fixed, self.fixed = self.fixed, set()
        parameters = [self.fresh("z") for _ in taken]
        for kind, parameter in zip(taken, parameters, strict=True):
            self.names[kind].append(parameter)
        lines = [f"def {name}({', '.join(parameters)}):"]
        for kind, parameter in zip(taken, parameters, strict=True):
            if rng.random() < 0.5:
                test = f"len({parameter}) > 2" if kind in SIZED or kind in "ty" else f"{parameter} == {parameter}"
                lines += [f"    if {test} and {self.value('b', 1)}:", f"        return {self.assigned(ret, 2)}"]
        lines.append(f"    return {self.assigned(ret, 3)}")
        self.names, self.fixed = kept, fixed
        self.callees[name] = (taken, ret)
        self.helpers.append(name)
        return "\n".join(lines)

    def main(self):
        lines = [f"def main({', '.join(ARGUMENTS)}):", "    steps = 0", *self.starts(ARGUMENTS)]
        for _ in range(self.rng.randrange(3, 7)):
            lines += self.do_attempt("    ", 1) if self.rng.random() < 0.7 else self.block(1, 1)
        results = [
            "i",
            "j",
            "u",
            "c",
            "s",
            "t",
            "w",
            "y",
            "p",
            *self.rng.sample([*"efkqdmgrv", "e2", "k2", "ll", "kk"], 6),
        ]
        lines.append(f"    return {', '.join(results)}")
        return "\n".join(lines)
