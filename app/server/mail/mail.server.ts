import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { env, isLoopback } from '../env.server'
import { isLoopbackUrl } from '../http/loopback.server'
import { mailSender } from '../site/site.server'

export type Mail = {
  /** The same for every attempt, so that mail programs can tell a second copy. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  attachments?: { filename: string; content: Buffer }[]
}
/** Resolves when the message is accepted. @param signal gives up. */
export type Mailer = (mail: Mail, signal: AbortSignal) => Promise<void>

/** Stops automatic replies such as absence notices (RFC 3834). */
const defaults = { headers: { 'Auto-Submitted': 'auto-generated' } }

/** A function, because an owner may change the sender while the product runs. */
export type Sender = () => { name: string; address: string }

const connectWithinMs = 10_000
const answerWithinMs = 20_000
/** Also ends a server that answers byte by byte. */
export const sendWithinMs = 60_000

const limits = {
  connectionTimeout: connectWithinMs,
  greetingTimeout: connectWithinMs,
  socketTimeout: answerWithinMs,
}

/**
 * Sends a password to another machine only with TLS, unless the address says `?requireTLS=false`.
 */
const optionsFor = (url: string) => ({
  url,
  requireTLS: new URL(url).password !== '' && !isLoopbackUrl(url),
  ...limits,
})

/** @param url of an SMTP server; it is an error if it doesn't answer in time. */
export function smtpMailer(url: string, from: Sender, withinMs = sendWithinMs): Mailer {
  const transport = nodemailer.createTransport(optionsFor(url), defaults)
  return async ({ id, ...mail }, signal) => {
    const giveUp = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    await transport.sendMail({
      ...mail,
      from: from(),
      to: recipient(mail.to),
      messageId: messageId(id),
      signal: giveUp,
    })
  }
}

/** Connects and signs in without sending anything. Rejects if the server refuses. */
export async function greetMailServer(url: string): Promise<void> {
  await nodemailer.createTransport(optionsFor(url)).verify()
}

/**
 * nodemailer takes a line apart, so that 'a:box@...' would be a group; an address object stays one
 * address.
 */
const recipient = (address: string) => ({ name: '', address })

function messageId(id: string): string {
  return `<${id}@${new URL(env.PUBLIC_URL).hostname.replace(/[[\]]/g, '')}>`
}

/** Writes each message into an `.eml` file, which any mail program opens. */
export function folderMailer(folder: string, from: Sender): Mailer {
  const transport = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: 'unix' },
    defaults,
  )
  return async ({ id, ...mail }) => {
    const { message } = await transport.sendMail({
      ...mail,
      from: from(),
      to: recipient(mail.to),
      messageId: messageId(id),
    })
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}.eml`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Renamed when it is whole: another program may be watching the folder.
    const draft = path.join(folder, `.${name}`)
    await writeFile(draft, message as Buffer, { mode: 0o600 })
    await rename(draft, path.join(folder, name))
  }
}

/**
 * A message was written into the folder only. Its row stays in the outbox, to be sent once there is
 * a mail server.
 */
export class NotSentError extends Error {
  override name = 'NotSentError'

  constructor() {
    super('kept in a folder, not sent')
  }
}

/** For a public address that has no mail server yet. */
export function waitingMailer(folder: string, from: Sender): Mailer {
  const write = folderMailer(folder, from)
  return async (mail, signal) => {
    await write(mail, signal)
    throw new NotSentError()
  }
}

/** Of the messages that aren't sent because there is no SMTP server. */
export const mailFolder = path.join(env.DATA_DIR, 'mail')

/** Learners expect email that can't be sent. A loopback address shows them at `/mail` instead. */
export const lacksMailServer = !env.SMTP_URL && !isLoopback

/** The product's mail: by SMTP_URL, or into DATA_DIR/mail. */
export const sendMail: Mailer = env.SMTP_URL
  ? smtpMailer(env.SMTP_URL, mailSender)
  : (isLoopback ? folderMailer : waitingMailer)(mailFolder, mailSender)

/** Where messages go, for the start-up text; never with a password. */
export function mailPlace(): string {
  if (env.SMTP_URL) {
    return new URL(env.SMTP_URL).host
  }

  return isLoopback
    ? `${mailFolder}, shown at ${env.PUBLIC_URL}/mail`
    : `${mailFolder}, not sent: set SMTP_URL`
}
