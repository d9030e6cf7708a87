import {
  type MouseEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { useHydrated } from '~/ui/hooks'
import type { Interval } from '../../../progress/watched-intervals'
import { useRenewableVideo } from './renewable-video'
import { usePlayedReports, useStartPosition } from './use-played-reports'
import { useVideo } from './use-video'
import { useVideoKeys } from './use-video-keys'
import { VideoCaptions } from './video-captions'
import { VideoControls } from './video-controls'
import type { VideoCommand } from './video-keys'
import type { VideoFiles } from './video-material.server'
import { VideoOverlay } from './video-overlay'
import { VideoSettings } from './video-settings'

/** What other parts of the page can do with the player. */
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
  onPlaybackTime(seconds: number): void
  /** What is displayed over the last picture. */
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
                isInOwnWindow={state.isPictureInPicture}
              />
              <VideoOverlay
                player={player}
                renewableVideo={renewableVideo}
                startSeconds={props.startSeconds}
                ending={props.ending}
              />
              <div
                data-over={state.hasEnded || state.hasFailed}
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
  const controls = useControlsVisibility(state.isPlaying)

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
