import type { AchievementDefinition, AchievementFacts } from '~/features/achievements/achievements'
import type { Grade } from '~/features/exams/grade'
import type { PracticeToday } from '~/features/learning/practice/practice-data'
import type { Activity } from '~/features/learning/progress/activity-queries.server'
import type { StudyDay } from '~/features/learning/progress/study-time'
import type { StudyPlan } from './study-plan/weekly-goal'

type NextLesson = {
  id: string
  title: string
  /** Where the learner stopped in it; 0 when it begins anew. */
  positionMs: number
}

/** Date-times are ISO strings in UTC. */
export type EnrolledCourse = {
  id: string
  name: string
  instructor: string
  /** Whole percent, by `course-progress.ts`. */
  progress: number
  totalLessons: number
  completedLessons: number
  /** Of the completed ones: those that a certificate would count today. */
  certifiedLessons: number
  enrolledAt: string
  /**
   * False until the first work in one of its lessons; until then `lastAccessed` is about when it
   * was enrolled in.
   */
  opened: boolean
  lastAccessed: string
  completedAt: string | null
  /** Of the certificate that is valid; null without one. */
  certificateId: string | null
  /** Every lesson is done, and only the exam is between the learner and the certificate. */
  examDue: boolean
  /** Where to go on; null for a course without material. */
  next: NextLesson | null
  /** False once the operator took the course away: its page is gone, the work is not. */
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
  lesson: string
  course: string
}

/** The account's facts about its learner. */
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
  /** IANA name: the chosen one, else the browser's, else UTC. */
  displayTimezone: string
}

/**
 * The profile record of the specification, section 3, and what the dashboard draws beside it;
 * derived from facts.
 */
export type LearnerRecord = LearnerProfile & {
  /**
   * Not for the first time: signed in again, came back on another day, or did something on an
   * earlier day.
   */
  isReturning: boolean
  totalCourses: number
  /** Enrolled in and not finished. */
  openCourses: number
  completedCourses: number
  certificatesEarned: number
  studyHours: number
  /** Last opened first; all, or only those that a page shows because something is left to do. */
  enrolledCourses: EnrolledCourse[]
  /** Only what is earned, oldest first. */
  achievements: EarnedAchievement[]
  /** Newest first, at most `examScoresListed`. */
  examScores: ExamResult[]
  /** Of all exams ever taken; whole percent, null before the first. */
  examFigures: { taken: number; best: number | null; average: number | null }
  /** Newest first, at most `recentActivityLimit`. */
  recentActivities: Activity[]
  /** Newest first. */
  wishList: WishedCourse[]
  /** Newest first. */
  bookmarks: BookmarkedLesson[]
  /** Every day of the last `studyDaysShown`, oldest first. */
  studyDays: StudyDay[]
  currentStreakDays: number
  achievementFacts: AchievementFacts
  /** The learner's day, like 2026-11-20. */
  today: string
  /** Of the day; null on pages that do not show it. */
  practice: PracticeToday | null
  /** Null until one is set, and on pages that do not show it. */
  studyPlan: StudyPlan | null
}

export const recentActivityLimit = 20
/** On the overview. */
export const openCoursesShown = 3
export const examScoresListed = 50
export const studyDaysShown = 28
