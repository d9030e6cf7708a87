import { setTimeout as delay } from 'node:timers/promises'
import { env } from '../env.server'

const pauseMs = 250
const patienceMs = 5_000
/** The state that a process at PORT on this machine reports. */
const paths = { alive: 'healthz', ready: 'readyz' }

/**
 * `learnify ready` and `learnify alive`: ask the running Learnify with the same settings.
 *
 * @param seconds the longest wait for the state.
 * @returns true if the state was reached.
 */
export async function waitForState(state: 'ready' | 'alive', seconds: number): Promise<boolean> {
  const giveUpAt = performance.now() + seconds * 1000
  while (!(await isSaid(paths[state]))) {
    if (performance.now() >= giveUpAt) {
      process.stderr.write(`Learnify on port ${env.PORT} isn’t ${state}. Its log says why.\n`)
      return false
    }

    await delay(pauseMs)
  }

  return true
}

async function isSaid(path: string): Promise<boolean> {
  const address = `http://127.0.0.1:${env.PORT}/${path}`
  const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs) }).catch(
    () => null,
  )
  return response?.ok === true
}
