/** `npm start`: builds what has changed, then runs the product until it is told to stop. */
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { load } from './load.ts'

process.chdir(path.resolve(import.meta.dirname, '..'))
prepareBuild()
const { run } = await load('main')
await run()
