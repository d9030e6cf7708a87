/**
 * `npm start`: builds the product if its sources have changed, then runs it until it is stopped.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { loadProgram } from './load.mjs'
import { printSentence, reportProgress } from './start-output.mjs'

process.chdir(path.resolve(import.meta.dirname, '..'))
await build()
const { run } = await loadProgram('main')
await run()

/**
 * Builds the product in another process, because a process that has run TypeScript keeps 20 MB of
 * Node's compiler in memory. The other process ends at once if the product is built already.
 */
async function build() {
  const child = spawn(process.execPath, ['scripts/build.ts'], {
    stdio: ['inherit', 'inherit', 'pipe'],
  })

  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    if (text === 'Building...\n') {
      printSentence(text.trimEnd())
    } else {
      // Only the end of the process tells whether this is an error.
      output += text
    }
  })

  const stopProgress = reportProgress('Building', printSentence)
  const [status] = await once(child, 'close')
  stopProgress()

  const message = output.trimEnd()
  if (status !== 0) {
    printSentence(message || 'The build failed, so nothing was started.', 'fatal')
    process.exit(status ?? 1)
  }

  if (message) {
    printSentence(message)
  }
}
