import { ArrowRight } from 'lucide-react'
import { type RefObject, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, ButtonLink } from '~/ui/button'
import { Announcement } from '~/ui/celebration-card'
import { byCount } from '~/ui/format-count'
import { getNextStepNotice, lessonMessages } from '../../lesson-messages'
import type { LessonEntry } from '../../lesson-page-data'
import { useLessonSettings } from '../../lesson-settings'
import { LessonPathContext } from '../../lesson-url'
import {
  autoplayState,
  type NextStep,
  type NextStepNavigation,
  nextStepLabels,
  nextStepUrl,
} from '../../next-step'

type VideoEndingProps = { courseId: string; nextStep: NextStep; navigation: NextStepNavigation }

/** Displays the next step over the last picture of a video. */
export function VideoEnding({ courseId, nextStep, navigation }: VideoEndingProps) {
  const lessonPath = useContext(LessonPathContext)
  const nextUrl = nextStepUrl(nextStep, courseId, lessonPath)
  if (nextStep.kind === 'lesson') {
    return <NextLesson lesson={nextStep.lesson} url={nextUrl} navigation={navigation} />
  }

  return (
    <>
      <p className="text-lg font-semibold">{lessonMessages.lastLesson}</p>
      <p>{getNextStepNotice(nextStep).text}</p>
      <ButtonLink to={nextUrl} onClick={(event) => navigation.handleLinkClick(event)}>
        {nextStepLabels[nextStep.kind]}
      </ButtonLink>
    </>
  )
}

/** The learner needs this time to read the title of the next lesson and to decide. */
const countdownSeconds = 8

type NextLessonProps = { lesson: LessonEntry; url: string; navigation: NextStepNavigation }

/**
 * Opens the next lesson after a countdown. The countdown stops as soon as the learner does anything
 * else. Learners can turn it off.
 */
function NextLesson({ lesson, url, navigation }: NextLessonProps) {
  const [{ goesOn: isAutoplayEnabled }, changeSettings] = useLessonSettings()
  const ending = useRef<HTMLDivElement>(null)
  const continueLink = useRef<HTMLAnchorElement>(null)
  const [isStopped, setIsStopped] = useState(false)
  const isCounting = isAutoplayEnabled && !isStopped
  const remainingSeconds = useCountdown(countdownSeconds, {
    isCounting,
    onEnd: () => navigation.open(autoplayState),
  })
  useInputOutside(ending, () => setIsStopped(true))

  const stay = () => {
    setIsStopped(true)
    // The focus would be lost with the button.
    continueLink.current?.focus()
  }

  const changeAutoplay = (isEnabled: boolean) => {
    changeSettings({ goesOn: isEnabled })
    setIsStopped(!isEnabled)
  }

  return (
    <div ref={ending} className="flex flex-col items-center gap-2 sm:gap-4">
      <div className="flex items-center gap-4">
        {isCounting && <Countdown remainingSeconds={remainingSeconds} />}
        <p className={isCounting ? 'text-left' : ''}>
          <span className="block text-sm text-white/80">Next lesson</span>
          <span className="text-lg leading-tight font-semibold">{lesson.title}</span>
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink
          ref={continueLink}
          to={url}
          state={autoplayState}
          onClick={(event) => navigation.handleLinkClick(event, autoplayState)}
          className="outline-white"
        >
          Continue <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
        {isCounting && (
          <Button variant="secondary" onClick={stay} className="outline-white">
            Stay here
          </Button>
        )}
      </div>
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isAutoplayEnabled}
          onChange={(event) => changeAutoplay(event.target.checked)}
          className="size-4 accent-accent outline-white"
        />
        Autoplay
      </label>
      {isCounting && <Announcement>{nextLessonStartsText(countdownSeconds)}</Announcement>}
    </div>
  )
}

function Countdown({ remainingSeconds }: { remainingSeconds: number }) {
  return (
    <span
      role="timer"
      aria-label={startsInText(remainingSeconds)}
      className="grid size-14 shrink-0 place-items-center rounded-full border-4 border-white/60 text-xl font-bold tabular-nums"
    >
      {remainingSeconds}
    </span>
  )
}

const inputEvents = ['pointerdown', 'keydown', 'wheel'] as const

/** Calls `onInput` when the learner does something outside of the element. */
function useInputOutside(element: RefObject<HTMLElement | null>, onInput: () => void): void {
  const handleInput = useEffectEvent(onInput)

  useEffect(() => {
    const abortController = new AbortController()
    const { signal } = abortController
    const handleEvent = (event: Event) => {
      const isInside = element.current?.contains(event.target as Node)
      if (!isInside) {
        handleInput()
      }
    }

    for (const eventName of inputEvents) {
      document.addEventListener(eventName, handleEvent, { passive: true, capture: true, signal })
    }

    return () => abortController.abort()
  }, [element])
}

type CountdownOptions = { isCounting: boolean; onEnd(): void }

/**
 * Counts whole seconds down to 0 while the page is visible.
 *
 * @returns the remaining seconds
 */
function useCountdown(startSeconds: number, { isCounting, onEnd }: CountdownOptions): number {
  const [remainingSeconds, setRemainingSeconds] = useState(startSeconds)
  const handleEnd = useEffectEvent(onEnd)

  useEffect(() => {
    if (!isCounting) {
      return
    }

    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') {
        setRemainingSeconds((seconds) => Math.max(0, seconds - 1))
      }
    }, 1_000)

    return () => clearInterval(timer)
  }, [isCounting])

  const hasEnded = remainingSeconds === 0
  useEffect(() => {
    if (hasEnded && isCounting) {
      handleEnd()
    }
  }, [hasEnded, isCounting])

  return remainingSeconds
}

function nextLessonStartsText(seconds: number): string {
  return byCount(
    seconds,
    'Next lesson starts in 1 second.',
    `Next lesson starts in ${seconds} seconds.`,
  )
}

function startsInText(seconds: number): string {
  return byCount(seconds, 'Starts in 1 second', `Starts in ${seconds} seconds`)
}
