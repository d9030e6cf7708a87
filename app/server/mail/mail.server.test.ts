import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { parseEmail } from './dev-mailbox.server'
import { createFolderMailer, createSmtpMailer } from './mail.server'

const getSender = () => ({ name: 'Learnify', address: 'no-reply@learnify.example' })

it('without a mail server, each email is stored as a file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const send = createFolderMailer(folder, getSender)
  const text = 'Zażółć gęślą jaźń, 李小龙: https://learn.example/a?b=c'.repeat(3)
  const mail = { to: 'ada@test.example', subject: 'Hello', text, html: '<p>Hello</p>' }
  await Promise.all(
    ['1', '2', '3'].map((id) => send({ ...mail, id }, new AbortController().signal)),
  )
  const files = await readdir(folder)
  expect(files).toHaveLength(3)
  expect(await readFile(path.join(folder, files[0] ?? ''), 'utf8')).toContain(
    'Auto-Submitted: auto-generated',
  )

  const email = parseEmail(await readFile(path.join(folder, files[0] ?? ''), 'utf8'))
  expect(email).toMatchObject({ to: 'ada@test.example', subject: 'Hello', text })

  await rm(folder, { recursive: true })
})

it.each([
  'We’ve received your withdrawal from a course with a very long title, which goes on and on',
  '李小龙の講座',
])(
  'the mailbox of a development machine shows the subject ‘%s’ and the text of an email with an attachment',
  async (subject) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
    const attachments = [{ filename: 'receipt-1.pdf', content: Buffer.from('%PDF') }]
    const mail = {
      id: '1',
      to: 'ada@test.example',
      subject,
      text: 'Für Sie',
      html: '<p>Hello</p>',
      attachments,
    }

    await createFolderMailer(folder, getSender)(mail, new AbortController().signal)
    const [name = ''] = await readdir(folder)
    const email = parseEmail(await readFile(path.join(folder, name), 'utf8'))
    expect(email).toMatchObject({ subject, text: 'Für Sie' })

    await rm(folder, { recursive: true })
  },
)

it('an email address or a subject can add neither a recipient nor a header', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const send = createFolderMailer(folder, getSender)
  const mail = {
    subject: 'Hello\r\nBcc: all@evil.example\nX-Odd: 1',
    text: 'Hello',
    html: '<p>Hello</p>',
  }

  for (const [index, to] of [
    'a:box@corp.example',
    'a,b@corp.example',
    'a@corp.example\r\nBcc: b@evil.example',
  ].entries()) {
    await send({ ...mail, id: String(index), to }, new AbortController().signal)
  }

  const files = await readdir(folder)
  expect(files).toHaveLength(3)

  for (const name of files) {
    const [head = ''] = (await readFile(path.join(folder, name), 'utf8')).split('\n\n')
    expect(head.match(/^(To|Cc|Bcc|X-Odd):/gim)).toEqual(['To:'])
    expect(head).toMatch(/^To: .*corp\.example.*$/m)
  }

  await rm(folder, { recursive: true })
})

it.each([
  // This IP address leads to this machine, but is not a loopback address.
  ['is not sent without TLS', '0.0.0.0', '', []],
  ['is sent without TLS if the setting says so', '0.0.0.0', '?requireTLS=false', ['s3cret']],
  ['is sent without TLS to this machine', '127.0.0.1', '', ['s3cret']],
])('the password of a mail server %s', async (_behavior, host, query, expectedPasswords) => {
  const passwords: unknown[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      passwords.push(password)
      done(null, { user: 'school' })
    },
    onData(stream, _session, done) {
      stream.resume().once('end', () => done())
    },
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const send = createSmtpMailer(`smtp://school:s3cret@${host}:${port}${query}`, getSender)
  const mail = {
    id: '1',
    to: 'ada@test.example',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
  }
  const errorCode = await send(mail, new AbortController().signal).catch(({ code }) => code)

  expect(passwords).toEqual(expectedPasswords)
  expect(errorCode).toBe(expectedPasswords.length > 0 ? undefined : 'ETLS')

  await new Promise<void>((resolve) => server.close(resolve))
})
