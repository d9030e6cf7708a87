import { createContext, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'

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

/**
 * The nonce that marks our own scripts while the server renders a page. It is undefined in
 * a browser, where pages have no nonce.
 */
export const ScriptNonce = createContext<string | undefined>(undefined)

/**
 * Moves the focus to `target` when `content` changes, but not when the page opens.
 *
 * @param onlyIfLost moves the focus only if the element that had it is gone
 * @param preventScroll does not scroll, even if the target is out of view
 */
export function useFocusOnChange(
  content: unknown,
  target: RefObject<HTMLElement | null>,
  { onlyIfLost = false, preventScroll = false } = {},
): void {
  const previousContent = useRef(content)
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body
    const hasChanged = previousContent.current !== content
    if (hasChanged && (isFocusLost || !onlyIfLost)) {
      target.current?.focus({ preventScroll })
    }

    previousContent.current = content
  }, [content, target, onlyIfLost, preventScroll])
}
