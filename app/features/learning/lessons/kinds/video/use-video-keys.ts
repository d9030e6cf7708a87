import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Video } from './use-video'
import { canPlayerUseKey, type FocusedElement, findVideoCommand } from './video-keys'

/**
 * Handles the player's keyboard shortcuts on the whole page. Learners can turn them off outside of
 * the player, as WCAG 2.1.4 demands.
 */
export function useVideoKeys(
  { frame, run, settings: { pageKeys: areKeysEnabledOnPage } }: Video,
  settingsDialog: RefObject<HTMLDialogElement | null>,
): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = findVideoCommand(event)
    const isDialogOpen = document.querySelector('dialog[open]') !== null
    if (!command || event.defaultPrevented || isDialogOpen) {
      return
    }

    const isInPlayer = frame.current?.contains(event.target as Node) ?? false
    const isEnabled = isInPlayer || areKeysEnabledOnPage
    if (!isEnabled || !canPlayerUseKey(event.key, classifyElement(event.target), isInPlayer)) {
      return
    }

    event.preventDefault()
    if (command === 'show-shortcuts') {
      showShortcuts(settingsDialog.current)
    } else {
      run(command)
    }
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function classifyElement(target: EventTarget | null): FocusedElement {
  if (!(target instanceof HTMLElement)) {
    return 'other'
  }

  if (target.matches('[type=range]')) {
    return 'slider'
  }

  if (target.matches('select')) {
    return 'select'
  }

  if (target.matches('button, a, summary, label, [type=checkbox], [type=radio]')) {
    return 'button'
  }

  return target.isContentEditable || target.matches('input, textarea') ? 'text' : 'other'
}

/** Opens the settings with the list of keyboard shortcuts. */
function showShortcuts(settingsDialog: HTMLDialogElement | null): void {
  if (!settingsDialog) {
    return
  }

  settingsDialog.showModal()
  for (const details of settingsDialog.querySelectorAll('details')) {
    details.open = true
  }
}
