import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { ButtonLink, IconButton } from './button'
import { ShareButton, type SharedPage } from './share-button'

/** An achievement and the next goal. */
export type CelebrationNews = {
  /** An icon of 28 pixels. */
  icon: ReactNode
  /** A few words, for example 'Lesson finished'. */
  title: string
  /** One sentence about the achievement or the next goal. Screen readers announce it, too. */
  text?: string
  next?: { to: string; text: string }
  /** The public page of the achievement, such as a certificate. */
  share?: SharedPage
}

type CelebrationProps = CelebrationNews & {
  /**
   * `here` makes the card a part of the page. The other placements lay it over the page: `corner`
   * at the lower edge of the window, and `top` below the site's header, for pages whose buttons
   * stand at the end.
   */
  placement?: keyof typeof placementClasses
  /** Dismisses the celebration. Without this function, the celebration stays. */
  onDismiss?(): void
}

const placementClasses = {
  corner: 'celebration-corner fixed z-40 shadow-raised',
  top: 'fixed inset-x-4 top-20 z-40 shadow-raised sm:left-auto sm:w-104',
  here: '',
} as const

/**
 * Celebrates an achievement. Screen readers announce the celebration once, without moving the
 * focus. Escape dismisses it while the focus is inside. Each celebration needs a key of its own, so
 * that its animation and its announcement start anew.
 */
export function CelebrationCard({
  icon,
  title,
  text,
  next,
  share,
  placement = 'here',
  onDismiss,
}: CelebrationProps) {
  const id = useId()
  const dismissOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      onDismiss?.()
    }
  }

  return (
    <section
      aria-labelledby={id}
      data-celebration={placement}
      onKeyDown={dismissOnEscape}
      className={`card flex items-start gap-3.5 p-4 motion-safe:animate-celebration sm:gap-4 sm:p-5 print:hidden ${placementClasses[placement]}`}
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

/** Shows the icon, with rays that appear and disappear once. */
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

const announcementDelayMs = 150
const announcementClearedAfterMs = 4_000

/**
 * Announces a text to screen readers. They announce changes of a status, but not its first text, so
 * the text is set after a short delay. Later it is removed, so that screen readers don't come
 * across it a second time.
 */
export function Announcement({ children }: { children: string }) {
  const [announcedText, setAnnouncedText] = useState('')
  useEffect(() => {
    const announceTimer = setTimeout(() => setAnnouncedText(children), announcementDelayMs)
    const clearTimer = setTimeout(() => setAnnouncedText(''), announcementClearedAfterMs)

    return () => {
      clearTimeout(announceTimer)
      clearTimeout(clearTimer)
    }
  }, [children])

  return (
    <p role="status" className="sr-only">
      {announcedText}
    </p>
  )
}

const rayAngles = Array.from({ length: 12 }, (_, index) => index * 30)

/**
 * Draws rays that appear once around the positioned parent element. They stay hidden if the viewer
 * prefers reduced motion.
 */
export function Rays() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 56 56"
      className="pointer-events-none absolute inset-0 overflow-visible forced-colors:hidden print:hidden"
    >
      {rayAngles.map((angle) => (
        // Each ray begins one unit above the icon's circle, and is seven units long.
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
