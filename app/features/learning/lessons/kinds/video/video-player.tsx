import { LoaderCircle, Play } from 'lucide-react'
import {
  type MouseEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { Button } from '~/ui/button'
import { formatClock } from '~/ui/format-duration'
import { useHydrated } from '~/ui/use-hydrated'
import type { Interval } from '../../../progress/watched-intervals'
import { noVideo } from '../../lesson-messages'
import { useRenewableVideo } from './renewable-video'
import { usePlayedReports, useStart } from './use-played-reports'
import { useVideo, type Video } from './use-video'
import { VideoCaptions } from './video-captions'
import { VideoControls, VideoSettings } from './video-controls'
import { findVideoCommand, type KeyTarget, playerTakesKey, type VideoCommand } from './video-keys'
import type { VideoFiles } from './video-material.server'

/** The player's methods for the rest of the screen. */
export type PlayerHandle = {
  /** Goes there and plays. */
  seek(seconds: number): void
  isPlaying(): boolean
  /**
   * Shown in a small window of its own, so that the learner watches while the page is behind
   * others.
   */
  isInOwnWindow(): boolean
}

type VideoPlayerProps = {
  ref: Ref<PlayerHandle>
  files: VideoFiles
  renewFiles(): Promise<VideoFiles | null>
  title: string
  durationSeconds: number
  /** Seconds to go on from. */
  startAt: number
  /** It begins to play at once, where the browser lets it. */
  plays: boolean
  watched: readonly Interval[]
  onPlayed(played: Interval[], positionMs: number): void
  onRest(): void
  onTime(seconds: number): void
  /** Shown over the last picture. */
  ending: ReactNode
}

/** The video takes the width, but leaves its title and the lesson's buttons in the window. */
const videoWidth =
  'mx-auto w-full max-w-[max(24rem,calc((100dvh-13.5rem)*16/9))] in-[:fullscreen]:max-w-none'

/** The video element, and everything that follows it. */
function usePlayer(props: VideoPlayerProps) {
  const { ref, durationSeconds, startAt, plays } = props
  const player = useVideo(durationSeconds)
  const { video, play, seek, state } = player
  const renewable = useRenewableVideo(video, props)
  const settings = useRef<HTMLDialogElement>(null)
  const controls = useControlsShown(state.playing)
  const { wake } = controls
  const run = (command: VideoCommand) => {
    wake()
    player.run(command)
  }
  useVideoKeys({ ...player, run }, settings)
  useStart(video, startAt)
  usePlayedReports(video, props)
  const hydrated = useHydrated()
  useEffect(() => {
    if (plays) {
      play()
    }
  }, [plays, play])

  useImperativeHandle(ref, () => ({
    seek(seconds) {
      seek(seconds)
      play()
    },
    isPlaying: () => video.current?.paused === false,
    isInOwnWindow: () =>
      video.current !== null && document.pictureInPictureElement === video.current,
  }))

  return { player: { ...player, run }, renewable, hydrated, settings, controls }
}

/**
 * The product's own controls on a native video; without a script the browser's controls are used.
 */
export function VideoPlayer(props: VideoPlayerProps) {
  const { title, watched } = props
  const { player, renewable, hydrated, settings, controls } = usePlayer(props)
  const { video, frame, state } = player
  const { files } = renewable
  const onClick = ({ nativeEvent }: MouseEvent) => {
    const touched = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    if (!touched) {
      player.run('toggle-play')
    } else if (controls.shown) {
      controls.rest()
    } else {
      controls.wake()
    }
  }

  return (
    <>
      {/* The poster is there before any script. */}
      <link rel="preload" as="image" href={files.poster} fetchPriority="high" />
      <section
        ref={frame}
        aria-label="Video player"
        tabIndex={-1}
        data-controls={controls.shown ? 'shown' : 'hidden'}
        {...controls.handlers}
        className="group/player night bg-black outline-offset-4 data-[controls=hidden]:cursor-none print:hidden"
      >
        <div className={`@container/player relative in-[:fullscreen]:h-full ${videoWidth}`}>
          {/* biome-ignore lint/a11y/useMediaCaption: a school's video may have none; the check warns of it. */}
          <video
            ref={video}
            controls={!hydrated}
            preload="metadata"
            playsInline
            poster={files.poster}
            aria-label={title}
            onClick={onClick}
            className="block aspect-video size-full bg-black"
          >
            {files.webm && <source src={files.webm} type="video/webm" />}
            <source src={files.mp4} type="video/mp4" />
            {files.captions && (
              <track kind="captions" srcLang="en" label="English" src={files.captions} default />
            )}
            Your browser does not support the video tag.
          </video>
          {hydrated && (
            <>
              <VideoCaptions
                video={video}
                size={player.settings.captionSize}
                shown={player.settings.captions}
                outside={state.pictureInPicture}
              />
              <OverVideo {...props} player={player} renewable={renewable} />
              <div
                data-over={state.ended || state.failed}
                className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 to-transparent pt-8 transition-opacity duration-200 group-data-[controls=hidden]/player:opacity-0 has-focus-visible:opacity-100! data-[over=true]:@max-2xl/player:hidden [@media(hover:none)]:group-data-[controls=hidden]/player:pointer-events-none"
              >
                <VideoControls
                  video={player}
                  hasCaptions={files.captions !== null}
                  watched={watched}
                  onShowSettings={() => settings.current?.showModal()}
                />
              </div>
            </>
          )}
        </div>
      </section>
      <VideoSettings dialog={settings} video={player} />
    </>
  )
}

/** Milliseconds without the pointer or a key, after which the controls of a playing video hide. */
const restMs = 2_500

/**
 * Whether the controls lie over the picture: always while it stands, else while the learner does
 * something in the player.
 */
function useControlsShown(playing: boolean) {
  const [active, setActive] = useState(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rest = useCallback(() => {
    clearTimeout(timer.current)
    setActive(false)
  }, [])
  const wake = useCallback(() => {
    setActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(rest, restMs)
  }, [rest])

  useEffect(() => {
    if (playing) {
      wake()
    }

    return () => clearTimeout(timer.current)
  }, [playing, wake])
  const handlers = {
    // A finger taps, which is a click on the video.
    onPointerMove: (event: ReactPointerEvent) => event.pointerType !== 'touch' && wake(),
    onPointerLeave: (event: ReactPointerEvent) => event.pointerType !== 'touch' && rest(),
    onKeyDown: wake,
    onChange: wake,
  }

  return { shown: active || !playing, wake, rest, handlers }
}

type OverlayProps = Pick<VideoPlayerProps, 'startAt' | 'ending'> & {
  player: ReturnType<typeof useVideo>
  renewable: ReturnType<typeof useRenewableVideo>
}

/** At most one thing is in the middle of the picture. */
function OverVideo({ player: { state, play, frame }, renewable, startAt, ending }: OverlayProps) {
  if (state.failed && !renewable.renewing) {
    const tryAgain = () => {
      renewable.tryAgain()
      // The focus would be lost with this button.
      frame.current?.focus()
    }

    return (
      <Overlay>
        <p className="text-lg font-semibold">{noVideo}</p>
        <Button variant="secondary" onClick={tryAgain}>
          Try again
        </Button>
      </Overlay>
    )
  }

  if (state.ended) {
    return (
      <Overlay>
        {ending}
        <Button variant="quiet" className="min-h-9 text-white hover:bg-white/15" onClick={play}>
          Watch again
        </Button>
      </Overlay>
    )
  }

  if (state.untouched) {
    return (
      <div className="pointer-events-none absolute inset-x-0 top-0 bottom-20 grid place-items-center @2xl/player:bottom-0">
        <Button
          onClick={play}
          className="pointer-events-auto min-h-14 shadow-raised outline-white data-[round=true]:size-18 data-[round=true]:rounded-full data-[round=true]:px-0"
          data-round={startAt === 0}
        >
          <Play aria-hidden="true" fill="currentColor" size={startAt > 0 ? 18 : 30} />
          {startAt > 0 ? (
            `Resume at ${formatClock(startAt)}`
          ) : (
            <span className="sr-only">Play video</span>
          )}
        </Button>
      </div>
    )
  }

  if (!state.waiting) {
    return null
  }

  return (
    <div className="pointer-events-none absolute inset-0 grid animate-[appear_200ms_600ms_both] place-items-center text-white">
      <LoaderCircle aria-hidden="true" size={48} className="animate-spin" />
      <span role="status" className="sr-only">
        Loading
      </span>
    </div>
  )
}

function Overlay({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center-safe gap-2 overflow-y-auto bg-black/80 p-3 text-center text-white @2xl/player:gap-4 @2xl/player:pb-24">
      {children}
    </div>
  )
}

/**
 * The player's keys on its page. A learner may switch them off for the page (WCAG 2.1.4); in the
 * player itself they always work.
 */
function useVideoKeys(
  { frame, run, settings: { pageKeys } }: Video,
  settings: RefObject<HTMLDialogElement | null>,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = findVideoCommand(event)
    const inPlayer = frame.current?.contains(event.target as Node) ?? false
    if (!command || event.defaultPrevented || document.querySelector('dialog[open]')) {
      return
    }

    if ((!pageKeys && !inPlayer) || !playerTakesKey(event.key, targetOf(event.target), inPlayer)) {
      return
    }

    event.preventDefault()
    if (command === 'show-shortcuts') {
      showShortcuts(settings.current)
    } else {
      run(command)
    }
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function showShortcuts(dialog: HTMLDialogElement | null): void {
  dialog?.showModal()
  for (const details of dialog?.querySelectorAll('details') ?? []) {
    details.open = true
  }
}

function targetOf(target: EventTarget | null): KeyTarget {
  if (!(target instanceof HTMLElement)) {
    return 'other'
  }

  if (target.matches('[type=range]')) {
    return 'slider'
  }

  if (target.matches('select')) {
    return 'select'
  }

  if (target.matches('button, a, summary, label, [type=checkbox], [type=radio]')) {
    return 'button'
  }

  return target.isContentEditable || target.matches('input, textarea') ? 'text' : 'other'
}
