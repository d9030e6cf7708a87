import type { KeyboardEvent } from 'react'
import type { Interval } from '~/features/progress/watched-intervals'
import { clockText } from '~/ui/format-duration'

/** One bar: where the video stands, what is loaded, and, in color, what was really played. */
export function VideoSeekBar({
  time,
  duration,
  buffered,
  watched,
  onSeek,
  onKeyJump,
}: {
  /** Seconds, like `duration` and `buffered`. */
  time: number
  duration: number
  buffered: number
  watched: readonly Interval[]
  onSeek(seconds: number): void
  onKeyJump(seconds: number): void
}) {
  const percent = (seconds: number) => `${Math.min(100, (seconds / duration) * 100)}%`
  const jump = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onKeyJump(by)
  }
  return (
    <div className="relative h-6 min-w-0 flex-1 rounded-full has-focus-visible:outline-3 has-focus-visible:outline-white">
      <svg aria-hidden="true" width="100%" height="24" className="block overflow-visible">
        <rect y="9" width="100%" height="6" rx="3" className="fill-white/25 forced-colors:fill-[GrayText]" />
        <rect
          y="9"
          width={percent(buffered)}
          height="6"
          rx="3"
          className="fill-white/25 forced-colors:fill-[GrayText]"
        />
        {watched.map(([start, end]) => (
          <rect
            key={start}
            x={percent(start / 1000)}
            y="9"
            width={percent((end - start) / 1000)}
            height="6"
            className="fill-accent forced-colors:fill-[Highlight]"
            data-watched
          />
        ))}
        <circle cx={percent(time)} cy="12" r="8" className="fill-white forced-colors:fill-[CanvasText]" />
      </svg>
      <input
        type="range"
        aria-label="Seek"
        aria-valuetext={`${clockText(time)} of ${clockText(duration)}`}
        min={0}
        max={duration}
        step="any"
        value={Math.min(time, duration)}
        onChange={(event) => onSeek(Number(event.target.value))}
        onKeyDown={jump}
        className="absolute inset-0 h-6 w-full cursor-pointer opacity-0"
      />
    </div>
  )
}
