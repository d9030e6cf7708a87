import type { LearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { getLongestStreakDays, streakSteps } from '~/features/learning/progress/study-time'
import {
  achievementActivity,
  achievementTexts,
  bestExam,
  fastestCourse,
  nextStepText,
  progressTexts,
  reachedTexts,
  streakActivity,
} from './achievement-messages'

/** The facts that the rules use. */
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
  /** The same, once it is earned. */
  earned: string
  /** How far the learner is: `now` of `goal`, and the same in words. */
  progress(facts: AchievementFacts): Progress
  /** Goals after the achievement is earned, step by step; the last one stays. */
  further(facts: AchievementFacts): Progress
}

type Progress = { now: number; goal: number; text: string }
type Counted = keyof typeof progressTexts

export function achievementFactsOf(facts: LearnerStatistics): AchievementFacts {
  const { certificates, lessonsDone, exams, completedCourses, studyDays } = facts
  const days = completedCourses.map(({ enrolledAt, completedAt }) =>
    begunDays(enrolledAt, completedAt),
  )

  return {
    certificates,
    lessonsDone,
    bestExamPercent: exams.best,
    longestStreakDays: getLongestStreakDays(studyDays),
    technologyCoursesCompleted: completedCourses.filter(({ category }) => category === 'technology')
      .length,
    quickestCourseDays: days.length > 0 ? Math.min(...days) : null,
  }
}

/** Completed within the first 24 hours is 1. */
function begunDays(from: string, to: string): number {
  return Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / 86_400_000))
}

/** The first of ever higher goals that is not reached, else the last. */
function nextOf(now: number, goals: readonly number[], counted: Counted): Progress {
  const step = upTo(now, goals.find((goal) => now < goal) ?? goals.at(-1) ?? now, counted)
  return { ...step, text: nextStepText(step.text) }
}

const upTo = (now: number, goal: number, counted: Counted): Progress => ({
  now: Math.min(now, goal),
  goal,
  text: progressTexts[counted](Math.min(now, goal), goal),
})

/** Its days are also a step of a streak, which is not celebrated then. */
export const consistentLearner = { id: 'consistent-learner', days: 7 } as const

/** The goal of each achievement. */
const goals = {
  certificates: 1,
  lessons: 50,
  examPercent: 95,
  technologyCourses: 3,
  courseDays: 7,
} as const

/** The further goals of each achievement. Days in a row are celebrated as steps of the streak. */
const furtherGoals = {
  certificates: [3, 5, 10, 25],
  lessons: [100, 250, 500, 1000],
  streakDays: streakSteps.filter((days) => days > consistentLearner.days),
  technologyCourses: [5, 10],
} as const

type FurtherGoal = {
  id: string
  reached: keyof typeof reachedTexts
  goals: readonly number[]
  count(facts: AchievementFacts): number
}

/** Goals beyond an achievement that are celebrated, by the achievement's id. */
const celebratedGoals: readonly FurtherGoal[] = [
  {
    id: 'first-certificate',
    reached: 'certificates',
    goals: furtherGoals.certificates,
    count: ({ certificates }) => certificates,
  },
  {
    id: 'bookworm',
    reached: 'lessons',
    goals: furtherGoals.lessons,
    count: ({ lessonsDone }) => lessonsDone,
  },
  {
    id: 'code-master',
    reached: 'technologyCourses',
    goals: furtherGoals.technologyCourses,
    count: ({ technologyCoursesCompleted }) => technologyCoursesCompleted,
  },
]

/**
 * Goals beyond an achievement that the learner has reached. One step may pass several of a kind:
 * the `highest` is celebrated, because it says the others, too.
 */
export function furtherGoalsReached(
  facts: AchievementFacts,
): { id: string; goal: number; highest: boolean }[] {
  return celebratedGoals.flatMap(({ id, goals, count }) => {
    const reached = goals.filter((goal) => goal <= count(facts))
    return reached.map((goal) => ({ id, goal, highest: goal === reached.at(-1) }))
  })
}

/** Like '100 lessons finished', and the goal after it; null for one that is none any more. */
export function furtherGoalWords(
  id: string,
  goal: number,
): { reached: string; next: number | null } | null {
  const found = celebratedGoals.find((one) => one.id === id)
  if (!found) {
    return null
  }

  return {
    reached: reachedTexts[found.reached](goal),
    next: found.goals.find((one) => one > goal) ?? null,
  }
}

/** An achievement of the learner that hasn't been celebrated yet. */
export type Celebration =
  | { kind: 'achievement'; id: string }
  /**
   * Every lesson is done. `next`: the remaining step before the certificate, or the certificate
   * itself.
   */
  | {
      kind: 'course'
      courseId: string
      title: string
      next: 'exam' | 'address' | { certificateId: string }
    }
  | { kind: 'streak'; days: number }
  /** Beyond an achievement: its id, and the number that was reached. */
  | { kind: 'goal'; id: string; goal: number }

/** Every achievement there is, in the order of the profile. */
export const achievementDefinitions: readonly AchievementDefinition[] = [
  {
    id: 'first-certificate',
    icon: 'award',
    name: 'First Certificate',
    description: achievementTexts.firstCertificate.rule(),
    earned: achievementTexts.firstCertificate.earned(),
    progress: ({ certificates }) => upTo(certificates, goals.certificates, 'certificates'),
    further: ({ certificates }) => nextOf(certificates, furtherGoals.certificates, 'certificates'),
  },
  {
    id: 'bookworm',
    icon: 'book-open',
    name: 'Bookworm',
    description: achievementTexts.bookworm.rule(goals.lessons),
    earned: achievementTexts.bookworm.earned(goals.lessons),
    progress: ({ lessonsDone }) => upTo(lessonsDone, goals.lessons, 'lessons'),
    further: ({ lessonsDone }) => nextOf(lessonsDone, furtherGoals.lessons, 'lessons'),
  },
  {
    id: 'high-achiever',
    icon: 'trophy',
    name: 'High Achiever',
    description: achievementTexts.highAchiever.rule(goals.examPercent),
    earned: achievementTexts.highAchiever.earned(goals.examPercent),
    progress: ({ bestExamPercent }) => ({
      now: Math.min(bestExamPercent ?? 0, goals.examPercent),
      goal: goals.examPercent,
      text: bestExam(bestExamPercent),
    }),
    further: ({ bestExamPercent }) => ({
      now: bestExamPercent ?? 0,
      goal: 100,
      text: bestExam(bestExamPercent ?? 0),
    }),
  },
  {
    id: consistentLearner.id,
    icon: 'flame',
    name: 'Consistent Learner',
    description: achievementTexts.consistentLearner.rule(consistentLearner.days),
    earned: achievementTexts.consistentLearner.earned(consistentLearner.days),
    progress: ({ longestStreakDays }) => upTo(longestStreakDays, consistentLearner.days, 'days'),
    further: ({ longestStreakDays }) => nextOf(longestStreakDays, furtherGoals.streakDays, 'days'),
  },
  {
    id: 'code-master',
    icon: 'code',
    name: 'Code Master',
    description: achievementTexts.codeMaster.rule(goals.technologyCourses),
    earned: achievementTexts.codeMaster.earned(goals.technologyCourses),
    progress: ({ technologyCoursesCompleted }) =>
      upTo(technologyCoursesCompleted, goals.technologyCourses, 'technologyCourses'),
    further: ({ technologyCoursesCompleted }) =>
      nextOf(technologyCoursesCompleted, furtherGoals.technologyCourses, 'technologyCourses'),
  },
  {
    id: 'fast-learner',
    icon: 'zap',
    name: 'Fast Learner',
    description: achievementTexts.fastLearner.rule(goals.courseDays),
    earned: achievementTexts.fastLearner.earned(goals.courseDays),
    progress: ({ quickestCourseDays }) => ({
      now: quickestCourseDays === null ? 0 : Math.min(1, goals.courseDays / quickestCourseDays),
      goal: 1,
      text: fastestCourse(quickestCourseDays),
    }),
    further: ({ quickestCourseDays }) => ({
      now: quickestCourseDays === null ? 0 : Math.min(1, 1 / quickestCourseDays),
      goal: 1,
      text: fastestCourse(quickestCourseDays ?? 0),
    }),
  },
]

/**
 * An activity's sentence about a milestone, in today's wording, because its id has the facts
 * (`streak:7:2026-11-20`, `achievement:bookworm`, `goal:bookworm:100`).
 *
 * @returns null for every other event, whose sentence is stored, because it contains a title of
 * that time.
 */
export function milestoneText(id: string): string | null {
  const [kind, subject = '', goal = ''] = id.split(':')
  if (kind === 'streak') {
    return streakActivity(subject)
  }

  if (kind === 'goal') {
    return furtherGoalWords(subject, Number(goal))?.reached ?? null
  }

  const definition =
    kind === 'achievement' && achievementDefinitions.find((one) => one.id === subject)

  return definition ? achievementActivity(definition.name) : null
}
