/**
 * Stores the history of the demo learner: courses, exams, certificates and study time.
 *
 * All times are relative to today, so that the demo account never looks abandoned. The history is
 * stored once, when the product starts and the demo account has no enrollment yet.
 */
import { randomInt } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { demoUid } from '~/features/accounts/account-queries.server'
import { formatAchievementActivity } from '~/features/achievements/achievement-messages'
import { achievementDefinitions } from '~/features/achievements/achievements'
import { measureCertifiedLessons } from '~/features/certificates/certificate-issuing.server'
import { certificateMessages } from '~/features/certificates/certificate-messages'
import { createRegisterEntry } from '~/features/certificates/certificate-register.server'
import { readDemoContent } from '~/features/courses/content/content-files.server'
import type { CourseContent } from '~/features/courses/content/course-folder.server'
import type { DemoLearner } from '~/features/courses/content/demo-learner-file.server'
import { getLessonFormat } from '~/features/courses/lessons/lesson-formats.server'
import {
  drawQuestions,
  getCorrectAnswer,
  shuffle,
} from '~/features/courses/questions/drawn-question.server'
import { enrolledActivity } from '~/features/enrollment/enrollment-messages'
import { recordMissedExamQuestions } from '~/features/exams/attempt/missed-exam-questions.server'
import { formatExamActivity } from '~/features/exams/exam-messages'
import { getScorePercent, isPassed } from '~/features/exams/grade'
import { lessonRules } from '~/features/learning/lessons/kinds/lesson-rules'
import type { ActivityType } from '~/features/learning/progress/activity-queries.server'
import {
  courseCompletedText,
  lessonActivityText,
} from '~/features/learning/progress/progress-messages'
import { questionId } from '~/features/learning/progress/question-id.server'
import { toMultirange } from '~/features/learning/progress/watched-intervals'
import { findSupportedTimeZone } from '~/features/school/supported-time-zones.server'
import {
  type Database,
  db as productDatabase,
  type Transaction,
} from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import * as tables from '~/server/database/schema'
import { env } from '~/server/env.server'

/**
 * Returns a point in time: some minutes after the demo learner started to study, on an evening in
 * the past.
 */
type GetEveningTime = (daysAgo: number, minutes?: number) => SQL

/** When the demo learner does something on an evening, in minutes after the start. */
const eveningMinutes = {
  lesson: 20,
  examStart: 18,
  examAnswer: 25,
  examEnd: 30,
  courseCompleted: 25,
  certificate: 31,
  achievement: 32,
  lastAccess: 40,
} as const

type DemoCourse = DemoLearner['courses'][number]

/**
 * Stores the demo history when the product starts. The demo account must exist by then.
 *
 * @returns the function that the product calls when it stops, which has nothing to do
 */
export async function startDemoHistory(): Promise<() => void> {
  await loadDemoHistory(productDatabase)
  return () => {}
}

/**
 * Stores the demo learner's history if the demo account exists and has no enrollment yet. Several
 * processes may start at once, so the check is repeated while the account's row is locked.
 *
 * @returns whether this call stored the history
 */
export async function loadDemoHistory(
  db: Database,
  folder: string = env.CONTENT_DIR,
  now: Date = new Date(),
): Promise<boolean> {
  if (await hasNothingToStore(db)) {
    return false
  }

  const content = await readDemoContent(folder)
  if (!content) {
    return false
  }

  return db.transaction(async (transaction) => {
    await transaction.select().from(tables.users).where(eq(tables.users.id, demoUid)).for('update')
    if (await hasNothingToStore(transaction)) {
      return false
    }

    await storeHistory(transaction, content.demoLearner, content.courses, now)
    return true
  })
}

/** Returns whether the demo account does not exist, or has an enrollment already. */
async function hasNothingToStore(db: Pick<Database, 'select'>): Promise<boolean> {
  const [learner] = await db
    .select({ enrolledCourseId: tables.enrollments.courseId })
    .from(tables.users)
    .leftJoin(tables.enrollments, eq(tables.enrollments.uid, tables.users.id))
    .where(eq(tables.users.id, demoUid))
    .limit(1)

  return !learner || learner.enrolledCourseId !== null
}

async function storeHistory(
  transaction: Transaction,
  { profile, courses, achievements, study }: DemoLearner,
  content: readonly CourseContent[],
  now: Date,
): Promise<void> {
  // The file may have another name of the time zone than the database.
  const timezone = (await findSupportedTimeZone(transaction, profile.timezone)) ?? 'UTC'
  const today = sql`(${now.toISOString()}::timestamptz at time zone ${timezone})::date`
  const getTime: GetEveningTime = (daysAgo, minutes = 0) =>
    sql`((${today} - ${daysAgo}::int + ${study.startsAt}::time + make_interval(mins => ${minutes}::int)) at time zone ${timezone})`

  const { joinedDaysAgo, ...details } = profile
  await transaction
    .update(tables.users)
    .set({ ...details, timezone, createdAt: getTime(joinedDaysAgo) })
    .where(eq(tables.users.id, demoUid))

  for (const demoCourse of courses) {
    const course = content.find(({ id }) => id === demoCourse.course)
    if (course) {
      await storeCourse(transaction, demoCourse, course, getTime)
    }
  }

  for (const { id, name } of achievementDefinitions) {
    const daysAgo = achievements[id]
    if (!daysAgo) {
      continue
    }

    const grantedAt = getTime(daysAgo, eveningMinutes.achievement)
    await transaction
      .insert(tables.achievements)
      .values({ uid: demoUid, achievementId: id, grantedAt })
    await storeActivity(transaction, {
      type: 'milestone',
      id: `achievement:${id}`,
      text: formatAchievementActivity(name),
      at: grantedAt,
    })
  }

  await storeStudyDays(transaction, study, today, getTime)

  const { weekdays } = study
  if (weekdays.length > 0) {
    await transaction.insert(tables.studyPlans).values({ uid: demoUid, weekdays })
  }
}

type DemoActivity = { type: ActivityType; id: string; text: string; at: SQL }

async function storeActivity(transaction: Transaction, activity: DemoActivity): Promise<void> {
  await transaction.insert(tables.activities).values({ uid: demoUid, ...activity })
}

async function storeCourse(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  getTime: GetEveningTime,
): Promise<void> {
  const { id: courseId, title } = course
  const { enrolledDaysAgo, completedDaysAgo } = demoCourse
  const completedAt = completedDaysAgo
    ? getTime(completedDaysAgo, eveningMinutes.courseCompleted)
    : null

  await transaction.insert(tables.enrollments).values({
    uid: demoUid,
    courseId,
    enrolledAt: getTime(enrolledDaysAgo),
    lastAccessedAt: getTime(demoCourse.lastAccessedDaysAgo, eveningMinutes.lastAccess),
    completedAt,
  })
  await storeActivity(transaction, {
    type: 'course',
    id: `enrollment:${courseId}`,
    text: enrolledActivity(title),
    at: getTime(enrolledDaysAgo),
  })

  await storeLessons(transaction, demoCourse, course, getTime)
  if (completedAt) {
    await storeActivity(transaction, {
      type: 'course',
      id: `completed:${courseId}`,
      text: courseCompletedText(title),
      at: completedAt,
    })
  }

  await storeExams(transaction, demoCourse, course, getTime)
  await recordMissedExamQuestions(transaction, { uid: demoUid, courseId })

  if (demoCourse.certificateDaysAgo) {
    await storeCertificate(
      transaction,
      demoCourse,
      course,
      getTime(demoCourse.certificateDaysAgo, eveningMinutes.certificate),
    )
  }
}

async function storeCertificate(
  transaction: Transaction,
  demoCourse: DemoCourse,
  { id: courseId, title, exam }: CourseContent,
  issuedAt: SQL,
): Promise<void> {
  const examMaxScore = exam.draw
  const firstPassedExam = demoCourse.exams
    .toSorted((first, second) => second.daysAgo - first.daysAgo)
    .find(({ score }) => isPassed({ score, maxScore: examMaxScore }, exam.passPercent))

  const id = await createRegisterEntry(transaction, {
    courseId,
    courseTitle: title,
    ...(await measureCertifiedLessons(transaction, demoUid, courseId)),
    examScore: firstPassedExam?.score ?? 0,
    examMaxScore,
    issuedAt,
  })
  await transaction.insert(tables.certificates).values({
    uid: demoUid,
    courseId,
    id,
    issuedAt,
    learnerName: sql`(select name from users where id = ${demoUid})`,
  })
  await storeActivity(transaction, {
    type: 'certificate',
    id: `certificate:${courseId}`,
    text: certificateMessages.activities.earned(title),
    at: issuedAt,
  })
}

async function storeLessons(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  getTime: GetEveningTime,
): Promise<void> {
  const daysAgoByLesson = new Map(Object.entries(demoCourse.lessons))
  for (const lesson of course.curriculum.flatMap((section) => section.lessons)) {
    const daysAgo = daysAgoByLesson.get(lesson.id)
    if (!daysAgo) {
      continue
    }

    const earnedAt = getTime(daysAgo, eveningMinutes.lesson)
    const { activity, getFinishedProgress } = lessonRules[lesson.kind]
    const questions = getLessonFormat(lesson).listQuestions(lesson)
    const questionIds = questions.map(({ question }) => questionId(question))
    // The insert replaces the time of the mark by `earnedAt`, which only the database can compute.
    const markTime = 0
    const progress = getFinishedProgress({ ...lesson, questionIds }, markTime)
    await transaction.insert(tables.lessonProgress).values({
      uid: demoUid,
      courseId: course.id,
      lessonId: lesson.id,
      watchedMs: toMultirange(progress.watched),
      answered: [...progress.answered],
      readToEnd: progress.readToEnd,
      earnedAt,
      ...(progress.mark && { mark: progress.mark.value, markedAt: earnedAt }),
    })
    await storeActivity(transaction, {
      type: activity.type,
      id: `lesson:${course.id}:${lesson.id}`,
      text: lessonActivityText(activity.verb, lesson.title, course.title),
      at: earnedAt,
    })
  }
}

async function storeExams(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  getTime: GetEveningTime,
): Promise<void> {
  const { draw, title, passPercent, timeLimitMinutes, questions } = course.exam
  for (const { daysAgo, score } of demoCourse.exams) {
    const result = { score, maxScore: draw }
    const id = randomId()
    const submittedAt = getTime(daysAgo, eveningMinutes.examEnd)
    const paper = drawQuestions(questions, draw, randomInt)
    await transaction.insert(tables.examAttempts).values({
      uid: demoUid,
      id,
      courseId: course.id,
      title,
      paper: paper.map(({ question, order }) => ({ question, order: [...order] })),
      passPercent,
      startedAt: getTime(daysAgo, eveningMinutes.examStart),
      deadlineAt: getTime(daysAgo, eveningMinutes.examStart + timeLimitMinutes),
      submittedAt,
      ...result,
    })

    const correctQuestions = shuffle(paper, randomInt).slice(0, score)
    for (const drawnQuestion of correctQuestions) {
      const answer = sql`${JSON.stringify(getCorrectAnswer(drawnQuestion))}::text::jsonb`
      await transaction.insert(tables.examAnswers).values({
        uid: demoUid,
        attemptId: id,
        questionId: drawnQuestion.question.id,
        answer,
        revision: 1,
        answeredAt: getTime(daysAgo, eveningMinutes.examAnswer),
      })
    }

    const text = formatExamActivity(
      isPassed(result, passPercent),
      course.title,
      getScorePercent(result),
    )
    await storeActivity(transaction, { type: 'quiz', id: `exam:${id}`, text, at: submittedAt })
  }
}

/**
 * Stores one interval of study time per evening. The last number of `minutes` belongs to yesterday.
 */
async function storeStudyDays(
  transaction: Transaction,
  { minutes }: DemoLearner['study'],
  today: SQL,
  getTime: GetEveningTime,
): Promise<void> {
  const days = minutes.flat()
  const studyDays = days.flatMap((minuteCount, index) => {
    const daysAgo = days.length - index
    const interval = sql`tstzmultirange(tstzrange(${getTime(daysAgo)}, ${getTime(daysAgo, minuteCount)}))`

    return minuteCount > 0
      ? [{ uid: demoUid, day: sql`${today} - ${daysAgo}::int`, studied: interval }]
      : []
  })

  await transaction.insert(tables.studyDays).values(studyDays)
}
