import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { onWorkFollowedUp } from '~/features/progress/work-followed-up'
import { CelebrationCard } from '~/ui/celebration-card'
import { fetchAnswer } from '~/ui/fetch-answer'
import type { WaitingCelebration } from './celebration'
import { celebrationNews } from './celebration-news'

/** Milliseconds in view after which a celebration counts as seen and doesn't reappear on the next page. */
const seenAfterMs = 3_000

type CelebrationsProps = {
  uid: string
  place?: 'corner' | 'top'
}

/** Celebrates the learner's new achievements, one after the other. */
export function Celebrations({ uid, place = 'corner' }: CelebrationsProps) {
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const { waiting, dismiss } = useCelebration(`${uid} ${pathname}`)
  if (!waiting) return null
  const onDismiss = () => {
    // The focus would be lost with the button.
    if (region.current?.contains(document.activeElement)) document.getElementById('main')?.focus()
    void dismiss()
  }
  return (
    <div ref={region}>
      <CelebrationCard place={place} {...celebrationNews(waiting.celebration)} onDismiss={onDismiss} />
    </div>
  )
}

/**
 * Asks when a page opens or comes into view, when the server has taken work from which something may follow, and after one
 * was dismissed.
 *
 * @param page of a learner; another one begins anew.
 */
function useCelebration(page: string) {
  const [shown, setShown] = useState<{ page: string; waiting: WaitingCelebration } | null>(null)
  const [dismissed, setDismissed] = useState(0)
  const waiting = shown?.page === page ? shown.waiting : null

  const ask = useEffectEvent(async () => {
    if (waiting || document.visibilityState === 'hidden') return
    const found = await postCelebrations([])
    if (found && !found.events.some((event) => seen.has(event))) setShown({ page, waiting: found })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each of them.
  useEffect(() => {
    const askNow = () => void ask()
    askNow()
    document.addEventListener('visibilitychange', askNow)
    const stop = onWorkFollowedUp(askNow)
    return () => {
      document.removeEventListener('visibilitychange', askNow)
      stop()
    }
  }, [page, dismissed])

  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => void markSeen(waiting), seenAfterMs)
    return () => clearTimeout(timer)
  }, [waiting])

  const dismiss = async () => {
    if (!waiting) return
    setShown(null)
    await markSeen(waiting)
    setDismissed((count) => count + 1)
  }
  return { waiting, dismiss }
}

/** Events seen in this tab; the server may not know of them yet. */
const seen = new Set<string>()

async function markSeen({ events }: WaitingCelebration): Promise<void> {
  const news = events.filter((event) => !seen.has(event))
  for (const event of news) seen.add(event)
  if (news.length > 0) await postCelebrations(news)
}

/** @param shown events that were seen; without any, it asks for the next celebration. */
function postCelebrations(shown: readonly string[]) {
  const form = new URLSearchParams(shown.map((event) => ['shown', event]))
  return fetchAnswer<WaitingCelebration | null>('/Moments', form)
}
