# shellcheck shell=bash
# Finds what the build needs: Rust, Python and LLVM. Source it at the root of the repository.

RUST_AT_LEAST=1.95
LLVM_DIR=${LLVM_SYS_221_PREFIX:-/usr/lib/llvm-22}

# True when version $1 is at least $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# The version of the rustc in folder $1, nothing when there is none that runs.
rust_version() { "$1/rustc" --version 2>/dev/null | awk '{ print $2 }' | sed 's/[-+].*//'; }

# Puts the first Rust that is new enough at the head of PATH; fails when there is none.
use_rust() {
    local dir version
    local -a dirs
    IFS=: read -r -a dirs <<<"$PATH"
    for dir in "${dirs[@]}" "${CARGO_HOME:-$HOME/.cargo}/bin" /usr/bin; do
        [ -x "$dir/cargo" ] && [ -x "$dir/rustc" ] || continue
        version=$(rust_version "$dir")
        if [ -n "$version" ] && at_least "$version" "$RUST_AT_LEAST"; then
            export PATH="$dir:$PATH"
            RUST_DIR=$dir
            RUST_VERSION=$version
            return 0
        fi
    done
    return 1
}

# True when $1 is a CPython that numbra runs on and that can make virtual environments.
python_suits() {
    "$1" - >/dev/null 2>&1 <<'EOF'
import ensurepip, sys, venv
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15))
EOF
}

# The interpreter for .venv: $PYTHON, else the first one that suits; fails when there is none.
find_python() {
    local name
    for name in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.14 python3.15; do
        if python_suits "$name"; then
            "$name" -c 'import sys; print(sys.executable)'
            return 0
        fi
    done
    return 1
}

# Another interpreter of version $1 (3.12): on PATH, or among pyenv's.
find_python_version() {
    local name
    for name in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python; do
        if python_suits "$name" && [ "$("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" = "$1" ]; then
            "$name" -c 'import sys; print(sys.executable)'
            return 0
        fi
    done
    return 1
}

# True when the static libraries of LLVM 22 lie in $LLVM_DIR.
have_llvm() { [ -e "$LLVM_DIR/lib/libLLVMCore.a" ] && [ -x "$LLVM_DIR/bin/llvm-config" ]; }
