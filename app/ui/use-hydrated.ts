import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False in the server's HTML and until hydration. Controls that need a script are disabled until
 * then.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
