import { ArrowRight } from 'lucide-react'
import { type RefObject, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, ButtonLink } from '~/ui/button'
import { Announcement } from '~/ui/celebration-card'
import { lastLesson, nextLessonStarts, nextStepNotice, startsIn } from '../../lesson-messages'
import type { LessonEntry } from '../../lesson-page-data'
import { useLessonSettings } from '../../lesson-settings'
import { LessonPathContext } from '../../lesson-url'
import {
  autoplayState,
  type NextStep,
  type NextStepNavigation,
  nextStepUrl,
  stepLabels,
} from '../../next-step'
import type { LessonView, LessonViewProps } from '../lesson-view'
import { fetchVideoFiles } from './renewable-video'
import type { VideoMaterial } from './video-material.server'
import { VideoPlayer } from './video-player'
import { getResumeSeconds } from './video-rules'

export const videoView: LessonView<VideoMaterial> = {
  hasPlaybackTime: true,
  hasTableOfContents: false,

  getTranscript({ transcript }) {
    return transcript
  },

  Lesson: VideoLesson,
}

function VideoLesson(props: LessonViewProps<VideoMaterial>) {
  const { material, courseId, lesson, progress, startSeconds, nextStep, goOn, reporter } = props
  // The progress of this visit must not move a video that is open already.
  const resumeSeconds = getResumeSeconds(lesson.progress, lesson.durationSeconds)

  return (
    <VideoPlayer
      ref={props.ref}
      files={material.files}
      renewFiles={() => fetchVideoFiles(courseId, lesson.id)}
      title={lesson.title}
      durationSeconds={lesson.durationSeconds}
      startAt={startSeconds ?? resumeSeconds}
      plays={props.shouldPlay}
      watched={progress.watched}
      onPlayed={(played, positionMs) => reporter.recordPlayed(played, positionMs)}
      onRest={() => void reporter.flush()}
      onTime={props.onTime}
      ending={<VideoEnding courseId={courseId} step={nextStep} goOn={goOn} />}
    />
  )
}

type VideoEndingProps = { courseId: string; step: NextStep; goOn: NextStepNavigation }

/** Shown over the last picture of a video. */
function VideoEnding({ courseId, step, goOn }: VideoEndingProps) {
  const to = nextStepUrl(step, courseId, useContext(LessonPathContext))
  if (step.kind === 'lesson') {
    return <NextLesson lesson={step.lesson} to={to} onward={goOn} />
  }

  return (
    <>
      <p className="text-lg font-semibold">{lastLesson}</p>
      <p>{nextStepNotice(step).text}</p>
      <ButtonLink to={to} onClick={(event) => goOn.follow(event)}>
        {stepLabels[step.kind]}
      </ButtonLink>
    </>
  )
}

/** Time to read its title, and to say no. */
const countdownSeconds = 8

/**
 * The next lesson comes by itself, unless the learner does anything else or has switched that off.
 */
function NextLesson({
  lesson,
  to,
  onward,
}: {
  lesson: LessonEntry
  to: string
  onward: NextStepNavigation
}) {
  const [{ goesOn }, changeSettings] = useLessonSettings()
  const ending = useRef<HTMLDivElement>(null)
  const goOn = useRef<HTMLAnchorElement>(null)
  const [stopped, setStopped] = useState(false)
  const running = goesOn && !stopped
  const left = useCountdown(countdownSeconds, { running, onEnd: () => onward.go(autoplayState) })
  useInputElsewhere(ending, () => setStopped(true))
  const stay = () => {
    setStopped(true)
    // The focus would be lost with the button.
    goOn.current?.focus()
  }

  return (
    <div ref={ending} className="flex flex-col items-center gap-2 sm:gap-4">
      <div className="flex items-center gap-4">
        {running && <Countdown left={left} />}
        <p className={running ? 'text-left' : ''}>
          <span className="block text-sm text-white/80">Next lesson</span>
          <span className="text-lg leading-tight font-semibold">{lesson.title}</span>
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink
          ref={goOn}
          to={to}
          state={autoplayState}
          onClick={(event) => onward.follow(event, autoplayState)}
          className="outline-white"
        >
          Continue <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
        {running && (
          <Button variant="secondary" onClick={stay} className="outline-white">
            Stay here
          </Button>
        )}
      </div>
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={goesOn}
          onChange={(event) => {
            const { checked } = event.target
            changeSettings({ goesOn: checked })
            setStopped(!checked)
          }}
          className="size-4 accent-accent outline-white"
        />
        Autoplay
      </label>
      {running && <Announcement>{nextLessonStarts(countdownSeconds)}</Announcement>}
    </div>
  )
}

function Countdown({ left }: { left: number }) {
  return (
    <span
      role="timer"
      aria-label={startsIn(left)}
      className="grid size-14 shrink-0 place-items-center rounded-full border-4 border-white/60 text-xl font-bold tabular-nums"
    >
      {left}
    </span>
  )
}

const inputs = ['pointerdown', 'keydown', 'wheel'] as const

/** The learner does something else on the page. */
function useInputElsewhere(ending: RefObject<HTMLElement | null>, onInput: () => void): void {
  const tell = useEffectEvent(onInput)
  useEffect(() => {
    const listening = new AbortController()
    const notice = (event: Event) => {
      if (!ending.current?.contains(event.target as Node)) {
        tell()
      }
    }

    for (const input of inputs) {
      document.addEventListener(input, notice, {
        passive: true,
        capture: true,
        signal: listening.signal,
      })
    }

    return () => listening.abort()
  }, [ending])
}

/** Counts whole seconds down to 0 while it runs and the page is in front. */
function useCountdown(
  seconds: number,
  { running, onEnd }: { running: boolean; onEnd(): void },
): number {
  const [left, setLeft] = useState(seconds)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (!running) {
      return
    }

    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') {
        setLeft((before) => Math.max(0, before - 1))
      }
    }, 1_000)

    return () => clearInterval(timer)
  }, [running])
  const over = left === 0
  useEffect(() => {
    if (over && running) {
      end()
    }
  }, [over, running])

  return left
}
