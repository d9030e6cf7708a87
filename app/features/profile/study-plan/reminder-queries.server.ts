import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { queueMail } from '~/server/mail/outbox.server'
import { isReminderDue, nextLook, type ReminderFacts } from './reminder'

type Row = {
  uid: string
  email: string
  mayMail: boolean
  timeZone: string
  learnedDays: string[]
  weekdays: number[]
  reminderHour: number
  /** Milliseconds since 1970, as text. */
  remindedAt: string | null
}

/** A learner with reminders, and what decides about one. */
export type Reminded = Pick<Row, 'uid' | 'email' | 'mayMail' | 'reminderHour'> & ReminderFacts

const atOnce = 100
/** Other work that is due waits for it. */
const mostBatches = 10

/**
 * Queues the reminders that are due, a hundred learners at a time. Several processes may do this at
 * once: each plan is looked at by one of them.
 *
 * @returns how many were queued.
 */
export async function sendDueReminders(db: Database, now: Date): Promise<number> {
  let sent = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const { looked, due } = await db.transaction((transaction) => lookAtPlans(transaction, now))
    sent += due
    if (looked < atOnce) {
      break
    }
  }

  return sent
}

async function lookAtPlans(
  transaction: Transaction,
  now: Date,
): Promise<{ looked: number; due: number }> {
  // Accounts that are being deleted are left out, too: the deletion locks the account first and the
  // plan second.
  const learners = await listReminded(
    transaction,
    now,
    sql`p.look_at <= ${now.toISOString()}::timestamptz
    order by p.look_at limit ${atOnce} for update of p skip locked for key share of u skip locked`,
  )
  let sent = 0
  for (const { uid, mayMail, reminderHour, ...facts } of learners) {
    const due = mayMail && isReminderDue(facts, now)
    if (due) {
      await queueMail(transaction, uid, 'study-reminder', now.getTime())
    }

    if (due) {
      sent++
    }

    await transaction.execute(sql`
      update study_plans set look_at = ${nextLook(reminderHour, facts.timeZone, now).toISOString()}::timestamptz,
        reminded_at = case when ${due}::boolean then ${now.toISOString()}::timestamptz else reminded_at end
      where uid = ${uid}`)
  }

  return { looked: learners.length, due: sent }
}

/**
 * Learners who want reminders. Learned days are those since more than a week, because the learner's
 * day may be another one than UTC's.
 *
 * @param which a condition on `study_plans p` and `users u`, and what follows it.
 */
export async function listReminded(
  db: Pick<Database, 'execute'>,
  now: Date,
  which: SQL,
): Promise<Reminded[]> {
  const { rows } = await db.execute<Row>(sql`
    select u.id as uid, u.email, u.email_verified and not u.banned as "mayMail", u.display_timezone as "timeZone",
      to_json(p.weekdays) as weekdays, p.reminder_hour as "reminderHour",
      (extract(epoch from p.reminded_at) * 1000)::bigint::text as "remindedAt",
      (select coalesce(json_agg(day), '[]') from study_days d
        where d.uid = u.id and not isempty(d.studied) and d.day >= ${now.toISOString()}::timestamptz::date - 8) as "learnedDays"
    from study_plans p join users u on u.id = p.uid
    where p.reminder_hour is not null and ${which}`)

  return rows.map(({ weekdays, remindedAt, ...row }) => ({
    ...row,
    plan: { weekdays, reminderHour: row.reminderHour },
    remindedAt: remindedAt === null ? null : new Date(Number(remindedAt)),
  }))
}
