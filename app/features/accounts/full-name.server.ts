import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { placeholderName } from './account-rules'
import { emailPattern } from './full-name'

/**
 * Returns the condition that a name in the database is a person's name. `isRealName` is the same
 * rule.
 */
export function isRealNameInDatabase(name: SQLWrapper): SQL {
  return sql`(${name} <> ${placeholderName} and ${name} !~ ${emailPattern.source})`
}
