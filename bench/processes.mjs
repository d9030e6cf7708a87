/** Processes of the product that share a database and a folder. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environment } from './product.mjs'

const root = path.resolve(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/** @returns at once; `ready` waits for it. `log` grows with what it writes. */
export function startProcess({ folder, port, variables }) {
  const child = spawn('sh', ['-c', scripts.start], {
    cwd: root,
    env: {
      ...environment,
      PORT: String(port),
      DATA_DIR: folder,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const one = { child, folder, port, variables, url: `http://localhost:${port}`, log: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (one.log += chunk))
  return one
}

export async function ready(one) {
  for (let tries = 0; tries < 600; tries++) {
    if (one.child.exitCode !== null) throw new Error(`A process stopped while starting: ${one.log}`)
    if ((await fetch(`${one.url}/readyz`).catch(() => null))?.ok) return
    await pause(100)
  }
  throw new Error('A process was not ready within a minute.')
}

export async function end({ child }, signal) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}
