import { type ReactNode, useRef } from 'react'
import { Moment } from '~/ui/moment'
import { momentNews } from './moment-news'
import { dropMoment, useWaitingMoment } from './waiting-moment'

/** Celebrates what the learner has just achieved, one moment after the other, each in one tab only. @param otherwise shown in their place while there is none. */
export function EarnedMoments({ uid, otherwise }: { uid: string; otherwise?: ReactNode }) {
  const moment = useWaitingMoment(uid)
  const region = useRef<HTMLDivElement>(null)
  const dismiss = () => {
    // It takes its focus with it.
    if (region.current?.contains(document.activeElement)) document.getElementById('main')?.focus()
    dropMoment()
  }
  return (
    <div ref={region}>
      {moment ? (
        <Moment key={JSON.stringify(moment)} place="corner" {...momentNews(moment)} onDismiss={dismiss} />
      ) : (
        otherwise
      )}
    </div>
  )
}
