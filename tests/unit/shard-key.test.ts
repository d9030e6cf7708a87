import { getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import * as schema from '~/server/database/schema'
import { shardKeys } from '~/server/database/schema/shard-key'
import { createTestDatabase } from '../support/test-database'

const { db } = await createTestDatabase()

const tables = new Map(Object.entries(schema))
const tableName = (table: string) => getTableName(tables.get(table) as PgTable)
const learnerTables = Object.entries(shardKeys).flatMap(([table, mark]) =>
  mark === 'learner' ? tableName(table) : [],
)

it('every table of the database is marked with where its rows live', async () => {
  const { rows } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  expect(Object.keys(shardKeys).map(tableName).sort()).toEqual(rows.map(({ name }) => name))
})

it('each primary key and unique index of a learner’s table begins with uid', async () => {
  const { rows } = await db.execute<{ table: string; first: string }>(sql`
    select c.relname as table, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisunique and c.relnamespace = 'public'::regnamespace and c.relname = any(${sql.param(learnerTables)}::text[])`)

  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(learnerTables))
  expect(rows.filter(({ first }) => first !== 'uid')).toEqual([])
})
