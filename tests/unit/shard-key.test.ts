import { getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import * as schema from '~/server/database/schema'
import { shardKeys } from '~/server/database/schema/shard-key'
import { createTestDatabase } from '../support/test-database'

const { db } = await createTestDatabase()

const schemaExports = new Map(Object.entries(schema))
const getSqlName = (exportName: string) => getTableName(schemaExports.get(exportName) as PgTable)
const learnerTables = Object.entries(shardKeys).flatMap(([exportName, shardKey]) =>
  shardKey === 'learner' ? getSqlName(exportName) : [],
)

it('every table of the database is marked with where its rows live', async () => {
  const { rows } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )

  expect(Object.keys(shardKeys).map(getSqlName).sort()).toEqual(rows.map(({ name }) => name))
})

it('each primary key and unique index of a learner’s table begins with uid', async () => {
  const { rows } = await db.execute<{ table: string; firstColumn: string }>(sql`
    select pg_class.relname as table, pg_attribute.attname as "firstColumn"
    from pg_index
    join pg_class on pg_class.oid = pg_index.indrelid
    join pg_attribute on pg_attribute.attrelid = pg_class.oid
      and pg_attribute.attnum = pg_index.indkey[0]
    where pg_index.indisunique
      and pg_class.relnamespace = 'public'::regnamespace
      and pg_class.relname = any(${sql.param(learnerTables)}::text[])`)

  expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(learnerTables))
  expect(rows.filter(({ firstColumn }) => firstColumn !== 'uid')).toEqual([])
})
