import {
  tooLarge,
  unreadableForm,
  unreadableRequest,
  unstorableForm,
} from './server-messages.server'

/**
 * All request bodies are read here. Refuses malformed forms and JSON, too many fields, and text
 * that the database can't store, so that routes need no such checks. `limitBodies` has limited the
 * size before.
 */

const mostFields = 200
/** Parsing a multipart body costs time by the part, and only forms with a photo are sent so. */
const mostParts = 30

/** @throws {Response} 400 or 413 with a sentence. */
export async function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  const body = await request.arrayBuffer().catch(() => null)
  const form = body && (await parseForm(Buffer.from(body), type))
  if (!form) {
    throw refusal(400, unreadableForm)
  }

  for (const [name, value] of form) {
    if (!isStorable(name) || !isStorable(typeof value === 'string' ? value : value.name)) {
      throw refusal(400, unstorableForm)
    }
  }

  return form
}

/** Counts before it parses: many tiny fields would hold up all other requests. */
async function parseForm(body: Buffer, type: string): Promise<FormData | null> {
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    if (countOf('&', body, mostFields) >= mostFields) {
      throw refusal(413, tooLarge)
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

  // One more than there are parts: the end has one, too.
  if (countOf(`--${boundary}`, body, mostParts + 2) > mostParts + 1) {
    throw refusal(413, tooLarge)
  }

  return new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => null)
}

/** @returns how often the text occurs, at most `most`. */
function countOf(text: string, body: Buffer, most: number): number {
  let count = 0
  for (
    let at = body.indexOf(text);
    at !== -1 && count < most;
    at = body.indexOf(text, at + text.length)
  ) {
    count += 1
  }

  return count
}

/** @throws {Response} 400 or 413 with a sentence. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await request.text().catch(() => '')
  const value = parseJson(text)
  if (value === undefined) {
    throw refusal(400, unreadableRequest)
  }

  if (typeof value === 'object' && value && Object.keys(value).length > mostFields) {
    throw refusal(413, tooLarge)
  }

  return value
}

/** @returns undefined if it is not JSON, or can't be stored. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Looking at each value by itself costs 27 times as much.
    return unstorableEscape.test(JSON.stringify(value)) ? undefined : value
  } catch {
    return undefined
  }
}

/**
 * JSON escapes of the characters that `isStorable` refuses; an escaped backslash starts no escape.
 */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** PostgreSQL stores no NUL, and no half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}

function refusal(status: number, sentence: string): Response {
  return new Response(sentence, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}
