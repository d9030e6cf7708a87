import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startSmtpServer } from '../../tests/support/smtp-server'
import { AccountMails } from './auth/account-mails.server'
import { folderMailer, smtpMailer } from './mail.server'
import { readMessage } from './mail-message'

const from = 'Learnify <no-reply@learnify.example>'

it('a reset mail goes through an SMTP conversation, as text and as HTML', async () => {
  const smtp = await startSmtpServer()
  const mails = new AccountMails('https://learn.example', smtpMailer(smtp.url, from))
  await mails.sendReset({ email: 'ada@test.example' }, 'the-token')
  await smtp.stop()
  const [mail] = smtp.received
  expect(mail?.to).toEqual(['ada@test.example'])
  expect(mail?.source).toContain('multipart/alternative')
  expect(mail?.source).toContain('text/html')
  const message = readMessage('x', mail?.source ?? '')
  expect(message.subject).toBe('Reset your Learnify password')
  expect(message.text).toContain('https://learn.example/ResetPassword?token=the-token')
  expect(message.text).toContain('works once and for one hour')
})

it('a mail that the server refuses is an error', async () => {
  const smtp = await startSmtpServer(true)
  const mails = new AccountMails('https://learn.example', smtpMailer(smtp.url, from))
  await expect(mails.sendReset({ email: 'ada@test.example' }, 'the-token')).rejects.toThrow()
  await smtp.stop()
})

it('without a server messages are kept as files that only their owner reads', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const send = folderMailer(folder, from)
  const words = 'Zażółć gęślą jaźń, 李小龙: https://learn.example/a?b=c'.repeat(3)
  await Promise.all(
    [1, 2, 3].map(() => send({ to: 'ada@test.example', subject: 'Hello', text: words, html: '<p>Hello</p>' })),
  )
  const names = await readdir(folder)
  expect(names).toHaveLength(3)
  const message = readMessage('x', await readFile(path.join(folder, names[0] ?? ''), 'utf8'))
  expect(message).toMatchObject({ to: 'ada@test.example', subject: 'Hello', text: words })
  await rm(folder, { recursive: true })
})
