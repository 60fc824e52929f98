"""Compiled functions put together from smaller ones, for any number of operands and axes.

A body that must know how many operands or axes there are is not written as source text: it is one of these functions,
which hold what they need as closures. Equal ones are made once.
"""

import functools

from numbra.core.decorators import njit


def concatenated(parts, jit=njit):
    """``function(operands, at)``: one after the other the tuples ``part(operands[k], at)`` of the pairs ``(part, k)``.

    ``jit`` makes compiled functions of the parts that this adds.
    """
    return _concatenated(tuple(parts), jit)


@functools.cache
def _concatenated(parts, jit):
    if not parts:

        def function(operands, at):
            return ()
    elif len(parts) == 1:
        ((a, i),) = parts

        def function(operands, at):
            return a(operands[i], at)
    elif len(parts) == 2:
        (a, i), (b, j) = parts

        def function(operands, at):
            return a(operands[i], at) + b(operands[j], at)
    elif len(parts) == 3:
        (a, i), (b, j), (c, k) = parts

        def function(operands, at):
            return a(operands[i], at) + b(operands[j], at) + c(operands[k], at)
    else:
        middle = len(parts) // 2
        before, after = _concatenated(parts[:middle], jit), _concatenated(parts[middle:], jit)

        def function(operands, at):
            return before(operands, at) + after(operands, at)

    return jit(function)


def nested(rank, body):
    """Loops over ``rank`` axes that call ``body(operands, shape, at)`` at each place ``at`` of a shape.

    It is called as the body, with ``()`` for the place.
    """
    for axis in reversed(range(rank)):
        body = _over(axis, body)
    return body


def _over(axis, inner):
    """The loop over an axis, within those over the axes before it."""

    @njit
    def loop(operands, shape, at):
        for i in range(shape[axis]):
            inner(operands, shape, (*at, i))

    return loop


@functools.cache
def stretched(own, outer):
    """``function(shape, at)``: the index into an array of ``own`` axes that broadcasts to the last ones of ``at``,
    which has ``outer`` more in front."""
    if own == 0:

        def function(shape, at):
            return ()
    elif own == 1:

        def function(shape, at):
            return (0 if shape[0] == 1 else at[outer],)
    else:
        before, last = stretched(own - 1, outer), own - 1

        def function(shape, at):
            index = 0 if shape[last] == 1 else at[outer + last]
            return (*before(shape, at), index)

    return njit(function)
