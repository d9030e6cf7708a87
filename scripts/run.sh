#!/bin/sh
# run.sh PROGRAM: installs missing packages, on any Node.js from 20.19 on, then executes the program.

# npm looks for programs in node_modules/.bin first, so `node` is the one that is installed there. If it can't run here, because
# it was built for another C library, this function removes its link, and `node` is the machine's. `env` looks it up each time.
remove_unusable_node() {
  env node --version >/dev/null 2>&1 || rm -f node_modules/.bin/node
}

remove_unusable_node
env node scripts/packages.mjs "$1" || exit
# The installation may have added another Node.js.
remove_unusable_node

# The programs are TypeScript, which Node.js runs by itself from 22.18 on.
if ! env node -e 'process.exit(process.features.typescript ? 0 : 1)'; then
  sentence='The packages bring no Node.js for this machine: Learnify needs Node.js 22.18 or newer here.'
  # Without a terminal, everything that `npm --silent start` prints is JSON, like its log.
  if [ "$1" = scripts/start.mjs ] && ! [ -t 2 ]; then
    sentence="{\"level\":60,\"msg\":\"$sentence\"}"
  fi
  echo "$sentence" >&2
  exit 1
fi

exec env node "$@"
