/** `npm start`: installs and builds what is missing, then runs the product until it is told to stop. */
import path from 'node:path'
import { load } from './load.mjs'
import { prepareBuild, preparePackages } from './prepare.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))
preparePackages()
prepareBuild()
const { run } = await load('main')
await run()
