import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { findCourseDetail } from '~/features/catalogue/course-queries.server'
import { everything } from '~/features/catalogue/search/catalogue-query'
import { findCatalogue } from '~/features/catalogue/search/search-catalogue.server'
import { testDatabase } from '../../../tests/support/test-database'
import { takeLease } from '../background-lease.server'
import { log } from '../log.server'
import { readSharedState, renewPublicPages } from '../shared-state.server'
import { connect, type Database } from './client.server'
import { ReadReplica, reportTurns } from './read-replica.server'

let primary: Database
/** Another database, which is behind whenever it is not told of what the primary was told of. */
let replica: Database
let known = 0
let now = 0
const turns: (string | null)[] = []

beforeAll(async () => {
  primary = (await testDatabase()).db
  replica = (await testDatabase()).db
})
beforeEach(async () => {
  turns.length = 0
  known = (await readSharedState(replica)).version
  await takeLease(replica, 'leader')
})

const open = (database = replica) =>
  new ReadReplica({
    primary: () => primary,
    replica: database,
    known: () => known,
    onTurn: (problem) => turns.push(problem),
    now: () => now,
  })
const placeOf = (reading: ReadReplica) =>
  reading.read(async (db) => {
    const [row] = await db.execute<{ name: string }>(sql`select current_database() as name`)
    return row?.name === (await nameOf(primary)) ? 'primary' : 'replica'
  })
const nameOf = async (db: Database) =>
  (await db.execute<{ name: string }>(sql`select current_database() as name`))[0]?.name
async function trusted() {
  const reading = open()
  await placeOf(reading)
  await reading.settled()
  return reading
}
const change = (db: Database) => db.transaction((transaction) => renewPublicPages(transaction))

describe('a replica for public pages', () => {
  it('is used once it has answered, and no page waits for that', async () => {
    const reading = open()
    expect(await placeOf(reading)).toBe('primary')
    await reading.settled()
    expect([await placeOf(reading), turns]).toEqual(['replica', [null]])
  })

  it('is never used while it is behind a change that this process knows of', async () => {
    const reading = await trusted()
    known += 1
    expect(await placeOf(reading)).toBe('primary')
    now += 1_000
    await placeOf(reading)
    await reading.settled()
    expect(await placeOf(reading)).toBe('primary')
    await change(replica)
    now += 1_000
    await placeOf(reading)
    await reading.settled()
    expect(await placeOf(reading)).toBe('replica')
    expect(turns.at(-1)).toBeNull()
  })

  it('is not used when its heartbeat is old, or when nothing is known yet', async () => {
    const reading = await trusted()
    await replica.execute(sql`update background_lease set expires_at = now() - interval '5 s'`)
    expect(await placeOf(reading)).toBe('primary')
    expect(turns.at(-1)).toBe('The read replica is too far behind.')
  })

  it('gives one snapshot: what is written meanwhile is not seen halfway', async () => {
    const reading = await trusted()
    const [before, after] = await reading.read(async (db) => {
      const count = async () =>
        (await db.execute(sql`select from course_reviews where course_id = 'figma-basics'`)).length
      const first = await count()
      await replica.execute(sql`delete from course_reviews`)
      return [first, await count()]
    })
    expect(after).toBe(before)
  })

  it('writes nothing', async () => {
    const reading = await trusted()
    const writing = reading.read(async (db) => {
      if ((await nameOf(db)) === (await nameOf(primary))) return 'refused'
      return db.execute(sql`delete from testimonials`)
    })
    expect(await writing).toBe('refused')
  })

  it('shows courses and searches as the primary does, many at once', async () => {
    const reading = await trusted()
    const own = await findCatalogue(primary, { ...everything, q: 'python' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => reading.read((db) => findCatalogue(db, { ...everything, q: 'python' }))),
    )
    for (const { total, courses } of answers) {
      expect([total, courses.map(({ id }) => id)]).toEqual([own.total, own.courses.map(({ id }) => id)])
    }
    const course = await reading.read((db) => findCourseDetail(db, 'python-from-zero'))
    expect(course?.title).toBe((await findCourseDetail(primary, 'python-from-zero'))?.title)
    expect(await placeOf(reading)).toBe('replica')
  })

  it('leaves the page to the primary in the middle of it when it goes away, and is not asked again at once', async () => {
    const reading = await trusted()
    let asked = 0
    const title = await reading.read(async (db) => {
      asked += 1
      if (asked === 1) {
        await replica.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and state = 'idle in transaction'`)
      }
      return (await findCourseDetail(db, 'python-from-zero'))?.title
    })
    expect([title, asked]).toEqual([(await findCourseDetail(primary, 'python-from-zero'))?.title, 2])
    expect(turns.at(-1)).toBe('The read replica doesn’t answer.')
    expect(await placeOf(reading)).toBe('primary')
  })

  it('may be away when the product starts', async () => {
    const { database, pool } = connect('postgres://nobody@127.0.0.1:9/nothing', { patience: 500 })
    const reading = open(database)
    expect(await placeOf(reading)).toBe('primary')
    await reading.settled()
    expect(await placeOf(reading)).toBe('primary')
    await pool.end({ timeout: 0 })
  })
})

it('the log tells of a replica that stays behind, and not of each change that is a moment ahead of it', () => {
  const warned = vi.spyOn(log, 'warn')
  let now = 0
  const report = reportTurns({ now: () => now })
  for (let change = 0; change < 10; change++) {
    report('The read replica is behind a change.')
    now += 250
    report(null)
  }
  expect(warned).not.toHaveBeenCalled()
  for (let times = 0; times < 40; times++) {
    report('The read replica doesn’t answer.')
    now += 250
  }
  expect(warned).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})
