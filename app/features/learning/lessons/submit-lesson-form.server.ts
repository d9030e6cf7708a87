import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { noteLimits } from '../notes/note-form'
import { deleteNote, recordNote } from '../notes/note-queries.server'
import type { LearningContext } from '../progress/course-completion.server'
import { emptyProgress, type Mark } from '../progress/lesson-progress'
import { progressMessages } from '../progress/progress-messages'
import type { LearnerLesson } from '../progress/progress-statements.server'
import { recordLessonProgress } from '../progress/record-progress.server'
import type { LessonFormDone } from './lesson-form'
import { lessonMessages } from './lesson-messages'
import { addBookmark, removeBookmark } from './lesson-queries.server'

const noteId = z.string().regex(/^[0-9a-zA-Z-]{8,64}$/)

const lessonId = z
  .string()
  .max(80)
  .regex(/^[a-z0-9-]+$/)

/** The learner for whom the page was made. */
const uid = z.string().min(1).max(200)

const noteForm = z.strictObject({
  intent: z.literal('note'),
  uid,
  /** The browser makes the id, so that a note that is sent twice is stored once. */
  id: noteId.or(z.literal('').transform(() => randomUUID())),
  positionMs: z.coerce.number().int().min(0).max(100_000_000),
  body: z
    .string()
    .transform((body) => body.trim())
    .pipe(
      z
        .string()
        .min(1, lessonMessages.notes.empty)
        .max(noteLimits.body, lessonMessages.notes.tooLong),
    )
    .refine((body) => !body.includes('\0'), lessonMessages.notes.unstorable),
})

const markForm = z.strictObject({
  intent: z.literal('mark'),
  uid,
  mark: z.enum(['done', 'undone']),
  /** The lesson that opens afterwards, or empty. */
  goOnTo: lessonId.or(z.literal('')),
})

const lessonForm = z.discriminatedUnion('intent', [
  noteForm,
  z.strictObject({ intent: z.literal('delete-note'), uid, id: noteId }),
  markForm,
  z.strictObject({ intent: z.literal('bookmark'), uid, bookmarked: z.enum(['yes', 'no']) }),
])

/**
 * Handles the forms of a lesson page: marks, notes and bookmarks. Each of them may be submitted
 * twice without harm. A form from the page of another learner is rejected.
 */
export async function submitLessonForm(
  learningContext: LearningContext,
  learnerLesson: LearnerLesson,
  form: FormData,
  now: Date,
) {
  const submission = lessonForm.safeParse(Object.fromEntries(form))
  if (!submission.success) {
    const noteIssue = submission.error.issues.find((issue) => issue.path[0] === 'body')
    return errorResponse(noteIssue?.message ?? serverMessages.unreadableRequest, { status: 422 })
  }

  const fields = submission.data
  if (fields.uid !== learnerLesson.uid) {
    return errorResponse(progressMessages.otherLearner, { status: 403 })
  }

  const { db } = learningContext
  switch (fields.intent) {
    case 'mark':
      return submitMark(learningContext, learnerLesson, fields, now)
    case 'bookmark':
      return submitBookmark(learningContext, learnerLesson, fields.bookmarked === 'yes')
    case 'note':
      return submitNote(learningContext, learnerLesson, fields)
    case 'delete-note':
      await deleteNote(db, learnerLesson.uid, fields.id)
      return successResponse<LessonFormDone>()
  }
}

/** Marks a lesson when JavaScript is off. Otherwise, the mark is a part of a progress report. */
async function submitMark(
  learningContext: LearningContext,
  learnerLesson: LearnerLesson,
  { mark, goOnTo }: { mark: Mark; goOnTo: string },
  now: Date,
) {
  const progress = {
    ...emptyProgress,
    // The button of an article is at its end, so the learner has reached the end.
    readToEnd: mark === 'done',
    mark: { value: mark, at: now.getTime() },
  }
  const report = { progress, studyIntervals: [], receivedAt: now }
  const { refusal } = await recordLessonProgress(learningContext, {
    learnerLesson,
    report,
    sessionToken: null,
  })
  if (refusal) {
    const { message, status } = lessonMessages.progressRefusals[refusal]
    return errorResponse(message, { status })
  }

  const page = goOnTo ? `/Learn/${learnerLesson.courseId}/${goOnTo}` : undefined
  return successResponse<LessonFormDone>({}, { redirectTo: page })
}

async function submitBookmark(
  { db }: LearningContext,
  learnerLesson: LearnerLesson,
  isBookmarked: boolean,
) {
  if (!isBookmarked) {
    await removeBookmark(db, learnerLesson)
    return successResponse<LessonFormDone>()
  }

  const outcome = await addBookmark(db, learnerLesson)
  if (outcome === 'full') {
    return errorResponse(lessonMessages.bookmarksAreFull, { status: 409 })
  }

  return successResponse<LessonFormDone>()
}

async function submitNote(
  { db }: LearningContext,
  learnerLesson: LearnerLesson,
  { id, positionMs, body }: z.infer<typeof noteForm>,
) {
  const refusal = await recordNote(db, learnerLesson, { id, positionMs, body })
  if (refusal) {
    const { message, status } = lessonMessages.noteRefusals[refusal]
    return errorResponse(message, { status })
  }

  return successResponse<LessonFormDone>({ saved: { id, body } })
}
