"""Figures of Python's own data in compiled code: text, dictionaries, lists, typed containers, stencils."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from .common import NUMBA, NUMBRA, Row, program
from .library import all_at_most, generated, listed

# A cold process: CPU of defining and calling a function, in ms; the import is over by then.
FIRST_USE = """
import json, time, numpy as np, MODULE as nb
from MODULE.typed import List, Dict
from MODULE.core import types
@nb.njit
def warm(x):
    return x + 1
SETUP
t = time.thread_time()
f = nb.njit(lambda x, s, h: CODE)
f(*ARGS)
print(json.dumps((time.thread_time() - t) * 1e3))
"""

# Name: an expression of `x` (an integer), `s` (a text) and `h` (a list of texts), or a function's body.
FIRST_USES = {
    "concatenation": "s + str(x) + s",
    "f-string": "f'{x:>5} {s}'",
    "dict of ints": "len({x: 1, 2: 3})",
    "dict of strings": "len({s: 1, 'b': 3})",
    "dict comprehension": "len({i: i * x for i in range(x)})",
    "sort with key": "sorted([3, x, 1], key=lambda v: -v)",
    "set of strings": "len({s, 'b'})",
    "split and join": "'-'.join(s.split())",
    "list append": "append(x)",
    "typed.List": "typed_list(x)",
    "typed.Dict": "typed_dict(x)",
    "stencil": "five(np.ones((8, 8)))[3, 3] + x",
}
SETUP = """
@nb.njit
def append(n):
    a = [0]
    for i in range(n):
        a.append(i)
    return a
@nb.njit
def typed_list(n):
    a = List.empty_list(types.int64)
    for i in range(n):
        a.append(i)
    return a[n - 1]
@nb.njit
def typed_dict(n):
    d = Dict.empty(types.int64, types.int64)
    for i in range(n):
        d[i] = i
    return d[n - 1]
@nb.stencil
def five(a):
    return 0.25 * (a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])
"""

# ns per operation, the least of many runs: of numbra's containers, then of Python's.
FROM_PYTHON = """
import json, time, numpy as np, MODULE as nb
from MODULE.typed import List, Dict
N = 2000
def least(run):
    best = 1e9
    for _ in range(60):
        t = time.perf_counter_ns()
        run()
        best = min(best, (time.perf_counter_ns() - t) / N)
    return best
mine, own = List(), []
table, dictionary = Dict.empty(nb.types.int64, nb.types.int64), {}
for i in range(100):
    mine.append(i); own.append(i); table[i] = i; dictionary[i] = i
def item(x):
    for _ in range(N):
        x[7]
def append(x):
    for _ in range(N):
        x.append(7)
def call(f, *args):
    for _ in range(N):
        f(*args)
@nb.njit
def takes(x):
    return 1
@nb.njit
def gives(x):
    return x
takes(1), takes("ab"), takes(mine), takes(table), gives("ab"), gives(1)
number = least(lambda: call(takes, 1))
out = {
    "List[i]": [least(lambda: item(mine)), least(lambda: item(own)), 1.5],
    "Dict[k]": [least(lambda: item(table)), least(lambda: item(dictionary)), 1.5],
    "append": [least(lambda: append(mine)), least(lambda: append(own)), 1.5],
    "a str": [least(lambda: call(takes, "ab")) - number, 1, 30],
    "a typed.List": [least(lambda: call(takes, mine)) - number, 1, 40],
    "a typed.Dict": [least(lambda: call(takes, table)) - number, 1, 40],
    "a str returned": [least(lambda: call(gives, "ab")) - number, 1, 60],
}
print(json.dumps(out))
"""

# Seconds of the least of several runs of each program, of this module or of CPython (`python`).
IN_CODE = """
import json, sys, time, numpy as np
MODULE = "NAME"
if MODULE == "python":
    jit = lambda f: f
else:
    nb = __import__(MODULE)
    jit = nb.njit
@jit
def count_numbers(a):
    d = {}
    for v in a:
        if v in d:
            d[v] += 1
        else:
            d[v] = 1
    return len(d)
@jit
def count_words(h):
    d = {}
    for w in h:
        if w in d:
            d[w] += 1
        else:
            d[w] = 1
    return len(d)
@jit
def grow(n):
    s = ""
    for i in range(n):
        s += "c"
    return len(s)
@jit
def joined(h):
    return len(", ".join(h))
@jit
def split(s):
    return len(s.split(" "))
@jit
def blanks(s):
    return len(s.split())
@jit
def replaced(s):
    return len(s.replace("w1", "word"))
@jit
def found(s):
    n = 0
    for i in range(200):
        n += s.find("w99999x", i)
    return n
@jit
def appended(n):
    a = [0]
    for i in range(n):
        a.append(i)
    return sum(a)
@jit
def by_key(a):
    b = list(a)
    b.sort(key=lambda v: (v * 7919) % 100003)
    return b[0]
@jit
def words_sorted(h):
    return len(sorted(h)[0])
@jit
def formatted(n):
    k = 0
    for i in range(n):
        k += len(f"{i * 0.37:.2f} {i}")
    return k
rng = np.random.default_rng(1)
a = rng.integers(0, 100_000, 1_000_000)
if MODULE == "python":
    a = a.tolist()
h = ["w%d" % (v % 5000) for v in rng.zipf(1.5, 100_000)]
s = " ".join(h)
small = [int(v) for v in rng.integers(0, 100_000, 100_000)]
if MODULE != "python":
    h = nb.typed.List(h)
    small = nb.typed.List(small)
cases = {
    "dict of ints": (count_numbers, a), "dict of words": (count_words, h), "s += c": (grow, 200_000),
    "join": (joined, h), "split(' ')": (split, s), "split()": (blanks, s), "replace": (replaced, s), "find": (found, s),
    "append and sum": (appended, 1_000_000), "sort with key": (by_key, small), "sorted words": (words_sorted, h),
    "f-string": (formatted, 50_000),
}
out = {}
for name, (f, x) in cases.items():
    try:
        f(x)
        best = 1e9
        for _ in range(ROUNDS):
            t = time.process_time()
            f(x)
            best = min(best, time.process_time() - t)
        out[name] = best * 1e3
    except Exception as error:
        out[name] = f"{type(error).__name__}"
print(json.dumps(out))
"""

# Counting as `count_numbers` does it, with the table of Rust's library (hashbrown) and a hash of one multiplication.
HASHBROWN = """
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

#[derive(Default)]
struct Multiply(u64);
impl Hasher for Multiply {
    fn finish(&self) -> u64 { self.0.rotate_left(26) }
    fn write(&mut self, _: &[u8]) { unreachable!() }
    fn write_i64(&mut self, v: i64) { self.0 = (v as u64).wrapping_mul(0xf135_7aea_2e62_a9c5) }
}

fn main() {
    let mut x = 88172645463325252u64;
    let items: Vec<i64> = (0..1_000_000).map(|_| {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
        (x % 100_000) as i64
    }).collect();
    let mut best = f64::MAX;
    for _ in 0..15 {
        let start = Instant::now();
        let mut d: HashMap<i64, i64, BuildHasherDefault<Multiply>> = HashMap::default();
        for v in &items { *d.entry(*v).or_insert(0) += 1; }
        let taken = start.elapsed().as_secs_f64();
        assert!(std::hint::black_box(&d).len() > 99_000);
        best = best.min(taken);
    }
    println!("{}", best * 1e3);
}
"""

# What is asked of each: the most over Numba's time, over CPython's.
LIMITS = {
    "dict of ints": (0.35, None),
    "dict of words": (0.3, 0.5),
    "s += c": (None, 0.5),
    "join": (None, 0.5),
    "split(' ')": (None, 1.0),
    "split()": (None, 1.0),
    "replace": (None, 1.0),
    "find": (None, 1.0),
    "append and sum": (0.6, None),
    "sort with key": (None, 0.5),
    "sorted words": (None, 1.0),
    "f-string": (None, 1.0),
}

MEMORY = """
import json, resource, sys
MODULE = "NAME"
def fill(n):
    d = {}
    for i in range(n):
        d[i] = i
    return d
if MODULE != "python":
    fill = __import__(MODULE).njit(fill)
    fill(3)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
d = fill(10_000_000)
print(json.dumps((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))
"""

# MiB that a process grows by over a million calls, for values in and out.
GROWTH = """
import json, os, numbra as nb
from numbra.typed import List, Dict
@nb.njit
def through(x):
    return x
def rss():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
mine, table = List([1, 2]), Dict.empty(nb.types.int64, nb.types.int64)
table[1] = 2
out = {}
for name, value in {"str": "ab" * 30, "bytes": b"ab" * 30, "list": [1, 2], "list of str": ["ab", "c"], "set": {1, 2},
                    "tuple": ("ab", 1), "typed.List": mine, "typed.Dict": table}.items():
    for _ in range(20_000):
        through(value)
    before = rss()
    for _ in range(1_000_000):
        through(value)
    out[name] = rss() - before
print(json.dumps(out))
"""


def first_uses():
    goal = "first use in a cold process, CPU over import: at most 8 ms each"
    mine, theirs = {}, {}
    for name, code in FIRST_USES.items():
        values = {"CODE": code, "ARGS": '(5, "a b", 0)', "SETUP": SETUP}
        runs = [program(FIRST_USE, NUMBRA, "numbra", **values) for _ in range(5)]
        bad = [run for run in runs if isinstance(run, str)]
        mine[name] = bad[0] if bad else min(runs)
        if NUMBA:
            theirs[name] = program(FIRST_USE, NUMBA, "numba", **values)
    return Row(goal, listed(mine), all_at_most(mine, 8), listed(theirs), mine)


def from_python():
    goal = "typed.List[i], typed.Dict[k], append over the built-in's at most 1.5; passing a str 30 ns, a typed.List or"
    goal += " typed.Dict 40 over a number; returning a str 60"
    ran = program(FROM_PYTHON, NUMBRA, "numbra")
    if isinstance(ran, str):
        return Row(goal, ran, False)
    text = ", ".join(f"{name} {mine / own:.{2 if own != 1 else 0}f}" for name, (mine, own, _) in ran.items())
    return Row(goal, text, all(mine / own <= limit for mine, own, limit in ran.values()), raw=ran)


def hashbrown():
    """ms of the count in Rust, or nothing where there is no compiler."""
    if not shutil.which("rustc"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "count.rs").write_text(HASHBROWN)
        command = ["rustc", "-O", "-C", "target-cpu=native", "count.rs", "-o", "count"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        return float(subprocess.check_output([Path(folder) / "count"], text=True))


def in_code():
    asked = [
        f"{name} {most} {whose}"
        for name, limits in LIMITS.items()
        for most, whose in zip(limits, ("Numba", "CPython"), strict=True)
        if most
    ]
    goal = "time at most: " + ", ".join(asked)
    mine = program(IN_CODE, NUMBRA, "numbra", NAME="numbra", ROUNDS=15)
    python = program(IN_CODE, NUMBRA, "numbra", NAME="python", ROUNDS=7)
    numba = program(IN_CODE, NUMBA, "numba", NAME="numba", ROUNDS=5) if NUMBA else {}
    if any(isinstance(ran, str) for ran in (mine, python, numba)):
        return Row(goal, str([mine, python, numba])[:300], False)
    ok, text = True, []
    for name, limits in LIMITS.items():
        ratios = []
        for limit, whose, others in zip(limits, ("Numba", "CPython"), (numba, python), strict=True):
            both = mine.get(name), others.get(name)
            if all(isinstance(value, float) for value in both):
                ratios.append(f"{both[0] / both[1]:.2f} {whose}")
                ok &= limit is None or both[0] / both[1] <= limit
            elif limit is not None:
                ratios.append(f"{both[0] if isinstance(both[0], str) else both[1] or 'not measured'} {whose}")
                ok &= isinstance(both[0], float)
        text.append(f"{name} {', '.join(ratios)}")
    beside = hashbrown()
    if beside:
        text.append(f"dict of ints {mine['dict of ints'] / beside:.2f} of hashbrown (goal 1.1)")
        ok &= mine["dict of ints"] / beside <= 1.1
    return Row(goal, "; ".join(text), ok, raw={"numbra": mine, "python": python, "numba": numba, "hashbrown": beside})


def memory():
    goal = "1e7 items in a dict of ints: at most CPython's memory and 0.8 of Numba's"
    mine = program(MEMORY, NUMBRA, "numbra", NAME="numbra")
    python = program(MEMORY, NUMBRA, "numbra", NAME="python")
    numba = program(MEMORY, NUMBA, "numba", NAME="numba") if NUMBA else None
    if isinstance(mine, str):
        return Row(goal, mine, False)
    ok = mine <= python and (not isinstance(numba, float) or mine <= 0.8 * numba)
    return Row(goal, f"{mine:.0f} MiB, CPython {python:.0f}", ok, f"{numba} MiB", [mine, python, numba])


def growth():
    goal = "no growth over 1e6 calls of any type in and out"
    ran = program(GROWTH, NUMBRA, "numbra")
    if isinstance(ran, str):
        return Row(goal, ran, False)
    text = ", ".join(f"{name} {grown:.2f} MiB" for name, grown in ran.items())
    return Row(goal, text, all(grown < 1 for grown in ran.values()), raw=ran)


def programs():
    return generated("50,000 generated programs over text, containers and exceptions agree with CPython", "data")


FIGURES = {
    "data-first-use": first_uses,
    "data-from-python": from_python,
    "data-in-code": in_code,
    "data-memory": memory,
    "data-growth": growth,
    "data-programs": programs,
}
