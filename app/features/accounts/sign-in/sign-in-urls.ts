import { isSamePage } from '~/ui/compare-paths'

/**
 * Returns the path to go to after signing in, from a value that anybody may have put into a link.
 *
 * @returns `fallback` unless the value is a plain path: no other site, no `//host`, no backslash
 *   and no control character
 */
export function safeRedirect(path: string | null | undefined, fallback = '/Profile'): string {
  const isPlainPath = path && path.length <= 500 && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)
  if (!isPlainPath) {
    return fallback
  }

  // The parser resolves dot segments, which could lead to `//host`.
  const { origin, pathname, search, hash } = new URL(path, 'http://own.invalid')
  const leadsElsewhere = origin !== 'http://own.invalid' || pathname.startsWith('//')

  return leadsElsewhere ? fallback : `${pathname}${search}${hash}`
}

/** @param nextUrl the path that follows the second step of the sign-in */
export function secondStepUrl(nextUrl: string): string {
  return isSamePage(nextUrl, '/Profile')
    ? '/SecondStep'
    : `/SecondStep?${new URLSearchParams({ from: nextUrl })}`
}

/**
 * Returns the URL of the page that asks a learner for the name that their sign-in provider didn't
 * send.
 *
 * @param nextUrl the path that follows once the name is stored
 */
export function missingNameUrl(nextUrl: string): string {
  return isSamePage(nextUrl, '/Profile')
    ? '/Profile/name'
    : `/Profile/name?${new URLSearchParams({ from: nextUrl })}`
}

/**
 * Returns the URL of the page 'Confirm it's you'.
 *
 * @param nextUrl the path that follows the confirmation
 */
export function confirmUrl(nextUrl: string): string {
  return `/Confirm?${new URLSearchParams({ from: nextUrl })}`
}
