import { LoaderCircle, Play } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Interval } from '~/features/progress/watched-intervals'
import { Button } from '~/ui/button'
import { clockText } from '~/ui/format-duration'
import { noVideo } from '../lesson-messages'
import type { VideoFiles } from '../lesson-page-data'
import { VideoSettings, VideoShortcuts } from './player-dialogs'
import type { PlayerSettings } from './player-settings'
import { useRenewableVideo } from './renewable-video'
import { usePlayedReports, useStart } from './use-played-reports'
import { useVideo, type Video } from './use-video'
import { ControlsBeforeScripts, VideoControls } from './video-controls'
import { commandOfKey, type KeyTarget, playerTakesKey } from './video-keys'

/** The player's methods for the rest of the screen. */
export type PlayerHandle = {
  /** Goes there and plays. */
  seek(seconds: number): void
  isPlaying(): boolean
  /** Shown in a small window of its own, so that the learner watches while the page is behind others. */
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

/** Narrower than this, the controls are more than one row holds. */
const widthOfOneRow = 600

/** The video takes the width, but never more than leaves its controls in the window. */
const videoWidth = 'mx-auto w-full max-w-[max(24rem,calc((100dvh-15.5rem)*16/9))] in-[:fullscreen]:max-w-none'

/** Percent of the browser's default size, which depends on the video's height and is too small to read on a phone. */
const captionLooks: Record<PlayerSettings['captionSize'], string> = {
  small: '[&::cue]:text-[75%] max-sm:[&::cue]:text-[110%]',
  medium: '[&::cue]:text-[100%] max-sm:[&::cue]:text-[140%]',
  large: '[&::cue]:text-[125%] max-sm:[&::cue]:text-[170%]',
  huge: '[&::cue]:text-[160%] max-sm:[&::cue]:text-[210%]',
}

/** The video element, and everything that follows it. */
function usePlayer(props: VideoPlayerProps) {
  const { ref, durationSeconds, startAt, plays } = props
  const player = useVideo(durationSeconds)
  const { video, play, seek } = player
  const lasting = useRenewableVideo(video, props)
  const shortcuts = useRef<HTMLDialogElement>(null)
  const options = useRef<HTMLDialogElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(bar, widthOfOneRow)
  const showShortcuts = useCallback(() => shortcuts.current?.showModal(), [])
  useVideoKeys(player, showShortcuts)
  useStart(video, startAt)
  usePlayedReports(video, props)
  const [scripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])
  useEffect(() => {
    if (plays) play()
  }, [plays, play])
  useImperativeHandle(ref, () => ({
    seek(seconds) {
      seek(seconds)
      play()
    },
    isPlaying: () => video.current?.paused === false,
    isInOwnWindow: () => video.current !== null && document.pictureInPictureElement === video.current,
  }))
  return { player, lasting, scripted, shortcuts, options, bar, narrow, showShortcuts }
}

/** The product's own controls on a native video; without a script the browser's controls are used. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { title, watched } = props
  const { player, lasting, scripted, shortcuts, options, bar, narrow, showShortcuts } = usePlayer(props)
  const { video, frame } = player
  const { files } = lasting
  return (
    <>
      {/* The poster is there before any script. */}
      <link rel="preload" as="image" href={files.poster} fetchPriority="high" />
      <section
        ref={frame}
        aria-label="Video player"
        tabIndex={-1}
        className="night flex flex-col bg-black outline-offset-4 print:hidden"
      >
        <div className={`relative min-h-0 flex-1 ${videoWidth}`}>
          <video
            ref={video}
            controls={!scripted}
            preload="metadata"
            playsInline
            poster={files.poster}
            aria-label={title}
            onClick={() => player.run('toggle-play')}
            className={`block aspect-video size-full bg-black ${captionLooks[player.settings.captionSize]}`}
          >
            <source src={files.webm} type="video/webm" />
            <source src={files.mp4} type="video/mp4" />
            <track kind="captions" srcLang="en" label="English" src={files.captions} default />
            Your browser does not support the video tag.
          </video>
          {scripted && <OverVideo {...props} player={player} lasting={lasting} />}
        </div>
        <div ref={bar} className={`@container ${videoWidth}`}>
          {scripted ? (
            <VideoControls
              video={player}
              watched={watched}
              narrow={narrow}
              onShowShortcuts={showShortcuts}
              onShowSettings={() => options.current?.showModal()}
            />
          ) : (
            <ControlsBeforeScripts />
          )}
        </div>
      </section>
      <VideoShortcuts dialog={shortcuts} video={player} />
      <VideoSettings dialog={options} video={player} narrow={narrow} />
    </>
  )
}

type OverlayProps = Pick<VideoPlayerProps, 'startAt' | 'ending'> & {
  player: ReturnType<typeof useVideo>
  lasting: ReturnType<typeof useRenewableVideo>
}

/** At most one thing is over the picture; captions are at its lower edge, which stays free while it plays. */
function OverVideo({ player: { state, play, frame }, lasting, startAt, ending }: OverlayProps) {
  if (state.failed && !lasting.renewing) {
    const tryAgain = () => {
      lasting.tryAgain()
      // The focus would be lost with this button.
      frame.current?.focus()
    }
    return (
      <Overlay>
        <p className="text-lg font-semibold">{noVideo}</p>
        <Button look="secondary" onClick={tryAgain}>
          Try again
        </Button>
      </Overlay>
    )
  }
  if (state.ended) return <Overlay>{ending}</Overlay>
  if (state.untouched)
    return (
      <div className="pointer-events-none absolute inset-0 grid place-items-center">
        <Button
          onClick={play}
          className="pointer-events-auto min-h-14 shadow-raised outline-white data-[round=true]:size-18 data-[round=true]:rounded-full data-[round=true]:px-0"
          data-round={startAt === 0}
        >
          <Play aria-hidden="true" fill="currentColor" size={startAt > 0 ? 18 : 30} />
          {startAt > 0 ? `Resume at ${clockText(startAt)}` : <span className="sr-only">Play video</span>}
        </Button>
      </div>
    )
  if (!state.waiting) return null
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
    <div className="absolute inset-0 flex flex-col items-center justify-center-safe gap-2 overflow-y-auto bg-black/80 p-3 text-center text-white sm:gap-4 sm:p-6">
      {children}
    </div>
  )
}

/** @returns whether the element is narrower than so many pixels; a phone held sideways has a narrow video, too. */
function useNarrow(element: RefObject<HTMLElement | null>, pixels: number): boolean {
  const [narrow, setNarrow] = useState(false)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => setNarrow(measured.clientWidth < pixels)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, pixels])
  return narrow
}

/**
 * The player's keys on its page. A learner may switch them off for the page (WCAG 2.1.4); in the player itself they
 * always work.
 */
function useVideoKeys({ frame, run, settings }: Video, showShortcuts: () => void): void {
  const { pageKeys } = settings
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = commandOfKey(event)
      const inPlayer = frame.current?.contains(event.target as Node) ?? false
      if (!command || event.defaultPrevented || document.querySelector('dialog[open]')) return
      if ((!pageKeys && !inPlayer) || !playerTakesKey(event.key, targetOf(event.target), inPlayer)) return
      event.preventDefault()
      if (command === 'show-shortcuts') showShortcuts()
      else run(command)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [frame, run, pageKeys, showShortcuts])
}

function targetOf(target: EventTarget | null): KeyTarget {
  if (!(target instanceof HTMLElement)) return 'other'
  if (target.matches('[type=range]')) return 'slider'
  if (target.matches('select')) return 'select'
  if (target.matches('button, a, summary, label, [type=checkbox], [type=radio]')) return 'button'
  return target.isContentEditable || target.matches('input, textarea') ? 'text' : 'other'
}
