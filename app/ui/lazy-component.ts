import { type ComponentType, lazy } from 'react'

/**
 * How long to wait before the next attempt to load a component, unless the network comes back
 * earlier.
 */
const retryDelayMs = 10_000

/**
 * Returns a component whose code is loaded when it is first shown. If the code can't be loaded, for
 * example offline, React keeps showing the fallback of `Suspense`, the rest of the page works, and
 * the code is requested again.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadUntilSuccessful(load) }))
}

/** Loads again after each failure. Exported for tests. */
export async function loadUntilSuccessful<Code>(load: () => Promise<Code>): Promise<Code> {
  while (true) {
    try {
      return await load()
    } catch {
      await waitForNextAttempt()
    }
  }
}

/** Waits until the browser is online again, but not longer than `retryDelayMs`. */
function waitForNextAttempt(): Promise<void> {
  return new Promise((resolve) => {
    const endWait = () => {
      clearTimeout(timer)
      window.removeEventListener('online', endWait)
      resolve()
    }

    const timer = setTimeout(endWait, retryDelayMs)
    window.addEventListener('online', endWait)
  })
}
