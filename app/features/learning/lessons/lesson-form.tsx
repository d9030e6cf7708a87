import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { type FetcherWithComponents, useFetcher } from 'react-router'
import type { FormResult } from '~/ui/form/form-result'
import type { Mark } from '../progress/lesson-progress'

/** The uid of the learner for whom the page was made. */
export const PageLearner = createContext('')

/** `saved`: the note that the form became. */
export type LessonFormDone = { saved?: { id: string; body: string } }
export type LessonFormAnswer = FormResult<LessonFormDone>

type LessonFormProps = Pick<ComponentProps<'form'>, 'className' | 'onSubmit' | 'ref'> & {
  fetcher: FetcherWithComponents<LessonFormAnswer>
  intent: 'note' | 'delete-note' | 'bookmark' | 'mark'
  children: ReactNode
}

/** The learner the page was made for: another account may have signed in since, in another tab. */
export function LessonForm({ fetcher, intent, children, ...form }: LessonFormProps) {
  return (
    <fetcher.Form method="post" {...form}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="uid" value={useContext(PageLearner)} />
      {children}
    </fetcher.Form>
  )
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
