import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { errorResponse, successResponse } from '~/server/http/form-response.server'
import { serverMessages } from '~/server/http/server-messages.server'
import { noteLimits } from '../notes/note-form'
import { noteMessages } from '../notes/note-messages'
import { deleteNote, recordNote } from '../notes/note-queries.server'
import type { LearningContext } from '../progress/course-completion.server'
import { emptyProgress, type LearnerLesson, type Mark } from '../progress/lesson-progress'
import { progressMessages } from '../progress/progress-messages'
import { recordLessonProgress } from '../progress/record-progress.server'
import { reportMessages } from '../report/report-messages'
import { addBookmark, removeBookmark } from './bookmark-queries.server'
import type { LessonFormSuccess } from './lesson-form'
import { lessonMessages } from './lesson-messages'

const noteIdSchema = z.string().regex(/^[0-9a-zA-Z-]{8,64}$/)

const lessonIdSchema = z
  .string()
  .max(80)
  .regex(/^[a-z0-9-]+$/)

/** The schema of the uid of the learner for whom the page was made. */
const uidSchema = z.string().min(1).max(200)

const noteFormSchema = z.strictObject({
  intent: z.literal('note'),
  uid: uidSchema,
  /**
   * The browser makes the ID, so that a note that is sent twice is stored once. Without JavaScript,
   * the ID is empty.
   */
  id: noteIdSchema.or(z.literal('').transform(() => randomUUID())),
  positionMs: z.coerce.number().int().min(0).max(100_000_000),
  body: z
    .string()
    .transform((body) => body.trim())
    .pipe(z.string().min(1, noteMessages.empty).max(noteLimits.body, noteMessages.tooLong))
    .refine((body) => !body.includes('\0'), noteMessages.unstorable),
})

const markFormSchema = z.strictObject({
  intent: z.literal('mark'),
  uid: uidSchema,
  mark: z.enum(['done', 'undone']),
  /** The ID of the lesson that opens afterwards, or empty. */
  goOnTo: lessonIdSchema.or(z.literal('')),
})

const lessonFormSchema = z.discriminatedUnion('intent', [
  noteFormSchema,
  z.strictObject({ intent: z.literal('delete-note'), uid: uidSchema, id: noteIdSchema }),
  markFormSchema,
  z.strictObject({
    intent: z.literal('bookmark'),
    uid: uidSchema,
    bookmarked: z.enum(['yes', 'no']),
  }),
])

/**
 * Handles the forms of a lesson page: marks, notes and bookmarks. Each of them may be submitted
 * twice without harm, except a note from a page without JavaScript. A form from the page of another
 * learner is rejected.
 */
export async function submitLessonForm(
  learningContext: LearningContext,
  learnerLesson: LearnerLesson,
  form: FormData,
  now: Date,
) {
  const submission = lessonFormSchema.safeParse(Object.fromEntries(form))
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
      return successResponse<LessonFormSuccess>()
  }
}

/** Marks a lesson when JavaScript is off. Otherwise, the mark is a part of a progress report. */
async function submitMark(
  learningContext: LearningContext,
  learnerLesson: LearnerLesson,
  { mark, goOnTo: nextLessonId }: { mark: Mark; goOnTo: string },
  now: Date,
) {
  const progress = {
    ...emptyProgress,
    // In an article, the button is at the end, so the learner has reached it. Other lessons ignore
    // this.
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
    const { message, status } = reportMessages.progressRefusals[refusal]
    return errorResponse(message, { status })
  }

  const nextPath = nextLessonId ? `/Learn/${learnerLesson.courseId}/${nextLessonId}` : undefined
  return successResponse<LessonFormSuccess>({}, { redirectTo: nextPath })
}

async function submitBookmark(
  { db }: LearningContext,
  learnerLesson: LearnerLesson,
  isBookmarked: boolean,
) {
  if (!isBookmarked) {
    await removeBookmark(db, learnerLesson)
    return successResponse<LessonFormSuccess>()
  }

  const outcome = await addBookmark(db, learnerLesson)
  if (outcome === 'full') {
    return errorResponse(lessonMessages.bookmarksAreFull, { status: 409 })
  }

  return successResponse<LessonFormSuccess>()
}

async function submitNote(
  { db }: LearningContext,
  learnerLesson: LearnerLesson,
  { id, positionMs, body }: z.infer<typeof noteFormSchema>,
) {
  const refusal = await recordNote(db, learnerLesson, { id, positionMs, body })
  if (refusal) {
    const { message, status } = noteMessages.refusals[refusal]
    return errorResponse(message, { status })
  }

  return successResponse<LessonFormSuccess>({ saved: { id, body } })
}
