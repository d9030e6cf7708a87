/**
 * Reads the bodies of requests. Malformed forms and JSON, too many fields, and text that the
 * database can't store are refused, so that routes need no such checks. The middleware
 * `limitBodies` has already limited the size of the body.
 */
import { serverMessages } from './server-messages.server'

const maxFields = 200
/** Each part of a multipart body takes time to parse, and only forms with a file are multipart. */
const maxParts = 30

/** @throws {Response} 400 or 413 with a message */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const body = await request.arrayBuffer().catch(() => null)
  const form = body && (await parseForm(Buffer.from(body), type))
  if (!form) {
    throw createRefusal(400, serverMessages.unreadableForm)
  }

  for (const [name, value] of form) {
    const text = typeof value === 'string' ? value : value.name
    if (!isStorable(name) || !isStorable(text)) {
      throw createRefusal(400, serverMessages.unstorableForm)
    }
  }

  return form
}

/**
 * Parses a form, or returns null if the body is not a form. The fields are counted before parsing,
 * because many tiny fields would delay all other requests.
 */
async function parseForm(body: Buffer, type: string): Promise<FormData | null> {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    if (countOccurrences('&', body, maxFields) >= maxFields) {
      throw createRefusal(413, serverMessages.tooLarge)
    }

    const form = new FormData()
    for (const [name, value] of new URLSearchParams(body.toString())) {
      form.append(name, value)
    }

    return form
  }

  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)/i.exec(type)?.[1]
  if (!boundary) {
    return null
  }

  // The boundary also marks the end, so there is one more than there are parts.
  if (countOccurrences(`--${boundary}`, body, maxParts + 2) > maxParts + 1) {
    throw createRefusal(413, serverMessages.tooLarge)
  }

  return new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => null)
}

/** Returns how often a text occurs, but at most `max`. */
function countOccurrences(text: string, body: Buffer, max: number): number {
  let count = 0
  let offset = body.indexOf(text)
  while (offset !== -1 && count < max) {
    count += 1
    offset = body.indexOf(text, offset + text.length)
  }

  return count
}

/** @throws {Response} 400 or 413 with a message */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text().catch(() => '')
  const value = parseJson(text)
  if (value === undefined) {
    throw createRefusal(400, serverMessages.unreadableRequest)
  }

  const isObject = typeof value === 'object' && value !== null
  if (isObject && Object.keys(value).length > maxFields) {
    throw createRefusal(413, serverMessages.tooLarge)
  }

  return value
}

/** Returns undefined if the text is not JSON, or can't be stored. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Checking each value on its own would take 27 times as long.
    return unstorableEscape.test(JSON.stringify(value)) ? undefined : value
  } catch {
    return undefined
  }
}

/**
 * Matches JSON escapes of characters that are not storable. An escaped backslash starts no escape.
 */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** PostgreSQL can't store NUL or half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

function createRefusal(status: number, message: string): Response {
  return new Response(message, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
