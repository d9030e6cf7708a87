import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalogue'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const uid = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })
const courseId = () =>
  text('course_id')
    .notNull()
    .references(() => courses.id)

export const enrolments = pgTable(
  'enrolments',
  {
    uid: uid(),
    courseId: courseId(),
    enrolledAt: moment('enrolled_at').notNull().defaultNow(),
    lastAccessedAt: moment('last_accessed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.courseId] })],
)
