import { countText } from '~/ui/count-text'

/** What the rules look at; all of it is derived from the learner's rows. */
export type AchievementFacts = {
  certificates: number
  lessonsDone: number
  /** Whole percent; null before the first exam. */
  bestExamPercent: number | null
  longestStreakDays: number
  technologyCoursesCompleted: number
  /** From enrolling to completing; null before the first completed course. */
  quickestCourseDays: number | null
}

export type AchievementDefinition = {
  id: string
  icon: 'award' | 'book-open' | 'trophy' | 'flame' | 'code' | 'zap'
  name: string
  /** The rule, as the learner reads it. */
  description: string
  /** How far the learner is: `now` of `goal`, and the same in words. */
  progress(facts: AchievementFacts): { now: number; goal: number; text: string }
}

const upTo = (now: number, goal: number, unit: string) => ({
  now: Math.min(now, goal),
  goal,
  text: `${Math.min(now, goal)} of ${goal} ${unit}`,
})

/** Days in a row that make a Consistent Learner; the progress write looks at it, too. */
export const consistentLearner = { id: 'consistent-learner', days: 7 } as const

/** Every achievement there is, in the order of the profile. */
export const achievementDefinitions: readonly AchievementDefinition[] = [
  {
    id: 'first-certificate',
    icon: 'award',
    name: 'First Certificate',
    description: 'Earn your first certificate.',
    progress: ({ certificates }) => upTo(certificates, 1, 'certificates'),
  },
  {
    id: 'bookworm',
    icon: 'book-open',
    name: 'Bookworm',
    description: 'Finish 50 lessons.',
    progress: ({ lessonsDone }) => upTo(lessonsDone, 50, 'lessons'),
  },
  {
    id: 'high-achiever',
    icon: 'trophy',
    name: 'High Achiever',
    description: 'Score 95% or more in an exam.',
    progress: ({ bestExamPercent }) => ({
      now: Math.min(bestExamPercent ?? 0, 95),
      goal: 95,
      text: bestExamPercent === null ? 'No exam taken yet' : `Best exam so far: ${bestExamPercent}%`,
    }),
  },
  {
    id: consistentLearner.id,
    icon: 'flame',
    name: 'Consistent Learner',
    description: `Learn on ${consistentLearner.days} days in a row.`,
    progress: ({ longestStreakDays }) => upTo(longestStreakDays, consistentLearner.days, 'days in a row'),
  },
  {
    id: 'code-master',
    icon: 'code',
    name: 'Code Master',
    description: 'Complete three technology courses.',
    progress: ({ technologyCoursesCompleted }) => upTo(technologyCoursesCompleted, 3, 'technology courses'),
  },
  {
    id: 'fast-learner',
    icon: 'zap',
    name: 'Fast Learner',
    description: 'Complete a course within 7 days of enrolling.',
    progress: ({ quickestCourseDays }) => ({
      now: quickestCourseDays === null ? 0 : Math.min(1, 7 / Math.max(quickestCourseDays, 1)),
      goal: 1,
      text:
        quickestCourseDays === null
          ? 'No course completed yet'
          : `Quickest course so far: ${countText(quickestCourseDays, 'day')}`,
    }),
  },
]
