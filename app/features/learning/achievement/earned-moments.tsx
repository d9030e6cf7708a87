import { useRef } from 'react'
import { Moment } from '~/ui/moment'
import { momentNews } from './moment-news'
import { dropMoment, useWaitingMoment } from './waiting-moment'

/** Celebrates what the learner has just achieved, one moment after the other, each in one tab only. */
export function EarnedMoments({ uid }: { uid: string }) {
  const moment = useWaitingMoment(uid)
  const region = useRef<HTMLDivElement>(null)
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
