"""Processes in which functions come and go do what CPython does, to the last reference."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import life
import lived_functions
import long_lived
import numpy as np


def test_processes():
    found, totals = long_lived.failures(0, 3, 30)
    assert not found, "\n".join([*map(str, found), *min(found.items())[1]])
    assert totals["calls"] > 60 and totals["refused"] < totals["calls"] / 10


@pytest.mark.smoke
def test_one_process():
    with long_lived.Parents() as parents:
        why, said = long_lived.run(parents, 3, 20)
    assert why is None, "\n".join(said)


class TestWhatIsFound:
    """A process fails where a function does not do what its text says."""

    def lived(self, source):
        return life.Live(life.Life(1, ()), lived_functions.Function("test", source, [lambda: (np.arange(3.0),)]))

    def test_another_value(self):
        live = self.lived("@jit\ndef f(x):\n    return x[1:]\n")
        live.python_space["f"] = lambda x: x[:1]
        with pytest.raises(life.Wrong, match="instead of"):
            live.call(live.drawn.calls[0])

    def test_another_exception(self):
        live = self.lived("@jit\ndef f(x):\n    if x.size:\n        raise ValueError('a')\n    return 1\n")
        live.python_space["f"] = lambda x: [][0]
        with pytest.raises(life.Wrong, match="ValueError"):
            live.call(live.drawn.calls[0])

    def test_a_reference_too_many(self):
        held = []
        live = self.lived("@jit\ndef f(x):\n    return x\n")
        compiled = live.compiled
        live.compiled_space["f"] = lambda x: (held.append(x), compiled(x))[1]
        with pytest.raises(life.Wrong, match="references"):
            live.call(live.drawn.calls[0])

    def test_a_changed_argument(self):
        live = self.lived("@jit\ndef f(x):\n    x[0] = 7.0\n    return 1\n")
        live.python_space["f"] = lambda x: 1
        with pytest.raises(life.Wrong, match="arguments"):
            live.call(live.drawn.calls[0])

    def test_what_was_kept_and_changes(self):
        alive = life.Life(1, ())
        a = np.arange(3.0)
        alive.kept.append(("test", a, life.text(a)))
        alive.check()
        a[0] = 5.0
        with pytest.raises(life.Wrong, match="kept"):
            alive.check()

    def test_what_is_left(self):
        alive = life.Life(1, ())
        balance = life.alive()
        held = life.churned(3)
        with pytest.raises(life.Wrong, match="left"):
            alive.end(balance, 2)
        del held
        alive.end(balance)
