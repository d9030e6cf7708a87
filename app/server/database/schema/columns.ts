import { customType, text } from 'drizzle-orm/pg-core'
import { users } from './accounts'
import { courses } from './catalog'

/** The column of the learner. The row is deleted with the account. */
export const uid = () =>
  text()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/**
 * The column of the course. It is updated when the course is renamed.
 *
 * @param onDelete 'cascade' for a row that is not needed without the course
 */
export const courseId = (onDelete?: 'cascade') =>
  text('course_id')
    .notNull()
    .references(() => courses.id, { onUpdate: 'cascade', onDelete })

/** A column of the bytes of a file. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
