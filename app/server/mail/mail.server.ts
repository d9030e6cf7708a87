import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { env, isLoopback } from '../env.server'
import { isLoopbackUrl } from '../http/loopback-url.server'
import { mailSender } from '../site/site.server'

export type Mail = {
  /** Every attempt has the same ID, so that mail programs recognize a second copy. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
  attachments?: { filename: string; content: Buffer }[]
}
/**
 * Sends an email. The promise resolves when the mail server has accepted the email.
 *
 * @param signal interrupts sending when it is aborted
 */
export type Mailer = (mail: Mail, signal: AbortSignal) => Promise<void>

/** The header prevents automatic replies such as absence notices (RFC 3834). */
const messageDefaults = { headers: { 'Auto-Submitted': 'auto-generated' } }

/** Returns the current sender, because an owner may change the sender while the product runs. */
type GetSender = () => { name: string; address: string }

const connectTimeoutMs = 10_000
/** The time limit of each response of the mail server. */
const responseTimeoutMs = 20_000
/**
 * The time limit of the whole conversation. A server that responds byte by byte would need longer.
 */
export const sendTimeoutMs = 60_000

/**
 * Creates a mailer for an SMTP server.
 *
 * @returns a mailer that throws if the server does not accept an email in time
 */
export function createSmtpMailer(
  url: string,
  getSender: GetSender,
  timeoutMs = sendTimeoutMs,
): Mailer {
  const transport = nodemailer.createTransport(getSmtpOptions(url), messageDefaults)

  return async ({ id, ...mail }, signal) => {
    await transport.sendMail({
      ...mail,
      from: getSender(),
      to: toSingleRecipient(mail.to),
      messageId: formatMessageId(id),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
  }
}

/**
 * Returns the options of an SMTP connection. A password is sent to another machine only with TLS,
 * unless the URL says `?requireTLS=false`.
 */
function getSmtpOptions(url: string) {
  return {
    url,
    requireTLS: new URL(url).password !== '' && !isLoopbackUrl(url),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: responseTimeoutMs,
  }
}

/**
 * Connects to a mail server and signs in, without sending anything.
 *
 * @throws if the server can't be reached or refuses
 */
export async function checkMailServer(url: string): Promise<void> {
  await nodemailer.createTransport(getSmtpOptions(url)).verify()
}

/**
 * nodemailer would parse a text, and read 'a:box@...' as a group. It sends to an object as it is.
 */
function toSingleRecipient(email: string) {
  return { name: '', address: email }
}

function formatMessageId(id: string): string {
  // An IPv6 address has brackets in a URL.
  const host = new URL(env.PUBLIC_URL).hostname.replace(/[[\]]/g, '')
  return `<${id}@${host}>`
}

/** Creates a mailer that writes each email into an `.eml` file, which mail programs can open. */
export function createFolderMailer(folder: string, getSender: GetSender): Mailer {
  const transport = nodemailer.createTransport(
    { streamTransport: true, buffer: true, newline: 'unix' },
    messageDefaults,
  )

  return async ({ id, ...mail }) => {
    const { message } = await transport.sendMail({
      ...mail,
      from: getSender(),
      to: toSingleRecipient(mail.to),
      messageId: formatMessageId(id),
    })

    const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
    const name = `${time}-${randomBytes(3).toString('hex')}.eml`
    await mkdir(folder, { recursive: true, mode: 0o700 })

    // The file gets its name when it is complete, because another program may be watching the
    // folder.
    const temporaryFile = path.join(folder, `.${name}`)
    await writeFile(temporaryFile, message as Buffer, { mode: 0o600 })
    await rename(temporaryFile, path.join(folder, name))
  }
}

/**
 * Means that an email was only written into the folder. Its row stays in the outbox, and the email
 * can be sent once there is a mail server.
 */
export class NotSentError extends Error {
  override name = 'NotSentError'

  constructor() {
    super('kept in a folder, not sent')
  }
}

/**
 * Creates the mailer of a product with a public URL, but without a mail server. It writes each
 * email into the folder, and then throws a `NotSentError`.
 */
export function createUnsentMailer(folder: string, getSender: GetSender): Mailer {
  const writeToFolder = createFolderMailer(folder, getSender)

  return async (mail, signal) => {
    await writeToFolder(mail, signal)
    throw new NotSentError()
  }
}

/** The folder of the emails that are not sent, because there is no mail server. */
export const mailFolder = path.join(env.DATA_DIR, 'mail')

/**
 * Whether learners expect emails that can't be sent. A product with a loopback URL shows its emails
 * at `/mail` instead.
 */
export const lacksMailServer = !env.SMTP_URL && !isLoopback

/** Sends the product's emails with the server of SMTP_URL, or writes them into the folder. */
export const sendMail: Mailer = createProductMailer()

function createProductMailer(): Mailer {
  if (env.SMTP_URL) {
    return createSmtpMailer(env.SMTP_URL, mailSender)
  }

  return isLoopback
    ? createFolderMailer(mailFolder, mailSender)
    : createUnsentMailer(mailFolder, mailSender)
}

/** Describes where emails go, for the start-up text. The description never contains a password. */
export function describeMailDelivery(): string {
  if (env.SMTP_URL) {
    return new URL(env.SMTP_URL).host
  }

  return isLoopback
    ? `${mailFolder}, shown at ${env.PUBLIC_URL}/mail`
    : `${mailFolder}, not sent: set SMTP_URL`
}
