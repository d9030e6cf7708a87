import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { ButtonLink, IconButton } from './button'
import { ShareButton, type Shared } from './share-button'

/** An achievement and the next goal. */
export type CelebrationNews = {
  /** An icon of 28 px. */
  icon: ReactNode
  /** A few words: 'Lesson finished'. */
  title: string
  /** One sentence about the achievement or the next goal; it is also read out. */
  text?: string
  next?: { to: string; text: string }
  /** The public page to share. */
  share?: Shared
}

type CelebrationProps = CelebrationNews & {
  /**
   * Over the page and in view: `corner` at the window's lower edge, `top` below the site's header,
   * for pages whose buttons stand at the end. `here` is a part of the page.
   */
  place?: 'corner' | 'top' | 'here'
  /** Without it the celebration stays. */
  onDismiss?(): void
}

const places = {
  corner: 'celebration-corner fixed z-40 shadow-raised',
  top: 'fixed inset-x-4 top-20 z-40 shadow-raised sm:left-auto sm:w-104',
  here: '',
} as const

/**
 * A short, calm celebration. It is read out once without taking the focus, and Escape inside it
 * dismisses it. Give each its own key.
 */
export function CelebrationCard({
  icon,
  title,
  text,
  next,
  share,
  place = 'here',
  onDismiss,
}: CelebrationProps) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      onDismiss?.()
    }
  }

  return (
    <section
      aria-labelledby={id}
      data-celebration={place}
      onKeyDown={onKeyDown}
      className={`card flex items-start gap-3.5 p-4 motion-safe:animate-celebration sm:gap-4 sm:p-5 print:hidden ${places[place]}`}
    >
      <Badge>{icon}</Badge>
      <div className="min-w-0 flex-1">
        <h2 id={id} className="font-bold text-lg">
          {title}
        </h2>
        {text && <p className="mt-1 text-muted">{text}</p>}
        {(next || share) && (
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {next && (
              <ButtonLink to={next.to} onClick={onDismiss}>
                {next.text}
              </ButtonLink>
            )}
            {share && <ShareButton {...share} />}
          </div>
        )}
      </div>
      {onDismiss && (
        <IconButton label="Dismiss" onClick={onDismiss} className="-mt-2 -mr-2">
          <X aria-hidden="true" size={20} />
        </IconButton>
      )}
      <Announcement>{text ? `${title}. ${text}` : title}</Announcement>
    </section>
  )
}

/** The icon, with rays that come and go once. */
function Badge({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="relative grid size-11 shrink-0 place-items-center sm:size-14"
    >
      <Rays />
      <span className="grid size-full place-items-center rounded-full bg-accent text-on-accent motion-safe:animate-celebration-badge forced-colors:border">
        {children}
      </span>
    </span>
  )
}

/**
 * Screen readers announce changes of a status, not its first text. Emptied soon, so that the text
 * isn't read twice.
 */
export function Announcement({ children }: { children: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const say = setTimeout(() => setSaid(children), 150)
    const clear = setTimeout(() => setSaid(''), 4_000)

    return () => {
      clearTimeout(say)
      clearTimeout(clear)
    }
  }, [children])

  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

const rays = Array.from({ length: 12 }, (_, index) => index * 30)

/**
 * Rays that appear once around the positioned parent element; hidden with `prefers-reduced-motion`.
 */
export function Rays() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 56 56"
      className="pointer-events-none absolute inset-0 overflow-visible forced-colors:hidden print:hidden"
    >
      {rays.map((angle) => (
        <path
          key={angle}
          d="M28-1v-7"
          transform={`rotate(${angle} 28 28)`}
          pathLength="1"
          className={`celebration-ray ${angle % 60 === 0 ? 'stroke-accent' : 'stroke-star'}`}
        />
      ))}
    </svg>
  )
}
