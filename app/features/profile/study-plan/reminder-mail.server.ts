import { sql } from 'drizzle-orm'
import { localDay } from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail/mail.server'
import { composeLetter } from '~/server/mail/mail-letter.server'
import { isSigned, sign } from '~/server/operations/secrets.server'
import { listReminded } from './reminder-queries.server'
import { reminderMail } from './study-plan-messages'
import { type WeekProgress, weekProgress } from './weekly-goal'

const purpose = 'stop-reminders'

/**
 * Where one click, or the button of a mail program, stops the reminders of a learner. It works for
 * good.
 */
export async function stopAddress(uid: string): Promise<string> {
  return `/StopReminders?${new URLSearchParams({ learner: uid, key: await sign(purpose, [uid]) })}`
}

/** @returns whose reminders an address stops; null for one that we have not signed. */
export async function learnerOfStopAddress(parameters: URLSearchParams): Promise<string | null> {
  const [uid, key] = [parameters.get('learner') ?? '', parameters.get('key') ?? '']
  return (await isSigned(purpose, [uid], key)) ? uid : null
}

/**
 * The message as of now. Mail may wait: it is null for a learner who has learned today by now, who
 * wants no reminders any more, or whose day has ended.
 */
export async function composeReminder(db: Database, uid: string): Promise<Omit<Mail, 'id'> | null> {
  const now = await databaseTime(db)
  const [learner] = await listReminded(db, now, sql`u.id = ${uid}`)
  if (!learner?.mayMail || learner.remindedAt === null) {
    return null
  }

  const { email, plan, timeZone, learnedDays, remindedAt } = learner
  const today = localDay(now, timeZone)
  if (learnedDays.includes(today) || localDay(remindedAt, timeZone) !== today) {
    return null
  }

  const href = env.PUBLIC_URL + (await stopAddress(uid))

  return {
    to: email,
    ...composeLetter({
      subject: reminderMail.subject,
      before: [reminderMail.why, progress(weekProgress(plan.weekdays, learnedDays, today))],
      link: { label: reminderMail.link, href: `${env.PUBLIC_URL}/Profile` },
      after: [reminderMail.end],
      stop: { ...reminderMail.stop, href },
    }),
    headers: {
      'List-Unsubscribe': `<${href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}

function progress({ learned, goal }: WeekProgress): string {
  return learned === 0 ? reminderMail.goal(goal) : reminderMail.progress(learned, goal)
}
