"""``with objmode(..):`` in compiled functions: the interpreter runs the block."""

import gc
import os
import subprocess
import sys
import threading
import traceback

import numbra as nb
import numpy as np
import pytest
from numbra import njit, objmode, types
from numbra._numbra import _allocation_counts
from numbra.core.errors import CompilerError, TypingError, UnsupportedBytecodeError

integer = types.int64


@pytest.fixture(autouse=True)
def no_leaks():
    gc.collect()
    allocated, freed = _allocation_counts()
    yield
    gc.collect()
    allocated_now, freed_now = _allocation_counts()
    assert allocated_now - allocated == freed_now - freed


def same(function, *args):
    """The compiled function does what the interpreter does, also when it is called again."""
    expected = function(*args)
    compiled = njit(function)
    for _ in range(2):
        got = compiled(*args)
        assert type(got) is type(expected)
        np.testing.assert_equal(got, expected)
    return compiled


class TestValues:
    def test_nothing_in_and_nothing_out(self):
        def f(x):
            with objmode():
                pass
            return x

        same(f, 3)

    def test_without_a_call(self):
        log = []

        def f(x):
            with nb.objmode:
                log.append(x)
            return x + 1

        same(f, 3)
        assert log == [3, 3, 3]

    def test_scalars(self):
        def f(i, x, z, b):
            with objmode(i="int64", x="float64", z="complex128", b="boolean"):
                i, x, z, b = i + 1, x * 2, z + 1j, not b
            return i, x, z, b

        same(f, 1, 2.5, 3 + 4j, True)

    def test_values_are_converted_as_arguments_are(self):
        @njit
        def f():
            with objmode(a="int64", b="float32", c="complex64", d="uint8"):
                a, b, c, d = 12.7, 3, 2, 255
            return a, b, c, d

        assert f() == (12, 3.0, 2 + 0j, 255)

    def test_types_by_global_free_variable_and_attribute(self):
        array = types.int32[:]

        @njit
        def f():
            with objmode(a=integer, b=array, c=types.float64, d=nb.types.float32):
                a, b, c, d = 1.5, np.arange(3, dtype=np.int32), 2, 3
            return a, b, c, d

        a, b, c, d = f()
        assert (a, c, d) == (1, 2.0, 3.0)
        assert b.dtype == np.int32

    def test_the_first_array_of_a_process_is_an_output(self):
        script = (
            "import numpy as np\n"
            "from numbra import njit, objmode\n"
            "@njit\n"
            "def f():\n"
            "    with objmode(a='float64[::1]', t='NPDatetime(\"D\")', x='float32'):\n"
            "        a, t, x = np.ones(3), np.datetime64(2, 'D'), np.float32(2)\n"
            "    return a[0] + x, t\n"
            "assert f() == (3, np.datetime64(2, 'D'))\n"
        )
        subprocess.run([sys.executable, "-c", script], check=True, env=dict(os.environ, NUMBRA_TIER="cranelift"))

    def test_arrays_share_memory(self):
        def change(a):
            a *= 2

        @njit
        def f(a):
            b = np.arange(3.0)
            with objmode(c="float64[:]"):
                change(a)
                change(b)
                c = a[1:]
            c[0] = -1
            return b, c

        a = np.array([1.0, 2.0, 3.0])
        b, c = f(a)
        assert a.tolist() == [2, -1, 6]
        assert b.tolist() == [0, 2, 4]
        assert np.shares_memory(a, c)

    def test_an_argument_is_the_same_object(self):
        seen = []

        @njit
        def f(a):
            with objmode(b="float64[::1]"):
                seen.append(a)
                b = a
            return b

        a = np.ones(3)
        assert f(a) is a
        assert seen[0] is a

    def test_layouts(self):
        @njit
        def f(a):
            with objmode(c="float64[:,::1]", d="float64[::1,:]", e="float64[:,:]"):
                c, d, e = a.copy(), np.asfortranarray(a), a[::2]
            return c.sum() + d.sum() + e.sum()

        assert f(np.ones((4, 3))) == 12 + 12 + 6

    def test_strings_and_tuples(self):
        def f(s, t):
            with objmode(u="unicode_type", v="UniTuple(int64, 2)", w="Tuple((float64, unicode_type))"):
                u = f"{s:>10}" + "\N{SNOWMAN}"
                v = t[::-1]
                w = (1.5, s * 2)
            return u, len(u), v, w

        same(f, "abc", (1, 2))

    def test_optional(self):
        @njit
        def f(n):
            with objmode(x="optional(float64)"):
                x = None if n else 1.5
            if x is None:
                return -1.0
            return x

        assert (f(0), f(1)) == (1.5, -1.0)

    def test_lists_come_out(self):
        @njit
        def f(n):
            with objmode(x="List(int64)"):
                x = list(range(n))
            x.append(7)
            return len(x), x[0] + x[-1]

        assert f(3) == (4, 7)

    def test_datetimes(self):
        def f(x):
            with objmode(y="NPDatetime('D')"):
                y = x + np.timedelta64(1, "D")
            return y

        same(f, np.datetime64("2020-01-01"))

    def test_random_states_are_apart(self):
        @njit
        def f():
            np.random.seed(0)
            y = np.random.rand()
            with objmode(z="float64"):
                np.random.seed(0)
                z = np.random.rand()
            return y - z

        assert f() == 0


class TestVariables:
    def test_an_input_is_redefined(self):
        def f(x):
            with objmode(x="int64"):
                x -= 1
                for i in range(x):
                    x += i
            return x

        same(f, 5)

    def test_conditional_definition(self):
        def f(n):
            x = 1
            with objmode(x="int64"):
                if n > 2:
                    x = n
            return x

        same(f, 1)
        same(f, 3)

    def test_comprehensions(self):
        def f(n):
            i = 10
            before = [i for i in range(3)]
            with objmode(s="int64"):
                s = sum([i * i for i in range(n)]) + len({i: 0 for i in range(2)}) + i
            return s + i + before[2]

        same(f, 4)

    def test_closures_and_cells(self):
        k = 7

        def f(x):
            y = x + 1
            with objmode(z="int64"):
                inner = lambda: x + y + k  # noqa: E731
                z = inner()
                y = 0  # the closure's cell, not read behind the block
            return z

        same(f, 3)

    def test_nonlocal_variables_change(self):
        count = 0

        def f():
            nonlocal count
            with objmode():
                count += 1

        njit(f)()
        assert count == 1

    def test_what_compiled_code_cannot_do(self):
        def f(x):
            with objmode(y="float64"):
                import math as m

                a, *b = [x, 2, 3]
                d = {"k": a, **{"l": b}}
                try:
                    y = d["missing"]
                except KeyError as error:
                    y = m.sqrt(len(str(error)) + len(d["l"]))
                with open(sys.executable, "rb") as file:
                    y += len(file.read(4))
            return y

        same(f, 3)

    def test_two_blocks(self):
        def f(x):
            with objmode(y="int64"):
                y = int(str(x) + "1")
            y += 1
            with objmode(z="int64"):
                z = int(str(y) + "2")
            return z

        same(f, 3)


class TestControlFlow:
    def test_loops(self):
        def f(n):
            total = 0
            for i in range(n):
                for j in range(2):
                    with objmode(s="int64"):
                        s = 0
                        for c in str(i * 100 + j):
                            s += int(c)
                    total += s
            return total

        same(f, 12)

    def test_break_and_continue(self):
        def f(n):
            total = 0
            for i in range(n):
                with objmode(s="int64"):
                    if i == 2:
                        continue
                    s = int(str(i))
                    if s == 5:
                        break
                total += s
            return total

        same(f, 4)
        same(f, 12)

    def test_return(self):
        def f(x):
            with objmode(y="int64"):
                if x < 0:
                    return -1
                y = int(str(x)) + 1
                return y

        same(f, 3)
        same(f, -3)

    def test_return_from_a_loop(self):
        def f(a):
            for i in range(len(a)):
                with objmode(v="float64"):
                    v = float(str(a[i]))
                    if v < 0:
                        return v
            return 0.0

        same(f, np.array([1.0, -2.0]))
        same(f, np.array([1.0, 2.0]))

    def test_exceptions(self):
        class Odd(Exception):
            pass

        def check(x):
            if x > 2:
                raise Odd(x)

        @njit
        def inner(x):
            a = np.ones(3)
            with objmode():
                check(x)
            return a.sum()

        @njit
        def f(x):
            return inner(x)

        assert f(1) == 3
        with pytest.raises(Odd) as caught:
            f(3)
        assert caught.value.args == (3,)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert [frame.name for frame in frames][-2:] == ["inner", "check"]
        assert frames[-2].line == "check(x)"
        assert f(1) == 3

    def test_exceptions_are_caught(self):
        def fail(x):
            raise KeyError(x)

        def f(x):
            y = 1
            try:
                with objmode(y="int64"):
                    y = 2
                    fail(x)
            except Exception:
                return -y
            return y

        assert njit(f)(3) == -1

    def test_blocks_catch_their_own(self):
        def f(x):
            y = 0
            try:
                with objmode(y="int64"):
                    try:
                        y = int("no number")
                    except ValueError:
                        y = x
                    finally:
                        y += 1
            except Exception:
                y = -1
            return y

        same(f, 3)

    def test_wrong_outputs_leave_nothing_behind(self):
        @njit
        def f(x):
            with objmode(a="float64[:]", s="unicode_type", b="float64[:]"):
                a, s, b = np.ones(3), "s" * 100, x
            return a.sum() + b.sum() + len(s)

        assert f(np.ones(2)) == 105
        with pytest.raises(TypeError, match="can't unbox array from PyObject into native value"):
            f(np.ones(2, np.complex128))
        with pytest.raises(TypeError, match="can't unbox array from PyObject into native value"):
            f(np.ones((2, 2)))

    def test_other_wrong_outputs(self):
        @njit
        def text():
            with objmode(s="unicode_type"):
                s = 3
            return s

        @njit
        def pair(n):
            with objmode(s="UniTuple(int64, 2)"):
                s = tuple(range(n))
            return s

        with pytest.raises(TypeError, match="can't unbox a <class 'int'> as a unicode_type"):
            text()
        assert pair(2) == (0, 1)
        with pytest.raises(ValueError, match=r"size mismatch for tuple, expected 2 element\(s\) but got 3"):
            pair(3)

    def test_output_that_is_not_bound(self):
        @njit
        def f(n):
            with objmode(y="int64"):
                if n:
                    y = 1
            return y

        assert f(1) == 1
        with pytest.raises(UnboundLocalError):
            f(0)


class TestFunctions:
    def test_compiled_functions_call_each_other_through_blocks(self):
        @njit
        def double(x):
            return 2 * x

        @njit
        def f(x, n):
            with objmode(y="float64"):
                y = f(x, n - 1) if n else double(x)
            return y + 1

        assert f(1.5, 3) == 3 + 4

    def test_threads(self):
        barrier = threading.Barrier(4, timeout=60)

        @njit(nogil=True)
        def f(x):
            total = 0.0
            for i in range(50):
                with objmode(y="float64"):
                    if i == 0:
                        barrier.wait()
                    y = x * i
                total += y
            return total

        f.compile((types.int64,))
        got = {}
        threads = [threading.Thread(target=lambda x=x: got.update({x: f(x)})) for x in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == {x: 1225.0 * x for x in range(4)}

    def test_overloads(self):
        def g(s):
            raise NotImplementedError

        @nb.extending.overload(g)
        def _(s):
            kind = types.float64[:]

            def impl(s):
                with objmode(out=kind):
                    out = np.arange(s) + 0.5
                return out

            return impl

        assert njit(lambda: g(3))().tolist() == [0.5, 1.5, 2.5]

    def test_output_of_print_is_in_order(self, capsys):
        @njit
        def f(x):
            print("a", x)
            with objmode():
                print("b", x)
            print("c", x)

        f(1)
        assert capsys.readouterr().out == "a 1\nb 1\nc 1\n"

    def test_python_functions_are_not_concerned(self):
        def f():
            with objmode(x="int64"):
                x = 1.5
            return x

        assert f() == 1.5
        with objmode() as manager:
            assert manager is None


class TestErrors:
    def refused(self, function, *args, error=CompilerError, match):
        with pytest.raises(error, match=match):
            njit(function)(*args)

    def test_missing_types(self):
        def f(x):
            with objmode():
                u, t = x, {"a": x}
            return t, u

        self.refused(f, 1, error=TypingError, match=r"Missing type annotation on outgoing variable\(s\): \['t', 'u'\]")

    def test_types_of_other_variables(self):
        def f(x):
            with objmode(k="float64[:]"):
                print(x)
            return x

        self.refused(f, 1, error=TypingError, match="Invalid type annotation on non-outgoing variables: {'k'}")

    def test_positional_arguments(self):
        def f(x):
            with objmode("int64"):
                pass
            return x

        self.refused(f, 1, match="objectmode context doesn't take any positional arguments")

    def test_raise(self):
        def f(x):
            with objmode():
                raise ValueError
            return x

        self.refused(f, 1, match="unsupported control flow due to raise statements inside with block")

    def test_no_types(self):
        def undefined():
            with objmode(y=not_there):  # noqa: F821
                y = 1
            return y

        def attribute():
            with objmode(y=types.not_there):
                y = 1
            return y

        def computed():
            with objmode(y=1 + 1):
                y = 1
            return y

        def text():
            with objmode(y="not_there"):
                y = 1
            return y

        prefix = "Error handling objmode argument 'y'. "
        self.refused(undefined, match=f"{prefix}Global 'not_there' is not defined")
        self.refused(attribute, match=f"{prefix}Getattr cannot be resolved at compile-time")
        self.refused(computed, match=f"{prefix}The value must be a compile-time constant")
        self.refused(text, match=prefix)

    def test_reflected_lists(self):
        kind = nb.typeof([1, 2])

        def f():
            with objmode(out=kind):
                out = [1]
            return out

        self.refused(f, match=r"is declared as an unsupported type: reflected list\(int64\).*Reflected types are not")

    def test_reflected_sets(self):
        kind = nb.typeof({1, 2})
        assert (str(kind), kind.dtype) == ("reflected set(int64)", types.int64)

        def f():
            with objmode(out=kind):
                out = {1}
            return out

        self.refused(f, match=r"is declared as an unsupported type: reflected set\(int64\).*Reflected types are not")

    def test_lists_and_functions_do_not_go_in(self):
        def f(x):
            with objmode():
                print(x)

        self.refused(f, [1], error=TypingError, match="Does not support list type inputs into with-context for arg 1")
        self.refused(
            f, njit(f), error=TypingError, match="Does not support function type inputs into with-context for arg 1"
        )

    def test_other_context_managers(self):
        lock = threading.Lock()

        def f(x):
            with lock:
                x += 1
            return x

        def named(x):
            with objmode() as y:
                x += 1
            return x, y

        self.refused(f, 1, match="Unsupported context manager in use")
        self.refused(named, 1, error=UnsupportedBytecodeError, match=r"construct is not supported")

    def test_inner_functions(self):
        def f(x):
            def g(y):
                with objmode(z="int64"):
                    z = y + 1
                return z

            return g(x)

        self.refused(f, 1, match="Unsupported constraint encountered: enter_with")

    def test_what_python_cannot_see(self):
        @njit
        def f(n):
            r = range(n)
            with objmode(y="int64"):
                y = len(r)
            return y

        with pytest.raises((TypingError, TypeError, nb.errors.NumbaError)):
            f(3)
