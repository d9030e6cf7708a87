import { sql } from 'drizzle-orm'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import type { Transaction } from '~/server/database/client.server'
import { scheduleMissedQuestion } from './practice-schedule'
import { addDays, localDay } from './study-time'

type MissedQuestion = { questionId: string; missedAt: Date }

type QuestionSource = {
  uid: string
  courseId: string
  /** This is null for questions of the course's exam. */
  lessonId: string | null
}

/**
 * Adds missed questions to practice, starting the next day.
 *
 * Repeated reports change nothing: a miss counts only if it is later than the learner's last
 * practice of the question. New questions beyond `learnerLimits` are left out.
 *
 * @param timeZone the learner's time zone, which decides when a day begins
 */
export async function recordMissedQuestions(
  transaction: Transaction,
  { uid, courseId, lessonId }: QuestionSource,
  missedQuestions: readonly MissedQuestion[],
  timeZone: string,
): Promise<void> {
  if (missedQuestions.length === 0) {
    return
  }

  const { memory, days } = scheduleMissedQuestion()
  const rows = keepLatestMisses(missedQuestions).map(({ questionId, missedAt }) => {
    const seenOn = localDay(missedAt, timeZone)
    return {
      question_id: questionId,
      seen_at: missedAt.toISOString(),
      seen_on: seenOn,
      due_on: addDays(seenOn, days),
    }
  })

  await transaction.execute(sql`
    with missed as (
      select
        m.*,
        card.uid is null as is_new,
        count(*) filter (where card.uid is null) over (order by m.question_id) as new_count
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as m (question_id text, seen_at timestamptz, seen_on date, due_on date)
      left join practice_cards card
        on card.uid = ${uid} and card.course_id = ${courseId}
        and card.question_id = m.question_id
    )
    insert into practice_cards as card (
      uid, course_id, question_id, lesson_id, stability, difficulty, seen_at, seen_on, due_on)
    select
      ${uid}::text, ${courseId}::text, question_id, ${lessonId}::text,
      ${memory.stability}::float8, ${memory.difficulty}::float8, seen_at, seen_on, due_on
    from missed
    where not is_new
      or new_count + (select count(*) from practice_cards where uid = ${uid})
        <= ${learnerLimits.practiceCards}::int
    order by question_id
    on conflict (uid, course_id, question_id) do update set
      lesson_id = excluded.lesson_id,
      stability = excluded.stability,
      difficulty = excluded.difficulty,
      turn = card.turn + 1,
      seen_at = excluded.seen_at,
      seen_on = excluded.seen_on,
      due_on = excluded.due_on,
      was_right = null
    where card.seen_at < excluded.seen_at`)
}

/** Returns the latest miss of each question. */
function keepLatestMisses(missedQuestions: readonly MissedQuestion[]): MissedQuestion[] {
  const latestMisses = new Map<string, MissedQuestion>()
  for (const miss of missedQuestions) {
    const latestMiss = latestMisses.get(miss.questionId)
    if (!latestMiss || latestMiss.missedAt < miss.missedAt) {
      latestMisses.set(miss.questionId, miss)
    }
  }

  return [...latestMisses.values()]
}
