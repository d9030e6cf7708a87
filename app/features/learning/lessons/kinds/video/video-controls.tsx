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
import { type RefObject, useId } from 'react'
import { Button, IconButton } from '~/ui/button'
import { formatClock } from '~/ui/format-duration'
import type { Interval } from '../../../progress/watched-intervals'
import { captionSizes, type LessonSettings, speeds } from '../../lesson-settings'
import type { Video } from './use-video'
import { videoKeys } from './video-keys'

type VideoControlsProps = {
  video: Video
  hasCaptions: boolean
  watched: readonly Interval[]
  onShowSettings(): void
}

/**
 * The control bar at the lower edge of the video. In a narrow player, it omits the controls that
 * phones have buttons for, and those that are needed least.
 */
export function VideoControls({ video, hasCaptions, watched, onShowSettings }: VideoControlsProps) {
  const { state, settings, run, seek } = video
  return (
    <div className="px-2 pb-1 text-white sm:px-3">
      <div className="flex items-center px-2">
        <VideoSeekBar
          {...state}
          watched={watched}
          onSeek={seek}
          onKeyJump={(direction) => run(direction < 0 ? 'back-5' : 'forward-5')}
        />
        <PlaybackPosition {...state} className="ml-4 @xl/player:hidden" />
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
        <VolumeControl video={video} />
        <PlaybackPosition {...state} className="mx-2 hidden @xl/player:block" />
        <span className="flex-1" />
        <SpeedSelect video={video} />
        {hasCaptions && (
          <Control
            label="Captions"
            isPressed={settings.captions}
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
  isPressed?: boolean
  className?: string
  onClick(): void
  children: ReactNode
}

function Control({ label, isPressed, className, onClick, children }: ControlProps) {
  return (
    <IconButton
      variant="onVideo"
      label={label}
      title={label}
      aria-pressed={isPressed}
      className={className}
      onClick={onClick}
    >
      {children}
    </IconButton>
  )
}

function VolumeControl({ video: { settings, run, changeSettings } }: { video: Video }) {
  const isSilent = settings.muted || settings.volume === 0
  return (
    <>
      <Control
        label={isSilent ? 'Unmute' : 'Mute'}
        className="@max-xl/player:hidden"
        onClick={() => run('toggle-mute')}
      >
        {isSilent ? <VolumeX size={21} /> : <Volume2 size={21} />}
      </Control>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={isSilent ? 'Muted' : `${Math.round(settings.volume * 100)} percent`}
        min={0}
        max={1}
        step={0.05}
        value={isSilent ? 0 : settings.volume}
        onChange={(event) => changeSettings({ volume: Number(event.target.value), muted: false })}
        className="hidden h-6 w-20 cursor-pointer accent-white outline-white @3xl/player:block"
      />
    </>
  )
}

type PlaybackPositionProps = { time: number; duration: number; className: string }

function PlaybackPosition({ time, duration, className }: PlaybackPositionProps) {
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
 * Displays nothing if the browser does not support picture-in-picture. The controls are never
 * rendered on the server, where there is no `document`.
 */
function PictureInPictureControl({ video: { state, togglePictureInPicture } }: { video: Video }) {
  if (!document.pictureInPictureEnabled) {
    return null
  }

  return (
    <Control
      label="Picture in picture"
      className="@max-xl/player:hidden"
      isPressed={state.pictureInPicture}
      onClick={togglePictureInPicture}
    >
      <PictureInPicture2 size={20} />
    </Control>
  )
}

const jumpDirections: Record<string, 1 | -1> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
}

type VideoSeekBarProps = {
  /** The position in seconds, like `duration` and `buffered`. */
  time: number
  duration: number
  buffered: number
  watched: readonly Interval[]
  onSeek(seconds: number): void
  onKeyJump(direction: 1 | -1): void
}

/** Displays the position, the loaded part and, in color, the watched parts of the video. */
function VideoSeekBar({ time, duration, buffered, watched, onSeek, onKeyJump }: VideoSeekBarProps) {
  const toPercent = (seconds: number) => `${Math.min(100, (seconds / duration) * 100)}%`

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
          width={toPercent(buffered)}
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
          cx={toPercent(time)}
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
        onKeyDown={handleKeyDown}
        className="absolute inset-0 h-6 w-full cursor-pointer opacity-0"
      />
    </div>
  )
}

const captionSizeNames: Record<LessonSettings['captionSize'], string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
  huge: 'Extra large',
}

type VideoSettingsProps = { dialog: RefObject<HTMLDialogElement | null>; video: Video }

/** The dialog with the settings for all videos and the keyboard shortcuts. */
export function VideoSettings({ dialog, video: { settings, changeSettings } }: VideoSettingsProps) {
  const id = useId()
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card border border-line bg-surface p-6 text-ink shadow-raised backdrop:bg-black/60"
    >
      <h2 id={id} className="text-xl font-bold">
        Video settings
      </h2>
      <fieldset className="mt-4">
        <legend className="font-semibold">Caption size</legend>
        {captionSizes.map((size) => (
          <label key={size} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={`${id}-size`}
              checked={settings.captionSize === size}
              onChange={() => changeSettings({ captionSize: size, captions: true })}
              className="size-5 shrink-0 accent-accent"
            />
            {captionSizeNames[size]}
          </label>
        ))}
      </fieldset>
      <SettingCheckbox checked={settings.goesOn} onChange={(goesOn) => changeSettings({ goesOn })}>
        Autoplay: the next lesson starts after a countdown
      </SettingCheckbox>
      <SettingCheckbox
        checked={settings.pageKeys}
        onChange={(pageKeys) => changeSettings({ pageKeys })}
      >
        Shortcuts work anywhere on the page, not just in the player
      </SettingCheckbox>
      <details className="border-line border-t pt-1">
        <summary className="min-h-11 content-center font-semibold">Keyboard shortcuts</summary>
        <ShortcutList />
      </details>
      <form method="dialog" className="mt-4 text-right">
        <Button type="submit">Close</Button>
      </form>
    </dialog>
  )
}

type SettingCheckboxProps = { checked: boolean; onChange(checked: boolean): void; children: string }

function SettingCheckbox({ checked, onChange, children }: SettingCheckboxProps) {
  return (
    <label className="flex min-h-14 items-center gap-3 border-line border-t">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5 shrink-0 accent-accent"
      />
      <span>{children}</span>
    </label>
  )
}

function ShortcutList() {
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
      {videoKeys.map(({ keys, command, meaning }) => (
        <div key={command} className="col-span-2 grid grid-cols-subgrid">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-8 rounded-lg border border-edge bg-sunken px-2 text-center font-sans text-sm font-semibold"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
