import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, it } from 'vitest'
import { migrationsFolder } from '~/server/database/migrate.server'
import { narrowing } from '~/server/database/narrowing'
import { listBlockingIndexes, listNarrowing } from '../support/narrowing-statements'

/**
 * In an upgrade the former version runs on beside the new one, on its tables. So a migration only adds; what is no longer
 * needed goes a release later, and `narrowing.ts` names the oldest version that works without it.
 */
const allowed: Record<string, string[]> = {
  '0007_search_formats': ['search_places: DropConstraint search_places_course', 'search_places: AddConstraint'],
  '0010_outbox_next': ['drop index'],
  '0014_certificate_ids': ['certificates: DropConstraint certificates_id'],
  '0020_search_sets_go': ['drop table', 'drop table', 'drop table', 'courses: DropColumn sample'],
}

/** Indexes from before any release. A later one is built CONCURRENTLY (`.concurrently()` in the schema). */
const builtAtOnce: Record<string, string[]> = {
  '0002_lists': ['courses_popular', 'courses_popular_of_category', 'courses_skills', 'enrollments_course'],
  '0004_celebrations': ['activities_uncelebrated'],
  '0010_outbox_next': ['outbox_next'],
  '0014_certificate_ids': ['certificates_id'],
}

beforeAll(loadModule)

describe('a migration', () => {
  const names = readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.basename(name, '.sql'))

  it.each(names.slice(1))('leaves what the former version needs: %s', async (name) => {
    const found = await listNarrowing(readFileSync(path.join(migrationsFolder, `${name}.sql`), 'utf8'))
    expect(found).toEqual(allowed[name] ?? [])
  })

  it.each(names.slice(1))('lets everybody write to a table in use while it builds an index: %s', async (name) => {
    const found = await listBlockingIndexes(readFileSync(path.join(migrationsFolder, `${name}.sql`), 'utf8'))
    expect(found).toEqual(builtAtOnce[name] ?? [])
  })

  it('that takes something away names the oldest version that works without it', () => {
    expect(Object.keys(narrowing)).toEqual(Object.keys(allowed))
    for (const name of Object.entries(narrowing).flat()) expect(names).toContain(name)
  })
})

describe('a former version would not notice', () => {
  it.each([
    'create table a (id int primary key, b int not null unique)',
    'create table a (id int); alter table a add constraint c unique (id); create unique index i on a (id)',
    'alter table users add column later text',
    "alter table users add column later text default '' not null",
    'alter table users add column later text references courses (id)',
    'alter table users alter column name drop not null',
    "alter table users alter column name set default ''",
    'alter table users alter column name set storage external',
    'create index i on users (name)',
    'create index concurrently i on users (name)',
    'create view v as select 1',
    "alter type kind add value 'other'",
  ])('%s', async (statement) => {
    expect(await listNarrowing(statement)).toEqual([])
  })
})

describe('a former version could fail on', () => {
  it.each([
    'drop table users',
    'drop index users_email',
    'drop view v',
    'alter table users drop column name',
    'alter table users rename column name to title',
    'alter table users rename to people',
    'alter table users alter column name type int using 1',
    'alter table users alter column name set not null',
    'alter table users alter column name drop default',
    'alter table users alter column name drop expression',
    'alter table users add column later text not null',
    'alter table users add column later text unique',
    'alter table users add column later int generated always as (1) stored',
    'alter table users add constraint c unique (name)',
    "alter table users add constraint c check (name <> '')",
    'alter table users drop constraint c',
    'create unique index i on users (name)',
    'create or replace view v as select 1',
    "alter type kind rename value 'a' to 'b'",
    "update users set name = ''",
    'truncate users',
    'create table a (id int); alter table users drop column name',
  ])('%s', async (statement) => {
    expect(await listNarrowing(statement)).toHaveLength(1)
  })
})
