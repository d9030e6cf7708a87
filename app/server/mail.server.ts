import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { env, isLoopback } from './env.server'
import { type KeptMail, readMessage } from './mail-message.server'

export type Mail = {
  /** The same for every attempt, so that mail programs can tell a second copy. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}
/** Resolves once the message is taken. @param signal gives up. */
export type Mailer = (mail: Mail, signal: AbortSignal) => Promise<void>

/** Keeps absence notices from answering (RFC 3834). */
const defaults = (from: string) => ({ from, headers: { 'Auto-Submitted': 'auto-generated' } })

const connectWithinMs = 10_000
const answerWithinMs = 20_000
/** A server that answers slowly, byte by byte, is no better than one that does not. */
const sendWithinMs = 60_000

/** @param url of an SMTP server; one that does not answer in time is an error. */
export function smtpMailer(url: string, from: string, withinMs = sendWithinMs): Mailer {
  const limits = { connectionTimeout: connectWithinMs, greetingTimeout: connectWithinMs, socketTimeout: answerWithinMs }
  const transport = nodemailer.createTransport({ url, ...limits }, defaults(from))
  return async ({ id, ...mail }, signal) => {
    const gives = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    await transport.sendMail({ ...mail, to: recipient(mail.to), messageId: messageId(id), signal: gives })
  }
}

/** nodemailer takes a line apart, so that 'a:box@...' would be a group; an address object stays one address. */
const recipient = (address: string) => ({ name: '', address })

function messageId(id: string): string {
  return `<${id}@${new URL(env.PUBLIC_URL).hostname.replace(/[[\]]/g, '')}>`
}

/** Keeps each message as an `.eml` file, which any mail program opens. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, defaults(from))
  return async ({ id, ...mail }) => {
    const { message } = await transport.sendMail({ ...mail, to: recipient(mail.to), messageId: messageId(id) })
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}.eml`
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Whole or not at all: somebody may be watching the folder.
    const draft = path.join(folder, `.${name}`)
    await writeFile(draft, message as Buffer, { mode: 0o600 })
    await rename(draft, path.join(folder, name))
  }
}

const folder = path.join(env.DATA_DIR, 'mail')

/** The product's mail: by SMTP_URL, or into DATA_DIR/mail. */
export const sendMail: Mailer = env.SMTP_URL
  ? smtpMailer(env.SMTP_URL, env.MAIL_FROM)
  : folderMailer(folder, env.MAIL_FROM)

/** Where messages go, for the start-up text; never with a password. */
export function mailPlace(): string {
  if (env.SMTP_URL) return new URL(env.SMTP_URL).host
  return isLoopback ? `${folder}, shown at ${env.PUBLIC_URL}/mail` : `${folder}, not sent: set SMTP_URL`
}

/** The newest kept messages, the newest first. */
export async function listKeptMail(most = 50): Promise<KeptMail[]> {
  const names = await readdir(folder).catch(() => [])
  const newest = names
    .filter((name) => /^[\w-]+\.eml$/.test(name))
    .sort()
    .reverse()
    .slice(0, most)
  return Promise.all(newest.map(async (name) => readMessage(name, await readFile(path.join(folder, name), 'utf8'))))
}
