import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { findFreePort } from '../../../tests/support/product'
import { type SmtpRefusal, startSmtpServer } from '../../../tests/support/smtp-server'
import { classifyDeliveryError } from './delivery-failure'
import { createSmtpMailer } from './mail.server'

const email = {
  id: '1',
  to: 'ada@learn.example',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
}

/** Sends an email to the port. Returns what kind of failure it was, or undefined. */
function sendAndClassify(port: number) {
  const from = { name: 'Learnify', address: 'a@learn.example' }
  const send = createSmtpMailer(`smtp://127.0.0.1:${port}`, () => from)
  return send(email, new AbortController().signal).catch(classifyDeliveryError)
}

it.each<[SmtpRefusal, string]>([
  [{ code: 550, message: '5.1.1 no such mailbox' }, 'refused'],
  [{ code: 451, message: 'greylisted' }, 'deferred'],
  [{ code: 421, message: 'too many of you' }, 'not-begun'],
])('classifies the reply %j to a recipient as %s', async (refusal, expected) => {
  const smtp = await startSmtpServer(() => refusal)
  expect(await sendAndClassify(smtp.port)).toBe(expected)

  await smtp.stop()
})

it('knows that a mail server that can’t be reached has received nothing', async () => {
  expect(await sendAndClassify(await findFreePort())).toBe('not-begun')
})

it('is uncertain about a connection that breaks off after the email was sent', async () => {
  const endOfEmail = /\r\n\.\r\n$/
  const server = await startServerThatHangsUp(endOfEmail)
  expect(await sendAndClassify(server.port)).toBe('uncertain')

  server.close()
})

it('does not blame the email for a refused sender or sign-in', () => {
  const refusedSender = { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }
  const refusedSignIn = { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }
  const refusedEmail = { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }
  const closedConnection = { code: 'EMESSAGE', command: 'DATA', responseCode: 421 }
  const missingRecipient = { code: 'EENVELOPE', command: 'API' }
  const abortedSending = { name: 'AbortError', code: 'ABORT_ERR' }

  expect(classifyDeliveryError(refusedSender)).toBe('not-begun')
  expect(classifyDeliveryError(refusedSignIn)).toBe('not-begun')
  expect(classifyDeliveryError(closedConnection)).toBe('not-begun')
  expect(classifyDeliveryError(refusedEmail)).toBe('refused')
  expect(classifyDeliveryError(missingRecipient)).toBe('invalid')
  expect(classifyDeliveryError(abortedSending)).toBe('uncertain')
})

/** Starts a server that speaks SMTP until it receives the text, and then closes the connection. */
async function startServerThatHangsUp(lastText: RegExp) {
  const server = createServer((socket) => {
    let isReceivingEmail = false
    socket.write('220 here\r\n')
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const text = data.toString()
      if (lastText.test(text)) {
        socket.destroy()
        return
      }

      if (isReceivingEmail) {
        return
      }

      if (text.startsWith('DATA')) {
        isReceivingEmail = true
        socket.write('354 go on\r\n')
        return
      }

      socket.write('250 fine\r\n')
    })
  })

  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  return { port, close: () => server.close() }
}
