/**
 * Records what a browser reports about a learner's progress in a lesson.
 *
 * Reports may arrive late, twice, out of order, and from several devices at once. Each report is
 * merged into the stored progress while the row of the lesson is locked, so no report can overwrite
 * another. One transaction writes everything: the progress, the study time, the missed questions,
 * and what follows from a finished lesson.
 *
 * A lesson is earned by the rules of its kind, and done if it is earned or marked as done. Every
 * transaction takes its locks in the same order: lesson, course progress, practice, study days and
 * enrollment, achievements.
 */
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/commit-on-success.server'
import { failure, type Result, success } from '~/server/result'
import { isLessonDone, isLessonEarned, lessonRules } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import type { LearningContext } from './course-completion.server'
import { emptyProgress, type LessonProgress } from './lesson-progress'
import { recordMissedQuestions } from './missed-question-queries.server'
import { lessonActivity } from './progress-messages'
import {
  type LearnerLesson,
  type LockedProgress,
  lockProgress,
  writeProgress,
} from './progress-statements.server'
import {
  findProgressRefusal,
  fitProgress,
  limitToOpenedLength,
  mergeWithinLimit,
  type ProgressRefusal,
  type ReportedProgress,
} from './reported-progress'
import { toLessonProgress } from './stored-progress.server'
import { splitByDay } from './study-time'

type RecordProgressResult =
  | { refusal: ProgressRefusal }
  | {
      refusal: null
      /** The merged progress. */
      progress: LessonProgress
      done: boolean
      /** Whether something may have followed for the learner, such as an achievement. */
      followedUp: boolean
    }

/** @param sessionToken if given, this session must be valid and belong to the learner */
export async function recordLessonProgress(
  { db, followUp }: LearningContext,
  learnerLesson: LearnerLesson,
  report: ReportedProgress,
  sessionToken?: string,
): Promise<RecordProgressResult> {
  const input = { learnerLesson, report, sessionToken: sessionToken ?? null }

  // A second transaction is needed only if the first report of another device came in between. The
  // first one is rolled back, because its locks would come before the lock of the lesson.
  for (;;) {
    const result = await commitOnSuccess(db, (transaction) =>
      tryToRecord(transaction, followUp, input),
    )
    if (result.ok) {
      return result.value
    }
  }
}

type ReportInput = {
  learnerLesson: LearnerLesson
  report: ReportedProgress
  sessionToken: string | null
}

/** @returns a failure if another device has stored its first report of the lesson by now */
async function tryToRecord(
  transaction: Transaction,
  followUp: LearningContext['followUp'],
  input: ReportInput,
): Promise<Result<RecordProgressResult>> {
  const { learnerLesson, report, sessionToken } = input
  const { studied, now } = report
  const lockedProgress = await lockProgress(transaction, {
    ...learnerLesson,
    sessionToken,
    studied,
    now,
  })
  if (!lockedProgress) {
    return success<RecordProgressResult>({ refusal: 'no-lesson' })
  }

  const refusal = findProgressRefusal(lockedProgress.reporter, lockedProgress.lesson, report)
  if (refusal) {
    return success<RecordProgressResult>({ refusal })
  }

  const change = calculateChange(lockedProgress, report)
  if (change.needsFollowUp) {
    await lockCourseProgress(transaction, learnerLesson.uid, learnerLesson.courseId)
  }

  await addMissedToPractice(transaction, learnerLesson, lockedProgress, report)

  const isWritten = await writeProgress(transaction, learnerLesson, change, now)
  if (!isWritten) {
    return failure('Another device has reported its progress in this lesson meanwhile.')
  }

  if (change.isNewlyDone) {
    const activity = getDoneActivity(learnerLesson, lockedProgress, change)
    await recordActivity(transaction, learnerLesson.uid, { ...activity, at: now })
  }

  if (change.needsFollowUp) {
    await followUp(transaction, learnerLesson, now)
  }

  const { progress, isDone, needsFollowUp } = change
  return success({ refusal: null, progress, done: isDone, followedUp: needsFollowUp })
}

/** Applies the rules of progress to a report, without writing anything. */
function calculateChange(
  { lesson, stored, studyDays, timeZone }: LockedProgress,
  { progress: reportedProgress, studied, lengthMs }: ReportedProgress,
) {
  const storedProgress = stored ? toLessonProgress(stored) : emptyProgress
  const progress = mergeWithinLimit(storedProgress, fitProgress(lesson, reportedProgress))

  // The learner may have opened the lesson while its video was shorter.
  const lessonAsOpened = limitToOpenedLength(lesson, lengthMs)
  const isEarned = stored?.earned || isLessonEarned(lessonAsOpened, progress)
  const isDone = isLessonDone(lessonAsOpened, progress, isEarned)
  const isNewlyDone = isDone && !stored?.done

  const studiedByDay = splitByDay(studied, timeZone)
  const hasNewStudyDay = studiedByDay.some(({ day }) => !studyDays.includes(day))

  return {
    progress,
    isEarned,
    isDone,
    isNewlyDone,
    studiedByDay,
    needsFollowUp: isNewlyDone || hasNewStudyDay,
    isFirstReport: stored === null,
  }
}

type ProgressChange = ReturnType<typeof calculateChange>

/** Adds missed questions to practice. Questions that the quiz no longer has are left out. */
async function addMissedToPractice(
  transaction: Transaction,
  learnerLesson: LearnerLesson,
  { lesson, timeZone }: LockedProgress,
  { missed }: ReportedProgress,
): Promise<void> {
  if (!missed) {
    return
  }

  const missedQuestions = missed.questionIds
    .filter((id) => lesson.questionIds.includes(id))
    .map((id) => ({ questionId: id, missedAt: missed.openedAt }))
  await recordMissedQuestions(transaction, learnerLesson, missedQuestions, timeZone)
}

function getDoneActivity(
  { courseId, lessonId }: LearnerLesson,
  { lesson, lessonTitle, courseTitle }: LockedProgress,
  { progress, isEarned }: ProgressChange,
) {
  const { type, verb } = lessonRules[lesson.kind].activity
  const isOnlyMarked = !isEarned && !progress.readToEnd

  return {
    id: `lesson:${courseId}:${lessonId}`,
    type,
    text: lessonActivity(isOnlyMarked ? 'marked' : verb, lessonTitle, courseTitle),
  }
}
