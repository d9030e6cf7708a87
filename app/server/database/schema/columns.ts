import { customType, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalog'

/** The row's learner; the row is deleted with the account. */
export const uid = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * The course that a row is about; it follows a course that is renamed.
 *
 * @param onDelete for a row without worth of its own.
 */
export const courseId = (onDelete?: 'cascade') =>
  text('course_id')
    .notNull()
    .references(() => courses.id, { onUpdate: 'cascade', onDelete })

/** The bytes of a file. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
