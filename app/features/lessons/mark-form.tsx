import type { ReactNode } from 'react'
import { useFetcher } from 'react-router'
import type { Mark } from '~/features/progress/lesson-work'
import { LessonForm, type LessonFormAnswer } from './lesson-form'

/**
 * Marks the lesson as done, or takes that back. A script reports it like all other work, which no lost network loses;
 * without one the form is sent.
 */
export function MarkForm({
  mark,
  goOnTo,
  onMark,
  className,
  children,
}: {
  mark: Mark
  /** Of the lesson that a sent form leads to. */
  goOnTo?: string
  onMark(mark: Mark): void
  className?: string
  /** The button. */
  children: ReactNode
}) {
  const fetcher = useFetcher<LessonFormAnswer>()
  return (
    <LessonForm
      fetcher={fetcher}
      intent="mark"
      onSubmit={(event) => {
        event.preventDefault()
        onMark(mark)
      }}
      className={className}
    >
      <input type="hidden" name="mark" value={mark} />
      <input type="hidden" name="goOnTo" value={goOnTo ?? ''} />
      {children}
    </LessonForm>
  )
}
