import * as z from 'zod'
import type { Database } from '~/server/database/client.server'
import { type AnswerResult, recordAnswer } from './exam-answer-queries.server'

const answerRequest = z.strictObject({
  attemptId: z.string().min(1).max(64),
  question: z.int(),
  value: z.union([z.number(), z.array(z.number()).max(50), z.string().max(1000), z.null()]),
  revision: z.int(),
  ageMs: z.number().min(0),
})

const statuses: Record<AnswerResult['outcome'], number> = {
  saved: 200,
  stale: 409,
  closed: 410,
  unknown: 404,
  unreadable: 422,
}

/** Takes one answer from a browser. @returns what became of it, which says nothing about right or wrong. */
export async function takeAnswer(db: Database, uid: string, body: unknown, now: Date) {
  const parsed = answerRequest.safeParse(body)
  if (!parsed.success) return { status: 422, body: { outcome: 'unreadable' as const } }
  const result = await recordAnswer(db, { uid, ...parsed.data }, now)
  return { status: statuses[result.outcome], body: result }
}
