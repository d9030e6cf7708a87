import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type SmtpRefusal = { code: number; message: string }

/**
 * Starts a mail server on loopback that stores every message.
 *
 * @param getRefusal returns the error for a recipient, or null to accept the message
 */
export async function startSmtpServer(getRefusal: () => SmtpRefusal | null = () => null, port = 0) {
  const received: { to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo(_address, _session, done) {
      const refusal = getRefusal()
      if (refusal === null) {
        return done()
      }

      done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
    },
    async onData(stream, session, done) {
      const source = await text(stream)
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      done()
    },
  })

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
