/**
 * The first step of `npm start`, `npm test` and the commands, on any Node from 20.19 on. npm looks for programs in
 * `node_modules/.bin` first, so that for the next step `node` is the runtime that was installed here.
 */
import { preparePackages } from './prepare.mjs'

preparePackages({ tools: process.argv.includes('--tools') })
