# shellcheck shell=bash
# What has to be on the machine besides this repository. To be sourced.

# The repository.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# Releases other than this one are untested; the wheel holds nothing but libclang.so.
LIBCLANG_WHEEL="libclang==18.1.1"

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

require_cargo() {
    if ! command -v cargo >/dev/null && [[ -r "${CARGO_HOME:-$HOME/.cargo}/env" ]]; then
        # rustup changes the profile of later shells only.
        # shellcheck disable=SC1091
        source "${CARGO_HOME:-$HOME/.cargo}/env"
    fi
    command -v cargo >/dev/null || fail "cargo was not found; install Rust with:
  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
}

require_c_compiler() {
    command -v "${CC:-cc}" >/dev/null || fail "no C compiler (${CC:-cc}) was found, and libmdbx is written in C; install one, for instance with:
  sudo apt-get install build-essential"
}

# keccak-asm, which reth's release hashes with, generates its assembly with it.
require_perl() {
    command -v perl >/dev/null || fail "perl was not found, and keccak-asm is built with it; install it, for instance with:
  sudo apt-get install perl"
}

# The first libclang.so of the system, if it has any. mdbx-remote-sys generates its bindings with it.
system_libclang() {
    local config="" dir file
    local dirs=()
    if config="$(command -v llvm-config)"; then
        dirs+=("$("$config" --libdir)")
    fi
    dirs+=(/usr/lib/llvm-*/lib /usr/lib64 /usr/lib64/llvm*/lib64 /usr/lib /usr/lib/*-linux-gnu /usr/local/lib)
    for dir in "${dirs[@]}"; do
        for file in "$dir"/libclang.so "$dir"/libclang.so.* "$dir"/libclang-[0-9]*.so*; do
            if [[ -f "$file" ]]; then
                printf '%s\n' "$dir"
                return
            fi
        done
    done
    return 1
}

# Sets LIBCLANG_PATH, and BINDGEN_EXTRA_CLANG_ARGS where libclang comes without clang's headers.
require_libclang() {
    local deps="$root/.deps/libclang" dir
    if [[ -n "${LIBCLANG_PATH:-}" ]]; then
        return
    fi
    if dir="$(system_libclang)"; then
        export LIBCLANG_PATH="$dir"
    else
        [[ -f "$deps/clang/native/libclang.so" ]] || fetch_libclang "$deps"
        export LIBCLANG_PATH="$deps/clang/native"
    fi
    # libclang looks for stdarg.h and stddef.h in its own installation, which the wheel and Debian's
    # libclang1 lack; the C compiler's serve as well.
    if [[ -z "${BINDGEN_EXTRA_CLANG_ARGS:-}" ]] && ! compgen -G "$LIBCLANG_PATH/clang/*/include/stddef.h" >/dev/null; then
        BINDGEN_EXTRA_CLANG_ARGS="-I$("${CC:-cc}" -print-file-name=include)"
        export BINDGEN_EXTRA_CLANG_ARGS
    fi
}

fetch_libclang() {
    local target="$1" partial="$1.partial" python=python3 venv="$root/.deps/python"
    local remedy="install it, for instance with:
  sudo apt-get install libclang-dev"
    command -v python3 >/dev/null || fail "libclang was not found, and there is no python3 to fetch it with; $remedy"
    if ! python3 -m pip --version >/dev/null 2>&1; then
        # Debian packages pip apart from python3; a virtual environment brings one along.
        rm -rf "$venv"
        python3 -m venv "$venv" >/dev/null 2>&1 || fail "libclang was not found, and python3 has neither pip nor a whole venv to fetch it with; $remedy"
        python="$venv/bin/python"
    fi
    printf 'libclang was not found; fetching it into %s\n' "$target" >&2
    rm -rf "$partial" "$target"
    mkdir -p "$(dirname "$target")"
    # In the environment, since older pips refuse a flag that they do not know.
    PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$partial" "$LIBCLANG_WHEEL" >&2 ||
        fail "libclang could not be fetched; $remedy"
    mv "$partial" "$target"
    rm -rf "$venv"
}
