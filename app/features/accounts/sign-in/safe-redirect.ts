/**
 * A path of this product to go to after signing in, from an address of unknown origin.
 *
 * @returns `otherwise` unless it is a plain path: no other site, no `//host`, no backslash, no
 * control character.
 */
export function safeRedirect(path: string | null | undefined, otherwise = '/Profile'): string {
  if (!path || path.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path)) {
    return otherwise
  }

  const { origin, pathname, search, hash } = new URL(path, 'http://own.invalid')
  const leadsElsewhere = origin !== 'http://own.invalid' || pathname.startsWith('//')

  return leadsElsewhere ? otherwise : `${pathname}${search}${hash}`
}
