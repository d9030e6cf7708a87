/**
 * Records what a browser reports about a learner's progress in a lesson.
 *
 * Reports may arrive late, twice, out of order, and from several devices at once. Each report is
 * merged into the stored progress while the row of the lesson is locked, so no report can overwrite
 * another. One transaction writes everything: the progress, the study time, the missed questions
 * and the learner's rewards.
 *
 * A learner earns a lesson by the rules of its kind, such as answering every question of a quiz. A
 * lesson is done if it is earned, or if the learner has marked it as done. Every transaction takes
 * its locks in the same order: lesson, course progress, practice, study days and enrollment,
 * achievements.
 */
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import type { Transaction } from '~/server/database/client.server'
import { commitOnSuccess } from '~/server/database/client.server'
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
  lockAndReadProgress,
  writeProgress,
} from './progress-statements.server'
import {
  findProgressRefusal,
  fitProgressToLesson,
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
      /** The progress that is stored now. It contains the reported progress. */
      progress: LessonProgress
      isDone: boolean
      /** Whether the learner may have got a reward, such as an achievement. */
      hasPossibleReward: boolean
    }

/** How often a report is recorded again because another device reports at the same time. */
const maxTries = 3

/** @param sessionToken if given, this session must be valid and belong to the learner */
export async function recordLessonProgress(
  { db, grantDueRewards }: LearningContext,
  learnerLesson: LearnerLesson,
  report: ReportedProgress,
  sessionToken: string | null = null,
): Promise<RecordProgressResult> {
  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const result = await commitOnSuccess(db, (transaction) =>
      tryToRecord(transaction, grantDueRewards, { learnerLesson, report, sessionToken }),
    )
    if (result.ok) {
      return result.value
    }
  }

  throw new Error('A report of progress always met the first report of another device.')
}

type ReportInput = {
  learnerLesson: LearnerLesson
  report: ReportedProgress
  sessionToken: string | null
}

/**
 * Two devices can send their first reports of a lesson at the same time. Neither finds a row to
 * lock, so the later one would take its locks in another order. It is rolled back and tried again.
 *
 * @returns a failure if another device has stored its first report of the lesson by now
 */
async function tryToRecord(
  transaction: Transaction,
  grantDueRewards: LearningContext['grantDueRewards'],
  { learnerLesson, report, sessionToken }: ReportInput,
): Promise<Result<RecordProgressResult>> {
  const { studyIntervals, receivedAt } = report
  const lockedProgress = await lockAndReadProgress(transaction, {
    ...learnerLesson,
    sessionToken,
    studyIntervals,
    now: receivedAt,
  })
  if (!lockedProgress) {
    return success({ refusal: 'no-lesson' })
  }

  const refusal = findProgressRefusal(lockedProgress.access, lockedProgress.lesson, report)
  if (refusal) {
    return success({ refusal })
  }

  const change = calculateChange(lockedProgress, report)
  if (change.hasPossibleReward) {
    await lockCourseProgress(transaction, learnerLesson.uid, learnerLesson.courseId)
  }

  await addMissedToPractice(transaction, learnerLesson, lockedProgress, report)

  const isWritten = await writeProgress(transaction, learnerLesson, change, receivedAt)
  if (!isWritten) {
    return failure('Another device has reported its progress in this lesson meanwhile.')
  }

  if (change.isNewlyDone) {
    const activity = getDoneActivity(learnerLesson, lockedProgress, change)
    await recordActivity(transaction, learnerLesson.uid, { ...activity, at: receivedAt })
  }

  if (change.hasPossibleReward) {
    await grantDueRewards(transaction, learnerLesson, receivedAt)
  }

  const { progress, isDone, hasPossibleReward } = change
  return success({ refusal: null, progress, isDone, hasPossibleReward })
}

/** Applies the rules of progress to a report, without writing anything. */
function calculateChange(
  { lesson, stored, studyDays, timeZone }: LockedProgress,
  { progress: reportedProgress, studyIntervals, openedLengthMs }: ReportedProgress,
) {
  const storedProgress = stored ? toLessonProgress(stored) : emptyProgress
  const progress = mergeWithinLimit(storedProgress, fitProgressToLesson(lesson, reportedProgress))

  // The learner may have opened the lesson while its video was shorter.
  const lessonAsOpened = limitToOpenedLength(lesson, openedLengthMs)
  const isEarned = stored?.earned || isLessonEarned(lessonAsOpened, progress)
  const isDone = isLessonDone(lessonAsOpened, progress, isEarned)
  const isNewlyDone = isDone && !stored?.done

  const studiedByDay = splitByDay(studyIntervals, timeZone)
  const hasNewStudyDay = studiedByDay.some(({ day }) => !studyDays.includes(day))

  return {
    progress,
    isEarned,
    isDone,
    isNewlyDone,
    studiedByDay,
    // A finished lesson may complete the course. A new day may complete a streak.
    hasPossibleReward: isNewlyDone || hasNewStudyDay,
    isFirstReport: stored === null,
  }
}

type ProgressChange = ReturnType<typeof calculateChange>

/** Adds missed questions to practice. Questions that the quiz no longer has are left out. */
async function addMissedToPractice(
  transaction: Transaction,
  learnerLesson: LearnerLesson,
  { lesson, timeZone }: LockedProgress,
  { missedQuestions }: ReportedProgress,
): Promise<void> {
  if (!missedQuestions) {
    return
  }

  // All reports of a visit have the same time, so that repeated reports count as one miss.
  const missedAt = missedQuestions.lessonOpenedAt
  const questionsToPractice = missedQuestions.ids
    .filter((id) => lesson.questionIds.includes(id))
    .map((questionId) => ({ questionId, missedAt }))
  await recordMissedQuestions(transaction, learnerLesson, questionsToPractice, timeZone)
}

function getDoneActivity(
  { courseId, lessonId }: LearnerLesson,
  { lesson, lessonTitle, courseTitle }: LockedProgress,
  { progress, isEarned }: ProgressChange,
) {
  const { type, verb } = lessonRules[lesson.kind].activity
  // An article is never earned, but one that was read to its end was not only marked.
  const isOnlyMarked = !isEarned && !progress.readToEnd

  return {
    id: `lesson:${courseId}:${lessonId}`,
    type,
    text: lessonActivity(isOnlyMarked ? 'marked' : verb, lessonTitle, courseTitle),
  }
}
