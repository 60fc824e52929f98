#!/usr/bin/env bash
# Installs what is missing, builds numbra into .venv and runs the main job.
#
# usage: ./setup.sh [--job full|short|none]
#
# PYTHON=/path/to/python   the interpreter for .venv (default: the first of 3.12 to 3.15 found, else 3.11)
# LLVM_SYS_221_PREFIX=DIR  where LLVM 22 lies (default: where Debian's package puts it)
set -euo pipefail
cd "$(dirname "$0")"
# shellcheck source=tools/steps.sh
. tools/steps.sh
# shellcheck source=tools/toolchain.sh
. tools/toolchain.sh

job=full
while [ $# -gt 0 ]; do
    case $1 in
    --job) job=${2:?full, short or none} && shift 2 ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) echo "setup.sh: unknown argument $1" >&2 && exit 2 ;;
    esac
done
trap 'status=$?; [ $status -eq 0 ] || { steps_report; echo "setup.sh: failed"; }' EXIT

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# The Debian packages that this machine lacks, one a line.
missing_packages() {
    [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
    command -v git >/dev/null || echo git
    command -v g++ >/dev/null && command -v make >/dev/null || echo build-essential
    find_python >/dev/null || printf '%s\n' python3 python3-venv
    have_llvm || echo llvm-22-dev
    # LLVM's archives want these two, and its package does not ask for them.
    [ -e /usr/include/zstd.h ] || echo libzstd-dev
    [ -e /usr/include/zlib.h ] || echo zlib1g-dev
    if ! use_rust; then
        rust_packages
    elif [ "$RUST_DIR" = /usr/bin ]; then
        # Debian ships the formatter and the linter, which the tests run, apart.
        command -v rustfmt >/dev/null || echo rustfmt-web
        command -v cargo-clippy >/dev/null || echo rust-web-clippy
    fi
}

# Debian's newest Rust: bookworm and trixie keep an old `rustc` and, for browsers, a current `rustc-web`.
rust_packages() {
    local candidate
    for suffix in "" -web; do
        candidate=$(apt-cache policy "rustc$suffix" 2>/dev/null | awk '/Candidate:/ { print $2 }')
        candidate=${candidate#*:}
        if [ -n "$candidate" ] && [ "$candidate" != "(none)" ] && at_least "${candidate%%+*}" "$RUST_AT_LEAST"; then
            if [ -z "$suffix" ]; then
                printf '%s\n' rustc cargo rustfmt rust-clippy
            else
                printf '%s\n' rustc-web cargo-web rustfmt-web rust-web-clippy
            fi
            return
        fi
    done
    # Named all the same: apt then says that it has none, and the check below says what to do.
    printf '%s\n' rustc-web cargo-web
}

system_packages() {
    local missing
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        as_root apt-get update -qq
        # Once more: before the update apt may not have known which Rust is new enough.
        missing=$(missing_packages | tr '\n' ' ')
        echo "installing: $missing"
        # shellcheck disable=SC2086
        as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 $missing >"$log" 2>&1 ||
            { tail -n 20 "$log" >&2 && false; }
    fi
    use_rust || { echo "no Rust of at least $RUST_AT_LEAST: enable Debian's security suite or install one" >&2 && false; }
    have_llvm || { echo "no LLVM 22 in $LLVM_DIR: enable Debian's security suite" >&2 && false; }
    echo "Rust $RUST_VERSION in $RUST_DIR, LLVM $("$LLVM_DIR/bin/llvm-config" --version) in $LLVM_DIR"
}

virtual_environment() {
    local python
    python=$(find_python) || { echo "${PYTHON:-python3}: no CPython 3.11 to 3.15 that makes virtual environments" >&2 && false; }
    # Made anew where it is of another version than now is wanted.
    if [ "$(python_version .venv/bin/python)" != "$(python_version "$python")" ] ||
        ! .venv/bin/python -c 'import pip' 2>/dev/null; then
        rm -rf .venv
        "$python" -m venv .venv
    fi
    # Asking pip costs a second or two, so ask only when the lists have changed.
    if ! cat tools/requirements*.txt | cmp -s - .venv/requirements-installed.txt; then
        .venv/bin/python -m pip install -q --disable-pip-version-check -r tools/requirements.txt
        .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps -r tools/requirements-data.txt
        cat tools/requirements*.txt >.venv/requirements-installed.txt
    fi
    .venv/bin/python -c 'import sys, numpy; print("Python", sys.version.split()[0], "NumPy", numpy.__version__)'
}

llvm_library() {
    cargo build --release --locked -p numbra-llvm-cdylib
    # Written anew under its name, never in place: a running process may have the old one mapped.
    install -m 755 target/release/libnumbra_llvm_c.so numbra-py/python/numbra/libnumbra_llvm.so.new
    mv -f numbra-py/python/numbra/libnumbra_llvm.so.new numbra-py/python/numbra/libnumbra_llvm.so
}

extension_module() {
    VIRTUAL_ENV=$PWD/.venv .venv/bin/maturin develop --release --locked --manifest-path numbra-py/Cargo.toml
    # As pip does for wheels: where Python writes no byte code, each import would compile the sources.
    .venv/bin/python -m compileall -q numbra-py/python/numbra
    .venv/bin/python -c 'import numbra; print("numbra", numbra.__version__)'
}

log=$(mktemp)
step "system packages" system_packages
use_rust
export LLVM_SYS_221_PREFIX=$LLVM_DIR
step "virtual environment" virtual_environment
step "LLVM code generator" llvm_library
step "compiler and Python module" extension_module
case $job in
full) step "main job" .venv/bin/python examples/main_job.py ;;
short) step "main job, short" .venv/bin/python examples/main_job.py --short ;;
none) ;;
esac
rm -f "$log"
steps_report
