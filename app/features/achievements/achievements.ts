import type { LearnerStatistics } from '~/features/learning/progress/learner-statistics.server'
import { getLongestStreakDays, streakSteps } from '~/features/learning/progress/streak'
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

/** What a learner has done, as far as achievements depend on it. */
export type AchievementStatistics = {
  certificates: number
  lessonsDone: number
  /** In whole percent. Null before the first exam. */
  bestExamPercent: number | null
  longestStreakDays: number
  technologyCoursesCompleted: number
  /** The days from enrolling to completing. Null before the first completed course. */
  quickestCourseDays: number | null
}

export type AchievementDefinition = {
  id: string
  icon: 'award' | 'book-open' | 'trophy' | 'flame' | 'code' | 'zap'
  name: string
  /** What the learner has to do. */
  description: string
  /** What the learner has done, once the achievement is earned. */
  earned: string
  /** How far the learner is on the way to the achievement. */
  progress(statistics: AchievementStatistics): Progress
  /** How far the learner is on the way to the next goal beyond the achievement. */
  further(statistics: AchievementStatistics): Progress
}

type Progress = { now: number; goal: number; text: string }
type CountedUnit = keyof typeof progressTexts

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

function getProgress(count: number, goal: number, unit: CountedUnit): Progress {
  const now = Math.min(count, goal)
  return { now, goal, text: progressTexts[unit](now, goal) }
}

/** Returns the progress towards the first goal that is not reached, or towards the last one. */
function getProgressToNextGoal(
  count: number,
  ascendingGoals: readonly number[],
  unit: CountedUnit,
): Progress {
  const nextGoal = ascendingGoals.find((goal) => count < goal) ?? ascendingGoals.at(-1) ?? count
  const progress = getProgress(count, nextGoal, unit)

  return { ...progress, text: nextStepText(progress.text) }
}

/** This achievement has the same goal as a step of the streak. Only the achievement is celebrated. */
export const consistentLearner = { id: 'consistent-learner', days: 7 } as const

/** The goals of the other achievements. */
const goals = {
  certificates: 1,
  lessons: 50,
  examPercent: 95,
  technologyCourses: 3,
  courseDays: 7,
} as const

/** The goals beyond each achievement. Those of the streak are celebrated as its steps. */
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
  count(statistics: AchievementStatistics): number
}

/** The goals beyond achievements that are celebrated. The id is that of the achievement. */
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
 * Returns the goals beyond achievements that the learner has reached. Only the highest of each
 * achievement is celebrated, because the learner may reach several at once.
 */
export function listReachedGoals(
  statistics: AchievementStatistics,
): { id: string; goal: number; isHighest: boolean }[] {
  return celebratedGoals.flatMap(({ id, goals, count }) => {
    const reachedGoals = goals.filter((goal) => goal <= count(statistics))
    const highestGoal = reachedGoals.at(-1)
    return reachedGoals.map((goal) => ({ id, goal, isHighest: goal === highestGoal }))
  })
}

/**
 * Returns a text such as '100 lessons finished' and the next goal. Returns null if the achievement has
 * no such goal any more.
 */
export function describeReachedGoal(
  id: string,
  goal: number,
): { reached: string; next: number | null } | null {
  const goals = celebratedGoals.find((celebrated) => celebrated.id === id)
  if (!goals) {
    return null
  }

  return {
    reached: reachedTexts[goals.reached](goal),
    next: goals.goals.find((nextGoal) => nextGoal > goal) ?? null,
  }
}

/** Something that the learner has reached and that a page celebrates. */
export type Celebration =
  | { kind: 'achievement'; id: string }
  /**
   * The learner has done every lesson of a course. `next` is what remains before the certificate
   * (passing the exam or confirming the email address), or the certificate itself.
   */
  | {
      kind: 'course'
      courseId: string
      title: string
      next: 'exam' | 'address' | { certificateId: string }
    }
  | { kind: 'streak'; days: number }
  /** The learner has reached a goal beyond an achievement. The id is that of the achievement. */
  | { kind: 'goal'; id: string; goal: number }

/** All achievements, in the order of the profile. */
export const achievementDefinitions: readonly AchievementDefinition[] = [
  {
    id: 'first-certificate',
    icon: 'award',
    name: 'First Certificate',
    description: achievementTexts.firstCertificate.rule(),
    earned: achievementTexts.firstCertificate.earned(),
    progress: ({ certificates }) => getProgress(certificates, goals.certificates, 'certificates'),
    further: ({ certificates }) =>
      getProgressToNextGoal(certificates, furtherGoals.certificates, 'certificates'),
  },
  {
    id: 'bookworm',
    icon: 'book-open',
    name: 'Bookworm',
    description: achievementTexts.bookworm.rule(goals.lessons),
    earned: achievementTexts.bookworm.earned(goals.lessons),
    progress: ({ lessonsDone }) => getProgress(lessonsDone, goals.lessons, 'lessons'),
    further: ({ lessonsDone }) =>
      getProgressToNextGoal(lessonsDone, furtherGoals.lessons, 'lessons'),
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
    progress: ({ longestStreakDays }) =>
      getProgress(longestStreakDays, consistentLearner.days, 'days'),
    further: ({ longestStreakDays }) =>
      getProgressToNextGoal(longestStreakDays, furtherGoals.streakDays, 'days'),
  },
  {
    id: 'code-master',
    icon: 'code',
    name: 'Code Master',
    description: achievementTexts.codeMaster.rule(goals.technologyCourses),
    earned: achievementTexts.codeMaster.earned(goals.technologyCourses),
    progress: ({ technologyCoursesCompleted }) =>
      getProgress(technologyCoursesCompleted, goals.technologyCourses, 'technologyCourses'),
    further: ({ technologyCoursesCompleted }) =>
      getProgressToNextGoal(
        technologyCoursesCompleted,
        furtherGoals.technologyCourses,
        'technologyCourses',
      ),
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
 * Returns the text of an activity about a milestone. It is derived from the activity's id
 * (`streak:7:2026-11-20`, `achievement:bookworm`, `goal:bookworm:100`), so that it always has the
 * present wording.
 *
 * @returns null for other activities, whose text is stored because it contains a title of that time
 */
export function getMilestoneText(id: string): string | null {
  const [kind, subject = '', goal = ''] = id.split(':')
  if (kind === 'streak') {
    return streakActivity(subject)
  }

  if (kind === 'goal') {
    return describeReachedGoal(subject, Number(goal))?.reached ?? null
  }

  const definition =
    kind === 'achievement' &&
    achievementDefinitions.find(({ id: achievementId }) => achievementId === subject)

  return definition ? achievementActivity(definition.name) : null
}
