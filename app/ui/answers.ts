/**
 * What comes back from the network is not always this page's own: a proxy answers for a server that is away or for a
 * photo above its limit, and during an upgrade another build answers. Both are noticed here, in one place.
 */

const never = new Promise<never>(() => {})
const reloadedKey = 'learnify-reloaded-at'
const reloadPauseMs = 60_000
const retryMs = 5_000

let otherBuild = false
/** The page being navigated to, if any. */
let destination: string | null = null

/**
 * Judges every answer from now on. One that is not the product's becomes a sentence with a status of its own.
 *
 * @param header that each answer of the product has, with its build as the value.
 * @param build of this page.
 */
export function watchAnswers({ header, build }: { header: string; build: string }): void {
  const fetchAnswer = window.fetch.bind(window)
  window.fetch = async (resource, options) => {
    let answer: Response
    try {
      answer = await fetchAnswer(resource, options)
    } catch (error) {
      if (options?.signal?.aborted || !readsThisPage(resource, options?.method)) throw error
      // The page on the screen is still good: it stays until there is something newer.
      await nextChance(options?.signal)
      return window.fetch(resource, options)
    }
    const answeredBy = answer.headers.get(header)
    if (answeredBy === null) return isJson(answer) ? answer : foreignAnswer(answer.status, options?.body)
    otherBuild ||= answeredBy !== build
    if (otherBuild && destination !== null && isDataOf(destination, answer.url)) {
      window.location.assign(destination)
      return never
    }
    return answer
  }
}

/** Whether the data of the page on the screen is read again, while nobody goes elsewhere. */
function readsThisPage(resource: RequestInfo | URL, method = 'GET'): boolean {
  const { href, search } = window.location
  if (method !== 'GET') return false
  if (destination !== null || resource instanceof Request || !isDataOf(href, String(resource))) return false
  const asked = new URL(resource, href).searchParams
  asked.delete('_routes')
  return String(asked) === String(new URLSearchParams(search))
}

/** Waits for the connection, or some seconds for the server. @throws the reason when nobody waits any more. */
function nextChance(leaving?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = AbortSignal.timeout(retryMs)
    const until = { once: true, signal: end }
    end.addEventListener('abort', () => resolve())
    window.addEventListener('online', () => resolve(), until)
    leaving?.addEventListener('abort', () => reject(leaving.reason), until)
  })
}

/** @returns what a screen may show in place of an answer that somebody between the server and here made up. */
export function foreignAnswer(status: number, body?: unknown): Response {
  const sentence = status === 413 ? tooLarge(body) : 'The server is busy. Try again in a moment.'
  return new Response(sentence, {
    status: status === 413 ? 413 : 503,
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

function tooLarge(body: unknown): string {
  const photo = body instanceof FormData && [...body.values()].some((value) => value instanceof File && value.size > 0)
  return photo ? 'The photo is too large to upload.' : 'This is too large to send.'
}

/** Whoever asked for JSON judges it; a proxy's own words are HTML or plain text. */
function isJson(answer: Response): boolean {
  return answer.headers.get('content-type')?.startsWith('application/json') ?? false
}

/** Another link may be followed before its address is known here: what answers that one says nothing about this one. */
function isDataOf(address: string, answered: string): boolean {
  const { pathname } = new URL(address, window.location.href)
  const data = pathname.endsWith('/') ? `${pathname}_.data` : `${pathname}.data`
  return new URL(answered, window.location.href).pathname === data
}

/**
 * Says where a link leads as soon as it is followed. Once another build has answered, links load the whole page: it then
 * comes with the scripts that fit it. What is being typed on this page stays, as nothing reloads by itself.
 */
export function setNextAddress(address: string | null): void {
  destination = address
  if (otherBuild && address !== null) window.location.assign(address)
}

/** After a failure that another build may be the reason of: loads the page anew, but at most once a minute. */
export function reloadForOtherBuild(): void {
  if (!otherBuild) return
  try {
    if (Date.now() - Number(sessionStorage.getItem(reloadedKey)) < reloadPauseMs) return
    sessionStorage.setItem(reloadedKey, String(Date.now()))
  } catch {
    // Without storage, a first time can't be told from a second.
    return
  }
  window.location.reload()
}
