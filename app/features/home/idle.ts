/**
 * Calls back once, after the page has loaded and the browser is idle.
 *
 * @param signal cancels a callback that has not started.
 */
export function whenIdle(begin: () => void, signal: AbortSignal): void {
  const waitForRest = () => {
    if (signal.aborted) return
    // Safari has no requestIdleCallback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(begin, 500)
      signal.addEventListener('abort', () => clearTimeout(timer))
      return
    }
    const request = requestIdleCallback(begin)
    signal.addEventListener('abort', () => cancelIdleCallback(request))
  }
  if (document.readyState === 'complete') waitForRest()
  else window.addEventListener('load', waitForRest, { once: true, signal })
}
