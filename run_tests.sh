#!/usr/bin/env bash
# Everything that must hold: format, lints, documentation, scripts, and all tests, of which the
# end-to-end ones run the bench binaries as a user would.
#
# With --upstream [TAG] instead what must hold on the real reth, at one or at each of its tags; it needs
# reth's repository.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export BENCH_ROOT="$root"
# shellcheck source=scripts/prerequisites.sh
source "$root/scripts/prerequisites.sh"
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
cd "$root"

usage() {
    printf 'error: %s\nusage: ./run_tests.sh [--upstream [v1.11.3|v2.5.1]]\n' "$1" >&2
    exit 2
}

tags=()
if (($# > 0)); then
    [[ "$1" == --upstream ]] || usage "unknown argument \`$1\`"
    shift
    tags=("${@:-v1.11.3}")
    (($# > 0)) || tags+=(v2.5.1)
    for tag in "${tags[@]}"; do
        [[ -f "$root/upstream/$tag/Cargo.toml" ]] || usage "there is no workspace for reth \`$tag\`"
    done
fi

# Debug information and incremental files of several hundred crates take time and space that no
# test gives back.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0

# Runs a step and tells its time; the script ends with the first that fails.
step() {
    local name="$1" start=$SECONDS
    shift
    printf '\n==> %s\n' "$name"
    "$@"
    printf '==> %s: %d min %02d s\n' "$name" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
}

# Runs a step in the background, for `awaited` to end with what it printed.
beside() {
    printed="$(mktemp)"
    # A group of its own, so that an early end takes all of it along.
    set -m
    step "$@" >"$printed" 2>&1 &
    set +m
    background=$!
}

# Waits for the step in the background and fails with it.
awaited() {
    local status=0
    wait "$background" || status=$?
    background=
    cat "$printed"
    rm -f "$printed"
    return "$status"
}

# Leaves nothing behind, whatever ended the script.
clean_up() {
    if [[ -n "${background:-}" ]]; then
        kill -- "-$background" 2>/dev/null || true
    fi
    rm -f "$log" "${printed:-}"
}

scripts() {
    if command -v shellcheck >/dev/null; then
        shellcheck --external-sources run_benches.sh run_tests.sh scripts/*.sh .ci/run
    else
        echo "shellcheck is not installed: skipped"
        bash -n run_benches.sh && bash -n run_tests.sh && bash -n .ci/run
    fi
}

documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps
}

prerequisites() {
    require_cargo
    require_c_compiler
    require_perl
    require_libclang
}

binaries() {
    local needs
    build_runner
    "$RUNNER" run --needs "$log" --quick
    mapfile -t needs <"$log"
    build_benches "${needs[@]}"
}

# Alone, since cargo would unite the features of the binding with those that the typed layer turns on.
plain_build() {
    cargo clippy --locked --package reth-bench --no-default-features --all-targets -- -D warnings
    cargo test --locked --package reth-bench --no-default-features
}

# The build of the reth side on one tag: fetched, or told at once that it cannot be.
obtain() {
    "$RUNNER" run --needs "$log" --quick --upstream "$1" B2
}

# Conformance and verification of every benchmark, the golden rows, and row parity with the registry side.
on_reth() {
    (
        cd "upstream/$1" || exit
        cargo test --locked --no-fail-fast -- --nocapture
        cargo test --locked --no-default-features
    )
}

lints_on_reth() {
    (
        cd "upstream/$1" || exit
        cargo clippy --locked --all-targets -- -D warnings
        cargo clippy --locked --no-default-features --all-targets -- -D warnings
    )
}

tests() {
    local status=0
    command -v chromium >/dev/null || echo "chromium is not installed: the tests of the results page in a browser are skipped"
    # The end-to-end tests run run_benches.sh, whose builds are then up to date.
    BENCH_E2E=1 cargo test --locked --workspace --no-fail-fast 2>&1 | tee "$log" || status=$?
    return "$status"
}

# The results of all test binaries in one line of the same form, given the exit code.
tally() {
    awk -v status="$1" '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
        END { printf "test result: %s. %d passed; %d failed; %d ignored; in all\n", status ? "FAILED" : "ok", passed, failed, ignored }' "$log"
}

log="$(mktemp)"
trap clean_up EXIT

step "prerequisites" prerequisites
if ((${#tags[@]} > 0)); then
    build_runner
    for tag in "${tags[@]}"; do
        step "reth $tag" obtain "$tag"
        step "lints on reth $tag" lints_on_reth "$tag"
        step "tests on reth $tag" on_reth "$tag"
    done
    exit
fi
step "format" cargo fmt --all --check
step "scripts" scripts
# Each binary is linked as one unit, on one core, which leaves the other to the steps beside it. The
# two profiles have directories, and locks, of their own.
beside "bench binaries" binaries
step "lints" cargo clippy --locked --workspace --all-targets -- -D warnings
step "documentation" documentation
step "tests of the plain build" plain_build
step "compilation of the tests" cargo test --locked --workspace --no-run
awaited
# The tally is the last line, also if a test fails.
trap 'tally $?; clean_up' EXIT
step "tests" tests
