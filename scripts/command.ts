/** `npm run NAME -- ARGUMENTS`: one of the operator's commands, built like the product itself. */
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { loadProgram } from './load.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))
const [name = ''] = process.argv.splice(2, 1)
// Its log is short unless LOG_LEVEL is set.
process.env.LEARNIFY_COMMAND = name
prepareBuild()
await loadProgram(name)
