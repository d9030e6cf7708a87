import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { connect, type Database } from '~/server/database/client.server'
import { testDatabase } from '../../tests/support/test-database'
import { courseSubject, listChanges, readProductState, recordPublicChange, type Subject } from './product-state.server'

let db: Database
let url: string
beforeAll(async () => {
  ;({ db, url } = await testDatabase())
})

const change = (...subjects: Subject[]) => db.transaction((transaction) => recordPublicChange(transaction, subjects))
const versionNow = async () => (await readProductState(db, null)).version
const changesSince = async (known: number) => listChanges(known, await readProductState(db, known))

describe('the state of the product', () => {
  it('tells each process what changed since it looked last, and nothing twice', async () => {
    const before = await versionNow()
    expect(await changesSince(before)).toEqual([])
    await change('course:a', 'catalogue', 'course:a')
    const between = await versionNow()
    await change('course:b')
    expect(await changesSince(before)).toEqual(['course:a', 'catalogue', 'course:b'])
    expect(await changesSince(between)).toEqual(['course:b'])
    expect(await readProductState(db, await versionNow())).toMatchObject({ changes: [] })
  })

  it('names the history that its version belongs to', async () => {
    expect((await readProductState(db, null)).history).toMatch(/^[\dA-F]{8}$/)
  })

  it.each([
    ['doesn’t support', '0A000'],
    ['keeps from the product', '42501'],
  ])('is read without a history where the engine %s what tells it', async (_why, code) => {
    await withTimelineError(code, async (refused) => {
      for (let time = 0; time < 2; time++) expect((await readProductState(refused, null)).history).toBeNull()
    })
    expect((await readProductState(db, null)).history).toMatch(/^[\dA-F]{8}$/)
  })

  it('is not read from a server in recovery, whose history would be missed for good', async () => {
    const read = withTimelineError('55000', (standby) => readProductState(standby, null))
    await expect(read).rejects.toMatchObject({ cause: { code: '55000' } })
  })

  it('counts a change that was rolled back as none', async () => {
    const before = await versionNow()
    const failing = db.transaction(async (transaction) => {
      await recordPublicChange(transaction, ['course:a'])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await changesSince(before)).toEqual([])
  })

  it('takes everything for changed when it has missed too much, when told so, or when the database was restored', async () => {
    const before = await versionNow()
    for (let time = 0; time < 5; time++) await change(...Array.from({ length: 60 }, (_, n) => courseSubject(`${n}`)))
    expect(await changesSince(before)).toBeNull()
    const later = await versionNow()
    await change(...Array.from({ length: 200 }, (_, n) => courseSubject(`${n}`)))
    expect(await changesSince(later)).toBeNull()
    expect(await changesSince((await versionNow()) + 1)).toBeNull()
    expect((await readProductState(db, null)).changes).toHaveLength(256)
  })

  it('gives versions the order of the commits: whoever reads one has not missed an earlier change', async () => {
    const before = await versionNow()
    const writers = Array.from({ length: 20 }, (_, n) => change(courseSubject(`writer-${n}`)))
    const seen: string[] = []
    let known = before
    const look = async () => {
      const state = await readProductState(db, known)
      seen.push(...(listChanges(known, state) ?? ['everything']))
      known = state.version
    }
    for (let looks = 0; looks < 10; looks++) await look()
    await Promise.all(writers)
    await look()
    expect(seen.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `course:writer-${n}`).toSorted())
  })

  it('is announced to whoever listens', async () => {
    const listener = new pg.Client(url)
    await listener.connect()
    await listener.query('listen learnify_changes')
    const heard = new Promise<string | undefined>((resolve) =>
      listener.on('notification', ({ payload }) => resolve(payload)),
    )
    await change('course:a')
    expect(Number(await heard)).toBe(await versionNow())
    await listener.end()
  })
})

it('a process that looks now and then sees each change of the remembered ones once, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string()), { maxLength: 20 }), (looks) => {
      let version = 0
      let changes: string[] = []
      let known = 0
      for (const between of looks) {
        const subjects = between.map((subject) => `course:${subject}`)
        version += subjects.length
        changes = [...changes, ...subjects].slice(-256)
        expect(listChanges(known, { version, changes })).toEqual(subjects)
        known = version
      }
    }),
  )
})

/** In a database whose engine answers a question for its timeline with an error. */
async function withTimelineError<Result>(code: string, use: (database: Database) => Promise<Result>): Promise<Result> {
  const schema = `errs_${code.toLowerCase()}`
  await db.execute(
    sql.raw(`create schema ${schema}; create function ${schema}.pg_current_wal_lsn() returns pg_lsn language plpgsql as
      $$ begin raise exception using errcode = '${code}'; end $$`),
  )
  const { database, pool } = connect(`${url}?options=-c%20search_path%3D${schema},public,pg_catalog`, { poolSize: 1 })
  try {
    return await use(database)
  } finally {
    await pool.end()
  }
}
