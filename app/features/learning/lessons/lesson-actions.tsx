import { ArrowLeft, ArrowRight, Bookmark, Check, Circle } from 'lucide-react'
import { useFetcher } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { NoteProblem } from '../notes/note-entry'
import type { Mark } from '../progress/lesson-progress'
import { type LessonFormAnswer, LessonFormFields, MarkForm } from './lesson-form'
import { nextWaitsForConnection } from './lesson-messages'
import type { LessonEntry } from './lesson-page-data'
import type { NextStepNavigation } from './next-step'
import { type NextStep, nextStepUrl, stepLabels } from './next-step'

type LessonActionsProps = {
  courseId: string
  previous: LessonEntry | null
  step: NextStep
  goOn: NextStepNavigation
  done: boolean
  /**
   * Null for a lesson that can't be marked; `note` says what the mark doesn't count for, or why it
   * can't be set yet.
   */
  mark: { note: string | null; disabled: boolean } | null
  onMark(mark: Mark): void
  bookmarked: boolean
}

/**
 * Next, previous, bookmark and 'Mark as done': a bar at the lower edge of the window, below the
 * whole lesson.
 */
export function LessonActions(props: LessonActionsProps) {
  const { courseId, previous, step, goOn, done, mark, onMark, bookmarked } = props
  return (
    <nav
      aria-label="Lesson navigation"
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-line border-t bg-canvas px-[clamp(1rem,4vw,2.5rem)] pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-lg:order-last sm:gap-3 lg:col-start-1 lg:row-start-3 [@media(height<30rem)]:static print:hidden"
    >
      <p role="status" className="basis-full font-medium text-warn empty:hidden">
        {goOn.waiting && nextWaitsForConnection}
      </p>
      {previous && (
        <ButtonLink
          variant="quiet"
          to={`/Learn/${courseId}/${previous.id}`}
          aria-label={`Previous: ${previous.title}`}
          className="border border-line max-sm:px-3"
        >
          <ArrowLeft aria-hidden="true" size={18} /> <span className="max-sm:hidden">Previous</span>
        </ButtonLink>
      )}
      <p
        id="mark-note"
        className="min-w-0 text-pretty text-muted text-xs max-xl:order-first max-xl:basis-full max-xl:empty:hidden xl:flex-1 xl:text-right"
      >
        {mark?.note}
      </p>
      <span className="flex-1 max-sm:hidden xl:hidden" />
      <BookmarkButton bookmarked={bookmarked} />
      {mark && (
        <MarkForm mark={done ? 'undone' : 'done'} onMark={onMark} className="max-sm:flex-1">
          <Button
            type="submit"
            variant="secondary"
            disabled={mark.disabled}
            aria-pressed={done}
            aria-describedby={mark.note ? 'mark-note' : undefined}
            className="whitespace-nowrap aria-pressed:border-good aria-pressed:text-good max-sm:w-full max-sm:px-2"
          >
            {done ? (
              <Check aria-hidden="true" size={18} />
            ) : (
              <Circle aria-hidden="true" size={18} />
            )}
            {done ? 'Done' : 'Mark as done'}
          </Button>
        </MarkForm>
      )}
      <ButtonLink
        variant={done ? 'primary' : 'secondary'}
        to={nextStepUrl(step, courseId)}
        onClick={(event) => goOn.follow(event)}
        aria-label={'lesson' in step ? `${stepLabels[step.kind]}: ${step.lesson.title}` : undefined}
        className="max-sm:flex-1 max-sm:px-2"
      >
        {stepLabels[step.kind]}
        <ArrowRight aria-hidden="true" size={18} />
      </ButtonLink>
    </nav>
  )
}

function BookmarkButton({ bookmarked }: { bookmarked: boolean }) {
  const fetcher = useFetcher<LessonFormAnswer>()
  const pending = fetcher.formData?.get('bookmarked')
  const shown = pending === undefined || pending === null ? bookmarked : pending === 'yes'

  return (
    <>
      <fetcher.Form method="post">
        <LessonFormFields intent="bookmark" />
        <input type="hidden" name="bookmarked" value={shown ? 'no' : 'yes'} />
        <Button
          type="submit"
          variant="secondary"
          aria-pressed={shown}
          className="aria-pressed:border-accent aria-pressed:text-accent max-sm:px-3"
        >
          <Bookmark aria-hidden="true" size={18} fill={shown ? 'currentColor' : 'none'} />
          <span className="max-sm:sr-only">{shown ? 'Bookmarked' : 'Bookmark'}</span>
        </Button>
      </fetcher.Form>
      <div className="order-first basis-full has-[>:empty]:hidden">
        <NoteProblem result={fetcher.data} />
      </div>
    </>
  )
}
