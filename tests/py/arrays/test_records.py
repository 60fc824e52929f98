"""Structured arrays: fields, views, records as arguments and results, and the types behind them."""

import ctypes
import gc
import sys

import numbra as nb
import numpy as np
import pytest
from numbra import literal_unroll, types
from numbra._numbra import _type_intern
from numbra.core.errors import TypingError
from numbra.core.runtime import rtsys
from numbra.np.numpy_support import as_dtype, from_dtype

PACKED = np.dtype(
    [
        ("a", "f8"),
        ("b", "i2"),
        ("c", "c8"),
        ("d", "U5"),
        ("s", "S3"),
        ("h", "f4", (3, 2)),
        ("n", [("x", "i4"), ("y", "f8")]),
        ("t", "M8[s]"),
        ("flag", "?"),
    ]
)
ALIGNED = np.dtype([("a", "i1"), ("b", "f8"), ("c", "i2"), ("h", "i4", 3)], align=True)


def rows(count=4):
    out = np.zeros(count, PACKED)
    for i in range(count):
        out[i] = (
            i + 0.5,
            i,
            i * 1j,
            str(i) * 3,
            b"ab",
            np.arange(6).reshape(3, 2) * i,
            (i, 2.0 * i),
            np.datetime64(i, "s"),
            i % 2,
        )
    return out


TIERS = pytest.mark.parametrize("tier", ["cranelift", "llvm"])


def get_scalars(a, i):
    return a[i].a, a[i]["b"], a.c[i], a["flag"][i], a[i].t, a[i].n.x, a.n.y[i], a[i].n["y"]


def get_arrays(a, i):
    return a[i].h, a.h[i], a["h"][i][1:], a[i].h[:, 0].copy()


@TIERS
def test_fields_are_read(tier):
    a = rows()
    want = (2.5, 2, 2j, False, np.datetime64(2, "s"), 2, 4.0, 4.0)
    assert nb.njit(tier=tier)(get_scalars)(a, 2) == want
    for made, field in zip(nb.njit(tier=tier)(get_arrays)(a, 2), get_arrays(a.view(np.recarray), 2), strict=True):
        np.testing.assert_array_equal(made, field)


def set_fields(a, i, v):
    a[i].a = v
    a[i]["b"] = v
    a[i].c = v
    a[i].n.x = v
    a[i]["flag"] = True
    a.h[i] = v
    a[i].h[0, 0] = 77
    a[i]["h"][2] = a[i].h[0]
    a[0] = a[i]


@TIERS
def test_fields_are_written(tier):
    a, b = rows(), rows()
    nb.njit(tier=tier)(set_fields)(a, 3, 9)
    set_fields(b.view(np.recarray), 3, 9)
    assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("dtype", [PACKED, ALIGNED])
def test_views_of_fields_share_the_memory(dtype):
    a = np.zeros(5, dtype)

    @nb.njit
    def view(a):
        return a.a, a["h"]

    for field, name in zip(view(a), "ah", strict=True):
        want = a[name]
        assert field.base is a
        assert (field.dtype, field.shape, field.strides) == (want.dtype, want.shape, want.strides)
        assert field.flags.aligned == want.flags.aligned
    # Backwards and with gaps.
    field, _ = view(a[::-2])
    assert field.strides == (-2 * dtype.itemsize,)


def test_records_are_arguments_and_results():
    a = rows()

    @nb.njit
    def change(r):
        r.a = 5
        r.h[1, 1] = 6
        return r.a + r["b"]

    @nb.njit
    def pick(a, i):
        return a[i]

    record = a[2]
    assert change(record) == 7
    assert (a[2]["a"], a[2]["h"][1, 1]) == (5, 6)
    got = pick(a, 1)
    assert isinstance(got, np.record)
    assert got == a[1]
    got.a = 0  # A copy: the array stays.
    assert a[1]["a"] == 1.5


def test_results_keep_what_they_refer_to():
    @nb.njit
    def nested(r):
        return r.h

    record = rows()[3]
    before = sys.getrefcount(record)
    got = nested(record)
    assert sys.getrefcount(record) == before + 1
    del record
    gc.collect()
    np.testing.assert_array_equal(got, np.arange(6).reshape(3, 2) * 3)


def test_records_outlive_the_array_they_come_from():
    @nb.njit
    def first(n):
        a = np.zeros(n, PACKED)
        a[n - 1].a = n
        return a[n - 1]

    @nb.njit
    def loop(n):
        total = 0.0
        for i in range(1, n):
            r = np.zeros(i, PACKED)[i - 1]
            r.a += i
            total += r.a
        return total

    assert first(4)["a"] == 4
    assert loop(50) == sum(range(1, 50))


def test_iteration_copies_and_slices():
    @nb.njit
    def total(a):
        out = 0.0
        for r in a:
            out += r.a
        return out

    @nb.njit
    def copies(a):
        b = a.copy()
        b[0].a = -1
        c = np.empty_like(a)
        c[:] = a
        c[1:] = c[:-1]
        return b, c

    a = rows()
    assert total(a) == total(a[::-1]) == 8.0
    assert total(a[:0]) == 0.0
    b, c = copies(a)
    assert b["a"].tolist() == [-1, 1.5, 2.5, 3.5]
    assert c["a"].tolist() == [0.5, 0.5, 1.5, 2.5]
    assert a["a"].tolist() == [0.5, 1.5, 2.5, 3.5]


def test_nan_and_extreme_values_keep_their_bits():
    a = np.zeros(3, [("x", "f8"), ("y", "i8")])
    a["x"] = np.array([0x7FF8_0000_0000_0001, 0x7FF0_0000_0000_0000, 0x8000_0000_0000_0000], "u8").view("f8")
    a["y"] = [2**63 - 1, -(2**63), 0]

    @nb.njit
    def through(a):
        out = np.empty_like(a)
        for i in range(len(a)):
            out[i].x = a[i].x
            out[i].y = a[i].y
        return out

    assert through(a).tobytes() == a.tobytes()


def test_constant_names():
    names = ("x", "y")
    a = np.array([(1, 2.5)], [("x", "i4"), ("y", "f8")])

    @nb.njit
    def by_variable(r):
        local = ("y", "x")
        return r[names[0]], r[local[0]], r[0], r[1]

    @nb.njit
    def unrolled(r):
        out = 0.0
        for name in literal_unroll(names):
            r[name] += 1
            out += r[name]
        return out

    assert by_variable(a[0]) == (1, 2.5, 1, 2.5)
    assert unrolled(a[0]) == 5.5


def test_wrong_fields():
    a = rows()
    with pytest.raises(TypingError, match=r"Unknown attribute 'z'"):
        nb.njit(lambda r: r.z)(a[0])
    with pytest.raises(TypingError, match=r"Field 'z' was not found in record with fields \('a', 'b'"):
        nb.njit(lambda r: r["z"])(a[0])
    with pytest.raises(TypingError, match="Requested index 10 is out of range"):
        nb.njit(lambda r: r[10])(a[0])
    with pytest.raises(TypingError):
        nb.njit(lambda r, k: r[k])(a[0], "a")


def test_record_arrays_and_subclasses():
    plain = rows()
    array = plain.view(np.recarray)
    f = nb.njit(get_scalars)
    assert f(array, 1) == f(plain, 1)
    assert len(f.signatures) == 1
    assert nb.typeof(array) is nb.typeof(plain)
    assert nb.njit(lambda a: a)(array) is array


def test_read_only_arrays():
    a = rows()
    a.flags.writeable = False

    @nb.njit
    def field(a):
        return a.a

    assert not field(a).flags.writeable
    with pytest.raises(TypingError):
        nb.njit(lambda a, b: a.__setitem__(0, b[0]))(a, rows())

    @nb.njit
    def assign(a, b):
        a[0] = b[0]

    with pytest.raises(TypingError, match="Cannot modify readonly array"):
        assign(a, rows())


def test_a_longer_record_is_a_shorter_one():
    short = np.dtype([("a", "f8")])
    f = nb.njit((from_dtype(short),))(lambda r: r["a"])
    longer = np.array([(3, 4)], [("a", "f8"), ("b", "f8")])[0]
    assert f(longer) == 3
    with pytest.raises(TypeError):
        f(np.array([(3, 4)], [("b", "f8"), ("a", "f8")])[0])


def test_callees_take_records():
    @nb.njit
    def inner(r, k):
        r.a += k
        return r.n

    @nb.njit
    def outer(a):
        for i in range(len(a)):
            inner(a[i], i).x = 40 + i
        return a[1].n.x

    a = rows()
    assert outer(a) == 41
    assert a["a"].tolist() == [0.5, 2.5, 4.5, 6.5]


def test_types():
    record = from_dtype(ALIGNED)
    assert record is from_dtype(ALIGNED) is nb.typeof(np.zeros(1, ALIGNED)[0])
    assert isinstance(record, types.Record)
    assert (record.size, record.aligned, len(record)) == (ALIGNED.itemsize, True, 4)
    assert record.offset("b") == 8
    assert record.typeof("h") == types.NestedArray(types.int32, (3,))
    assert as_dtype(record) == ALIGNED
    assert str(record) == (
        "Record(a[type=int8;offset=0],b[type=float64;offset=8],c[type=int16;offset=16],"
        "h[type=nestedarray(int32, (3,));offset=20];32;True)"
    )
    assert record != from_dtype(np.dtype([("a", "i1"), ("b", "f8")]))
    assert types.Array(types.NestedArray(types.float64, (4, 2)), 1, "C") is types.Array(types.float64, 3, "C")


def test_titles():
    dtype = np.dtype([(("long name", "n"), "i4"), ("m", "f8")])
    record = from_dtype(dtype)
    assert record.has_titles()
    assert as_dtype(record) == dtype
    a = np.array([(7, 1.0)], dtype)
    assert nb.njit(lambda r: (r.n, r["long name"]))(a[0]) == (7, 7)


def test_c_structures():
    class Struct(ctypes.Structure):
        _fields_ = (("a", ctypes.c_int32), ("b", ctypes.c_int8), ("c", ctypes.c_double))

    record = types.Record.make_c_struct([("a", types.int32), ("b", types.int8), ("c", types.float64)])
    assert record.size == ctypes.sizeof(Struct)
    assert [record.offset(name) for name in "abc"] == [Struct.a.offset, Struct.b.offset, Struct.c.offset]
    assert record.dtype.isalignedstruct
    with pytest.raises(TypeError, match="Only Number and NestedArray types are supported"):
        types.Record.make_c_struct([("a", types.unicode_type)])


def test_malformed_records_are_refused():
    with pytest.raises(ValueError, match="ends behind the record"):
        types.Record([("a", {"type": types.int64, "offset": 4})], 8, False)
    with pytest.raises(TypeError, match="cannot be of type"):
        types.Record([("a", {"type": types.none, "offset": 0})], 8, False)
    with pytest.raises(ValueError, match="ends behind the record"):
        _type_intern(("record", (("a", types.int64, 2**32 - 4, None, None),), 8, False))


def test_char_sequences():
    text = np.array(["ab", "c", "", "gru\u00df\U0001f600"])
    raw = np.array([b"ab", b"c", b""])

    @nb.njit
    def read(a, i):
        x = a[i]
        return x, len(x), bool(x), not x

    for array in text, raw:
        for i in range(len(array)):
            assert read(array, i) == (array[i], len(array[i]), bool(array[i]), not array[i])

    @nb.njit
    def compare(a, i, j):
        x, y = a[i], a[j]
        return x == y, x != y, x < y, x <= y, x > y, x >= y

    for array in text, raw:
        for i in range(3):
            for j in range(3):
                x, y = array[i], array[j]
                assert compare(array, i, j) == (x == y, x != y, x < y, x <= y, x > y, x >= y)

    @nb.njit
    def with_string(a, i, s):
        return a[i] == s, s == a[i], s < a[i], str(a[i])

    assert with_string(text, 0, "ab") == (True, True, False, "ab")
    assert with_string(text, 1, "ab") == (False, False, True, "c")


@TIERS
def test_char_sequences_are_written(tier):
    @nb.njit(tier=tier)
    def write(a, s):
        a[0] = s
        a[1] = a[2]
        a[2] = "constant"
        return a

    a = np.array(["1234", "x", "yz"])
    assert write(a.copy(), "longer than four").tolist() == ["long", "yz", "cons"]
    assert write(a.copy(), "\U0001f600").tolist() == ["\U0001f600", "yz", "cons"]

    @nb.njit(tier=tier)
    def copied(a):
        x = a[0]  # A value of its own.
        a[0] = a[1]
        return x, a[0]

    assert copied(np.array([b"ab", b"c"])) == (b"ab", b"c")


def test_char_sequences_of_other_lengths():
    @nb.njit
    def assign(a, b):
        a[:] = b
        return a

    assert assign(np.array(["abcd", "e"]), np.array(["xy", "long text"])).tolist() == ["xy", "long"]


def test_records_with_char_sequences():
    a = rows()

    @nb.njit
    def change(a, i):
        before = a[i].d, a[i].s
        a[i].d = "changed"
        a[i].s = a[0].s
        return before

    assert change(a, 1) == ("111", b"ab")
    assert (a[1]["d"], a[1]["s"]) == ("chang", b"ab")


def test_nothing_leaks():
    a, text = rows(), np.array(["ab", "cd"])

    @nb.njit
    def work(a, text):
        out = 0
        for i in range(len(text)):
            x = text[i]
            out += len(x)
            if x == "cd":
                out += 1
        r = a[1]
        return r, text[0], out

    def live():
        stats = rtsys.get_allocation_stats()
        return stats.alloc - stats.free

    work(a, text)
    counts = sys.getrefcount(a), sys.getrefcount(text), live()
    for _ in range(20):
        work(a, text)
    assert (sys.getrefcount(a), sys.getrefcount(text), live()) == counts


def test_printing(capfd):
    @nb.njit
    def show(a):
        print(a[1].s, a[1].d, a[1].n)

    show(rows())
    sys.stdout.flush()
    assert capfd.readouterr().out == "b'ab' 111 (1, 2.0)\n"


@TIERS
def test_methods_of_text(tier):
    @nb.njit(tier=tier)
    def tests(x, y):
        found = x.find(y), x.rfind(y), x.startswith(y), x.endswith(y), y in x
        return found, (x.isupper(), x.islower())

    @nb.njit(tier=tier)
    def stripped(x, y):
        return x.strip(), x.lstrip(), x.rstrip(), x.strip(y), x.lstrip(y), x.rstrip(y)

    texts = ["", "a", "ab", "bab", "  ABAB\t ", "xx\u00df\U0001f600xx", "\u00a0x\u2003"]
    for x in texts:
        for y in [*texts[:4], "x"]:
            want_tests, want_stripped = tests.py_func(x, y), stripped.py_func(x, y)
            a, b = np.array([x]), np.array([y])
            for p in x, a[0]:
                for q in y, b[0]:
                    assert tests(p, q) == want_tests
                    assert stripped(p, q) == want_stripped
            if x.isascii():
                c, d = x.encode(), y.encode()
                assert stripped(np.bytes_(c), d) == stripped.py_func(c, d)
                assert tests(c, np.bytes_(d)) == tests.py_func(c, d)
    assert stripped(b"\xa0x\xa0", b"y") == stripped.py_func(b"\xa0x\xa0", b"y")
    with pytest.raises(TypingError):
        tests("a", b"a")


def test_texts_of_other_types_have_entries_of_their_own():
    size = nb.njit(lambda x: len(x))
    for x in "", np.str_(""), "abc", np.str_("a"), "abc", np.str_("abcd"), b"ab", np.bytes_(b"a"), b"abc":
        assert size(x) == len(x)


def test_items_of_text():
    @nb.njit
    def item(x, i):
        return x[i]

    for x in "ab\u00df", "a\U0001f600", np.str_("xyz"), np.bytes_(b"xyz"), b"xyz":
        for i in range(-len(x), len(x)):
            assert item(x, i) == x[i]
        if not isinstance(x, bytes) or isinstance(x, np.bytes_):
            for i in (len(x), -len(x) - 1):
                with pytest.raises(IndexError, match="index out of range"):
                    item(x, i)


RECORDS = np.rec.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])


def test_global_record_arrays():
    @nb.njit
    def f(i):
        return RECORDS[i].a + RECORDS.b[i], RECORDS.size

    assert [f(i) for i in range(2)] == [(3.5, 2), (7.5, 2)]


READ_ONLY = [
    "kept.b = i",
    "named['a'] = i",
    "x = kept\n    x.b = i",
    "x = named if i else RECORDS[0]\n    x.a = i",
    "kept.n.x = i",
    "kept.h[0, i] = 1",
    "x = kept.h[i:]\n    x[0, 0] = 1",
    "RECORDS[i].a = 1",
    "for x in RECORDS:\n        x.a = 1",
]


def test_records_as_constants():
    """Of globals, closures, tuples and modules: code has the values of when it was compiled."""
    arrays = [rows().view(np.recarray), np.zeros(2, ALIGNED).view(np.recarray), RECORDS.copy()]
    arrays[1]["b"], arrays[1]["h"] = 2.5, [1, 2, 3]
    kept, aligned, named = arrays[0][1], arrays[1][0], arrays[2][1]
    holder = (7, (kept, np.float32(0.5)))

    @nb.njit
    def scalars():
        return kept.a, kept["b"], kept.c, kept.d, kept.s, kept.t, kept.flag, aligned.b, named.a + named["b"]

    @nb.njit
    def parts():
        return kept.h.sum(), kept.n.x, kept["n"]["y"], aligned.h[1:], holder[1][0].a + holder[1][1]

    @nb.njit
    def whole():
        return kept, aligned, named

    @nb.njit
    def element(a, i):
        a[i] = kept
        return a[i].b

    @nb.njit
    def write(record):
        record.a = record.a * 2
        return record.a

    @nb.njit
    def write_copies():
        copies = [kept, kept]
        copies[0].a += 1.5
        return write(kept), copies[0].a, kept.a + copies[1].h[0, 0] + 0.5

    for f in scalars, parts:
        for got, want in zip(f(), f.py_func(), strict=True):
            np.testing.assert_array_equal(got, want)
    for got, want in zip(whole(), whole.py_func(), strict=True):
        assert got == want and got.dtype == want.dtype and type(got) is type(want)
    a = rows()
    assert element(a, 3) == 1 and a[3] == kept
    for body in READ_ONLY:
        with pytest.raises(TypingError, match="Cannot modify readonly"):
            exec(f"def f(i):\n    {body}", scope := {"kept": kept, "named": named, "RECORDS": RECORDS})
            nb.njit(scope["f"])(1)
    assert [write_copies() for _ in range(2)] == [(3.0, 3.0, 2.0)] * 2
    before = scalars()
    for array in arrays:
        array[...] = np.zeros((), array.dtype)
    kept["a"] = -1
    assert scalars() == before
    view = parts()[3]
    del parts
    gc.collect()
    assert view.tolist() == [2, 3]
