import { createContext, Suspense, use, useCallback, useSyncExternalStore } from 'react'
import { lazyPart } from '~/ui/lazy-part'

export type RunningExamEnd = {
  courseId: string
  /** When the exam ends, in milliseconds of `performance.now()`. */
  endsAt: number
}

/** The viewer's exams in progress, for every page that shows a course. It is empty for a visitor. */
export const RunningExams = createContext<readonly RunningExamEnd[]>([])

/** The link is loaded lazily, because few pages have one to show. */
const RunningExam = lazyPart(() => import('./running-exam').then((module) => module.RunningExam))

/** Shows a link to a course's exam while it is in progress. */
export function RunningExamButton({ courseId, wide }: { courseId: string; wide?: boolean }) {
  const exam = useRunningExam(courseId)

  return (
    exam && (
      <Suspense fallback={null}>
        <RunningExam {...exam} wide={wide} />
      </Suspense>
    )
  )
}

/** The render function that lists of courses take. */
export const renderRunningExam = (courseId: string) => <RunningExamButton courseId={courseId} />

/** Timers may fire slightly early. */
const timerToleranceMs = 50

/** Returns a course's exam in progress, or undefined once its time has run out. */
export function useRunningExam(courseId: string): RunningExamEnd | undefined {
  const exam = use(RunningExams).find((runningExam) => runningExam.courseId === courseId)
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
