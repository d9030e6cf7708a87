import { randomInt } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { demoUid as uid } from '~/features/accounts/account-queries.server'
import { achievementActivity } from '~/features/achievements/achievement-messages'
import { achievementDefinitions } from '~/features/achievements/achievements'
import {
  createRegisterEntry,
  summarizeCertifiedLessons,
} from '~/features/certificates/certificate-issuing.server'
import { certificateActivities } from '~/features/certificates/certificate-messages'
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
import { recordMissedExamQuestions } from '~/features/exams/attempt/attempt-queries.server'
import { formatExamActivity } from '~/features/exams/exam-messages'
import { getScorePercent, isPassed } from '~/features/exams/grade'
import { lessonRules } from '~/features/learning/lessons/kinds/lesson-rules'
import type { ActivityType } from '~/features/learning/progress/activity-queries.server'
import { courseCompleted, lessonActivity } from '~/features/learning/progress/progress-messages'
import { questionId } from '~/features/learning/progress/question-id.server'
import { toMultirange } from '~/features/learning/progress/watched-intervals'
import {
  type Database,
  db as productDatabase,
  type Transaction,
} from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import * as tables from '~/server/database/schema'
import { env } from '~/server/env.server'

/**
 * An instant in an evening: whole days before today, and minutes after the hour at which the
 * learner starts.
 */
type Clock = (daysAgo: number, minutes?: number) => SQL
type DemoCourse = DemoLearner['courses'][number]

/** Loads the demo history when the product starts. The demo account must exist by then. */
export async function startDemoHistory(): Promise<() => void> {
  await loadDemoHistory(productDatabase)
  return () => {}
}

/**
 * Stores the demo learner's history if the demo account exists and has no enrollment yet. Several
 * processes may start at once, so the check is repeated while the account's row is locked.
 *
 * @returns whether this call stored the history.
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
    await transaction.select().from(tables.users).where(eq(tables.users.id, uid)).for('update')
    if (await hasNothingToStore(transaction)) {
      return false
    }

    await storeHistory(transaction, content.demoLearner, content.courses, now)

    return true
  })
}

/** Returns whether there is nothing to store: the demo account has an enrollment or does not exist. */
async function hasNothingToStore(db: Pick<Database, 'select'>): Promise<boolean> {
  const [learner] = await db
    .select({ enrolledIn: tables.enrollments.courseId })
    .from(tables.users)
    .leftJoin(tables.enrollments, eq(tables.enrollments.uid, tables.users.id))
    .where(eq(tables.users.id, uid))
    .limit(1)

  return !learner || learner.enrolledIn !== null
}

async function storeHistory(
  transaction: Transaction,
  { profile, courses, achievements, study }: DemoLearner,
  content: readonly CourseContent[],
  now: Date,
): Promise<void> {
  const today = sql`(${now.toISOString()}::timestamptz at time zone ${profile.timezone})::date`
  const at: Clock = (daysAgo, minutes = 0) =>
    sql`((${today} - ${daysAgo}::int + ${study.startsAt}::time + make_interval(mins => ${minutes}::int)) at time zone ${profile.timezone})`
  const { joinedDaysAgo, ...details } = profile
  await transaction
    .update(tables.users)
    .set({ ...details, createdAt: at(joinedDaysAgo) })
    .where(eq(tables.users.id, uid))
  for (const demoCourse of courses) {
    const course = content.find(({ id }) => id === demoCourse.course)
    if (course) {
      await storeCourse(transaction, demoCourse, course, at)
    }
  }

  for (const { id, name } of achievementDefinitions) {
    const daysAgo = achievements[id]
    if (!daysAgo) {
      continue
    }

    await transaction
      .insert(tables.achievements)
      .values({ uid, achievementId: id, grantedAt: at(daysAgo, 32) })
    await addActivity(
      transaction,
      'milestone',
      `achievement:${id}`,
      achievementActivity(name),
      at(daysAgo, 32),
    )
  }

  await storeStudyDays(transaction, study, today, at)
  const { weekdays } = study
  if (weekdays.length > 0) {
    await transaction.insert(tables.studyPlans).values({ uid, weekdays })
  }
}

async function addActivity(
  transaction: Transaction,
  type: ActivityType,
  id: string,
  text: string,
  at: SQL,
): Promise<void> {
  await transaction.insert(tables.activities).values({ uid, id, type, text, at })
}

async function storeCourse(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  at: Clock,
): Promise<void> {
  const { id: courseId, title } = course
  const { enrolledDaysAgo, completedDaysAgo } = demoCourse
  await transaction.insert(tables.enrollments).values({
    uid,
    courseId,
    enrolledAt: at(enrolledDaysAgo),
    lastAccessedAt: at(demoCourse.lastAccessedDaysAgo, 40),
    completedAt: completedDaysAgo ? at(completedDaysAgo, 25) : null,
  })

  await addActivity(
    transaction,
    'course',
    `enrollment:${courseId}`,
    enrolledActivity(title),
    at(enrolledDaysAgo),
  )

  await storeLessons(transaction, demoCourse, course, at)
  if (completedDaysAgo) {
    await addActivity(
      transaction,
      'course',
      `completed:${courseId}`,
      courseCompleted(title),
      at(completedDaysAgo, 25),
    )
  }

  await storeExams(transaction, demoCourse, course, at)
  await recordMissedExamQuestions(transaction, { uid, courseId })
  // Finds the earliest attempt that passed. More days ago means earlier.
  const passed = demoCourse.exams
    .toSorted((a, b) => b.daysAgo - a.daysAgo)
    .find(({ score }) => isPassed({ score, maxScore: course.exam.draw }, course.exam.passPercent))
  if (demoCourse.certificateDaysAgo) {
    const issuedAt = at(demoCourse.certificateDaysAgo, 31)
    const certifiedLessons = await summarizeCertifiedLessons(transaction, uid, courseId)
    const exam = { examScore: passed?.score ?? 0, examMaxScore: course.exam.draw }
    const id = await createRegisterEntry(transaction, {
      courseId,
      courseTitle: title,
      ...certifiedLessons,
      ...exam,
      issuedAt,
    })

    await transaction.insert(tables.certificates).values({
      uid,
      courseId,
      id,
      issuedAt,
      learnerName: sql`(select name from users where id = ${uid})`,
    })

    await addActivity(
      transaction,
      'certificate',
      `certificate:${courseId}`,
      certificateActivities.earned(title),
      issuedAt,
    )
  }
}

async function storeLessons(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  at: Clock,
): Promise<void> {
  for (const lesson of course.curriculum.flatMap((section) => section.lessons)) {
    const daysAgo = demoCourse.lessons[lesson.id]
    if (!daysAgo) {
      continue
    }

    const earnedAt = at(daysAgo, 20)
    const { activity, getFinishedProgress } = lessonRules[lesson.kind]
    const questions = getLessonFormat(lesson).listQuestions(lesson)
    const questionIds = questions.map(({ question }) => questionId(question))
    // The time of the mark is `earnedAt`, which only the database can compute.
    const progress = getFinishedProgress({ ...lesson, questionIds }, 0)
    await transaction.insert(tables.lessonProgress).values({
      uid,
      courseId: course.id,
      lessonId: lesson.id,
      watchedMs: toMultirange(progress.watched),
      answered: [...progress.answered],
      readToEnd: progress.readToEnd,
      earnedAt,
      ...(progress.mark && { mark: progress.mark.value, markedAt: earnedAt }),
    })
    await addActivity(
      transaction,
      activity.type,
      `lesson:${course.id}:${lesson.id}`,
      lessonActivity(activity.verb, lesson.title, course.title),
      earnedAt,
    )
  }
}

async function storeExams(
  transaction: Transaction,
  demoCourse: DemoCourse,
  course: CourseContent,
  at: Clock,
): Promise<void> {
  const { draw, title, passPercent, timeLimitMinutes, questions } = course.exam
  for (const { daysAgo, score } of demoCourse.exams) {
    const result = { score, maxScore: draw }
    const id = randomId()
    const submittedAt = at(daysAgo, 30)
    const paper = drawQuestions(questions, draw, randomInt)
    await transaction.insert(tables.examAttempts).values({
      uid,
      id,
      courseId: course.id,
      title,
      paper: paper.map(({ question, order }) => ({ question, order: [...order] })),
      passPercent,
      startedAt: at(daysAgo, 18),
      deadlineAt: at(daysAgo, 18 + timeLimitMinutes),
      submittedAt,
      ...result,
    })
    const answers = shuffle(paper, randomInt).slice(0, score)
    for (const drawn of answers) {
      const answer = sql`${JSON.stringify(getCorrectAnswer(drawn))}::text::jsonb`
      await transaction.insert(tables.examAnswers).values({
        uid,
        attemptId: id,
        questionId: drawn.question.id,
        answer,
        revision: 1,
        answeredAt: at(daysAgo, 25),
      })
    }

    const text = formatExamActivity(
      isPassed(result, passPercent),
      course.title,
      getScorePercent(result),
    )
    await addActivity(transaction, 'quiz', `exam:${id}`, text, submittedAt)
  }
}

/** Stores one interval per evening. The last number of `minutes` belongs to yesterday. */
async function storeStudyDays(
  transaction: Transaction,
  { minutes }: DemoLearner['study'],
  today: SQL,
  at: Clock,
): Promise<void> {
  const days = minutes.flat()
  const studied = days.flatMap((length, index) => {
    const daysAgo = days.length - index
    const interval = sql`tstzmultirange(tstzrange(${at(daysAgo)}, ${at(daysAgo, length)}))`
    return length > 0 ? [{ uid, day: sql`${today} - ${daysAgo}::int`, studied: interval }] : []
  })

  await transaction.insert(tables.studyDays).values(studied)
}
