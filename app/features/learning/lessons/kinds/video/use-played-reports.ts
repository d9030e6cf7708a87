import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Interval } from '../../../progress/watched-intervals'

/**
 * Reports which intervals of a video were really played.
 *
 * The browser's own `played` ranges are the source. They leave out skipped parts, at any speed.
 * Their starts are corrected, because Firefox notices the start of playing late.
 */

type PlayedReportsOptions = {
  durationSeconds: number
  /** Called with the played intervals and the position, in milliseconds of the video. */
  onPlayed(played: Interval[], positionMs: number): void
  /** Called when the video pauses or is removed, so that the reports have to be sent now. */
  onRest(): void
  /** Called with the position, whether or not the learner has played anything. */
  onPlaybackTime(seconds: number): void
}

const progressEvents = ['play', 'timeupdate', 'seeked'] as const
const restEvents = ['pause', 'ended'] as const

export function usePlayedReports(
  video: RefObject<HTMLVideoElement | null>,
  { durationSeconds, ...callbacks }: PlayedReportsOptions,
): void {
  const onPlayed = useEffectEvent(callbacks.onPlayed)
  const onRest = useEffectEvent(callbacks.onRest)
  const onPlaybackTime = useEffectEvent(callbacks.onPlaybackTime)

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    let hasBeenPlayed = false
    /** The positions at which the video started to play, or continued after a jump. */
    const startsMs = new Set<number>()
    const toMs = (seconds: number) => Math.min(durationSeconds * 1000, Math.round(seconds * 1000))

    const report = (event?: Event) => {
      // The learner may press play before the video has loaded anything.
      if (event?.type === 'play') {
        hasBeenPlayed = true
      }

      if (event?.type === 'play' || event?.type === 'seeked') {
        startsMs.add(toMs(element.currentTime))
      }

      // A video that is loaded again has no position yet.
      if (element.readyState === element.HAVE_NOTHING) {
        return
      }

      onPlaybackTime(element.currentTime)

      // Before that, the position was set by the page and not by the learner.
      if (!hasBeenPlayed) {
        return
      }

      const played = listPlayedIntervals(element.played, toMs)
      onPlayed(correctStarts(played, [...startsMs]), toMs(element.currentTime))
    }

    const reportRest = () => {
      report()
      onRest()
    }

    const abortController = new AbortController()
    const { signal } = abortController
    for (const eventName of progressEvents) {
      element.addEventListener(eventName, report, { signal })
    }

    for (const eventName of restEvents) {
      element.addEventListener(eventName, reportRest, { signal })
    }

    // Up to a quarter of a second may have been played since the last event of the video.
    document.addEventListener('visibilitychange', reportRest, { signal })
    window.addEventListener('pagehide', reportRest, { signal })

    return () => {
      abortController.abort()
      reportRest()
    }
  }, [video, durationSeconds])
}

function listPlayedIntervals(ranges: TimeRanges, toMs: (seconds: number) => number): Interval[] {
  return Array.from({ length: ranges.length }, (_, index): Interval => {
    return [toMs(ranges.start(index)), toMs(ranges.end(index))]
  })
}

/** Firefox counts an interval as played only from its first `timeupdate`, which comes this late. */
const maxDelayMs = 1_000

/** The video already plays when the page notices the start. */
const startToleranceMs = 100

/**
 * Returns the played intervals, each from its real start.
 *
 * @param played the intervals as the browser reports them, in milliseconds
 * @param startsMs the positions at which the video started to play, or continued after a jump
 */
export function correctStarts(
  played: readonly Interval[],
  startsMs: readonly number[],
): Interval[] {
  return played.map(([reportedStart, end]): Interval => {
    // Only the latest start counts, because the learner jumped after the earlier ones.
    const possibleStartsMs = startsMs.filter((ms) => ms <= reportedStart + startToleranceMs)
    const latestStart = Math.max(...possibleStartsMs)
    const isDelayed = reportedStart - latestStart <= maxDelayMs
    return [isDelayed ? Math.min(reportedStart, latestStart) : reportedStart, end]
  })
}

/** The browser may round the position that the page has set. */
const positionToleranceSeconds = 0.1

/**
 * Moves the video to a start position once its length is known. A video that was played or moved
 * stays where it is.
 */
export function useStartPosition(
  video: RefObject<HTMLVideoElement | null>,
  startSeconds: number,
): void {
  const lastSetSeconds = useRef(0)

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const moveToStart = () => {
      const distanceSeconds = Math.abs(element.currentTime - lastSetSeconds.current)
      const wasMoved = distanceSeconds > positionToleranceSeconds
      const wasPlayed = element.played.length > 0
      if (wasMoved || wasPlayed || startSeconds === lastSetSeconds.current) {
        return
      }

      lastSetSeconds.current = startSeconds
      element.currentTime = startSeconds
    }

    const hasMetadata = element.readyState >= element.HAVE_METADATA
    if (hasMetadata) {
      moveToStart()
    }

    element.addEventListener('loadedmetadata', moveToStart)

    return () => element.removeEventListener('loadedmetadata', moveToStart)
  }, [video, startSeconds])
}
