import { useSyncExternalStore } from 'react'

/** Hydration happens once, so there are no later changes to listen to. */
const subscribe = () => () => {}

/**
 * Returns false in the server's HTML and until React has hydrated the page. Controls that need a
 * script are disabled until then.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
