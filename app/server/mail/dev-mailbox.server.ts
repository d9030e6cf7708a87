import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { mailFolder } from './mail.server'

type Message = { name: string; to: string; subject: string; text: string }

/** The messages of a machine without an SMTP server, newest first. */
export async function listMessages(limit = 50): Promise<Message[]> {
  const names = (await readdir(mailFolder).catch(() => [])).filter((name) =>
    /^[\w-]+\.eml$/.test(name),
  )
  const newest = names.sort().reverse().slice(0, limit)

  return Promise.all(
    newest.map(async (name) =>
      readMessage(name, await readFile(path.join(mailFolder, name), 'utf8')),
    ),
  )
}

/** Reads the plain text of a message that this product wrote. */
export function readMessage(name: string, source: string): Message {
  const message = splitPart(source.replaceAll('\r\n', '\n'))
  const { headers } = message
  const plain = partsOf(message).find((part) =>
    (part.headers['content-type'] ?? '').startsWith('text/plain'),
  )

  return {
    name,
    to: headers.to ?? '',
    subject: decodeWords(headers.subject ?? ''),
    text: plain ? decode(plain.body, plain.headers['content-transfer-encoding'] ?? '').trim() : '',
  }
}

/** Of a message with an attachment, one of the parts has the text in parts of its own. */
function partsOf(part: Part): Part[] {
  const boundary = /boundary="?([^";\n]+)/.exec(part.headers['content-type'] ?? '')?.[1]
  if (!boundary) {
    return [part]
  }

  return part.body.split(`--${boundary}`).flatMap((text) => partsOf(splitPart(text.trimStart())))
}

type Part = { headers: Record<string, string>; body: string }

function splitPart(source: string): Part {
  const end = source.indexOf('\n\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })

  return { headers: Object.fromEntries(headers), body: source.slice(end + 2) }
}

/** The words of a header that aren't ASCII (RFC 2047). */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_match, way: string, word: string) =>
      way.toUpperCase() === 'B'
        ? decode(word, 'base64')
        : decode(word.replaceAll('_', ' '), 'quoted-printable'),
    )
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') {
    return Buffer.from(body, 'base64').toString('utf8')
  }

  if (encoding !== 'quoted-printable') {
    return body
  }

  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )

  return Buffer.from(bytes, 'latin1').toString('utf8')
}
