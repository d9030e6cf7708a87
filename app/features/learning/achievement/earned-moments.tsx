import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Moment } from '~/ui/moment'
import { momentNews } from './moment-news'
import { dropMoment, useWaitingMoment } from './waiting-moment'

/** What was in view for so long has been seen, and leaves with its page. */
const seenAfterMs = 3_000

/** Celebrates what the learner has just achieved, one moment after the other, each in one tab only. */
export function EarnedMoments({ uid }: { uid: string }) {
  const moment = useWaitingMoment(uid)
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const shown = useRef({ since: 0, page: pathname })

  useEffect(() => {
    if (moment) shown.current.since = Date.now()
  }, [moment])

  useEffect(() => {
    const { since, page } = shown.current
    shown.current.page = pathname
    if (moment && page !== pathname && Date.now() - since > seenAfterMs) dropMoment()
  }, [moment, pathname])

  const dismiss = () => {
    // It takes its focus with it.
    if (region.current?.contains(document.activeElement)) document.getElementById('main')?.focus()
    dropMoment()
  }
  return (
    <div ref={region}>
      {moment && <Moment key={JSON.stringify(moment)} place="corner" {...momentNews(moment)} onDismiss={dismiss} />}
    </div>
  )
}
