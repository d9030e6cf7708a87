import {
  Captions,
  CaptionsOff,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  RotateCw,
  Settings,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { formatClock } from '~/ui/format-duration'
import { IconButton } from '~/ui/icon-button'
import type { Interval } from '../../../progress/watched-intervals'
import { speeds } from '../../lesson-settings'
import type { Video } from './use-video'

type ControlsProps = {
  video: Video
  hasCaptions: boolean
  watched: readonly Interval[]
  onShowSettings(): void
}

/**
 * The bar over the lower edge of the picture. A narrow one leaves out what phones have buttons for,
 * or need least.
 */
export function VideoControls({ video, hasCaptions, watched, onShowSettings }: ControlsProps) {
  const { state, settings, run, seek } = video
  return (
    <div className="px-2 pb-1 text-white sm:px-3">
      <div className="flex items-center px-2">
        <VideoSeekBar
          {...state}
          watched={watched}
          onSeek={seek}
          onKeyJump={(by) => run(by < 0 ? 'back-5' : 'forward-5')}
        />
        <Time {...state} className="ml-4 @xl/player:hidden" />
      </div>
      <div className="flex items-center @xl/player:gap-x-1">
        <Control label={state.playing ? 'Pause' : 'Play'} onClick={() => run('toggle-play')}>
          {state.playing ? (
            <Pause fill="currentColor" size={20} />
          ) : (
            <Play fill="currentColor" size={20} />
          )}
        </Control>
        <Control label="Back 10 seconds" onClick={() => run('back-10')}>
          <RotateCcw size={19} />
        </Control>
        <Control
          label="Forward 10 seconds"
          className="@max-[22rem]/player:hidden"
          onClick={() => run('forward-10')}
        >
          <RotateCw size={19} />
        </Control>
        <Sound video={video} />
        <Time {...state} className="mx-2 hidden @xl/player:block" />
        <span className="flex-1" />
        <SpeedSelect video={video} />
        {hasCaptions && (
          <Control
            label="Captions"
            pressed={settings.captions}
            onClick={() => run('toggle-captions')}
          >
            {settings.captions ? <Captions size={21} /> : <CaptionsOff size={21} />}
          </Control>
        )}
        <Control label="Video settings" onClick={onShowSettings}>
          <Settings size={20} />
        </Control>
        <PictureInPictureControl video={video} />
        <Control
          label={state.fullScreen ? 'Exit full screen' : 'Full screen'}
          onClick={() => run('toggle-full-screen')}
        >
          {state.fullScreen ? <Minimize size={20} /> : <Maximize size={20} />}
        </Control>
      </div>
    </div>
  )
}

type ControlProps = {
  label: string
  pressed?: boolean
  className?: string
  onClick(): void
  children: ReactNode
}

function Control({ label, pressed, className, onClick, children }: ControlProps) {
  return (
    <IconButton
      variant="onVideo"
      label={label}
      title={label}
      aria-pressed={pressed}
      className={className}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}

function Sound({ video: { settings, run, changeSettings } }: { video: Video }) {
  const silent = settings.muted || settings.volume === 0
  return (
    <>
      <Control
        label={silent ? 'Unmute' : 'Mute'}
        className="@max-xl/player:hidden"
        onClick={() => run('toggle-mute')}
      >
        {silent ? <VolumeX size={21} /> : <Volume2 size={21} />}
      </Control>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={silent ? 'Muted' : `${Math.round(settings.volume * 100)} percent`}
        min={0}
        max={1}
        step={0.05}
        value={silent ? 0 : settings.volume}
        onChange={(event) => changeSettings({ volume: Number(event.target.value), muted: false })}
        className="hidden h-6 w-20 cursor-pointer accent-white outline-white @3xl/player:block"
      />
    </>
  )
}

function Time({
  time,
  duration,
  className,
}: {
  time: number
  duration: number
  className: string
}) {
  return (
    <p className={`text-sm tabular-nums ${className}`}>
      {formatClock(time)} <span className="text-white/70">/ {formatClock(duration)}</span>
    </p>
  )
}

function SpeedSelect({ video: { settings, changeSettings } }: { video: Video }) {
  return (
    <select
      aria-label="Speed"
      title="Speed"
      value={settings.speed}
      onChange={(event) => changeSettings({ speed: Number(event.target.value) })}
      className="field-sizing-content h-11 rounded-control bg-transparent px-1 text-sm font-semibold text-white tabular-nums outline-white hover:bg-white/15"
    >
      {speeds.map((speed) => (
        <option key={speed} value={speed} className="bg-black">
          {speed}×
        </option>
      ))}
    </select>
  )
}

/**
 * Only where the browser can do it; these controls are never rendered on the server, which cannot
 * know.
 */
function PictureInPictureControl({ video: { state, togglePictureInPicture } }: { video: Video }) {
  if (!document.pictureInPictureEnabled) {
    return null
  }

  return (
    <Control
      label="Picture in picture"
      className="@max-xl/player:hidden"
      pressed={state.pictureInPicture}
      onClick={togglePictureInPicture}
    >
      <PictureInPicture2 size={20} />
    </Control>
  )
}

/** One bar: the position, the loaded ranges and, in color, the played ones. */
function VideoSeekBar({
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
    if (by === undefined) {
      return
    }

    event.preventDefault()
    onKeyJump(by)
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
        <circle
          cx={percent(time)}
          cy="12"
          r="8"
          className="fill-white forced-colors:fill-[CanvasText]"
        />
      </svg>
      <input
        type="range"
        aria-label="Seek"
        aria-valuetext={`${formatClock(time)} of ${formatClock(duration)}`}
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
