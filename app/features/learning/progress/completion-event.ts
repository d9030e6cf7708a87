const eventName = 'learnify:work-followed-up'

/**
 * The server has accepted work with possible consequences: a finished course, an achievement, a
 * streak.
 */
export function tellWorkFollowedUp(): void {
  globalThis.window?.dispatchEvent(new Event(eventName))
}

/** @returns a function that ends it. */
export function onWorkFollowedUp(listener: () => void): () => void {
  window.addEventListener(eventName, listener)
  return () => window.removeEventListener(eventName, listener)
}
