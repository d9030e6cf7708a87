/** The server sets this header on every response. Its value names the build. */
export const buildHeader = 'Learnify-Build'

/**
 * Requests JSON from a route without a page, or sends it a form. It never throws, so that the page
 * keeps working offline.
 *
 * @returns undefined without a usable response: the connection or the server failed, a proxy sent an
 * error page, the session has ended, or the request was aborted
 */
export async function fetchJson<Data>(
  url: string,
  form?: URLSearchParams,
  signal?: AbortSignal,
): Promise<Data | undefined> {
  try {
    const headers = { Accept: 'application/json' }
    const options = form ? { method: 'POST', body: form } : {}
    const response = await fetch(url, { ...options, headers, signal })

    // A response without the header comes from a proxy.
    const isOurs = response.headers.has(buildHeader)
    const isUsable = isOurs && response.status < 500 && response.status !== 401
    return isUsable ? await response.json() : undefined
  } catch {
    return undefined
  }
}
