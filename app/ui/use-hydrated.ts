import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False in the server's HTML and until the page's script has taken it over: what needs a script is disabled until then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
