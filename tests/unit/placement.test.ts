import { readFileSync } from 'node:fs'
import { type SQL, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { writeCitusStatements } from '../support/citus-statements'
import { placements } from '../support/learner-relations'
import { testDatabase } from '../support/test-database'

const { db } = await testDatabase()

type Lister = (database: Pick<Database, 'execute'>) => Promise<string[]>

/** @returns the first column of each row. */
const lister =
  (query: SQL): Lister =>
  async (database) =>
    (await database.execute<{ found: string }>(query)).map(({ found }) => found)

const listTables = lister(sql`select tablename as found from pg_tables where schemaname = 'public' order by 1`)

const marked = (mark: string) =>
  sql`${`{${[...placements].flatMap(([name, own]) => (own === mark ? name : [])).join()}}`}::text[]`

/** Primary keys and unique indexes of learners' tables that don't begin with the learner. */
const listLooseKeys = lister(sql`
  select i.indexrelid::regclass::text as found from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relname = any(${marked('learner')})
    and a.attname <> 'uid' order by 1`)

const listWithoutKey = lister(sql`
  select c.relname as found from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and not exists (select from pg_index where indrelid = c.oid and indisprimary) order by 1`)

/**
 * Foreign keys out of learners' tables that may lead to another learner: to a learner's table without the learner on both
 * sides, or to an account by another column. And those into a learner's table from one that isn't.
 */
const listCrossingKeys = lister(sql`
  with keys as (
    select k.conname, f.relname as source, t.relname as target,
      array(select a.attname::text from unnest(k.conkey) with ordinality n (num, place)
        join pg_attribute a on a.attrelid = f.oid and a.attnum = n.num order by place) as columns,
      array(select a.attname::text from unnest(k.confkey) with ordinality n (num, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = n.num order by place) as targets
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
  )
  select conname as found from keys
  where case
    when target = 'users' then targets <> '{id}' or columns not in ('{uid}', '{user_id}')
    when target = any(${marked('learner')}) then
      source <> all(${marked('learner')}) or columns[1] <> 'uid' or targets[1] <> 'uid'
    else target = any(${marked('process')})
      or target = any(${marked('course')}) and source = any(${marked('learner')}) end
  order by 1`)

/** Numbers given one after the other say how many there are, and need one machine that counts. */
const listCounted = lister(sql`
  select c.relname || '.' || a.attname as found from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval(%')
  union all
  select c.relname || '.' || a.attname from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
  where i.indisprimary and c.relnamespace = 'public'::regnamespace
    and c.relname <> all(${marked('reference')}) and c.relname <> all(${marked('process')})
    and a.atttypid not in ('text'::regtype, 'date'::regtype)
  order by 1`)

/** What `lister` finds once `change` was made, which is undone. */
async function findAfter(change: string, lister: Lister): Promise<string[]> {
  let found: string[] = []
  await db
    .transaction(async (transaction) => {
      await transaction.execute(sql.raw(change))
      found = await lister(transaction)
      transaction.rollback()
    })
    .catch(() => {})
  return found
}

describe('for a database on many machines', () => {
  it('every table says where its rows live', async () => {
    expect([...placements.keys()].sort()).toEqual((await listTables(db)).sort())
    expect([...placements].filter(([, mark]) => !mark)).toEqual([])
  })

  it('every table has a primary key', async () => {
    expect(await listWithoutKey(db)).toEqual([])
    expect(await findAfter('alter table notes drop constraint notes_uid_id_pk', listWithoutKey)).toEqual(['notes'])
  })

  it('a learner’s rows are unique among the learner’s own', async () => {
    expect(await listLooseKeys(db)).toEqual([])
    expect(await findAfter('create unique index loose on notes (id, uid)', listLooseKeys)).toEqual(['loose'])
  })

  it.each([
    'alter table notes add constraint crossing foreign key (id) references users (id)',
    'alter table users add constraint crossing foreign key (email) references users (email)',
    'alter table sessions add constraint crossing foreign key (token) references study_plans (uid)',
    'alter table wishes add constraint crossing foreign key (course_id) references study_plans (uid)',
    'alter table notes add constraint crossing foreign key (id) references rate_limits (key)',
    'alter table notes add constraint crossing foreign key (id) references reviews (id)',
  ])('no foreign key joins learners, as it would by: %s', async (change) => {
    expect(await listCrossingKeys(db)).toEqual([])
    expect(await findAfter(change, listCrossingKeys)).toEqual(['crossing'])
  })

  it.each([
    ['alter table notes add column number int generated always as identity', 'notes.number'],
    ['alter table users add column number serial', 'users.number'],
    ['create table counted (id int primary key)', 'counted.id'],
  ])('no id is counted, as it would be by: %s', async (change, found) => {
    expect(await listCounted(db)).toEqual([])
    expect(await findAfter(change, listCounted)).toEqual([found])
  })

  it('docs/scale.md has the statements that spread the tables', async () => {
    const [, written] = /```sql\n(.*?)```/s.exec(readFileSync('docs/scale.md', 'utf8')) ?? []
    expect(written).toBe(`${(await writeCitusStatements(db)).join('\n')}\n`)
  })
})
