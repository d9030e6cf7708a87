/** SQL conditions on `course_search` for the chosen options of the filters. */
import { type SQL, sql } from 'drizzle-orm'
import type { CourseSelection } from './course-selection.server'
import { type ColumnGroup, columnByGroup, columnGroups, listColumnValues } from './facet-columns'
import type { ChosenOptions } from './facet-options'

/** Returns the selection with the condition that a course passes every group of filters. */
export function addFilters(
  selection: CourseSelection,
  chosenOptions: ChosenOptions,
): CourseSelection {
  const { skill, instructor } = chosenOptions
  const conditions = listColumnConditions(chosenOptions)
  if (skill.length > 0) {
    conditions.push(sql`skills && ${sql.param(skill)}::text[]`)
  }

  if (instructor.length > 0) {
    conditions.push(sql`instructor = any(${sql.param(instructor)}::text[])`)
  }

  return { ...selection, condition: joinConditions([selection.condition, ...conditions]) }
}

/** Returns a condition for each group with a column and a chosen option. */
export function listColumnConditions(chosenOptions: ChosenOptions): SQL[] {
  return columnGroups
    .filter((group) => chosenOptions[group].length > 0)
    .map((group) => {
      const values = chosenOptions[group].flatMap((option) => listColumnValues(group, option))
      return sql`${getColumn(group)} = any(${sql.param(values)}::text[])`
    })
}

export function joinConditions(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
}

/** Returns the column of a group with the quotes that SQL needs. */
export const getColumn = (group: ColumnGroup): SQL =>
  sql.identifier(columnByGroup[group]) as unknown as SQL
