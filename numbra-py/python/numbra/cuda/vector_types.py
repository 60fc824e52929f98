"""The vector types by name, and what they are made of."""

from numbra._named import names_of
from numbra.cuda import stubs
from numbra.cuda.vector_type_names import VECTOR_TYPES, VectorTypeName

__getattr__ = names_of(__name__)


class VectorType:
    """A vector type: ``user_facing_object`` is what kernels call, as ``cuda.float32x4``."""

    def __init__(self, described: VectorTypeName):
        from numbra.core import types

        self.name = described.name
        self.base_type = getattr(types, described.base)
        self.num_elements = described.count
        self.user_facing_object = getattr(stubs, described.name)

    def __repr__(self) -> str:
        return f"<vector type {self.name}>"


vector_types = {described.name: VectorType(described) for described in VECTOR_TYPES}
