import { countText } from '~/ui/count-text'
import type { LearnerFacts } from '../course-work/learner-facts.server'
import { longestStreakDays, streakSteps } from '../course-work/streak'

/** What the rules look at. */
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
  /** What comes after the achievement is earned, step by step; the last one stays. */
  further(facts: AchievementFacts): Progress
}

type Progress = { now: number; goal: number; text: string }

export function achievementFactsOf(facts: LearnerFacts): AchievementFacts {
  const { certificates, lessonsDone, exams, completedCourses, studyDays } = facts
  const days = completedCourses.map(({ enrolledAt, completedAt }) => begunDays(enrolledAt, completedAt))
  return {
    certificates,
    lessonsDone,
    bestExamPercent: exams.best,
    longestStreakDays: longestStreakDays(studyDays),
    technologyCoursesCompleted: completedCourses.filter(({ category }) => category === 'technology').length,
    quickestCourseDays: days.length > 0 ? Math.min(...days) : null,
  }
}

/** Completed within the first 24 hours is 1. */
function begunDays(from: string, to: string): number {
  return Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / 86_400_000))
}

/** The first of ever higher goals that is not reached, else the last. */
function nextOf(now: number, goals: readonly number[], unit: string): Progress {
  const step = upTo(now, goals.find((goal) => now < goal) ?? goals.at(-1) ?? now, unit)
  return { ...step, text: `Next: ${step.text}` }
}

const upTo = (now: number, goal: number, unit: string): Progress => ({
  now: Math.min(now, goal),
  goal,
  text: `${Math.min(now, goal)} of ${goal} ${unit}`,
})

/** Its days are also a step of a streak, which is then not celebrated twice. */
export const consistentLearner = { id: 'consistent-learner', days: 7 } as const

/** What each asks for. */
const goals = {
  certificates: 1,
  lessons: 50,
  examPercent: 95,
  technologyCourses: 3,
  courseDays: 7,
} as const

/** What each leads on to. The days in a row are celebrated as steps of the streak. */
const furtherGoals = {
  certificates: [3, 5, 10, 25],
  lessons: [100, 250, 500, 1000],
  streakDays: streakSteps.filter((days) => days > consistentLearner.days),
  technologyCourses: [5, 10],
} as const

type FurtherGoal = { id: string; unit: string; goals: readonly number[]; count(facts: AchievementFacts): number }

/** Goals beyond an achievement that are celebrated, by the achievement's id. */
const celebratedGoals: readonly FurtherGoal[] = [
  {
    id: 'first-certificate',
    unit: 'certificates earned',
    goals: furtherGoals.certificates,
    count: ({ certificates }) => certificates,
  },
  { id: 'bookworm', unit: 'lessons finished', goals: furtherGoals.lessons, count: ({ lessonsDone }) => lessonsDone },
  {
    id: 'code-master',
    unit: 'technology courses completed',
    goals: furtherGoals.technologyCourses,
    count: ({ technologyCoursesCompleted }) => technologyCoursesCompleted,
  },
]

/**
 * Goals beyond an achievement that the learner has reached. One step may pass several of a kind: the `highest` is
 * celebrated, because it says the others, too.
 */
export function furtherGoalsReached(facts: AchievementFacts): { id: string; goal: number; highest: boolean }[] {
  return celebratedGoals.flatMap(({ id, goals, count }) => {
    const reached = goals.filter((goal) => goal <= count(facts))
    return reached.map((goal) => ({ id, goal, highest: goal === reached.at(-1) }))
  })
}

/** Like '100 lessons finished', and the goal after it; null for one that is none any more. */
export function furtherGoalWords(id: string, goal: number): { reached: string; next: number | null } | null {
  const found = celebratedGoals.find((one) => one.id === id)
  if (!found) return null
  return { reached: `${goal} ${found.unit}`, next: found.goals.find((one) => one > goal) ?? null }
}

/** Every achievement there is, in the order of the profile. */
export const achievementDefinitions: readonly AchievementDefinition[] = [
  {
    id: 'first-certificate',
    icon: 'award',
    name: 'First Certificate',
    description: 'Earn your first certificate.',
    earned: 'You earned your first certificate.',
    progress: ({ certificates }) => upTo(certificates, goals.certificates, 'certificate'),
    further: ({ certificates }) => nextOf(certificates, furtherGoals.certificates, 'certificates'),
  },
  {
    id: 'bookworm',
    icon: 'book-open',
    name: 'Bookworm',
    description: `Finish ${goals.lessons} lessons.`,
    earned: `You finished ${goals.lessons} lessons.`,
    progress: ({ lessonsDone }) => upTo(lessonsDone, goals.lessons, 'lessons'),
    further: ({ lessonsDone }) => nextOf(lessonsDone, furtherGoals.lessons, 'lessons'),
  },
  {
    id: 'high-achiever',
    icon: 'trophy',
    name: 'High Achiever',
    description: `Score ${goals.examPercent}% or higher on an exam.`,
    earned: `You scored ${goals.examPercent}% or higher on an exam.`,
    progress: ({ bestExamPercent }) => ({
      now: Math.min(bestExamPercent ?? 0, goals.examPercent),
      goal: goals.examPercent,
      text: bestExamPercent === null ? 'No exams taken yet' : `Best exam so far: ${bestExamPercent}%`,
    }),
    further: ({ bestExamPercent }) => ({
      now: bestExamPercent ?? 0,
      goal: 100,
      text: `Best exam so far: ${bestExamPercent ?? 0}%`,
    }),
  },
  {
    id: consistentLearner.id,
    icon: 'flame',
    name: 'Consistent Learner',
    description: `Study ${consistentLearner.days} days in a row.`,
    earned: `You studied ${consistentLearner.days} days in a row.`,
    progress: ({ longestStreakDays }) => upTo(longestStreakDays, consistentLearner.days, 'days in a row'),
    further: ({ longestStreakDays }) => nextOf(longestStreakDays, furtherGoals.streakDays, 'days in a row'),
  },
  {
    id: 'code-master',
    icon: 'code',
    name: 'Code Master',
    description: `Complete ${goals.technologyCourses} technology courses.`,
    earned: `You completed ${goals.technologyCourses} technology courses.`,
    progress: ({ technologyCoursesCompleted }) =>
      upTo(technologyCoursesCompleted, goals.technologyCourses, 'technology courses'),
    further: ({ technologyCoursesCompleted }) =>
      nextOf(technologyCoursesCompleted, furtherGoals.technologyCourses, 'technology courses'),
  },
  {
    id: 'fast-learner',
    icon: 'zap',
    name: 'Fast Learner',
    description: `Complete a course within ${goals.courseDays} days of enrolling.`,
    earned: `You completed a course within ${goals.courseDays} days of enrolling.`,
    progress: ({ quickestCourseDays }) => ({
      now: quickestCourseDays === null ? 0 : Math.min(1, goals.courseDays / quickestCourseDays),
      goal: 1,
      text:
        quickestCourseDays === null
          ? 'No courses completed yet'
          : `Fastest course so far: ${countText(quickestCourseDays, 'day')}`,
    }),
    further: ({ quickestCourseDays }) => ({
      now: quickestCourseDays === null ? 0 : Math.min(1, 1 / quickestCourseDays),
      goal: 1,
      text: `Fastest course so far: ${countText(quickestCourseDays ?? 0, 'day')}`,
    }),
  },
]
