/** A product of its own for a benchmark: free port, empty folder, stopped and removed afterwards. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

const root = path.resolve(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
/** The environment as npm makes it: `node` is the product's own Node.js. */
export const environment = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` }

/**
 * @param {{ folder?: string, port?: number, variables?: Record<string, string>, prefix?: string,
 *   onLine?: (line: string) => void, patienceSeconds?: number }} [options] `prefix`: of the shell's line that starts it; `onLine` is told each line that
 *   the product writes.
 * @returns its address, its folder, its process id, and what stops it.
 * @throws if it does not answer within two minutes, or what else was said.
 */
export async function startProduct({ folder, port, variables = {}, prefix = '', onLine, patienceSeconds = 120 } = {}) {
  const dataFolder = folder ?? (await mkdtemp(path.join(tmpdir(), 'learnify-bench-')))
  const ownPort = port ?? (await freePort())
  const child = spawn('sh', ['-c', prefix + scripts.start], {
    cwd: root,
    env: {
      ...environment,
      ENV_FILE: '/dev/null',
      PORT: String(ownPort),
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'error',
      ...variables,
    },
    stdio: onLine ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  for (const output of [child.stdout, child.stderr]) {
    if (output && onLine) createInterface({ input: output }).on('line', onLine)
  }
  const url = `http://localhost:${ownPort}`
  await answers(`${url}/healthz`, child, patienceSeconds)
  return {
    url,
    folder: dataFolder,
    pid: child.pid,
    async stop(signal = /** @type {NodeJS.Signals} */ ('SIGTERM')) {
      child.kill(signal)
      await ended
      if (!folder) await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

async function answers(url, child, patienceSeconds) {
  for (let tries = 0; tries < patienceSeconds * 10; tries++) {
    if (child.exitCode !== null) throw new Error('The product stopped while starting.')
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not answer within ${patienceSeconds} seconds.`)
}

/** @returns a port of loopback that nobody listens on just now. */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}
