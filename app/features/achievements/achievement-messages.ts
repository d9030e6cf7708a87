import { byCount } from '~/ui/format-count'

/** The text about achievements, goals and streaks: on the profile, in activities and celebrations. */

/** How far a learner is on the way to a goal, for each unit that is counted. */
export const progressTexts = {
  certificates: (now: number, goal: number) =>
    byCount(goal, `${now} of 1 certificate`, `${now} of ${goal} certificates`),
  lessons: (now: number, goal: number) =>
    byCount(goal, `${now} of 1 lesson`, `${now} of ${goal} lessons`),
  days: (now: number, goal: number) =>
    byCount(goal, `${now} of 1 day in a row`, `${now} of ${goal} days in a row`),
  technologyCourses: (now: number, goal: number) =>
    byCount(goal, `${now} of 1 technology course`, `${now} of ${goal} technology courses`),
} as const

export function nextStepText(progress: string): string {
  return `Next: ${progress}`
}

/** The goals beyond achievements, once they are reached. */
export const reachedTexts = {
  certificates: (goal: number) =>
    byCount(goal, '1 certificate earned', `${goal} certificates earned`),
  lessons: (goal: number) => byCount(goal, '1 lesson finished', `${goal} lessons finished`),
  technologyCourses: (goal: number) =>
    byCount(goal, '1 technology course completed', `${goal} technology courses completed`),
} as const

/** What the learner has to do for each achievement, and what they have done once it is earned. */
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

export function bestExam(percent: number | null): string {
  return percent === null ? 'No exams taken yet' : `Best exam so far: ${percent}%`
}

export function fastestCourse(days: number | null): string {
  if (days === null) {
    return 'No courses completed yet'
  }

  return byCount(days, 'Fastest course so far: 1 day', `Fastest course so far: ${days} days`)
}

export function achievementActivity(name: string): string {
  return `Earned the achievement ${name}`
}

export function streakActivity(days: string): string {
  return `Studied ${days} days in a row`
}

export const celebrations = {
  streak: (days: number) => `${days} days in a row`,
  streakGoesOn: 'You’re on a streak. Come back tomorrow to keep it going.',
  achievement: (name: string) => `Achievement earned: ${name}`,
  nextGoal: (goal: number | null) =>
    goal === null ? 'You’ve reached the final goal.' : `Your next goal is ${goal}.`,
  courseFinished: 'Course finished',
  examNext: (course: string) =>
    `You’ve finished every lesson in ${course}. Pass the exam to earn your certificate.`,
  addressNext: (course: string) =>
    `You’ve finished every lesson in ${course}. Confirm your email address to receive your certificate.`,
  certificateReady: (course: string) =>
    `You’ve finished every lesson in ${course}, and your certificate is ready.`,
} as const

/** The title of a certificate that the learner shares. */
export function sharedCertificate(course: string): string {
  return `Certificate: ${course}`
}
