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

# The version of $1 (3.12) when it is a CPython that numbra runs on and that can make virtual environments; else fails.
python_version() {
    "$1" - 2>/dev/null <<'EOF'
import ensurepip, sys, venv
print("%d.%d" % sys.version_info[:2])
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 15))
EOF
}

# Where the program of $1 lies.
python_path() { "$1" -c 'import sys; print(sys.executable)'; }

# The interpreter for .venv: $PYTHON, else the first that suits, 3.11 only where there is no newer one (NumPy 2.5 and
# later do not run on it); fails when there is none.
find_python() {
    local name version
    if [ -n "${PYTHON:-}" ]; then
        python_version "$PYTHON" >/dev/null && python_path "$PYTHON"
        return
    fi
    for name in python3 /usr/bin/python3; do
        if version=$(python_version "$name") && [ "$version" != 3.11 ]; then
            python_path "$name"
            return
        fi
    done
    for version in 3.12 3.13 3.14 3.15 3.11; do
        find_python_version "$version" && return
    done
    return 1
}

# An interpreter of version $1 (3.12): on PATH, Debian's, or among pyenv's.
find_python_version() {
    local name
    for name in "python$1" "/usr/bin/python$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python; do
        if [ "$(python_version "$name")" = "$1" ]; then
            python_path "$name"
            return
        fi
    done
    return 1
}

# True when the static libraries of LLVM 22 lie in $LLVM_DIR.
have_llvm() { [ -e "$LLVM_DIR/lib/libLLVMCore.a" ] && [ -x "$LLVM_DIR/bin/llvm-config" ]; }
