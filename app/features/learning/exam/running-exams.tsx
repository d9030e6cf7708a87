import { createContext, Suspense, use } from 'react'
import { lazyPart } from '~/ui/lazy-part'

export type RunningExamEnd = {
  courseId: string
  /** In milliseconds of `performance.now()`. */
  endsAt: number
}

/** The viewer's exams that are under way, for every page that shows a course; empty for a visitor. */
export const RunningExams = createContext<readonly RunningExamEnd[]>([])

/** Few pages have one to show. */
const RunningExam = lazyPart(() => import('./running-exam').then((module) => module.RunningExam))

export function useRunningExam(courseId: string): RunningExamEnd | undefined {
  return use(RunningExams).find((running) => running.courseId === courseId)
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
