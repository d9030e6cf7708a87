#!/bin/sh
# learnify [start | COMMAND ARGUMENTS | help | version]: a release's one program, on the Node.js that comes with it.
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
# A server's settings, the same for every program and command of it.
[ -z "$ENV_FILE" ] && [ -e /etc/learnify.env ] && export ENV_FILE=/etc/learnify.env
# Its threads compress pages; each would keep freed memory for itself. Large blocks go back to the system when
# they are freed. V8 collects garbage once the heap has grown by half, which costs no measurable time.
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=4194304
exec "$folder/bin/node" --max-semi-space-size=8 --no-parallel-scavenge --heap-growing-percent=50 "$folder/scripts/learnify.mjs" "$@"
