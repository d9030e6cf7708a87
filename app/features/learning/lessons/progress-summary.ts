/** An enrolled learner's progress in a course. Public pages never contain it. */
export type ProgressSummary = {
  courseId: string
  /** A whole number, as `course-progress.ts` computes it. */
  percent: number
  doneLessons: number
  totalLessons: number
  /** The ids of the done lessons. */
  done: string[]
  /** The lesson with which the learner continues, or null for a course without material. */
  next: { id: string; title: string; positionMs: number } | null
  completed: boolean
  /** Whether the course has an exam and the learner has passed it. */
  exam: 'none' | 'open' | 'passed'
  /**
   * This is null for a learner without a certificate, and for one whose certificate was revoked.
   */
  certificateId: string | null
  /** Whether the certificate is earned, and only the email address has to be confirmed. */
  certificateWaits: boolean
}

/**
 * Returns a link to what the learner should do next in a course.
 *
 * @returns null for a course without material
 */
export function getContinueLink(progress: ProgressSummary): { to: string; text: string } | null {
  const { courseId, next, doneLessons, totalLessons, exam, certificateId } = progress
  if (!next) {
    return null
  }

  if (doneLessons < totalLessons) {
    const hasStarted = doneLessons > 0 || next.positionMs > 0
    return {
      to: `/Learn/${courseId}/${next.id}`,
      text: hasStarted ? `Continue: ${next.title}` : 'Start',
    }
  }

  if (exam === 'open') {
    return { to: `/Exam/${courseId}`, text: 'Take the final exam' }
  }

  if (certificateId) {
    return { to: `/Certificate/${certificateId}`, text: 'See your certificate' }
  }

  return { to: `/Learn/${courseId}`, text: 'Review the lessons' }
}
