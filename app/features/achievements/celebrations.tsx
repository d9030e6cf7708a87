import { Flame, GraduationCap } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { onPossibleReward } from '~/features/learning/report/progress-reports'
import { CelebrationCard, type CelebrationNews } from '~/ui/celebration-card'
import { fetchJson } from '~/ui/connection'
import { AchievementIcon } from './achievement-icon'
import { celebrations, sharedCertificate } from './achievement-messages'
import type { WaitingCelebration } from './achievement-queries.server'
import { achievementDefinitions, type Celebration, describeReachedGoal } from './achievements'

type CelebrationsProps = {
  uid: string
  placement?: 'corner' | 'top'
  /** What the page shows while there is no celebration. */
  otherwise?: ReactNode
}

/** Shows the learner's celebrations one after the other, in a card that the learner dismisses. */
export function Celebrations({ uid, placement = 'corner', otherwise }: CelebrationsProps) {
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const { waitingCelebration, dismiss } = useWaitingCelebration(`${uid} ${pathname}`)
  if (!waitingCelebration) {
    return <div>{otherwise}</div>
  }

  function dismissAndKeepFocus() {
    // The focused button disappears, so the focus moves to the page's content.
    if (region.current?.contains(document.activeElement)) {
      document.getElementById('main')?.focus()
    }

    dismiss()
  }

  return (
    <div ref={region}>
      <CelebrationCard
        placement={placement}
        {...describeCelebration(waitingCelebration.celebration)}
        onDismiss={dismissAndKeepFocus}
      />
    </div>
  )
}

/**
 * Loads the next celebration when the page opens or becomes visible, after the learner may have
 * reached something, and after a dismissal.
 *
 * @param pageKey identifies the learner and the page; a celebration stays on the page that loaded it
 */
function useWaitingCelebration(pageKey: string) {
  const [loaded, setLoaded] = useState<{
    pageKey: string
    waitingCelebration: WaitingCelebration
  } | null>(null)
  const [dismissedCount, setDismissedCount] = useState(0)
  const waitingCelebration = loaded?.pageKey === pageKey ? loaded.waitingCelebration : null

  const loadNext = useEffectEvent(async () => {
    if (waitingCelebration || document.visibilityState === 'hidden') {
      return
    }

    const nextCelebration = await postCelebrations([])
    if (nextCelebration) {
      setLoaded({ pageKey, waitingCelebration: nextCelebration })
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect loads once for each of them.
  useEffect(() => {
    const load = () => void loadNext()

    load()
    document.addEventListener('visibilitychange', load)
    const unsubscribe = onPossibleReward(load)

    return () => {
      document.removeEventListener('visibilitychange', load)
      unsubscribe()
    }
  }, [pageKey, dismissedCount])

  // A celebration counts as seen only once it is rendered, because a response may arrive after the
  // learner has left the page.
  useEffect(() => {
    if (waitingCelebration) {
      void postCelebrations(waitingCelebration.events)
    }
  }, [waitingCelebration])

  const dismiss = () => {
    setLoaded(null)
    setDismissedCount((count) => count + 1)
  }

  return { waitingCelebration, dismiss }
}

/** @param seenEvents are marked as seen; if there are none, the response is the next celebration */
function postCelebrations(seenEvents: readonly string[]) {
  const form = new URLSearchParams(seenEvents.map((event) => ['shown', event]))
  return fetchJson<WaitingCelebration | null>('/Moments', form)
}

function describeCelebration(celebration: Celebration): CelebrationNews {
  switch (celebration.kind) {
    case 'course':
      return describeFinishedCourse(celebration)
    case 'streak':
      return {
        icon: <Flame size={28} />,
        title: celebrations.streak(celebration.days),
        text: celebrations.streakGoesOn,
      }
    default:
      return describeAchievementOrGoal(celebration)
  }
}

function describeAchievementOrGoal(
  celebration: Extract<Celebration, { kind: 'achievement' | 'goal' }>,
): CelebrationNews {
  const definition = achievementDefinitions.find(({ id }) => id === celebration.id)
  const icon = <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />
  const next = { to: '/Profile/achievements', text: 'See achievements' }

  const reachedGoal =
    celebration.kind === 'goal' ? describeReachedGoal(celebration.id, celebration.goal) : null
  if (reachedGoal) {
    return {
      icon,
      title: reachedGoal.reached,
      text: celebrations.nextGoal(reachedGoal.next),
      next,
    }
  }

  // The name contains no-break spaces, so that a line breaks before the name and not inside it.
  const name = (definition?.name ?? celebration.id).replaceAll(' ', '\u00a0')

  return { icon, title: celebrations.achievement(name), text: definition?.earned, next }
}

function describeFinishedCourse({
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

  const certificatePath = `/Certificate/${next.certificateId}`

  return {
    ...news,
    text: celebrations.certificateReady(title),
    next: { to: certificatePath, text: 'See your certificate' },
    share: { title: sharedCertificate(title), path: certificatePath },
  }
}
