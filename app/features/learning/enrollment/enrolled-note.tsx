import { useState } from 'react'
import type { ChangeEnrollments } from './browser-enrollments'
import { leaveCourse } from './leave-course'

type EnrolledNoteProps = {
  courseId: string
  /** Where the course is kept. */
  said: string
  completed: boolean
  onChange: ChangeEnrollments
  onLeft(): void
}

/** Where the course is kept, and the way out of it; a completed course stays. */
export function EnrolledNote({ courseId, said, completed, onChange, onLeft }: EnrolledNoteProps) {
  const [leaving, setLeaving] = useState(false)
  const [problem, setProblem] = useState('')
  const leave = async () => {
    if (leaving) return
    setLeaving(true)
    const refusal = await leaveCourse(courseId, onChange)
    setLeaving(false)
    if (refusal) setProblem(refusal)
    else onLeft()
  }
  return (
    <>
      {said}{' '}
      {!completed && (
        <button
          type="button"
          // Disabled, it would lose the focus, also when the course stays.
          aria-disabled={leaving}
          onClick={leave}
          className="inline-flex min-h-6 items-center underline underline-offset-2 hover:text-ink"
        >
          Leave course
        </button>
      )}
      {problem && <span className="block font-medium text-bad">{problem}</span>}
    </>
  )
}
