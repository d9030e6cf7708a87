import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { VideoFiles } from './video-material.server'

/**
 * New addresses of a lesson's video.
 *
 * @returns null when there are none: no connection, or no longer signed in.
 */
export async function fetchVideoFiles(
  courseId: string,
  lessonId: string,
): Promise<VideoFiles | null> {
  try {
    const response = await fetch(`/Learn/${courseId}/${lessonId}/film`)
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

type RenewableVideoProps = {
  files: VideoFiles
  /** @returns null when there is no new address just now. */
  renewFiles(): Promise<VideoFiles | null>
}

/**
 * A video whose addresses work for some hours only, in a page that stays open for days: when it
 * stops, new addresses are fetched, and it goes on at the same second. A video that stops again at
 * the same address is given up until the learner asks for it.
 */
export function useRenewableVideo(
  video: RefObject<HTMLVideoElement | null>,
  { files, renewFiles }: RenewableVideoProps,
) {
  const [current, setCurrent] = useState(files)
  const [renewing, setRenewing] = useState(false)
  const triedAfter = useRef<string | null>(null)

  const renew = useCallback(async () => {
    const element = video.current
    if (!element) {
      return
    }

    const wasPlaying = !element.paused
    setRenewing(true)
    const next = await renewFiles()
    if (next) {
      flushSync(() => setCurrent(next))
    }

    // Meanwhile the browser may have paused the failed video, or the learner pressed play; loading
    // resets both.
    const plays = wasPlaying || !element.paused
    const { currentTime } = element
    // Until then the element still reports the earlier error.
    element.addEventListener('loadstart', () => setRenewing(false), { once: true })
    element.load()
    element.currentTime = currentTime
    if (plays) {
      void element.play().catch(() => {})
    }
  }, [video, renewFiles])

  /** For the learner's retry. */
  const tryAgain = useCallback(() => {
    void video.current?.play().catch(() => {})
    void renew()
  }, [video, renew])

  const onStopped = useEffectEvent(() => {
    const element = video.current
    const stopped = element && (element.error || element.networkState === element.NETWORK_NO_SOURCE)
    if (!stopped || renewing || triedAfter.current === current.mp4) {
      return
    }

    triedAfter.current = current.mp4
    void renew()
  })

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const stopped = () => onStopped()
    // Of the element itself, or of the last of its sources.
    element.addEventListener('error', stopped, { capture: true })
    // The error may have occurred before this script ran.
    stopped()

    return () => element.removeEventListener('error', stopped, { capture: true })
  }, [video])

  return { files: current, renewing, tryAgain }
}
