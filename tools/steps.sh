# shellcheck shell=bash
# Named, timed steps. Source it; then `step NAME COMMAND...` runs one, `steps_report` prints how long each took.

declare -a STEP_NAMES=() STEP_SECONDS=() STEP_VERDICTS=()

# Runs one step in a subshell that stops at the first failure, and returns its status: under `set -e` that ends the
# caller too. Call it plainly: in `step ... || ...` or `if step ...` bash would not stop at failures inside.
step() {
    local name=$1 began=$SECONDS status options=$-
    shift
    printf '\n==> %s\n' "$name"
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    case $options in *e*) set -e ;; esac
    STEP_NAMES+=("$name")
    STEP_SECONDS+=($((SECONDS - began)))
    if [ "$status" -eq 0 ]; then STEP_VERDICTS+=(ok); else STEP_VERDICTS+=("FAILED ($status)"); fi
    return "$status"
}

# One line a step, and the whole.
steps_report() {
    local i
    printf '\n%-44s %8s  %s\n' step seconds result
    for i in "${!STEP_NAMES[@]}"; do
        printf '%-44s %8d  %s\n' "${STEP_NAMES[$i]}" "${STEP_SECONDS[$i]}" "${STEP_VERDICTS[$i]}"
    done
    printf '%-44s %8d\n' total "$SECONDS"
}
