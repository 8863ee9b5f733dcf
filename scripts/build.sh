# shellcheck shell=bash
# The builds of a run. To be sourced after prerequisites.sh.

# The builds run in the repository, but a relative name is meant from where the user is.
if [[ -n "${CARGO_TARGET_DIR:-}" && "$CARGO_TARGET_DIR" != /* ]]; then
    export CARGO_TARGET_DIR="$PWD/$CARGO_TARGET_DIR"
fi

# One for every workspace of a run, so that what is the same is compiled once.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"

# Where cargo's messages are kept, from which the runner finds the bench binaries.
MESSAGES="$CARGO_TARGET_DIR/bench-messages"

# Builds bench-runner alone and sets RUNNER to it.
build_runner() {
    RUNNER="$(
        cd "$root" || exit
        cargo build --locked --package bench-runner --bin bench-runner --profile runner --message-format json-render-diagnostics |
            sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
    )"
    [[ -x "$RUNNER" ]] || fail "cargo built bench-runner but named no executable"
}

# Builds the bench binaries that `bench-runner run --needs` names, a line each, and sets EXECUTABLES to
# the arguments that tell the runner where they are.
#
# One cargo invocation per binary, since cargo unites the features that the packages of one
# invocation ask for. In a common build reth's and signet's crates would each get whatever features
# of alloy, and the raw bindings whatever features of the binding crate, that some other tree turns
# on: code that a user of that crate alone does not run. It also makes a `--bindings` run measure
# the very binary that a full run does. What is the same is compiled once.
build_benches() {
    local need key workspace package layer lock features messages
    local flags=()
    EXECUTABLES=()
    mkdir -p "$MESSAGES"
    for need in "$@"; do
        IFS=$'\t' read -r key workspace package layer lock features <<<"$need"
        IFS=' ' read -r -a flags <<<"$features"
        if [[ "$lock" == locked ]]; then
            flags+=(--locked)
        fi
        messages="$MESSAGES/$key.json"
        printf 'building %s\n' "$key" >&2
        (
            cd "$workspace" || exit
            cargo bench --package "$package" "${flags[@]}" --bench "$layer" --no-run \
                --message-format json-render-diagnostics >"$messages"
        )
        EXECUTABLES+=(--executables "$key=$messages")
    done
}
