"""Conversions that follow from others: what converts to a type converts to all that it converts to."""

from collections import defaultdict

from numbra._named import names_of
from numbra.core.typeconv import Conversion


class CastSet(dict):
    """What a type converts to, and how."""

    def insert(self, to, rel) -> bool:
        """Takes a conversion; whether it is better than what was known."""
        better = rel < self.get(to, Conversion.nil)
        if better:
            self[to] = rel
        return better


class TypeGraph:
    """Conversions between types; `callback` hears of each new one as ``(from, to, conversion)``."""

    def __init__(self, callback=None):
        self._forwards = defaultdict(CastSet)
        self._backwards = defaultdict(set)
        self._callback = callback

    def get(self, ty) -> CastSet:
        """What the type converts to."""
        return self._forwards[ty]

    def _insert(self, a, b, rel):
        if a != b and self._forwards[a].insert(b, rel):
            self._backwards[b].add(a)
            if self._callback is not None:
                self._callback(a, b, rel)

    def insert_rule(self, a, b, rel):
        """`a` converts to `b`; with it goes all that follows."""
        self._insert(a, b, rel)
        sources = [(source, self._forwards[source][a]) for source in self._backwards[a]] + [(a, Conversion.exact)]
        targets = [*self._forwards[b].items(), (b, Conversion.exact)]
        for source, before in sources:
            for target, after in targets:
                self._insert(source, target, max(before, rel, after))

    def promote(self, a, b):
        """`a` is of the same kind as `b`, and smaller."""
        self.insert_rule(a, b, Conversion.promote)

    def safe(self, a, b):
        """`a` converts to `b` without loss."""
        self.insert_rule(a, b, Conversion.safe)

    def unsafe(self, a, b):
        """`a` converts to `b`, maybe with a loss."""
        self.insert_rule(a, b, Conversion.unsafe)


__getattr__ = names_of(__name__)
