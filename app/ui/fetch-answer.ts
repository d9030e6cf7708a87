/** Set on every response of this product; the value names the build. */
export const buildHeader = 'Learnify-Build'

/**
 * Asks a route that has no page, or sends it a form, while the page here stays and works offline.
 *
 * @returns undefined without an answer of ours: no connection, a failing server, a proxy's error
 * page, an ended session, or an aborted request.
 */
export async function fetchAnswer<Answer>(
  address: string,
  form?: URLSearchParams,
  signal?: AbortSignal,
): Promise<Answer | undefined> {
  try {
    const headers = { Accept: 'application/json' }
    const response = await fetch(
      address,
      form ? { method: 'POST', body: form, headers, signal } : { headers, signal },
    )
    const ours =
      response.headers.has(buildHeader) && response.status < 500 && response.status !== 401

    return ours ? await response.json() : undefined
  } catch {
    return undefined
  }
}
