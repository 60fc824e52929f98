"""Jitted classes: what Python's own class does, objects of compiled code do."""

import collections
import copy
import enum
import pickle
import threading

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.experimental import jitclass
from numbra.typed import Dict, List

Pair = collections.namedtuple("Pair", "a b")


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@jitclass
class Point:
    x: float
    y: float

    def __init__(self, x, y=2.0):
        self.x = x
        self.y = y

    def moved(self, dx, dy=0.0):
        return Point(self.x + dx, self.y + dy)

    def move(self, dx):
        self.x += dx

    @property
    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5

    @norm.setter
    def norm(self, value):
        scale = value / self.norm
        self.x *= scale
        self.y *= scale

    @staticmethod
    def origin():
        return Point(0.0, 0.0)


def ints(values):
    made = List.empty_list(types.int64)
    for value in values:
        made.append(value)
    return made


def table(pairs):
    made = Dict.empty(types.unicode_type, types.float64)
    made.update(pairs)
    return made


#: type of a field, a value, another value
FIELDS = {
    "int8": (types.int8, -3, 4),
    "uint64": (types.uint64, 2**63, 1),
    "float32": (types.float32, 0.5, -2.0),
    "float64": (types.float64, 0.1, float("inf")),
    "boolean": (types.boolean, True, False),
    "complex128": (types.complex128, 1 + 2j, -0.5j),
    "text": (types.unicode_type, "snow ☃", ""),
    "bytes": (types.Bytes(types.uint8, 1, "C"), b"ab", b""),
    "array": (types.float64[:], np.arange(3.0), np.ones(2)),
    "matrix": (types.int64[:, ::1], np.arange(6).reshape(2, 3), np.zeros((0, 2), np.int64)),
    "tuple": (types.Tuple([types.int64, types.unicode_type]), (1, "a"), (2, "b")),
    "named tuple": (nb.typeof(Pair(1, 2.0)), Pair(3, 4.5), Pair(5, 6.5)),
    "optional": (types.optional(types.int64), 5, None),
    "optional text": (types.optional(types.unicode_type), None, "x"),
    "typed list": (types.ListType(types.int64), ints([1, 2]), ints([])),
    "typed dict": (types.DictType(types.unicode_type, types.float64), table({"a": 1.0}), table({})),
    "object": (Point.class_type.instance_type, Point(1.0), Point(3.0, 4.0)),
    "optional object": (types.optional(Point.class_type.instance_type), None, Point(3.0, 4.0)),
    "enumeration": (nb.typeof(Colour.RED), Colour.RED, Colour.BLUE),
    "date": (types.NPDatetime("D"), np.datetime64("2026-11-29"), np.datetime64("NaT", "D")),
}


def same(got, expected):
    if isinstance(expected, np.ndarray):
        return got.dtype == expected.dtype and np.array_equal(got, expected)
    if isinstance(expected, Point):
        return got._address == expected._address
    if isinstance(expected, np.datetime64) and np.isnat(expected):
        return np.isnat(got)
    return got == expected


@nb.njit
def read(box):
    return box.value


@nb.njit
def write(box, value):
    box.value = value
    return box


@nb.njit
def exchange(a, b):
    a.value, b.value = b.value, a.value


@pytest.mark.smoke
@pytest.mark.parametrize("name", FIELDS)
def test_fields_of_every_type(name):
    ty, first, second = FIELDS[name]

    @jitclass([("before", types.int8), ("value", ty), ("after", types.unicode_type)])
    class Box:
        def __init__(self, value):
            self.before = 7
            self.value = value
            self.after = "after"

    box = Box(first)
    assert same(box.value, first)
    assert same(read(box), first)
    box.value = second
    assert same(box.value, second)
    assert same(read(box), second)
    assert write(box, first)._address == box._address
    assert same(box.value, first)
    other = Box(second)
    exchange(box, other)
    assert same(box.value, second)
    assert same(other.value, first)
    assert (box.before, box.after, other.before, other.after) == (7, "after", 7, "after")
    again = copy.copy(box)
    assert again._address != box._address
    assert same(again.value, second)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_compiled_code_makes_and_uses_objects(tier):
    @nb.njit(tier=tier)
    def walk(n):
        p = Point(0.0)
        trail = [p]
        for i in range(n):
            p = p.moved(i, dy=1.0)
            trail.append(p)
        q = Point.__call__ if False else trail[-1]
        q.move(0.5)
        q.norm = q.norm * 2
        return p.x, p.y, trail[0].y, p is q, p is trail[0], p is not q

    class Plain(Point.__wrapped__):
        def moved(self, dx, dy=0.0):
            return Plain(self.x + dx, self.y + dy)

    p = Plain(0.0)
    for i in range(4):
        p = p.moved(i, dy=1.0)
    p.move(0.5)
    p.norm = p.norm * 2
    assert walk(4) == (p.x, p.y, 2.0, True, False, False)


def test_python_uses_objects():
    p = Point(3.0, y=4.0)
    assert isinstance(p, Point)
    assert (p.x, p.y, p.norm) == (3.0, 4.0, 5.0)
    p.norm = 10
    assert (p.x, p.y) == (6.0, 8.0)
    assert p.moved(1).x == 7.0
    assert p.move(dx=1.5) is None
    assert p.x == 7.5
    assert Point.origin().x == p.origin().y == 0.0
    assert repr(Point(1, 2)) == "Point(x=1.0, y=2.0)"
    assert vars(Point(1, 2)) == {"x": 1.0, "y": 2.0}
    with pytest.raises(AttributeError):
        p.z = 1
    with pytest.raises(AttributeError):
        p.z  # noqa: B018


def test_pickle_and_copy():
    p = Point(3.0)
    for made in (pickle.loads(pickle.dumps(p)), copy.copy(p), copy.deepcopy(p)):
        assert type(made) is Point
        assert (made.x, made.y) == (3.0, 2.0)
        made.x = 4.0
        assert p.x == 3.0
    assert pickle.loads(pickle.dumps(nb.typeof(p))) is nb.typeof(p)


def test_fields_that_were_never_set():
    spec = {"number": types.int64, "array": types.float64[:], "text": types.unicode_type}

    @jitclass(spec | {"point": nb.typeof(Point(1.0)), "items": types.ListType(types.int64)})
    class Empty:
        def __init__(self):
            pass

    box = Empty()
    assert box.number == 0
    assert box.array.size == 0
    for name in ("text", "point", "items"):
        space = {}
        exec(f"def get(box):\n    return box.{name}", space)
        with pytest.raises(AttributeError, match="was never set"):
            getattr(box, name)
        with pytest.raises(AttributeError, match="was never set"):
            nb.njit(space["get"])(box)
    assert set(vars(box)) == {"number", "array"}
    box.text = "now"
    assert box.text == "now"


def test_linked_objects():
    node = types.deferred_type()

    @jitclass([("value", types.int64), ("next", types.optional(node))])
    class Node:
        def __init__(self, value, next):
            self.value = value
            self.next = next

        def total(self):
            sum, at = 0, self
            while at is not None:
                sum += at.value
                at = at.next
            return sum

    node.define(Node.class_type.instance_type)

    @nb.njit
    def chain(n):
        first = Node(0, None)
        for i in range(1, n):
            first = Node(i, first)
        return first

    first = chain(1000)
    assert first.total() == sum(range(1000))
    assert first.next.value == 998
    first.next = None
    assert first.total() == 999
    with pytest.raises((TypeError, AttributeError)):
        first.next.value  # noqa: B018
    with pytest.raises(TypeError):
        nb.njit(lambda n: n.next.value)(first)


SPECIAL = {
    "__add__": lambda a, b: a.v + b.v,
    "__sub__": lambda a, b: a.v - b.v,
    "__mul__": lambda a, b: a.v * b.v,
    "__truediv__": lambda a, b: a.v / b.v,
    "__floordiv__": lambda a, b: a.v // b.v,
    "__mod__": lambda a, b: a.v % b.v,
    "__pow__": lambda a, b: a.v**b.v,
    "__matmul__": lambda a, b: a.v * 10 + b.v,
    "__and__": lambda a, b: a.v & b.v,
    "__or__": lambda a, b: a.v | b.v,
    "__xor__": lambda a, b: a.v ^ b.v,
    "__lshift__": lambda a, b: a.v << b.v,
    "__rshift__": lambda a, b: a.v >> b.v,
    "__eq__": lambda a, b: a.v == b.v,
    "__ne__": lambda a, b: a.v != b.v,
    "__lt__": lambda a, b: a.v < b.v,
    "__le__": lambda a, b: a.v <= b.v,
    "__gt__": lambda a, b: a.v > b.v,
    "__ge__": lambda a, b: a.v >= b.v,
    "__contains__": lambda a, b: b == a.v,
    "__getitem__": lambda a, b: a.v + b,
    "__neg__": lambda a: -a.v,
    "__pos__": lambda a: +a.v,
    "__invert__": lambda a: ~a.v,
    "__abs__": lambda a: abs(a.v),
    "__bool__": lambda a: a.v > 3,
    "__int__": lambda a: a.v + 1,
    "__float__": lambda a: a.v + 0.5,
    "__complex__": lambda a: complex(a.v, 1),
    "__len__": lambda a: abs(a.v),
    "__hash__": lambda a: a.v,
    "__str__": lambda a: "text",
}
FUNCTIONS = {"__abs__", "__bool__", "__int__", "__float__", "__complex__", "__len__", "__hash__", "__str__"}
SYMBOLS = dict(
    zip(
        "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift eq ne lt le gt ge neg pos invert".split(),  # noqa: SIM905
        "+ - * / // % ** @ & | ^ << >> == != < <= > >= - + ~".split(),  # noqa: SIM905
        strict=True,
    )
)


@pytest.mark.parametrize("name", SPECIAL)
def test_special_methods(name):
    def init(self, v):
        self.v = v

    members = {"__init__": init, name: SPECIAL[name]}
    plain = type("Plain", (), dict(members))
    jitted = jitclass(type("Plain", (), dict(members)), [("v", types.int64)])
    short = name.strip("_")
    if name in FUNCTIONS:
        source = f"lambda a, b: {short}(a)"
    elif short in ("neg", "pos", "invert"):
        source = f"lambda a, b: {SYMBOLS[short]}a"
    elif name == "__contains__":
        source = "lambda a, b: (b.v in a, a.v in a)"
    elif name == "__getitem__":
        source = "lambda a, b: a[b.v]"
    else:
        source = f"lambda a, b: a {SYMBOLS[short]} b"
    function = eval(source)
    expected = function(plain(7), plain(2))
    got = [function(jitted(7), jitted(2)), nb.njit(function)(jitted(7), jitted(2))]
    assert got == [expected, expected]
    assert [type(value) for value in got] == [type(expected)] * 2


def test_reflected_and_in_place_methods():
    @jitclass([("v", types.int64)])
    class Number:
        def __init__(self, v):
            self.v = v

        def __radd__(self, other):
            return other * 100 + self.v

        def __iadd__(self, other):
            self.v += other
            return self

        def __gt__(self, other):
            return self.v > other

    def use(n):
        a = 3 + n
        n += 5
        return a, n.v, 4 < n  # noqa: SIM300

    assert use(Number(7)) == (307, 12, True)
    assert nb.njit(use)(Number(7)) == (307, 12, True)


def test_truth_without_a_method():
    assert nb.njit(lambda p: 1 if p else 2)(Point(0.0)) == 1
    assert nb.njit(lambda p: not p)(Point(0.0)) is False


def test_isinstance():
    @jitclass([("v", types.int64)])
    class Other:
        def __init__(self, v):
            self.v = v

    def which(x):
        if isinstance(x, Point):
            return x.norm
        if isinstance(x, (Other, str)):
            return "other"
        return None

    jitted = nb.njit(which)
    for value in (Point(3.0, 4.0), Other(1), "text", 1.5):
        assert jitted(value) == which(value)


def test_objects_in_containers():
    @nb.njit
    def gather(n):
        points = List()
        by_name = {"first": Point(1.0)}
        for i in range(n):
            points.append(Point(float(i)))
            by_name[str(i)] = points[i]
        points[0].x = 50.0
        return points, by_name, (points[0], points[1])

    points, by_name, pair = gather(3)
    assert [p.x for p in points] == [50.0, 1.0, 2.0]
    assert by_name["0"].x == 50.0
    by_name["0"].x = 60.0
    assert points[0].x == pair[0].x == 60.0
    points.append(Point(9.0))
    assert points[-1].x == 9.0


def test_methods_raise_and_generate():
    @jitclass([("items", types.int64[:])])
    class Bag:
        def __init__(self, items):
            self.items = items

        def take(self, i):
            if i >= self.items.size:
                raise IndexError("no such item")
            return self.items[i]

        def each(self):
            for item in self.items:
                yield item * 2

    bag = Bag(np.arange(3))
    with pytest.raises(IndexError, match="no such item"):
        bag.take(3)
    assert list(bag.each()) == [0, 2, 4]
    assert nb.njit(lambda b: [x for x in b.each()])(bag) == [0, 2, 4]
    held = Bag(np.arange(1000)).items
    assert held.sum() == 499500


def test_threads_share_an_object():
    @jitclass([("total", types.int64)])
    class Counter:
        def __init__(self):
            self.total = 0

        def add(self, n):
            for _ in range(n):
                self.total += 1

    counter = Counter()
    counter.add(0)
    threads = [threading.Thread(target=lambda: [counter.add(10) for _ in range(100)]) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert counter.total == 4000


def test_conversions_of_what_is_assigned():
    @jitclass([("n", types.int32), ("f", types.float32), ("items", types.List(types.int64))])
    class Box:
        def __init__(self, items):
            self.items = items

    source = [1, 2, 3]
    box = Box(source)
    source.append(4)
    assert box.items == [1, 2, 3]
    box.n = 2.75
    box.f = 3
    assert (box.n, box.f) == (2, 3.0)
    with pytest.raises(nb.TypingError):
        box.n = "text"
    with pytest.raises(nb.TypingError, match=r"'n'.*int32"):
        nb.njit(lambda b: setattr_text(b))(box)


@nb.njit
def setattr_text(box):
    box.n = "text"


class Wrong:
    def __init__(self):
        pass


def test_what_is_refused():
    with pytest.raises(TypeError, match="spec values should be Numba type instances"):
        jitclass(Wrong, [("x", int)])
    with pytest.raises(TypeError, match="spec keys should be strings, got 1"):
        jitclass(Wrong, [(1, types.int64)])
    with pytest.raises(TypeError, match="class members are not yet supported: constant"):
        jitclass(type("C", (), {"constant": 1}))
    with pytest.raises(NameError, match="name shadowing: method"):
        jitclass(type("C", (), {"method": lambda self: 1}), [("method", types.int64)])
    with pytest.raises(TypeError, match="cannot subclass from a jitclass"):
        type("C", (Point,), {})
    with pytest.raises(TypeError, match="deleter is not supported: p"):
        jitclass(type("C", (), {"p": property(lambda self: 1, None, lambda self: None)}))
    with pytest.raises(nb.TypingError, match="Unknown attribute 'z'"):
        nb.njit(lambda p: p.z)(Point(1.0))
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Point()
    returning = jitclass(type("C", (), {"__init__": lambda self: 7}))
    with pytest.raises(nb.TypingError, match=r"__init__\(\) should return None, not"):
        returning()


def test_defaults_and_names_of_parameters():
    class Taken:
        def __init__(self, a, b=2, *, c=3):
            self.a, self.b, self.c = a, b, c

        def all(self, d, e=5, *, f=6):
            return self.a, self.b, self.c, d, e, f

    jitted = jitclass(Taken, [(name, types.int64) for name in "abc"])
    for make in (lambda c: c(1), lambda c: c(1, 20), lambda c: c(b=20, a=10, c=30)):
        for call in (lambda o: o.all(4), lambda o: o.all(4, f=60), lambda o: o.all(e=50, d=40)):
            assert call(make(jitted)) == call(make(Taken))

    @nb.njit
    def compiled():
        return jitted(1, c=9).all(4, f=60), jitted(1, 2, c=3).all(e=50, d=40)

    assert compiled() == ((1, 2, 9, 4, 5, 60), (1, 2, 3, 40, 50, 6))


def test_text_of_objects():
    class Both:
        def __init__(self):
            self.x = 3

        def __str__(self):
            return "text " + str(self.x)

        def __repr__(self):
            return "shown"

    class Shown:
        def __init__(self):
            self.x = 4

        def __repr__(self):
            return "shown " + str(self.x)

    class Plain:
        def __init__(self):
            self.x = 5

    @nb.njit
    def texts(o):
        return str(o), repr(o), f"{o}", f"{o!r}", f"{o!s}", format(o), format(o, "")

    @nb.njit
    def wide(o, width):
        return format(o, width)

    for plain in Both, Shown:
        jitted = jitclass(plain, [("x", types.int64)])
        assert texts(jitted()) == texts.py_func(plain())
        assert wide(jitted(), "") == wide.py_func(plain(), "")
        with pytest.raises(TypeError, match=rf"unsupported format string passed to {plain.__name__}.__format__"):
            wide(jitted(), ">9")
        with pytest.raises(TypeError, match=rf"unsupported format string passed to {plain.__name__}.__format__"):
            wide.py_func(plain(), ">9")

    # As Numba: the type, whatever the object.
    jitted = jitclass(Plain, [("x", types.int64)])
    assert set(texts(jitted())) == {f"<object type:{jitted.class_type.instance_type}>"}
