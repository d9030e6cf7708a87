export const shippedName = 'Learnify'

let read = () => shippedName

/** On the server, once: how the school's name is read, which its owner may change at any time. */
export function provideSiteName(reader: () => string): void {
  read = reader
}

/** The school's name. In the browser, that of the page: see the root's `Layout`. */
export function siteName(): string {
  return (typeof document !== 'undefined' && document.documentElement.dataset.site) || read()
}
