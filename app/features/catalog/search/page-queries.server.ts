import { type SQL, sql } from 'drizzle-orm'
import { type CatalogQuery, pageLength } from './catalog-query'

/** The ID of the course that a page starts after, or ends before. At most one of the two is set. */
export type Cursor = Pick<CatalogQuery, 'after' | 'before'>

export type Page = { ids: string[]; hasPrevious: boolean; hasNext: boolean }

/**
 * Selects the course IDs of a page and one more, which says whether there is another page. The page
 * is empty if the cursor's course isn't in the list.
 */
export function selectPage(
  from: SQL,
  orderColumns: readonly SQL[],
  { after, before }: Cursor,
): SQL {
  const columns = sql.join([...orderColumns], sql`, `)
  const cursorId = after ?? before
  const cursorRow = sql`
    select ${columns}
    from ${from}
    where course_id = ${cursorId}`

  // A page before a course is read backward, so that the limit keeps the nearest courses.
  const isBackward = before !== null
  const comparison = isBackward ? sql`>` : sql`<`
  const direction = isBackward ? sql`asc` : sql`desc`
  const where = cursorId === null ? sql`true` : sql`(${columns}) ${comparison} (${cursorRow})`
  const order = orderColumns.map((column) => sql`${column} ${direction}`)

  return sql`
    select coalesce(json_agg(course_id), '[]')
    from (
      select course_id
      from ${from}
      where ${where}
      order by ${sql.join(order, sql`, `)}
      limit ${pageLength + 1}::int
    ) page`
}

/**
 * Returns the page without the additional course.
 *
 * @param selectedIds the IDs that `selectPage` selects
 */
export function parsePage(selectedIds: readonly string[], { after, before }: Cursor): Page {
  const hasMore = selectedIds.length > pageLength
  const ids = selectedIds.slice(0, pageLength)
  if (before !== null) {
    return { ids: ids.reverse(), hasPrevious: hasMore, hasNext: true }
  }

  return { ids, hasPrevious: after !== null, hasNext: hasMore }
}
