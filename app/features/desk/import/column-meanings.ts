/** What a column of an imported table contains. A column with null is not imported. */
export type ColumnMeaning = 'email' | 'first_name' | 'last_name' | 'name' | 'courses'

/** A column of an uploaded table. */
export type ImportColumn = {
  name: string
  meaning: ColumnMeaning | null
  /** A value of the column, by which staff recognize what it contains. */
  example: string
}

/** The choices that staff have for a column, in the order of the template. */
export const columnMeaningLabels: Readonly<Record<ColumnMeaning, string>> = {
  email: 'Email address',
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Full name',
  courses: 'Course IDs',
}

/** Returns the name of the form's field for a column. */
export function columnFieldName(index: number): string {
  return `column-${index}`
}

/** Returns whether a text, such as a form's field, is the name of a meaning. */
export function isColumnMeaning(text: string): text is ColumnMeaning {
  return Object.hasOwn(columnMeaningLabels, text)
}

/**
 * Returns a sentence about what the chosen columns lack, or null if the table can be checked. Only
 * courses may be in several columns, as in Moodle's `course1`, `course2`.
 */
export function findColumnProblem(columns: readonly ImportColumn[]): string | null {
  const meanings = columns.flatMap(({ meaning }) => meaning ?? [])
  if (!meanings.includes('email')) {
    return 'Choose the column with the email addresses.'
  }

  if (!meanings.includes('first_name') && !meanings.includes('name')) {
    return 'Choose the column with the first names or the full names.'
  }

  const repeated = meanings.find(
    (meaning, index) => meaning !== 'courses' && meanings.indexOf(meaning) < index,
  )
  return repeated ? `Choose only one column for “${columnMeaningLabels[repeated]}”.` : null
}

/**
 * Returns whether staff have to choose: a required column is missing, or a column with an unknown
 * name could be the one with the last names or the courses.
 */
export function needsColumnChoice(columns: readonly ImportColumn[]): boolean {
  if (findColumnProblem(columns) !== null) {
    return true
  }

  const hasUnknownColumn = columns.some(({ meaning }) => meaning === null)
  const hasLastNames = columns.some(({ meaning }) => meaning === 'last_name' || meaning === 'name')
  return hasUnknownColumn && !(hasLastNames && hasCourses(columns))
}

export function hasCourses(columns: readonly ImportColumn[]): boolean {
  return columns.some(({ meaning }) => meaning === 'courses')
}
