#!/bin/sh
# learnify [start | COMMAND ARGUMENTS | help | version]: runs a release on the Node.js that comes with it.
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
# On a server, the product and all commands read their settings from this file.
[ -z "$ENV_FILE" ] && [ -e /etc/learnify.env ] && export ENV_FILE=/etc/learnify.env
exec "$folder/bin/node" "$folder/scripts/learnify.mjs" "$@"
