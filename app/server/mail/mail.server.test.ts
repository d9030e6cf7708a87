import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, it } from 'vitest'
import { readMessage } from './dev-mailbox.server'
import { folderMailer, smtpMailer } from './mail.server'

const from = () => ({ name: 'Learnify', address: 'no-reply@learnify.example' })

it('without a server messages are kept as files that only their owner reads', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const send = folderMailer(folder, from)
  const words = 'Zażółć gęślą jaźń, 李小龙: https://learn.example/a?b=c'.repeat(3)
  const mail = { to: 'ada@test.example', subject: 'Hello', text: words, html: '<p>Hello</p>' }
  await Promise.all(
    ['1', '2', '3'].map((id) => send({ ...mail, id }, new AbortController().signal)),
  )
  const names = await readdir(folder)
  expect(names).toHaveLength(3)
  expect(await readFile(path.join(folder, names[0] ?? ''), 'utf8')).toContain(
    'Auto-Submitted: auto-generated',
  )
  const message = readMessage('x', await readFile(path.join(folder, names[0] ?? ''), 'utf8'))
  expect(message).toMatchObject({ to: 'ada@test.example', subject: 'Hello', text: words })
  await rm(folder, { recursive: true })
})

it.each([
  'We’ve received your withdrawal from a course with a very long title, which goes on and on',
  '李小龙の講座',
])(
  'the mailbox of a development machine shows ‘%s’, also beside an attachment',
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

    await folderMailer(folder, from)(mail, new AbortController().signal)
    const [name = ''] = await readdir(folder)
    const message = readMessage('x', await readFile(path.join(folder, name), 'utf8'))
    expect(message).toMatchObject({ subject, text: 'Für Sie' })
    await rm(folder, { recursive: true })
  },
)

it('nothing in an address or a subject becomes another recipient or a header', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-mail-'))
  const send = folderMailer(folder, from)
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

  const names = await readdir(folder)
  expect(names).toHaveLength(3)
  for (const name of names) {
    const [head = ''] = (await readFile(path.join(folder, name), 'utf8')).split('\n\n')
    expect(head.match(/^(To|Cc|Bcc|X-Odd):/gim)).toEqual(['To:'])
    expect(head).toMatch(/^To: .*corp\.example.*$/m)
  }

  await rm(folder, { recursive: true })
})

it.each([
  // This name leads to this machine, but isn't a loopback name.
  ['is not sent without TLS', '0.0.0.0', '', []],
  ['is sent without TLS if the setting says so', '0.0.0.0', '?requireTLS=false', ['s3cret']],
  ['is sent without TLS to this machine', '127.0.0.1', '', ['s3cret']],
])('the password of a mail server %s', async (_what, host, more, expected) => {
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
  const send = smtpMailer(`smtp://school:s3cret@${host}:${port}${more}`, from)
  const mail = {
    id: '1',
    to: 'ada@test.example',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
  }
  const outcome = await send(mail, new AbortController().signal).catch(({ code }) => code)
  expect([outcome, passwords]).toEqual([expected.length > 0 ? undefined : 'ETLS', expected])
  await new Promise<void>((resolve) => server.close(resolve))
})
