import { setTimeout as delay } from 'node:timers/promises'
import { env } from '../env.server'

const retryDelayMs = 250
const requestTimeoutMs = 5_000
/** The path that responds with 200 while Learnify has a status. */
const pathsByStatus = { alive: 'healthz', ready: 'readyz' }

/**
 * Waits until the running Learnify with the same settings has a status. The commands
 * `learnify ready` and `learnify alive` call it.
 *
 * @returns whether Learnify has had the status in time
 */
export async function waitForStatus(
  status: 'ready' | 'alive',
  timeoutSeconds: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutSeconds * 1000
  while (!(await respondsOk(pathsByStatus[status]))) {
    if (performance.now() >= deadline) {
      process.stderr.write(`Learnify on port ${env.PORT} isn’t ${status}. Its log says why.\n`)
      return false
    }

    await delay(retryDelayMs)
  }

  return true
}

async function respondsOk(path: string): Promise<boolean> {
  const url = `http://127.0.0.1:${env.PORT}/${path}`
  const signal = AbortSignal.timeout(requestTimeoutMs)
  const response = await fetch(url, { signal }).catch(() => null)

  return response?.ok === true
}
