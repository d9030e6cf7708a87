import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { announcementMails, announcements, users } from '~/server/database/schema'
import { createTestDatabase } from '../../../../tests/support/test-database'
import type { AnnouncementEmailStatus } from './announcement-types'
import {
  areEmailsRemoved,
  emailRetentionDays,
  mailCounts,
  removeOldEmails,
} from './mail-counts.server'

const { db }: { db: Database } = await createTestDatabase()

const mails: [uid: string, state: AnnouncementEmailStatus, reason?: string][] = [
  ['ada', 'sent'],
  ['ben', 'sent'],
  ['cleo', 'failed', '451 later'],
  ['dora', 'failed', '550 5.1.1 no such mailbox'],
  ['eve', 'due'],
]
const allCounts = { sent: 2, failed: 2, due: 1 }

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

/** Stores an announcement that ended so many hours ago, with an email to everyone. */
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

async function findCounts(id: string) {
  const { rows } = await db.execute(
    sql`select ${mailCounts} as counts from announcements a where a.id = ${id}`,
  )
  return rows[0]?.counts
}

async function listRemainingUids(id: string) {
  const rows = await db
    .select()
    .from(announcementMails)
    .where(eq(announcementMails.announcementId, id))
  return rows.map(({ uid }) => uid).toSorted()
}

it('keeps the counts of an announcement as they were an hour after its end', async () => {
  await announce('sending', null, 'sending')
  await announce('just-ended', 0, 'done')
  await announce('ended', 2)
  await removeOldEmails(db)
  await db.update(announcementMails).set({ state: 'sent' })
  expect([await findCounts('sending'), await findCounts('just-ended')]).toEqual([
    { sent: 5 },
    { sent: 5 },
  ])
  expect(await findCounts('ended')).toEqual(allCounts)

  await db.delete(users)
  expect([await findCounts('sending'), await findCounts('ended')]).toEqual([{}, allCounts])
})

it('removes the emails of an announcement that ended long ago, except bounces, and keeps its counts', async () => {
  await announce('old', emailRetentionDays * 24 + 1)
  await announce('older', emailRetentionDays * 48, 'done')
  await announce('kept', emailRetentionDays * 24 - 1)
  await removeOldEmails(db)
  expect([await listRemainingUids('old'), await listRemainingUids('older')]).toEqual([
    ['dora'],
    ['dora'],
  ])
  expect(await listRemainingUids('kept')).toHaveLength(mails.length)

  for (const id of ['old', 'older', 'kept']) {
    expect(await findCounts(id)).toEqual(allCounts)
  }

  await removeOldEmails(db)
  expect(await findCounts('old')).toEqual(allCounts)
})

it('stops when another process has taken over', async () => {
  await announce('old', emailRetentionDays * 24 + 1)
  await removeOldEmails(db, () => false)

  expect(await listRemainingUids('old')).toHaveLength(mails.length)
})

it('tells whether the emails of an announcement are removed', () => {
  const now = new Date()
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)

  expect(areEmailsRemoved(daysAgo(emailRetentionDays + 1), now)).toBe(true)
  expect(areEmailsRemoved(daysAgo(emailRetentionDays - 1), now)).toBe(false)
  expect(areEmailsRemoved(null, now)).toBe(false)
})
