#!/bin/sh
# learnify [start | COMMAND ARGUMENTS | help | version]: a release's one program, on the Node.js that comes with it.
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
# A server's settings, the same for every program and command of it.
[ -z "$ENV_FILE" ] && [ -e /etc/learnify.env ] && export ENV_FILE=/etc/learnify.env
exec "$folder/bin/node" "$folder/scripts/learnify.mjs" "$@"
