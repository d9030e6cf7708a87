import { Heart } from 'lucide-react'
import type { SubmitEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { changeWish, useWishes, wishesAddress } from './wish-list'

type WishButtonProps = {
  courseId: string
  title: string
  /** Undefined while the session is being determined, null for a visitor, who is led to the login. */
  uid: string | null | undefined
  /** With its words, or only the heart. */
  words?: boolean
}

/** A heart that keeps a course for later. Without a script it is a form. */
export function WishButton({ courseId, title, uid, words = false }: WishButtonProps) {
  const wished = useWishes(uid)?.includes(courseId) ?? false
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const wish = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (uid) void changeWish(uid, courseId, !wished)
    else if (uid === null) void navigate(`/Login?${new URLSearchParams({ from: pathname + search })}`)
  }
  const look = words
    ? 'min-h-11 w-full rounded-control px-4 font-semibold hover:bg-sunken'
    : 'size-11 rounded-full bg-surface/90 shadow-card hover:bg-surface'
  return (
    <form method="post" action={wishesAddress} onSubmit={wish}>
      <input type="hidden" name="courseId" value={courseId} />
      <input type="hidden" name="wished" value={wished ? 'no' : 'yes'} />
      <button
        type="submit"
        aria-pressed={wished}
        aria-label={`Wish list: ${title}`}
        title={wished ? 'Take from the wish list' : 'Add to the wish list'}
        className={`inline-flex items-center justify-center gap-2 text-ink aria-pressed:text-bad ${look}`}
      >
        <Heart aria-hidden="true" size={20} fill={wished ? 'currentColor' : 'none'} />
        {words && (wished ? 'On your wish list' : 'Add to wish list')}
      </button>
    </form>
  )
}
