import { Play } from 'lucide-react'
import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { Button } from '~/ui/button'
import { clockText } from '~/ui/duration-text'
import type { Interval } from '../course-work/watched-intervals'
import { useLastingFilm } from './lasting-film'
import type { LessonFilm } from './lesson-page-data'
import { useVideo } from './use-video'
import { useVideoKeys } from './use-video-keys'
import { VideoControls } from './video-controls'
import { VideoShortcuts } from './video-shortcuts'

/** What the rest of the screen may ask of the player. */
export type PlayerHandle = {
  /** Goes there and plays. */
  seek(seconds: number): void
  isPlaying(): boolean
  /** Shown in a small window of its own, so that the learner watches while the page is behind others. */
  isInOwnWindow(): boolean
}

type VideoPlayerProps = {
  ref: Ref<PlayerHandle>
  film: LessonFilm
  renewFilm(): Promise<LessonFilm | null>
  title: string
  durationSeconds: number
  /** Seconds to go on from. */
  startAt: number
  watched: readonly Interval[]
  /** What this element really played, in milliseconds, and where it stands. */
  onPlayed(played: Interval[], positionMs: number): void
  onTime(seconds: number): void
  /** Shown over the last picture. */
  ending: ReactNode
}

/** The product's own controls on a native video; without a script the browser's controls stand in. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { ref, title, durationSeconds, startAt, watched, ending } = props
  const player = useVideo(durationSeconds)
  const { video, frame, state, play, seek } = player
  const { film, renewing, tryAgain } = useLastingFilm(video, props)
  const failed = state.failed && !renewing
  const shortcuts = useRef<HTMLDialogElement>(null)
  const showShortcuts = useCallback(() => shortcuts.current?.showModal(), [])
  useVideoKeys(player, showShortcuts)
  useStart(video, startAt)
  usePlayedReports(video, props)
  const [scripted, setScripted] = useState(false)
  useEffect(() => setScripted(true), [])

  useImperativeHandle(ref, () => ({
    seek(seconds) {
      seek(seconds)
      play()
    },
    isPlaying: () => video.current?.paused === false,
    isInOwnWindow: () => video.current !== null && document.pictureInPictureElement === video.current,
  }))

  return (
    <>
      <section
        ref={frame}
        aria-label="Video player"
        tabIndex={-1}
        className="flex flex-col overflow-hidden rounded-card bg-black outline-offset-4"
      >
        <div className="relative min-h-0 flex-1">
          <video
            ref={video}
            controls={!scripted}
            preload="metadata"
            playsInline
            poster={film.poster}
            aria-label={title}
            onClick={() => player.run('toggle-play')}
            className="block aspect-video size-full bg-black"
          >
            <source src={film.webm} type="video/webm" />
            <source src={film.mp4} type="video/mp4" />
            <track kind="captions" srcLang="en" label="English" src={film.captions} default />
            Your browser does not support the video tag.
          </video>
          {scripted && state.untouched && !failed && (
            <Button
              onClick={play}
              className="absolute bottom-4 left-4 shadow-raised outline-white sm:bottom-6 sm:left-6"
            >
              <Play aria-hidden="true" fill="currentColor" size={18} />
              {startAt > 0 ? `Resume at ${clockText(startAt)}` : 'Play video'}
            </Button>
          )}
          {failed && (
            <Overlay>
              <p className="text-lg font-semibold">We can’t play this video right now.</p>
              <Button
                look="secondary"
                onClick={() => {
                  tryAgain()
                  // This button goes.
                  frame.current?.focus()
                }}
              >
                Try again
              </Button>
            </Overlay>
          )}
          {state.ended && <Overlay>{ending}</Overlay>}
        </div>
        {scripted ? (
          <VideoControls video={player} watched={watched} onShowShortcuts={showShortcuts} />
        ) : (
          <div className="h-[88px] max-[26rem]:h-[132px]" />
        )}
      </section>
      <VideoShortcuts dialog={shortcuts} video={player} />
    </>
  )
}

function Overlay({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-4 bg-black/80 p-6 text-center text-white">
      {children}
    </div>
  )
}

/** Goes on where the learner was, whenever the length is known anew and nothing was played yet. */
function useStart(video: Video, startAt: number): void {
  const placed = useRef(0)
  useEffect(() => {
    const element = video.current
    if (!element) return
    const start = () => {
      const moved = Math.abs(element.currentTime - placed.current) > 0.1
      if (moved || element.played.length > 0 || startAt === placed.current) return
      placed.current = startAt
      element.currentTime = startAt
    }
    if (element.readyState > 0) start()
    element.addEventListener('loadedmetadata', start)
    return () => element.removeEventListener('loadedmetadata', start)
  }, [video, startAt])
}

/** The browser itself records what it really played: what was sought over is not in it, whatever the speed. */
function usePlayedReports(video: Video, { durationSeconds, onPlayed, onTime }: VideoPlayerProps): void {
  const tellPlayed = useEffectEvent(onPlayed)
  const tellTime = useEffectEvent(onTime)
  useEffect(() => {
    const element = video.current
    if (!element) return
    let touched = false
    const limit = durationSeconds * 1000
    const toMs = (seconds: number) => Math.min(limit, Math.round(seconds * 1000))
    const report = (event: Event) => {
      // A film that is being loaded again stands nowhere.
      if (element.readyState === element.HAVE_NOTHING) return
      tellTime(element.currentTime)
      if (event.type === 'play') touched = true
      // Where the page put the video by itself is not where the learner went.
      if (!touched) return
      const played = Array.from({ length: element.played.length }, (_, index): Interval => {
        return [toMs(element.played.start(index)), toMs(element.played.end(index))]
      })
      tellPlayed(played, toMs(element.currentTime))
    }
    const events = ['play', 'timeupdate', 'pause', 'ended', 'seeked'] as const
    for (const name of events) element.addEventListener(name, report)
    return () => {
      for (const name of events) element.removeEventListener(name, report)
    }
  }, [video, durationSeconds])
}

type Video = ReturnType<typeof useVideo>['video']
