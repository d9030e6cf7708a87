import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail.server'
import { composeLetter } from '~/server/mail-letter.server'
import { isSigned, sign } from '~/server/signature.server'
import { countText } from '~/ui/count-text'
import { localDay } from '../course-work/study-time'
import { listReminded } from './reminder-queries.server'
import { type WeekStanding, weekStanding } from './weekly-goal'

const purpose = 'stop-reminders'

/** Where one click, or the button of a mail program, stops the reminders of a learner. It works for good. */
export async function stopAddress(uid: string): Promise<string> {
  return `/StopReminders?${new URLSearchParams({ learner: uid, key: await sign(purpose, [uid]) })}`
}

/** @returns whose reminders an address stops; null for one that we have not signed. */
export async function learnerOfStopAddress(parameters: URLSearchParams): Promise<string | null> {
  const [uid, key] = [parameters.get('learner') ?? '', parameters.get('key') ?? '']
  return (await isSigned(purpose, [uid], key)) ? uid : null
}

/**
 * The message as of now. Mail may wait: it is null for a learner who has learned today by now, who wants no reminders any
 * more, or whose day has ended.
 */
export async function composeReminder(db: Database, uid: string): Promise<Omit<Mail, 'id'> | null> {
  const now = await databaseTime(db)
  const [learner] = await listReminded(db, now, sql`u.id = ${uid}`)
  if (!learner?.mayMail || learner.remindedAt === null) return null
  const { email, plan, timeZone, learnedDays, remindedAt } = learner
  const today = localDay(now, timeZone)
  if (learnedDays.includes(today) || localDay(remindedAt, timeZone) !== today) return null
  const href = env.PUBLIC_URL + (await stopAddress(uid))
  return {
    to: email,
    ...composeLetter({
      subject: 'Your study reminder for today',
      before: ['Today is one of your study days.', progress(weekStanding(plan.weekdays, learnedDays, today))],
      link: { label: 'Continue learning', href: `${env.PUBLIC_URL}/Profile` },
      after: ['A few minutes are enough to keep going.'],
      stop: { words: 'You turned on these reminders in your settings.', label: 'Stop reminders', href },
    }),
    headers: { 'List-Unsubscribe': `<${href}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

function progress({ learned, goal }: WeekStanding): string {
  if (learned === 0) return `Your goal this week is ${countText(goal, 'day')}. Today is a good day to begin.`
  return `You’ve studied on ${learned} of ${countText(goal, 'day')} this week.`
}
