import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import nodemailer from 'nodemailer'
import { env } from './env.server'

const folder = path.join(env.DATA_DIR, 'mail')
const transport = nodemailer.createTransport(env.SMTP_URL ?? { streamTransport: true, buffer: true, newline: 'unix' })

export type Mail = { to: string; subject: string; text: string; html?: string }

/** Sends by SMTP_URL, or keeps the message as an `.eml` file in DATA_DIR/mail. @throws if the SMTP server refuses it. */
export async function sendMail(mail: Mail): Promise<void> {
  const sent = await transport.sendMail({ from: env.MAIL_FROM, ...mail })
  if (env.SMTP_URL || !('message' in sent)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}.eml`), sent.message as Buffer, {
    mode: 0o600,
  })
}

/** Where messages go, for the start-up text; never with a password. */
export function mailPlace(): string {
  return env.SMTP_URL ? new URL(env.SMTP_URL).host : folder
}
