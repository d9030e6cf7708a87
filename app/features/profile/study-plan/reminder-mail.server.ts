import { sql } from 'drizzle-orm'
import { localDay } from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { byCount } from '~/ui/format-count'
import { listReminderLearners } from './reminder-queries.server'

import { computeWeekProgress, type WeekProgress } from './weekly-goal'

/**
 * Composes a learner's reminder. The email may have waited in the queue, so the result is null if the
 * learner has studied today, has turned reminders off, or if their day has ended.
 */
export async function composeReminder(db: Database, uid: string): Promise<Omit<Mail, 'id'> | null> {
  const now = await databaseTime(db)
  const [learner] = await listReminderLearners(db, now, sql`u.id = ${uid}`)
  if (!learner?.canReceiveEmail || learner.remindedAt === null) {
    return null
  }

  const { email, plan, timeZone, learnedDays, remindedAt } = learner
  const today = localDay(now, timeZone)
  if (learnedDays.includes(today) || localDay(remindedAt, timeZone) !== today) {
    return null
  }

  const weekProgress = computeWeekProgress(plan.weekdays, learnedDays, today)
  const stopUrl = env.PUBLIC_URL + (await createStopPath(uid))

  return {
    to: email,
    ...composeLetter({
      subject: reminderMail.subject,
      before: [reminderMail.why, describeProgress(weekProgress)],
      link: { label: reminderMail.link, href: `${env.PUBLIC_URL}/Profile` },
      after: [reminderMail.end],
      stop: { ...reminderMail.stop, href: stopUrl },
    }),
    headers: {
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function describeProgress({ learnedCount, goal }: WeekProgress): string {
  return learnedCount === 0 ? reminderMail.goal(goal) : reminderMail.progress(learnedCount, goal)
}

const signaturePurpose = 'stop-reminders'

/**
 * Returns the path of the page that stops a learner's reminders with one click, or with the button of
 * an email program. The link does not expire.
 */
export async function createStopPath(uid: string): Promise<string> {
  const key = await sign(signaturePurpose, [uid])
  return `/StopReminders?${new URLSearchParams({ learner: uid, key })}`
}

/** Returns the learner whose reminders a link stops, or null if its signature is invalid. */
export async function verifyReminderStopLink(parameters: URLSearchParams): Promise<string | null> {
  const uid = parameters.get('learner') ?? ''
  const key = parameters.get('key') ?? ''
  return (await isValidSignature(signaturePurpose, [uid], key)) ? uid : null
}

/** The email that reminds a learner. */
const reminderMail = {
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
