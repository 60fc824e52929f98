"""The typing context: conversion and unification of types, and the choice among overloads."""

import functools

from numbra._named import names_of
from numbra.core.typeconv import Conversion
from numbra.core.typeconv.rules import default_type_manager
from numbra.core.typeconv.typeconv import rate


class BaseContext:
    """What typing code asks of the compiler."""

    def __init__(self):
        self.tm = default_type_manager

    def can_convert(self, fromty, toty):
        """The `Conversion` of one type to the other, or None."""
        if fromty == toty:
            return Conversion.exact
        found = self.tm.check_compatible(fromty, toty)
        if found is None:
            found = fromty.can_convert_to(self, toty)
        return toty.can_convert_from(self, fromty) if found is None else found

    def unify_pairs(self, first, second):
        """The least type that both convert to, or None."""
        if first == second:
            return first
        return first.unify(self, second) or second.unify(self, first)

    def unify_types(self, *typelist):
        """The least type that all convert to, or None, whatever their order."""
        if not typelist:
            raise ValueError("unify_types needs a type")
        # Numbers by their names: unification of three is not associative.
        ordered = sorted(typelist, key=str)

        def unify(first, second):
            return None if first is None else self.unify_pairs(first, second)

        return functools.reduce(unify, ordered)

    def resolve_overload(
        self, key, cases, args, kws, allow_ambiguous=True, unsafe_casting=True, exact_match_required=False
    ):
        """The signature among `cases` that arguments of these types fit best, or None; of equals, the first.

        Fewest conversions with loss, then fewest without, then fewest promotions.
        """
        if kws:
            raise TypeError("keyword arguments are not supported")
        ratings = []
        for case in cases:
            if len(case.args) != len(args):
                continue
            rating = rate(map(self.can_convert, args, case.args))
            if rating is None or (exact_match_required and any(rating)) or (rating[0] and not unsafe_casting):
                continue
            ratings.append((rating, case))
        if not ratings:
            return None
        best = min(rating for rating, _ in ratings)
        found = [case for rating, case in ratings if rating == best]
        if len(found) > 1 and not allow_ambiguous:
            arguments = ", ".join(map(str, args))
            listed = "\n".join(map(str, found))
            raise TypeError(f"Ambiguous overloading for {key} ({arguments}):\n{listed}")
        return found[0]


class Context(BaseContext):
    """The typing context of the CPU."""


__getattr__ = names_of(__name__)
