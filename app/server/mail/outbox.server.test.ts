import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { accountMailComposer } from '~/features/accounts/mail/account-mails.server'
import { type SmtpRefusal, startSmtpServer } from '../../../tests/support/smtp-server'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { outbox, users } from '../database/schema'
import { readiness } from '../operations/readiness.server'
import { type Mailer, smtpMailer, waitingMailer } from './mail.server'
import { MailSender } from './mail-sender.server'
import { queueMail, queueMails, readOutboxFigures, retryMail } from './outbox.server'

const uid = 'ada'
const start = Date.parse('2026-11-21T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
let now = start
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})
beforeEach(async () => {
  now = start
  await db.delete(users)
  await db
    .insert(users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) {
    await stop()
  }
})

/** A real mail server that stops with the test. */
async function startSmtp(refusal?: () => SmtpRefusal | null, port?: number) {
  const smtp = await startSmtpServer(refusal, port)
  stops.push(smtp.stop)
  return smtp
}

const from = () => ({ name: 'Learnify', address: 'no-reply@learnify.example' })

function senderTo(port: number, withinMs?: number) {
  const send = smtpMailer(`smtp://127.0.0.1:${port}`, from, withinMs)
  return senderBy(send)
}

function senderBy(send: Mailer) {
  const compose = accountMailComposer(db, 'https://learn.example')
  return new MailSender({ db, compose, send, now: () => now })
}

const queued = () => db.select().from(outbox)
const messageIdOf = (source = '') => /^Message-ID: (.*)$/m.exec(source)?.[1]?.trim()

it('a mail reaches the server with a link of its own, and leaves nothing behind', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'reset', now)
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(1)
  expect(smtp.received[0]?.source).toContain('/ResetPassword?token=')
  expect(await queued()).toEqual([])
})

it('a mail is part of the transaction of its cause', async () => {
  await expect(
    db.transaction(async (tx) => {
      await queueMail(tx, uid, 'reset', now)
      throw new Error('the cause failed')
    }),
  ).rejects.toThrow('the cause failed')

  expect(await queued()).toEqual([])
})

it('a mail whose process was killed while it was sent is with its reader within two minutes', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'reset', now)
  // Never ends, as in a process that was killed.
  let isClaimed = () => {}
  const claimed = new Promise<void>((resolve) => {
    isClaimed = resolve
  })
  senderBy(() => {
    isClaimed()
    return new Promise(() => {})
  }).wake()
  await claimed
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(0)
  // The background work looks every ten seconds.
  now += 2 * minute - 10_000
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(1)
  expect(await queued()).toEqual([])
})

it('what waits in the outbox names no address and opens no account', async () => {
  await queueMail(db, uid, 'reset', now)
  expect(JSON.stringify(await queued())).not.toMatch(/@|token/)
})

it('a mail outlives a mail server that is down, and arrives once it is up', async () => {
  const down = await startSmtp()
  for (const stop of stops.splice(0)) {
    await stop()
  }

  const sender = senderTo(down.port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  expect(await queued()).toMatchObject([
    { attempts: 1, failedAt: null, reason: expect.stringContaining('ECONNREFUSED') },
  ])

  const up = await startSmtp(() => null, down.port)
  await sender.deliverDue()
  expect(up.received).toEqual([])
  now += minute
  await sender.deliverDue()
  expect(up.received).toHaveLength(1)
})

it('an invitation that waits for its turn is not late; one whose turn is over is', async () => {
  const present = Date.now()
  await queueMails(db, 'invitation', [{ uid, dueAt: present + hour }], present - hour)
  expect(await readOutboxFigures(db)).toMatchObject({ waiting: 1, oldestSeconds: 0 })
  await queueMails(db, 'invitation', [{ uid, dueAt: present - 20 * minute }], present - hour)
  const figures = await readOutboxFigures(db)
  expect(figures?.waiting).toBe(2)
  expect(figures?.oldestSeconds).toBeGreaterThan(1_190)
  expect(figures?.oldestSeconds).toBeLessThan(1_800)
})

it('while the server is down one mail is tried, not every one', async () => {
  let attempts = 0
  const sender = senderBy(async () => {
    attempts += 1
    throw Object.assign(new Error('nobody there'), { code: 'ECONNECTION' })
  })
  for (const _ of [1, 2, 3]) {
    await queueMail(db, uid, 'reset', now)
  }

  await sender.deliverDue()
  expect(attempts).toBe(1)
})

it('a server that takes the connection and says nothing is given up in time', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  stops.push(() => new Promise((resolve) => silent.close(() => resolve())))
  await queueMail(db, uid, 'reset', now)
  await senderTo((silent.address() as AddressInfo).port, 50).deliverDue()
  expect(await queued()).toMatchObject([{ attempts: 1, failedAt: null }])
})

it('a "not now" is tried again with growing pauses for a day, and then kept as failed', async () => {
  const smtp = await startSmtp(() => ({ code: 451, message: 'greylisted' }))
  const sender = senderTo(smtp.port)
  await queueMail(db, uid, 'reset', now)
  const pauses: number[] = []
  let row = (await queued())[0]
  while (row && !row.failedAt) {
    await sender.deliverDue()
    row = (await queued())[0]
    if (!row || row.failedAt) {
      break
    }

    pauses.push(row.dueAt.getTime() - now)
    now = row.dueAt.getTime()
  }

  expect(pauses.slice(0, 3)).toEqual([30_000, minute, 2 * minute])
  expect(Math.max(...pauses)).toBe(hour)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(row?.reason).toContain('greylisted')
  expect(now - start).toBeGreaterThan(22 * hour)
})

it('a mail that waits goes out at once when an operator says so', async () => {
  let refusal: SmtpRefusal | null = { code: 451, message: 'greylisted' }
  const smtp = await startSmtp(() => refusal)
  const sender = senderTo(smtp.port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  refusal = null
  const [row] = await queued()
  expect(await retryMail(db, row?.id ?? '', now)).toBe(1)
  await sender.deliverDue()
  expect(smtp.received).toHaveLength(1)
})

it('an operator learns from /readyz that mail waits after three attempts, until it went out', async () => {
  let refusal: SmtpRefusal | null = { code: 451, message: 'not now' }
  const smtp = await startSmtp(() => refusal)
  const sender = senderTo(smtp.port)
  const warning = async () => (await readiness.report()).warnings.mail
  await queueMail(db, uid, 'reset', now)
  for (const expected of [undefined, undefined, expect.stringContaining('npm run mail -- list')]) {
    await sender.deliverDue()
    expect(await warning()).toEqual(expected)
    now += hour
  }

  refusal = null
  await sender.deliverDue()
  expect(await warning()).toBeUndefined()
})

it('without a mail server, mail is kept in a folder, /readyz says so, and it is sent with a new link once there is one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const compose = accountMailComposer(db, 'https://learn.example')
  const send = waitingMailer(folder, from)
  const sender = new MailSender({ db, compose, send, lacksServer: true, now: () => now })
  for (const _ of [1, 2]) {
    await queueMail(db, uid, 'reset', now)
  }

  await sender.deliverDue()
  expect(await readdir(folder)).toHaveLength(2)
  const kept = { failedAt: new Date(now), reason: 'kept in a folder, not sent' }
  expect(await queued()).toMatchObject([kept, kept])
  expect((await readiness.report()).warnings.mail).toContain('set SMTP_URL')

  now += hour
  const smtp = await startSmtp()
  expect(await retryMail(db, null, now)).toBe(2)
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(2)
  expect(await queued()).toEqual([])
  expect((await readiness.report()).warnings.mail).toBeUndefined()
  await rm(folder, { recursive: true })
})

it('a "never" is not tried again, and goes out when an operator says so', async () => {
  let refusal: SmtpRefusal | null = { code: 550, message: 'no such mailbox' }
  const smtp = await startSmtp(() => refusal)
  const sender = senderTo(smtp.port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  expect(await queued()).toMatchObject([
    { attempts: 1, failedAt: new Date(now), reason: expect.stringContaining('550') },
  ])
  now += hour
  await sender.deliverDue()
  expect(await queued()).toMatchObject([{ attempts: 1 }])

  refusal = null
  expect(await retryMail(db, null, now)).toBe(1)
  await sender.deliverDue()
  expect(smtp.received).toHaveLength(1)
})

it('a refused mail does not hold up the next one', async () => {
  let calls = 0
  const smtp = await startSmtp(() => {
    calls += 1
    return calls === 1 ? { code: 550, message: 'no such mailbox' } : null
  })
  await queueMail(db, uid, 'reset', now - 1)
  await queueMail(db, uid, 'reset', now)
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(1)
})

it('a password reset does not wait behind the reminders of a whole evening', async () => {
  const kinds: string[] = []
  for (const _ of [1, 2, 3]) {
    await queueMail(db, uid, 'study-reminder', now - hour)
  }

  await queueMail(db, uid, 'reset', now)
  const compose = async ({ kind }: { kind: string }) => {
    kinds.push(kind)
    return null
  }
  await new MailSender({ db, compose, send: async () => {}, now: () => now }).deliverDue()
  expect(kinds).toEqual(['reset', ...Array(3).fill('study-reminder')])
})

it('several processes send each mail once', async () => {
  const smtp = await startSmtp()
  for (let count = 0; count < 12; count += 1) {
    await queueMail(db, uid, 'reset', now)
  }

  await Promise.all([1, 2, 3].map(() => senderTo(smtp.port).deliverDue()))
  expect(smtp.received).toHaveLength(12)
  expect(new Set(smtp.received.map(({ source }) => messageIdOf(source))).size).toBe(12)
})

it('a mail whose process died while sending goes out again under the same Message-ID', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'reset', now)
  const [row] = await queued()
  await senderTo(smtp.port).deliverDue()
  // As if the process had died before it could note that the message was taken.
  await db
    .insert(outbox)
    .values({ ...(row as NonNullable<typeof row>), attempts: 1, dueAt: new Date(now + 2 * minute) })
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toHaveLength(1)
  now += 3 * minute
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received.map(({ source }) => messageIdOf(source))).toEqual(
    Array(2).fill(`<${row?.id}@localhost>`),
  )
})

it('mail to a deleted account is not sent', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'welcome', now)
  await db.delete(users).where(eq(users.id, uid))
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toEqual([])
})

it('a welcome that comes after the address was confirmed another way is dropped', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'welcome', now)
  await db.update(users).set({ emailVerified: true })
  await senderTo(smtp.port).deliverDue()
  expect(smtp.received).toEqual([])
  expect(await queued()).toEqual([])
})

it('failed mail is kept for two weeks', async () => {
  await queueMail(db, uid, 'reset', now)
  await db.update(outbox).set({ failedAt: new Date(now) })
  const sender = senderBy(async () => {})
  now += 14 * 24 * hour
  await sender.deliverDue()
  expect(await queued()).toHaveLength(1)
  now += 1
  await sender.deliverDue()
  expect(await queued()).toEqual([])
})

it('a sender that is stopped finishes what is under way', async () => {
  const smtp = await startSmtp()
  await queueMail(db, uid, 'reset', now)
  const stop = senderTo(smtp.port).start()
  await stop()
  expect(smtp.received).toHaveLength(1)
})
