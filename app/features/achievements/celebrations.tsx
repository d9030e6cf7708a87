import { Flame, GraduationCap } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { onPossibleReward } from '~/features/learning/report/progress-reports'
import { CelebrationCard, type CelebrationNews } from '~/ui/celebration-card'
import { fetchJson } from '~/ui/connection'
import { AchievementIcon } from './achievement-icon'
import { celebrationTexts, formatSharedCertificateTitle } from './achievement-messages'
import { achievementDefinitions, describeReachedGoal } from './achievements'
import type { Celebration, WaitingCelebration } from './celebration-queries.server'

type CelebrationsProps = {
  uid: string
  placement?: 'corner' | 'top'
}

/** Shows the learner's celebrations one after the other, in a card that the learner dismisses. */
export function Celebrations({ uid, placement = 'corner' }: CelebrationsProps) {
  const { pathname } = useLocation()
  const region = useRef<HTMLDivElement>(null)
  const { waitingCelebration, dismiss } = useWaitingCelebration(`${uid} ${pathname}`)
  if (!waitingCelebration) {
    return null
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

type LoadedCelebration = { pageKey: string; waitingCelebration: WaitingCelebration }

/**
 * Loads the next celebration when the page opens or becomes visible, when the learner may have
 * reached a goal, and when they have dismissed a celebration.
 *
 * @param pageKey identifies the learner and the page. Another page does not show the celebration.
 */
function useWaitingCelebration(pageKey: string) {
  const [loadedCelebration, setLoadedCelebration] = useState<LoadedCelebration | null>(null)
  const [dismissedCount, setDismissedCount] = useState(0)
  const isForThisPage = loadedCelebration?.pageKey === pageKey
  const waitingCelebration = isForThisPage ? loadedCelebration.waitingCelebration : null

  const loadNext = useEffectEvent(async () => {
    if (waitingCelebration || document.visibilityState === 'hidden') {
      return
    }

    const nextCelebration = await fetchNextCelebration()
    if (nextCelebration) {
      setLoadedCelebration({ pageKey, waitingCelebration: nextCelebration })
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs once for each page and dismissal.
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
      void markAsSeen(waitingCelebration.events)
    }
  }, [waitingCelebration])

  const dismiss = () => {
    setLoadedCelebration(null)
    setDismissedCount((count) => count + 1)
  }

  return { waitingCelebration, dismiss }
}

const celebrationsPath = '/Moments'

/** Returns the next celebration that the learner has not seen, or null. */
function fetchNextCelebration() {
  return fetchJson<WaitingCelebration | null>(celebrationsPath, new URLSearchParams())
}

function markAsSeen(activityIds: readonly string[]) {
  const form = new URLSearchParams(activityIds.map((id) => ['shown', id]))
  return fetchJson<null>(celebrationsPath, form)
}

function describeCelebration(celebration: Celebration): CelebrationNews {
  switch (celebration.kind) {
    case 'course':
      return describeFinishedCourse(celebration)
    case 'streak':
      return {
        icon: <Flame size={28} />,
        title: celebrationTexts.streak(celebration.days),
        text: celebrationTexts.continueStreak,
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
      title: reachedGoal.text,
      text: celebrationTexts.nextGoal(reachedGoal.nextGoal),
      next,
    }
  }

  // The name contains no-break spaces, so that a line breaks before the name and not inside it.
  const name = (definition?.name ?? celebration.id).replaceAll(' ', '\u00a0')

  return { icon, title: celebrationTexts.achievement(name), text: definition?.earned, next }
}

function describeFinishedCourse({
  courseId,
  title,
  next,
}: Extract<Celebration, { kind: 'course' }>): CelebrationNews {
  const news = { icon: <GraduationCap size={28} />, title: celebrationTexts.courseFinished }
  if (next === 'exam') {
    return {
      ...news,
      text: celebrationTexts.passExam(title),
      next: { to: `/Exam/${courseId}`, text: 'Go to exam' },
    }
  }

  if (next === 'address') {
    return {
      ...news,
      text: celebrationTexts.confirmEmail(title),
      next: { to: '/ConfirmEmail', text: 'Confirm your email' },
    }
  }

  const certificatePath = `/Certificate/${next.certificateId}`

  return {
    ...news,
    text: celebrationTexts.certificateReady(title),
    next: { to: certificatePath, text: 'See your certificate' },
    share: { title: formatSharedCertificateTitle(title), path: certificatePath },
  }
}
