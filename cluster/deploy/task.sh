#!/bin/sh
# One task of a count that machines share without Spark: `task.sh map`, `task.sh reduce`, and once at the end
# `task.sh commit`. What follows goes to the command: `--find-copies` where copies of games are left out.
#
# PLAN  the file of what `tabia cluster plan` printed
# RUNS  the folder, seen by all tasks, where maps leave what reduces read
# TASK  the number of the task, from 0, if the scheduler sets none of the variables below
set -eu
number=${TASK:-${AWS_BATCH_JOB_ARRAY_INDEX:-${JOB_COMPLETION_INDEX:-${SLURM_ARRAY_TASK_ID:-}}}}
numbered() {
  [ -n "$number" ] || { echo 'task.sh: the scheduler gives no number: set TASK' >&2; exit 2; }
}
step=${1:-}
[ $# -eq 0 ] || shift
case $step in
  map)
    numbered
    exec tabia cluster map --plan-file "$PLAN" --task "$number" --to "$RUNS" "$@"
    ;;
  reduce)
    numbered
    attempt=$(tr -d - < /proc/sys/kernel/random/uuid)
    exec tabia cluster reduce --plan-file "$PLAN" --from "$RUNS" --shard "$number" --attempt "$attempt" "$@"
    ;;
  commit) exec tabia cluster commit --plan-file "$PLAN" "$@" ;;
  *)
    echo 'task.sh map, task.sh reduce or task.sh commit' >&2
    exit 2
    ;;
esac
