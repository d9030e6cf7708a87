import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A real mail server on loopback, which keeps what it is given. @param refuse knows no mailbox. */
export async function startSmtpServer(refuse = false) {
  const received: { to: string[]; source: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) => done(refuse ? new Error('no such mailbox') : undefined),
    onData: async (stream, session, done) => {
      const source = await text(stream)
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), source })
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return { url, received, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
