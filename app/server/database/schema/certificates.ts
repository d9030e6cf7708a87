import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { courseId, uid } from './columns'
import { instant } from './instant'

/**
 * Every certificate ever issued, without the person: it stays when the learner leaves. An entry
 * whose learner's row in `certificates` is gone was withdrawn.
 */
export const certificateRegister = pgTable(
  'certificate_register',
  {
    /** Random and unguessable: part of the public address. */
    id: text().primaryKey(),
    courseId: courseId(),
    /** The course's title at the time. */
    courseTitle: text('course_title').notNull(),
    /**
     * The state at issue: completed lessons, the measured length of their material, and the first
     * passed exam.
     */
    lessons: integer().notNull(),
    materialSeconds: integer('material_seconds').notNull(),
    examScore: integer('exam_score').notNull(),
    examMaxScore: integer('exam_max_score').notNull(),
    issuedAt: instant('issued_at').notNull(),
    /**
     * Which sentences its signed credential has (`credential-document.ts`): they never change once
     * it was issued.
     */
    wording: integer().notNull().default(1),
    /**
     * Its place in the published status lists: list from 1, index random in 0 to 131071, so that
     * nothing can be counted.
     */
    statusList: integer('status_list').notNull(),
    statusIndex: integer('status_index').notNull(),
    revokedAt: instant('revoked_at'),
    /** The operator's words, shown on the certificate's page. */
    revokedReason: text('revoked_reason'),
    /** The certificate that an operator issued in its place. */
    replacedBy: text('replaced_by'),
  },
  (table) => [unique('certificate_register_status').on(table.statusList, table.statusIndex)],
)

/**
 * The holder of a certificate. One per learner and course; the key guarantees it for concurrent
 * requests.
 */
export const certificates = pgTable(
  'certificates',
  {
    uid: uid(),
    courseId: courseId(),
    id: text()
      .notNull()
      .references(() => certificateRegister.id),
    issuedAt: instant('issued_at').notNull().defaultNow(),
    /**
     * Full name at the time; a new name needs a new certificate (`npm run admin -- certificate
     * reissue`).
     */
    learnerName: text('learner_name').notNull(),
    /** The learner's choice for the public page, PDF and credential; otherwise initials. */
    showsName: boolean('shows_name').notNull().default(true),
  },
  // The register's key keeps the id unique.
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId] }),
    index('certificates_id').on(table.id),
  ],
)
