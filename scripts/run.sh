#!/bin/sh
# run.sh PROGRAM: installs missing packages, on any Node.js from 20.19 on, then executes the program.
# npm looks for programs in node_modules/.bin first, so `node` is the one installed there. If that one can't run here (it is
# built for another C library), its link is removed, and `node` is the machine's. `env` looks it up each time.
leave_out_unusable_node() {
  env node --version >/dev/null 2>&1 || rm -f node_modules/.bin/node
}

leave_out_unusable_node
env node scripts/packages.mjs "$1" || exit
leave_out_unusable_node
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
