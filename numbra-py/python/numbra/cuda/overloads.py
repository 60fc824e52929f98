"""Choosing among compiled kernels where no other may be compiled."""

from numbra import _numbra

_COSTS = ("exact", "promote", "safe", "unsafe")


def best(dispatcher, types):
    """The argument types of the kernel that arguments of these types convert to at the least cost.

    ``TypeError`` where there is none, or several cost the same.
    """
    ranked = []
    for args in dispatcher.overloads:
        if len(args) != len(types):
            continue
        costs = [_cost(given, wanted) for given, wanted in zip(types, args, strict=True)]
        if all(cost is not None for cost in costs):
            ranked.append((sorted(map(_COSTS.index, costs), reverse=True), args))
    if not ranked:
        shown = ", ".join(map(str, types))
        raise TypeError(f"No matching definition for argument type(s) {shown}")
    ranked.sort(key=lambda one: one[0])
    if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
        equal = "\n".join(f"{args!r} -> none" for costs, args in ranked if costs == ranked[0][0])
        raise TypeError(f"Ambiguous overloading for {dispatcher.py_func} {tuple(types)!r}:\n{equal}")
    return ranked[0][1]


def _cost(given, wanted):
    """How a launch's argument becomes a kernel's parameter; None where it does not."""
    from numbra.core import types

    if isinstance(wanted, types.CPointer) and isinstance(given, types.Integer):
        return "safe"  # An address.
    return _numbra._can_convert(given, wanted)
