import { sql } from 'drizzle-orm'
import { achievementDefinitions, achievementFactsOf } from '~/features/achievements/achievements'
import { courseProgressPercent } from '~/features/enrollment/course-progress'
import { getGrade } from '~/features/exams/grade'
import { lessonToContinue } from '~/features/learning/lessons/lesson-queries.server'
import { type PracticeCounts, practiceToday } from '~/features/learning/practice/practice-data'
import { practiceCounts } from '~/features/learning/practice/practice-queries.server'
import { type Activity, activityIcons } from '~/features/learning/progress/activity-queries.server'
import {
  filterUncountedLessons,
  type MarkedLesson,
  selectMarkedLessons,
} from '~/features/learning/progress/course-completion.server'
import {
  type LearnerStatistics,
  selectLearnerStatistics,
} from '~/features/learning/progress/learner-statistics.server'
import {
  fillDays,
  getCurrentStreakDays,
  localDay,
  type StudyDay,
  studyHours,
} from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { users } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import {
  type EnrolledCourse,
  type ExamResult,
  examScoresListed,
  type LearnerProfile,
  type LearnerRecord,
  recentActivityLimit,
  studyDaysShown,
} from './learner-record'
import { studyPlanRow } from './study-plan/study-plan-queries.server'
import type { StudyPlan } from './study-plan/weekly-goal'

/** The row of the one query: date-times as ISO strings, because they come out of JSON. */
type Row = {
  profile: LearnerProfile
  /** An imported account exists before its learner comes and chooses a password. */
  firstSignIn: string
  counts: { courses: number; open: number }
  courses: CourseRow[]
  exams: Omit<ExamResult, 'grade'>[]
  granted: { id: string; at: string }[]
  activities: Omit<Activity, 'icon'>[]
  wishList: LearnerRecord['wishList']
  bookmarks: LearnerRecord['bookmarks']
  facts: LearnerStatistics
  recentStudy: Omit<StudyDay, 'learned'>[]
  practice: PracticeCounts | null
  studyPlan: StudyPlan | null
}

type CourseRow = Omit<EnrolledCourse, 'progress' | 'certifiedLessons'> & {
  totalSeconds: number
  doneSeconds: number
  marked: MarkedLesson[]
}

type Shown = {
  /**
   * At most this many courses with open lessons or an open exam; undefined for every course. With
   * 0, the record's other lists of the learner's choices and activities are empty, too.
   */
  openCourses?: number
  /** The learner's day, for pages that show its practice and the weekly goal. */
  day?: string
}

/**
 * The profile record of one learner, derived from facts in one round trip.
 *
 * @param shown what a page needs of it: where to go on in a course takes a look at each of its
 * lessons.
 * @throws if no account has this uid.
 */
export async function getLearnerRecord(
  db: Database,
  uid: string,
  now: Date = new Date(),
  shown: Shown = {},
): Promise<LearnerRecord> {
  const lists = shown.openCourses !== 0
  const query = sql`
    select
      json_build_object(
        'uid', ${users.id}, 'firstName', first_name, 'lastName', last_name, 'email', email, 'displayName', name,
        'photoURL', image, 'provider', provider, 'createdAt', ${isoText(sql`created_at`)},
        'lastLoginAt', ${isoText(sql`last_login_at`)}, 'phone', phone, 'location', location, 'displayTimezone', display_timezone
      ) as profile,
      coalesce((select ${isoText(sql`min(i.created_at)`)} from identities i where i.user_id = ${uid}), ${isoText(sql`created_at`)})
        as "firstSignIn",
      (select json_build_object('courses', count(*), 'open', count(*) filter (where completed_at is null))
        from enrollments where uid = ${uid}) as counts,
      (${courseRows(uid, shown)}) as courses,
      (${examRows(uid)}) as exams,
      (select coalesce(json_agg(json_build_object('id', achievement_id, 'at', ${isoText(sql`granted_at`)})
          order by granted_at), '[]') from achievements where uid = ${uid}) as granted,
      (${lists ? activityRows(uid) : none}) as activities,
      (${lists ? wishRows(uid) : none}) as "wishList",
      (${lists ? bookmarkRows(uid) : none}) as bookmarks,
      (${selectLearnerStatistics(uid)}) as facts,
      (${recentStudyRows(uid, now)}) as "recentStudy",
      ${shown.day ? sql`(${practiceCounts(uid, shown.day)})` : sql`null`} as practice,
      ${shown.day ? sql`(${studyPlanRow(uid)})` : sql`null`} as "studyPlan"
    from ${users} where ${users.id} = ${uid}
  `
  const {
    rows: [row],
  } = await db.execute<Row>(query)
  if (!row) {
    throw new Error('No learner has this uid.')
  }

  return recordOf(row, now)
}

const none = sql`select '[]'::json`

/** For a page, which shows the rest and says so when the record cannot be read: null then. */
export function readLearnerRecord(
  db: Database,
  uid: string,
  shown?: Shown,
): Promise<LearnerRecord | null> {
  return getLearnerRecord(db, uid, new Date(), shown).catch((error) => {
    reportError(error)
    return null
  })
}

/** Signing up and the sign-in that follows belong together. */
const firstVisitMs = 10 * 60_000

function isReturning({ profile, firstSignIn, activities }: Row, today: string): boolean {
  const isEarlier = (time: string) => localDay(new Date(time), profile.displayTimezone) < today
  const signedInAgain = Date.parse(profile.lastLoginAt) - Date.parse(firstSignIn) > firstVisitMs
  return signedInAgain || isEarlier(firstSignIn) || activities.some(({ time }) => isEarlier(time))
}

function recordOf(row: Row, now: Date): LearnerRecord {
  const { profile, counts, facts, wishList, bookmarks, practice, studyPlan } = row
  const today = localDay(now, profile.displayTimezone)

  return {
    ...profile,
    isReturning: isReturning(row, today),
    totalCourses: counts.courses,
    openCourses: counts.open,
    completedCourses: facts.completedCourses.length,
    certificatesEarned: facts.certificates,
    studyHours: studyHours(facts.studySeconds),
    enrolledCourses: row.courses.map(({ totalSeconds, doneSeconds, marked, ...course }) => ({
      ...course,
      certifiedLessons: course.completedLessons - filterUncountedLessons(marked).length,
      progress: courseProgressPercent({ totalSeconds, doneSeconds }),
    })),
    achievements: row.granted.flatMap(({ id, at }) => {
      const known = achievementDefinitions.find((definition) => definition.id === id)
      return known
        ? [{ id, icon: known.icon, name: known.name, description: known.description, earnedAt: at }]
        : []
    }),
    examScores: row.exams.map((exam) => ({ ...exam, grade: getGrade(exam) })),
    examFigures: facts.exams,
    recentActivities: row.activities.map((activity) => ({
      ...activity,
      icon: activityIcons[activity.type],
    })),
    wishList,
    bookmarks,
    studyDays: fillDays(row.recentStudy, today, studyDaysShown),
    currentStreakDays: getCurrentStreakDays(facts.studyDays, today),
    achievementFacts: achievementFactsOf(facts),
    today,
    practice: practice && practiceToday(practice, today),
    studyPlan,
  }
}

/**
 * Each is a subquery with one JSON list of the learner's, for the one query that reads the record.
 */

const examDue = sql`(c.published and e.completed_at is not null and e.certificate_waits_since is null
  and exists (select from exams x where x.course_id = e.course_id)
  and not exists (select from certificates k where k.uid = e.uid and k.course_id = e.course_id))`

/**
 * The limit stands in the statement: with one that it does not know, PostgreSQL would plan it anew
 * for each learner.
 */
function courseRows(uid: string, { openCourses }: { openCourses?: number }) {
  const isListed =
    openCourses === undefined ? sql`` : sql`and (e.completed_at is null or ${examDue})`
  return sql`
    select coalesce(json_agg(c order by c."lastAccessed" desc, c.name), '[]') from (
      select c.id, c.title as name, c.instructor_name as instructor, c.published,
        ${isoText(sql`e.enrolled_at`)} as "enrolledAt", ${isoText(sql`e.last_accessed_at`)} as "lastAccessed",
        exists (select from lesson_progress w where w.uid = e.uid and w.course_id = e.course_id) as opened,
        ${isoText(sql`e.completed_at`)} as "completedAt",
        (select r.id from certificates k join certificate_register r using (id)
          where k.uid = e.uid and k.course_id = e.course_id and r.revoked_at is null) as "certificateId",
        ${examDue} as "examDue",
        (${selectMarkedLessons(sql`e`)}) as marked, (${lessonToContinue}) as next, p.total_lessons as "totalLessons", p.done_lessons as "completedLessons",
        p.total_seconds as "totalSeconds", p.done_seconds as "doneSeconds"
      from (
        select e.* from enrollments e join courses c on c.id = e.course_id
        where e.uid = ${uid} ${isListed}
        order by e.last_accessed_at desc, c.title limit ${sql.raw(String(openCourses ?? null))}
      ) e
      join courses c on c.id = e.course_id
      join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    ) c`
}

/** Only attempts that were handed in. */
function examRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'courseId', course_id, 'name', title, 'score', score, 'maxScore', max_score,
      'date', ${isoText(sql`submitted_at`)}) order by submitted_at desc, id), '[]')
    from (select * from exam_attempts where uid = ${uid} and submitted_at is not null
      order by submitted_at desc, id limit ${sql.raw(String(examScoresListed))}) a`
}

function activityRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'type', type, 'text', text, 'time', ${isoText(sql`at`)})
      order by at desc, id desc), '[]')
    from (select * from activities where uid = ${uid} order by at desc, id desc limit ${sql.raw(String(recentActivityLimit))}) a`
}

/** Newest first, without what is enrolled in by now or no longer offered. */
function wishRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', c.id, 'name', c.title, 'instructor', c.instructor_name)
      order by w.created_at desc, c.id), '[]')
    from wishes w join courses c on c.id = w.course_id
    where w.uid = ${uid} and c.published
      and not exists (select from enrollments e where e.uid = w.uid and e.course_id = w.course_id)`
}

function bookmarkRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('courseId', c.id, 'lessonId', l.id, 'lesson', l.title, 'course', c.title)
      order by b.created_at desc, c.id, l.id), '[]')
    from bookmarks b
    join enrollments e on e.uid = b.uid and e.course_id = b.course_id
    join courses c on c.id = b.course_id
    join course_lessons l on l.course_id = b.course_id and l.id = b.lesson_id
    where b.uid = ${uid}`
}

/** A day more than is shown, because the learner's may be another one than UTC's. */
function recentStudyRows(uid: string, now: Date) {
  const oldest = sql`(${now.toISOString()}::timestamptz at time zone 'UTC')::date - ${studyDaysShown + 1}::int`
  return sql`
    select coalesce(json_agg(json_build_object('day', day, 'minutes',
      (select floor(sum(extract(epoch from upper(part) - lower(part))) / 60) from unnest(studied) part))), '[]')
    from (select * from study_days where uid = ${uid} order by day desc limit ${sql.raw(String(studyDaysShown + 2))}) d
    where day >= ${oldest}`
}
