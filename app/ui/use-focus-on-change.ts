import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus when the content changes, not when the page opens.
 *
 * @param onlyIfLost moves the focus only if the focused element is gone.
 * @param preventScroll the page stands still even if the target is out of view.
 */
export function useFocusOnChange(
  shown: unknown,
  target: RefObject<HTMLElement | null>,
  { onlyIfLost = false, preventScroll = false } = {},
): void {
  const last = useRef(shown)
  useEffect(() => {
    const lost = document.activeElement === document.body
    if (last.current !== shown && (lost || !onlyIfLost)) {
      target.current?.focus({ preventScroll })
    }

    last.current = shown
  }, [shown, target, onlyIfLost, preventScroll])
}
