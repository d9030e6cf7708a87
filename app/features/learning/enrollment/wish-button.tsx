import { Heart } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { ActionResult } from '~/ui/action-result'
import { fetchAnswer } from '~/ui/fetch-answer'
import { keepWish } from './kept-wish'
import { wishNotSaved } from './wish-messages'
import { WishPresses } from './wish-presses'

export const wishesAddress = '/Wishes'

export type Wishes = {
  /** Undefined while the session is being determined, null for a visitor, who signs in first. */
  uid: string | null | undefined
  wished: readonly string[]
  /** Shows at once what the account is about to store, or did not. */
  onWish(courseId: string, wished: boolean): void
  /** The account has it; an answer already on its way doesn't know it yet. */
  onStored(): void
}

/** @property words shows a text label beside the heart. */
type WishButtonProps = { courseId: string; title: string; wishes: Wishes; words?: boolean }

/** A heart that saves a course for later. Without a script it is a form. */
export function WishButton({
  courseId,
  title,
  wishes: { uid, wished: list, onWish, onStored },
  words = false,
}: WishButtonProps) {
  const wished = list.includes(courseId)
  const label = wished ? 'Remove from wish list' : 'Add to wish list'
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [problem, setProblem] = useState('')
  const presses = useRef<WishPresses>(undefined)
  const wish = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (uid === null) {
      keepWish(courseId)
      return navigate(`/Login?${new URLSearchParams({ from: pathname + search })}`)
    }
    if (!uid) return
    setProblem('')
    onWish(courseId, !wished)
    presses.current ??= new WishPresses()
    const end = await presses.current.press(!wished, (choice) =>
      fetchAnswer<ActionResult>(wishesAddress, new URLSearchParams({ courseId, wished: choice ? 'yes' : 'no' })),
    )
    if (!end) return
    if (end.answer?.done) return onStored()
    onWish(courseId, end.wished)
    setProblem(end.answer?.errors.form ?? wishNotSaved)
  }
  const look = words
    ? 'min-h-11 w-full rounded-control px-4 font-semibold hover:bg-sunken'
    : 'size-11 rounded-full bg-surface/90 shadow-card hover:bg-surface'
  return (
    <form method="post" action={wishesAddress} onSubmit={wish} className="relative">
      <input type="hidden" name="courseId" value={courseId} />
      <input type="hidden" name="wished" value={wished ? 'no' : 'yes'} />
      <button
        type="submit"
        aria-label={words ? undefined : `${label}: ${title}`}
        title={words ? undefined : label}
        className={`inline-flex items-center justify-center gap-2 ${wished ? 'text-bad' : 'text-ink'} ${look}`}
      >
        <Heart aria-hidden="true" size={20} fill={wished ? 'currentColor' : undefined} />
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
