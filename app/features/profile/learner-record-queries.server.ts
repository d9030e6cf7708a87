/**
 * Loads the learner's record, which all pages of the profile display.
 *
 * One SQL statement reads the whole record, because a page would otherwise wait for ten round trips
 * to the database. Each list of the record is one column with JSON.
 */
import { type SQL, sql } from 'drizzle-orm'
import {
  achievementDefinitions,
  getAchievementStatistics,
} from '~/features/achievements/achievements'
import { courseProgressPercent } from '~/features/enrollment/course-progress'
import { getLastOpenedAt } from '~/features/enrollment/enrollment-queries.server'
import { getGrade } from '~/features/exams/grade'
import { lessonToContinueQuery } from '~/features/learning/lessons/lesson-queries.server'
import { getPracticeToday, type PracticeCounts } from '~/features/learning/practice/practice-data'
import { selectPracticeCounts } from '~/features/learning/practice/practice-queries.server'
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
import { getCurrentStreakDays } from '~/features/learning/progress/streak'
import {
  fillDays,
  localDay,
  type StudyDay,
  studyHours,
} from '~/features/learning/progress/study-time'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { reportError } from '~/server/operations/log.server'
import {
  type EnrolledCourse,
  type ExamResult,
  type LearnerProfile,
  type LearnerRecord,
  maxExamScores,
  maxRecentActivities,
  studyDayCount,
} from './learner-record'
import { selectStudyPlan } from './study-plan/study-plan-queries.server'
import type { StudyPlan } from './study-plan/weekly-goal'

/** The row of the query. Its values come from JSON, so date-times are ISO strings. */
type RecordRow = {
  profile: LearnerProfile
  /**
   * When the learner's first sign-in method was added. For an imported account, this is later than
   * `createdAt`, because the learner had to choose a password first.
   */
  firstSignIn: string
  courseCounts: { total: number; open: number }
  courses: CourseRow[]
  exams: Omit<ExamResult, 'grade'>[]
  grantedAchievements: { id: string; at: string }[]
  activities: Omit<Activity, 'icon'>[]
  wishList: LearnerRecord['wishList']
  bookmarks: LearnerRecord['bookmarks']
  statistics: LearnerStatistics
  recentStudyDays: Omit<StudyDay, 'hasStudied'>[]
  practiceCounts: PracticeCounts | null
  studyPlan: StudyPlan | null
}

type CourseRow = Omit<EnrolledCourse, 'progress' | 'certifiedLessons'> & {
  totalSeconds: number
  doneSeconds: number
  markedLessons: MarkedLesson[]
}

/** The parts of the record that a page needs. */
type RecordParts = {
  /**
   * The maximum number of courses. If it is given, completed courses are left out unless their exam
   * is due. Each course is expensive, because its progress is computed from all its lessons.
   */
  openCourseLimit?: number
  /**
   * Whether to load the activities, the wish list and the bookmarks. By default, they are loaded.
   */
  shouldLoadLists?: boolean
  /**
   * The day whose practice is loaded, together with the study plan. By default, neither is loaded.
   */
  practiceDay?: string
}

/** Pages that show no courses, activities, wishes or bookmarks use this. */
export const withoutCoursesAndLists: RecordParts = { openCourseLimit: 0, shouldLoadLists: false }

/**
 * Loads the record for a page. Reports an error and returns null, so that the page can still be
 * shown.
 */
export function tryGetLearnerRecord(
  db: Database,
  uid: string,
  parts?: RecordParts,
): Promise<LearnerRecord | null> {
  return getLearnerRecord(db, uid, new Date(), parts).catch((error) => {
    reportError(error)
    return null
  })
}

/**
 * Loads the record of a learner.
 *
 * @throws if there is no account with this ID
 */
export async function getLearnerRecord(
  db: Database,
  uid: string,
  now: Date = new Date(),
  parts: RecordParts = {},
): Promise<LearnerRecord> {
  const row = await findRecordRow(db, uid, now, parts)
  if (!row) {
    throw new Error('No learner has this uid.')
  }

  return toLearnerRecord(row, now)
}

function toLearnerRecord(row: RecordRow, now: Date): LearnerRecord {
  const { profile, courseCounts, statistics, wishList, bookmarks, studyPlan } = row
  const today = localDay(now, profile.displayTimezone)

  return {
    ...profile,
    isReturning: isReturning(row, today),
    totalCourses: courseCounts.total,
    openCourses: courseCounts.open,
    completedCourses: statistics.completedCourses.length,
    certificatesEarned: statistics.certificates,
    studyHours: studyHours(statistics.studySeconds),
    enrolledCourses: row.courses.map(toEnrolledCourse),
    achievements: toEarnedAchievements(row.grantedAchievements),
    examScores: row.exams.map((exam) => ({ ...exam, grade: getGrade(exam) })),
    examFigures: statistics.exams,
    recentActivities: row.activities.map((activity) => ({
      ...activity,
      icon: activityIcons[activity.type],
    })),
    wishList,
    bookmarks,
    studyDays: fillDays(row.recentStudyDays, today, studyDayCount),
    currentStreakDays: getCurrentStreakDays(statistics.studyDays, today),
    achievementStatistics: getAchievementStatistics(statistics),
    today,
    practice: row.practiceCounts && getPracticeToday(row.practiceCounts, today),
    studyPlan,
  }
}

/** A sign-in within this time after the first one belongs to the same visit. */
const firstVisitMs = 10 * 60_000

/** Returns whether the learner has signed in again, or has been active on an earlier day. */
function isReturning({ profile, firstSignIn, activities }: RecordRow, today: string): boolean {
  const msBetweenSignIns = Date.parse(profile.lastLoginAt) - Date.parse(firstSignIn)
  if (msBetweenSignIns > firstVisitMs) {
    return true
  }

  const isOnEarlierDay = (time: string) => localDay(new Date(time), profile.displayTimezone) < today
  return isOnEarlierDay(firstSignIn) || activities.some(({ time }) => isOnEarlierDay(time))
}

function toEnrolledCourse({
  totalSeconds,
  doneSeconds,
  markedLessons,
  ...course
}: CourseRow): EnrolledCourse {
  return {
    ...course,
    certifiedLessons: course.completedLessons - filterUncountedLessons(markedLessons).length,
    progress: courseProgressPercent({ totalSeconds, doneSeconds }),
  }
}

/** Adds the definitions of the achievements, and skips achievements that no longer exist. */
function toEarnedAchievements(
  grantedAchievements: RecordRow['grantedAchievements'],
): LearnerRecord['achievements'] {
  return grantedAchievements.flatMap(({ id, at }) => {
    const definition = achievementDefinitions.find((achievement) => achievement.id === id)
    if (!definition) {
      return []
    }

    const { icon, name, description } = definition
    return [{ id, icon, name, description, earnedAt: at }]
  })
}

async function findRecordRow(
  db: Database,
  uid: string,
  now: Date,
  { openCourseLimit, shouldLoadLists = true, practiceDay }: RecordParts,
): Promise<RecordRow | undefined> {
  const emptyList = sql`select '[]'::json`

  const { rows } = await db.execute<RecordRow>(sql`
    select
      json_build_object(
        'uid', u.id,
        'firstName', u.first_name,
        'lastName', u.last_name,
        'email', u.email,
        'displayName', u.name,
        'photoURL', u.image,
        'provider', u.provider,
        'createdAt', ${isoText(sql`u.created_at`)},
        'lastLoginAt', ${isoText(sql`u.last_login_at`)},
        'phone', u.phone,
        'location', u.location,
        'displayTimezone', u.display_timezone
      ) as profile,
      coalesce(
        (select ${isoText(sql`min(i.created_at)`)} from identities i where i.user_id = ${uid}),
        ${isoText(sql`u.created_at`)}
      ) as "firstSignIn",
      (
        select json_build_object(
          'total', count(*),
          'open', count(*) filter (where completed_at is null)
        )
        from enrollments
        where uid = ${uid}
      ) as "courseCounts",
      (${selectCourses(uid, openCourseLimit)}) as courses,
      (${selectExamResults(uid)}) as exams,
      (
        select coalesce(
          json_agg(
            json_build_object('id', achievement_id, 'at', ${isoText(sql`granted_at`)})
            order by granted_at
          ),
          '[]'
        )
        from achievements
        where uid = ${uid}
      ) as "grantedAchievements",
      (${shouldLoadLists ? selectActivities(uid) : emptyList}) as activities,
      (${shouldLoadLists ? selectWishList(uid) : emptyList}) as "wishList",
      (${shouldLoadLists ? selectBookmarks(uid) : emptyList}) as bookmarks,
      (${selectLearnerStatistics(uid)}) as statistics,
      (${selectRecentStudyDays(uid, now)}) as "recentStudyDays",
      ${practiceDay ? sql`(${selectPracticeCounts(uid, practiceDay)})` : sql`null`} as "practiceCounts",
      ${practiceDay ? sql`(${selectStudyPlan(uid)})` : sql`null`} as "studyPlan"
    from users u
    where u.id = ${uid}`)

  return rows[0]
}

const isExamDue = sql`(
  c.published
  and e.completed_at is not null
  and e.certificate_waits_since is null
  and exists (select from exams x where x.course_id = e.course_id)
  and not exists (
    select from certificates k
    where k.uid = e.uid and k.course_id = e.course_id
  )
)`

/**
 * Selects the learner's courses, last opened first. The limit is part of the statement's text,
 * because PostgreSQL would plan the statement for each learner if the limit were a parameter.
 */
function selectCourses(uid: string, openCourseLimit: number | undefined): SQL {
  const hasLimit = openCourseLimit !== undefined
  const openCondition = hasLimit ? sql`and (e.completed_at is null or ${isExamDue})` : sql``
  const limit = hasLimit ? sql`limit ${sql.raw(String(openCourseLimit))}` : sql``

  return sql`
    select coalesce(
      json_agg(
        course
        order by coalesce(course."lastAccessed", course."enrolledAt") desc, course.name
      ),
      '[]'
    )
    from (
      select
        c.id,
        c.title as name,
        c.instructor_name as instructor,
        c.published,
        ${isoText(sql`e.enrolled_at`)} as "enrolledAt",
        ${isoText(getLastOpenedAt(sql`e`))} as "lastAccessed",
        ${isoText(sql`e.completed_at`)} as "completedAt",
        (
          select r.id
          from certificates k
          join certificate_register r using (id)
          where k.uid = e.uid and k.course_id = e.course_id and r.revoked_at is null
        ) as "certificateId",
        ${isExamDue} as "examDue",
        (${selectMarkedLessons(sql`e`)}) as "markedLessons",
        (${lessonToContinueQuery}) as next,
        p.total_lessons as "totalLessons",
        p.done_lessons as "completedLessons",
        p.total_seconds as "totalSeconds",
        p.done_seconds as "doneSeconds"
      from (
        select e.*
        from enrollments e
        join courses c on c.id = e.course_id
        where e.uid = ${uid} ${openCondition}
        order by e.last_accessed_at desc, c.title
        ${limit}
      ) e
      join courses c on c.id = e.course_id
      join course_progress p on p.uid = e.uid and p.course_id = e.course_id
    ) course`
}

/** Selects submitted attempts, newest first. */
function selectExamResults(uid: string): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object(
          'id', id,
          'courseId', course_id,
          'name', title,
          'score', score,
          'maxScore', max_score,
          'date', ${isoText(sql`submitted_at`)}
        )
        order by submitted_at desc, id
      ),
      '[]'
    )
    from (
      select *
      from exam_attempts
      where uid = ${uid} and submitted_at is not null
      order by submitted_at desc, id
      limit ${sql.raw(String(maxExamScores))}
    ) a`
}

function selectActivities(uid: string): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object('id', id, 'type', type, 'text', text, 'time', ${isoText(sql`at`)})
        order by at desc, id desc
      ),
      '[]'
    )
    from (
      select *
      from activities
      where uid = ${uid}
      order by at desc, id desc
      limit ${sql.raw(String(maxRecentActivities))}
    ) a`
}

/**
 * Selects the wish list, newest first, without courses that are enrolled in or no longer offered.
 */
function selectWishList(uid: string): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object('id', c.id, 'name', c.title, 'instructor', c.instructor_name)
        order by w.created_at desc, c.id
      ),
      '[]'
    )
    from wishes w
    join courses c on c.id = w.course_id
    where w.uid = ${uid}
      and c.published
      and not exists (
        select from enrollments e
        where e.uid = w.uid and e.course_id = w.course_id
      )`
}

function selectBookmarks(uid: string): SQL {
  return sql`
    select coalesce(
      json_agg(
        json_build_object(
          'courseId', c.id,
          'lessonId', l.id,
          'lesson', l.title,
          'course', c.title
        )
        order by b.created_at desc, c.id, l.id
      ),
      '[]'
    )
    from bookmarks b
    join enrollments e on e.uid = b.uid and e.course_id = b.course_id
    join courses c on c.id = b.course_id
    join course_lessons l on l.course_id = b.course_id and l.id = b.lesson_id
    where b.uid = ${uid}`
}

/**
 * Selects the study time of the latest days. It selects more days than are displayed, because the
 * learner's current day may differ from UTC's.
 */
function selectRecentStudyDays(uid: string, now: Date): SQL {
  const today = sql`(${now.toISOString()}::timestamptz at time zone 'UTC')::date`
  const minutes = sql`
    select floor(sum(extract(epoch from upper(part) - lower(part))) / 60)
    from unnest(studied) part`

  return sql`
    select coalesce(json_agg(json_build_object('day', day, 'minutes', (${minutes}))), '[]')
    from (
      select *
      from study_days
      where uid = ${uid}
      order by day desc
      limit ${sql.raw(String(studyDayCount + 2))}
    ) d
    where day >= ${today} - ${studyDayCount + 1}::int`
}
