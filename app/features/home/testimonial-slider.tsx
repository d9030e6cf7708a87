import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import {
  type FocusEvent,
  type PointerEvent,
  type RefObject,
  type TouchEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Avatar } from '~/ui/avatar'
import { IconButton } from '~/ui/button'
import { Stars } from '~/ui/stars'
import type { Testimonial } from './home-queries.server'
import {
  cardAfter,
  cardShiftPx,
  isRotating,
  noticeAttention,
  type Rotation,
  startRotation,
  stepPx,
  togglePaused,
  trackShiftPx,
} from './testimonial-rotation'

/**
 * The WAI-ARIA carousel: the cards move by themselves until the pointer or the focus enters.
 * Without a script it is a list that scrolls sideways.
 */
export function TestimonialSlider({ testimonials }: { testimonials: Testimonial[] }) {
  const slider = useTestimonialSlider(testimonials.length)
  const leading = testimonials[slider.index]
  const several = testimonials.length > 1

  return (
    <section
      aria-roledescription={several ? 'carousel' : undefined}
      aria-labelledby="testimonials-title"
      className="mt-24 border-line border-y bg-sunken py-20 lg:mt-32 lg:py-28"
      {...slider.attention}
    >
      <div className="column flex flex-wrap items-end justify-between gap-6">
        <div className="max-w-2xl">
          <p className="eyebrow">In their words</p>
          <h2 id="testimonials-title" className="title mt-3">
            What learners say
          </h2>
        </div>
        {several && <Controls slider={slider} count={testimonials.length} name={leading?.name} />}
      </div>
      <div
        className={`mx-auto mt-6 max-w-[112rem] py-4 [scrollbar-width:none] md:[mask-image:linear-gradient(to_right,transparent,black_7%,black_93%,transparent)] [@media(scripting:none)]:[scrollbar-width:thin] ${slider.ready ? 'overflow-x-clip' : 'overflow-x-auto'}`}
      >
        <div className="column">
          <div
            ref={slider.track}
            data-slider-track=""
            className={several ? 'flex w-max gap-5' : 'flex justify-center'}
          >
            {testimonials.map((testimonial, index) => (
              // biome-ignore lint/a11y/useSemanticElements: the carousel pattern wants groups, and these are no form fields.
              <div
                key={testimonial.position}
                role="group"
                aria-roledescription="slide"
                aria-label={`${index + 1} of ${testimonials.length}`}
                className="flex w-[300px] max-w-full"
              >
                <TestimonialCard testimonial={testimonial} />
              </div>
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}

type ControlsProps = {
  slider: ReturnType<typeof useTestimonialSlider>
  count: number
  name: string | undefined
}

function Controls({ slider, count, name }: ControlsProps) {
  return (
    <div className="flex items-center gap-2 [@media(scripting:none)]:hidden">
      <p
        aria-live={slider.rotating ? 'off' : 'polite'}
        aria-atomic="true"
        className="mr-2 text-muted text-sm"
      >
        <span className="sr-only">Testimonial </span>
        <span className="tabular-nums">
          {slider.index + 1} of {count}
        </span>
        <span className="sr-only">, by {name}</span>
      </p>
      <IconButton
        variant="round"
        label={slider.paused ? 'Play the testimonials' : 'Pause the testimonials'}
        onClick={slider.togglePaused}
      >
        {slider.paused ? (
          <Play aria-hidden="true" size={20} />
        ) : (
          <Pause aria-hidden="true" size={20} />
        )}
      </IconButton>
      <IconButton variant="round" label="Previous testimonial" onClick={slider.showPrevious}>
        <ChevronLeft aria-hidden="true" size={22} />
      </IconButton>
      <IconButton variant="round" label="Next testimonial" onClick={slider.showNext}>
        <ChevronRight aria-hidden="true" size={22} />
      </IconButton>
    </div>
  )
}

function TestimonialCard({
  testimonial: { rating, text, name, role },
}: {
  testimonial: Testimonial
}) {
  return (
    <figure className="card flex flex-1 flex-col p-6">
      <Stars rating={rating} />
      <blockquote className="mt-4 flex-1">
        <p>{text}</p>
      </blockquote>
      <figcaption className="mt-6 flex items-center gap-3 border-line border-t pt-5">
        <Avatar src={null} name={name} />
        <span className="min-w-0">
          <span className="block font-semibold leading-snug">{name}</span>
          <span className="block text-muted text-sm leading-snug">{role}</span>
        </span>
      </figcaption>
    </figure>
  )
}

type Move = { index: number; by: number }

const slideMs = 450
/** A shorter finger movement counts as a tap. */
const swipePx = 40

/** The leading testimonial, the timer that advances it, and the event handlers. */
function useTestimonialSlider(count: number) {
  const [{ index, by }, setMove] = useState<Move>({ index: 0, by: 0 })
  const [rotation, setRotation] = useState<Rotation>({
    paused: false,
    resumed: false,
    hovered: false,
    focused: false,
    tabHidden: false,
  })
  const ready = useReady()
  const rotating = count > 1 && isRotating(rotation)
  const show = (steps: number) =>
    setMove((move) => ({ index: cardAfter(move.index, steps, count), by: steps }))

  useEffect(() => {
    if (!rotating) {
      return
    }

    return startRotation(() =>
      setMove((move) => ({ index: cardAfter(move.index, 1, count), by: 1 })),
    )
  }, [rotating, count])

  useSurroundings(setRotation)

  return {
    index,
    ready,
    rotating,
    paused: rotation.paused,
    track: useTrack({ index, by }, count),
    showNext: () => show(1),
    showPrevious: () => show(-1),
    togglePaused: () => setRotation(togglePaused),
    attention: { ...attentionHandlers(setRotation), ...useSwipe(count > 1 ? show : stay) },
  }
}

/** A single card does not move. */
function stay() {}

/** True once the script runs: from then on the track is moved, not scrolled. */
function useReady(): boolean {
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  return ready
}

type ChangeRotation = (change: (rotation: Rotation) => Rotation) => void

/** Pauses in a hidden tab; under reduced motion it starts only with the button. */
function useSurroundings(setRotation: ChangeRotation) {
  useEffect(() => {
    const leaving = new AbortController()
    const stillness = matchMedia('(prefers-reduced-motion: reduce)')
    const noticeTab = () => setRotation((rotation) => ({ ...rotation, tabHidden: document.hidden }))
    const noticeMotion = () =>
      stillness.matches &&
      setRotation((rotation) => ({ ...rotation, paused: true, resumed: false }))
    noticeTab()
    noticeMotion()
    document.addEventListener('visibilitychange', noticeTab, { signal: leaving.signal })
    stillness.addEventListener('change', noticeMotion, { signal: leaving.signal })

    return () => leaving.abort()
  }, [setRotation])
}

function attentionHandlers(setRotation: ChangeRotation) {
  const notice = (change: Parameters<typeof noticeAttention>[1]) =>
    setRotation((rotation) => noticeAttention(rotation, change))
  return {
    onPointerEnter: (event: PointerEvent) =>
      event.pointerType !== 'touch' && notice({ hovered: true }),
    onPointerLeave: () => notice({ hovered: false }),
    onFocus: (event: FocusEvent) =>
      event.target.matches(':focus-visible') && notice({ focused: true }),
    onBlur: (event: FocusEvent) =>
      !event.currentTarget.contains(event.relatedTarget) && notice({ focused: false }),
  }
}

function useSwipe(show: (steps: number) => void) {
  const startX = useRef<number | null>(null)
  return {
    onTouchStart: (event: TouchEvent) => {
      startX.current = event.touches[0]?.clientX ?? null
    },
    onTouchEnd: (event: TouchEvent) => {
      const endX = event.changedTouches[0]?.clientX
      if (startX.current === null || endX === undefined) {
        return
      }

      const moved = endX - startX.current
      if (Math.abs(moved) >= swipePx) {
        show(moved < 0 ? 1 : -1)
      }

      startX.current = null
    },
  }
}

/**
 * Puts the track and its cards where they belong. The page's policy allows no style attribute in
 * the HTML, so this is done by script. The way there is an animation on top, so that the track's
 * own transform always says where it stands.
 */
function useTrack({ index, by }: Move, count: number): RefObject<HTMLDivElement | null> {
  const track = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = track.current
    if (!element) {
      return
    }

    const shift = trackShiftPx(index)
    element.style.transform = `translateX(${shift}px)`
    for (const [card, child] of [...element.children].entries()) {
      const cardShift = cardShiftPx(card, index, count)
      if (child instanceof HTMLElement) {
        child.style.transform = cardShift === 0 ? '' : `translateX(${cardShift}px)`
      }
    }

    if (by === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      return
    }

    element.animate(
      [
        { transform: `translateX(${shift + by * stepPx}px)` },
        { transform: `translateX(${shift}px)` },
      ],
      {
        duration: slideMs,
        easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
      },
    )
  }, [index, by, count])

  return track
}
