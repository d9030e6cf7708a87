/**
 * Queues study reminders in the background.
 *
 * Each plan with a reminder has a time at which it is checked next (`look_at`): the chosen hour of
 * each day, in the learner's time zone. A check decides whether the reminder is due that day.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '~/server/database/client.server'
import { queueMail } from '~/server/mail/outbox.server'
import { getNextReminderTime, isReminderDue, type ReminderSchedule } from './reminder'

/** The number of plans that one transaction checks. */
const batchSize = 100

/** The number of batches after which other scheduled jobs get their turn. */
const maxBatches = 10

/**
 * Queues the reminders that are due. Several processes may run this at once, because each plan is
 * locked by the process that checks it.
 *
 * @returns the number of queued reminders
 */
export async function queueDueReminders(db: Database, now: Date): Promise<number> {
  let queuedCount = 0
  for (let batch = 0; batch < maxBatches; batch++) {
    const batchResult = await db.transaction((tx) => checkBatchOfPlans(tx, now))
    queuedCount += batchResult.queuedCount
    if (batchResult.checkedCount < batchSize) {
      break
    }
  }

  return queuedCount
}

/**
 * Checks the plans whose time has come: queues the reminders that are due, and sets the next time.
 */
async function checkBatchOfPlans(
  tx: Transaction,
  now: Date,
): Promise<{ checkedCount: number; queuedCount: number }> {
  // Accounts that are being deleted are skipped. The deletion locks the account before the plan, so
  // waiting for it would lead to a deadlock.
  const learners = await listReminderLearners(
    tx,
    now,
    sql`
      p.look_at <= ${now.toISOString()}::timestamptz
      order by p.look_at
      limit ${batchSize}
      for update of p skip locked
      for key share of u skip locked`,
  )

  let queuedCount = 0
  for (const { uid, canReceiveEmail, reminderHour, ...schedule } of learners) {
    const isDue = canReceiveEmail && isReminderDue(schedule, now)
    if (isDue) {
      await queueMail(tx, uid, 'study-reminder', now.getTime())
      queuedCount++
    }

    const nextReminderTime = getNextReminderTime(reminderHour, schedule.timeZone, now)
    await tx.execute(sql`
      update study_plans
      set
        look_at = ${nextReminderTime.toISOString()}::timestamptz,
        reminded_at = case
          when ${isDue}::boolean then ${now.toISOString()}::timestamptz
          else reminded_at
        end
      where uid = ${uid}`)
  }

  return { checkedCount: learners.length, queuedCount }
}

type ReminderRow = {
  uid: string
  email: string
  canReceiveEmail: boolean
  timeZone: string
  studiedDays: string[]
  weekdays: number[]
  reminderHour: number
  /** Milliseconds since 1970, as text. */
  remindedAt: string | null
}

/** A learner who wants reminders. */
type ReminderLearner = Pick<ReminderRow, 'uid' | 'email' | 'canReceiveEmail' | 'reminderHour'> &
  ReminderSchedule

/**
 * Lists learners who want reminders, with the days on which they studied. The days go back more
 * than a week, because the learner's current day may differ from UTC's.
 *
 * @param condition a condition on `study_plans p` and `users u`, and any clauses that follow it
 */
export async function listReminderLearners(
  db: Pick<Database, 'execute'>,
  now: Date,
  condition: SQL,
): Promise<ReminderLearner[]> {
  const { rows } = await db.execute<ReminderRow>(sql`
    select
      u.id as uid,
      u.email,
      u.email_verified and not u.banned as "canReceiveEmail",
      u.display_timezone as "timeZone",
      to_json(p.weekdays) as weekdays,
      p.reminder_hour as "reminderHour",
      (extract(epoch from p.reminded_at) * 1000)::bigint::text as "remindedAt",
      (
        select coalesce(json_agg(day), '[]')
        from study_days d
        where d.uid = u.id
          and not isempty(d.studied)
          and d.day >= ${now.toISOString()}::timestamptz::date - 8
      ) as "studiedDays"
    from study_plans p
    join users u on u.id = p.uid
    where p.reminder_hour is not null and ${condition}`)

  return rows.map(({ weekdays, remindedAt, ...row }) => ({
    ...row,
    plan: { weekdays, reminderHour: row.reminderHour },
    remindedAt: remindedAt === null ? null : new Date(Number(remindedAt)),
  }))
}
