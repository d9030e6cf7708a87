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
import type { ReactNode } from 'react'
import { IconButton } from '~/ui/button'
import { formatClock } from '~/ui/format-duration'
import type { Interval } from '../../../progress/watched-intervals'
import { speeds } from '../../lesson-settings'
import type { Video } from './use-video'
import { VideoSeekBar } from './video-seek-bar'

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
          positionSeconds={state.positionSeconds}
          durationSeconds={state.durationSeconds}
          bufferedSeconds={state.bufferedSeconds}
          watched={watched}
          onSeek={seek}
          onKeyJump={(direction) => run(direction < 0 ? 'back-5' : 'forward-5')}
        />
        <PlaybackPosition state={state} className="ml-4 @xl/player:hidden" />
      </div>
      <div className="flex items-center @xl/player:gap-x-1">
        <Control label={state.isPlaying ? 'Pause' : 'Play'} onClick={() => run('toggle-play')}>
          {state.isPlaying ? (
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
        <PlaybackPosition state={state} className="mx-2 hidden @xl/player:block" />
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
          label={state.isFullScreen ? 'Exit full screen' : 'Full screen'}
          onClick={() => run('toggle-full-screen')}
        >
          {state.isFullScreen ? <Minimize size={20} /> : <Maximize size={20} />}
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

type PlaybackPositionProps = { state: Video['state']; className: string }

function PlaybackPosition({ state, className }: PlaybackPositionProps) {
  return (
    <p className={`text-sm tabular-nums ${className}`}>
      {formatClock(state.positionSeconds)}{' '}
      <span className="text-white/70">/ {formatClock(state.durationSeconds)}</span>
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
      isPressed={state.isPictureInPicture}
      onClick={togglePictureInPicture}
    >
      <PictureInPicture2 size={20} />
    </Control>
  )
}
