/**
 * The outcome of sending an entry.
 * - `delivered`: the server has it, and it leaves the outbox.
 * - `refused`: the server never takes it, and it leaves the outbox, too.
 * - `replaced`: another body is to be sent in its place, see `Result`.
 * - `held-back`: the server will accept it later, once a condition is met; the entries after it are
 * sent.
 * - `signed-out`: no learner or another learner is signed in; nothing more is sent.
 * - `unreachable`: the server sent no response; everything is sent again later.
 */
export type Outcome =
  | 'delivered'
  | 'refused'
  | 'replaced'
  | 'held-back'
  | 'signed-out'
  | 'unreachable'

/** An answer in JSON, as far as the sender of its kind knows it. */
export type Delivery = {
  outcome: 'delivered' | 'refused' | 'signed-out' | 'unreachable'
  answer: unknown
}

/** HTTP statuses that say nothing about the entry itself, so that it is sent again. */
const retryStatuses = [408, 425, 429]

/** The timeout of a request. A hanging connection must not hold up other tabs. */
const timeoutMs = 30_000

/**
 * Sends an entry to the server and derives the outcome from the status of the response.
 *
 * @param body a form, or an object that is sent as JSON.
 * @param leaving lets the browser finish the request after the page is gone.
 */
export async function post(url: string, body: object, leaving = false): Promise<Delivery> {
  const isForm = body instanceof URLSearchParams
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        ...(!isForm && { 'Content-Type': 'application/json' }),
      },
      body: isForm ? body : toStorableJson(body),
      keepalive: leaving,
      signal: AbortSignal.timeout(timeoutMs),
    })
    // The error page of a proxy is not JSON, so parsing it throws and counts as unreachable.
    const answer: unknown = await response.json()
    return { outcome: getOutcome(response.status, answer), answer }
  } catch {
    return { outcome: 'unreachable', answer: null }
  }
}

/**
 * The server stores no NUL and no half of a surrogate pair. It would refuse the whole entry for
 * one, and what follows would wait behind it forever; forms replace the latter by themselves.
 */
function toStorableJson(body: object): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\ufffd') : value,
  )
}

function getOutcome(status: number, answer: unknown): Delivery['outcome'] {
  if (status >= 200 && status < 300) {
    return 'delivered'
  }

  if (status === 401 || refusalIn(answer) === 'other-learner') {
    return 'signed-out'
  }

  return status >= 500 || retryStatuses.includes(status) ? 'unreachable' : 'refused'
}

/** The short name of the reason that some answers have. */
export function refusalIn(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'refusal' in answer
    ? answer.refusal
    : undefined
}
