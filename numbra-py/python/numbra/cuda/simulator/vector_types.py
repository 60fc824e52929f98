"""Vector types in the simulator: objects with components ``x``, ``y``, ``z``, ``w``."""

from numbra.cuda.vector_type_names import ATTRIBUTES, VECTOR_TYPES


class SimulatedVectorType:
    """A vector: made of numbers and of other vectors, whose components add up to its own."""

    name: str
    num_elements: int
    aliases: tuple[str, ...]

    def __init__(self, *args):
        components = []
        for arg in args:
            components += arg.as_list() if isinstance(arg, SimulatedVectorType) else [arg]
        if len(components) != self.num_elements:
            raise TypeError(f"{self.name} expects {self.num_elements} elements, got {len(components)}")
        for attribute, component in zip(ATTRIBUTES, components, strict=False):
            setattr(self, attribute, component)

    def as_list(self) -> list:
        """The components."""
        return [getattr(self, attribute) for attribute in ATTRIBUTES[: self.num_elements]]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.as_list()))})"


class _Described(type):
    """Facts of a vector type that its users read off the class."""

    @property
    def base_type(cls):
        from numbra.core import types

        return getattr(types, cls.base)

    @property
    def user_facing_object(cls):
        return cls


def _make(described) -> type:
    facts = {"name": described.name, "num_elements": described.count}
    facts |= {"aliases": described.aliases, "base": described.base}
    return _Described(described.name, (SimulatedVectorType,), facts)


vector_types = {described.name: _make(described) for described in VECTOR_TYPES}
