import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { type LessonSettings, useLessonSettings } from '../../lesson-settings'
import { stepSpeed, type VideoCommand } from './video-keys'

type VideoState = {
  isPlaying: boolean
  positionSeconds: number
  durationSeconds: number
  /** The second up to which the video is loaded. */
  bufferedSeconds: number
  hasEnded: boolean
  isWaiting: boolean
  hasFailed: boolean
  /** Whether no part of the video was played yet. */
  isUntouched: boolean
  isPictureInPicture: boolean
  isFullScreen: boolean
}

const initialState: Omit<VideoState, 'durationSeconds'> = {
  isPlaying: false,
  positionSeconds: 0,
  bufferedSeconds: 0,
  hasEnded: false,
  isWaiting: false,
  hasFailed: false,
  isUntouched: true,
  isPictureInPicture: false,
  isFullScreen: false,
}

const stateEvents = [
  'play',
  'pause',
  'timeupdate',
  'seeking',
  'seeked',
  'ended',
  'waiting',
  'playing',
  'progress',
  'loadstart',
  'loadedmetadata',
  'durationchange',
  'error',
  'enterpictureinpicture',
  'leavepictureinpicture',
] as const

export type Video = ReturnType<typeof useVideo>

/**
 * Controls a native video element: its state for the player's controls, the learner's settings, and
 * the commands of the player.
 */
export function useVideo(durationSeconds: number) {
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLElement>(null)
  const [state, setState] = useState<VideoState>({ ...initialState, durationSeconds })
  const [settings, changeSettings] = useLessonSettings()

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const abortController = new AbortController()
    const { signal } = abortController
    let isWaiting = false
    const updateState = (event?: Event) => {
      if (event?.type === 'waiting') {
        isWaiting = true
      }

      if (event?.type === 'playing' || event?.type === 'pause' || event?.type === 'seeked') {
        isWaiting = false
      }

      setState(readState(element, durationSeconds, isWaiting))
    }

    updateState()

    for (const eventName of stateEvents) {
      // The <source> elements inside the video fire error events, which don't bubble.
      element.addEventListener(eventName, updateState, { capture: true, signal })
    }

    document.addEventListener('fullscreenchange', updateState, { signal })

    return () => abortController.abort()
  }, [durationSeconds])

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    // An element that loads its video again resets its speed to the default speed.
    element.defaultPlaybackRate = settings.speed
    element.playbackRate = settings.speed
    element.volume = settings.volume
    element.muted = settings.muted
  }, [settings.speed, settings.volume, settings.muted])

  const commands = useMemo(() => createCommands(video, frame), [])
  const run = (command: VideoCommand) => {
    const changedSettings = getChangedSettings(command, settings)
    if (changedSettings) {
      changeSettings(changedSettings)
    } else {
      commands.run(command)
    }
  }

  return { ...commands, video, frame, state, settings, changeSettings, run }
}

/** Returns the settings that a command changes, or null if it acts on the video itself. */
function getChangedSettings(
  command: VideoCommand,
  { speed, volume, muted, captions }: LessonSettings,
): Partial<LessonSettings> | null {
  switch (command) {
    case 'slower':
      return { speed: stepSpeed(speed, -1) }
    case 'faster':
      return { speed: stepSpeed(speed, 1) }
    case 'louder':
      return { volume: clamp(volume + 0.1, 0, 1), muted: false }
    case 'quieter':
      return { volume: clamp(volume - 0.1, 0, 1), muted: false }
    case 'toggle-mute':
      return toggleMute(muted, volume)
    case 'toggle-captions':
      return { captions: !captions }
    default:
      return null
  }
}

function toggleMute(isMuted: boolean, volume: number): Partial<LessonSettings> {
  const isAudible = !isMuted && volume !== 0
  if (isAudible) {
    return { muted: true }
  }

  // A volume that was turned down to zero comes back at half volume.
  return { muted: false, volume: volume || 0.5 }
}

function readState(
  element: HTMLVideoElement,
  durationSeconds: number,
  isWaiting: boolean,
): VideoState {
  const { buffered, networkState } = element
  const hasDuration = Number.isFinite(element.duration) && element.duration > 0

  return {
    isPlaying: !element.paused && !element.ended,
    positionSeconds: element.currentTime,
    durationSeconds: hasDuration ? element.duration : durationSeconds,
    bufferedSeconds: buffered.length > 0 ? buffered.end(buffered.length - 1) : 0,
    hasEnded: element.ended,
    isWaiting: isWaiting && !element.paused,
    hasFailed: element.error !== null || networkState === element.NETWORK_NO_SOURCE,
    isUntouched: element.paused && element.played.length === 0,
    isPictureInPicture: document.pictureInPictureElement === element,
    isFullScreen: document.fullscreenElement !== null,
  }
}

/** The seconds by which a command moves the position. */
const jumpSeconds: Partial<Record<VideoCommand, number>> = {
  'back-10': -10,
  'forward-10': 10,
  'back-5': -5,
  'forward-5': 5,
}

/** Creates the commands that act on the video. They do nothing while there is no video element. */
function createCommands(
  video: RefObject<HTMLVideoElement | null>,
  frame: RefObject<HTMLElement | null>,
) {
  const seek = (seconds: number) => {
    const element = video.current
    if (!element) {
      return
    }

    const maxSeconds = Number.isFinite(element.duration) ? element.duration : seconds
    element.currentTime = clamp(seconds, 0, maxSeconds)
  }

  // Browsers may refuse to play a video by itself. The learner then presses play.
  const play = () => void video.current?.play().catch(() => {})

  return {
    seek,
    play,

    togglePictureInPicture() {
      if (document.pictureInPictureElement) {
        void document.exitPictureInPicture().catch(() => {})
      } else {
        void video.current?.requestPictureInPicture().catch(() => {})
      }
    },

    run(command: VideoCommand) {
      const element = video.current
      if (!element) {
        return
      }

      const seconds = jumpSeconds[command]
      if (seconds !== undefined) {
        seek(element.currentTime + seconds)
      } else if (command === 'toggle-play' && element.paused) {
        play()
      } else if (command === 'toggle-play') {
        element.pause()
      } else if (command === 'toggle-full-screen') {
        toggleFullScreen(element, frame.current)
      }
    },
  }
}

/** Toggles full screen. iPhones can display only the video itself, without its frame. */
function toggleFullScreen(
  video: HTMLVideoElement & { webkitEnterFullscreen?(): void },
  frame: HTMLElement | null,
): void {
  if (document.fullscreenElement) {
    void document.exitFullscreen().catch(() => {})
  } else if (frame?.requestFullscreen) {
    void frame.requestFullscreen().catch(() => {})
  } else {
    video.webkitEnterFullscreen?.()
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
