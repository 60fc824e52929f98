"""Processes of `long_lived.py`: for each line of the input a child lives.

A line is JSON: `[seed, steps, folder, seconds, *kinds]`, without functions and steps of these kinds. The answer is the
child's status, or "late"; what the child says is in the folder's files `output` and `errors`.
"""

import contextlib
import gc
import hashlib
import importlib.util
import json
import os
import random
import select
import signal
import sys
import threading
import time
import weakref
from pathlib import Path

import lived_functions
import numba_or_numbra as nb
import numpy as np

KEPT = 24  # results that a process keeps
LIVE = 8  # functions
#: What a process does, and how often of sixty times.
STEPS = {"make": 8, "call": 9, "recompile": 4, "promote": 3, "drop": 4, "forget": 2, "check": 3, "write": 3, "half": 6}
STEPS |= {"threads": 3, "signals": 2, "finalisers": 2, "refused": 3, "native_callback": 2, "ufunc": 1, "cache": 2}
STEPS |= {"look": 1, "interrupted": 2}


class Wrong(Exception):
    """Not what CPython does."""


MANY = 64  # items of an array; their texts took a fifth of a life


def items(array):
    """A text of an array's items, which of many shows the first."""
    if array.size <= MANY or array.dtype.names:
        return str(array.tolist())
    if array.dtype.kind in "fc":
        array = np.where(np.isnan(array), np.nan, array)  # all bits of a NaN are one
    return f"{array.flat[:8].tolist()}... {hashlib.blake2b(array.tobytes(), digest_size=8).hexdigest()}"


def text(value):
    """A text that is equal where values are."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{items(value)}"
    if isinstance(value, np.generic):
        return text(value.item())
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, set):
        return "{" + ", ".join(sorted(map(text, value))) + "}"
    return repr(value)


def raised(error):
    if isinstance(error, ZeroDivisionError):
        return "ZeroDivisionError"  # its words differ between versions of Python
    return f"{type(error).__name__}{error.args}"


def arrays_in(value, found):
    """Arrays in a value, and what they are views of."""
    if isinstance(value, np.ndarray):
        found.append(value)
        arrays_in(value.base, found)
    elif isinstance(value, tuple | list):
        for item in value:
            arrays_in(item, found)
    return found


def counts(make, use):
    """References to the arrays of new arguments, once `use` has had these and they are gone."""
    arguments = make()
    arrays = arrays_in(arguments, [])
    use(arguments)
    del arguments
    return [sys.getrefcount(a) for a in arrays], arrays


class Live:
    """A function, compiled and as CPython runs it."""

    def __init__(self, life, drawn):
        self.drawn, self.life = drawn, life
        self.compiled_space = self.space(nb.njit, nb.prange, nb.objmode)
        self.python_space = self.space(None, range, lambda **_: contextlib.nullcontext())
        self.accepted = set()  # calls that compile

    def space(self, jit, prange, objmode):
        drawn = self.drawn
        options = {"parallel": True} if "parallel" in drawn.options else {}
        space = {
            "__name__": f"lived_{id(self)}",
            "np": np,
            "jit": (lambda function: jit(function, **options)) if jit else (lambda function: function),
            "prange": prange,
            "objmode": objmode,
            "keep": self.life.keep_from_python if jit else (lambda value: None),
        }
        if hasattr(drawn, "given"):
            space["given"] = drawn.given
        exec(compile(drawn.source, "lived.py", "exec"), space)
        return space

    @property
    def compiled(self):
        return self.compiled_space["f"]

    def expected(self, make):
        arguments = make()
        try:
            value = self.python_space["f"](*arguments)
            if self.drawn.generator:
                value = list(steps_of(value))
            return text(value), text(arguments)
        except Exception as error:
            return raised(error), text(arguments)

    def call(self, make, keep=None):
        """Calls and compares; `keep` takes the result. False where the function does not compile."""
        want, after = self.expected(make)
        compiles, before = True, len(self.life.from_python)

        def use(arguments):
            nonlocal compiles
            try:
                value = self.compiled(*arguments)
                if self.drawn.generator:
                    value = list(steps_of(value))
                got = text(value)
                if keep:
                    keep(value)
            except nb.NumbaError:
                compiles = False
                return
            except Exception as error:
                got = raised(error)
            if not keep:
                del self.life.from_python[before:]
            if got != want:
                raise Wrong(f"{self.drawn.kind}: {got[:300]} instead of {want[:300]}\n{self.drawn.source}")
            if text(arguments) != after:
                raise Wrong(f"{self.drawn.kind}: arguments are {text(arguments)[:300]}, not {after[:300]}")

        try:
            found, _ = counts(make, use)
        except SystemError as error:
            raise Wrong(f"{self.drawn.kind}: {error!r}\n{self.drawn.source}") from None
        if keep is None:
            usual, _ = counts(make, lambda arguments: None)
            if found != usual:
                raise Wrong(f"{self.drawn.kind}: references {found[:9]}, not {usual[:9]}\n{self.drawn.source}")
        return compiles


def steps_of(generator):
    """Its items; what it raises is the last."""
    try:
        yield from generator
    except Exception as error:
        yield raised(error)


def step_of(generator):
    """The next item, which leaves it as it is then."""
    try:
        return text(next(generator))
    except Exception as error:
        return raised(error)


class Life:
    def __init__(self, seed, without):
        self.without = without
        self.rng = random.Random(seed)
        self.live, self.kept, self.halves, self.addresses, self.gone = [], [], [], [], []
        self.from_python = []
        self.rejected = self.calls = self.made = 0
        self.folder = Path(os.environ.get("NUMBA_CACHE_DIR", "."))
        self.modules = 0

    def keep_from_python(self, value):
        """What object mode hands out."""
        self.from_python.append((value, text(value)))

    # ------------------------------------------------------------------------------------------- steps

    def make(self):
        drawn = lived_functions.draw(self.rng, self.without)
        if hasattr(drawn, "given"):
            given = drawn.given

            def remembered():
                a = given()
                self.gone.append(weakref.ref(a))
                return a

            drawn.given = remembered
        live = Live(self, drawn)
        self.made += 1
        for make in drawn.calls:
            self.call_one(live, make)
        if len(self.live) >= LIVE:
            self.live.pop(self.rng.randrange(len(self.live)))
        self.live.append(live)

    def pick(self):
        if not self.live:
            self.make()
        return self.rng.choice(self.live)

    def call_one(self, live, make):
        if self.rng.random() < 0.4:
            results = []
            compiles = live.call(make, results.append)
            self.kept += [(live.drawn.kind, value, text(value)) for value in results]
        else:
            compiles = live.call(make)
        self.calls += 1
        self.rejected += not compiles

    def call(self):
        for _ in range(self.rng.randrange(1, 6)):
            live = self.pick()
            self.call_one(live, self.rng.choice(live.drawn.calls))

    def recompile(self):
        live = self.pick()
        if live.compiled.signatures:
            live.compiled.recompile()
        self.call_one(live, live.drawn.calls[0])

    def promote(self):
        live = self.pick()
        make = self.rng.choice(live.drawn.calls)
        for _ in range(8):
            live.call(make)

    def drop(self):
        if self.live:
            self.live.pop(self.rng.randrange(len(self.live)))
        gc.collect()

    def forget(self):
        self.rng.shuffle(self.kept)
        del self.kept[KEPT // 2 :]
        del self.from_python[4:]

    def check(self):
        """Overwrites freed memory, and looks at what was kept."""
        churn()
        for kind, value, was in self.kept:
            if text(value) != was:
                raise Wrong(f"{kind}: kept {was[:300]} became {text(value)[:300]}")
        for value, was in self.from_python:
            if text(value) != was:
                raise Wrong(f"object mode: kept {was[:300]} became {text(value)[:300]}")

    def write(self):
        """Writes to one result: no other may change but those of the same call."""
        owned = [at for at, (kind, *_) in enumerate(self.kept) if kind not in ("captured", "generators", "object_mode")]
        if owned:
            at = self.rng.choice(owned)
            kind, value, _ = self.kept[at]
            for a in arrays_in(value, []):
                if a.flags.writeable and a.dtype.kind in "if":
                    a[...] = 77
            self.kept[at] = (kind, value, text(value))
        self.check()

    def half(self):
        """Generators that are not at their end: begun, continued, given to other functions or dropped."""
        kind = self.rng.randrange(4)
        generators = [live for live in self.live if live.drawn.generator]
        if kind == 0 and generators:
            live = self.rng.choice(generators)
            make = self.rng.choice(live.drawn.calls)
            with contextlib.suppress(nb.NumbaError):
                self.halves.append((live.compiled(*make()), live.python_space["f"](*make())))
        elif self.halves:
            at = self.rng.randrange(len(self.halves))
            mine, python = self.halves[at]
            if kind == 1:
                got, want = step_of(mine), step_of(python)
                if got != want:
                    raise Wrong(f"generator gave {got[:300]}, not {want[:300]}")
            elif kind == 2:
                # A function that does not run it, whether it takes a list of it or says why it does not.
                with contextlib.suppress(nb.NumbaError, TypeError):
                    length([mine])
                with contextlib.suppress(nb.NumbaError, TypeError):
                    length([(mine, 1), (mine, 2)])
                with contextlib.suppress(nb.NumbaError, TypeError):
                    length((mine, (mine, 2)))
            else:
                self.halves.pop(at)

    def threads(self):
        """Calls, new functions and the collector on several threads."""
        errors = []
        drawn = [lived_functions.draw(self.rng, self.without) for _ in range(2)]
        drawn = [one for one in drawn if not hasattr(one, "given")]
        work = [(self.pick(), self.rng.randrange(99)) for _ in range(3)]

        def calls(live, number):
            try:
                for n in range(4):
                    live.call(live.drawn.calls[(number + n) % len(live.drawn.calls)], lambda value: None)
            except BaseException as error:
                errors.append(error)

        def new(drawn):
            try:
                live = Live(self, drawn)
            except BaseException as error:
                errors.append(error)
                return
            calls(live, 0)

        threads = [threading.Thread(target=calls, args=one) for one in work]
        threads += [threading.Thread(target=new, args=(one,)) for one in drawn]
        for thread in threads:
            thread.start()
        gc.collect()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def signals(self):
        """Calls while a handler runs compiled code that raises."""
        before = signal.signal(signal.SIGALRM, lambda *_: other_work())
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0007)
        try:
            self.call()
            if spin(400_000) != 400_000 % 7 or spin_in_threads(4000) != 4000 * (4000 % 7):
                raise Wrong("a loop that signals interrupt")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def interrupted(self):
        """A handler that raises ends a loop; the next call is as ever."""

        class Enough(Exception):
            pass

        def handler(*_):
            raise Enough

        before = signal.signal(signal.SIGALRM, handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.005)
            self.rng.choice([spin, spin_in_threads])(1 << 62)
            raise Wrong("a loop without an end ended")
        except Enough:
            pass
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.call()

    def finalisers(self):
        """Objects whose end runs compiled code, whenever the collector comes by."""
        threshold = gc.get_threshold()
        gc.set_threshold(20)
        try:
            for _ in range(12):
                Final()
            self.call()
        finally:
            gc.set_threshold(*threshold)

    def refused(self):
        """Arguments that cannot be taken: what was begun is given up."""
        live = self.pick()
        make = self.rng.choice(live.drawn.calls)
        bad = self.rng.choice([object(), "a", [1, "a"], [(1, object())], [[]], {1, 2.5}, None, 10**30])
        at = self.rng.randrange(3)

        def broken():
            arguments = list(make())
            mine = [arguments[0], bad] if at == 0 else [(arguments[0], 1), (arguments[0], "x")]
            if at == 2:
                return (*arguments, 1, 2)
            return (mine, *arguments[1:])

        def use(arguments):
            try:
                live.compiled(*arguments)
            except (TypeError, nb.NumbaError, OverflowError, ValueError, AttributeError):
                pass
            except SystemError as error:
                raise Wrong(f"refusing gives {error!r}\n{live.drawn.source}") from None

        before = len(live.compiled.signatures) if live.drawn.options != {"object_mode": True} else None
        found, _ = counts(broken, use)
        usual, _ = counts(broken, lambda arguments: None)
        if found != usual and before == len(live.compiled.signatures):
            raise Wrong(f"refused: references {found[:9]}, not {usual[:9]}\n{live.drawn.source}")

    def native_callback(self):
        """C functions: their code stays as long as they do."""
        factor = self.rng.randrange(1, 99)
        if self.rng.random() < 0.5 or not self.addresses:
            function = nb.cfunc("float64(float64)")(eval(f"lambda x: x * {factor} + 1"))
            self.addresses.append((function.ctypes, factor))
        del self.addresses[6:]
        gc.collect()
        for address, factor in self.addresses:
            if address(2.0) != 2.0 * factor + 1:
                raise Wrong("a C function")

    def ufunc(self):
        n = self.rng.randrange(1, 99)
        function = nb.vectorize(eval(f"lambda x, y: x * y + {n}"))
        for dtype in self.rng.sample(["int64", "float64", "float32", "int32"], 2):
            a = np.arange(50).astype(dtype)
            if function(a, a[::-1]).tolist() != (a * a[::-1] + n).tolist():
                raise Wrong("a ufunc")
        self.kept.append(("ufunc", (got := function(a, a)), text(got)))

    def cache(self):
        """A module's cached function, compiled and then loaded."""
        self.modules += 1
        name = f"cached_{self.modules}"
        drawn = lived_functions.constant_bytes(self.rng)
        code = drawn.source.replace("@jit", "@numbra.njit(cache=True)").replace("numbra", nb.NAME)
        (self.folder / f"{name}.py").write_text(f"import {nb.NAME}\nimport numpy as np\n{code}")
        live = Live(self, drawn)
        for _ in range(2):
            spec = importlib.util.spec_from_file_location(name, self.folder / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
            live.compiled_space["f"] = module.f
            self.call_one(live, drawn.calls[0])
            del module, sys.modules[name], live.compiled_space["f"]
            gc.collect()

    def look(self):
        """Reads what a function was made from."""
        live = self.pick()
        if live.compiled.signatures:
            live.compiled.inspect_llvm()
            live.compiled.inspect_asm()

    def walk(self, steps):
        names = [name for name, times in STEPS.items() if name not in self.without for _ in range(times)]
        for step in range(steps):
            name = self.rng.choice(names)
            print(step, name, flush=True)
            getattr(self, name)()
            if len(self.kept) > KEPT:
                self.forget()
            if step % 8 == 0:
                self.check()
        self.check()

    def end(self, balance, tries=60):
        """Everything goes: nothing may be left."""
        for held in (self.live, self.kept, self.halves, self.addresses, self.from_python):
            held.clear()
        for _ in range(tries):
            gc.collect()
            left = alive() - balance
            captured = sum(ref() is not None for ref in self.gone)
            if not left and not captured:
                return
            time.sleep(0.05)  # code that is compiled in the background holds its function
        raise Wrong(f"{left} objects and {captured} captured arrays are left of {len(self.gone)}")


# ------------------------------------------------------------------------------------ functions of every life


@nb.njit
def churn_sizes(sizes):
    """Takes what the thread keeps of freed memory and writes to all of it."""
    held = []
    for size in sizes:
        for _ in range(40 if size <= 64 else 4):
            held.append(np.full(size, -7.25))
    return len(held)


def churn():
    churn_sizes(np.array([0, 1, 8, 9, 16, 24, 32, 40, 48, 56, 64, 65, 130, 1000, 5000]))
    for size in lived_functions.SIZES:
        for _ in range(8):
            np.full(size + 1, -7.25)  # NumPy's own memory


@nb.njit
def churned(n):
    return np.full(n, -7.25)


@nb.njit
def length(x):
    return len(x)


@nb.njit
def spin(n):
    s = 0
    for _ in range(n):
        s = (s + 1) % 7
    return s


@nb.njit(parallel=True)
def spin_in_threads(n):
    s = 0
    for _ in nb.prange(n):
        one = 0
        for _ in range(n):
            one = (one + 1) % 7
        s += one
    return s


@nb.njit
def thrower(x, k):
    if k > 0:
        raise IndexError("thrower", k)
    return x


@nb.njit
def catcher(x, k):
    try:
        thrower(x, k)
    except Exception:
        return 1
    return 0


def other_work():
    """What handlers and finalisers do."""
    a = np.arange(3.0)
    if catcher(a, 2) != 1:
        raise Wrong("an exception that was caught")
    try:
        thrower(a, 3)
    except IndexError as error:
        if error.args != ("thrower", 3):
            raise Wrong(f"another exception: {error!r}") from None
    else:
        raise Wrong("no exception")


class Final:
    """Garbage whose end runs compiled code."""

    def __init__(self):
        self.me = self

    def __del__(self):
        other_work()


def alive():
    """Objects of compiled code that are alive."""
    stats = nb.rtsys.get_allocation_stats()
    return stats.alloc - stats.free


def live(seed, steps, without):
    """A whole life."""
    churn()
    other_work()
    spin(10)
    gc.collect()
    balance = alive()
    life = Life(seed, without)
    try:
        life.walk(steps)
        life.end(balance)
    except Wrong as wrong:
        print(f"wrong: {wrong}", flush=True)
        print(f"wrong: {str(wrong).splitlines()[0][:300]}", file=sys.stderr, flush=True)
        os._exit(3)
    print(f"ok functions={life.made} calls={life.calls} refused={life.rejected}")


def begin(folder):
    """Makes a forked child a process that began in this folder."""
    for descriptor, name in (1, "output"), (2, "errors"):
        file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT)
        os.dup2(file, descriptor)
        os.close(file)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ["NUMBA_CACHE_DIR"] = folder
    nb.config.reload_config()


def wait(child, seconds):
    """The status of a child as `subprocess` has it, or "late"."""
    descriptor = os.pidfd_open(child)
    ended, _, _ = select.select([descriptor], [], [], seconds)
    os.close(descriptor)
    if not ended:
        os.kill(child, signal.SIGABRT)  # it says where it is
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if ended else "late"


def main():
    gc.collect()
    gc.freeze()  # collections look at what a life makes, not at what it imported
    for line in sys.stdin:
        seed, steps, folder, seconds, *without = json.loads(line)
        child = os.fork()
        if child == 0:
            begin(folder)
            return live(seed, steps, without)
        print(wait(child, seconds), flush=True)


if __name__ == "__main__":
    main()
