import type { PgTable } from 'drizzle-orm/pg-core'
import type * as schema from '.'

/**
 * The place where a table's rows would be stored in a database on many machines.
 *
 * - The rows of a `learner` are stored together. `uid` comes first in the primary key and in every
 *   unique index.
 * - `reference` rows are copied to every machine. They are the same for everyone, and only content,
 *   the search and operators write them.
 * - `course` rows are written by many learners of a course. They are copied to every machine, too,
 *   because public pages count them.
 * - `directory` rows find a learner by a random key or an email address, and are rarely written.
 * - `process` rows belong to processes and operators, and are stored on the first machine.
 */
type ShardKey = 'learner' | 'reference' | 'course' | 'directory' | 'process'

type TableName = {
  [Name in keyof typeof schema]: (typeof schema)[Name] extends PgTable ? Name : never
}[keyof typeof schema]

/**
 * The shard key of every table. A missing table is a type error, and `tests/unit/shard-key.test.ts`
 * checks the rules above.
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
