import { sql } from 'drizzle-orm'
import { achievementDefinitions, achievementFactsOf } from '~/features/achievements/achievements'
import { gradeOf } from '~/features/exams/grade'
import { type PracticeCounts, practiceToday } from '~/features/practice/practice-data'
import { practiceCounts } from '~/features/practice/practice-queries.server'
import { type Activity, activityIcons } from '~/features/progress/activity'
import { courseProgressPercent } from '~/features/progress/course-progress'
import { type LearnerFacts, learnerFacts } from '~/features/progress/learner-facts.server'
import { currentStreakDays } from '~/features/progress/streak'
import { fillDays, localDay, type StudyDay, studyHours } from '~/features/progress/study-time'
import { studyPlanRow } from '~/features/study-plan/study-plan-queries.server'
import type { StudyPlan } from '~/features/study-plan/weekly-goal'
import type { Database } from '~/server/database/client.server'
import { isoText } from '~/server/database/database-time.server'
import { users } from '~/server/database/schema'
import { reportError } from '~/server/operations/log.server'
import {
  type EnrolledCourse,
  type ExamResult,
  type LearnerProfile,
  type LearnerRecord,
  studyDaysShown,
} from './learner-record'
import {
  activityRows,
  bookmarkRows,
  courseRows,
  examRows,
  recentStudyRows,
  wishRows,
} from './learner-record-parts.server'

/** What the one query gives: date-times as ISO strings, because they come out of JSON. */
type Row = {
  profile: LearnerProfile
  counts: { courses: number; open: number }
  courses: CourseRow[]
  exams: Omit<ExamResult, 'grade'>[]
  granted: { id: string; at: string }[]
  activities: Omit<Activity, 'icon'>[]
  wishList: LearnerRecord['wishList']
  bookmarks: LearnerRecord['bookmarks']
  facts: LearnerFacts
  recentStudy: Omit<StudyDay, 'learned'>[]
  practice: PracticeCounts | null
  studyPlan: StudyPlan | null
}

type CourseRow = Omit<EnrolledCourse, 'progress'> & { totalSeconds: number; doneSeconds: number }

type Shown = {
  /**
   * At most so many courses, of those in which something is left to do; left out, every course. A page that shows none shows
   * no other list of what the learner chose or did either.
   */
  openCourses?: number
  /** The learner's day, for pages that show its practice and the weekly goal. */
  day?: string
}

/**
 * The profile record of one learner, derived from facts in one round trip.
 *
 * @param shown what a page needs of it: where to go on in a course takes a look at each of its lessons.
 * @throws if nobody has this uid.
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
      (select json_build_object('courses', count(*), 'open', count(*) filter (where completed_at is null))
        from enrollments where uid = ${uid}) as counts,
      (${courseRows(uid, shown)}) as courses,
      (${examRows(uid)}) as exams,
      (select coalesce(json_agg(json_build_object('id', achievement_id, 'at', ${isoText(sql`granted_at`)})
          order by granted_at), '[]') from achievements where uid = ${uid}) as granted,
      (${lists ? activityRows(uid) : none}) as activities,
      (${lists ? wishRows(uid) : none}) as "wishList",
      (${lists ? bookmarkRows(uid) : none}) as bookmarks,
      (${learnerFacts(uid)}) as facts,
      (${recentStudyRows(uid, now)}) as "recentStudy",
      ${shown.day ? sql`(${practiceCounts(uid, shown.day)})` : sql`null`} as practice,
      ${shown.day ? sql`(${studyPlanRow(uid)})` : sql`null`} as "studyPlan"
    from ${users} where ${users.id} = ${uid}
  `
  const {
    rows: [row],
  } = await db.execute<Row>(query)
  if (!row) throw new Error('No learner has this uid.')
  return recordOf(row, now)
}

const none = sql`select '[]'::json`

/** For a page, which shows the rest and says so when the record cannot be read: null then. */
export function readLearnerRecord(db: Database, uid: string, shown?: Shown): Promise<LearnerRecord | null> {
  return getLearnerRecord(db, uid, new Date(), shown).catch((error) => {
    reportError(error)
    return null
  })
}

function recordOf(
  {
    profile,
    counts,
    courses,
    exams,
    granted,
    activities,
    wishList,
    bookmarks,
    facts,
    recentStudy,
    practice,
    studyPlan,
  }: Row,
  now: Date,
): LearnerRecord {
  const today = localDay(now, profile.displayTimezone)
  const examScores = exams.map((exam) => ({ ...exam, grade: gradeOf(exam) }))
  return {
    ...profile,
    totalCourses: counts.courses,
    openCourses: counts.open,
    completedCourses: facts.completedCourses.length,
    certificatesEarned: facts.certificates,
    studyHours: studyHours(facts.studySeconds),
    enrolledCourses: courses.map(({ totalSeconds, doneSeconds, ...course }) => ({
      ...course,
      progress: courseProgressPercent({ totalSeconds, doneSeconds }),
    })),
    achievements: granted.flatMap(({ id, at }) => {
      const known = achievementDefinitions.find((definition) => definition.id === id)
      return known ? [{ id, icon: known.icon, name: known.name, description: known.description, earnedAt: at }] : []
    }),
    examScores,
    examFigures: facts.exams,
    recentActivities: activities.map((activity) => ({ ...activity, icon: activityIcons[activity.type] })),
    wishList,
    bookmarks,
    studyDays: fillDays(recentStudy, today, studyDaysShown),
    currentStreakDays: currentStreakDays(facts.studyDays, today),
    achievementFacts: achievementFactsOf(facts),
    today,
    practice: practice && practiceToday(practice, today),
    studyPlan,
  }
}
