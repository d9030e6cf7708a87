import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/iso-text.server'
import { executePrepared } from '~/server/database/prepared.server'
import { users } from '~/server/database/schema'
import { type AchievementFacts, achievementDefinitions } from '../achievement/achievements'
import { type Activity, activityIcons } from '../course-work/activity'
import { courseProgressPercent } from '../course-work/course-progress'
import { currentStreak, fillDays, localDay, type StudyDay, studyHours } from '../course-work/study-time'
import { gradeOf } from '../exam/grade'
import { lessonToContinue } from '../lesson/lesson-queries.server'
import {
  type ExamResult,
  examScoresListed,
  type LearnerRecord,
  type NextLesson,
  recentActivityLimit,
  studyDaysShown,
} from './learner-record'

/** What the one query gives: date-times as ISO strings, because they come out of JSON. */
type Row = {
  profile: Pick<
    LearnerRecord,
    | 'uid'
    | 'firstName'
    | 'lastName'
    | 'email'
    | 'displayName'
    | 'photoURL'
    | 'provider'
    | 'createdAt'
    | 'lastLoginAt'
    | 'phone'
    | 'location'
    | 'displayTimezone'
  >
  courses: CourseRow[]
  exams: Omit<ExamResult, 'grade'>[]
  examFigures: LearnerRecord['examFigures']
  granted: { id: string; at: string }[]
  activities: Omit<Activity, 'icon'>[]
  wishList: LearnerRecord['wishList']
  bookmarks: LearnerRecord['bookmarks']
  certificates: number
  study: {
    seconds: number
    recent: Omit<StudyDay, 'learned'>[]
    lastDay: string | null
    streak: number
    longest: number
  }
}

type CourseRow = {
  id: string
  name: string
  instructor: string
  category: string
  published: boolean
  enrolledAt: string
  lastAccessed: string
  completedAt: string | null
  next: NextLesson | null
  totalLessons: number
  completedLessons: number
  totalSeconds: number
  doneSeconds: number
  /** Lessons that left the curriculum included. */
  everDone: number
}

/**
 * The whole profile record of one learner, derived from facts in one round trip.
 *
 * @returns null for an unknown uid.
 */
export async function findLearnerRecord(
  db: Database,
  uid: string,
  now: Date = new Date(),
): Promise<LearnerRecord | null> {
  const query = sql`
    select
      json_build_object(
        'uid', ${users.id}, 'firstName', first_name, 'lastName', last_name, 'email', email, 'displayName', name,
        'photoURL', image, 'provider', provider, 'createdAt', ${isoText(sql`created_at`)},
        'lastLoginAt', ${isoText(sql`last_login_at`)}, 'phone', phone, 'location', location, 'displayTimezone', display_timezone
      ) as profile,
      (${courseRows(uid)}) as courses,
      (${examRows(uid)}) as exams,
      (${examFigures(uid)}) as "examFigures",
      (select coalesce(json_agg(json_build_object('id', achievement_id, 'at', ${isoText(sql`granted_at`)})
          order by granted_at), '[]') from achievements where uid = ${uid}) as granted,
      (${activityRows(uid)}) as activities,
      (${wishRows(uid)}) as "wishList",
      (${bookmarkRows(uid)}) as bookmarks,
      (select count(*)::int from certificates join certificate_register r using (id)
        where uid = ${uid} and r.revoked_at is null) as certificates,
      (${studyFacts(uid, now)}) as study
    from ${users} where ${users.id} = ${uid}
  `
  const [row] = await executePrepared<Row>(db, query)
  return row ? recordOf(row, now) : null
}

/** @throws if nobody has this uid. */
export async function getLearnerRecord(db: Database, uid: string, now: Date = new Date()): Promise<LearnerRecord> {
  const record = await findLearnerRecord(db, uid, now)
  if (!record) throw new Error('No learner has this uid.')
  return record
}

/** Lessons without material, and those that left the curriculum, do not count towards a course. */
function courseRows(uid: string) {
  return sql`
    select coalesce(json_agg(c order by c."lastAccessed" desc, c.name), '[]') from (
      select c.id, c.title as name, c.instructor_name as instructor, c.category, c.published,
        ${isoText(sql`e.enrolled_at`)} as "enrolledAt", ${isoText(sql`e.last_accessed_at`)} as "lastAccessed",
        ${isoText(sql`e.completed_at`)} as "completedAt", (${lessonToContinue}) as next, l.*
      from enrollments e
      join courses c on c.id = e.course_id
      cross join lateral (
        select count(*) filter (where counts)::int as "totalLessons",
          count(*) filter (where counts and p.done)::int as "completedLessons",
          coalesce(sum(duration_seconds) filter (where counts), 0)::int as "totalSeconds",
          coalesce(sum(duration_seconds) filter (where counts and p.done), 0)::int as "doneSeconds",
          count(*) filter (where p.done)::int as "everDone"
        from (select *, kind <> 'announced' and not retired as counts from course_lessons where course_id = e.course_id) l
        left join lesson_progress p on p.uid = ${uid} and p.course_id = l.course_id and p.lesson_id = l.id
      ) l
      where e.uid = ${uid}
    ) c`
}

/** Only attempts that were handed in. */
function examRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'courseId', course_id, 'name', title, 'score', score, 'maxScore', max_score,
      'date', ${isoText(sql`submitted_at`)}) order by submitted_at desc, id), '[]')
    from (select * from exam_attempts where uid = ${uid} and submitted_at is not null
      order by submitted_at desc, id limit ${examScoresListed}) a`
}

/** Of all attempts, whole percent rounded down. */
function examFigures(uid: string) {
  return sql`
    select json_build_object('taken', count(*)::int, 'best', max(score * 100 / max_score),
      'average', floor(avg(score * 100 / max_score))::int)
    from exam_attempts where uid = ${uid} and submitted_at is not null`
}

function activityRows(uid: string) {
  return sql`
    select coalesce(json_agg(json_build_object('id', id, 'type', type, 'text', text, 'time', ${isoText(sql`at`)})
      order by at desc, id desc), '[]')
    from (select * from activities where uid = ${uid} order by at desc, id desc limit ${recentActivityLimit}) a`
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
    join courses c on c.id = b.course_id
    join course_lessons l on l.course_id = b.course_id and l.id = b.lesson_id
    where b.uid = ${uid}`
}

/** A streak is an island of days: the day minus its number is the same for all days in a row. */
function studyFacts(uid: string, now: Date) {
  const oldestShown = sql`(${now.toISOString()}::timestamptz at time zone 'UTC')::date - ${studyDaysShown + 1}::int`
  return sql`
    with days as (
      select day, (select sum(extract(epoch from upper(part) - lower(part))) from unnest(studied) part) as seconds
      from study_days where uid = ${uid} and not isempty(studied)
    ), islands as (
      select max(day) as last_day, count(*)::int as days
      from (select day, day - row_number() over (order by day)::int as island from days) d group by island
    )
    select json_build_object(
      'seconds', (select coalesce(floor(sum(seconds)), 0) from days),
      'recent', (select coalesce(json_agg(json_build_object('day', day, 'minutes', floor(seconds / 60))), '[]')
        from days where day >= ${oldestShown}),
      'lastDay', (select max(last_day) from islands),
      'streak', coalesce((select days from islands order by last_day desc limit 1), 0),
      'longest', coalesce((select max(days) from islands), 0)
    )`
}

function recordOf(
  { profile, courses, exams, examFigures, granted, activities, wishList, bookmarks, certificates, study }: Row,
  now: Date,
): LearnerRecord {
  const today = localDay(now, profile.displayTimezone)
  const examScores = exams.map((exam) => ({ ...exam, grade: gradeOf(exam) }))
  return {
    ...profile,
    totalCourses: courses.length,
    completedCourses: courses.filter((course) => course.completedAt).length,
    certificatesEarned: certificates,
    studyHours: studyHours(study.seconds),
    enrolledCourses: courses.map(({ id, name, instructor, totalLessons, completedLessons, ...course }) => ({
      id,
      name,
      instructor,
      progress: courseProgressPercent(course),
      totalLessons,
      completedLessons,
      lastAccessed: course.lastAccessed,
      completedAt: course.completedAt,
      next: course.next,
      published: course.published,
    })),
    achievements: granted.flatMap(({ id, at }) => {
      const known = achievementDefinitions.find((definition) => definition.id === id)
      return known ? [{ id, icon: known.icon, name: known.name, description: known.description, earnedAt: at }] : []
    }),
    examScores,
    examFigures,
    recentActivities: activities.map((activity) => ({ ...activity, icon: activityIcons[activity.type] })),
    wishList,
    bookmarks,
    studyDays: fillDays(study.recent, today, studyDaysShown),
    currentStreakDays: currentStreak(study.lastDay ? { lastDay: study.lastDay, days: study.streak } : null, today),
    achievementFacts: achievementFactsOf(courses, examFigures.best, certificates, study.longest),
  }
}

function achievementFactsOf(
  courses: readonly CourseRow[],
  bestExamPercent: number | null,
  certificates: number,
  longestStreakDays: number,
): AchievementFacts {
  const completed = courses.filter((course) => course.completedAt)
  const quickest = completed.map(({ enrolledAt, completedAt }) => wholeDays(enrolledAt, completedAt ?? enrolledAt))
  return {
    certificates,
    lessonsDone: courses.reduce((sum, course) => sum + course.everDone, 0),
    bestExamPercent,
    longestStreakDays,
    technologyCoursesCompleted: completed.filter((course) => course.category === 'technology').length,
    quickestCourseDays: quickest.length > 0 ? Math.min(...quickest) : null,
  }
}

/** Begun days count: finished within the first 24 hours is 1. */
function wholeDays(from: string, to: string): number {
  return Math.max(1, Math.ceil((Date.parse(to) - Date.parse(from)) / 86_400_000))
}
