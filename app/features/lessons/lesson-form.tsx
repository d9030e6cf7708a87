import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import type { FetcherWithComponents } from 'react-router'
import type { ActionResult } from '~/ui/action-result'

/** The uid of the learner for whom the page was made. */
export const PageLearner = createContext('')

/** `saved`: the note that the form became. */
export type LessonFormDone = { saved?: { id: string; body: string } }
export type LessonFormAnswer = ActionResult<LessonFormDone>

type LessonFormProps = Pick<ComponentProps<'form'>, 'className' | 'onSubmit' | 'ref'> & {
  fetcher: FetcherWithComponents<LessonFormAnswer>
  intent: 'note' | 'delete-note' | 'bookmark' | 'mark'
  children: ReactNode
}

/** Says whose page it is: somebody else may have signed in since, in another tab. */
export function LessonForm({ fetcher, intent, children, ...form }: LessonFormProps) {
  return (
    <fetcher.Form method="post" {...form}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="uid" value={useContext(PageLearner)} />
      {children}
    </fetcher.Form>
  )
}
