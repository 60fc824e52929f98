#!/usr/bin/env bash
# Numba 0.68.1: whether compiled code sees a global as it is now, or as it was when a function was first compiled, depends on
# whether the argument of the call is a constant in the caller.
#
# A jitted function keeps the globals of the time when a signature was compiled. A call from compiled code with a variable
# takes that signature. A call with a constant is typed with the type of its literal first, for which there is no signature
# yet: the function is compiled once more, and sees the globals of now. `signatures` then lists both, and a call from
# Python goes on to give the old value.
#
# Below: `f` returns `G + i`, was compiled at int64 while G was 1, and G is 2 now.
#
# Seen, on CPython 3.12 and x86-64:
#   called from Python: 1
#   called from compiled code with a variable: 1
#   called from compiled code with a constant: 2
#   signatures: (int64,) (Literal[int](0),)
#   called from Python: 1
#
# Fails if that changes. Needs a Python that Numba 0.68.1 supports, as python3.12 or in PYTHON.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${PYTHON:-python3.12}" -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q numba==0.68.1
cat > "$folder/constants.py" <<'PY'
from numba import njit

G = 1


@njit
def f(i):
    return G + i


f(0)
G = 2


@njit
def with_variable(i):
    return f(i)


@njit
def with_constant():
    return f(0)


seen = [
    f"called from Python: {f(0)}",
    f"called from compiled code with a variable: {with_variable(0)}",
    f"called from compiled code with a constant: {with_constant()}",
    "signatures: " + " ".join(str(s) for s in f.signatures),
    f"called from Python: {f(0)}",
]
print("\n".join(seen))
expected = [
    "called from Python: 1",
    "called from compiled code with a variable: 1",
    "called from compiled code with a constant: 2",
    "signatures: (int64,) (Literal[int](0),)",
    "called from Python: 1",
]
assert seen == expected, "the behaviour has changed"
PY
"$folder/venv/bin/python" "$folder/constants.py"
