import { isRouteErrorResponse } from 'react-router'

export const notReached = 'We couldn’t reach Learnify. Check your connection, then try again.'

/** Whether the product itself has no time now, with a sentence why; what a proxy makes up has no status text. */
export function isPause(error: unknown): error is { status: number; statusText: string; data: unknown } {
  return isRouteErrorResponse(error) && error.status === 503 && error.statusText !== ''
}

/** What the server answers when it refuses for a few seconds only. */
export const busySentence = 'Learnify is very busy right now. Please try again in a few seconds.'

/** By its sentence: HTTP/2 has no status text. */
export function isBusy(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 503 && error.data === busySentence
}

/** Whether an error means that no answer came: no network, or no server. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed|import(ed|ing) /i.test(error.message)
}

/**
 * @param otherwise is given a sentence when no answer came, or none of the page's own: the page then stays as it is, with
 *   what was typed.
 * @returns the server's answer, or what `otherwise` makes of the sentence.
 */
export async function answerOr<Answer, Otherwise>(
  call: () => Promise<Answer>,
  otherwise: (sentence: string) => Otherwise,
): Promise<Answer | Otherwise> {
  try {
    return await call()
  } catch (error) {
    const sentence = failureSentence(error)
    if (sentence === null) throw error
    return otherwise(sentence)
  }
}

/** Null for what a page handles itself: a redirect or a refusal. */
function failureSentence(error: unknown): string | null {
  if (isUnreachable(error)) return notReached
  if (isRouteErrorResponse(error))
    return [401, 413].includes(error.status) || error.status >= 500 ? refusalSentence(error) : null
  return error instanceof Error ? 'Something went wrong on our side. Please try again in a moment.' : null
}

/** The message of a refused page: the one sent with the refusal, or by its status where a proxy sent its own page. */
export function refusalSentence({ status, data }: { status: number; data: unknown }): string {
  if (status === 405) return 'This page doesn’t accept forms.'
  const plain = typeof data === 'string' && data.length > 0 && data.length <= 200 && !/[<>]|^Error:/.test(data)
  if (plain) return data
  if (status === 413) return 'This is too large to send.'
  if (status >= 502) return 'The server is busy. Try again in a moment.'
  return 'We couldn’t show this page. Please try again in a moment.'
}
