"""Structures by reference: types that programs define, with fields, constructors, methods and Python objects."""

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.extending import overload_attribute, overload_method
from numbra.experimental import structref


@structref.register
class VectorType(types.StructRef):
    def preprocess_fields(self, fields):
        return tuple((name, types.unliteral(ty)) for name, ty in fields)


class Vector(structref.StructRefProxy):
    def __new__(cls, name, items):
        return structref.StructRefProxy.__new__(cls, name, items)

    @property
    def name(self):
        return _name(self)

    @property
    def items(self):
        return _items(self)


@nb.njit
def _name(vector):
    return vector.name


@nb.njit
def _items(vector):
    return vector.items


structref.define_proxy(Vector, VectorType, ["name", "items"])


@overload_method(VectorType, "scaled")
def _scaled(self, by):
    return lambda self, by: Vector(self.name + "*", self.items * by)


@overload_attribute(VectorType, "size")
def _size(self):
    return lambda self: self.items.size


@pytest.mark.smoke
def test_python_makes_objects():
    vector = Vector("v", np.arange(3.0))
    assert isinstance(vector, Vector)
    assert vector.name == "v"
    np.testing.assert_array_equal(vector.items, np.arange(3.0))
    assert nb.typeof(vector).field_dict == {"name": types.unicode_type, "items": types.float64[::1]}
    ints = Vector("i", np.arange(3))
    assert nb.typeof(ints) is not nb.typeof(vector)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_compiled_code_makes_and_changes_objects(tier):
    @nb.njit(tier=tier)
    def use(vector):
        other = vector.scaled(2.0)
        other.name = other.name + "!"
        vector.items = np.ones(other.size)
        return other, vector

    first = Vector("v", np.arange(3.0))
    other, same = use(first)
    assert (other.name, same.name) == ("v*!", "v")
    np.testing.assert_array_equal(other.items, [0, 2, 4])
    np.testing.assert_array_equal(first.items, np.ones(3))
    assert same._address == first._address


def test_literal_arguments():
    @nb.njit
    def make():
        return Vector("constant", np.zeros(2)).name

    assert make() == "constant"


def test_new_alone():
    ty = VectorType([("name", types.unicode_type), ("items", types.int64[::1])])

    @nb.njit
    def make(n):
        made = structref.new(ty)
        made.items = np.arange(n)
        return made

    made = make(3)
    np.testing.assert_array_equal(made.items, [0, 1, 2])
    with pytest.raises(AttributeError, match="'name' was never set"):
        made.name  # noqa: B018


def test_identity_and_wrong_uses():
    @nb.njit
    def same(a, b):
        return a is a, a is b

    assert same(Vector("a", np.ones(1)), Vector("b", np.ones(1))) == (True, False)
    with pytest.raises(nb.TypingError, match="Unknown attribute 'nothing'"):
        nb.njit(lambda v: v.nothing)(Vector("a", np.ones(1)))
    with pytest.raises(ValueError, match="cannot register"):
        structref.register(types.StructRef)
    with pytest.raises(ValueError, match="expecting a str for field name"):
        types.StructRef([(1, types.int64)])
    with pytest.raises(ValueError, match="expecting a Numba Type for field type"):
        types.StructRef([("a", 1)])


def test_a_structure_of_its_own_type():
    @structref.register
    class TreeType(types.StructRef):
        def preprocess_fields(self, fields):
            self.name = f"TreeType#{id(self)}"
            return (("value", types.int64), ("left", types.optional(self)))

    ty = TreeType([])

    class Tree(structref.StructRefProxy):
        pass

    structref.define_boxing(TreeType, Tree)

    @nb.njit
    def grow(n):
        root = structref.new(ty)
        root.value = 0
        root.left = None
        for i in range(1, n):
            above = structref.new(ty)
            above.value = i
            above.left = root
            root = above
        return root

    @nb.njit
    def total(tree):
        sum, at = 0, tree
        while at is not None:
            sum += at.value
            at = at.left
        return sum

    assert total(grow(100)) == sum(range(100))
    assert isinstance(grow(1), Tree)
