import { ArrowLeft, ArrowRight, Bookmark, Check, Circle } from 'lucide-react'
import { useFetcher } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import type { Mark } from '../progress/lesson-progress'
import { LessonFormError, LessonFormFields, type LessonFormResult, MarkForm } from './lesson-form'
import { lessonMessages } from './lesson-messages'
import type { LessonEntry } from './lesson-page-data'
import { type NextStep, type NextStepNavigation, nextStepLabels, nextStepUrl } from './next-step'

type LessonActionsProps = {
  courseId: string
  previousLesson: LessonEntry | null
  nextStep: NextStep
  navigation: NextStepNavigation
  isDone: boolean
  /** The button "Mark as done", or null for a lesson that can't be marked. */
  markButton: MarkButton | null
  onMark(mark: Mark): void
  isBookmarked: boolean
}

export type MarkButton = {
  isDisabled: boolean
  /** Says what the mark doesn't count for, or why the lesson can't be marked yet. */
  note: string | null
}

/** The bar at the lower edge of the window: previous and next, bookmark, and "Mark as done". */
export function LessonActions(props: LessonActionsProps) {
  const { courseId, previousLesson, nextStep, navigation } = props
  const { isDone, markButton, onMark, isBookmarked } = props
  const nextLabel = nextStepLabels[nextStep.kind]
  return (
    <nav
      aria-label="Lesson navigation"
      className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-line border-t bg-canvas px-[clamp(1rem,4vw,2.5rem)] pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-lg:order-last sm:gap-3 lg:col-start-1 lg:row-start-3 [@media(height<30rem)]:static print:hidden"
    >
      <p role="status" className="basis-full font-medium text-warn empty:hidden">
        {navigation.isWaiting && lessonMessages.nextWaitsForConnection}
      </p>
      {previousLesson && (
        <ButtonLink
          variant="quiet"
          to={`/Learn/${courseId}/${previousLesson.id}`}
          aria-label={`Previous: ${previousLesson.title}`}
          className="border border-line max-sm:px-3"
        >
          <ArrowLeft aria-hidden="true" size={18} /> <span className="max-sm:hidden">Previous</span>
        </ButtonLink>
      )}
      <p
        id="mark-note"
        className="min-w-0 text-pretty text-muted text-xs max-xl:order-first max-xl:basis-full max-xl:empty:hidden xl:flex-1 xl:text-right"
      >
        {markButton?.note}
      </p>
      <span className="flex-1 max-sm:hidden xl:hidden" />
      <BookmarkButton isBookmarked={isBookmarked} />
      {markButton && (
        <MarkForm mark={isDone ? 'undone' : 'done'} onMark={onMark} className="max-sm:flex-1">
          <Button
            type="submit"
            variant="secondary"
            disabled={markButton.isDisabled}
            aria-pressed={isDone}
            aria-describedby={markButton.note ? 'mark-note' : undefined}
            className="whitespace-nowrap aria-pressed:border-good aria-pressed:text-good max-sm:w-full max-sm:px-2"
          >
            {isDone ? (
              <Check aria-hidden="true" size={18} />
            ) : (
              <Circle aria-hidden="true" size={18} />
            )}
            {isDone ? 'Done' : 'Mark as done'}
          </Button>
        </MarkForm>
      )}
      <ButtonLink
        variant={isDone ? 'primary' : 'secondary'}
        to={nextStepUrl(nextStep, courseId)}
        onClick={(event) => navigation.handleLinkClick(event)}
        aria-label={'lesson' in nextStep ? `${nextLabel}: ${nextStep.lesson.title}` : undefined}
        className="max-sm:flex-1 max-sm:px-2"
      >
        {nextLabel}
        <ArrowRight aria-hidden="true" size={18} />
      </ButtonLink>
    </nav>
  )
}

function BookmarkButton({ isBookmarked }: { isBookmarked: boolean }) {
  const fetcher = useFetcher<LessonFormResult>()
  // The button displays the submitted value before the server has responded.
  const submittedValue = fetcher.formData?.get('bookmarked') ?? null
  const isDisplayedAsBookmarked = submittedValue === null ? isBookmarked : submittedValue === 'yes'

  return (
    <>
      <fetcher.Form method="post">
        <LessonFormFields intent="bookmark" />
        <input type="hidden" name="bookmarked" value={isDisplayedAsBookmarked ? 'no' : 'yes'} />
        <Button
          type="submit"
          variant="secondary"
          aria-pressed={isDisplayedAsBookmarked}
          className="aria-pressed:border-accent aria-pressed:text-accent max-sm:px-3"
        >
          <Bookmark
            aria-hidden="true"
            size={18}
            fill={isDisplayedAsBookmarked ? 'currentColor' : 'none'}
          />
          <span className="max-sm:sr-only">
            {isDisplayedAsBookmarked ? 'Bookmarked' : 'Bookmark'}
          </span>
        </Button>
      </fetcher.Form>
      <div className="order-first basis-full has-[>:empty]:hidden">
        <LessonFormError result={fetcher.data} />
      </div>
    </>
  )
}
