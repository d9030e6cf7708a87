/** Loaded into the product (`--import`): at SIGUSR2 it collects its garbage and says how many bytes are still in use. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.stdout.write(`in use ${heapUsed + external}\n`)
})
