/**
 * Compares the paths of pages as React Router does: `/login/` and `/Login` are the same page. Code
 * that compares a path from a URL with that of a page calls these functions, never `===` or
 * `startsWith`.
 */

/** Returns whether two paths lead to the same page. */
export function isSamePage(path: string, pagePath: string): boolean {
  return normalizePath(path) === normalizePath(pagePath)
}

/** Returns whether a path is that of the page, or of a page below it. */
export function isPageOrBelow(path: string, pagePath: string): boolean {
  return `${normalizePath(path)}/`.startsWith(`${normalizePath(pagePath)}/`)
}

function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, '')
}
