import { useSyncExternalStore } from 'react'
import { isRouteErrorResponse } from 'react-router'
import { siteName } from './site-name'

export const notReached = () =>
  `We couldn’t reach ${siteName()}. Check your connection, then try again.`

/** Whether an error means that no answer came: no network, or no server. */
export function isUnreachable(error: unknown): boolean {
  return (
    error instanceof TypeError && /fetch|network|load failed|import(ed|ing) /i.test(error.message)
  )
}

/**
 * Returns a sentence about a request that failed without a response that the page can use.
 *
 * @throws the error itself if React Router handles it: a redirect, or a status like 404
 */
export function describeFailedRequest(error: unknown): string {
  if (isUnreachable(error)) {
    return notReached()
  }

  if (
    isRouteErrorResponse(error) &&
    (error.status === 401 || error.status === 413 || error.status >= 500)
  ) {
    return describeErrorResponse(error)
  }

  if (error instanceof Error) {
    return 'Something went wrong on our side. Please try again in a moment.'
  }

  throw error
}

/**
 * The message of a refused page: the one sent with the refusal, or by its status where a proxy sent
 * its own page.
 */
export function describeErrorResponse({ status, data }: { status: number; data: unknown }): string {
  if (status === 405) {
    return 'This page doesn’t accept forms.'
  }

  const plain =
    typeof data === 'string' && data.length > 0 && data.length <= 200 && !/[<>]|^Error:/.test(data)
  if (plain) {
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

/** Whether the browser has a network; the server may still be out of reach. */
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
