import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { announcementMails, announcements, users } from '~/server/database/schema'
import { testDatabase } from '../../../../tests/support/test-database'
import type { AnnouncementMailState } from './announcement-states'
import { forgetMails, isForgotten, mailCounts, mailsKeptDays } from './mail-counts.server'

const { db }: { db: Database } = await testDatabase()

const mails: [uid: string, state: AnnouncementMailState, reason?: string][] = [
  ['ada', 'sent'],
  ['ben', 'sent'],
  ['cleo', 'failed', '451 later'],
  ['dora', 'failed', '550 5.1.1 no such mailbox'],
  ['eve', 'due'],
]
const all = { sent: 2, failed: 2, due: 1 }

beforeEach(async () => {
  await db.delete(announcements)
  await db.delete(users)
  const people = mails.map(([uid]) => ({
    id: uid,
    name: uid,
    firstName: uid,
    email: `${uid}@learn.example`,
  }))

  await db.insert(users).values(people)
})

/** An announcement that ended at this time, with a mail to everybody. */
async function announce(
  id: string,
  hoursAgo: number | null,
  state: 'sending' | 'stopped' | 'done' = 'stopped',
) {
  const endedAt = hoursAgo === null ? null : sql`now() - make_interval(hours => ${hoursAgo}::int)`
  const text = { subject: 'News', body: 'Hello' }
  await db.insert(announcements).values({ id, audience: 'all', state, endedAt, ...text })
  const at = new Date()
  await db
    .insert(announcementMails)
    .values(mails.map(([uid, state, reason]) => ({ uid, state, reason, announcementId: id, at })))
}

async function countsOf(id: string) {
  const { rows } = await db.execute(
    sql`select ${mailCounts} as counts from announcements a where a.id = ${id}`,
  )
  return rows[0]?.counts
}

const leftOf = async (id: string) => {
  const rows = await db
    .select()
    .from(announcementMails)
    .where(eq(announcementMails.announcementId, id))
  return rows.map(({ uid }) => uid).toSorted()
}

it('counts the mails of an announcement as they are, and from an hour after its end on as they were', async () => {
  await announce('now', null, 'sending')
  await announce('just', 0, 'done')
  await announce('before', 2)
  await forgetMails(db)
  await db.update(announcementMails).set({ state: 'sent' })
  expect([await countsOf('now'), await countsOf('just')]).toEqual([{ sent: 5 }, { sent: 5 }])
  expect(await countsOf('before')).toEqual(all)
  await db.delete(users)
  expect([await countsOf('now'), await countsOf('before')]).toEqual([{}, all])
})

it('removes the mails of one that ended long ago but for bounces, and keeps its counts', async () => {
  await announce('old', mailsKeptDays * 24 + 1)
  await announce('older', mailsKeptDays * 48, 'done')
  await announce('kept', mailsKeptDays * 24 - 1)
  await forgetMails(db)
  expect([await leftOf('old'), await leftOf('older')]).toEqual([['dora'], ['dora']])
  expect(await leftOf('kept')).toHaveLength(mails.length)
  for (const id of ['old', 'older', 'kept']) {
    expect(await countsOf(id)).toEqual(all)
  }

  await forgetMails(db)
  expect(await countsOf('old')).toEqual(all)
})

it('goes on only while it may', async () => {
  await announce('old', mailsKeptDays * 24 + 1)
  await forgetMails(db, () => false)
  expect(await leftOf('old')).toHaveLength(mails.length)
})

it('knows which announcement it has forgotten', () => {
  const now = new Date()
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  expect(
    [ago(mailsKeptDays + 1), ago(mailsKeptDays - 1), null].map((at) => isForgotten(at, now)),
  ).toEqual([true, false, false])
})
