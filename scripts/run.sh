#!/bin/sh
# run.sh [--tools] PROGRAM: installs what is missing, on any Node.js from 20.19 on, then becomes the program.
# npm looks for programs in node_modules/.bin first, so that `node` is the one that was installed there, unless it can't run
# here (it is built for another C library): then its link goes, and `node` is the machine's. `env` looks it up each time.
leave_out_unusable_node() {
  env node --version >/dev/null 2>&1 || rm -f node_modules/.bin/node
}

tools=
if [ "$1" = --tools ]; then
  tools=--tools
  shift
fi
leave_out_unusable_node
env node scripts/packages.mjs $tools || exit
leave_out_unusable_node
# Its threads compress pages; each would keep freed memory for itself. Large blocks go back to the system when
# they are freed.
exec env MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=4194304 node "$@"
