import { type RefObject, useEffect, useRef } from 'react'

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
