export const shippedName = 'Learnify'

let read = () => shippedName

/**
 * Called once on the server. Takes a function, because the owner may change the name at any time.
 */
export function provideSiteName(reader: () => string): void {
  read = reader
}

/** The school's name. In the browser, it comes from an attribute that the root's `Layout` sets. */
export function siteName(): string {
  return (typeof document !== 'undefined' && document.documentElement.dataset.site) || read()
}
