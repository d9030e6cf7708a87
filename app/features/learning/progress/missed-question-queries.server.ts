import { sql } from 'drizzle-orm'
import { fsrs, Rating } from 'ts-fsrs'
import { learnerLimits } from '~/features/enrollment/learner-limits'
import type { Transaction } from '~/server/database/client.server'
import { addDays, localDay } from './study-time'

type MissedQuestion = { questionId: string; missedAt: Date }

type Place = {
  uid: string
  courseId: string
  /** Null for the exam. */
  lessonId: string | null
}

/**
 * Adds questions to practice, from the next day on. Repeated reports change nothing: a miss counts
 * only if it is later than the learner's last practice of the question. New ones beyond
 * `learnerLimits` are left out.
 *
 * @param timeZone of the learner, by which days begin.
 */
export async function recordMissedQuestions(
  transaction: Transaction,
  { uid, courseId, lessonId }: Place,
  missed: readonly MissedQuestion[],
  timeZone: string,
): Promise<void> {
  if (missed.length === 0) {
    return
  }

  const { memory, days } = scheduleMissedQuestion()
  const rows = latestOfEach(missed).map(({ questionId, missedAt }) => {
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
      select m.*, k.uid is null as is_new, count(*) filter (where k.uid is null) over (order by m.question_id) as place
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as m (question_id text, seen_at timestamptz, seen_on date, due_on date)
      left join practice_cards k on k.uid = ${uid} and k.course_id = ${courseId} and k.question_id = m.question_id
    )
    insert into practice_cards as k (uid, course_id, question_id, lesson_id, stability, difficulty, seen_at, seen_on, due_on)
    select ${uid}::text, ${courseId}::text, question_id, ${lessonId}::text, ${memory.stability}::float8, ${memory.difficulty}::float8,
      seen_at, seen_on, due_on
    from missed
    where not is_new
      or place + (select count(*) from practice_cards where uid = ${uid}) <= ${learnerLimits.practiceCards}::int
    order by question_id
    on conflict (uid, course_id, question_id) do update set
      lesson_id = excluded.lesson_id, stability = excluded.stability, difficulty = excluded.difficulty,
      turn = k.turn + 1, seen_at = excluded.seen_at, seen_on = excluded.seen_on, due_on = excluded.due_on, was_right = null
      where k.seen_at < excluded.seen_at`)
}

function latestOfEach(missed: readonly MissedQuestion[]): MissedQuestion[] {
  const latest = new Map<string, MissedQuestion>()
  for (const one of missed) {
    const other = latest.get(one.questionId)
    if (!other || other.missedAt < one.missedAt) {
      latest.set(one.questionId, one)
    }
  }

  return [...latest.values()]
}

/** The state of a question in the learner's memory, as FSRS describes it. */
type Memory = { stability: number; difficulty: number }

/** `days` until the question is asked again: whole, at least 1. */
export type Schedule = { memory: Memory; days: number }

/** Whole days only, and the same answers always give the same days. */
const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false, maximum_interval: 365 })

/** After a question was answered wrongly in a quiz or an exam. */
export function scheduleMissedQuestion(): Schedule {
  return scheduleOf(scheduler.next_state(null, 0, Rating.Again), 0)
}

/**
 * After a question was practiced.
 *
 * @param daysSince it was last missed or practiced.
 */
export function schedulePracticedQuestion(
  memory: Memory,
  daysSince: number,
  right: boolean,
): Schedule {
  const elapsed = Math.max(0, daysSince)
  return scheduleOf(
    scheduler.next_state(memory, elapsed, right ? Rating.Good : Rating.Again),
    elapsed,
    right,
  )
}

/** A forgotten question returns the next day, however well it was known before. */
function scheduleOf({ stability, difficulty }: Memory, elapsed: number, right = false): Schedule {
  return {
    memory: { stability, difficulty },
    days: right ? scheduler.next_interval(stability, elapsed) : 1,
  }
}
