import { type RefObject, useEffect, useState } from 'react'
import type { LessonSettings } from '../../lesson-settings'

/** By the width of the player. */
const sizes: Record<LessonSettings['captionSize'], string> = {
  small: 'text-[max(0.8rem,1.7cqi)]',
  medium: 'text-[max(0.95rem,2.2cqi)]',
  large: 'text-[max(1.15rem,2.9cqi)]',
  huge: 'text-[max(1.4rem,3.7cqi)]',
}

type CaptionsProps = {
  video: RefObject<HTMLVideoElement | null>
  size: LessonSettings['captionSize']
  shown: boolean
  /** The video is in a window of its own. */
  outside: boolean
}

/**
 * The captions that the browser reads from the video's track, drawn above the controls: its own
 * would lie below them. Where the page can't draw over the video, the browser does.
 */
export function VideoCaptions({ video, size, shown, outside }: CaptionsProps) {
  const modeWhileShown = outside ? 'showing' : 'hidden'
  const lines = useActiveCues(video, shown ? modeWhileShown : 'disabled')
  if (!shown || outside || lines.length === 0) {
    return null
  }

  return (
    <p
      dir="auto"
      className={`pointer-events-none absolute inset-x-[6%] bottom-[6%] text-center leading-normal text-white transition-[bottom] duration-200 group-has-focus-visible/player:bottom-24 group-data-[controls=shown]/player:bottom-24 ${sizes[size]}`}
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
 * @param mode of the track: its cues are read while it is `hidden`, and drawn by the browser while
 * it is `showing`.
 */
function useActiveCues(video: RefObject<HTMLVideoElement | null>, mode: TextTrackMode): string[] {
  const [lines, setLines] = useState<string[]>([])
  useEffect(() => {
    const element = video.current
    const track = element?.textTracks[0]
    if (!element || !track) {
      return
    }

    const listening = new AbortController()
    const { signal } = listening
    const read = () => setLines(linesOf(track))
    const setMode = (to: TextTrackMode) => () => {
      track.mode = to
      read()
    }
    setMode(mode)()
    track.addEventListener('cuechange', read, { signal })
    // Loading a video again goes back to the track's default.
    element.addEventListener('loadeddata', setMode(mode), { signal })
    // An iPhone shows its own player on the whole screen.
    element.addEventListener(
      'webkitbeginfullscreen',
      setMode(mode === 'hidden' ? 'showing' : mode),
      { signal },
    )

    element.addEventListener('webkitendfullscreen', setMode(mode), { signal })

    return () => listening.abort()
  }, [video, mode])

  return lines
}

function linesOf(track: TextTrack): string[] {
  const texts = [...(track.activeCues ?? [])].map(
    (cue) => (cue as VTTCue).getCueAsHTML().textContent,
  )
  return texts.flatMap((text) => text.split('\n'))
}
