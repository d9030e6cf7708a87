import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Moment } from '~/ui/moment'
import { momentNews } from './moment-news'
import { dropFirstMoment, useWaitingMoments } from './waiting-moments'

/** What was in view for so long has been seen, and leaves with its page. */
const seenAfterMs = 3_000

/** Celebrates what the learner has just achieved, one moment after the other, each in one tab only. */
export function EarnedMoments({ uid }: { uid: string }) {
  const [first] = useWaitingMoments(uid)
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const shown = useRef({ since: 0, page: pathname })
  const refocus = useRef(false)

  useEffect(() => {
    if (first) shown.current.since = Date.now()
    if (!refocus.current) return
    refocus.current = false
    const target = region.current?.querySelector<HTMLElement>('[data-dismiss]') ?? document.getElementById('main')
    target?.focus()
  }, [first])

  useEffect(() => {
    const { since, page } = shown.current
    shown.current.page = pathname
    if (first && page !== pathname && Date.now() - since > seenAfterMs) dropFirstMoment()
  }, [first, pathname])

  const dismiss = () => {
    refocus.current = region.current?.contains(document.activeElement) ?? false
    dropFirstMoment()
  }
  return (
    <div ref={region}>
      {first && <Moment key={JSON.stringify(first)} place="corner" {...momentNews(first)} onDismiss={dismiss} />}
    </div>
  )
}
