#!/usr/bin/env bash
# NumPy 2.4.6, 1-d assignment whose source and target overlap with different strides: values are read after they were
# overwritten.
#
# `m[i, :] = m[:, j]` copies a column onto a row that crosses it. NumPy takes a copy of the source first where the arrays
# overlap, but for one dimension only where the strides have opposite signs; otherwise it picks the direction in which
# equal strides would be safe. Here the strides differ, and from i = 1 on, with j > i, the row gets an element that the
# assignment itself has written before. `np.copyto` does the same. `np.positive(m[:, j], out=m[i])`, a ufunc, is right,
# and so is numbra.
#
# Seen, with NumPy 2.4.6 on x86-64:
#   m[1, :] = m[:, 2]    expected [2.0, 5.0, 8.0]    assigned [2.0, 8.0, 8.0]
#   np.copyto            [2.0, 8.0, 8.0]
#   np.positive(out=)    [2.0, 5.0, 8.0]
#   squares of 2 to 8 rows: 56 of 203 pairs (row, column) wrong
#
# Fails if that changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import numpy as np


def square(n):
    return np.arange(float(n * n)).reshape(n, n)


m = square(3)
expected = m[:, 2].tolist()
m[1, :] = m[:, 2]
assigned = m[1].tolist()
m = square(3)
np.copyto(m[1], m[:, 2])
copied = m[1].tolist()
m = square(3)
np.positive(m[:, 2], out=m[1])
by_ufunc = m[1].tolist()
print(f"m[1, :] = m[:, 2]    expected {expected}    assigned {assigned}")
print(f"np.copyto            {copied}")
print(f"np.positive(out=)    {by_ufunc}")
pairs = [(n, i, j) for n in range(2, 9) for i in range(n) for j in range(n)]
wrong = 0
for n, i, j in pairs:
    m = square(n)
    column = m[:, j].copy()
    m[i, :] = m[:, j]
    wrong += not np.array_equal(m[i], column)
print(f"squares of 2 to 8 rows: {wrong} of {len(pairs)} pairs (row, column) wrong")
assert expected == by_ufunc == [2.0, 5.0, 8.0]
assert wrong == 56
assert assigned == copied == [2.0, 8.0, 8.0], "the behaviour has changed"
PY
