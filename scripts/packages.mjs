/** The first step of `npm start`, `npm test` and the commands, by `run.sh`. */
import { preparePackages } from './prepare.mjs'

preparePackages({ tools: process.argv.includes('--tools') })
