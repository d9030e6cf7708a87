import { Check, Link2, Share2 } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { Button } from './button'

/**
 * Copies a text.
 *
 * @returns false if the browser refused, or has no clipboard because the page uses plain HTTP
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** What the page says after an attempt to copy. */
export const copyOutcomes = {
  copied: 'Link copied',
  refused: 'Your browser didn’t allow copying',
} as const

/** The title and the path of a public page. */
export type SharedPage = { title: string; path: string }

/** Shares a page with the share menu of the device, or copies the URL if there is no such menu. */
export function ShareButton({ title, path }: SharedPage) {
  const canShare = useCanShare()
  const [outcome, setOutcome] = useState<'none' | keyof typeof copyOutcomes>('none')

  const share = async () => {
    const url = new URL(path, window.location.href).href
    if (canShare) {
      // The browser also rejects if the visitor closes the menu, which is no error.
      return navigator.share({ title, url }).catch(() => {})
    }

    setOutcome((await copyText(url)) ? 'copied' : 'refused')
  }

  const initialIcon = canShare ? Share2 : Link2
  const Icon = outcome === 'copied' ? Check : initialIcon

  return (
    <>
      <Button variant="secondary" onClick={share} className="noscript:hidden">
        <Icon aria-hidden="true" size={18} />
        {canShare ? 'Share' : 'Copy link'}
      </Button>
      {/* While the text is empty, the margin takes back the gap between the button and the text. */}
      <span role="status" className="font-medium text-muted text-sm empty:-ml-3">
        {outcome !== 'none' && copyOutcomes[outcome]}
      </span>
    </>
  )
}

/** The share menu depends on the browser, so it is known only after hydration. */
function useCanShare(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => typeof navigator.share === 'function',
    () => false,
  )
}
