"""`try` statements within each other, against CPython: what is raised, what is returned, what is printed.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import contextlib
import io

import numbra as nb
import numpy as np
import pytest


class Broken(Exception):
    pass


PROGRAMS = []


def program(function):
    PROGRAMS.append(function)
    return function


def handles(n):
    try:
        raise KeyError("handled", n)
    except Exception:
        return n + 1


def raises_behind(n):
    try:
        if n > 0:
            raise ValueError("first", n)
    finally:
        try:
            raise KeyError("second")
        except Exception:
            print("handled")
    return 2


@program
def once(n):
    try:
        raise ValueError("first", n)
    finally:
        try:
            raise KeyError("second")
        except Exception:
            pass


@program
def sometimes(n):
    try:
        if n == 1:
            raise Broken("first", n, 2.5)
        print("whole")
    finally:
        try:
            if n != 2:
                raise KeyError("second")
        except Exception:
            print("handled")
        else:
            print("nothing")
    return n


@program
def in_a_loop(n):
    for i in range(3):
        try:
            if i == n:
                raise ValueError("first", i)
        finally:
            try:
                raise KeyError("second", i)
            except Exception:
                print("handled", i)
    return 5


@program
def loop_in_it(n):
    try:
        raise ValueError("first", 3)
    finally:
        for i in range(3):
            try:
                if i == n:
                    raise KeyError("second")
            except Exception:
                continue
            finally:
                print(i)


@program
def in_each_other(n):
    try:
        raise ValueError("first")
    finally:
        try:
            try:
                raise KeyError("second")
            finally:
                try:
                    raise IndexError("third")
                except Exception:
                    print("third")
        except Exception:
            print("second")


@program
def behind_each_other(n):
    try:
        try:
            raise ValueError("first", 1, 2.5)
        finally:
            try:
                raise ValueError("second")
            except Exception:
                print("second")
    finally:
        try:
            raise ValueError("third")
        except Exception:
            print("third")


@program
def caught_outside(n):
    try:
        try:
            raise ValueError("first")
        finally:
            try:
                raise KeyError("second")
            except Exception:
                print("second")
    except Exception:
        print("first")
        return n
    return -1


@program
def of_a_callee(n):
    return raises_behind(n)


@program
def of_a_callee_caught(n):
    try:
        return raises_behind(n)
    except Exception:
        print("caught")
        return -1


@program
def callee_handles(n):
    try:
        raise ValueError("first", n)
    finally:
        print(handles(n))


@program
def raised_by_the_handler(n):
    try:
        raise ValueError("first")
    except Exception:
        raise KeyError("of the handler", n)  # noqa: B904
    finally:
        try:
            raise IndexError("second")
        except Exception:
            print("second")


@program
def replaced(n):
    try:
        raise ValueError("first")
    finally:
        try:
            raise KeyError("second", n)
        finally:
            print("inner")


@program
def returned(n):
    try:
        raise ValueError("first")
    finally:
        try:
            raise KeyError("second")
        except Exception:
            return n


@program
def returned_sometimes(n):
    for i in range(4):
        try:
            if i == 2:
                raise ValueError("first", i)
        finally:
            try:
                raise KeyError("second")
            except Exception:
                print("second", i)
            if n == i:
                return i  # noqa: B012
    return -1


@program
def broken_out(n):
    for i in range(4):
        try:
            raise ValueError("first", i)
        finally:
            handles(i)
            if i == n:
                break  # noqa: B012
            if i < 3:
                continue  # noqa: B012
    return i


@program
def result_first(n):
    try:
        return n
    finally:
        try:
            raise KeyError("second")
        except Exception:
            print("second")


@program
def of_the_machine(n):
    x = 5
    try:
        x = 1 // (n - n)
    finally:
        try:
            x = 1 // (n - 1)
        except Exception:
            x = 0
        print(x)
    return x


@program
def asserted(n):
    try:
        assert n > 5, "too small"
    finally:
        try:
            assert n > 7
        except Exception:
            print("handled")
    return 1


@program
def nothing_in_it(n):
    try:
        raise ValueError("first", n)
    finally:
        try:
            print("nothing")
        except Exception:
            print("never")
        finally:
            print("inner")


@program
def by_loops_that_end(n):
    s = 0
    while True:
        try:
            n += 1
            if n > 5:
                return n
            raise ValueError("first")
        except Exception:
            if n == 4:
                break
        finally:
            try:
                raise KeyError("second")
            except Exception:
                s += n
            print(s)
    return -n


@program
def continued(n):
    s = 0
    for i in range(5):
        try:
            if i % 2 == 0:
                raise Broken
            s += i
        except Exception:
            s += 100
            continue
        else:
            s += 1000
        finally:
            s += 10000
    return s


@program
def broken_by_a_handler(n):
    for i in range(5):
        try:
            try:
                if i == n + 1:
                    raise ValueError("first", i)
            finally:
                print("inner", i)
        except Exception:
            print("caught")
            break
        finally:
            print("outer", i)
    else:
        print("whole")
    return i


@program
def loops_in_loops(n):
    r = 0
    for i in range(3):
        for j in range(3):
            try:
                if j == 1:
                    raise ValueError("first")
                if i == 1:
                    continue
                r += 1
            except Exception:
                r += 10
                if i == 2:
                    break
            finally:
                r += 100
    return r


@program
def else_raises(n):
    try:
        print("body")
    except Exception:
        return 1
    else:
        try:
            raise KeyError("in else", n)
        except Exception:
            return 5
    finally:
        print("finally")


@program
def else_raises_on(n):
    try:
        try:
            print("body")
        except Exception:
            return 1
        else:
            raise KeyError("in else", n)
        finally:
            print(handles(n))
    finally:
        print(handles(n))


@program
def in_a_handler(n):
    try:
        raise ValueError("first")
    except Exception:
        try:
            raise KeyError("second")
        except Exception:
            print("second")
        print("first")
    return n


@program
def in_a_handler_with_finally(n):
    try:
        raise ValueError("first")
    except Exception:
        try:
            raise KeyError("second", n)
        finally:
            try:
                raise IndexError("third")
            except Exception:
                print("third")


@program
def three_deep(n):
    try:
        try:
            try:
                raise ValueError("first", n)
            finally:
                print(handles(1))
        finally:
            print(handles(2))
    finally:
        print(handles(3))


def outcome(function, n):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            got = function(n)
        except Exception as error:
            got = type(error), error.args
    return got, printed.getvalue()


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_statements_within_each_other(function, tier, monkeypatch):
    expected = [outcome(function, n) for n in range(7)]
    for callee in (handles, raises_behind):
        monkeypatch.setitem(globals(), callee.__name__, nb.njit(tier=tier)(callee))
    compiled = nb.njit(tier=tier)(function)
    got = [outcome(compiled, n) for n in range(7)]
    if function is of_the_machine:
        # The words are those of another version of Python.
        expected, got = ([(got[0], printed) for got, printed in many] for many in (expected, got))
    assert got == expected, f"{got} is not {expected}"


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_arguments_that_are_objects_are_kept(tier):
    @nb.njit(tier=tier)
    def again(a, n):
        try:
            raise ValueError("first", a, n, (a[1:], "text"))
        finally:
            try:
                raise KeyError("second", a[2:], (n, "x"))
            except Exception:
                print("handled")

    @nb.njit(tier=tier)
    def dropped(a, n):
        s = 0
        for i in range(n):
            try:
                raise ValueError("first", a, i)
            finally:
                try:
                    raise KeyError("second", a[2:], (i, "x"))
                except Exception:
                    s += 1
                continue  # noqa: B012
        return s

    a = np.arange(4)
    for n in range(3):
        with pytest.raises(ValueError) as caught:
            again(a, n)
        first, whole, number, (part, text) = caught.value.args
        assert (first, number, text) == ("first", n, "text")
        assert whole is a and part.tolist() == [1, 2, 3]
    assert dropped(a, 100) == 100


def test_generators():
    def numbers(n):
        try:
            yield 1
            raise ValueError("first", n)
        finally:
            yield 2
            try:
                raise KeyError("second")
            except Exception:
                yield 3
            yield 4

    compiled = nb.njit(numbers)

    @nb.njit
    def total(n):
        s = 0
        for x in compiled(n):
            print(x)
            s += x
        return s

    def collect(generator):
        found = []
        try:
            for x in generator:
                found.append(x)
        except ValueError as error:
            found.append(error.args)
        return found

    assert collect(compiled(5)) == collect(numbers(5)) == [1, 2, 3, 4, ("first", 5)]
    assert outcome(total, 6) == ((ValueError, ("first", 6)), "1\n2\n3\n4\n")
    # One that is dropped gives up what it keeps.
    left = compiled(5)
    assert [next(left), next(left)] == [1, 2]
    del left


def test_blocks_of_the_interpreter():
    def fails(n):
        raise Broken("of Python", n)

    @nb.njit
    def again(n):
        try:
            with nb.objmode():
                fails(n)
        finally:
            try:
                with nb.objmode():
                    fails(n + 1)
            except Exception:
                print("handled")

    with pytest.raises(Broken) as caught:
        again(3)
    assert caught.value.args == ("of Python", 3)


def test_parallel_loops():
    @nb.njit(parallel=True)
    def again(y):
        for i in nb.prange(y.size):
            try:
                if i == 3:
                    raise ValueError("first", i)
            finally:
                try:
                    raise KeyError("second")
                except Exception:
                    y[i] = 1

    with pytest.raises(ValueError) as caught:
        again(np.zeros(100))
    assert caught.value.args == ("first", 3)


def test_what_is_stored_in_front_of_a_statement_has_one_type():
    """Handlers see variables as they are when `try` begins."""

    @nb.njit
    def pairs(a, x, y):
        t = (a, x)
        t = (a, a)
        try:
            y[1] = 1 // a
        except Exception:
            a = 3
        return t

    @nb.njit
    def wrapped(x, y):
        x = (x, 2)
        try:
            y[1] = 1 // x[0]
        except Exception:
            return x
        return x

    y = np.zeros(2)
    for a in (0, 1):
        assert pairs(a, 1.5, y) == (a, a)
        assert wrapped(a, y) == (a, 2)
    assert [str(s.return_type) for s in pairs.nopython_signatures] == ["UniTuple(int64 x 2)"]
