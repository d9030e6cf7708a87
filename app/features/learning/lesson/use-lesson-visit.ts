import { useEffect, useState, useSyncExternalStore } from 'react'
import { isLessonDone } from '../course-work/lesson-work'
import type { OpenLesson } from './lesson-page-data'
import { ProgressReporter } from './report/progress-reporter'
import { deliverKept } from './report/report-delivery'
import { browserReportStore } from './report/report-store'
import { VisitClock } from './report/visit-clock'

type Visit = { uid: string; openedAt: number; lengthMs: number; signature: string }

/**
 * One visit of a lesson: collects, keeps and sends what the learner does, whatever becomes of the network or the tab.
 * The page has to be mounted anew for another lesson.
 */
export function useLessonVisit({
  visit,
  courseId,
  lesson,
  onKeptTaken,
}: {
  visit: Visit
  courseId: string
  lesson: OpenLesson
  /** Reports of earlier visits arrived: what the page shows may be out of date. */
  onKeptTaken(): void
}) {
  const [{ reporter, clock, store }] = useState(() => startReporting(visit, courseId, lesson))
  const state = useSyncExternalStore(
    reporter.subscribe,
    () => reporter.state,
    () => reporter.state,
  )

  useEffect(() => reporter.takeStored(lesson), [reporter, lesson])

  useEffect(() => {
    const sendAll = () => {
      void reporter.flush()
      deliverKept(store, visit.uid, reporter.key)
        .then((taken) => taken && onKeptTaken())
        .catch(() => {})
    }
    const leave = () => void reporter.flush({ leaving: true })
    const hide = () => {
      if (document.visibilityState === 'hidden') leave()
    }
    sendAll()
    window.addEventListener('online', sendAll)
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('online', sendAll)
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      void reporter.flush({ leaving: true })
    }
  }, [reporter, store, visit.uid, onKeptTaken])

  return { reporter, clock, ...state }
}

function startReporting(visit: Visit, courseId: string, lesson: OpenLesson) {
  const clock = new VisitClock(visit.openedAt)
  const store = browserReportStore()
  const rule = { ...lesson, questionIds: lesson.questions.map((question) => question.id) }
  const reporter = new ProgressReporter(
    { ...visit, courseId, lessonId: lesson.id },
    { work: lesson.work, done: lesson.done },
    { clock, store, isDone: (work, before) => isLessonDone(rule, work, before) },
  )
  return { reporter, clock, store }
}
