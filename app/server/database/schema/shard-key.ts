import type { PgTable } from 'drizzle-orm/pg-core'
import type * as schema from '.'

/**
 * Where a table's rows would be stored in a database on many machines.
 *
 * - `learner`: with their learner. `uid` comes first in the primary key and in every unique index.
 * - `reference`: a copy on every machine. The same for everyone; written by content, by search and
 * by an operator.
 * - `course`: a course's rows by many learners. Also a copy on every machine, because public pages
 * count them.
 * - `directory`: finds a learner by a random key or an email address; few writes.
 * - `process`: state of processes and operators, on the first machine.
 */
export type ShardKey = 'learner' | 'reference' | 'course' | 'directory' | 'process'

type TableName = {
  [Name in keyof typeof schema]: (typeof schema)[Name] extends PgTable ? Name : never
}[keyof typeof schema]

/**
 * A table without a line here is a type error; `tests/unit/shard-key.test.ts` checks the rules of
 * each kind.
 */
export const shardKeys = {
  achievements: 'learner',
  activities: 'learner',
  announcementMails: 'learner',
  bookmarks: 'learner',
  certificates: 'learner',
  enrollments: 'learner',
  examAnswers: 'learner',
  examAttempts: 'learner',
  lessonProgress: 'learner',
  notes: 'learner',
  practiceCards: 'learner',
  securityEvents: 'learner',
  studyDays: 'learner',
  staff: 'learner',
  staffCourses: 'learner',
  studyPlans: 'learner',
  twoFactor: 'learner',
  wishes: 'learner',

  announcements: 'reference',
  catalogCounts: 'reference',
  categories: 'reference',
  contentCourses: 'reference',
  contentHistory: 'reference',
  contentState: 'reference',
  courseAliases: 'reference',
  courseLessons: 'reference',
  courseOffers: 'reference',
  courseReviews: 'reference',
  courseSections: 'reference',
  courses: 'reference',
  courseSearch: 'reference',
  exams: 'reference',
  homeCourses: 'reference',
  lessonAliases: 'reference',
  priceHistory: 'reference',
  searchCategories: 'reference',
  searchLanguages: 'reference',
  searchNames: 'reference',
  searchSynonyms: 'reference',
  searchWords: 'reference',
  testimonials: 'reference',

  reviews: 'course',
  reviewReports: 'course',
  reviewVotes: 'course',

  certificateRegister: 'directory',
  identities: 'directory',
  passkeys: 'directory',
  securityLinks: 'directory',
  sessions: 'directory',
  users: 'directory',
  verifications: 'directory',

  backgroundLease: 'process',
  buildFiles: 'process',
  coupons: 'process',
  deskCourses: 'process',
  deskFigures: 'process',
  operatorActs: 'process',
  outbox: 'process',
  productState: 'process',
  gifts: 'process',
  imports: 'process',
  importRows: 'process',
  lastBackup: 'process',
  ledger: 'process',
  receiptFiles: 'process',
  orders: 'process',
  payments: 'process',
  paymentEvents: 'process',
  receipts: 'process',
  receiptCounter: 'process',
  refunds: 'process',
  refundRequests: 'process',
  rateLimits: 'process',
  sitePictures: 'process',
  siteVersions: 'process',
} satisfies Record<TableName, ShardKey>
