import type { SendOutcome } from './entry-kind'

type PostResult = {
  outcome: Extract<SendOutcome, 'delivered' | 'refused' | 'signed-out' | 'unreachable'>
  /** The parsed JSON of the response, or null if there was none. */
  responseBody: unknown
}

/** The statuses that say nothing about the entry itself: timeout, too early, too many requests. */
const temporaryStatuses = [408, 425, 429]

/** A request that hangs must not hold up the other tabs. */
const requestTimeoutMs = 30_000

/**
 * Posts the body of an entry and derives the outcome from the status of the response.
 *
 * @param body a form, or an object that is sent as JSON
 * @param isPageClosing lets the browser finish the request after the page is gone
 */
export async function postEntry(
  url: string,
  body: object,
  { isPageClosing = false } = {},
): Promise<PostResult> {
  const isForm = body instanceof URLSearchParams
  const headers = new Headers({ Accept: 'application/json' })
  if (!isForm) {
    headers.set('Content-Type', 'application/json')
  }

  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: isForm ? body : toStorableJson(body),
      keepalive: isPageClosing,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    // The error page of a proxy is not JSON, so parsing it throws and counts as unreachable.
    const responseBody: unknown = await response.json()

    return { outcome: getOutcome(response.status, responseBody), responseBody }
  } catch {
    return { outcome: 'unreachable', responseBody: null }
  }
}

/**
 * Returns the body as JSON without characters that the server cannot store: NUL and lone
 * surrogates. The server would refuse the whole entry, and later entries would wait behind it
 * forever. Forms need no such step, because the browser replaces lone surrogates in them.
 */
function toStorableJson(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\ufffd') : value,
  )
}

function getOutcome(status: number, responseBody: unknown): PostResult['outcome'] {
  if (status >= 200 && status < 300) {
    return 'delivered'
  }

  if (status === 401 || getRefusalCode(responseBody) === 'other-learner') {
    return 'signed-out'
  }

  const isTemporary = status >= 500 || temporaryStatuses.includes(status)
  return isTemporary ? 'unreachable' : 'refused'
}

/**
 * Returns the code of the reason for which the server refused an entry, if the response has one.
 */
export function getRefusalCode(responseBody: unknown): unknown {
  const hasRefusalCode =
    typeof responseBody === 'object' && responseBody !== null && 'refusal' in responseBody
  return hasRefusalCode ? responseBody.refusal : undefined
}
