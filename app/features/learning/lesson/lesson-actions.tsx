import { ArrowLeft, ArrowRight, Bookmark, Check, Circle } from 'lucide-react'
import { useFetcher } from 'react-router'
import { Button, ButtonLink } from '~/ui/button'
import { LessonForm, type LessonFormAnswer } from './lesson-form'
import type { LessonEntry } from './lesson-page-data'
import { NoteProblem } from './note-text'

/** Next, previous, bookmark and 'Mark as done'. */
export function LessonActions({
  courseId,
  previous,
  next,
  done,
  markable,
  onMark,
  bookmarked,
}: {
  courseId: string
  previous: LessonEntry | null
  next: LessonEntry | null
  done: boolean
  /** An article only once it was read to the end; undefined where there is nothing to do. */
  markable: boolean | undefined
  onMark(done: boolean): void
  bookmarked: boolean
}) {
  return (
    <nav aria-label="Lesson navigation" className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
      {previous && (
        <ButtonLink look="quiet" to={`/Learn/${courseId}/${previous.id}`} className="border border-line">
          <ArrowLeft aria-hidden="true" size={18} /> Previous
          <span className="sr-only">: {previous.title}</span>
        </ButtonLink>
      )}
      <span className="hidden flex-1 sm:block" />
      <BookmarkButton bookmarked={bookmarked} />
      {markable !== undefined && (
        <Button
          look="secondary"
          aria-pressed={done}
          disabled={!done && !markable}
          onClick={() => onMark(!done)}
          className="aria-pressed:border-good aria-pressed:text-good noscript:hidden"
        >
          {done ? <Check aria-hidden="true" size={18} /> : <Circle aria-hidden="true" size={18} />}
          {done ? 'Done' : 'Mark as done'}
        </Button>
      )}
      {!next && (
        <ButtonLink look="secondary" to={`/Exam/${courseId}`}>
          Go to exam <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
      )}
      {next && (
        <ButtonLink
          look={done ? 'primary' : 'secondary'}
          to={`/Learn/${courseId}/${next.id}`}
          className={previous ? '' : 'max-sm:col-span-2'}
        >
          Next<span className="sr-only">: {next.title}</span> <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
      )}
    </nav>
  )
}

function BookmarkButton({ bookmarked }: { bookmarked: boolean }) {
  const fetcher = useFetcher<LessonFormAnswer>()
  const pending = fetcher.formData?.get('bookmarked')
  const shown = pending === undefined || pending === null ? bookmarked : pending === 'yes'
  return (
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
      <NoteProblem answer={fetcher.data} />
    </LessonForm>
  )
}
