/**
 * The types of the learner's record, which all pages of the profile display. It extends the profile
 * record of section 3 of the specification. Date-times are ISO strings in UTC.
 */
import type {
  AchievementDefinition,
  AchievementStatistics,
} from '~/features/achievements/achievements'
import type { Grade } from '~/features/exams/grade'
import type { PracticeToday } from '~/features/learning/practice/practice-data'
import type { Activity } from '~/features/learning/progress/activity-queries.server'
import type { StudyDay } from '~/features/learning/progress/study-time'
import type { StudyPlan } from './study-plan/weekly-goal'

/** The lesson to continue with. */
export type NextLesson = {
  id: string
  title: string
  /** The position at which the learner stopped, or 0 to start from the beginning. */
  positionMs: number
}

export type EnrolledCourse = {
  id: string
  name: string
  instructor: string
  /** The progress in percent, a whole number. Longer lessons count more. */
  progress: number
  totalLessons: number
  completedLessons: number
  /** How many of the completed lessons a certificate would count today. */
  certifiedLessons: number
  enrolledAt: string
  /**
   * When the learner last opened the course. Null if they never have, whatever they did before
   * leaving it.
   */
  lastAccessed: string | null
  completedAt: string | null
  /** The ID of the learner's certificate, or null without a valid one. */
  certificateId: string | null
  /**
   * Whether the learner has done all lessons and only needs to pass the exam for the certificate.
   */
  examDue: boolean
  /** The value is null if the lessons of the course have no material yet. */
  next: NextLesson | null
  /** False if the course was withdrawn. The learner's progress is kept. */
  published: boolean
}

export type ExamResult = {
  id: string
  courseId: string
  name: string
  score: number
  maxScore: number
  date: string
  grade: Grade
}

type EarnedAchievement = Pick<AchievementDefinition, 'id' | 'icon' | 'name' | 'description'> & {
  earnedAt: string
}

export type WishedCourse = { id: string; name: string; instructor: string }

export type BookmarkedLesson = {
  courseId: string
  lessonId: string
  /** The title of the lesson. */
  lesson: string
  /** The title of the course. */
  course: string
}

/** The account data of the learner. */
export type LearnerProfile = {
  uid: string
  firstName: string
  lastName: string
  email: string
  displayName: string
  photoURL: string | null
  provider: string
  createdAt: string
  lastLoginAt: string
  phone: string | null
  location: string | null
  /** The IANA name of the chosen time zone, the browser's, or UTC. */
  displayTimezone: string
}

/** The specification's record with everything else that the profile displays. */
export type LearnerRecord = LearnerProfile & {
  /** Whether the learner has signed in again, or has been active on an earlier day. */
  isReturning: boolean
  totalCourses: number
  /** The number of courses that the learner has not completed. */
  openCourses: number
  completedCourses: number
  certificatesEarned: number
  studyHours: number
  /** Last opened first. A page may load only some of the courses that are not completed. */
  enrolledCourses: EnrolledCourse[]
  /** The earned achievements, oldest first. */
  achievements: EarnedAchievement[]
  /** Newest first, at most `maxExamScores`. */
  examScores: ExamResult[]
  /**
   * The figures of all exam attempts. `best` and `average` are whole percentages, null without an
   * attempt.
   */
  examFigures: { taken: number; best: number | null; average: number | null }
  /** Newest first, at most `maxRecentActivities`. */
  recentActivities: Activity[]
  /** Newest first. */
  wishList: WishedCourse[]
  /** Newest first. */
  bookmarks: BookmarkedLesson[]
  /** The latest `studyDayCount` days, oldest first. */
  studyDays: StudyDay[]
  currentStreakDays: number
  achievementStatistics: AchievementStatistics
  /** The current day in the learner's time zone, such as 2026-11-20. */
  today: string
  /** Today's practice. Null on pages that do not show it. */
  practice: PracticeToday | null
  /** Null if the learner has no goal, and on pages that do not show it. */
  studyPlan: StudyPlan | null
}

export const maxRecentActivities = 20
export const maxExamScores = 50

/** The number of days in `studyDays`. */
export const studyDayCount = 28

/** The maximum number of courses on the overview. */
export const maxOverviewCourses = 3
