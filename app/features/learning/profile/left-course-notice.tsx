import { useEffect, useRef } from 'react'
import { Notice } from '~/ui/notice'
import type { EnrolledCourse } from './learner-record'

export type LeftCourse = Pick<EnrolledCourse, 'id' | 'name'> & { undone: boolean }

/** After leaving a course, with the way back; the focus goes on here, as the button that was pressed is gone. */
export function LeftCourseNotice({ course, onUndo }: { course: LeftCourse; onUndo(): void }) {
  const notice = useRef<HTMLDivElement>(null)
  const { id, name, undone } = course
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each course that is left or taken up again.
  useEffect(() => notice.current?.focus(), [id, undone])
  return (
    <div ref={notice} tabIndex={-1} className="mb-6 rounded-control">
      {undone ? (
        <Notice look="good">You’re enrolled in {name} again.</Notice>
      ) : (
        <Notice
          look="good"
          action={
            <button type="button" onClick={onUndo} className="min-h-11 px-2 font-semibold underline underline-offset-4">
              Undo
            </button>
          }
        >
          You left {name}. Your work is kept.
        </Notice>
      )}
    </div>
  )
}
