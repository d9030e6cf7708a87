/**
 * The texts about achievements, goals and streaks: on the profile, in activities and in
 * celebrations.
 */
import { byCount } from '~/ui/format-count'

/** The texts that say how far a learner is from a goal. Each key is a unit that is counted. */
export const progressTexts = {
  certificates: (count: number, goal: number) =>
    byCount(goal, `${count} of 1 certificate`, `${count} of ${goal} certificates`),
  lessons: (count: number, goal: number) =>
    byCount(goal, `${count} of 1 lesson`, `${count} of ${goal} lessons`),
  days: (count: number, goal: number) =>
    byCount(goal, `${count} of 1 day in a row`, `${count} of ${goal} days in a row`),
  technologyCourses: (count: number, goal: number) =>
    byCount(goal, `${count} of 1 technology course`, `${count} of ${goal} technology courses`),
} as const

export function formatNextGoal(progressText: string): string {
  return `Next: ${progressText}`
}

/** The texts of reached goals beyond achievements. */
export const reachedGoalTexts = {
  certificates: (goal: number) =>
    byCount(goal, '1 certificate earned', `${goal} certificates earned`),
  lessons: (goal: number) => byCount(goal, '1 lesson finished', `${goal} lessons finished`),
  technologyCourses: (goal: number) =>
    byCount(goal, '1 technology course completed', `${goal} technology courses completed`),
} as const

/**
 * Says what the learner has to do for each achievement, and what they have done once it is earned.
 */
export const achievementTexts = {
  firstCertificate: {
    rule: () => 'Earn your first certificate.',
    earned: () => 'You earned your first certificate.',
  },
  bookworm: {
    rule: (lessons: number) => `Finish ${lessons} lessons.`,
    earned: (lessons: number) => `You finished ${lessons} lessons.`,
  },
  highAchiever: {
    rule: (percent: number) => `Score ${percent}% or higher on an exam.`,
    earned: (percent: number) => `You scored ${percent}% or higher on an exam.`,
  },
  consistentLearner: {
    rule: (days: number) => `Study ${days} days in a row.`,
    earned: (days: number) => `You studied ${days} days in a row.`,
  },
  codeMaster: {
    rule: (courses: number) => `Complete ${courses} technology courses.`,
    earned: (courses: number) => `You completed ${courses} technology courses.`,
  },
  fastLearner: {
    rule: (days: number) => `Complete a course within ${days} days of enrolling.`,
    earned: (days: number) => `You completed a course within ${days} days of enrolling.`,
  },
} as const

export function formatBestExam(percent: number | null): string {
  return percent === null ? 'No exams taken yet' : `Best exam so far: ${percent}%`
}

export function formatFastestCourse(days: number | null): string {
  if (days === null) {
    return 'No courses completed yet'
  }

  return byCount(days, 'Fastest course so far: 1 day', `Fastest course so far: ${days} days`)
}

export function formatAchievementActivity(name: string): string {
  return `Earned the achievement ${name}`
}

export function formatStreakActivity(days: string): string {
  return `Studied ${days} days in a row`
}

export const celebrationTexts = {
  streak: (days: number) => `${days} days in a row`,
  continueStreak: 'You’re on a streak. Come back tomorrow to keep it going.',
  achievement: (name: string) => `Achievement earned: ${name}`,
  nextGoal: (goal: number | null) =>
    goal === null ? 'You’ve reached the final goal.' : `Your next goal is ${goal}.`,
  courseFinished: 'Course finished',
  passExam: (course: string) =>
    `You’ve finished every lesson in ${course}. Pass the exam to earn your certificate.`,
  confirmEmail: (course: string) =>
    `You’ve finished every lesson in ${course}. Confirm your email address to receive your certificate.`,
  certificateReady: (course: string) =>
    `You’ve finished every lesson in ${course}, and your certificate is ready.`,
} as const

/** Formats the title of a certificate that the learner shares. */
export function formatSharedCertificateTitle(course: string): string {
  return `Certificate: ${course}`
}
