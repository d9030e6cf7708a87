import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createAccountMailComposer } from '~/features/accounts/mail/account-mails.server'
import { type SmtpRefusal, startSmtpServer } from '../../../tests/support/smtp-server'
import { createTestDatabase } from '../../../tests/support/test-database'
import type { Database } from '../database/client.server'
import { outbox, users } from '../database/schema'
import { createSmtpMailer, createUnsentMailer, type Mailer } from './mail.server'
import { MailSender } from './mail-sender.server'
import { queueMail, queueMails, queueMailWith, readOutboxFigures, retryMail } from './outbox.server'

const uid = 'ada'
const startTime = Date.parse('2026-11-21T12:00:00Z')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
let now = startTime
let db: Database

beforeAll(async () => {
  db = (await createTestDatabase()).db
})
beforeEach(async () => {
  now = startTime
  await db.delete(users)
  await db
    .insert(users)
    .values({ id: uid, email: 'ada@test.example', name: 'Ada', firstName: 'Ada' })
})

/** Stop the mail servers of a test. */
const stopServers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stopServers.splice(0)) {
    await stop()
  }
})

/** Starts a mail server that stops with the test. */
async function startMailServer(...options: Parameters<typeof startSmtpServer>) {
  const mailServer = await startSmtpServer(...options)
  stopServers.push(mailServer.stop)
  return mailServer
}

const getSender = () => ({ name: 'Learnify', address: 'no-reply@learnify.example' })

function createSenderTo(port: number, timeoutMs?: number) {
  return createSender(createSmtpMailer(`smtp://127.0.0.1:${port}`, getSender, timeoutMs))
}

function createSender(send: Mailer) {
  const compose = createAccountMailComposer(db, 'https://learn.example')
  return new MailSender({ db, compose, send, now: () => now })
}

const listQueuedEmails = () => db.select().from(outbox)
const parseMessageId = (source = '') => /^Message-ID: (.*)$/m.exec(source)?.[1]?.trim()

it('an email reaches the mail server with a link of its own, and leaves the outbox', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'reset', now)
  await createSenderTo(mailServer.port).deliverDue()

  expect(mailServer.received).toHaveLength(1)
  expect(mailServer.received[0]?.source).toContain('/ResetPassword?token=')
  expect(await listQueuedEmails()).toEqual([])
})

it('an email is queued only if the transaction of its cause commits', async () => {
  await expect(
    db.transaction(async (tx) => {
      await queueMail(tx, uid, 'reset', now)
      throw new Error('the cause failed')
    }),
  ).rejects.toThrow('the cause failed')

  expect(await listQueuedEmails()).toEqual([])
})

it('an email whose process was killed while sending it arrives within two minutes', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'reset', now)
  let reportSending = () => {}
  const sendingStarted = new Promise<void>((resolve) => {
    reportSending = resolve
  })
  createSender(() => {
    reportSending()
    // Sending never ends, as in a process that was killed.
    return new Promise(() => {})
  }).wake()
  await sendingStarted
  await createSenderTo(mailServer.port).deliverDue()
  expect(mailServer.received).toHaveLength(0)

  // The background work sends every ten seconds.
  now += 2 * minuteMs - 10_000
  await createSenderTo(mailServer.port).deliverDue()
  expect(mailServer.received).toHaveLength(1)
  expect(await listQueuedEmails()).toEqual([])
})

it('an email in the outbox contains no email address and no token', async () => {
  await queueMail(db, uid, 'reset', now)
  expect(JSON.stringify(await listQueuedEmails())).not.toMatch(/@|token/)
})

it('an email waits while the mail server is down, and arrives once it is up', async () => {
  const { port } = await startMailServer()
  for (const stop of stopServers.splice(0)) {
    await stop()
  }

  const sender = createSenderTo(port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  expect(await listQueuedEmails()).toMatchObject([
    { attempts: 1, failedAt: null, reason: expect.stringContaining('ECONNREFUSED') },
  ])

  const restartedServer = await startMailServer(() => null, port)
  await sender.deliverDue()
  expect(restartedServer.received).toEqual([])

  now += minuteMs
  await sender.deliverDue()
  expect(restartedServer.received).toHaveLength(1)
})

it('an invitation counts as late once its due time has passed', async () => {
  const present = Date.now()
  await queueMails(db, 'invitation', [{ uid, dueAt: present + hourMs }], present - hourMs)
  expect(await readOutboxFigures(db)).toMatchObject({ waiting: 1, oldestSeconds: 0 })

  await queueMails(db, 'invitation', [{ uid, dueAt: present - 20 * minuteMs }], present - hourMs)
  const figures = await readOutboxFigures(db)
  expect(figures?.waiting).toBe(2)
  expect(figures?.oldestSeconds).toBeGreaterThan(1_190)
  expect(figures?.oldestSeconds).toBeLessThan(1_800)
})

it('while the mail server is down, only one email is tried', async () => {
  let attempts = 0
  const sender = createSender(async () => {
    attempts += 1
    throw Object.assign(new Error('no server'), { code: 'ECONNECTION' })
  })
  for (const _ of [1, 2, 3]) {
    await queueMail(db, uid, 'reset', now)
  }

  await sender.deliverDue()

  expect(attempts).toBe(1)
})

it('a mail server that accepts the connection but never responds is given up in time', async () => {
  const silentServer = createServer()
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve))
  stopServers.push(() => new Promise((resolve) => silentServer.close(() => resolve())))
  await queueMail(db, uid, 'reset', now)
  await createSenderTo((silentServer.address() as AddressInfo).port, 50).deliverDue()

  expect(await listQueuedEmails()).toMatchObject([{ attempts: 1, failedAt: null }])
})

it('a temporary refusal is followed by attempts with growing pauses for a day, and then the email has failed', async () => {
  const mailServer = await startMailServer(() => ({ code: 451, message: 'greylisted' }))
  const sender = createSenderTo(mailServer.port)
  await queueMail(db, uid, 'reset', now)
  const pauses: number[] = []
  let row = (await listQueuedEmails())[0]
  while (row && !row.failedAt) {
    await sender.deliverDue()
    row = (await listQueuedEmails())[0]
    if (!row || row.failedAt) {
      break
    }

    pauses.push(row.dueAt.getTime() - now)
    now = row.dueAt.getTime()
  }

  expect(pauses.slice(0, 3)).toEqual([30_000, minuteMs, 2 * minuteMs])
  expect(Math.max(...pauses)).toBe(hourMs)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(row?.reason).toContain('greylisted')
  expect(now - startTime).toBeGreaterThan(22 * hourMs)
})

it('an operator can make a waiting email go out at once', async () => {
  let refusal: SmtpRefusal | null = { code: 451, message: 'greylisted' }
  const mailServer = await startMailServer(() => refusal)
  const sender = createSenderTo(mailServer.port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  refusal = null
  const [row] = await listQueuedEmails()
  expect(await retryMail(db, row?.id ?? '', now)).toBe(1)

  await sender.deliverDue()
  expect(mailServer.received).toHaveLength(1)
})

it('an operator’s retry does not send an email twice that is being sent', async () => {
  let refusal: SmtpRefusal | null = { code: 451, message: 'greylisted' }
  const mailServer = await startMailServer(() => refusal)
  await queueMail(db, uid, 'reset', now)
  await createSenderTo(mailServer.port).deliverDue()
  refusal = null
  now += hourMs

  let retriedCount: number | undefined
  const sendToServer = createSmtpMailer(`smtp://127.0.0.1:${mailServer.port}`, getSender)
  const sender = createSender(async (mail, signal) => {
    retriedCount ??= await retryMail(db, null, now)
    await sendToServer(mail, signal)
  })
  await sender.deliverDue()
  await sender.deliverDue()

  expect(retriedCount).toBe(0)
  expect(mailServer.received).toHaveLength(1)
  expect(await listQueuedEmails()).toEqual([])
})

it('a refused sender is the school’s problem: emails wait, and /readyz warns', async () => {
  let refusal: SmtpRefusal | null = { code: 550, message: 'sender address rejected' }
  const mailServer = await startMailServer(undefined, undefined, () => refusal)
  const sender = createSenderTo(mailServer.port)
  await queueMail(db, uid, 'reset', now)
  for (const _attempt of [1, 2, 3]) {
    await sender.deliverDue()
    now += hourMs
  }

  expect(await listQueuedEmails()).toMatchObject([{ attempts: 3, failedAt: null }])
  expect(await sender.findWarning()).toContain('npm run mail -- list')

  refusal = null
  await sender.deliverDue()
  expect(mailServer.received).toHaveLength(1)
})

it('an email that can’t be composed does not delay the others', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'welcome', now - 1)
  await queueMail(db, uid, 'reset', now)
  const composeAccountEmail = createAccountMailComposer(db, 'https://learn.example')
  const sender = new MailSender({
    db,
    compose: (row) => {
      if (row.kind === 'welcome') {
        throw new Error('this email has no text')
      }

      return composeAccountEmail(row)
    },
    send: createSmtpMailer(`smtp://127.0.0.1:${mailServer.port}`, getSender),
    now: () => now,
  })

  await sender.deliverDue()

  expect(mailServer.received).toHaveLength(1)
  expect(await listQueuedEmails()).toMatchObject([
    { kind: 'welcome', attempts: 1, failedAt: null, reason: 'this email has no text' },
  ])
})

it('/readyz warns after three failed attempts until the email has been sent', async () => {
  let refusal: SmtpRefusal | null = { code: 451, message: 'not now' }
  const mailServer = await startMailServer(() => refusal)
  const sender = createSenderTo(mailServer.port)
  await queueMail(db, uid, 'reset', now)
  for (const expected of [null, null, expect.stringContaining('npm run mail -- list')]) {
    await sender.deliverDue()
    expect(await sender.findWarning()).toEqual(expected)
    now += hourMs
  }

  refusal = null
  await sender.deliverDue()

  expect(await sender.findWarning()).toBeNull()
})

it('without a mail server, emails are kept in a folder with a warning, and can be sent later', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const compose = createAccountMailComposer(db, 'https://learn.example')
  const send = createUnsentMailer(folder, getSender)
  const sender = new MailSender({ db, compose, send, lacksServer: true, now: () => now })
  for (const _ of [1, 2]) {
    await queueMail(db, uid, 'reset', now)
  }

  await sender.deliverDue()
  expect(await readdir(folder)).toHaveLength(2)

  const unsentEmail = { failedAt: new Date(now), reason: 'kept in a folder, not sent' }
  expect(await listQueuedEmails()).toMatchObject([unsentEmail, unsentEmail])
  expect(await sender.findWarning()).toContain('set SMTP_URL')

  now += hourMs
  const mailServer = await startMailServer()
  expect(await retryMail(db, null, now)).toBe(2)

  const laterSender = createSenderTo(mailServer.port)
  await laterSender.deliverDue()
  expect(mailServer.received).toHaveLength(2)
  expect(await listQueuedEmails()).toEqual([])
  expect(await laterSender.findWarning()).toBeNull()

  await rm(folder, { recursive: true })
})

it('a permanent refusal is not tried again until an operator retries the email', async () => {
  let refusal: SmtpRefusal | null = { code: 550, message: 'no such mailbox' }
  const mailServer = await startMailServer(() => refusal)
  const sender = createSenderTo(mailServer.port)
  await queueMail(db, uid, 'reset', now)
  await sender.deliverDue()
  expect(await listQueuedEmails()).toMatchObject([
    { attempts: 1, failedAt: new Date(now), reason: expect.stringContaining('550') },
  ])

  now += hourMs
  await sender.deliverDue()
  expect(await listQueuedEmails()).toMatchObject([{ attempts: 1 }])

  refusal = null
  expect(await retryMail(db, null, now)).toBe(1)

  await sender.deliverDue()
  expect(mailServer.received).toHaveLength(1)
})

it('a refused email does not delay the next one', async () => {
  let calls = 0
  const mailServer = await startMailServer(() => {
    calls += 1
    return calls === 1 ? { code: 550, message: 'no such mailbox' } : null
  })
  await queueMail(db, uid, 'reset', now - 1)
  await queueMail(db, uid, 'reset', now)
  await createSenderTo(mailServer.port).deliverDue()

  expect(mailServer.received).toHaveLength(1)
})

it('a password reset is sent before the reminders of a whole evening', async () => {
  const kinds: string[] = []
  for (const _ of [1, 2, 3]) {
    await queueMail(db, uid, 'study-reminder', now - hourMs)
  }

  await queueMail(db, uid, 'reset', now)
  const compose = async ({ kind }: { kind: string }) => {
    kinds.push(kind)
    return null
  }
  await new MailSender({ db, compose, send: async () => {}, now: () => now }).deliverDue()

  expect(kinds).toEqual(['reset', ...Array(3).fill('study-reminder')])
})

it('several processes send each email once', async () => {
  const mailServer = await startMailServer()
  for (let count = 0; count < 12; count += 1) {
    await queueMail(db, uid, 'reset', now)
  }

  await Promise.all([1, 2, 3].map(() => createSenderTo(mailServer.port).deliverDue()))

  expect(mailServer.received).toHaveLength(12)
  expect(new Set(mailServer.received.map(({ source }) => parseMessageId(source))).size).toBe(12)
})

it('an email whose process died while sending goes out again under the same Message-ID', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'reset', now)
  const [row] = await listQueuedEmails()
  await createSenderTo(mailServer.port).deliverDue()
  // Restores the row, as if the process had died before recording that the email was sent.
  await db.insert(outbox).values({
    ...(row as NonNullable<typeof row>),
    attempts: 1,
    dueAt: new Date(now + 2 * minuteMs),
  })
  await createSenderTo(mailServer.port).deliverDue()
  expect(mailServer.received).toHaveLength(1)

  now += 3 * minuteMs
  await createSenderTo(mailServer.port).deliverDue()
  expect(mailServer.received.map(({ source }) => parseMessageId(source))).toEqual(
    Array(2).fill(`<${row?.id}@localhost>`),
  )
})

it('an email to a deleted account is not sent', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'welcome', now)
  await db.delete(users).where(eq(users.id, uid))
  await createSenderTo(mailServer.port).deliverDue()

  expect(mailServer.received).toEqual([])
})

it('a welcome email is dropped if the email address has been confirmed meanwhile', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'welcome', now)
  await db.update(users).set({ emailVerified: true })
  await createSenderTo(mailServer.port).deliverDue()

  expect(mailServer.received).toEqual([])
  expect(await listQueuedEmails()).toEqual([])
})

it('a failed email is kept for two weeks', async () => {
  await queueMail(db, uid, 'reset', now)
  await db.update(outbox).set({ failedAt: new Date(now) })
  const sender = createSender(async () => {})
  now += 14 * dayMs
  await sender.deliverDue()
  expect(await listQueuedEmails()).toHaveLength(1)

  now += 1
  await sender.deliverDue()
  expect(await listQueuedEmails()).toEqual([])
})

it('a bounce is kept for 400 days, but after two weeks it is neither counted nor retried', async () => {
  await queueMail(db, uid, 'invitation', now)
  const reason = '550 5.1.1 <ada@test.example>: User unknown'
  await db.update(outbox).set({ failedAt: new Date(now), reason })
  const sender = createSender(async () => {})
  now += 15 * dayMs
  await sender.deliverDue()
  expect(await listQueuedEmails()).toMatchObject([{ reason }])
  expect(await readOutboxFigures(db, now)).toMatchObject({ failed: 0 })
  expect(await retryMail(db, null, now)).toBe(0)

  now = startTime + 400 * dayMs
  await sender.deliverDue()
  expect(await listQueuedEmails()).toHaveLength(1)

  now += 1
  await sender.deliverDue()
  expect(await listQueuedEmails()).toEqual([])
})

it('a bounce of a previous email address is kept for two weeks only', async () => {
  await queueMailWith(db, uid, 'address-changed', { formerAddress: 'old@test.example' }, now)
  await db.update(outbox).set({ failedAt: new Date(now), reason: '550 5.1.1 User unknown' })
  now += 14 * dayMs + 1
  await createSender(async () => {}).deliverDue()

  expect(await listQueuedEmails()).toEqual([])
})

it('a sender that is stopped finishes sending the current email', async () => {
  const mailServer = await startMailServer()
  await queueMail(db, uid, 'reset', now)
  const stop = createSenderTo(mailServer.port).start()
  await stop()

  expect(mailServer.received).toHaveLength(1)
})
