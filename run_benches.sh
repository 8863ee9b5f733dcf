#!/usr/bin/env bash
# Builds what the command line needs and runs it: ./run_benches.sh --help
#
# This script checks prerequisites and builds; the work, and every check of the command line, is
# bench-runner's (crates/runner).
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export BENCH_ROOT="$root"
# shellcheck source=scripts/prerequisites.sh
source "$root/scripts/prerequisites.sh"
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

require_cargo
build_runner

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# The command line first, so that a slip in it does not cost a long build. `--help` and `--list` are
# answered here and leave nothing to build.
"$RUNNER" run --needs "$scratch/needs" "$@"
[[ -s "$scratch/needs" ]] || exit 0

require_c_compiler
require_perl
require_libclang
mapfile -t needs <"$scratch/needs"
build_benches "${needs[@]}"

# exec would skip the trap.
rm -rf "$scratch"
trap - EXIT
exec "$RUNNER" run "${EXECUTABLES[@]}" "$@"
