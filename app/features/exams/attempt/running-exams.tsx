import { createContext, Suspense, use, useCallback, useSyncExternalStore } from 'react'
import { lazyPart } from '~/ui/lazy-part'

export type RunningExamEnd = {
  courseId: string
  /** In milliseconds of `performance.now()`. */
  endsAt: number
}

/**
 * The viewer's exams that are under way, for every page that shows a course; empty for a visitor.
 */
export const RunningExams = createContext<readonly RunningExamEnd[]>([])

/** Loaded lazily, because few pages have one to show. */
const RunningExam = lazyPart(() => import('./running-exam').then((module) => module.RunningExam))

/** @returns undefined once its time is over. */
export function useRunningExam(courseId: string): RunningExamEnd | undefined {
  const exam = use(RunningExams).find((running) => running.courseId === courseId)
  const endsAt = exam?.endsAt ?? 0
  const untilOver = useCallback(
    (onOver: () => void) => {
      // A timer may fire slightly early.
      const timer = endsAt ? setTimeout(onOver, endsAt - performance.now() + 50) : undefined
      return () => clearTimeout(timer)
    },
    [endsAt],
  )
  const runs = () => performance.now() < endsAt

  return useSyncExternalStore(untilOver, runs, runs) ? exam : undefined
}

/** The way back to a course's exam, while it runs. */
export function RunningExamOf({ courseId, wide }: { courseId: string; wide?: boolean }) {
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
export const runningExamOf = (courseId: string) => <RunningExamOf courseId={courseId} />
