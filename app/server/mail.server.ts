import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { env } from './env.server'
import { type KeptMail, readMessage } from './mail-message'

export type Mail = { to: string; subject: string; text: string; html: string }
export type Mailer = (mail: Mail) => Promise<void>

/** @param url of an SMTP server; messages are sent at once, and a server that does not answer is an error. */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = nodemailer.createTransport(url, { from })
  return async (mail) => {
    await transport.sendMail(mail)
  }
}

/** Keeps each message as an `.eml` file, which any mail program opens. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from })
  return async (mail) => {
    const { message } = await transport.sendMail(mail)
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
  return env.SMTP_URL ? new URL(env.SMTP_URL).host : `${folder}, shown at ${env.PUBLIC_URL}/mail`
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
