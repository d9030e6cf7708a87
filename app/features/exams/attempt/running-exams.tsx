import { createContext, Suspense, use, useCallback, useSyncExternalStore } from 'react'
import { lazyComponent } from '~/ui/lazy-component'

export type RunningExam = {
  courseId: string
  /** When the exam ends, in milliseconds of `performance.now()`. */
  endsAt: number
}

/**
 * Provides the viewer's exams in progress to every page that shows a course. A visitor has none.
 */
export const RunningExamsContext = createContext<readonly RunningExam[]>([])

/** The link is loaded lazily, because few pages have one to show. */
const RunningExamLink = lazyComponent(() =>
  import('./running-exam-link').then((module) => module.RunningExamLink),
)

/** Displays a link to a course's exam while it is in progress. */
export function RunningExamButton({ courseId, isWide }: { courseId: string; isWide?: boolean }) {
  const exam = useRunningExam(courseId)

  return (
    exam && (
      <Suspense fallback={null}>
        <RunningExamLink {...exam} isWide={isWide} />
      </Suspense>
    )
  )
}

/** The render function that lists of courses take. */
export const renderRunningExam = (courseId: string) => <RunningExamButton courseId={courseId} />

/** Timers may fire slightly early. */
const timerToleranceMs = 50

/** Returns a course's exam in progress, or undefined once its time has run out. */
export function useRunningExam(courseId: string): RunningExam | undefined {
  const exam = use(RunningExamsContext).find((runningExam) => runningExam.courseId === courseId)
  const endsAt = exam?.endsAt ?? 0

  const subscribeToEnd = useCallback(
    (onEnd: () => void) => {
      if (!endsAt) {
        return () => {}
      }

      const timer = setTimeout(onEnd, endsAt - performance.now() + timerToleranceMs)
      return () => clearTimeout(timer)
    },
    [endsAt],
  )
  const isRunning = () => performance.now() < endsAt

  return useSyncExternalStore(subscribeToEnd, isRunning, isRunning) ? exam : undefined
}
