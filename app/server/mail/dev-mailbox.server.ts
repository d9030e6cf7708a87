import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { mailFolder } from './mail.server'

type EmailText = { to: string; subject: string; text: string }
/** An email, and the name of its file. */
type StoredEmail = EmailText & { name: string }

const emailsPerPage = 50

/** Returns the emails that were stored instead of sent, newest first. */
export async function listStoredEmails(limit = emailsPerPage): Promise<StoredEmail[]> {
  const fileNames = await readdir(mailFolder).catch(() => [])
  const emailFiles = fileNames.filter((name) => /^[\w-]+\.eml$/.test(name))
  // The name of a file starts with the time of the email.
  const newestFiles = emailFiles.sort().reverse().slice(0, limit)

  return Promise.all(
    newestFiles.map(async (name) => {
      const source = await readFile(path.join(mailFolder, name), 'utf8')
      return { name, ...parseEmail(source) }
    }),
  )
}

/** Parses the headers and the plain text of an email that this product wrote. */
export function parseEmail(source: string): EmailText {
  const email = parsePart(source.replaceAll('\r\n', '\n'))
  const { headers } = email
  const plainTextPart = listParts(email).find((part) =>
    (part.headers['content-type'] ?? '').startsWith('text/plain'),
  )

  return {
    to: headers.to ?? '',
    subject: decodeHeader(headers.subject ?? ''),
    text: plainTextPart ? decodeBody(plainTextPart).trim() : '',
  }
}

/** One part of an email, such as its plain text, its HTML or an attachment. */
type MimePart = { headers: Record<string, string>; body: string }

/** Returns the innermost parts. Emails with attachments have nested parts. */
function listParts(part: MimePart): MimePart[] {
  const boundary = /boundary="?([^";\n]+)/.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) {
    return [part]
  }

  return part.body.split(`--${boundary}`).flatMap((text) => listParts(parsePart(text.trimStart())))
}

/** Parses the headers of an email or of a part, and the body that follows after an empty line. */
function parsePart(source: string): MimePart {
  const headerEnd = source.indexOf('\n\n')
  // A long header continues in indented lines.
  const lines = source
    .slice(0, headerEnd)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })

  return { headers: Object.fromEntries(headers), body: source.slice(headerEnd + 2) }
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function decodeHeader(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_match, encoding: string, word: string) => {
      const isBase64 = encoding.toUpperCase() === 'B'
      return isBase64
        ? decodeText(word, 'base64')
        : decodeText(word.replaceAll('_', ' '), 'quoted-printable')
    })
}

function decodeBody({ headers, body }: MimePart): string {
  return decodeText(body, headers['content-transfer-encoding'] ?? '')
}

function decodeText(text: string, encoding: string): string {
  if (encoding === 'base64') {
    return Buffer.from(text, 'base64').toString('utf8')
  }

  if (encoding !== 'quoted-printable') {
    return text
  }

  const bytes = text
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )

  return Buffer.from(bytes, 'latin1').toString('utf8')
}
