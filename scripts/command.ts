/**
 * `npm run NAME -- ARGUMENTS`: builds the product if necessary and runs one of the operator's
 * commands.
 */
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { loadProgram } from './load.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))

// The command finds its own arguments where a program expects them.
const [name = ''] = process.argv.splice(2, 1)
// A command writes a short log unless LOG_LEVEL is set.
process.env.LEARNIFY_COMMAND = name

prepareBuild()
await loadProgram(name)
