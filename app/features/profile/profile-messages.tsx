/** The texts of the profile. Short labels and headings are in their components. */
import type { ReactNode } from 'react'
import { byCount } from '~/ui/format-count'
import type { LearnerRecord } from './learner-record'

export const profileMessages = {
  /** The sentence below the heading of the overview. */
  intros: {
    recordNotLoaded: 'Here’s where you stand.',
    noCourses: 'Good to have you here.',
    allCompleted: 'You’ve completed all your courses. What’s next?',
    onlyExamsLeft: 'You’ve finished every lesson. Pass the exam to earn your certificate.',
    inProgress: (courseCount: number) =>
      byCount(
        courseCount,
        'You have 1 course in progress.',
        `You have ${courseCount} courses in progress.`,
      ),
  } as const,
  sectionNotFound: {
    heading: 'Section not found',
    text: 'We couldn’t find that section of your profile.',
  } as const,
  noActivity: {
    title: 'No activity yet',
    text: 'Lessons you finish, quizzes you answer and certificates you earn will appear here.',
  } as const,
  nothingToContinue: {
    title: 'Nothing left to continue',
    text: 'You’ve completed every course you enrolled in. Pick your next one.',
  } as const,
  noCourses: {
    title: 'You’re not enrolled in any courses yet',
    text: 'Browse the courses and preview a few lessons before you decide.',
  } as const,
  noExams: {
    title: 'No exams taken yet',
    text: 'Every course ends with an exam. Your scores will appear here.',
  } as const,
  noStudyTime: {
    title: 'No study time yet',
    text: 'Open your first lesson, and your study time will appear here.',
  } as const,
  noWishes: 'Courses you mark with a heart will appear here.',
  noBookmarks: 'Lessons you bookmark will appear here.',
  nextIsExam: 'Next: Final exam',
  courseRetired: 'This course is no longer offered. We’ve kept your progress.',
  leaveCourse: {
    left: (course: string) => `You left ${course}. We’ve kept your work.`,
    enrolledAgain: (course: string) => `You’re enrolled in ${course} again.`,
    enrolling: (course: string) => `Adding ${course} back to your courses...`,
    enrollmentRefused: (course: string) => `We couldn’t add ${course} back to your courses.`,
  } as const,
  streakAdvice: {
    startFirst: 'Study a little today to start your streak.',
    startAgain: (longestDays: number) =>
      byCount(
        longestDays,
        'Your longest streak is 1 day. Today’s a good day to start a new one.',
        `Your longest streak is ${longestDays} days. Today’s a good day to start a new one.`,
      ),
    atRecord: 'This is your longest streak yet.',
    belowRecord: (longestDays: number) =>
      byCount(
        longestDays,
        'Your longest streak is 1 day.',
        `Your longest streak is ${longestDays} days.`,
      ),
    continueToday: 'Study for a few minutes today to keep it going.',
  } as const,
}

type CourseScoresSummary = {
  attemptCount: number
  bestPercent: number
  /** The latest score minus the first, in percentage points. */
  improvementPoints: number
}

/** Summarizes a learner's exam attempts in one course. */
export function formatCourseScores(summary: CourseScoresSummary): ReactNode {
  const { attemptCount, bestPercent, improvementPoints } = summary
  const figures = [
    <span key="attempts">{byCount(attemptCount, '1 attempt', `${attemptCount} attempts`)}</span>,
    <span key="best">
      Best <strong className="font-semibold text-ink">{bestPercent}%</strong>
    </span>,
  ]
  if (improvementPoints > 0) {
    const improvementText = byCount(
      improvementPoints,
      'up 1 point',
      `up ${improvementPoints} points`,
    )
    figures.push(<span key="improvement">{improvementText}</span>)
  }

  return joinWithDots(figures)
}

/**
 * Summarizes all exam scores of a learner.
 *
 * @param visibleCount how many scores the chart shows, or null if it shows all
 */
export function formatScoreFigures(
  { taken, average, best }: LearnerRecord['examFigures'],
  visibleCount: number | null,
): ReactNode {
  const figures = [
    <span key="average">
      Average <strong className="font-semibold text-ink">{average ?? 0}%</strong>
    </span>,
    <span key="best">
      Best <strong className="font-semibold text-ink">{best ?? 0}%</strong>
    </span>,
  ]
  if (visibleCount !== null) {
    figures.unshift(<span key="visible">{`Latest ${visibleCount} of ${taken}`}</span>)
  }

  return joinWithDots(figures)
}

function joinWithDots(figures: ReactNode[]): ReactNode {
  return figures.flatMap((figure, index) => (index === 0 ? [figure] : [' · ', figure]))
}
