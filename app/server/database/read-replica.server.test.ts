import { sql } from 'drizzle-orm'
import { data } from 'react-router'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../../tests/support/test-database'
import { log } from '../operations/log.server'
import * as client from './client.server'
import { openReadReplica, readPublic } from './read-replica.server'

const unreachableUrl = 'postgres://nobody@127.0.0.1:9/nothing'
let primary: client.Database
let replicaUrl = ''
let close = async () => {}

beforeAll(async () => {
  primary = (await createTestDatabase()).db
  replicaUrl = (await createTestDatabase()).url
  vi.spyOn(client, 'db', 'get').mockReturnValue(primary)
})
afterEach(() => close())

const readDatabaseName = async (db: client.Database) =>
  (await db.execute(sql`select current_database() as name`)).rows[0]?.name

it('public pages are read from the replica, or from the primary if there is no replica', async () => {
  close = await openReadReplica(undefined)
  expect(await readPublic(readDatabaseName)).toBe(await readDatabaseName(primary))

  close = await openReadReplica(replicaUrl)
  expect(`/${await readPublic(readDatabaseName)}`).toBe(new URL(replicaUrl).pathname)
})

it('public pages are read from the primary for a while after the replica has failed', async () => {
  const warn = vi.spyOn(log, 'warn')
  close = await openReadReplica(unreachableUrl)
  for (let page = 0; page < 3; page++) {
    expect(await readPublic(readDatabaseName)).toBe(await readDatabaseName(primary))
  }

  expect(warn).toHaveBeenCalledOnce()
})

it('a page that does not exist on the replica is not read from the primary, too', async () => {
  close = await openReadReplica(replicaUrl)
  const work = vi.fn(async () => {
    throw data('No such page.', { status: 404 })
  })

  await expect(readPublic(work)).rejects.toMatchObject({ init: { status: 404 } })
  expect(work).toHaveBeenCalledOnce()
})

it.each([
  ['a value that PostgreSQL refuses', (db: client.Database) => db.execute(sql`select 1 / 0`)],
  [
    'a mistake in the code',
    async () => {
      throw new TypeError('Cannot read properties of undefined')
    },
  ],
])('%s is no failure of the replica', async (_name, read) => {
  const warn = vi.spyOn(log, 'warn').mockClear()
  close = await openReadReplica(replicaUrl)
  const countedRead = vi.fn(read)

  await expect(readPublic(countedRead)).rejects.toThrow()

  expect(countedRead).toHaveBeenCalledOnce()
  expect(warn).not.toHaveBeenCalled()
  expect(`/${await readPublic(readDatabaseName)}`).toBe(new URL(replicaUrl).pathname)
})

it('a table that the replica does not have yet is read from the primary', async () => {
  await primary.execute(sql`create table of_a_new_version ()`)
  close = await openReadReplica(replicaUrl)

  const { rows } = await readPublic((db) => db.execute(sql`select * from of_a_new_version`))

  expect(rows).toEqual([])
})
