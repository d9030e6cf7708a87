import { Check, Link2, Share2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { Button } from './button'

/** @returns false if the browser refused; over plain http it has no clipboard at all. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export const copyOutcomes = {
  copied: 'Link copied',
  refused: 'Your browser didn’t allow copying',
} as const

/** `path` is from the root; `title` is the page's title. */
export type Shared = { title: string; path: string }

/**
 * Shares a page by the device's share menu, or copies its address if the device has no such menu.
 */
export function ShareButton({ title, path }: Shared) {
  const canShare = useCanShare()
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none')
  const share = async () => {
    const url = new URL(path, window.location.href).href
    if (canShare) {
      return navigator.share({ title, url }).catch(() => {})
    }

    setOutcome((await copyText(url)) ? 'copied' : 'refused')
  }
  const IconBeforeCopying = canShare ? Share2 : Link2
  const Icon = outcome === 'copied' ? Check : IconBeforeCopying

  return (
    <>
      <Button variant="secondary" onClick={share} className="noscript:hidden">
        <Icon aria-hidden="true" size={18} />
        {canShare ? 'Share' : 'Copy link'}
      </Button>
      <span role="status" className="font-medium text-muted text-sm empty:-ml-3">
        {outcome === 'copied' && copyOutcomes.copied}
        {outcome === 'refused' && copyOutcomes.refused}
      </span>
    </>
  )
}

/** Known after hydration only, because it depends on the browser. */
function useCanShare(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => typeof navigator.share === 'function',
    () => false,
  )
}
