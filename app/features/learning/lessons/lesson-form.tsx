import { createContext, type ReactNode, type SubmitEvent, useContext } from 'react'
import { useFetcher } from 'react-router'
import { HiddenFields } from '~/ui/form/form'
import { type FormResult, getFieldErrors } from '~/ui/form/form-result'
import type { Mark } from '../progress/lesson-progress'

/** The uid of the learner for whom the server rendered the page. */
export const PageLearnerContext = createContext('')

/** The result of an accepted form. `saved` is the note that the form has added or changed. */
export type LessonFormSuccess = { saved?: { id: string; body: string } }

export type LessonFormResult = FormResult<LessonFormSuccess>

type LessonFormFieldsProps = { intent: 'note' | 'delete-note' | 'bookmark' | 'mark' }

/**
 * The hidden fields of every form on a lesson page. The learner's uid is sent along because another
 * account may have signed in since, in another tab.
 */
export function LessonFormFields({ intent }: LessonFormFieldsProps) {
  const uid = useContext(PageLearnerContext)
  return <HiddenFields values={{ intent, uid }} />
}

/** Says why a form of the page was not accepted. */
export function LessonFormError({ result }: { result: LessonFormResult | undefined }) {
  return (
    <p role="alert" className="text-sm font-medium text-bad">
      {getFieldErrors(result).form}
    </p>
  )
}

type MarkFormProps = {
  mark: Mark
  /** The lesson that opens after the form was submitted without JavaScript. */
  nextLessonId?: string | null
  onMark(mark: Mark): void
  className?: string
  /** The submit button. */
  children: ReactNode
}

/**
 * Marks the lesson as done or undone. With JavaScript, `onMark` reports the mark like all other
 * progress, so a lost connection loses nothing. Without JavaScript, the browser submits the form.
 */
export function MarkForm({ mark, nextLessonId, onMark, className, children }: MarkFormProps) {
  // Its form has the URL of the page's route action.
  const fetcher = useFetcher<LessonFormResult>()

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onMark(mark)
  }

  return (
    <fetcher.Form method="post" onSubmit={handleSubmit} className={className}>
      <LessonFormFields intent="mark" />
      <HiddenFields values={{ mark, goOnTo: nextLessonId ?? '' }} />
      {children}
    </fetcher.Form>
  )
}
