import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Sql } from 'postgres'
import * as schema from '~/server/database/schema'
import { type Placement, placement } from '~/server/database/schema/placement'
import type { Relations } from './statement-scope'

const marks: Record<string, Placement> = placement

/** Each table by its name in the database, with its mark. */
export const placements = new Map(
  Object.entries(schema).flatMap(([key, table]): [string, Placement | undefined][] =>
    is(table, PgTable) ? [[getTableName(table), marks[key]]] : [],
  ),
)

/** The tables and views of a database. A view with a `uid` is a learner's, like the tables it reads. */
export async function readRelations(client: Sql): Promise<Relations> {
  const rows = await client<{ name: string; view: boolean; columns: string[] }[]>`
    select c.relname as name, c.relkind = 'v' as view, to_json(array_agg(a.attname order by a.attnum)) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') group by c.oid`
  return new Map(
    rows.map(({ name, view, columns }) => {
      const own = view ? columns.includes('uid') : placements.get(name) === 'learner'
      return [name, { columns, learner: name === 'users' ? 'id' : own ? 'uid' : null }]
    }),
  )
}
