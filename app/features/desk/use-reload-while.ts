import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

const reloadEveryMs = 2_000

/**
 * Reloads the page's data every few seconds while a background job works on what the page shows. A
 * hidden page waits until it is visible again.
 */
export function useReloadWhile(isInProgress: boolean): void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isInProgress) {
      return
    }

    function reloadIfVisible() {
      if (document.visibilityState === 'visible') {
        void revalidate()
      }
    }

    const timer = setInterval(reloadIfVisible, reloadEveryMs)
    return () => clearInterval(timer)
  }, [isInProgress, revalidate])
}
