import { Flame, GraduationCap } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { onPossibleReward } from '~/features/learning/report/progress-reports'
import { CelebrationCard, type CelebrationNews } from '~/ui/celebration-card'
import { fetchJson } from '~/ui/connection'
import { AchievementIcon } from './achievement-icon'
import { celebrations, sharedCertificate } from './achievement-messages'
import type { WaitingCelebration } from './achievement-queries.server'
import { achievementDefinitions, type Celebration, furtherGoalWords } from './achievements'

type CelebrationsProps = {
  uid: string
  place?: 'corner' | 'top'
  /** Shown in their place while there is none. */
  otherwise?: ReactNode
}

/** Celebrates the learner's new achievements, one after the other. */
export function Celebrations({ uid, place = 'corner', otherwise }: CelebrationsProps) {
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const { waiting, dismiss } = useCelebration(`${uid} ${pathname}`)
  if (!waiting) {
    return <div>{otherwise}</div>
  }

  const onDismiss = () => {
    // The focus would be lost with the button.
    if (region.current?.contains(document.activeElement)) {
      document.getElementById('main')?.focus()
    }

    dismiss()
  }

  return (
    <div ref={region}>
      <CelebrationCard place={place} {...newsOf(waiting.celebration)} onDismiss={onDismiss} />
    </div>
  )
}

/**
 * Asks when a page opens or comes into view, after work that may have earned something, and after a
 * dismissal.
 */
function useCelebration(page: string) {
  const [shown, setShown] = useState<{ page: string; waiting: WaitingCelebration } | null>(null)
  const [dismissed, setDismissed] = useState(0)
  const waiting = shown?.page === page ? shown.waiting : null

  const ask = useEffectEvent(async () => {
    if (waiting || document.visibilityState === 'hidden') {
      return
    }

    const found = await postCelebrations([])
    if (found) {
      setShown({ page, waiting: found })
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each of them.
  useEffect(() => {
    const askNow = () => void ask()
    askNow()
    document.addEventListener('visibilitychange', askNow)
    const stop = onPossibleReward(askNow)

    return () => {
      document.removeEventListener('visibilitychange', askNow)
      stop()
    }
  }, [page, dismissed])

  // Only what was rendered counts as seen: an answer may come after the page is gone.
  useEffect(() => {
    if (waiting) {
      void postCelebrations(waiting.events)
    }
  }, [waiting])

  const dismiss = () => {
    setShown(null)
    setDismissed((count) => count + 1)
  }

  return { waiting, dismiss }
}

/** @param shown events that were seen; without any, it asks for the next celebration. */
function postCelebrations(shown: readonly string[]) {
  const form = new URLSearchParams(shown.map((event) => ['shown', event]))
  return fetchJson<WaitingCelebration | null>('/Moments', form)
}

function newsOf(earned: Celebration): CelebrationNews {
  if (earned.kind === 'course') {
    return courseNews(earned)
  }

  if (earned.kind === 'streak') {
    return {
      icon: <Flame size={28} />,
      title: celebrations.streak(earned.days),
      text: celebrations.streakGoesOn,
    }
  }

  const definition = achievementDefinitions.find(({ id }) => id === earned.id)
  const goal = earned.kind === 'goal' ? furtherGoalWords(earned.id, earned.goal) : null
  // A line breaks before the name, not in it.
  const name = (definition?.name ?? earned.id).replaceAll(' ', '\u00a0')

  return {
    icon: <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />,
    title: goal ? goal.reached : celebrations.achievement(name),
    text: goal ? celebrations.nextGoal(goal.next) : definition?.earned,
    next: { to: '/Profile/achievements', text: 'See achievements' },
  }
}

function courseNews({
  courseId,
  title,
  next,
}: Extract<Celebration, { kind: 'course' }>): CelebrationNews {
  const news = { icon: <GraduationCap size={28} />, title: celebrations.courseFinished }
  if (next === 'exam') {
    return {
      ...news,
      text: celebrations.examNext(title),
      next: { to: `/Exam/${courseId}`, text: 'Go to exam' },
    }
  }

  if (next === 'address') {
    return {
      ...news,
      text: celebrations.addressNext(title),
      next: { to: '/ConfirmEmail', text: 'Confirm your email' },
    }
  }

  const to = `/Certificate/${next.certificateId}`

  return {
    ...news,
    text: celebrations.certificateReady(title),
    next: { to, text: 'See your certificate' },
    share: { title: sharedCertificate(title), path: to },
  }
}
