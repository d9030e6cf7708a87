import { photoMessages } from './settings-messages'

/** What a profile photo may be; the server looks at the bytes, the browser only saves a wasted upload. */
export const photoRules = {
  maxBytes: 5 * 1024 * 1024,
  types: ['image/jpeg', 'image/png', 'image/webp'],
  /** What phone cameras produce by default; larger pictures take too much memory to decode. */
  maxPixels: 25_000_000,
  /** What is stored: a square of this many pixels. */
  storedPixels: 256,
} as const

/** What can be said of a chosen file without reading it. @returns a message, or null if it may be sent. */
export function checkChosenPhoto(file: { size: number; type: string }): string | null {
  if (file.size > photoRules.maxBytes) return photoMessages.tooLarge
  return photoRules.types.some((type) => type === file.type) ? null : photoMessages.wrongKind
}
