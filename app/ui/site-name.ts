export const shippedName = 'Learnify'

let readSiteName = () => shippedName

/**
 * Sets the function with which the server reads the school's name. It is a function, because the
 * owner may change the name at any time.
 */
export function provideSiteName(reader: () => string): void {
  readSiteName = reader
}

/** The school's name. In the browser, it comes from an attribute that the root's `Layout` sets. */
export function siteName(): string {
  const isBrowser = typeof document !== 'undefined'
  return (isBrowser && document.documentElement.dataset.site) || readSiteName()
}
