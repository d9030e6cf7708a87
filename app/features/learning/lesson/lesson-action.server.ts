import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { unreadableRequest } from '~/server/server-messages.server'
import { refusedForm } from '~/ui/action-result'
import type { CourseWork } from '../course-work/course-work.server'
import { someoneElse } from '../course-work/course-work-messages'
import { type Mark, noWork } from '../course-work/lesson-work'
import { type LessonAddress, recordLessonWork } from '../course-work/lesson-work-queries.server'
import { recordBookmark } from './bookmark-queries.server'
import type { LessonFormAnswer } from './lesson-form'
import { bookmarksAreFull, noteMessages, noteRefusals, workRefusals } from './lesson-messages'
import { noteLimits } from './note-form'
import { deleteNote, recordNote } from './note-queries.server'

const id = z.string().regex(/^[0-9a-zA-Z-]{8,64}$/)

const lessonId = z
  .string()
  .max(80)
  .regex(/^[a-z0-9-]+$/)

/** The learner the page was made for. */
const uid = z.string().min(1).max(200)

const lessonForm = z.discriminatedUnion('intent', [
  z.strictObject({
    intent: z.literal('note'),
    uid,
    /** Made by the browser, so that a note sent twice is one; without a script there is none. */
    id: id.or(z.literal('').transform(() => randomUUID())),
    positionMs: z.coerce.number().int().min(0).max(100_000_000),
    body: z
      .string()
      .transform((body) => body.trim())
      .pipe(z.string().min(1, noteMessages.empty).max(noteLimits.body, noteMessages.tooLong))
      .refine((body) => !body.includes('\0'), noteMessages.unstorable),
  }),
  z.strictObject({ intent: z.literal('delete-note'), uid, id }),
  z.strictObject({
    intent: z.literal('mark'),
    uid,
    mark: z.enum(['done', 'undone']),
    goOnTo: lessonId.or(z.literal('')),
  }),
  z.strictObject({ intent: z.literal('bookmark'), uid, bookmarked: z.enum(['yes', 'no']) }),
])

/** `page`: where a form that was sent without a script goes on. */
type LessonAnswer = { status: number; result: LessonFormAnswer; page?: string }

/**
 * Marks, notes and bookmarks of a lesson: every one of them may be sent twice.
 *
 * @param uid who is signed in; what comes from the page of another learner, who was there before, is refused.
 */
export async function changeLesson(
  courseWork: CourseWork,
  uid: string,
  place: Omit<LessonAddress, 'uid'>,
  form: FormData,
  now: Date,
): Promise<LessonAnswer> {
  const parsed = lessonForm.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const known = parsed.error.issues.find((issue) => issue.path[0] === 'body')
    return refused(422, known?.message ?? unreadableRequest)
  }
  const change = parsed.data
  if (change.uid !== uid) return refused(403, someoneElse)
  const { db } = courseWork
  const address = { uid, ...place }
  if (change.intent === 'mark') {
    const answer = await markLesson(courseWork, address, change.mark, now)
    const page = answer.result.done && change.goOnTo ? `/Learn/${place.courseId}/${change.goOnTo}` : undefined
    return { ...answer, page }
  }
  if (change.intent === 'bookmark') {
    const full = await recordBookmark(db, address, change.bookmarked === 'yes')
    return full ? refused(409, bookmarksAreFull) : done()
  }
  if (change.intent === 'delete-note') await deleteNote(db, uid, change.id)
  if (change.intent !== 'note') return done()
  const refusal = await recordNote(db, address, change)
  if (!refusal) return done({ id: change.id, body: change.body })
  return refused(noteRefusals[refusal].status, noteRefusals[refusal].message)
}

/** Of a page without scripts, where an article's button stands at its end: whoever sends it has come there. */
async function markLesson(courseWork: CourseWork, address: LessonAddress, value: Mark, now: Date) {
  const work = { ...noWork, readToEnd: value === 'done', mark: { value, at: now.getTime() } }
  const { refusal } = await recordLessonWork(courseWork, address, { work, studied: [], now })
  return refusal ? refused(workRefusals[refusal].status, workRefusals[refusal].message) : done()
}

function done(saved?: { id: string; body: string }): LessonAnswer {
  return { status: 200, result: { done: true, saved } }
}

function refused(status: number, message: string): LessonAnswer {
  return { status, result: refusedForm(message) }
}
