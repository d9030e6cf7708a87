import {
  Captions,
  CaptionsOff,
  Keyboard,
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
import type { Interval } from '~/features/progress/watched-intervals'
import { clockText } from '~/ui/format-duration'
import { IconButton } from '~/ui/icon-button'
import { speeds } from './player-settings'
import type { Video } from './use-video'

/**
 * The bar under the picture: always there, so that nothing has to be found by hovering. In a narrow one the time stands
 * beside the seek bar, and what is used least in the settings, so that the buttons stay in one row.
 */
export function VideoControls({
  video,
  watched,
  narrow,
  onShowShortcuts,
  onShowSettings,
}: {
  video: Video
  watched: readonly Interval[]
  narrow: boolean
  onShowShortcuts(): void
  onShowSettings(): void
}) {
  const { state, settings, run, seek } = video
  return (
    <div className="py-2 text-white">
      <div className="flex items-center px-3">
        <VideoSeekBar
          {...state}
          watched={watched}
          onSeek={seek}
          onKeyJump={(by) => run(by < 0 ? 'back-5' : 'forward-5')}
        />
        {narrow && <Time {...state} className="ml-4" />}
      </div>
      <div className={`mt-1 flex items-center ${narrow ? 'px-1' : 'gap-x-1 px-3'}`}>
        <Control label={state.playing ? 'Pause' : 'Play'} onClick={() => run('toggle-play')}>
          {state.playing ? <Pause fill="currentColor" size={20} /> : <Play fill="currentColor" size={20} />}
        </Control>
        <Control label="Back 10 seconds" onClick={() => run('back-10')}>
          <RotateCcw size={19} />
        </Control>
        <Control label="Forward 10 seconds" onClick={() => run('forward-10')}>
          <RotateCw size={19} />
        </Control>
        <Sound video={video} />
        {!narrow && <Time {...state} className="mx-2" />}
        <span className="flex-1" />
        {!narrow && <SpeedSelect video={video} />}
        <Control label="Captions" pressed={settings.captions} onClick={() => run('toggle-captions')}>
          {settings.captions ? <Captions size={21} /> : <CaptionsOff size={21} />}
        </Control>
        <Control label="Video settings" onClick={onShowSettings}>
          <Settings size={20} />
        </Control>
        {!narrow && <PictureInPictureControl video={video} />}
        {!narrow && (
          <Control label="Keyboard shortcuts" onClick={onShowShortcuts}>
            <Keyboard size={20} />
          </Control>
        )}
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

/** Reserves the height of the controls, so that the layout doesn't move when they load. */
export function ControlsBeforeScripts() {
  return (
    <div aria-hidden="true" className="h-[88px] px-3 pt-2 text-white/40 noscript:hidden">
      <svg aria-hidden="true" width="100%" height="24" className="block">
        <rect y="9" width="100%" height="6" rx="3" className="fill-white/25" />
      </svg>
      <span className="mt-1 grid size-11 place-items-center">
        <Play fill="currentColor" size={20} />
      </span>
    </div>
  )
}

function Control({
  label,
  pressed,
  onClick,
  children,
}: {
  label: string
  pressed?: boolean
  onClick(): void
  children: ReactNode
}) {
  return (
    <IconButton look="onFilm" label={label} title={label} aria-pressed={pressed} onClick={onClick}>
      {children}
    </IconButton>
  )
}

function Sound({ video: { settings, run, changeSettings } }: { video: Video }) {
  const silent = settings.muted || settings.volume === 0
  return (
    <>
      <Control label={silent ? 'Unmute' : 'Mute'} onClick={() => run('toggle-mute')}>
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
        onChange={(event) => changeSettings(() => ({ volume: Number(event.target.value), muted: false }))}
        className="hidden h-6 w-20 cursor-pointer accent-white outline-white @3xl:block"
      />
    </>
  )
}

function Time({ time, duration, className }: { time: number; duration: number; className: string }) {
  return (
    <p className={`text-sm tabular-nums ${className}`}>
      {clockText(time)} <span className="text-white/70">/ {clockText(duration)}</span>
    </p>
  )
}

function SpeedSelect({ video: { settings, changeSettings } }: { video: Video }) {
  return (
    <select
      aria-label="Speed"
      title="Speed"
      value={settings.speed}
      onChange={(event) => changeSettings(() => ({ speed: Number(event.target.value) }))}
      className="h-11 rounded-control bg-black px-2 text-sm font-semibold text-white tabular-nums outline-white hover:bg-white/15"
    >
      {speeds.map((speed) => (
        <option key={speed} value={speed}>
          {speed}×
        </option>
      ))}
    </select>
  )
}

/** Only where the browser can do it; these controls are never rendered on the server, which cannot know. */
function PictureInPictureControl({ video: { state, togglePictureInPicture } }: { video: Video }) {
  if (!document.pictureInPictureEnabled) return null
  return (
    <Control label="Picture in picture" pressed={state.pictureInPicture} onClick={togglePictureInPicture}>
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
