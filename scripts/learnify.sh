#!/bin/sh
# learnify [start | COMMAND ARGUMENTS | help | version]: a release's one program, on the Node.js that comes with it.
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
# A server's settings, the same for every program and command of it.
[ -z "$ENV_FILE" ] && [ -e /etc/learnify.env ] && export ENV_FILE=/etc/learnify.env
# Its threads compress pages; each would keep freed memory for itself.
MALLOC_ARENA_MAX=2 exec "$folder/bin/node" --max-semi-space-size=8 "$folder/scripts/learnify.mjs" "$@"
