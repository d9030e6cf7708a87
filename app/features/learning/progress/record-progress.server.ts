/**
 * Records what a browser reports about a learner's progress in a lesson.
 *
 * Reports may arrive late, twice, out of order, and from several devices at once. Each report is
 * merged into the stored progress while its row is locked, so no report can overwrite another. One
 * transaction writes everything: the progress, the study time, the missed questions and the
 * learner's rewards.
 *
 * A lesson is "earned" once the learner has really worked through it, as the rules of its kind say:
 * a quiz, for example, by answering every question. A lesson is "done" if the learner has
 * marked it as done, or has earned it and not marked it as not done.
 *
 * Every transaction takes its locks in the same order: progress in the lesson, progress in the
 * course, practice, study days and enrollment, achievements.
 */
import { lockCourseProgress } from '~/features/enrollment/learner-locks.server'
import { commitOnSuccess, type Transaction } from '~/server/database/client.server'
import { failure, type Result, success } from '~/server/result'
import { isLessonDone, isLessonEarned, lessonRules } from '../lessons/kinds/lesson-rules'
import { recordActivity } from './activity-queries.server'
import type { LearningContext } from './course-completion.server'
import { emptyProgress, type LearnerLesson, type LessonProgress } from './lesson-progress'
import { recordMissedQuestions } from './missed-question-queries.server'
import { lessonActivityText } from './progress-messages'
import { lockReportContext, type ReportContext, writeProgress } from './progress-statements.server'
import {
  applyOpenedLength,
  findProgressRefusal,
  fitProgressToLesson,
  mergeWithinLimit,
  type ProgressRefusal,
  type ReceivedReport,
} from './reported-progress'
import { toLessonProgress } from './stored-progress.server'
import { splitByDay } from './study-time'

type RecordProgressInput = {
  learnerLesson: LearnerLesson
  report: ReceivedReport
  /**
   * The session has to be valid and belong to the learner. The token is null if the caller knows
   * that the learner is signed in.
   */
  sessionToken: string | null
}

type RecordProgressResult =
  | { refusal: ProgressRefusal }
  | {
      refusal: null
      /** The progress that is stored now. It contains the reported progress. */
      progress: LessonProgress
      isDone: boolean
      /** Whether the report may have brought a reward, such as an achievement. */
      canBringReward: boolean
    }

/** The second try usually succeeds, because it finds and locks the row of the other device. */
const maxTries = 3

/** Records a report, and grants the rewards that are due after it. */
export async function recordLessonProgress(
  { db, grantDueRewards }: LearningContext,
  input: RecordProgressInput,
): Promise<RecordProgressResult> {
  for (let tryNumber = 1; tryNumber <= maxTries; tryNumber++) {
    const result = await commitOnSuccess(db, (transaction) =>
      tryToRecord(transaction, grantDueRewards, input),
    )
    if (result.ok) {
      return result.value
    }

    // Another device was faster, and this transaction was rolled back.
  }

  throw new Error(`The progress could not be recorded in ${maxTries} tries.`)
}

/**
 * Records a report in one transaction.
 *
 * If two devices send their first reports of a lesson at the same time, neither finds a row that it
 * could lock. The later one would lock the row too late, after the progress in the course.
 *
 * @returns a failure for the later device, whose transaction is rolled back and tried again. A
 *   refusal is a success here, because another try would not change it.
 */
async function tryToRecord(
  transaction: Transaction,
  grantDueRewards: LearningContext['grantDueRewards'],
  { learnerLesson, report, sessionToken }: RecordProgressInput,
): Promise<Result<RecordProgressResult>> {
  const { studyIntervals, receivedAt } = report
  const reportContext = await lockReportContext(transaction, {
    ...learnerLesson,
    sessionToken,
    studyIntervals,
    receivedAt,
  })
  if (!reportContext) {
    return success({ refusal: 'no-lesson' })
  }

  const refusal = findProgressRefusal(reportContext.access, reportContext.lesson, report)
  if (refusal) {
    return success({ refusal })
  }

  const change = calculateChange(reportContext, report)
  if (change.canBringReward) {
    // Rewards need this lock, which comes before that of practice.
    await lockCourseProgress(transaction, learnerLesson.uid, learnerLesson.courseId)
  }

  await addMissedQuestionsToPractice(transaction, learnerLesson, reportContext, report)

  const isWritten = await writeProgress(transaction, learnerLesson, change, receivedAt)
  if (!isWritten) {
    return failure('Another device has stored its first report of this lesson.')
  }

  if (change.isNewlyDone) {
    const activity = getDoneActivity(learnerLesson, reportContext, change)
    await recordActivity(transaction, learnerLesson.uid, { ...activity, at: receivedAt })
  }

  if (change.canBringReward) {
    await grantDueRewards(transaction, learnerLesson, receivedAt)
  }

  const { progress, isDone, canBringReward } = change
  return success({ refusal: null, progress, isDone, canBringReward })
}

/** Applies the rules of the lesson to a report, without writing anything. */
function calculateChange(
  { lesson, stored, studyDays, timeZone }: ReportContext,
  report: ReceivedReport,
) {
  const isFirstReport = stored === null
  const storedProgress = isFirstReport ? emptyProgress : toLessonProgress(stored)
  const wasEarned = !isFirstReport && stored.earned
  const wasDone = !isFirstReport && stored.done

  const reportedProgress = fitProgressToLesson(lesson, report.progress)
  const progress = mergeWithinLimit(storedProgress, reportedProgress)

  // The learner may have opened the lesson while its video was shorter.
  const openedLesson = applyOpenedLength(lesson, report.openedLengthMs)
  const isEarned = wasEarned || isLessonEarned(openedLesson, progress)
  const isDone = isLessonDone(openedLesson, progress, isEarned)
  const isNewlyDone = isDone && !wasDone

  const studiedByDay = splitByDay(report.studyIntervals, timeZone)
  const hasNewStudyDay = studiedByDay.some(({ day }) => !studyDays.includes(day))

  return {
    isFirstReport,
    progress,
    isEarned,
    isDone,
    isNewlyDone,
    studiedByDay,
    // A finished lesson may complete the course. A new day may complete a streak.
    canBringReward: isNewlyDone || hasNewStudyDay,
  }
}

type ProgressChange = ReturnType<typeof calculateChange>

/** Adds missed questions to practice. Questions that the quiz no longer has are left out. */
async function addMissedQuestionsToPractice(
  transaction: Transaction,
  learnerLesson: LearnerLesson,
  { lesson, timeZone }: ReportContext,
  { missedQuestions }: ReceivedReport,
): Promise<void> {
  if (!missedQuestions) {
    return
  }

  // Each report repeats the questions that were missed since the lesson was opened. With the time
  // of the opening, they count as one miss.
  const missedAt = missedQuestions.lessonOpenedAt
  const questionsToPractice = missedQuestions.ids
    .filter((id) => lesson.questionIds.includes(id))
    .map((questionId) => ({ questionId, missedAt }))
  await recordMissedQuestions(transaction, learnerLesson, questionsToPractice, timeZone)
}

/** Returns the activity that the dashboard lists, for example "Finished the lesson ...". */
function getDoneActivity(
  { courseId, lessonId }: LearnerLesson,
  { lesson, lessonTitle, courseTitle }: ReportContext,
  { progress, isEarned }: ProgressChange,
) {
  const { type, verb } = lessonRules[lesson.kind].activity
  // Reading an article to its end counts as finishing it here, although it doesn't earn the lesson.
  const isFinished = isEarned || progress.readToEnd

  return {
    id: `lesson:${courseId}:${lessonId}`,
    type,
    text: lessonActivityText(isFinished ? verb : 'marked', lessonTitle, courseTitle),
  }
}
