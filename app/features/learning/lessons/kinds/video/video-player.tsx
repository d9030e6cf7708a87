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
import { useHydrated } from '~/ui/hooks'
import type { Interval } from '../../../progress/watched-intervals'
import { lessonMessages } from '../../lesson-messages'
import { useRenewableVideo } from './renewable-video'
import { usePlayedReports, useStartPosition } from './use-played-reports'
import { useVideo, type Video } from './use-video'
import { VideoCaptions } from './video-captions'
import { VideoControls, VideoSettings } from './video-controls'
import {
  canPlayerUseKey,
  type FocusedElement,
  findVideoCommand,
  type VideoCommand,
} from './video-keys'
import type { VideoFiles } from './video-material.server'

/** What the rest of the page can do with the player. */
export type PlayerHandle = {
  /** Moves the video to a position and plays it. */
  seek(seconds: number): void
  isPlaying(): boolean
  /** Whether picture-in-picture is on. The learner can then watch while the page is hidden. */
  isInOwnWindow(): boolean
}

type VideoPlayerProps = {
  ref: Ref<PlayerHandle>
  files: VideoFiles
  renewFiles(): Promise<VideoFiles | null>
  title: string
  durationSeconds: number
  /** The position at which the video starts or resumes. */
  startSeconds: number
  /** Whether the video plays by itself, if the browser permits it. */
  shouldPlay: boolean
  watched: readonly Interval[]
  onPlayed(played: Interval[], positionMs: number): void
  onRest(): void
  onTime(seconds: number): void
  /** Displayed over the last picture. */
  ending: ReactNode
}

/** The video is as wide as possible, but its title and the lesson's buttons stay in the window. */
const videoWidthClasses =
  'mx-auto w-full max-w-[max(24rem,calc((100dvh-13.5rem)*16/9))] in-[:fullscreen]:max-w-none'

/** A native video with our own controls. Without scripts, it has the browser's controls. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { title, watched } = props
  const { player, renewableVideo, isHydrated, settingsDialog, controls } = usePlayer(props)
  const { video, frame, state } = player
  const { files } = renewableVideo

  const handleClick = ({ nativeEvent }: MouseEvent) => {
    const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    if (!isTouch) {
      player.run('toggle-play')
    } else if (controls.areVisible) {
      controls.hide()
    } else {
      controls.show()
    }
  }

  return (
    <>
      {/* The poster loads before any script. */}
      <link rel="preload" as="image" href={files.poster} fetchPriority="high" />
      <section
        ref={frame}
        aria-label="Video player"
        tabIndex={-1}
        data-controls={controls.areVisible ? 'shown' : 'hidden'}
        {...controls.handlers}
        className="group/player night bg-black outline-offset-4 data-[controls=hidden]:cursor-none print:hidden"
      >
        <div className={`@container/player relative in-[:fullscreen]:h-full ${videoWidthClasses}`}>
          {/* biome-ignore lint/a11y/useMediaCaption: a school's video may have none; the check warns of it. */}
          <video
            ref={video}
            controls={!isHydrated}
            preload="metadata"
            playsInline
            poster={files.poster}
            aria-label={title}
            onClick={handleClick}
            className="block aspect-video size-full bg-black"
          >
            {files.webm && <source src={files.webm} type="video/webm" />}
            <source src={files.mp4} type="video/mp4" />
            {files.captions && (
              <track kind="captions" srcLang="en" label="English" src={files.captions} default />
            )}
            Your browser does not support the video tag.
          </video>
          {isHydrated && (
            <>
              <VideoCaptions
                video={video}
                size={player.settings.captionSize}
                isEnabled={player.settings.captions}
                isInOwnWindow={state.pictureInPicture}
              />
              <VideoOverlay {...props} player={player} renewableVideo={renewableVideo} />
              <div
                data-over={state.ended || state.failed}
                className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 to-transparent pt-8 transition-opacity duration-200 group-data-[controls=hidden]/player:opacity-0 has-focus-visible:opacity-100! data-[over=true]:@max-2xl/player:hidden [@media(hover:none)]:group-data-[controls=hidden]/player:pointer-events-none"
              >
                <VideoControls
                  video={player}
                  hasCaptions={files.captions !== null}
                  watched={watched}
                  onShowSettings={() => settingsDialog.current?.showModal()}
                />
              </div>
            </>
          )}
        </div>
      </section>
      <VideoSettings dialog={settingsDialog} video={player} />
    </>
  )
}

/** Connects the video element with its settings, commands, keys and reports. */
function usePlayer(props: VideoPlayerProps) {
  const { ref, durationSeconds, startSeconds, shouldPlay } = props
  const isHydrated = useHydrated()
  const player = useVideo(durationSeconds)
  const { video, play, seek, state } = player
  const renewableVideo = useRenewableVideo(video, props)
  const settingsDialog = useRef<HTMLDialogElement>(null)
  const controls = useControlsVisibility(state.playing)

  const run = (command: VideoCommand) => {
    controls.show()
    player.run(command)
  }

  useVideoKeys({ ...player, run }, settingsDialog)
  useStartPosition(video, startSeconds)
  usePlayedReports(video, props)

  useEffect(() => {
    if (shouldPlay) {
      play()
    }
  }, [shouldPlay, play])

  useImperativeHandle(ref, () => ({
    seek(seconds) {
      seek(seconds)
      play()
    },
    isPlaying: () => video.current?.paused === false,
    isInOwnWindow: () =>
      video.current !== null && document.pictureInPictureElement === video.current,
  }))

  return { player: { ...player, run }, renewableVideo, isHydrated, settingsDialog, controls }
}

/** The controls of a playing video hide after this time without a pointer movement or a key. */
const hideControlsAfterMs = 2_500

/**
 * Decides when the controls are visible: always while the video is paused, otherwise while the
 * learner does something in the player.
 */
function useControlsVisibility(isPlaying: boolean) {
  const [isActive, setIsActive] = useState(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const hide = useCallback(() => {
    clearTimeout(timer.current)
    setIsActive(false)
  }, [])

  const show = useCallback(() => {
    setIsActive(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(hide, hideControlsAfterMs)
  }, [hide])

  useEffect(() => {
    if (isPlaying) {
      show()
    }

    return () => clearTimeout(timer.current)
  }, [isPlaying, show])

  const handlers = {
    // A touch is handled as a click on the video.
    onPointerMove: (event: ReactPointerEvent) => event.pointerType !== 'touch' && show(),
    onPointerLeave: (event: ReactPointerEvent) => event.pointerType !== 'touch' && hide(),
    onKeyDown: show,
    onChange: show,
  }

  return { areVisible: isActive || !isPlaying, show, hide, handlers }
}

type VideoOverlayProps = Pick<VideoPlayerProps, 'startSeconds' | 'ending'> & {
  player: Video
  renewableVideo: ReturnType<typeof useRenewableVideo>
}

/** Displays at most one thing over the video: a problem, the ending, a play button, or a spinner. */
function VideoOverlay({ player, renewableVideo, startSeconds, ending }: VideoOverlayProps) {
  const { state, play, frame } = player
  const isResuming = startSeconds > 0

  if (state.failed && !renewableVideo.isRenewing) {
    const tryAgain = () => {
      renewableVideo.tryAgain()
      // The focus would be lost with this button.
      frame.current?.focus()
    }

    return (
      <DarkOverlay>
        <p className="text-lg font-semibold">{lessonMessages.noVideo}</p>
        <Button variant="secondary" onClick={tryAgain}>
          Try again
        </Button>
      </DarkOverlay>
    )
  }

  if (state.ended) {
    return (
      <DarkOverlay>
        {ending}
        <Button variant="quiet" className="min-h-9 text-white hover:bg-white/15" onClick={play}>
          Watch again
        </Button>
      </DarkOverlay>
    )
  }

  if (state.untouched) {
    return (
      <div className="pointer-events-none absolute inset-x-0 top-0 bottom-20 grid place-items-center @2xl/player:bottom-0">
        <Button
          onClick={play}
          className="pointer-events-auto min-h-14 shadow-raised outline-white data-[round=true]:size-18 data-[round=true]:rounded-full data-[round=true]:px-0"
          data-round={!isResuming}
        >
          <Play aria-hidden="true" fill="currentColor" size={isResuming ? 18 : 30} />
          {isResuming ? (
            `Resume at ${formatClock(startSeconds)}`
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

function DarkOverlay({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center-safe gap-2 overflow-y-auto bg-black/80 p-3 text-center text-white @2xl/player:gap-4 @2xl/player:pb-24">
      {children}
    </div>
  )
}

/**
 * Handles the player's keys on the whole page. Learners can turn them off outside of the player
 * (WCAG 2.1.4).
 */
function useVideoKeys(
  { frame, run, settings: { pageKeys: areKeysEnabledOnPage } }: Video,
  settingsDialog: RefObject<HTMLDialogElement | null>,
): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = findVideoCommand(event)
    const isDialogOpen = document.querySelector('dialog[open]') !== null
    if (!command || event.defaultPrevented || isDialogOpen) {
      return
    }

    const isInPlayer = frame.current?.contains(event.target as Node) ?? false
    const isEnabled = isInPlayer || areKeysEnabledOnPage
    if (!isEnabled || !canPlayerUseKey(event.key, classifyElement(event.target), isInPlayer)) {
      return
    }

    event.preventDefault()
    if (command === 'show-shortcuts') {
      showShortcuts(settingsDialog.current)
    } else {
      run(command)
    }
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function classifyElement(target: EventTarget | null): FocusedElement {
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

/** Opens the settings with the list of keyboard shortcuts. */
function showShortcuts(settingsDialog: HTMLDialogElement | null): void {
  if (!settingsDialog) {
    return
  }

  settingsDialog.showModal()
  for (const details of settingsDialog.querySelectorAll('details')) {
    details.open = true
  }
}
