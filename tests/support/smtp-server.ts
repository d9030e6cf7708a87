import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type SmtpRefusal = { code: number; words: string }

/**
 * A real mail server on loopback, which stores all mail.
 *
 * @param refusal its error for a recipient, if any.
 */
export async function startSmtpServer(refusal: () => SmtpRefusal | null = () => null, port = 0) {
  const received: { to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      const answer = refusal()
      done(answer && Object.assign(new Error(answer.words), { responseCode: answer.code }))
    },
    async onData(stream, session, done) {
      const source = await text(stream)
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      done()
    },
  })

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const at = (server.server.address() as AddressInfo).port

  return {
    port: at,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
