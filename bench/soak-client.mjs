/** What a learner of the soak bench asks, with its time, and a problem for each answer that isn't what it has to be. */
import { randomInt } from 'node:crypto'
import { setMaxListeners } from 'node:events'

/** Thrown when the time is over. */
class TimeIsOver extends Error {}

/** @param url of the product. */
export function newClient(url) {
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const state = {
    times: /** @type {{ kind: string, ms: number }[]} */ ([]),
    problems: /** @type {string[]} */ ([]),
  }

  /**
   * One request of a seat. @param wanted `says`: a word of what has to be answered; `status`: 200 by default; `always`: also
   * when the time is over, because it reads what was just begun.
   * @returns status, text and headers; throws what was wrong with it.
   */
  async function ask(seat, kind, address, { says, status: wantedStatus = 200, always = false, ...options }) {
    if (over.signal.aborted && !always) throw new TimeIsOver()
    const headers = { Origin: url, 'Accept-Encoding': 'br', Cookie: cookieOf(seat), ...options.headers }
    const begun = performance.now()
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(url + address, { redirect: 'manual', signal, ...options, headers })
    const text = await response.text()
    state.times.push({ kind, ms: performance.now() - begun })
    keepCookies(seat, response.headers)
    const good = response.status === wantedStatus && text.includes(says)
    if (!good) throw new Error(`${options.method ?? 'GET'} ${address}: ${response.status} ${text.slice(0, 160)}`)
    return { text, location: response.headers.get('location') ?? '' }
  }

  const send = (seat, kind, address, body, wanted) => ask(seat, kind, address, { method: 'POST', body, ...wanted })

  return {
    ask,
    /** A form as React Router sends it. */
    form: (seat, kind, address, fields, wanted = {}) =>
      send(seat, kind, `${address}.data`, new URLSearchParams(fields), { says: '"done",true', ...wanted }),
    send,
    json: (seat, kind, address, value, wanted) =>
      send(seat, kind, address, JSON.stringify(value), { headers: { 'Content-Type': 'application/json' }, ...wanted }),
    /** What a learner reads or thinks before the next step; ends early with the time. */
    async think([least, most] = [4_000, 12_000]) {
      await new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          over.signal.removeEventListener('abort', done)
          resolve(null)
        }
        const timer = setTimeout(done, randomInt(least, most))
        over.signal.addEventListener('abort', done)
      })
      if (over.signal.aborted) throw new TimeIsOver()
    },
    /** @returns whether there is time for more. */
    async attempt(act) {
      await act().catch((error) => {
        if (error instanceof TimeIsOver) return
        const cause = error.cause ? ` (${error.cause.code ?? error.cause})` : ''
        state.problems.push(`${new Date().toISOString()} ${error.message}${cause}`)
      })
      return !over.signal.aborted
    },
    stop: () => over.abort(),
    /** @returns what came since the last call. */
    take() {
      const { times, problems } = state
      Object.assign(state, { times: [], problems: [] })
      return { times, problems }
    },
  }
}

export const pick = (list) => list[randomInt(list.length)]

function cookieOf({ cookies }) {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

function keepCookies({ cookies }, headers) {
  for (const line of headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name && value) cookies.set(name, value)
    else if (name) cookies.delete(name)
  }
}
