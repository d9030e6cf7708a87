import { ArrowLeft, ArrowRight, Bookmark, Check, Circle } from 'lucide-react'
import { useFetcher } from 'react-router'
import type { Mark } from '~/features/progress/lesson-work'
import { Button, ButtonLink } from '~/ui/button'
import { LessonForm, type LessonFormAnswer, MarkForm } from './lesson-form'
import type { LessonEntry } from './lesson-page-data'
import { addressOf, type NextStep, stepLabels } from './next-step'
import { NoteProblem } from './notes/note-text'

/** Next, previous, bookmark and 'Mark as done'. */
export function LessonActions({
  courseId,
  previous,
  step,
  done,
  markable,
  markNote,
  onMark,
  bookmarked,
}: {
  courseId: string
  previous: LessonEntry | null
  step: NextStep
  done: boolean
  /** An article is marked at its end. */
  markable: boolean
  /** The reason why the mark would not count. */
  markNote: string | null
  onMark(mark: Mark): void
  bookmarked: boolean
}) {
  // On a phone two buttons fit in a row.
  const fillsRow = (previous !== null) !== markable
  return (
    <nav
      aria-label="Lesson navigation"
      className="grid grid-cols-2 gap-3 max-sm:[&_:is(a,button)]:px-2 sm:flex sm:flex-wrap"
    >
      {previous && (
        <ButtonLink
          look="quiet"
          to={`/Learn/${courseId}/${previous.id}`}
          aria-label={`Previous: ${previous.title}`}
          className="border border-line"
        >
          <ArrowLeft aria-hidden="true" size={18} /> Previous
        </ButtonLink>
      )}
      <span className="hidden flex-1 sm:block" />
      <BookmarkButton bookmarked={bookmarked} />
      {markable && (
        <MarkForm mark={done ? 'undone' : 'done'} onMark={onMark} className="grid">
          <Button
            type="submit"
            look="secondary"
            aria-pressed={done}
            aria-describedby={markNote ? 'mark-note' : undefined}
            className="aria-pressed:border-good aria-pressed:text-good"
          >
            {done ? <Check aria-hidden="true" size={18} /> : <Circle aria-hidden="true" size={18} />}
            {done ? 'Done' : 'Mark as done'}
          </Button>
        </MarkForm>
      )}
      <ButtonLink
        look={done ? 'primary' : 'secondary'}
        to={addressOf(step, courseId)}
        aria-label={'lesson' in step ? `${stepLabels[step.kind]}: ${step.lesson.title}` : undefined}
        className={fillsRow ? 'max-sm:col-span-2' : ''}
      >
        {stepLabels[step.kind]}
        <ArrowRight aria-hidden="true" size={18} />
      </ButtonLink>
      {markNote && (
        <p id="mark-note" className="order-last col-span-2 basis-full text-muted text-sm sm:text-right">
          {markNote}
        </p>
      )}
    </nav>
  )
}

function BookmarkButton({ bookmarked }: { bookmarked: boolean }) {
  const fetcher = useFetcher<LessonFormAnswer>()
  const pending = fetcher.formData?.get('bookmarked')
  const shown = pending === undefined || pending === null ? bookmarked : pending === 'yes'
  return (
    <>
      <LessonForm fetcher={fetcher} intent="bookmark">
        <input type="hidden" name="bookmarked" value={shown ? 'no' : 'yes'} />
        <Button
          type="submit"
          look="secondary"
          aria-pressed={shown}
          className="w-full aria-pressed:border-accent aria-pressed:text-accent"
        >
          <Bookmark aria-hidden="true" size={18} fill={shown ? 'currentColor' : 'none'} />
          {shown ? 'Bookmarked' : 'Bookmark'}
        </Button>
      </LessonForm>
      <div className="order-last col-span-2 basis-full has-[>:empty]:absolute">
        <NoteProblem answer={fetcher.data} />
      </div>
    </>
  )
}
