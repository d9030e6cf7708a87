import { useEffect, useState, useSyncExternalStore } from 'react'
import { isLessonDone } from '~/features/progress/lesson-work'
import { outbox } from '~/outbox/outbox'
import type { OpenLesson } from './lesson-page-data'
import { ProgressReporter } from './report/progress-reporter'
import { progressReports } from './report/progress-reports'
import { VisitClock } from './report/visit-clock'

type Visit = { uid: string; openedAt: number; lengthMs: number; signature: string }

/**
 * One visit of a lesson: collects, keeps and sends what the learner does, whatever becomes of the network or the tab.
 * The page has to be mounted anew for another lesson.
 */
export function useLessonVisit({ visit, courseId, lesson }: { visit: Visit; courseId: string; lesson: OpenLesson }) {
  const [{ reporter, clock }] = useState(() => startReporting(visit, courseId, lesson))
  const state = useSyncExternalStore(
    reporter.subscribe,
    () => reporter.state,
    () => reporter.state,
  )

  useEffect(() => reporter.takeStored(lesson), [reporter, lesson])

  useEffect(() => {
    const stopListening = outbox.listen(progressReports, reporter.take)
    const stopWatching = outbox.watch([progressReports], visit.uid)
    const leave = () => void reporter.flush({ leaving: true })
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      void reporter.close()
      stopWatching()
      stopListening()
    }
  }, [reporter, visit.uid])

  return { reporter, clock, ...state }
}

function startReporting(visit: Visit, courseId: string, lesson: OpenLesson) {
  const clock = new VisitClock(visit.openedAt)
  const rule = { ...lesson, questionIds: lesson.questions.map((question) => question.id) }
  const reporter = new ProgressReporter(
    { ...visit, courseId, lessonId: lesson.id },
    { work: lesson.work, done: lesson.done },
    { clock, outbox, isDone: (work, before) => isLessonDone(rule, work, before) },
  )
  return { reporter, clock }
}
