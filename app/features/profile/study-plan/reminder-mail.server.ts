import { type SQL, sql } from 'drizzle-orm'
import { localDay } from '~/features/learning/progress/study-time'
import type { Database, Transaction } from '~/server/database/client.server'
import { databaseTime } from '~/server/database/database-time.server'
import { env } from '~/server/env.server'
import { composeEmail } from '~/server/mail/email-layout.server'
import type { Mail } from '~/server/mail/mail.server'
import { queueMail } from '~/server/mail/outbox.server'
import { isValidSignature, sign } from '~/server/operations/secrets.server'
import { byCount } from '~/ui/format-count'
import { getNextReminderTime, isReminderDue, type ReminderSchedule } from './reminder'
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

  const { email, plan, timeZone, studiedDays, remindedAt } = learner
  const today = localDay(now, timeZone)
  if (studiedDays.includes(today) || localDay(remindedAt, timeZone) !== today) {
    return null
  }

  const weekProgress = computeWeekProgress(plan.weekdays, studiedDays, today)
  const stopUrl = env.PUBLIC_URL + (await createStopPath(uid))

  return {
    to: email,
    ...composeEmail({
      subject: reminderMail.subject,
      beforeLink: [reminderMail.why, describeProgress(weekProgress)],
      link: { label: reminderMail.link, href: `${env.PUBLIC_URL}/Profile` },
      afterLink: [reminderMail.end],
      unsubscribeLink: { ...reminderMail.unsubscribeLink, href: stopUrl },
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
  unsubscribeLink: {
    sentence: 'You turned on these reminders in your settings.',
    label: 'Stop reminders',
  },
} as const

/*
 * Queues study reminders in the background.
 *
 * Each plan with a reminder has a time at which it is checked next (`look_at`): the chosen hour of
 * each day, in the learner's time zone. A check decides whether the reminder is due that day.
 */

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

const batchSize = 100

/** The number of batches after which other scheduled jobs get their turn. */
const maxBatches = 10

/**
 * Queues the reminders that are due. Several processes may run this at once, because each plan is
 * locked by the process that checks it.
 *
 * @returns the number of queued reminders
 */
export async function sendDueReminders(db: Database, now: Date): Promise<number> {
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

async function checkBatchOfPlans(
  tx: Transaction,
  now: Date,
): Promise<{ checkedCount: number; queuedCount: number }> {
  // Accounts that are being deleted are skipped. The deletion locks the account before the plan,
  // which would otherwise lead to a deadlock.
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

/**
 * Lists learners who want reminders. Their learned days go back more than a week, because the
 * learner's current day may differ from UTC's.
 *
 * @param condition a condition on `study_plans p` and `users u`, and any clauses that follow it
 */
async function listReminderLearners(
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
