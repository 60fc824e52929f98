"""Random programs over arrays, each step of which NumPy accepts.

A statement is kept only if the whole program, run by NumPy, then still has plain values: integers
and floats so small, and floats of so few bits, that every order of adding them gives the same bits.
What a statement makes that is not so plain (a standard deviation) may be returned, and is compared
with a tolerance, but nothing is computed from it.
"""

import random
import re
import warnings

import numpy as np

STATEMENTS = 9
LARGEST = 2**22
FRACTION = 2**10  # floats are whole multiples of 1 / FRACTION
ITEMS = 200

# Placeholders: a kind and, for arrays, a rank. `n` is a number or array of 64 bits, `x` of any type, `i` and `f` of
# integers and floats, `b` of booleans. `s` is a real scalar; `k`, `p`, `h` are literals: any sign, positive, a float.
VALUES = """
{n} + {n}
{n} - {n}
{n} * {n}
{n} + {k}
{n} * {k}
{n} - {h}
{n} * {h}
-{n}
abs({n})
{i} // {p}
{i} % {p}
{i} & {i}
{i} | {p}
{i} ^ {i}
{i} >> {p}
{i} << 1
~{i}
{f} // {p}
{f} % {p}
{n} / 2
{n} ** 2
{n} < {n}
{n} <= {k}
{n} == {n}
{n} != {k}
{n} > {h}
{b} & {b}
{b} | {b}
{b} ^ {b}
~{b}
{x} + {x=}
{x} * {x=}
np.minimum({n}, {n})
np.maximum({n}, {k})
np.floor({f})
np.ceil({f})
np.trunc({f})
np.rint({f})
np.sign({n})
np.square({n})
np.fabs({f})
np.copysign({f}, {f})
np.hypot({f}, 0.0)
np.logical_and({b}, {b})
np.logical_not({b})
np.isfinite({n})
np.add({n}, {n})
np.subtract({n}, {k})
np.where({b}, {n=}, {n=})
np.clip({n}, {k}, 3)[...]
{x}.copy()
{x}.T
{x}.flatten()
{x}.ravel()
{x}.astype(np.float64)
{n}.astype(np.int64)
{x}.astype(np.int32)
{x2}.copy().reshape(-1)
{x1}.copy().reshape(1, -1)
{x1}.copy().reshape(-1, 1)
{x1}[::-1]
{x1}[{p}:]
{x1}[:-{p}]
{x1}[::2]
{x1}[{k}]
{x1}[{k}:{k}:-1]
{x2}[::-1]
{x2}[:, ::-1]
{x2}[{p}:, :-1]
{x2}[0]
{x2}[:, -1]
{x2}[:, {k}]
{x2}[{k}, {k}]
{x2}[::2, ::-2]
{x3}[0]
{x3}[:, 0]
{x3}[..., 0]
{x3}[:, :, ::-1]
{x3}.T
{x3}.sum(axis=1)
{x1}[None, :]
{x1}[:, None]
{x2}[..., None]
{x1}[{b1}]
{x2}[{b2}]
{x2}[{b1}]
{x1}[np.array([0, -1, 0])]
{x2}[np.array([0, -1])]
np.ascontiguousarray({x2}[:, np.array([0, -1])])
{x}.sum()
{i}.prod()
{n}.min()
{n}.max()
{b}.any()
{b}.all()
{n1}.argmin()
{n1}.argmax()
{n}.argmax()
{n}.mean()
{n}.std()
{n}.var()
{x2}.sum(axis=0)
{x2}.sum(axis=1)
{x2}.sum(1)
{x3}.sum(axis=2)
np.sum({x2}, axis=-1)
np.sum({x})
np.prod({i1})
{n}.cumsum()
np.cumsum({n1})
{i1}.cumprod()
np.argmin({n2}, axis=0)
np.argmax({n2}, axis=1)
np.any({b})
np.all({b})
np.count_nonzero({x})
np.median({n})
np.mean({n})
np.std({n})
np.ptp({n})
np.percentile({n}, 25)
np.quantile({n}, 0.75)
np.nansum({n})
np.nanmax({n})
np.nanmean({n})
np.cov({n1}, {n1})
np.diff({n1})
np.diff({n2})
np.sort({n1})
np.sort({n2})
np.argsort({n1}, kind="mergesort")
np.unique({n})
np.searchsorted(np.sort({n1}), {n1})
np.digitize({n1}, np.array([-1.0, 0.0, 2.0]))
np.bincount(abs({i1}))
np.histogram({n1}, 4)[0]
np.nonzero({x1})[0]
np.flatnonzero({x})
np.argwhere({x})
np.interp({f1}, np.arange(4.0), np.arange(4.0))
np.convolve({f1}, {f1})
np.correlate({i1}, {i1})
np.roll({x}, {k})
np.flip({x})
np.fliplr({x2})
np.flipud({x2})
np.rot90({x2})
np.rot90({x2}, {k})
np.repeat({x}, {p})
np.take({x}, np.array([0, -1, 0]))
np.tril({n2})
np.triu({n2}, {k})
np.diag({x2}).copy()
np.diag({x1}, {k})
np.eye({p})
np.trace({f2})
np.transpose({x})
np.swapaxes({x2}, 0, 1)
np.moveaxis({x3}, 0, -1)
np.expand_dims({x1}, 0)
np.atleast_2d({x1})
np.concatenate(({x1=}, {x1=}))
np.concatenate(({x2=}, {x2=}), axis=1)
np.stack(({x1=}, {x1=}))
np.vstack(({x2=}, {x2=}))
np.hstack(({x1=}, {x1=}))
np.column_stack(({x1=}, {x1=}))
np.append({x1}, {x1=})
np.delete({x1}, 0)
np.broadcast_to({x1}, (3, {x1}.size))
np.outer({n1}, {n1})
np.kron({n1=}, {n1=})
np.vander({i1})
np.zeros_like({x})
np.ones_like({x})
np.full_like({x}, 2)
np.zeros({x}.shape)
np.ones({x1}.size)
np.empty({x}.shape, np.int64) * 0
np.full({x1}.size, {k})
np.arange({x1}.size)
np.arange({p}, 9, 2)
np.linspace(0, 4, 9)
np.array([{k}, {k}, {k}])
np.array([{h}, {h}])
np.array(({k}, {h}))
np.asfortranarray({x2})
np.ascontiguousarray({x})
np.array_equal({x}, {x=})
np.isin({n1}, {n1=})
np.union1d({n1}, {n1=})
np.nan_to_num({f})
{s} + {s}
{s} * {k}
{s} - {h}
{s} < {s}
abs({s})
min({s}, {s})
max({s}, {k})
int({s})
float({s})
round({s})
len({x})
{x}.size
{x}.shape[0]
{x}.ndim
sum([v for v in {n1}])
[v for v in {n1}][0]
""".strip().splitlines()

# Statements of more than one line; `{v}` is a new variable.
OTHERS = """
{x1}[{k}] = {k}
{n1}[{p}:] = {k}
{n1}[:] = {n1=}
{n1}[1:] = {n1}[:-1]
{n1}[:-1] = {n1}[1:]
{n1}[::-1] = {n1=}
{n2}[0] = {k}
{n2}[:, 0] = {n1=}
{n2}[:] = {n1=}
{n2}[::2, 1:] = {k}
{n}[{b}] = {k}
{n1}[np.array([0, -1])] = {k}
{n} += {k}
{n} -= {n=}
{n} *= {n=}
{f} /= 2
{i} //= {p}
{i} %= {p}
{n}.fill({k})
{n1}.sort()
{v} = 0\nfor i in range({x1}.shape[0]):\n    {v} += i * {k}
{v} = 0.0\nfor value in {n1}:\n    {v} = {v} * 0.5 + value
{v} = 0\nfor row in {n2}:\n    {v} += row.sum() > 0
{v} = {k}\nfor value in {n}.flat:\n    {v} = max({v}, value)
{v} = np.zeros({n1}.size)\nfor i in range({v}.size):\n    {v}[i] = {n1}[i % {n1}.size] - {k}
for i in range({n2}.shape[0]):\n    {n2}[i, :] = {n2}[i, ::-1]
for i in range({n2}.shape[0]):\n    for j in range({n2}.shape[1]):\n        if j:\n            {n2}[i, j] = -{n2}[i, j]
{v} = []\nfor value in {n1}:\n    if value > {k}:\n        {v}.append(value * 1)\n{v} = len({v})
if {s} > {k}:\n    {v} = {n1} + 1\nelse:\n    {v} = {n1} - 1
if {x1}.size > 3:\n    {n1}[0] = {k}
{v} = {n1}\n{v} = {v} + 1
{v} = 0\nfor i, value in enumerate({n1}):\n    {v} += i * value
{v} = 0\nfor a1, a2 in zip({n1}, {n1}):\n    {v} += a1 * a2
{v} = 0\nfor index in np.ndindex({x}.shape):\n    {v} += index[0]
{v} = 0.0\nfor index, value in np.ndenumerate({n2}):\n    {v} += value * index[1]
""".strip().splitlines()

# Of arrays of any layout, and operators that change what other names have: a kind of program of its own.
LAYOUT_VALUES = """
{x}.reshape(-1)
{x}.reshape(1, -1)
{x}.T.reshape(-1)
{x}.T.ravel()
{x2}.reshape({x2}.shape[1], {x2}.shape[0])
{x2}.T.reshape({x2}.shape)
{x3}.reshape({x3}.shape[0], -1)
np.reshape({x}, -1)
np.reshape({x1}[::-1], (-1, 1))
np.reshape({x2}[:, ::-1], -1)
np.ravel({x2}[::-1])
np.asfortranarray({x2}).reshape(-1)
np.asfortranarray({x2}).ravel()
np.swapaxes({x2}, 0, 1).copy()
np.swapaxes({x3}, 0, -1).copy()
np.swapaxes({x3}, 0, 1).reshape({x3}.shape[0], -1).copy()
np.expand_dims({x}, 0)
np.expand_dims({x2}, 1)
{x}.flatten()
{x2}[::-1].flatten()
{x2}.T.flatten()
{x3}[:, ::-1].ravel()
np.flip({x1})
np.flip({x2}).reshape(-1)
np.flip({x2}.T).copy()
np.flipud({x2})
np.fliplr({x2})
np.fliplr({x2}).reshape(-1)
np.rot90({x2}).copy()
np.rot90({x2}, {p}).copy()
np.rot90({x2}, {k}).ravel()
np.moveaxis({x3}, 0, -1).copy()
np.moveaxis({x3}, -1, 0).reshape(-1)
np.moveaxis({x2}, 0, 1).flatten()
np.broadcast_to({x1}, (3, {x1}.size)).copy()
np.broadcast_to({x1}, (2, {x1}.size)).flatten()
np.broadcast_to({x1}, (2, {x1}.size)).reshape(-1).copy()
np.broadcast_to({x1}, (2, {x1}.size)).T.copy()
np.broadcast_to({x1}, (2, {x1}.size))[:, ::-1].flatten()
np.broadcast_to({x1}, (2, {x1}.size)).T.reshape(2, -1).copy()
np.broadcast_to({x2}[:1], {x2}.shape).copy()
{x3}[:, ::-1].reshape({x3}.shape[0], -1)
{x3}[::-1, :, ::2].reshape(-1)
{x2}[::-1, ::-1].reshape({x2}.shape[1], -1)
{x2}[:, ::2].reshape(-1, 1)
{x3}.T.reshape({x3}.shape).copy()
np.transpose({x3}, (1, 0, 2)).reshape(-1)
np.transpose({x3}, (2, 0, 1)).ravel()
np.ascontiguousarray({x2}.T).view(np.int8).reshape(-1)
{f1}.copy().view(np.int64) // 2**45
{i2}.copy().view(np.int32)
{i1}.copy().view(np.uint8)
{n2}.T.copy().view(np.int16)
{x1}.reshape(-1)[...]
np.vstack(({x2}, {x2}[::-1])).T.reshape(-1)
np.hstack(({x2}, np.fliplr({x2})))
""".strip().splitlines()

LAYOUT_OTHERS = """
{x} += {x=}
{i} += {x=}
{i} <<= 1
{i} >>= {p}
{i} &= {i=}
{i} |= {p}
{i} ^= {p}
{f} //= {p}
{f} %= {p}
{f} **= 2
{f2} @= {f2=}
{b} |= {b}
{n1}[1:] += {n1}[:-1]
{n1}[:-1] -= {n1}[1:]
{n1}[::-1] += {n1}
{n2}[0] += {n2}[-1]
{n2}[:, 0] *= {k}
{v} = {n}\n{v} += {k}
{v} = {n1}[::2]\n{v} *= {k}
{v} = {n2}.T\n{v} -= {k}
{v} = {n}.reshape(-1)\n{v}[0] = {k}
{v} = {n}.T.reshape(-1)\n{v}[0] = {k}
{v} = {n2}.ravel()\n{v}[-1] = {k}
{v} = {n2}[::-1].reshape(-1)\n{v} += 1
{v} = np.swapaxes({n2}, 0, 1)\n{v}[0] = {k}
{v} = np.flip({n2})\n{v} += {k}
{v} = np.fliplr({n2})\n{v}[0] = {k}
{v} = np.rot90({n2})\n{v}[0] += {k}
{v} = np.moveaxis({n2}, 0, 1)\n{v} *= {k}
{v} = np.expand_dims({n}, 0)\n{v} += {k}
{v} = {n1}[::-1].reshape(1, -1)\n{v} -= {k}
{v} = {n}.flatten()\n{v}[:] = {k}
{v} = np.array({k})\n{v}[...] = {k}
{v} = np.array({k})[...]\n{v}[()] = {k}
""".strip().splitlines()

PLACEHOLDER = re.compile(r"\{(\w)(\d?)(=?)\}")


def plain(value):
    """True for what any order of computing gives the same bits of."""
    a = np.asarray(value)
    if a.size > ITEMS or a.size == 0 or a.dtype.kind not in "biufc":
        return False
    if a.dtype.kind == "c":
        return plain(a.real) and plain(a.imag)
    if a.dtype.kind == "f":
        scaled = a * a.dtype.type(FRACTION if a.dtype == np.float64 else 4)
        return bool(np.all(np.isfinite(a)) and np.all(scaled == np.floor(scaled)) and np.all(np.abs(a) < LARGEST))
    return bool(np.all(np.abs(a.astype(np.float64)) < (LARGEST if a.dtype.itemsize == 8 else 2**7)))


class Program:
    """`source` defines `main(*arguments)`, which gives a tuple; `inexact` are its places that have a tolerance."""

    helpers = ()
    values_drawn, others_drawn = VALUES, OTHERS

    def __init__(self, seed):
        self.seed = seed
        self.rng = random.Random(seed)
        self.count = self.rng.randrange(2, 5)
        self.forms = [self.argument() for _ in range(self.count)]
        self.names = [f"a{i}" for i in range(self.count)]
        self.body, self.inexact_names = [], []
        self.values = self.run(())
        while len(self.body) < STATEMENTS:
            self.grow()
        names = sorted(set(self.values) - set(self.names), key=lambda name: int(name[1:]))
        returned = self.rng.sample(names, min(len(names), 5)) if names else list(self.names)
        self.inexact = [returned.index(name) for name in self.inexact_names if name in returned]
        self.source = self.text(self.body, returned)
        self.arguments = self.make()

    def argument(self):
        """Draws an argument: dtype, shape, layout and items."""
        rng = self.rng
        dtype = rng.choice(
            ["int64", "int64", "float64", "float64", "float64", "bool", "int32", "float32", "complex128"]
        )
        shape = rng.choice([(4,), (4,), (5,), (1,), (4, 4), (3, 4), (2, 3), (2, 3, 4)])
        items = [rng.randrange(-6, 7) for _ in range(int(np.prod(shape)))]
        return dtype, shape, rng.choice(["C", "C", "F", "backward", "strided"]), items

    def make(self):
        """New arguments, equal at each call."""
        return [self.made(*form) for form in self.forms]

    @staticmethod
    def made(dtype, shape, layout, items):
        a = np.array(items).reshape(shape)
        a = (a % 2 == 0) if dtype == "bool" else a.astype(dtype)
        if dtype.startswith("float"):
            a = a / a.dtype.type(2)
        if layout == "F":
            return np.asfortranarray(a)
        if layout == "backward":
            return a[::-1].copy()[::-1]
        if layout == "strided":
            wide = np.zeros((*shape[:-1], 2 * shape[-1]), a.dtype)
            wide[..., ::2] = a
            return wide[..., ::2]
        return a

    def text(self, body, returned):
        lines = "\n".join(body).split("\n") if body else []
        result = f"return ({', '.join(returned)},)" if returned else "return locals()"
        lines = [f"    {line}" for line in [*lines, result]]
        return "\n".join([f"def main({', '.join(self.names)}):", *lines]) + "\n"

    def run(self, body):
        """Variables at the end, or None where NumPy objects."""
        space = {"np": np}
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            try:
                exec(compile(self.text(body, None), "program", "exec"), space)
                values = space["main"](*self.make())
            except Exception:
                return None
        return {name: value for name, value in values.items() if name in self.names or re.fullmatch(r"v\d+", name)}

    def grow(self):
        """Adds one statement that leaves everything plain, or nothing."""
        new = f"v{len(self.body)}"
        other = self.rng.random() < 0.25
        template = (
            self.rng.choice(self.others_drawn if other else self.values_drawn).replace("\\n", "\n").replace("{v}", new)
        )
        first = []
        try:
            text = PLACEHOLDER.sub(lambda match: self.fill(match, first), template)
        except IndexError:
            return
        body = [*self.body, text if other else f"{new} = {text}"]
        values = self.run(body)
        if values is None or not all(known(value) for value in values.values()):
            return
        # Each variable keeps its type, as compiled code demands.
        for name, before in self.values.items():
            if type(values[name]) is not type(before) or np.shape(values[name]) != np.shape(before):
                return
        exact = all(plain(value) for name, value in values.items() if name != new and name not in self.inexact_names)
        if not exact:
            return
        if new in values and not plain(values[new]):
            if other or np.asarray(values[new]).dtype.kind != "f" or not np.all(np.isfinite(values[new])):
                return
            self.inexact_names.append(new)
        self.body, self.values = body, values

    def fill(self, match, first):
        """What stands for a placeholder."""
        kind, rank, like = match.groups()
        rng = self.rng
        if kind == "k":
            return str(rng.randrange(-3, 4))
        if kind == "p":
            return str(rng.randrange(1, 4))
        if kind == "h":
            return str(rng.randrange(-9, 10) / 2)
        fits = []
        for name, value in self.values.items():
            if name in self.inexact_names or (kind == "s") != (not isinstance(value, np.ndarray)):
                continue
            if kind == "s":
                if not isinstance(value, bool | np.bool | complex | np.complexfloating):
                    fits.append(name)
                continue
            dtype = value.dtype
            wanted = {"x": "biufc", "n": "if", "i": "i", "f": "f", "b": "b"}[kind]
            if dtype.kind not in wanted or (kind != "x" and kind != "b" and dtype.itemsize != 8):
                continue
            if (rank and value.ndim != int(rank)) or (like and first and dtype != first[0]):
                continue
            fits.append(name)
        name = rng.choice(fits)
        if kind != "s":
            first.append(self.values[name].dtype)
        return name


class Layouts(Program):
    """Programs of which every third statement reshapes arrays, or changes them in place."""

    values_drawn, others_drawn = VALUES + 6 * LAYOUT_VALUES, OTHERS + 2 * LAYOUT_OTHERS


def known(value):
    return isinstance(value, (np.ndarray, np.generic, int, float, complex))
