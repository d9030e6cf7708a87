import { boolean, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { courseId, uid } from './columns'
import { instant } from './instant'

/**
 * Every certificate ever issued, without its learner. The row stays when the account is deleted. If
 * the row in `certificates` is missing, the certificate was withdrawn.
 */
export const certificateRegister = pgTable(
  'certificate_register',
  {
    /** A random ID that nobody can guess. It is part of the public URL. */
    id: text().primaryKey(),
    courseId: courseId(),
    /** The course's title when the certificate was issued. */
    courseTitle: text('course_title').notNull(),
    /**
     * The number of completed lessons and the length of their material. This and the result of the
     * first passed exam are stored as they were when the certificate was issued.
     */
    lessons: integer().notNull(),
    materialSeconds: integer('material_seconds').notNull(),
    examScore: integer('exam_score').notNull(),
    examMaxScore: integer('exam_max_score').notNull(),
    issuedAt: instant('issued_at').notNull(),
    /**
     * The version of the credential's texts (`credential-document.ts`), which never change later.
     */
    wordingVersion: integer('wording').notNull().default(1),
    /**
     * The number of the published status list, and the position in it. The position is random, from
     * 0 to 131071, so that nobody can count certificates.
     */
    statusListNumber: integer('status_list').notNull(),
    statusIndex: integer('status_index').notNull(),
    revokedAt: instant('revoked_at'),
    /** The reason that staff gave. The certificate's page shows it. */
    revokedReason: text('revoked_reason'),
    /** The ID of the certificate that replaces this one. */
    replacedBy: text('replaced_by'),
  },
  (table) => [unique('certificate_register_status').on(table.statusListNumber, table.statusIndex)],
)

/**
 * The holders of certificates. The primary key guarantees one certificate for each learner and
 * course, also with concurrent requests.
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
     * The learner's full name when the certificate was issued. A new name needs a new certificate
     * (`npm run admin -- certificate reissue`).
     */
    learnerName: text('learner_name').notNull(),
    /**
     * Whether the public page, the PDF and the credential show the name instead of the initials.
     */
    showsName: boolean('shows_name').notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.courseId] }),
    index('certificates_id').on(table.id),
  ],
)
