import { useSyncExternalStore } from 'react'
import { data, isRouteErrorResponse } from 'react-router'
import { refused } from './action-result'
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
 * For the `catch` of a `clientAction`: without a response the page stays as it is, with the typed
 * text and an error sentence.
 *
 * @throws the error itself if it is one that the router handles: a redirect, or a status like 404.
 */
export function refuseUnanswered(error: unknown) {
  return data(refused(unansweredSentence(error)), { status: 503 })
}

/** @throws as `refuseUnanswered`. */
export function unansweredSentence(error: unknown): string {
  if (isUnreachable(error)) {
    return notReached()
  }

  if (
    isRouteErrorResponse(error) &&
    (error.status === 401 || error.status === 413 || error.status >= 500)
  ) {
    return refusalSentence(error)
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
export function refusalSentence({ status, data }: { status: number; data: unknown }): string {
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
