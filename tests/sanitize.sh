#!/bin/bash
# Looks for memory errors: the runtime's tests under AddressSanitizer, Python programs under valgrind's memcheck.
#
# usage: tests/sanitize.sh [natives] [python [pytest arguments]]; both without arguments
#
# Both are builds in which the runtime keeps no freed memory (its feature `sanitize`): what it would reuse is a use after
# free here. Python programs take fifty times as long as elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
builds=target/sanitize

natives() {
    # The nightly option of a stable compiler; no part of any other build. Frames are larger: what fills small stacks on
    # purpose is left out.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" ASAN_OPTIONS=detect_leaks=0 \
        cargo test --locked --release -p numbra-runtime --features sanitize --lib --target x86_64-unknown-linux-gnu \
        -- --skip stack::tests
}

python() {
    [ -x $builds/venv/bin/pytest ] || {
        "${PYTHON:-.venv/bin/python}" -m venv $builds/venv
        $builds/venv/bin/python -m pip install -q --disable-pip-version-check -r tools/requirements.txt
    }
    # A wheel: `maturin develop` would take the place of the other build.
    rm -rf $builds/wheels
    $builds/venv/bin/maturin build -q --release --locked --features numbra-runtime/sanitize \
        --manifest-path numbra-py/Cargo.toml --interpreter $builds/venv/bin/python --out $builds/wheels
    $builds/venv/bin/python -m pip install -q --disable-pip-version-check --force-reinstall --no-deps $builds/wheels/*.whl
    local what=("$@")
    # Signals come late under valgrind, when their handlers are gone.
    [ $# -gt 0 ] || what=(
        tests/py/memory/test_ownership.py
        tests/py/errors/test_pending_exceptions.py tests/py/errors/test_exception_chains.py
        -k "cranelift and not signal and not nests or unboxed or outlive or written or inlined or object"
    )
    # CPython and vectorised code read what nobody wrote, and do nothing with it: only addresses are looked at. Numbers
    # differ in places, for valgrind knows fewer instructions: tests that fail by that are no errors here, crashes are.
    local status=0
    PYTHONMALLOC=malloc valgrind --quiet --undef-value-errors=no --error-limit=no --num-callers=30 \
        --max-stackframe=16777216 --suppressions=tests/sanitize.supp --log-file=$builds/memcheck.txt \
        $builds/venv/bin/python -m pytest -q -p no:cacheprovider "${what[@]}" || status=$?
    # Large mappings are no errors.
    if grep -v "Warning: set address range perms" $builds/memcheck.txt || [ $status -ge 2 ]; then
        return 1
    fi
    echo "no memory errors"
}

case ${1:-} in
natives) natives ;;
python)
    shift
    python "$@"
    ;;
*)
    natives
    python
    ;;
esac
