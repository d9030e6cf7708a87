import { Flame, GraduationCap } from 'lucide-react'
import type { MomentNews } from '~/ui/moment'
import { AchievementIcon } from './achievement-icon'
import { moments, sharedCertificate } from './achievement-messages'
import { achievementDefinitions, furtherGoalWords } from './achievements'
import type { EarnedMoment } from './earned-moment'

/** What a moment says, and where it leads. */
export function momentNews(earned: EarnedMoment): MomentNews {
  switch (earned.kind) {
    case 'achievement':
      return achievementNews(earned.id)
    case 'course':
      return courseNews(earned)
    case 'goal':
      return goalNews(earned)
    case 'streak':
      return {
        icon: <Flame size={28} />,
        title: moments.streak(earned.days),
        text: moments.streakGoesOn,
      }
  }
}

function achievementNews(id: string): MomentNews {
  const definition = achievementDefinitions.find((one) => one.id === id)
  return {
    icon: <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />,
    // A line breaks before the name, not in it.
    title: moments.achievement((definition?.name ?? id).replaceAll(' ', '\u00a0')),
    text: definition?.earned,
    next: { to: '/Profile/achievements', text: 'See achievements' },
  }
}

function goalNews({ id, goal }: Extract<EarnedMoment, { kind: 'goal' }>): MomentNews {
  const words = furtherGoalWords(id, goal)
  const definition = achievementDefinitions.find((one) => one.id === id)
  return {
    icon: <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />,
    title: words?.reached ?? `${goal}`,
    text: words?.next ? moments.nextGoal(words.next) : moments.lastGoal,
    next: { to: '/Profile/achievements', text: 'See achievements' },
  }
}

function courseNews({ courseId, title, next }: Extract<EarnedMoment, { kind: 'course' }>): MomentNews {
  const news = { icon: <GraduationCap size={28} />, title: moments.courseFinished }
  switch (next) {
    case 'exam':
      return {
        ...news,
        text: moments.examNext(title),
        next: { to: `/Exam/${courseId}`, text: 'Go to exam' },
      }
    case 'address':
      return {
        ...news,
        text: moments.addressNext(title),
        next: { to: '/ConfirmEmail', text: 'Confirm your email' },
      }
    default:
      return {
        ...news,
        text: moments.certificateReady(title),
        next: { to: `/Certificate/${next.certificateId}`, text: 'See your certificate' },
        share: { title: sharedCertificate(title), path: `/Certificate/${next.certificateId}` },
      }
  }
}
