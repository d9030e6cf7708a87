import { useEffect } from 'react'
import type { Video } from './use-video'
import { commandOfKey, type KeyTarget, playerTakesKey } from './video-keys'

/**
 * The player's keys on its page. A learner may switch them off for the page (WCAG 2.1.4); in the player itself they
 * always work.
 */
export function useVideoKeys({ frame, run, settings }: Video, showShortcuts: () => void): void {
  const { pageKeys } = settings
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOfKey(event)
      const inPlayer = frame.current?.contains(event.target as Node) ?? false
      if (!command || event.defaultPrevented || document.querySelector('dialog[open]')) return
      if ((!pageKeys && !inPlayer) || !playerTakesKey(event.key, targetOf(event.target), inPlayer)) return
      event.preventDefault()
      if (command === 'show-shortcuts') showShortcuts()
      else run(command)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [frame, run, pageKeys, showShortcuts])
}

function targetOf(target: EventTarget | null): KeyTarget {
  if (!(target instanceof HTMLElement)) return 'other'
  if (target.matches('[type=range]')) return 'slider'
  if (target.matches('select')) return 'select'
  if (target.matches('button, a, summary, label, [type=checkbox], [type=radio]')) return 'button'
  return target.isContentEditable || target.matches('input, textarea') ? 'text' : 'other'
}
