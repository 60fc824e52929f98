"""An array without elements costs nothing, however many empty rows it has: 2^45 take no longer than in NumPy."""

import json
import subprocess
import sys

# Of a matrix `m` of float32.
EXPRESSIONS = (
    "m + 1", "m[::2] + m[1::2]", "m.T + 1", "m.T.copy()", "m[:, ::-1].copy()", "np.asfortranarray(m)", "m.flatten()",
    "m[::-1].ravel()", "m[::-1].reshape(0)", "m[::-1].astype(np.float64)", "np.conj(m[::-1])", "m[m > 0]",
    "np.broadcast_to(m, (2,) + m.shape).copy()", "np.transpose(m).copy()", "np.swapaxes(m, 0, 1).copy()",
    "np.hstack((m, m))", "np.vstack((m, m))", "np.concatenate((m, m), axis=1)", "np.stack((m, m), axis=1)",
    "np.dstack((m, m))", "np.column_stack((m, m))", "np.append(m, m, axis=1)", "np.roll(m, 1)", "np.diff(m)",
    "np.sort(m)", "np.argsort(m)", "np.partition(m, 0)[:, :0]", "np.unique(m)", "np.nonzero(m)[0]", "np.argwhere(m)",
    "np.where(m > 0, m, -m)", "np.cumsum(m)", "np.flip(m)", "np.fliplr(m)", "np.isin(m, m)", "np.clip(m, 0, 1)",
    "np.nan_to_num(m)", "np.full_like(m, 3)", "np.repeat(m, 2)", "m[::-1] == m",
    "np.array([m.sum(), m.prod()])", "np.array([m[::-1].any(), m.T.all(), np.array_equal(m, m[::-1])])",
    "np.eye(m.shape[0], m.shape[1])", "np.eye(m.shape[0], m.shape[1], -3)", "np.eye(m.shape[0], m.shape[1], 3)",
    "np.tri(m.shape[0], m.shape[1])", "filled(m)", "assigned(m)", "added(m)", "np.array([walked(m)])",
)  # fmt: skip

PROGRAM = """
import json, signal, sys
import numbra as nb
import numpy as np

def filled(m):
    m[::-1].fill(2.0)
    return m

def assigned(m):
    m[...] = m[::-1]
    m[:] = 3.0
    return m

def added(m):
    m += 1
    m[::-1] *= m
    return m

def walked(m):
    n = 0
    for x in m.flat:
        n += 1
    for x in np.nditer(m):
        n += 1
    for i in np.ndindex(m.shape):
        n += 1
    return n

plain = dict(np=np, filled=filled, assigned=assigned, added=added)
scope = dict(np=np, walked=nb.njit(walked), **{name: nb.njit(f) for name, f in plain.items() if name != "np"})
plain["walked"] = lambda m: 0  # CPython's loops take as long as there are rows
for text in json.loads(sys.argv[1]):
    exec(f"def f(m):\\n    return {text}", scope)
    exec(f"def g(m):\\n    return {text}", plain)
    f = nb.njit(tier=sys.argv[2])(scope["f"])
    for shape in ((1 << 45, 0), (0, 1 << 45)):
        m = np.zeros(shape, np.float32)
        # Where a loop visits the rows, this ends the process.
        signal.alarm(20)
        got = f(m)
        want = plain["g"](m) if "eye" not in text and "tri" not in text else np.empty(shape)
        signal.alarm(0)
        if got.shape != want.shape or (got.dtype != want.dtype):
            print(text, shape, got.shape, want.shape, got.dtype, want.dtype)
"""


def test_rows_without_elements_are_not_visited():
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, json.dumps(EXPRESSIONS), "cranelift"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr[-2000:]
