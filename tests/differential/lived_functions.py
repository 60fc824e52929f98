"""Functions that long-lived processes compile and call: drawn from a seed, plain Python that numbra compiles.

Each has a source that defines `f` in a namespace with `np` and `jit`, and calls: functions that make equal arguments
each time, some of which share memory. CPython and NumPy say what is right.
"""

import collections

import numpy as np

Pair = collections.namedtuple("Pair", "left right")

DTYPES = ["int64", "float64", "int32", "uint8", "float32", "complex128", "bool", "datetime64[D]"]
VIEWS = ["{v}.T", "{v}[::-1]", "{v}[1:]", "{v}.reshape(-1)", "np.ravel({v})", "{v}.reshape((1, {v}.size))[0]"]
VIEWS += ["{v}.reshape({v}.size, 1)[:, 0]", "{v}[::2]", "np.expand_dims({v}, 0)[0]", "{v}.flatten()"]
VIEWS += ["np.transpose({v})", "np.ascontiguousarray({v})"]
#: Sizes of arrays: small objects are kept by threads, large ones by size, the largest come from the system.
SIZES = [0, 1, 3, 7, 8, 40, 64, 130, 1000, 5000]


class Function:
    """`source` defines `f`; `calls` are makers of arguments; `generator` says that results are generators."""

    def __init__(self, kind, source, calls, options=None, generator=False):
        self.kind, self.source, self.calls = kind, source, calls
        self.options, self.generator = options or {}, generator


def array(rng, dtype=None, rank=None):
    """A maker of one array, of any layout."""
    dtype = dtype or rng.choice(DTYPES)
    rank = rank or rng.choice([1, 1, 2])
    size = rng.choice(SIZES)
    shape = (size,) if rank == 1 else (rng.choice([1, 2, 5]), max(size // 5, 1))
    layout, first = rng.choice(["C", "C", "F", "step", "back"]), rng.randrange(50)

    def make():
        items = (np.arange(first, first + int(np.prod(shape))) % 100).reshape(shape).astype(dtype)
        if layout == "F":
            return np.asfortranarray(items)
        if layout == "step":
            wide = np.zeros((*shape[:-1], 2 * shape[-1]), dtype)
            wide[..., ::2] = items
            return wide[..., ::2]
        return items[::-1] if layout == "back" else items

    return make


def constant(value):
    return lambda: value


def leaf(rng):
    kind = rng.choice(["array"] * 4 + ["int", "float", "text", "bytes"])
    if kind == "array":
        return array(rng)
    return constant(
        {"int": rng.randrange(99), "float": 0.5 * rng.randrange(99), "text": "text", "bytes": b"bytes"}[kind]
    )


def nested(rng, depth):
    """A maker of a tuple in tuples that holds an array, and the path to that array."""
    if depth == 0:
        return array(rng), ""
    inner, path = nested(rng, depth - 1)
    if rng.random() < 0.25:
        other = leaf(rng)
        if rng.random() < 0.5:
            return (lambda: Pair(inner(), other())), ".left" + path
        return (lambda: Pair(other(), inner())), ".right" + path
    before, after = [[leaf(rng) for _ in range(rng.randrange(2))] for _ in range(2)]

    def make():
        return (*[item() for item in before], inner(), *[item() for item in after])

    return make, f"[{len(before)}]" + path


def calls(*makers):
    return lambda: tuple(maker() for maker in makers)


# ------------------------------------------------------------------------------------------- the functions


def containers(rng):
    """What stands deep in an argument comes out of it, in other containers."""
    item, path = nested(rng, rng.randrange(0, 4))
    if rng.random() < 0.6:
        length = rng.randrange(1, 4)
        argument, access = (lambda: [item() for _ in range(length)]), f"x[{rng.randrange(length)}]" + path
        others = ["x[-1]", "x[:2]", "x"]
    else:
        argument, access, others = item, "x" + path, ["x"]
    result = rng.choice(["{0}", "({0}, 1)", "(({0}, {1}), {0})", "[{0}, {0}]", "({0}, [{0}])", "{1}", "({1}, {0})"])
    if "[{0}" in result and rng.random() < 0.5:
        result = "[({0}, 2)]"
    source = f"@jit\ndef f(x):\n    return {result.format(access, rng.choice(others))}\n"
    return Function("containers", source, [calls(argument)])


def constant_bytes(rng):
    text = bytes(rng.randrange(65, 90) for _ in range(rng.choice([1, 8, 64, 500])))
    result = rng.choice(["a, s", "a[1:], s", "(a, a[::2]), s", "[a], s", "a.reshape(1, -1), s"])
    source = f"""@jit
def f(n):
    s = 0
    for i in range(n):
        s += i % 7
    a = np.frombuffer({text!r}, np.uint8)
    return {result}
"""
    return Function("constant_bytes", source, [calls(constant(rng.randrange(100)))])


def captured(rng):
    """Arrays of the closure, and of the module."""
    made = array(rng, rank=1)
    result = rng.choice(["a", "a[:2], x", "(a, (b, x))", "[a, b]", "a[::-1]"])
    source = f"""def outer(a, b):
    @jit
    def f(x):
        return {result}
    return f
f = outer(given(), given())
"""
    function = Function("captured", source, [calls(constant(rng.randrange(9))), calls(constant(1.5))])
    function.given = made
    return function


def views(rng):
    a = array(rng, rng.choice(["int64", "float64", "complex128", "int32"]), rng.choice([1, 2, 2]))
    lines, names = [], ["v0"]
    for at in range(rng.randrange(1, 4)):
        lines.append(f"    v{at + 1} = {rng.choice(VIEWS).format(v=names[-1])}")
        names.append(f"v{at + 1}")
    source = "@jit\ndef f(v0):\n" + "\n".join(lines) + f"\n    return ({', '.join(names)})\n"
    return Function("views", source, [calls(a), calls(array(rng, "float32", 2))])


def in_place(rng):
    """Operators that write into arrays whose operands share their memory."""
    dtype = rng.choice(["int64", "float64"])
    op = rng.choice(["+=", "-=", "*="])
    left, right = rng.choice(["x", "x[1:]", "x[::2]", "y"]), rng.choice(["3", "x", "y", "x[::-1]", "y[:1]", "x + y"])
    if left in ("x[1:]", "x[::2]"):
        right = rng.choice(["3", "x" + {"x[1:]": "[:-1]", "x[::2]": "[::2]"}[left], "y[:1]"])
    size, shared = rng.choice([2, 4, 8, 100, 2000]), rng.random() < 0.5

    def make():
        x = np.arange(size).astype(dtype)
        return x, (x[:] if shared else np.arange(size).astype(dtype))

    body = f"    z = {left}\n    z {op} {right}\n    return z, x, y\n"
    return Function("in_place", f"@jit\ndef f(x, y):\n{body}", [make])


def lists(rng):
    size = rng.choice([1, 8, 65, 700])
    steps = rng.choices(
        ["l.append(np.ones({s}))", "l.pop()", "l.pop(0)", "l.insert(0, x)", "l.extend(l)", "l[0] = l[-1]",
         "l.reverse()", "l = l[1:] + [x]", "l = [v * 2 for v in l]", "l[1:2] = l[:2]", "l += [l[0]]", "del l[0]",
         "l = l * 2", "t = l.pop()\n    l.append(t[::-1].copy())"],
        k=rng.randrange(1, 6),
    )  # fmt: skip
    lines = ["    l = [x, x + 1, np.zeros({s}), x]"]
    for step in steps:
        lines += ["    if len(l) < 3:\n        l = [x, x, x]", "    " + step]
    result = rng.choice(["l", "l[0], len(l)", "[(v, v.size) for v in l]", "(l, x)", "l[-1]"])
    source = "@jit\ndef f(x):\n" + "\n".join(lines).replace("{s}", str(size)) + f"\n    return {result}\n"
    return Function("lists", source, [calls(lambda: np.arange(1.0, size + 1))])


def list_arguments(rng):
    """Lists that a function changes are changed for the caller."""
    item, path = nested(rng, rng.randrange(0, 3))
    step = rng.choice(["x.append(x[0])", "x.pop()", "x.reverse()", "x[0] = x[-1]", "x.extend(x)", "x.insert(0, x[-1])"])
    source = f"@jit\ndef f(x):\n    y = x[0]{path}\n    {step}\n    return y, len(x)\n"
    return Function("list_arguments", source, [calls(lambda: [item(), item()])])


def raises(rng):
    """What was begun before an exception is given up."""
    item, path = nested(rng, rng.randrange(0, 3))
    how = rng.choice(["raise ValueError('raised', k)", "raise KeyError", "k // (k - k)", "raise Stop(k, 2.5, 'text')"])
    source = f"""class Stop(Exception):
    pass
@jit
def inner(x, k):
    y = [x[0]{path}, x[0]{path}]
    if k > 2:
        {how}
    return y
@jit
def f(x, k):
    l = [x[0]{path}]
    try:
        l = l + inner(x, k)
    except Exception:
        l.append(x[-1]{path})
        if k > 3:
            raise IndexError('again', k)
    return l
"""
    return Function("raises", source, [calls(lambda: [item(), item()], constant(k)) for k in (1, 3, 4)])


def chained(rng):
    """Exceptions behind handlers and finalisers that run other compiled code."""
    word = rng.choice(["raise IndexError('second', k)", "k += 1"])
    source = f"""@jit
def other(k):
    try:
        if k > 0:
            raise KeyError('inner', k)
    except Exception:
        return 1
    return 0
@jit
def f(x, k):
    s = 0
    try:
        y = x[:2]
        if k > 1:
            raise ValueError('first', k)
    except Exception:
        s = other(k) + other(-k)
        {word}
    finally:
        s += other(k)
    return x, s, k
"""
    return Function("chained", source, [calls(array(rng, rank=1), constant(k)) for k in (0, 2)])


def generators(rng):
    item, path = nested(rng, rng.randrange(0, 3))
    result = rng.choice(["y[i:]", "(y, i)", "y", "[y, y]", "x", "(y[:1], (x, i))"])
    source = f"""@jit
def f(x, n):
    y = x{path}
    for i in range(n):
        yield {result}
"""
    counts = [rng.randrange(6) for _ in range(2)]
    return Function("generators", source, [calls(item, constant(n)) for n in counts], generator=True)


def generator_loops(rng):
    source = f"""@jit
def numbers(x, n):
    for i in range(n):
        if i == {rng.choice([2, 50])}:
            raise ValueError('stopped', i)
        yield x[i % x.size:]
@jit
def f(x, n):
    l = [x]
    for v in numbers(x, n):
        l.append(v)
        if len(l) > {rng.randrange(2, 6)}:
            break
    return l
"""
    return Function("generator_loops", source, [calls(array(rng, "int64", 1), constant(n)) for n in (0, 1, 5)])


def maybes(rng):
    result = rng.choice(["x[1:]", "(x, 1)", "x.sum()"])
    source = f"@jit\ndef f(x):\n    if x.size > 3:\n        return {result}\n    return None\n"
    return Function("maybes", source, [calls(array(rng, "float64", 1)) for _ in range(3)])


def records(rng):
    dtype = np.dtype([("a", "i4"), ("b", "f8"), ("c", "i2", (3,))], align=rng.random() < 0.5)
    size = rng.choice([1, 3, 100])
    result = rng.choice(["x['b']", "x[0]", "x['a'][1:], x", "(x[-1], x[0]['b'])", "x[::-1]", "[x[0]['a']]"])

    def make():
        a = np.zeros(size, dtype)
        a["a"], a["b"] = np.arange(size), np.arange(size) / 2
        return (a,)

    return Function("records", f"@jit\ndef f(x):\n    x[0]['a'] = 7\n    return {result}\n", [make])


def sets_and_text(rng):
    source = rng.choice([
        "@jit\ndef f(x):\n    return {v for v in x}, x\n",
        "@jit\ndef f(x):\n    s = set(x)\n    s.add(x[0])\n    return len(s), s\n",
        "@jit\ndef f(x):\n    t = 'abc'\n    return t, x, b'def', [t, t]\n",
    ])  # fmt: skip

    def make():
        return (np.arange(rng_size) % 5,)

    rng_size = rng.choice([1, 7, 300])
    return Function("sets_and_text", source, [make])


def recursion(rng):
    source = """@jit
def f(x, n):
    if n <= 0:
        return [x]
    l = f(x[1:], n - 1)
    l.append(x)
    return l
"""
    return Function("recursion", source, [calls(array(rng, "int64", 1), constant(n)) for n in (0, 1, 6)])


def object_mode(rng):
    source = f"""def fail(k):
    raise ValueError('in Python', k)
def f(x, k):
    y = x[:2]
    with objmode(z='float64[:]'):
        if k > 3:
            fail(k)
        z = x[::-1].copy()
        keep(y)
    return z, y, {rng.choice(["x", "k", "(x, y)"])}
f = jit(f)
"""
    return Function(
        "object_mode", source, [calls(array(rng, "float64", 1), constant(k)) for k in (1, 5)], {"object_mode": True}
    )


def parallel(rng):
    source = """@jit
def f(x, k):
    y = np.empty(x.size)
    s = 0
    for i in prange(x.size):
        y[i] = x[i] * k
        s += i
    return y, s, x[1:]
"""
    return Function(
        "parallel", source, [calls(array(rng, "float64", 1), constant(k)) for k in (2, 0.5)], {"parallel": True}
    )


def callers(rng):
    """Calls of a function that others may compile anew."""
    source = f"""@jit
def callee(x, k):
    return x[k:], (x, k)
@jit
def f(x, k):
    a, b = callee(x, k)
    c = callee(a, {rng.choice(["k", "1", "np.int32(1)"])})
    return [a, c[0]], b, c
"""
    return Function("callers", source, [calls(array(rng, rank=1), constant(k)) for k in (0, 1)])


def hot_loops(rng):
    source = f"""@jit
def f(x, n):
    s = 0.0
    for i in range(n):
        for j in range(x.size):
            s += x[j] * {rng.randrange(1, 5)}
            x[j] = {rng.choice(["s", "x[-1]", "i"])} % 16
    return s, x
"""
    return Function("hot_loops", source, [calls(array(rng, "float64", 1), constant(n)) for n in (0, 2)])


TEMPLATES = [
    containers, containers, containers, constant_bytes, constant_bytes, captured, views, views, in_place, lists, lists,
    list_arguments, raises, raises, chained, generators, generators, generator_loops, maybes, records, sets_and_text,
    recursion, object_mode, parallel, callers, hot_loops,
]  # fmt: skip


def draw(rng, without=()):
    """A function of any kind but those."""
    return rng.choice([template for template in TEMPLATES if template.__name__ not in without])(rng)
