import { Heart } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { outbox } from '~/outbox/outbox'
import { fetchJson } from '~/ui/connection'
import type { FormResult } from '~/ui/form/form-result'
import { visitorWishes, wishesPath, wishSignInUrl } from './course-choices'
import { enrollmentMessages } from './enrollment-messages'
import { useOwnCourses } from './own-courses'

type WishButtonProps = {
  courseId: string
  courseTitle: string
  /** Whether the heart has a text label beside it. */
  hasLabel?: boolean
}

/** A button with a heart that saves a course for later. Without JavaScript it submits a form. */
export function WishButton({ courseId, courseTitle, hasLabel = false }: WishButtonProps) {
  const { isWished, problem, toggle } = useWish(courseId)
  const label = isWished ? 'Remove from wish list' : 'Add to wish list'
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void toggle()
  }
  const buttonStyle = hasLabel
    ? 'min-h-11 w-full rounded-control px-4 font-semibold hover:bg-sunken'
    : 'size-11 rounded-full bg-surface/90 shadow-card hover:bg-surface'
  const problemStyle = hasLabel
    ? 'mt-1'
    : 'absolute top-full right-0 mt-2 w-60 rounded-control border border-line bg-surface p-3 shadow-raised'

  return (
    <form method="post" action={wishesPath} onSubmit={handleSubmit} className="relative">
      <input type="hidden" name="courseId" value={courseId} />
      <input type="hidden" name="wished" value={isWished ? 'no' : 'yes'} />
      <button
        type="submit"
        aria-label={hasLabel ? undefined : `${label}: ${courseTitle}`}
        title={hasLabel ? undefined : label}
        className={`inline-flex items-center justify-center gap-2 ${isWished ? 'text-bad' : 'text-ink'} ${buttonStyle}`}
      >
        <Heart aria-hidden="true" size={20} fill={isWished ? 'currentColor' : 'none'} />
        {hasLabel && label}
      </button>
      {problem && (
        <p role="alert" className={`text-sm font-medium text-bad ${problemStyle}`}>
          {problem}
        </p>
      )}
    </form>
  )
}

/**
 * Returns whether the course is on the wish list, and a function that toggles it.
 *
 * A change is displayed at once and undone if the server doesn't accept it. A visitor is sent to
 * the sign-in page first.
 */
function useWish(courseId: string) {
  const { uid, wishedCourseIds, refresh } = useOwnCourses()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  /** The choice that is being sent to the server, or null. */
  const [choiceBeingSent, setChoiceBeingSent] = useState<boolean | null>(null)
  const [problem, setProblem] = useState('')
  const isWished = choiceBeingSent ?? wishedCourseIds.includes(courseId)

  const toggle = async () => {
    const isVisitor = uid === null
    if (isVisitor) {
      // The wish waits in the outbox until the visitor has signed in.
      outbox.put(visitorWishes, { key: `wish ${courseId}`, uid, body: { courseId } })
      return navigate(wishSignInUrl(pathname + search))
    }

    const isSessionUnknown = uid === undefined
    const isSending = choiceBeingSent !== null
    if (isSessionUnknown || isSending) {
      return
    }

    setChoiceBeingSent(!isWished)
    setProblem('')

    const form = new URLSearchParams({ courseId, wished: isWished ? 'no' : 'yes' })
    const result = await fetchJson<FormResult>(wishesPath, form)
    if (!result?.done) {
      setProblem(result?.errors.form ?? enrollmentMessages.wishNotSaved)
    }

    // The wish list is read again even after a failure, because the session may have ended.
    await refresh()
    setChoiceBeingSent(null)
  }

  return { isWished, problem, toggle }
}
