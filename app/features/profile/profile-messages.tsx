import type { ReactNode } from 'react'
import { byCount } from '~/ui/format-count'
import { formatDate, formatRelativeTime } from '~/ui/format-date'
import { formatClock, formatMinutes } from '~/ui/format-duration'
import type { Linked } from '~/ui/more-link'

/** Messages of the profile, each sentence whole. Labels and headings stand in their views. */

/** @param name keeps its own direction. */
export function welcome(name: ReactNode, isReturning: boolean): ReactNode {
  return isReturning ? <>Welcome back, {name}</> : <>Welcome, {name}</>
}

export const intros = {
  unread: 'Here’s where you stand.',
  first: 'Good to have you here.',
  allCompleted: 'You’ve completed all your courses. What’s next?',
  examDue: 'You’ve finished every lesson. Pass the exam to earn your certificate.',
  open: (courses: number) =>
    byCount(courses, 'You have 1 course in progress.', `You have ${courses} courses in progress.`),
} as const

export function nameWasShortened(link: Linked): ReactNode {
  return <>Your name was too long, so we shortened it. {link('Check it in Settings')}</>
}

export function confirmAddress(link: Linked): ReactNode {
  return <>Certificates need a confirmed email address. {link('Confirm your address')}</>
}

export function recordNotRead(link: Linked): ReactNode {
  return <>We couldn’t load your learning record. Nothing is lost. {link('Try again')}</>
}

export const sectionNotFound = {
  heading: 'Section not found',
  text: 'We couldn’t find that section of your profile.',
} as const

export const noActivity = {
  title: 'No activity yet',
  text: 'Lessons you finish, quizzes you answer and certificates you earn will appear here.',
} as const

export const nothingToContinue = {
  title: 'Nothing left to continue',
  text: 'You’ve completed every course you enrolled in. Pick your next one.',
} as const

export const noCourses = {
  title: 'You’re not enrolled in any courses yet',
  text: 'Browse the courses and preview a few lessons before you decide.',
} as const

export const noExams = {
  title: 'No exams taken yet',
  text: 'Every course ends with an exam. Your scores will appear here.',
} as const

export const noStudyTime = {
  title: 'No study time yet',
  text: 'Open your first lesson, and your study time will appear here.',
} as const

export const noWishes = 'Courses you mark with a heart will appear here.'
export const noBookmarks = 'Lessons you bookmark will appear here.'

export function achievementsIntro(earned: number, all: number): string {
  if (earned === 0) {
    return `${all} achievements to earn. See how close you are to each one.`
  }

  return earned === all
    ? `You’ve earned all ${all}.`
    : `${earned} of ${all} earned. See how close you are to the rest.`
}

export function earnedOn(at: string, timezone: string): string {
  return `Earned ${formatDate(at, timezone)}`
}

export function achievementProgressLabel(name: string, earned: boolean): string {
  return earned ? `Next step after ${name}` : `Progress toward ${name}`
}

/**
 * The figures of a course's exams, in one line.
 *
 * @param gained points between the first and the latest.
 */
export function courseScores(attempts: number, best: number, gained: number): ReactNode {
  const figures = [
    <span key="attempts">{byCount(attempts, '1 attempt', `${attempts} attempts`)}</span>,
    <span key="best">
      Best <strong className="font-semibold text-ink">{best}%</strong>
    </span>,
    ...(gained > 0
      ? [<span key="gained">{byCount(gained, 'up 1 point', `up ${gained} points`)}</span>]
      : []),
  ]

  return inOneLine(figures)
}

/** @param shown null: all of them. */
export function scoreFigures(
  shown: number | null,
  taken: number,
  average: number,
  best: number,
): ReactNode {
  const figures = [
    ...(shown === null ? [] : [<span key="shown">{`Latest ${shown} of ${taken}`}</span>]),
    <span key="average">
      Average <strong className="font-semibold text-ink">{average}%</strong>
    </span>,
    <span key="best">
      Best <strong className="font-semibold text-ink">{best}%</strong>
    </span>,
  ]

  return inOneLine(figures)
}

function inOneLine(figures: ReactNode[]): ReactNode {
  return figures.flatMap((figure, index) => (index === 0 ? [figure] : [' · ', figure]))
}

/** @param shown fewer than were taken, or all. */
export function resultsHeading(shown: number, taken: number): string {
  return taken > shown ? `Latest ${shown} of ${taken} results` : 'All results'
}

export function scoreLabel(exam: string, at: string, timezone: string, percent: number): string {
  return `${exam}, ${formatDate(at, timezone)}: ${percent}%`
}

export function progressLabel(course: string): string {
  return `Progress in ${course}`
}

export function lessonsOf(completed: number, total: number): string {
  return byCount(total, `${completed} of 1 lesson`, `${completed} of ${total} lessons`)
}

/**
 * Beside a course with lessons that were only marked as done.
 *
 * @param link leads to what is missing.
 */
export function certificateCounts(certified: number, link: Linked): ReactNode {
  return (
    <>
      Your certificate counts {certified} of them. {link('See what’s missing')}
    </>
  )
}

export function completedOn(at: string, timezone: string): string {
  return `Completed ${formatDate(at, timezone)}`
}

export function lastOpened(at: string, now: Date, timezone: string): string {
  return `Last opened ${formatRelativeTime(at, now, timezone)}`
}

export function enrolledAgo(at: string, now: Date, timezone: string): string {
  return `Enrolled ${formatRelativeTime(at, now, timezone)}`
}

export const nextIsExam = 'Next: Final exam'

/** @param seconds where the learner stopped in the lesson. */
export function nextLesson(lesson: string, seconds: number): string {
  return seconds < 1 ? `Next: ${lesson}` : `Next: ${lesson}, from ${formatClock(seconds)}`
}

export const courseRetired = 'This course is no longer offered. We’ve kept your progress.'

/** The course that a button is about. */
export function buttonLabel(button: string, course: string): string {
  return `${button}: ${course}`
}

export const courseLeft = {
  left: (course: string) => `You left ${course}. We’ve kept your work.`,
  enrolledAgain: (course: string) => `You’re enrolled in ${course} again.`,
  moving: (course: string) => `Adding ${course} back to your courses...`,
  refused: (course: string) => `We couldn’t add ${course} back to your courses.`,
} as const

export const streakAdvice = {
  first: 'Study a little today to start your streak.',
  again: (longest: number) =>
    byCount(
      longest,
      'Your longest streak is 1 day. Today’s a good day to start a new one.',
      `Your longest streak is ${longest} days. Today’s a good day to start a new one.`,
    ),
  longest: 'This is your longest streak yet.',
  record: (longest: number) =>
    byCount(longest, 'Your longest streak is 1 day.', `Your longest streak is ${longest} days.`),
  keepGoing: 'Study for a few minutes today to keep it going.',
} as const

/** How long a learner studied in the last week, and how that compares with the week before. */
export function studyWeek(thisWeek: number, lastWeek: number): ReactNode {
  const time = <strong className="font-semibold text-ink">{formatMinutes(thisWeek)}</strong>
  const difference = formatMinutes(Math.abs(thisWeek - lastWeek))
  if (lastWeek === 0) {
    return <>{time} in the last 7 days</>
  }

  if (thisWeek === lastWeek) {
    return <>{time} in the last 7 days, the same as the week before</>
  }

  return thisWeek > lastWeek ? (
    <>
      {time} in the last 7 days, {difference} more than the week before
    </>
  ) : (
    <>
      {time} in the last 7 days, {difference} less than the week before
    </>
  )
}
