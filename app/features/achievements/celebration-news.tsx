import { Flame, GraduationCap } from 'lucide-react'
import type { CelebrationNews } from '~/ui/celebration-card'
import { AchievementIcon } from './achievement-icon'
import { celebrations, sharedCertificate } from './achievement-messages'
import { achievementDefinitions, furtherGoalWords } from './achievements'
import type { Celebration } from './celebration'

/** The text of a celebration, and its link. */
export function celebrationNews(earned: Celebration): CelebrationNews {
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
        title: celebrations.streak(earned.days),
        text: celebrations.streakGoesOn,
      }
  }
}

function achievementNews(id: string): CelebrationNews {
  const definition = achievementDefinitions.find((one) => one.id === id)
  return {
    icon: <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />,
    // A line breaks before the name, not in it.
    title: celebrations.achievement((definition?.name ?? id).replaceAll(' ', '\u00a0')),
    text: definition?.earned,
    next: { to: '/Profile/achievements', text: 'See achievements' },
  }
}

function goalNews({ id, goal }: Extract<Celebration, { kind: 'goal' }>): CelebrationNews {
  const words = furtherGoalWords(id, goal)
  const definition = achievementDefinitions.find((one) => one.id === id)
  return {
    icon: <AchievementIcon icon={definition?.icon ?? 'award'} size={28} />,
    title: words?.reached ?? `${goal}`,
    text: words?.next ? celebrations.nextGoal(words.next) : celebrations.lastGoal,
    next: { to: '/Profile/achievements', text: 'See achievements' },
  }
}

function courseNews({ courseId, title, next }: Extract<Celebration, { kind: 'course' }>): CelebrationNews {
  const news = { icon: <GraduationCap size={28} />, title: celebrations.courseFinished }
  switch (next) {
    case 'exam':
      return {
        ...news,
        text: celebrations.examNext(title),
        next: { to: `/Exam/${courseId}`, text: 'Go to exam' },
      }
    case 'address':
      return {
        ...news,
        text: celebrations.addressNext(title),
        next: { to: '/ConfirmEmail', text: 'Confirm your email' },
      }
    default:
      return {
        ...news,
        text: celebrations.certificateReady(title),
        next: { to: `/Certificate/${next.certificateId}`, text: 'See your certificate' },
        share: { title: sharedCertificate(title), path: `/Certificate/${next.certificateId}` },
      }
  }
}
