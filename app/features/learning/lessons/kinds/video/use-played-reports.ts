import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Interval } from '../../../progress/watched-intervals'

type PlayedReports = {
  durationSeconds: number
  /** The element's played ranges, in milliseconds, and its position. */
  onPlayed(played: Interval[], positionMs: number): void
  /** The video pauses or is removed: the played ranges have to be sent now. */
  onRest(): void
  onTime(seconds: number): void
}

const moving = ['play', 'timeupdate', 'seeked'] as const
const resting = ['pause', 'ended'] as const

/** Uses the element's own `played` ranges: they leave out skipped parts, at any speed. */
export function usePlayedReports(
  video: RefObject<HTMLVideoElement | null>,
  { durationSeconds, ...tell }: PlayedReports,
): void {
  const tellPlayed = useEffectEvent(tell.onPlayed)
  const tellRest = useEffectEvent(tell.onRest)
  const tellTime = useEffectEvent(tell.onTime)
  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const listening = new AbortController()
    const { signal } = listening
    let touched = false
    const starts = new Set<number>()
    const toMs = (seconds: number) => Math.min(durationSeconds * 1000, Math.round(seconds * 1000))
    const report = (event?: Event) => {
      // A video that is being loaded again has no position.
      if (element.readyState === element.HAVE_NOTHING) {
        return
      }

      tellTime(element.currentTime)
      if (event?.type === 'play') {
        touched = true
      }

      if (event?.type === 'play' || event?.type === 'seeked') {
        starts.add(toMs(element.currentTime))
      }

      // A position set by the page isn't the learner's.
      if (!touched) {
        return
      }

      const played = Array.from({ length: element.played.length }, (_, index): Interval => {
        return [toMs(element.played.start(index)), toMs(element.played.end(index))]
      })
      tellPlayed(playedFromStart(played, [...starts]), toMs(element.currentTime))
    }
    const rest = () => {
      report()
      tellRest()
    }
    for (const name of moving) {
      element.addEventListener(name, report, { signal })
    }

    for (const name of resting) {
      element.addEventListener(name, rest, { signal })
    }

    // Between two of its events, up to a quarter of a second was played.
    document.addEventListener('visibilitychange', rest, { signal })
    window.addEventListener('pagehide', rest, { signal })

    return () => {
      listening.abort()
      rest()
    }
  }, [video, durationSeconds])
}

/** Goes on where the learner was, whenever the length is known anew and nothing was played yet. */
export function useStart(video: RefObject<HTMLVideoElement | null>, startAt: number): void {
  const placed = useRef(0)
  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const start = () => {
      const moved = Math.abs(element.currentTime - placed.current) > 0.1
      if (moved || element.played.length > 0 || startAt === placed.current) {
        return
      }

      placed.current = startAt
      element.currentTime = startAt
    }

    if (element.readyState > 0) {
      start()
    }

    element.addEventListener('loadedmetadata', start)

    return () => element.removeEventListener('loadedmetadata', start)
  }, [video, startAt])
}

/**
 * Firefox counts a stretch as played from its first `timeupdate` on, which comes up to this late.
 */
const lateMs = 1_000

/** A start is noticed while the video already plays. */
const toleranceMs = 100

/**
 * The played ranges, each from its real start.
 *
 * @param played as the browser says, in milliseconds.
 * @param starts where the video began to play, or went on after it was sought.
 */
export function playedFromStart(
  played: readonly Interval[],
  starts: readonly number[],
): Interval[] {
  return played.map(([start, end]): Interval => {
    // The latest one, because between two of them the video was sought.
    const begun = Math.max(...starts.filter((at) => at <= start + toleranceMs))
    return [start - begun <= lateMs ? Math.min(start, begun) : start, end]
  })
}
