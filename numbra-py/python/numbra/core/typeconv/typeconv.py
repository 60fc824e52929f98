"""A table of conversions between types, and the choice among overloads by it."""

from numbra._named import names_of
from numbra.core.typeconv import Conversion, castgraph
from numbra.core.types import Type


def rate(conversions):
    """How bad conversions of arguments are together, as a tuple to compare; None where there is no conversion."""
    conversions = list(conversions)
    if None in conversions:
        return None
    return tuple(conversions.count(kind) for kind in (Conversion.unsafe, Conversion.safe, Conversion.promote))


class TypeManager:
    """Which types convert to which, and how."""

    def __init__(self):
        self._table = {}

    def check_compatible(self, fromty, toty):
        """The conversion, or None."""
        if not isinstance(toty, Type):
            raise ValueError(f"Specified type '{toty}' ({type(toty)}) is not a Numba type")
        return Conversion.exact if fromty == toty else self._table.get((fromty, toty))

    def set_compatible(self, fromty, toty, by):
        """Says how one converts to the other."""
        self._table[fromty, toty] = by

    def set_promote(self, fromty, toty):
        """`fromty` is of the same kind, and smaller."""
        self.set_compatible(fromty, toty, Conversion.promote)

    def set_safe_convert(self, fromty, toty):
        """`fromty` converts without loss."""
        self.set_compatible(fromty, toty, Conversion.safe)

    def set_unsafe_convert(self, fromty, toty):
        """`fromty` converts, maybe with a loss."""
        self.set_compatible(fromty, toty, Conversion.unsafe)

    def select_overload(self, sig, overloads, allow_unsafe, exact_match_required):
        """The index of the overload that arguments of these types fit best."""
        ratings = {}
        for index, overload in enumerate(overloads):
            if len(overload) != len(sig):
                continue
            rating = rate(map(self.check_compatible, sig, overload))
            if rating is None or (exact_match_required and any(rating)) or (rating[0] and not allow_unsafe):
                continue
            ratings[index] = rating
        if not ratings:
            raise TypeError("No matching definition")
        best = min(ratings.values())
        found = [index for index, rating in ratings.items() if rating == best]
        if len(found) > 1:
            raise TypeError("Ambiguous overloading")
        return found[0]


class TypeCastingRules:
    """Fills a `TypeManager`, with the conversions that follow from others."""

    def __init__(self, tm):
        self._graph = castgraph.TypeGraph(tm.set_compatible)

    def promote(self, a, b):
        """`a` is of the same kind as `b`, and smaller."""
        self._graph.promote(a, b)

    def safe(self, a, b):
        """`a` converts to `b` without loss."""
        self._graph.safe(a, b)

    def unsafe(self, a, b):
        """`a` converts to `b`, maybe with a loss."""
        self._graph.unsafe(a, b)

    def promote_unsafe(self, a, b):
        """`promote`, and back with a loss."""
        self.promote(a, b)
        self.unsafe(b, a)

    def safe_unsafe(self, a, b):
        """`safe`, and back with a loss."""
        self.safe(a, b)
        self.unsafe(b, a)

    def unsafe_unsafe(self, a, b):
        """`unsafe`, both ways."""
        self.unsafe(a, b)
        self.unsafe(b, a)


__getattr__ = names_of(__name__)
