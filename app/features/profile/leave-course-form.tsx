import { type SubmitEvent, useState } from 'react'
import { enrollmentsAddress } from '~/features/enrollment/course-choices'

type LeaveCourseFormProps = {
  courseId: string
  name: string
  /** @returns why the course stays, or null. */
  onLeave(): Promise<string | null>
}

/** A quiet way out of a course. Without a script it is a form. */
export function LeaveCourseForm({ courseId, name, onLeave }: LeaveCourseFormProps) {
  const [problem, setProblem] = useState('')
  const leave = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem((await onLeave()) ?? '')
  }
  return (
    <form method="post" action={enrollmentsAddress} onSubmit={leave}>
      <input type="hidden" name="courseIds" value={courseId} />
      <input type="hidden" name="leave" value="yes" />
      <button
        type="submit"
        aria-label={`Leave course: ${name}`}
        className="min-h-6 text-muted underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
      >
        Leave course
      </button>
      {problem && (
        <p role="alert" className="font-medium text-bad">
          {problem}
        </p>
      )}
    </form>
  )
}
