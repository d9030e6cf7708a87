import { byCount } from '~/ui/format-count'

/** An enrolled learner's progress in a course; public pages never contain it. */
export type ProgressSummary = {
  courseId: string
  /** Whole percent, by `course-progress.ts`. */
  percent: number
  doneLessons: number
  totalLessons: number
  /** Ids of the finished lessons. */
  done: string[]
  /** Null for a course without material. */
  next: { id: string; title: string; positionMs: number } | null
  completed: boolean
  exam: 'none' | 'open' | 'passed'
  /** Without a revoked one. */
  certificateId: string | null
  /** Earned, and issued once the learner's address is confirmed. */
  certificateWaits: boolean
}

/** The one thing to do next in a course. @returns null while there is nothing to learn. */
export function nextStepOf(progress: ProgressSummary): { to: string; text: string } | null {
  const { courseId, next, doneLessons, totalLessons, exam, certificateId } = progress
  if (!next) {
    return null
  }

  if (doneLessons < totalLessons) {
    const to = `/Learn/${courseId}/${next.id}`
    const begun = doneLessons > 0 || next.positionMs > 0
    return { to, text: begun ? `Continue: ${next.title}` : 'Start' }
  }

  if (exam === 'open') {
    return { to: `/Exam/${courseId}`, text: 'Take the final exam' }
  }

  if (certificateId) {
    return { to: `/Certificate/${certificateId}`, text: 'See your certificate' }
  }

  return { to: `/Learn/${courseId}`, text: 'Review the lessons' }
}

/** The learner's progress in words, beside the bar. */
export function progressText({ doneLessons, totalLessons, completed }: ProgressSummary): string {
  const done = byCount(
    totalLessons,
    `${doneLessons} of 1 lesson done`,
    `${doneLessons} of ${totalLessons} lessons done`,
  )

  return completed ? `${done} · Course completed` : done
}
