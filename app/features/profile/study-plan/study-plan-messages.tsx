/** The texts of the weekly goal and its reminders, including the email. */
import type { ReactNode } from 'react'
import { byCount } from '~/ui/format-count'
import type { Linked } from '~/ui/more-link'

/** Says what the learner has to do to reach the goal of this week. */
export const goalTexts = {
  exceeded: 'You’ve gone beyond your goal this week.',
  met: 'You’ve reached your goal this week.',
  newWeek: 'A new week starts on Monday.',
  today: 'Study a little today to reach your goal.',
  todayAndMore: (moreDays: number) =>
    byCount(
      moreDays,
      'Study a little today and on 1 more day this week to reach your goal.',
      `Study a little today and on ${moreDays} more days this week to reach your goal.`,
    ),
  later: (days: number) =>
    byCount(
      days,
      'Study 1 more day this week to reach your goal.',
      `Study ${days} more days this week to reach your goal.`,
    ),
  restDay: 'Today’s a rest day.',
} as const

/** Formats on how many days of a week's goal the learner has studied. */
export function formatGoalDays(studied: number, goal: number): string {
  if (studied > goal) {
    return byCount(studied, '1 day', `${studied} days`)
  }

  return byCount(goal, `${studied} of 1 day`, `${studied} of ${goal} days`)
}

/** Describes a day of the week to screen readers. */
export const dayLabels = {
  learned: (day: string) => `${day}: studied`,
  today: (day: string) => `${day}: planned for today`,
  planned: (day: string) => `${day}: planned`,
  missed: (day: string) => `${day}: missed`,
  rest: (day: string) => `${day}: rest day`,
} as const

export const noGoal = 'Pick the days you want to study. The others are rest days.'
export const goalSaved = 'Weekly goal saved.'
export const goalRemoved = 'Weekly goal removed.'
export const remindersOn = 'Study reminders are on.'
export const remindersOff = 'Study reminders are off.'

export const emailTexts = {
  to: (email: string) => `Emails go to ${email}.`,
  needsGoal: (link: Linked): ReactNode => (
    <>Would you like a study reminder? {link('Choose your study days first')}</>
  ),
  alwaysSent: [
    'News about your account’s safety, like a sign-in from a new device or a changed password',
    'Links that you ask for, like one to set a new password',
    'Receipts and refunds of courses that you buy',
  ],
} as const

export const reminderNeedsDay = 'Choose at least one day for reminders.'
export const reminderHint =
  'We’ll email you at most once a day, only on your study days, and not if you’ve already studied.'

export function confirmEmailForReminders(link: Linked): ReactNode {
  return <>We can send reminders once your address is confirmed. {link('Confirm email address')}</>
}

/** The email that reminds a learner. */
export const reminderMail = {
  subject: 'Your study reminder for today',
  why: 'Today is one of your study days.',
  goal: (goal: number) =>
    byCount(
      goal,
      'Your goal this week is 1 day. Today is a good day to begin.',
      `Your goal this week is ${goal} days. Today is a good day to begin.`,
    ),
  progress: (studied: number, goal: number) =>
    byCount(
      goal,
      `You’ve studied on ${studied} of 1 day this week.`,
      `You’ve studied on ${studied} of ${goal} days this week.`,
    ),
  link: 'Continue learning',
  end: 'A few minutes are enough to keep going.',
  stop: { words: 'You turned on these reminders in your settings.', label: 'Stop reminders' },
} as const

/** The texts of the page that stops reminders. */
export const stopTexts = {
  invalidLink: {
    title: 'We couldn’t read this link',
    text: 'This link isn’t complete. You can turn reminders off in your settings.',
  },
  question: {
    title: 'Stop study reminders?',
    text: 'You’ll no longer get emails about your weekly goal. Your goal won’t change.',
  },
  stopped: {
    title: 'Reminders stopped',
    text: 'You won’t get any more reminders. Your weekly goal won’t change, and you can turn reminders back on anytime.',
  },
  button: 'Stop reminders',
} as const
