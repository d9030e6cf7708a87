/**
 * Defines the achievements that a learner can earn, and the goals beyond them.
 *
 * An achievement is earned once. Some achievements have further goals in the same unit, such as 100
 * lessons after the first 50. A page celebrates achievements, further goals, finished courses and
 * steps of a streak.
 */
import type { LearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { getLongestStreakDays, streakSteps } from '~/features/learning/progress/streak'
import {
  achievementTexts,
  formatAchievementActivity,
  formatBestExam,
  formatFastestCourse,
  formatNextGoal,
  formatStreakActivity,
  progressTexts,
  reachedGoalTexts,
} from './achievement-messages'

/** The statistics of a learner on which achievements depend. */
export type AchievementStatistics = {
  certificates: number
  lessonsDone: number
  /** A whole percentage. Null before the first exam. */
  bestExamPercent: number | null
  longestStreakDays: number
  technologyCoursesCompleted: number
  /** The days from the enrollment to the completion. Null before the first completed course. */
  quickestCourseDays: number | null
}

export type AchievementDefinition = {
  id: string
  icon: 'award' | 'book-open' | 'trophy' | 'flame' | 'code' | 'zap'
  name: string
  /** What the learner has to do. */
  description: string
  /** A text that says what the learner has done, once the achievement is earned. */
  earned: string
  /** Returns the progress toward the achievement. */
  getProgress(statistics: AchievementStatistics): Progress
  /** Returns the progress toward the next goal beyond the achievement. */
  getFurtherProgress(statistics: AchievementStatistics): Progress
}

/** The goal is reached once `count` is equal to `goal`. */
type Progress = { count: number; goal: number; text: string }
type CountedUnit = keyof typeof progressTexts

/**
 * This achievement has the same goal as a step of the streak. Only the achievement is celebrated.
 */
export const consistentLearner = { id: 'consistent-learner', days: 7 } as const

/** The goals of the other achievements. */
const achievementGoals = {
  certificates: 1,
  lessons: 50,
  examPercent: 95,
  technologyCourses: 3,
  courseDays: 7,
} as const

/**
 * The goals beyond the achievements. Those of the streak are not in `celebratedGoals`, because each
 * step of a streak is celebrated anyway.
 */
const furtherGoals = {
  certificates: [3, 5, 10, 25],
  lessons: [100, 250, 500, 1000],
  streakDays: streakSteps.filter((days) => days > consistentLearner.days),
  technologyCourses: [5, 10],
} as const

/** All achievements, in the order of the profile. */
export const achievementDefinitions: readonly AchievementDefinition[] = [
  {
    id: 'first-certificate',
    icon: 'award',
    name: 'First Certificate',
    description: achievementTexts.firstCertificate.rule(),
    earned: achievementTexts.firstCertificate.earned(),
    getProgress: ({ certificates }) =>
      createProgress(certificates, achievementGoals.certificates, 'certificates'),
    getFurtherProgress: ({ certificates }) =>
      createProgressToNextGoal(certificates, furtherGoals.certificates, 'certificates'),
  },
  {
    id: 'bookworm',
    icon: 'book-open',
    name: 'Bookworm',
    description: achievementTexts.bookworm.rule(achievementGoals.lessons),
    earned: achievementTexts.bookworm.earned(achievementGoals.lessons),
    getProgress: ({ lessonsDone }) =>
      createProgress(lessonsDone, achievementGoals.lessons, 'lessons'),
    getFurtherProgress: ({ lessonsDone }) =>
      createProgressToNextGoal(lessonsDone, furtherGoals.lessons, 'lessons'),
  },
  {
    id: 'high-achiever',
    icon: 'trophy',
    name: 'High Achiever',
    description: achievementTexts.highAchiever.rule(achievementGoals.examPercent),
    earned: achievementTexts.highAchiever.earned(achievementGoals.examPercent),
    getProgress: ({ bestExamPercent }) => ({
      count: Math.min(bestExamPercent ?? 0, achievementGoals.examPercent),
      goal: achievementGoals.examPercent,
      text: formatBestExam(bestExamPercent),
    }),
    getFurtherProgress: ({ bestExamPercent }) => ({
      count: bestExamPercent ?? 0,
      goal: 100,
      text: formatBestExam(bestExamPercent ?? 0),
    }),
  },
  {
    id: consistentLearner.id,
    icon: 'flame',
    name: 'Consistent Learner',
    description: achievementTexts.consistentLearner.rule(consistentLearner.days),
    earned: achievementTexts.consistentLearner.earned(consistentLearner.days),
    getProgress: ({ longestStreakDays }) =>
      createProgress(longestStreakDays, consistentLearner.days, 'days'),
    getFurtherProgress: ({ longestStreakDays }) =>
      createProgressToNextGoal(longestStreakDays, furtherGoals.streakDays, 'days'),
  },
  {
    id: 'code-master',
    icon: 'code',
    name: 'Code Master',
    description: achievementTexts.codeMaster.rule(achievementGoals.technologyCourses),
    earned: achievementTexts.codeMaster.earned(achievementGoals.technologyCourses),
    getProgress: ({ technologyCoursesCompleted }) =>
      createProgress(
        technologyCoursesCompleted,
        achievementGoals.technologyCourses,
        'technologyCourses',
      ),
    getFurtherProgress: ({ technologyCoursesCompleted }) =>
      createProgressToNextGoal(
        technologyCoursesCompleted,
        furtherGoals.technologyCourses,
        'technologyCourses',
      ),
  },
  {
    id: 'fast-learner',
    icon: 'zap',
    name: 'Fast Learner',
    description: achievementTexts.fastLearner.rule(achievementGoals.courseDays),
    earned: achievementTexts.fastLearner.earned(achievementGoals.courseDays),
    // The count is 1 if a course was completed within the days of the goal, and less otherwise.
    getProgress: ({ quickestCourseDays }) => ({
      count:
        quickestCourseDays === null
          ? 0
          : Math.min(1, achievementGoals.courseDays / quickestCourseDays),
      goal: 1,
      text: formatFastestCourse(quickestCourseDays),
    }),
    // The goal is a course that is completed within a day.
    getFurtherProgress: ({ quickestCourseDays }) => ({
      count: quickestCourseDays === null ? 0 : 1 / quickestCourseDays,
      goal: 1,
      text: formatFastestCourse(quickestCourseDays ?? 0),
    }),
  },
]

function createProgress(totalCount: number, goal: number, unit: CountedUnit): Progress {
  const count = Math.min(totalCount, goal)
  return { count, goal, text: progressTexts[unit](count, goal) }
}

/** Returns the progress toward the first goal that is not reached, or toward the last goal. */
function createProgressToNextGoal(
  count: number,
  ascendingGoals: readonly number[],
  unit: CountedUnit,
): Progress {
  const nextGoal = ascendingGoals.find((goal) => count < goal) ?? ascendingGoals.at(-1) ?? count
  const progress = createProgress(count, nextGoal, unit)

  return { ...progress, text: formatNextGoal(progress.text) }
}

type CelebratedGoals = {
  achievementId: string
  unit: keyof typeof reachedGoalTexts
  /** The goals beyond the achievement, in ascending order. */
  goals: readonly number[]
  getCount(statistics: AchievementStatistics): number
}

/** The goals beyond achievements that are celebrated. */
const celebratedGoals: readonly CelebratedGoals[] = [
  {
    achievementId: 'first-certificate',
    unit: 'certificates',
    goals: furtherGoals.certificates,
    getCount: ({ certificates }) => certificates,
  },
  {
    achievementId: 'bookworm',
    unit: 'lessons',
    goals: furtherGoals.lessons,
    getCount: ({ lessonsDone }) => lessonsDone,
  },
  {
    achievementId: 'code-master',
    unit: 'technologyCourses',
    goals: furtherGoals.technologyCourses,
    getCount: ({ technologyCoursesCompleted }) => technologyCoursesCompleted,
  },
]

type ReachedGoal = { achievementId: string; goal: number; isHighest: boolean }

/**
 * Returns the goals beyond achievements that the learner has reached. Only the highest goal of each
 * achievement is celebrated, because the learner may reach several goals at once.
 */
export function listReachedGoals(statistics: AchievementStatistics): ReachedGoal[] {
  return celebratedGoals.flatMap(({ achievementId, goals, getCount }) => {
    const reachedGoals = goals.filter((goal) => goal <= getCount(statistics))
    const highestGoal = reachedGoals.at(-1)
    return reachedGoals.map((goal) => ({ achievementId, goal, isHighest: goal === highestGoal }))
  })
}

/**
 * Describes a reached goal beyond an achievement by a text such as '100 lessons finished' and the
 * next goal. Returns null if the achievement no longer exists or has no celebrated goals.
 */
export function describeReachedGoal(
  achievementId: string,
  reachedGoal: number,
): { text: string; nextGoal: number | null } | null {
  const achievement = celebratedGoals.find((candidate) => candidate.achievementId === achievementId)
  if (!achievement) {
    return null
  }

  const { unit, goals } = achievement
  return {
    text: reachedGoalTexts[unit](reachedGoal),
    nextGoal: goals.find((goal) => goal > reachedGoal) ?? null,
  }
}

/**
 * Returns the text of an activity about a milestone. The text is derived from the activity's ID
 * (`streak:7:2026-11-20`, `achievement:bookworm`, `goal:bookworm:100`), so that old activities have
 * the current wording.
 *
 * @returns null for other activities, whose text is stored because it contains a title of that time
 */
export function getMilestoneText(activityId: string): string | null {
  const [kind, subject = '', detail = ''] = activityId.split(':')
  switch (kind) {
    case 'streak':
      return formatStreakActivity(subject)
    case 'goal':
      return describeReachedGoal(subject, Number(detail))?.text ?? null
    case 'achievement': {
      const definition = achievementDefinitions.find(({ id }) => id === subject)
      return definition ? formatAchievementActivity(definition.name) : null
    }
    default:
      return null
  }
}

/** Computes the statistics on which achievements depend. */
export function getAchievementStatistics(statistics: LearnerStatistics): AchievementStatistics {
  const { certificates, lessonsDone, exams, completedCourses, studyDays } = statistics
  const courseDays = completedCourses.map(({ enrolledAt, completedAt }) =>
    countStartedDays(enrolledAt, completedAt),
  )

  return {
    certificates,
    lessonsDone,
    bestExamPercent: exams.best,
    longestStreakDays: getLongestStreakDays(studyDays),
    technologyCoursesCompleted: completedCourses.filter(({ category }) => category === 'technology')
      .length,
    quickestCourseDays: courseDays.length > 0 ? Math.min(...courseDays) : null,
  }
}

const dayMs = 86_400_000

/** Counts each started period of 24 hours as a day. */
function countStartedDays(from: string, to: string): number {
  return Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / dayMs))
}
