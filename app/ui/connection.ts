import { useSyncExternalStore } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { siteName } from './site-name'

/** Returns the message about a request to which no response arrived. */
export function describeUnreachable(): string {
  return `We couldn’t reach ${siteName()}. Check your connection, then try again.`
}

/** Returns whether no response arrived at all, because the network or the server is down. */
export function isUnreachable(error: unknown): boolean {
  // Browsers throw a TypeError for this and differ in its text. The last words are those of an
  // import.
  const messages = /fetch|network|load failed|import(ed|ing) /i
  return error instanceof TypeError && messages.test(error.message)
}

/**
 * Returns a sentence about a request that failed without a response that the page can use.
 *
 * @throws the error itself if React Router handles it: a redirect, or a status like 404
 */
export function describeFailedRequest(error: unknown): string {
  if (isUnreachable(error)) {
    return describeUnreachable()
  }

  if (isRouteErrorResponse(error)) {
    const { status } = error
    const staysOnPage = status === 401 || status === 413 || status >= 500
    if (staysOnPage) {
      return describeErrorResponse(error)
    }
  }

  if (error instanceof Error) {
    return 'Something went wrong on our side. Please try again in a moment.'
  }

  throw error
}

/**
 * Returns the message that an error response came with. If a proxy sent a page of its own instead,
 * the message depends on the status.
 */
export function describeErrorResponse({ status, data }: { status: number; data: unknown }): string {
  if (status === 405) {
    return 'This page doesn’t accept forms.'
  }

  const isMessage =
    typeof data === 'string' && data.length > 0 && data.length <= 200 && !/[<>]|^Error:/.test(data)
  if (isMessage) {
    return data
  }

  if (status === 413) {
    return 'This is too large to send.'
  }

  if (status >= 502) {
    return 'The server is busy. Try again in a moment.'
  }

  return 'We couldn’t show this page. Please try again in a moment.'
}

/** Returns whether the browser has a network. The server can be out of reach all the same. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)

  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The server sets this header on every response. Its value names the build. */
export const buildHeader = 'Learnify-Build'

/**
 * Requests JSON from a route without a page, or sends it a form. It never throws, so that the page
 * keeps working offline.
 *
 * @returns undefined without a usable response: the connection or the server failed, a proxy sent
 * an error page, the session has ended, or the request was aborted
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
