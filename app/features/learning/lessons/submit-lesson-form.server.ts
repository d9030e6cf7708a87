import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { unreadableRequest } from '~/server/http/server-messages.server'
import { noteLimits } from '../notes/note-form'
import { deleteNote, recordNote } from '../notes/note-queries.server'
import type { LearningContext } from '../progress/course-completion.server'
import { otherLearnerMessage } from '../progress/course-work-messages'
import { emptyProgress, type Mark } from '../progress/lesson-progress'
import { type LearnerLesson, recordLessonProgress } from '../progress/record-progress.server'
import type { LessonFormDone } from './lesson-form'
import { bookmarksAreFull, noteMessages, noteRefusals, progressRefusals } from './lesson-messages'
import { recordBookmark } from './lesson-queries.server'

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

/**
 * Marks, notes and bookmarks of a lesson: every one of them may be sent twice.
 *
 * @param uid the signed-in learner; forms from a page of another learner are refused.
 */
export async function submitLessonForm(
  learningContext: LearningContext,
  uid: string,
  place: Omit<LearnerLesson, 'uid'>,
  form: FormData,
  now: Date,
) {
  const parsed = lessonForm.safeParse(Object.fromEntries(form))
  if (!parsed.success) {
    const known = parsed.error.issues.find((issue) => issue.path[0] === 'body')
    return errorResponse(known?.message ?? unreadableRequest, { status: 422 })
  }

  const change = parsed.data
  if (change.uid !== uid) {
    return errorResponse(otherLearnerMessage, { status: 403 })
  }

  const { db } = learningContext
  const address = { uid, ...place }
  if (change.intent === 'mark') {
    const refusal = await markLesson(learningContext, address, change.mark, now)
    if (refusal) {
      return errorResponse(progressRefusals[refusal].message, {
        status: progressRefusals[refusal].status,
      })
    }

    return successResponse<LessonFormDone>(
      {},
      { page: change.goOnTo ? `/Learn/${place.courseId}/${change.goOnTo}` : undefined },
    )
  }

  if (change.intent === 'bookmark') {
    const full = await recordBookmark(db, address, change.bookmarked === 'yes')
    return full
      ? errorResponse(bookmarksAreFull, { status: 409 })
      : successResponse<LessonFormDone>()
  }

  if (change.intent === 'delete-note') {
    await deleteNote(db, uid, change.id)
  }

  if (change.intent !== 'note') {
    return successResponse<LessonFormDone>()
  }

  const refusal = await recordNote(db, address, change)
  if (refusal) {
    return errorResponse(noteRefusals[refusal].message, { status: noteRefusals[refusal].status })
  }

  return successResponse<LessonFormDone>({ saved: { id: change.id, body: change.body } })
}

/**
 * A form sent without scripts. An article's button is at its end, so sending it means the end was
 * reached.
 */
async function markLesson(
  learningContext: LearningContext,
  address: LearnerLesson,
  value: Mark,
  now: Date,
) {
  const work = { ...emptyProgress, readToEnd: value === 'done', mark: { value, at: now.getTime() } }
  const { refusal } = await recordLessonProgress(learningContext, address, {
    work,
    studied: [],
    now,
  })
  return refusal
}
