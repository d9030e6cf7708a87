import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { VideoFiles } from './video-material.server'

/**
 * Keeps a video playing although its signed URLs expire.
 *
 * The URLs work for some hours, but a page may stay open for days. When a video fails, new URLs are
 * fetched, and it continues at the same second. A video that fails again with the same URLs is
 * given up until the learner tries again.
 */

/** Returns new URLs of a lesson's video, or null if the learner is offline or not signed in. */
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

type RenewableVideoOptions = {
  files: VideoFiles
  /** Returns null if new URLs can't be fetched now. */
  renewFiles(): Promise<VideoFiles | null>
}

/**
 * Renews the URLs of a video when it fails.
 *
 * @returns the files with their current URLs, and a function with which the learner can try again
 */
export function useRenewableVideo(
  video: RefObject<HTMLVideoElement | null>,
  { files: initialFiles, renewFiles }: RenewableVideoOptions,
) {
  const [files, setFiles] = useState(initialFiles)
  const [isRenewing, setIsRenewing] = useState(false)
  /** The URL whose failure has already led to a renewal. */
  const failedUrl = useRef<string | null>(null)

  const renew = useCallback(async () => {
    const element = video.current
    if (!element) {
      return
    }

    const wasPlaying = !element.paused
    setIsRenewing(true)
    const newFiles = await renewFiles()
    if (newFiles) {
      flushSync(() => setFiles(newFiles))
    }

    // Loading resets the position, and pauses the video. The learner may have pressed play during
    // the renewal, or the browser may have paused the failed video.
    const shouldPlay = wasPlaying || !element.paused
    const { currentTime } = element
    // Until the new files start to load, the element still reports the earlier error.
    element.addEventListener('loadstart', () => setIsRenewing(false), { once: true })
    element.load()
    element.currentTime = currentTime
    if (shouldPlay) {
      void element.play().catch(() => {})
    }
  }, [video, renewFiles])

  const tryAgain = useCallback(() => {
    void video.current?.play().catch(() => {})
    void renew()
  }, [video, renew])

  const renewAfterFailure = useEffectEvent(() => {
    const element = video.current
    const hasFailed =
      element !== null &&
      (element.error !== null || element.networkState === element.NETWORK_NO_SOURCE)
    if (!hasFailed || isRenewing || failedUrl.current === files.mp4) {
      return
    }

    failedUrl.current = files.mp4
    void renew()
  })

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const handleError = () => renewAfterFailure()
    // The <source> elements inside the video fire error events, which don't bubble.
    element.addEventListener('error', handleError, { capture: true })
    // The error may have occurred before this script ran.
    handleError()

    return () => element.removeEventListener('error', handleError, { capture: true })
  }, [video])

  return { files, isRenewing, tryAgain }
}
