import { setTimeout as delay } from 'node:timers/promises'
import { env } from '../env.server'

const retryDelayMs = 250
const requestTimeoutMs = 5_000
/** The paths that respond with 200 in each state. */
const paths = { alive: 'healthz', ready: 'readyz' }

/**
 * Waits until the running Learnify with the same settings has reached a state. The commands
 * `learnify ready` and `learnify alive` call it.
 *
 * @returns whether the state was reached in time
 */
export async function waitForState(
  state: 'ready' | 'alive',
  timeoutSeconds: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutSeconds * 1000
  while (!(await respondsOk(paths[state]))) {
    if (performance.now() >= deadline) {
      process.stderr.write(`Learnify on port ${env.PORT} isn’t ${state}. Its log says why.\n`)
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
