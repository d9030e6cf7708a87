import { sql } from 'drizzle-orm'
import { localDay } from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { byCount } from '~/ui/format-count'
import { listReminderLearners } from './reminder-queue.server'
import { computeWeekProgress, type WeekProgress } from './weekly-goal'

/**
 * Composes a learner's reminder right before it is sent. Since the email was queued, the learner
 * may have studied or turned reminders off, or their day may have ended. The result is null then.
 */
export async function composeReminder(db: Database, uid: string): Promise<Omit<Mail, 'id'> | null> {
  const now = await databaseTime(db)
  const [learner] = await listReminderLearners(db, now, sql`u.id = ${uid}`)
  if (!learner?.canReceiveEmail || learner.remindedAt === null) {
    return null
  }

  const { email, plan, timeZone, studiedDays, remindedAt } = learner
  const today = localDay(now, timeZone)
  if (studiedDays.includes(today) || localDay(remindedAt, timeZone) !== today) {
    return null
  }

  const weekProgress = computeWeekProgress(plan.weekdays, studiedDays, today)
  const stopUrl = env.PUBLIC_URL + (await createReminderStopPath(uid))

  return {
    to: email,
    ...composeEmail({
      subject: reminderMail.subject,
      beforeLink: [reminderMail.reason, describeProgress(weekProgress)],
      link: { label: reminderMail.linkLabel, href: `${env.PUBLIC_URL}/Profile` },
      afterLink: [reminderMail.closing],
      unsubscribeLink: { ...reminderMail.unsubscribeLink, href: stopUrl },
    }),
    headers: {
      'List-Unsubscribe': `<${stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function describeProgress({ studiedCount, goal }: WeekProgress): string {
  return studiedCount === 0 ? reminderMail.goal(goal) : reminderMail.progress(studiedCount, goal)
}

const signaturePurpose = 'stop-reminders'

/**
 * Returns the path of the page that stops a learner's reminders with one click, or with the button
 * of an email program. The link does not expire.
 */
export async function createReminderStopPath(uid: string): Promise<string> {
  const key = await sign(signaturePurpose, [uid])
  return `/StopReminders?${new URLSearchParams({ learner: uid, key })}`
}

/** Returns the learner whose reminders a link stops, or null if its signature is invalid. */
export async function verifyReminderStopLink(parameters: URLSearchParams): Promise<string | null> {
  const uid = parameters.get('learner') ?? ''
  const key = parameters.get('key') ?? ''
  const isValid = await isValidSignature(signaturePurpose, [uid], key)
  return isValid ? uid : null
}

/** The text of the email. */
const reminderMail = {
  subject: 'Your study reminder for today',
  reason: 'Today is one of your study days.',
  goal: (goal: number) =>
    byCount(
      goal,
      'Your goal this week is 1 day. Today is a good day to begin.',
      `Your goal this week is ${goal} days. Today is a good day to begin.`,
    ),
  progress: (studiedCount: number, goal: number) =>
    byCount(
      goal,
      `You’ve studied on ${studiedCount} of 1 day this week.`,
      `You’ve studied on ${studiedCount} of ${goal} days this week.`,
    ),
  linkLabel: 'Continue learning',
  closing: 'A few minutes are enough to keep going.',
  unsubscribeLink: {
    sentence: 'You turned on these reminders in your settings.',
    label: 'Stop reminders',
  },
} as const
