export const shippedName = 'Learnify'

let read = () => shippedName

/**
 * Sets how the server finds the name of the school. The server calls it once, with a function,
 * because the owner may change the name at any time.
 */
export function provideSiteName(reader: () => string): void {
  read = reader
}

/** The school's name. In the browser, it comes from an attribute that the root's `Layout` sets. */
export function siteName(): string {
  return (typeof document !== 'undefined' && document.documentElement.dataset.site) || read()
}
