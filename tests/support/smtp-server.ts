import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type SmtpRefusal = { code: number; message: string }

/**
 * Starts a mail server on loopback that stores every message.
 *
 * @param getRefusal returns the error for a recipient, or null to accept the message
 * @param getSenderRefusal returns the error for a sender, or null to accept the sender
 */
export async function startSmtpServer(
  getRefusal: () => SmtpRefusal | null = () => null,
  port = 0,
  getSenderRefusal: () => SmtpRefusal | null = () => null,
) {
  const received: { to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onMailFrom(_address, _session, done) {
      done(createSmtpError(getSenderRefusal()))
    },
    onRcptTo(_address, _session, done) {
      done(createSmtpError(getRefusal()))
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

function createSmtpError(refusal: SmtpRefusal | null): Error | null {
  return refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code })
}
