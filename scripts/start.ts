/** `npm start`: builds the product if its sources have changed, then runs it until it is stopped. */
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { load } from './load.ts'

process.chdir(path.resolve(import.meta.dirname, '..'))
prepareBuild()
const { run } = await load('main')
await run()
