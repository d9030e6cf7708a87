import type { KeyboardEvent } from 'react'
import { formatClock } from '~/ui/format-duration'
import type { Interval } from '../../../progress/watched-intervals'

const jumpDirections: Record<string, 1 | -1> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
}

type VideoSeekBarProps = {
  positionSeconds: number
  durationSeconds: number
  /** The second up to which the video is loaded. */
  bufferedSeconds: number
  watched: readonly Interval[]
  onSeek(seconds: number): void
  onKeyJump(direction: 1 | -1): void
}

/** Displays the position, the loaded part and, in color, the watched parts of the video. */
export function VideoSeekBar({
  positionSeconds,
  durationSeconds,
  bufferedSeconds,
  watched,
  onSeek,
  onKeyJump,
}: VideoSeekBarProps) {
  const toPercent = (seconds: number) => `${Math.min(100, (seconds / durationSeconds) * 100)}%`

  const handleKeyDown = (event: KeyboardEvent) => {
    const direction = jumpDirections[event.key]
    if (direction === undefined) {
      return
    }

    // The browser would move the slider by one of its own steps.
    event.preventDefault()
    onKeyJump(direction)
  }

  return (
    <div className="relative h-6 min-w-0 flex-1 rounded-full has-focus-visible:outline-3 has-focus-visible:outline-white">
      <svg aria-hidden="true" width="100%" height="24" className="block overflow-visible">
        <rect
          y="9"
          width="100%"
          height="6"
          rx="3"
          className="fill-white/25 forced-colors:fill-[GrayText]"
        />
        <rect
          y="9"
          width={toPercent(bufferedSeconds)}
          height="6"
          rx="3"
          className="fill-white/25 forced-colors:fill-[GrayText]"
        />
        {watched.map(([start, end]) => (
          <rect
            key={start}
            x={toPercent(start / 1000)}
            y="9"
            width={toPercent((end - start) / 1000)}
            height="6"
            className="fill-accent forced-colors:fill-[Highlight]"
            data-watched
          />
        ))}
        <circle
          cx={toPercent(positionSeconds)}
          cy="12"
          r="8"
          className="fill-white forced-colors:fill-[CanvasText]"
        />
      </svg>
      <input
        type="range"
        aria-label="Seek"
        aria-valuetext={`${formatClock(positionSeconds)} of ${formatClock(durationSeconds)}`}
        min={0}
        max={durationSeconds}
        step="any"
        value={Math.min(positionSeconds, durationSeconds)}
        onChange={(event) => onSeek(Number(event.target.value))}
        onKeyDown={handleKeyDown}
        className="absolute inset-0 h-6 w-full cursor-pointer opacity-0"
      />
    </div>
  )
}
