import { Heart } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { outbox } from '~/outbox/outbox'
import { fetchJson } from '~/ui/connection'
import type { FormResult } from '~/ui/form/form-result'
import { wishNotSaved } from './card-messages'
import { visitorWishes, wishesPath, wishSignInUrl } from './course-choices'
import { useOwnCourses } from './own-courses'

/** @property words shows a text label beside the heart. */
type WishButtonProps = { courseId: string; title: string; words?: boolean }

/** A heart that saves a course for later. Without a script it is a form. */
export function WishButton({ courseId, title, words = false }: WishButtonProps) {
  const { wished, problem, press } = useWish(courseId)
  const label = wished ? 'Remove from wish list' : 'Add to wish list'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void press()
  }
  const shapeClasses = words
    ? 'min-h-11 w-full rounded-control px-4 font-semibold hover:bg-sunken'
    : 'size-11 rounded-full bg-surface/90 shadow-card hover:bg-surface'

  return (
    <form method="post" action={wishesPath} onSubmit={submit} className="relative">
      <input type="hidden" name="courseId" value={courseId} />
      <input type="hidden" name="wished" value={wished ? 'no' : 'yes'} />
      <button
        type="submit"
        aria-label={words ? undefined : `${label}: ${title}`}
        title={words ? undefined : label}
        className={`inline-flex items-center justify-center gap-2 ${wished ? 'text-bad' : 'text-ink'} ${shapeClasses}`}
      >
        <Heart aria-hidden="true" size={20} fill={wished ? 'currentColor' : 'none'} />
        {words && label}
      </button>
      {problem && (
        <p
          role="alert"
          className={`text-sm font-medium text-bad ${words ? 'mt-1' : 'absolute top-full right-0 mt-2 w-60 rounded-control border border-line bg-surface p-3 shadow-raised'}`}
        >
          {problem}
        </p>
      )}
    </form>
  )
}

/**
 * A press shows at once, and is undone if the account doesn't store it. A visitor signs in first.
 */
function useWish(courseId: string) {
  const { uid, wished: stored, refresh } = useOwnCourses()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  /** The pressed state until the account has answered; null without a press. */
  const [pressed, setPressed] = useState<boolean | null>(null)
  const [problem, setProblem] = useState('')
  const wished = pressed ?? stored.includes(courseId)

  const press = async () => {
    if (uid === null) {
      outbox.put(visitorWishes, { key: `wish ${courseId}`, uid, body: { courseId } })
      return navigate(wishSignInUrl(pathname + search))
    }

    if (!uid || pressed !== null) {
      return
    }

    setPressed(!wished)
    setProblem('')
    const form = new URLSearchParams({ courseId, wished: wished ? 'no' : 'yes' })
    const answer = await fetchJson<FormResult>(wishesPath, form)
    if (answer?.done) {
      await refresh()
    } else {
      setProblem(answer?.errors.form ?? wishNotSaved)
    }

    setPressed(null)
  }

  return { wished, problem, press }
}
