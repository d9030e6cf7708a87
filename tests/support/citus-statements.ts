import { sql } from 'drizzle-orm'
import type { Database } from '~/server/database/client.server'
import { placements } from './learner-relations'

type ForeignKey = { name: string; source: string; target: string; definition: string }

/**
 * What spreads the tables over the machines of a Citus cluster, by their marks: statements for the first machine, where
 * tables without one stay.
 */
export async function writeCitusStatements(db: Database): Promise<string[]> {
  const keys = await db.execute<ForeignKey>(sql`
    select conname as name, conrelid::regclass::text as source, confrelid::regclass::text as target,
      pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1`)
  const marked = (...marks: string[]) =>
    [...placements].flatMap(([name, mark]) => (marks.includes(mark ?? '') ? name : [])).sort()
  const learners = marked('learner')
  const amongLearners = keys.filter(({ source, target }) => learners.includes(source) && learners.includes(target))
  const [first, ...others] = learners
  return [
    ...parentsFirst(marked('reference', 'course', 'directory'), keys).map(
      (table) => `select create_reference_table('${table}');`,
    ),
    // Both of their tables have to be spread first.
    ...amongLearners.map(({ source, name }) => `alter table ${source} drop constraint ${name};`),
    `select create_distributed_table('${first}', 'uid');`,
    ...others.map((table) => `select create_distributed_table('${table}', 'uid', colocate_with => '${first}');`),
    ...amongLearners.map(
      ({ source, name, definition }) => `alter table ${source} add constraint ${name}\n  ${definition};`,
    ),
  ]
}

/** A table after those that its foreign keys lead to. */
function parentsFirst(tables: string[], keys: readonly ForeignKey[]): string[] {
  const depthOf = (table: string): number =>
    Math.max(
      0,
      ...keys.flatMap(({ source, target }) => (source === table && target !== table ? depthOf(target) + 1 : [])),
    )
  return tables.toSorted((one, other) => depthOf(one) - depthOf(other))
}
