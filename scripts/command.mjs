/** `npm run NAME -- ARGUMENTS`: one of the operator's commands, built like the product itself. */
import path from 'node:path'
import { load, prepareBuild, preparePackages } from './prepare.mjs'

// The command's own words are its answer.
process.env.LOG_LEVEL ??= 'warn'
process.chdir(path.resolve(import.meta.dirname, '..'))
const [name] = process.argv.splice(2, 1)
preparePackages()
prepareBuild()
await load(name)
