import type { MouseEvent } from 'react'

/**
 * Returns whether a click on a link is a press of the main button without a modifier key. Browsers
 * open a link in another tab or window, or download it, after all other clicks.
 */
export function isPlainClick(event: MouseEvent): boolean {
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return event.button === 0 && !hasModifier
}
