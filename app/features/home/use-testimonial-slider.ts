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

type Move = { index: number; by: number }

const slideMs = 450
/** A shorter finger movement counts as a tap. */
const swipePx = 40

/** The leading testimonial, what moves it, and the event handlers for it. */
export function useTestimonialSlider(count: number) {
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
  const show = (steps: number) => setMove((move) => ({ index: cardAfter(move.index, steps, count), by: steps }))

  useEffect(() => {
    if (!rotating) return
    return startRotation(() => setMove((move) => ({ index: cardAfter(move.index, 1, count), by: 1 })))
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
      stillness.matches && setRotation((rotation) => ({ ...rotation, paused: true, resumed: false }))
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
    onPointerEnter: (event: PointerEvent) => event.pointerType !== 'touch' && notice({ hovered: true }),
    onPointerLeave: () => notice({ hovered: false }),
    onFocus: (event: FocusEvent) => event.target.matches(':focus-visible') && notice({ focused: true }),
    onBlur: (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && notice({ focused: false }),
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
      if (startX.current === null || endX === undefined) return
      const moved = endX - startX.current
      if (Math.abs(moved) >= swipePx) show(moved < 0 ? 1 : -1)
      startX.current = null
    },
  }
}

/**
 * Puts the track and its cards where they belong. The page's policy allows no style attribute in the HTML, so this is
 * done by script. The way there is an animation on top, so that the track's own transform always says where it stands.
 */
function useTrack({ index, by }: Move, count: number): RefObject<HTMLDivElement | null> {
  const track = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = track.current
    if (!element) return
    const shift = trackShiftPx(index)
    element.style.transform = `translateX(${shift}px)`
    for (const [card, child] of [...element.children].entries()) {
      const cardShift = cardShiftPx(card, index, count)
      if (child instanceof HTMLElement) child.style.transform = cardShift === 0 ? '' : `translateX(${cardShift}px)`
    }
    if (by === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    element.animate([{ transform: `translateX(${shift + by * stepPx}px)` }, { transform: `translateX(${shift}px)` }], {
      duration: slideMs,
      easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
    })
  }, [index, by, count])
  return track
}
