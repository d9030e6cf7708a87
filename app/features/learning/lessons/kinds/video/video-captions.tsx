import { type RefObject, useEffect, useState } from 'react'
import type { LessonSettings } from '../../lesson-settings'

/** The font sizes, which grow with the width of the player. */
const sizeClasses: Record<LessonSettings['captionSize'], string> = {
  small: 'text-[max(0.8rem,1.7cqi)]',
  medium: 'text-[max(0.95rem,2.2cqi)]',
  large: 'text-[max(1.15rem,2.9cqi)]',
  huge: 'text-[max(1.4rem,3.7cqi)]',
}

type CaptionsProps = {
  video: RefObject<HTMLVideoElement | null>
  size: LessonSettings['captionSize']
  isEnabled: boolean
  /** Whether the video is displayed in a window of its own. */
  isInOwnWindow: boolean
}

/**
 * Displays the captions above the controls. The browser's own captions would be hidden behind them.
 * In a window of its own, the video displays the browser's captions.
 */
export function VideoCaptions({ video, size, isEnabled, isInOwnWindow }: CaptionsProps) {
  const mode = isInOwnWindow ? 'showing' : 'hidden'
  const lines = useActiveLines(video, isEnabled ? mode : 'disabled')
  if (!isEnabled || isInOwnWindow || lines.length === 0) {
    return null
  }

  return (
    <p
      dir="auto"
      className={`pointer-events-none absolute inset-x-[6%] bottom-[6%] text-center leading-normal text-white transition-[bottom] duration-200 group-has-focus-visible/player:bottom-24 group-data-[controls=shown]/player:bottom-24 ${sizeClasses[size]}`}
    >
      {lines.map((line) => (
        <span key={line} className="block">
          <span className="rounded bg-black/80 box-decoration-clone px-2 py-0.5">{line}</span>
        </span>
      ))}
    </p>
  )
}

/**
 * Returns the lines of the captions at the current position.
 *
 * @param mode `hidden` only reads the captions, `showing` lets the browser display them, too
 */
function useActiveLines(video: RefObject<HTMLVideoElement | null>, mode: TextTrackMode): string[] {
  const [lines, setLines] = useState<string[]>([])
  useEffect(() => {
    const element = video.current
    const track = element?.textTracks[0]
    if (!element || !track) {
      return
    }

    const updateLines = () => setLines(listActiveLines(track))
    const setTrackMode = (trackMode: TextTrackMode) => {
      track.mode = trackMode
      updateLines()
    }
    const resetTrackMode = () => setTrackMode(mode)
    const setFullScreenMode = () => setTrackMode(mode === 'hidden' ? 'showing' : mode)

    resetTrackMode()

    const abortController = new AbortController()
    const { signal } = abortController
    track.addEventListener('cuechange', updateLines, { signal })
    // A video that is loaded again has the track's default mode.
    element.addEventListener('loadeddata', resetTrackMode, { signal })
    // In full screen, an iPhone displays its own player.
    element.addEventListener('webkitbeginfullscreen', setFullScreenMode, { signal })
    element.addEventListener('webkitendfullscreen', resetTrackMode, { signal })

    return () => abortController.abort()
  }, [video, mode])

  return lines
}

function listActiveLines(track: TextTrack): string[] {
  const activeCues = [...(track.activeCues ?? [])] as VTTCue[]
  return activeCues.flatMap((cue) => cue.getCueAsHTML().textContent.split('\n'))
}
