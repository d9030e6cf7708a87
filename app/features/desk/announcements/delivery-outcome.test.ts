import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { smtpMailer } from '~/server/mail/mail.server'
import { freePort } from '../../../../tests/support/product'
import { type SmtpRefusal, startSmtpServer } from '../../../../tests/support/smtp-server'
import { outcomeOf } from './delivery-outcome'

const mail = {
  id: '1',
  to: 'ada@learn.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}
const send = (port: number, signal = new AbortController().signal) =>
  smtpMailer(`smtp://127.0.0.1:${port}`, () => ({ name: 'Learnify', address: 'a@learn.example' }))(
    mail,
    signal,
  ).catch(outcomeOf)

it.each<[SmtpRefusal, string]>([
  [{ code: 550, words: '5.1.1 no such mailbox' }, 'failed'],
  [{ code: 451, words: 'greylisted' }, 'later'],
  [{ code: 421, words: 'too many of you' }, 'not-begun'],
])('a server that answers %j to a recipient: %s', async (refusal, outcome) => {
  const smtp = await startSmtpServer(() => refusal)
  expect(await send(smtp.port)).toBe(outcome)
  await smtp.stop()
})

it('a server that isn’t there got nothing', async () => {
  expect(await send(await freePort())).toBe('not-begun')
})

/** Speaks SMTP up to a command, and then closes the connection. */
async function hangUpAt(end: RegExp) {
  const server = createServer((socket) => {
    let isData = false
    socket.write('220 here\r\n')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (end.test(data.toString())) {
        socket.destroy()
      } else if (isData) {
        return
      } else if (data.toString().startsWith('DATA')) {
        isData = true
        socket.write('354 go on\r\n')
      } else {
        socket.write('250 fine\r\n')
      }
    })
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  return { port, close: () => server.close() }
}

it('a connection that breaks off after the message leaves it uncertain', async () => {
  const server = await hangUpAt(/\r\n\.\r\n$/)
  expect(await send(server.port)).toBe('uncertain')
  server.close()
})

it('a refused sender is about no recipient', () => {
  expect(outcomeOf({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 })).toBe(
    'not-begun',
  )
  expect(outcomeOf({ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 })).toBe('not-begun')
  expect(outcomeOf({ code: 'EMESSAGE', command: 'DATA', responseCode: 554 })).toBe('failed')
  expect(outcomeOf({ name: 'AbortError', code: 'ABORT_ERR' })).toBe('uncertain')
})
