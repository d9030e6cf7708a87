import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useLessonSettings } from '../../lesson-settings'
import { stepSpeed, type VideoCommand } from './video-keys'

type VideoState = {
  playing: boolean
  /** Seconds. */
  time: number
  duration: number
  buffered: number
  ended: boolean
  waiting: boolean
  failed: boolean
  /** Nothing of it was played yet. */
  untouched: boolean
  pictureInPicture: boolean
  fullScreen: boolean
}

const atRest: Omit<VideoState, 'duration'> = {
  playing: false,
  time: 0,
  buffered: 0,
  ended: false,
  waiting: false,
  failed: false,
  untouched: true,
  pictureInPicture: false,
  fullScreen: false,
}

const followed = [
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

/** A native video element under the product's own controls. */
export function useVideo(durationSeconds: number) {
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLElement>(null)
  const [state, setState] = useState<VideoState>({ ...atRest, duration: durationSeconds })
  const [settings, changeSettings] = useLessonSettings()

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    const listening = new AbortController()
    let waiting = false
    const read = (event?: Event) => {
      if (event?.type === 'waiting') {
        waiting = true
      }

      if (event?.type === 'playing' || event?.type === 'pause' || event?.type === 'seeked') {
        waiting = false
      }

      setState(readState(element, durationSeconds, waiting))
    }

    read()
    // Errors are events of the sources inside, and don't bubble.
    for (const name of followed) {
      element.addEventListener(name, read, { capture: true, signal: listening.signal })
    }

    document.addEventListener('fullscreenchange', read, { signal: listening.signal })

    return () => listening.abort()
  }, [durationSeconds])

  useEffect(() => {
    const element = video.current
    if (!element) {
      return
    }

    // Loading again goes back to the default.
    element.defaultPlaybackRate = settings.speed
    element.playbackRate = settings.speed
    element.volume = settings.volume
    element.muted = settings.muted
  }, [settings.speed, settings.volume, settings.muted])

  const commands = useMemo(() => commandsOf(video, frame), [])
  const run = (command: VideoCommand) => {
    const { speed, volume, muted, captions } = settings
    if (command === 'slower') {
      changeSettings({ speed: stepSpeed(speed, -1) })
    } else if (command === 'faster') {
      changeSettings({ speed: stepSpeed(speed, 1) })
    } else if (command === 'louder') {
      changeSettings({ volume: clamp(volume + 0.1, 0, 1), muted: false })
    } else if (command === 'quieter') {
      changeSettings({ volume: clamp(volume - 0.1, 0, 1), muted: false })
    } else if (command === 'toggle-mute') {
      changeSettings(muted || volume === 0 ? audible(volume) : { muted: true })
    } else if (command === 'toggle-captions') {
      changeSettings({ captions: !captions })
    } else {
      commands.run(command)
    }
  }

  return { ...commands, video, frame, state, settings, changeSettings, run }
}

/** Sound that was turned down to nothing comes back at half volume. */
const audible = (volume: number) => ({ muted: false, volume: volume || 0.5 })

function readState(
  element: HTMLVideoElement,
  durationSeconds: number,
  waiting: boolean,
): VideoState {
  const { buffered, networkState } = element
  return {
    playing: !element.paused && !element.ended,
    time: element.currentTime,
    duration:
      Number.isFinite(element.duration) && element.duration > 0
        ? element.duration
        : durationSeconds,
    buffered: buffered.length > 0 ? buffered.end(buffered.length - 1) : 0,
    ended: element.ended,
    waiting: waiting && !element.paused,
    failed: element.error !== null || networkState === element.NETWORK_NO_SOURCE,
    untouched: element.paused && element.played.length === 0,
    pictureInPicture: document.pictureInPictureElement === element,
    fullScreen: document.fullscreenElement !== null,
  }
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value))

const jumps: Partial<Record<VideoCommand, number>> = {
  'back-10': -10,
  'forward-10': 10,
  'back-5': -5,
  'forward-5': 5,
}

function commandsOf(
  video: RefObject<HTMLVideoElement | null>,
  frame: RefObject<HTMLElement | null>,
) {
  const seek = (seconds: number) => {
    const element = video.current
    if (element) {
      element.currentTime = clamp(
        seconds,
        0,
        Number.isFinite(element.duration) ? element.duration : seconds,
      )
    }
  }
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

      const jump = jumps[command]
      if (jump !== undefined) {
        seek(element.currentTime + jump)
      } else if (command === 'toggle-play') {
        element.paused ? play() : element.pause()
      } else if (command === 'toggle-full-screen') {
        toggleFullScreen(element, frame.current)
      }
    },
  }
}

/** iPhones can show only the video itself on the whole screen. */
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
