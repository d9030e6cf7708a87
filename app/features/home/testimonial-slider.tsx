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
import { useHydrated } from '~/ui/hooks'
import { Stars } from '~/ui/stars'
import type { Testimonial } from './home-queries.server'
import {
  changeAttention,
  getCardShiftPx,
  getRowShiftPx,
  isRotating,
  type Rotation,
  startRotation,
  stepIndex,
  stepPx,
  togglePaused,
} from './testimonial-rotation'

/**
 * Shows testimonials in a carousel: https://www.w3.org/WAI/ARIA/apg/patterns/carousel/. The cards
 * move by themselves, except while the pointer or the focus is inside. Without JavaScript, the
 * cards are a row that scrolls sideways.
 */
export function TestimonialSlider({ testimonials }: { testimonials: Testimonial[] }) {
  const slider = useTestimonialSlider(testimonials.length)
  const leadingTestimonial = testimonials[slider.index]
  const hasSeveral = testimonials.length > 1

  return (
    <section
      aria-roledescription={hasSeveral ? 'carousel' : undefined}
      aria-labelledby="testimonials-title"
      className="mt-24 border-line border-y bg-sunken py-20 lg:mt-32 lg:py-28"
      {...slider.eventHandlers}
    >
      <div className="column flex flex-wrap items-end justify-between gap-6">
        <div className="max-w-2xl">
          <p className="eyebrow">In their words</p>
          <h2 id="testimonials-title" className="title mt-3">
            What learners say
          </h2>
        </div>
        {hasSeveral && (
          <Controls slider={slider} count={testimonials.length} name={leadingTestimonial?.name} />
        )}
      </div>
      <div
        className={`mx-auto mt-6 max-w-[112rem] py-4 [scrollbar-width:none] md:[mask-image:linear-gradient(to_right,transparent,black_7%,black_93%,transparent)] [@media(scripting:none)]:[scrollbar-width:thin] ${slider.isHydrated ? 'overflow-x-clip' : 'overflow-x-auto'}`}
      >
        <div className="column">
          <div
            ref={slider.row}
            data-slider-track=""
            className={hasSeveral ? 'flex w-max gap-5' : 'flex justify-center'}
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
        aria-live={slider.isRotating ? 'off' : 'polite'}
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
        label={slider.isPaused ? 'Play the testimonials' : 'Pause the testimonials'}
        onClick={slider.togglePaused}
      >
        {slider.isPaused ? (
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

/** The index of the leading card, and the number of steps by which the row moved to it. */
type Move = { index: number; steps: number }

const slideMs = 450
/** A shorter movement of the finger counts as a tap. */
const minSwipePx = 40

/** Returns the index of the leading card, the state of the rotation, and the event handlers. */
function useTestimonialSlider(count: number) {
  const [{ index, steps }, setMove] = useState<Move>({ index: 0, steps: 0 })
  const [rotation, setRotation] = useState<Rotation>({
    isPaused: false,
    isResumed: false,
    isHovered: false,
    isFocused: false,
    isTabHidden: false,
  })
  const isHydrated = useHydrated()
  const shouldRotate = count > 1 && isRotating(rotation)
  const move = (stepCount: number) =>
    setMove((previous) => ({
      index: stepIndex(previous.index, stepCount, count),
      steps: stepCount,
    }))
  const swipeHandlers = useSwipe((stepCount) => {
    // A single card doesn't move.
    if (count > 1) {
      move(stepCount)
    }
  })

  useEffect(() => {
    if (!shouldRotate) {
      return
    }

    return startRotation(() =>
      setMove((previous) => ({ index: stepIndex(previous.index, 1, count), steps: 1 })),
    )
  }, [shouldRotate, count])

  useAutomaticPauses(setRotation)

  return {
    index,
    isHydrated,
    isRotating: shouldRotate,
    isPaused: rotation.isPaused,
    row: useRowAnimation({ index, steps }, count),
    showNext: () => move(1),
    showPrevious: () => move(-1),
    togglePaused: () => setRotation(togglePaused),
    eventHandlers: { ...createAttentionHandlers(setRotation), ...swipeHandlers },
  }
}

type SetRotation = (change: (rotation: Rotation) => Rotation) => void

/**
 * Pauses the cards in a hidden tab. Under reduced motion, the cards move only after "Play" was
 * pressed.
 */
function useAutomaticPauses(setRotation: SetRotation) {
  useEffect(() => {
    const unmountController = new AbortController()
    const { signal } = unmountController
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    const updateTabVisibility = () =>
      setRotation((rotation) => ({ ...rotation, isTabHidden: document.hidden }))
    const pauseForReducedMotion = () =>
      reducedMotion.matches &&
      setRotation((rotation) => ({ ...rotation, isPaused: true, isResumed: false }))

    updateTabVisibility()
    pauseForReducedMotion()
    document.addEventListener('visibilitychange', updateTabVisibility, { signal })
    reducedMotion.addEventListener('change', pauseForReducedMotion, { signal })

    return () => unmountController.abort()
  }, [setRotation])
}

/**
 * Creates the event handlers that notice when the pointer or the focus enters or leaves the cards.
 */
function createAttentionHandlers(setRotation: SetRotation) {
  const update = (change: Parameters<typeof changeAttention>[1]) =>
    setRotation((rotation) => changeAttention(rotation, change))

  return {
    onPointerEnter: (event: PointerEvent) =>
      event.pointerType !== 'touch' && update({ isHovered: true }),
    onPointerLeave: () => update({ isHovered: false }),
    onFocus: (event: FocusEvent) =>
      event.target.matches(':focus-visible') && update({ isFocused: true }),
    onBlur: (event: FocusEvent) =>
      !event.currentTarget.contains(event.relatedTarget) && update({ isFocused: false }),
  }
}

/** @param onSwipe receives 1 after a swipe to the left, and -1 after a swipe to the right */
function useSwipe(onSwipe: (steps: number) => void) {
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

      const distancePx = endX - startX.current
      if (Math.abs(distancePx) >= minSwipePx) {
        onSwipe(distancePx < 0 ? 1 : -1)
      }

      startX.current = null
    },
  }
}

/**
 * Shifts the row and its cards to their positions. The page's content security policy allows no
 * style attributes in the HTML, so an effect sets the styles. The styles always have the final
 * position. The movement to that position is a separate animation.
 */
function useRowAnimation({ index, steps }: Move, count: number): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = row.current
    if (!element) {
      return
    }

    const rowShiftPx = getRowShiftPx(index)
    element.style.transform = `translateX(${rowShiftPx}px)`
    for (const [cardIndex, card] of [...element.children].entries()) {
      const cardShiftPx = getCardShiftPx(cardIndex, index, count)
      if (card instanceof HTMLElement) {
        card.style.transform = cardShiftPx === 0 ? '' : `translateX(${cardShiftPx}px)`
      }
    }

    if (steps === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      return
    }

    element.animate(
      [
        { transform: `translateX(${rowShiftPx + steps * stepPx}px)` },
        { transform: `translateX(${rowShiftPx}px)` },
      ],
      {
        duration: slideMs,
        easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
      },
    )
  }, [index, steps, count])

  return row
}
