import { createContext, type ReactNode, useContext } from 'react'
import { useFetcher } from 'react-router'
import { HiddenFields } from '~/ui/form/form'
import type { FormResult } from '~/ui/form/form-result'
import type { Mark } from '../progress/lesson-progress'

/** The uid of the learner for whom the page was made. */
export const PageLearnerContext = createContext('')

/** `saved`: the note that the form became. */
export type LessonFormDone = { saved?: { id: string; body: string } }
export type LessonFormAnswer = FormResult<LessonFormDone>

type LessonFormFieldsProps = { intent: 'note' | 'delete-note' | 'bookmark' | 'mark' }

/**
 * The hidden fields of every form on a lesson page. The learner's uid is sent along because another
 * account may have signed in since, in another tab.
 */
export function LessonFormFields({ intent }: LessonFormFieldsProps) {
  const uid = useContext(PageLearnerContext)
  return <HiddenFields values={{ intent, uid }} />
}

/**
 * Marks the lesson as done, or takes that back. A script reports it like all other work, which no
 * lost network loses; without one the form is sent.
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
    <fetcher.Form
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onMark(mark)
      }}
      className={className}
    >
      <LessonFormFields intent="mark" />
      <HiddenFields values={{ mark, goOnTo: goOnTo ?? '' }} />
      {children}
    </fetcher.Form>
  )
}
