#!/usr/bin/env bash
# Every check of the repository; fails where one fails. Run ./setup.sh first.
#
# usage: ./test.sh [STEP...]      all steps, or those whose name begins with one of the words:
#        format, lint, tidy, deny, python style, rust tests, python tests, smoke, conformance
set -uo pipefail
cd "$(dirname "$0")" || exit 1
# shellcheck source=tools/steps.sh
. tools/steps.sh
# shellcheck source=tools/toolchain.sh
. tools/toolchain.sh

CARGO_DENY_VERSION=0.20.2
PYTHON_FILES=(examples numbra-py/python tests)
use_rust || { echo "no Rust of at least $RUST_AT_LEAST; ./setup.sh installs it" >&2 && exit 1; }
[ -x .venv/bin/python ] || { echo "no .venv; ./setup.sh makes it" >&2 && exit 1; }
export LLVM_SYS_221_PREFIX=$LLVM_DIR
logs=target/test-logs
rm -rf "$logs" && mkdir -p "$logs"

lint() { cargo clippy --release --locked --workspace --all-targets -- -D warnings; }

# Found on PATH, or built once without optimisation (about a minute), into target/.
deny() {
    local tool
    tool=$(command -v cargo-deny || echo target/tools/bin/cargo-deny)
    if [ ! -x "$tool" ]; then
        echo "building cargo-deny $CARGO_DENY_VERSION"
        CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
            CARGO_TARGET_DIR=target/tools/build \
            cargo install --quiet --locked --root target/tools --version "$CARGO_DENY_VERSION" cargo-deny
        rm -rf target/tools/build
    fi
    local check=(--locked --all-features --target x86_64-unknown-linux-gnu)
    "$tool" "${check[@]}" check --hide-inclusion-graph bans licenses sources || return
    # Fetched, or a copy from before, which cargo-deny refuses when it is old.
    if ! timeout 60 "$tool" "${check[@]}" fetch db >/dev/null 2>&1; then
        compgen -G "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs/*/crates" >/dev/null || {
            echo "advisories not checked: the advisory database is not here and cannot be fetched" && return
        }
        check+=(--offline)
    fi
    "$tool" "${check[@]}" check --hide-inclusion-graph advisories
}

python_style() {
    .venv/bin/ruff check "${PYTHON_FILES[@]}"
    .venv/bin/ruff format --check "${PYTHON_FILES[@]}"
}

# The extension module has no test binary: it needs the interpreter's symbols. Its tests are in tests/.
rust_tests() {
    cargo test --release --locked --workspace --exclude numbra-py --no-fail-fast 2>&1 | tee "$logs/rust.txt"
}

# As many tests at a time as there are cores; who has none left takes half of another's.
python_tests() { .venv/bin/python -m pytest tests -n auto --dist worksteal 2>&1 | tee "$logs/python.txt"; }

# The smoke set on a version of Python that .venv does not have, in an environment of its own under target/.
smoke() {
    local python env=target/venv-$1
    [ "$(python_version .venv/bin/python)" != "$1" ] || { echo "not run: .venv is Python $1" && return 0; }
    python=$(find_python_version "$1") || { echo "not run: no Python $1 here" && return 0; }
    [ -x "$env/bin/pytest" ] || {
        "$python" -m venv "$env"
        "$env/bin/python" -m pip install -q --disable-pip-version-check -r tools/requirements.txt
    }
    VIRTUAL_ENV=$PWD/$env "$env/bin/maturin" develop -q --release --locked --manifest-path numbra-py/Cargo.toml
    "$env/bin/python" -m pytest tests -m smoke 2>&1 | tee "$logs/smoke-$1.txt"
}

conformance() { .venv/bin/python tests/conformance/run.py 2>&1 | tee "$logs/conformance.txt"; }

cuda_conformance() {
    .venv/bin/python tests/conformance/cuda_suite.py check --target "$1" 2>&1 | tee "$logs/cuda-conformance-$1.txt"
}

# Runs a step where it was asked for; all of them run, whatever fails.
wanted=("$@")
failures=0
check() {
    local word asked=${#wanted[@]}
    for word in ${wanted[@]+"${wanted[@]}"}; do
        case $1 in "$word"*) asked=0 ;; esac
    done
    [ "$asked" -eq 0 ] || return 0
    step "$@"
    [ $? -eq 0 ] || failures=$((failures + 1))
}

check "format" cargo fmt --all --check
check "lint" lint
check "tidy" cargo xtask tidy
check "deny" deny
check "python style" python_style
check "rust tests" rust_tests
check "python tests" python_tests
for version in 3.11 3.12 3.13 3.14 3.15; do
    check "smoke tests, Python $version" smoke "$version"
done
check "conformance" conformance
check "conformance, CUDA simulator" cuda_conformance sim
check "conformance, CUDA kernels on the CPU" cuda_conformance cpu

# Adds up `test result: ok. 5 passed; 0 failed`, pytest's and the conformance check's closing lines.
count() {
    cat "$logs"/*.txt 2>/dev/null | grep -E '^(test result:|=+ .*(passed|failed|error)|conformance:)' |
        grep -oE "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'
}
steps_report
failed=$(($(count failed) + $(count error)))
# A step without tests that failed counts as one.
[ "$failed" -ge "$failures" ] || failed=$failures
printf '\n%d passed, %d failed\n' "$(count passed)" "$failed"
[ "$failures" -eq 0 ]
