import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import type { Mail } from '~/server/mail.server'
import { composeLetter } from '~/server/mail-letter.server'
import { isSigned, sign } from '~/server/signature.server'
import { countText } from '~/ui/count-text'
import { localDay } from '../course-work/study-time'
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

type Row = {
  email: string
  timeZone: string
  weekdays: number[]
  /** Milliseconds since 1970, as text. */
  remindedAt: string | null
  learnedDays: string[]
}

/**
 * The message as of now. Mail may wait: it is null for a learner who has learned today by now, who wants no reminders any
 * more, or whose day has ended.
 */
export async function composeReminder(db: Database, uid: string): Promise<Omit<Mail, 'id'> | null> {
  const [row] = await db.execute<Row>(sql`
    select u.email, u.display_timezone as "timeZone", to_json(p.weekdays) as weekdays,
      (extract(epoch from p.reminded_at) * 1000)::bigint::text as "remindedAt",
      (select coalesce(json_agg(day), '[]') from study_days d
        where d.uid = u.id and not isempty(d.studied) and d.day >= current_date - 8) as "learnedDays"
    from study_plans p join users u on u.id = p.uid
    where p.uid = ${uid} and p.reminder_hour is not null and u.email_verified and not u.banned`)
  if (!row) return null
  const { email, timeZone, weekdays, learnedDays } = row
  const today = localDay(await databaseTime(db), timeZone)
  if (learnedDays.includes(today) || localDay(Number(row.remindedAt), timeZone) !== today) return null
  const href = env.PUBLIC_URL + (await stopAddress(uid))
  return {
    to: email,
    ...composeLetter({
      subject: 'Your study reminder for today',
      before: ['Today is one of your days to learn.', progress(weekStanding(weekdays, learnedDays, today))],
      link: { label: 'Continue learning', href: `${env.PUBLIC_URL}/Profile` },
      after: ['A few minutes are enough to keep going.'],
      stop: { words: 'You chose these reminders in your settings.', label: 'Stop reminders', href },
    }),
    headers: { 'List-Unsubscribe': `<${href}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

function progress({ learned, goal }: WeekStanding): string {
  if (learned === 0) return `Your goal this week is ${countText(goal, 'day')}. Today is a good day to begin.`
  return `You’ve learned on ${learned} of ${countText(goal, 'day')} this week.`
}
